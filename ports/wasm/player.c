/* One run of one agent or several, stepped forward and back. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "agents/facts.h"
#include "base/clock.h"
#include "questions/learning/learning.h"
#include "questions/learning/player.h"
#include "web.h"

far__player *web_player_create(const far_mdp *mdp, const char *agents, int64_t steps, uint64_t seed,
                               uint64_t replicate) {
  const char *lines[FAR__PLAYER_AGENTS];
  far__player_def def = far__player_def_default();
  far__player *player = NULL;
  char *copy = web_alloc(strlen(agents) + 1);
  if (copy == NULL) return NULL;
  strcpy(copy, agents);
  def.mdp = mdp;
  def.agents = lines;
  def.n_agents = web__lines(copy, lines, FAR__PLAYER_AGENTS);
  def.steps = steps;
  def.seed = seed;
  def.replicate = replicate;
  (void)far__player_create(&player, &def, web__error());
  free(copy);
  return player;
}

void web_player_free(far__player *player) {
  far__player_free(player);
}

double web_player_t(const far__player *player) {
  return (double)far__player_t(player);
}

/* ---- moving ---- */

/* Reading the clock is expensive: the number of steps between two readings grows while they take little of the time.
 * A single step of an agent that plans may use up the time limit. */
bool web_player_play(far__player *player, int64_t n, double seconds) {
  const double begun = far__clock_seconds();
  const int64_t left = far__player_steps(player) - far__player_t(player);
  int64_t part = 1;
  double now = begun;
  n = n < left ? n : left;
  while (n > 0 && now - begun < seconds) {
    const double before = now;
    part = part < n ? part : n;
    if (far__player_advance(player, part, web__error()) != FAR_OK) return false;
    n -= part;
    now = far__clock_seconds();
    if (now - before < seconds / 16) part *= 2;
    if (now - before > seconds / 8 && part > 1) part /= 2;
  }
  return true;
}

bool web_player_seek(far__player *player, int64_t t) {
  return far__player_seek(player, t, web__error()) == FAR_OK;
}

static double *put_transition(double *out, const far_transition *step) {
  *out++ = step->s;
  *out++ = step->a;
  *out++ = step->r;
  *out++ = step->next;
  *out++ = step->done;
  *out++ = step->cut;
  return out;
}

const double *web_player_trace(far__player *player, int64_t n) {
  const int64_t left = far__player_steps(player) - far__player_t(player);
  const int64_t steps = n < 0 ? 0 : n < left ? n : left;
  size_t agents = 0;
  while (far__player_run_of(player, agents) != NULL) ++agents;
  const uint64_t each = 6 * agents;
  double *numbers = web__numbers((uint64_t)steps < UINT64_MAX / each ? (uint64_t)steps * each
                                                                     : UINT64_MAX),
         *at = numbers;
  if (numbers == NULL) return NULL;
  for (int64_t i = 0; i < steps; ++i) {
    if (far__player_advance(player, 1, web__error()) != FAR_OK) return NULL;
    for (size_t k = 0; k < agents; ++k)
      at = put_transition(at, &far__player_run_of(player, k)->last);
  }
  return numbers;
}

const double *web_player_update(far__player *player) {
  far__player_update update;
  bool found;
  if (far__player_next_update(player, &update, &found, web__error()) != FAR_OK) return NULL;
  double *out = web__numbers(found ? 7 : 0);
  if (out == NULL || !found) return out;
  const double numbers[7] = {
      (double)update.agent,    update.kind, update.s, update.a, update.before, update.after,
      (double)update.n_changed};
  memcpy(out, numbers, sizeof numbers);
  return out;
}

/* ---- one agent ---- */

const double *web_lane(const far__player *player, uint32_t k) {
  const far__player_run *run = far__player_run_of(player, k);
  double gamma = NAN, certificate = NAN, step = NAN;
  size_t length;
  double *out = web__numbers(run != NULL ? 9 : 0);
  if (out == NULL || run == NULL) return out;
  if (far_spec_value(far_agent_spec(run->agent), "gamma", &length) != NULL)
    (void)far_agent_param(run->agent, "gamma", &gamma);
  (void)far_agent_certificate(run->agent, &certificate);
  if (far__agent_by_step(run->agent)) step = (double)far_agent_episode_step(run->agent);
  const double numbers[9] = {run->s,
                             run->total,
                             (double)run->episodes,
                             (double)far_agent_steps(run->agent),
                             gamma,
                             far_agent_stopped(run->agent),
                             certificate,
                             (double)run->stride,
                             step};
  memcpy(out, numbers, sizeof numbers);
  return out;
}

const char *web_lane_spec(const far__player *player, uint32_t k) {
  const far__player_run *run = far__player_run_of(player, k);
  return web__text_of(run != NULL ? far_agent_spec(run->agent) : "");
}

const double *web_lane_curve(const far__player *player, uint32_t k) {
  const far__player_run *run = far__player_run_of(player, k);
  const size_t n = run != NULL ? run->n_points : 0;
  double *out = web__numbers(n);
  if (out != NULL && n > 0) memcpy(out, run->curve, n * sizeof *out);
  return out;
}

/* Writes the greatest q of each state to q[s], in place: index s is never beyond the pairs of state s. */
static void keep_greatest(double *q, const far_shape *shape) {
  for (size_t s = 0; s < shape->n_states; ++s) {
    const double *row = q + s * shape->n_actions;
    double best = row[0];
    for (size_t a = 1; a < shape->n_actions; ++a) best = row[a] > best ? row[a] : best;
    q[s] = best;
  }
}

static bool is_kind(far__learned quantity, far_value *kind) {
  switch (quantity) {
  case FAR__LEARNED_Q:
  case FAR__LEARNED_VALUE: *kind = FAR_VALUE_Q; return true;
  case FAR__LEARNED_BONUS: *kind = FAR_VALUE_BONUS; return true;
  case FAR__LEARNED_E: *kind = FAR_VALUE_E; return true;
  case FAR__LEARNED_LEARN: *kind = FAR_VALUE_LEARN; return true;
  case FAR__LEARNED_N: *kind = FAR_VALUE_N; return true;
  default: return false;
  }
}

/* Reads a quantity of all pairs; false if the agent does not have it. */
static bool read_values(double *out, const far__player_run *run, far__learned quantity,
                        int64_t step, size_t n_pairs) {
  const far_agent *agent = run->agent;
  far_value kind;
  if (quantity == FAR__LEARNED_VISITS) {
    memcpy(out, run->visits, n_pairs * sizeof *out);
    return true;
  }
  if (step < 0) step = far_agent_episode_step(agent);
  if (quantity == FAR__LEARNED_POLICY) return far_agent_policies_at(agent, step, out);
  return is_kind(quantity, &kind) && far_agent_values_at(agent, kind, step, out);
}

const double *web_lane_values(const far__player *player, uint32_t k, far__learned quantity,
                              int64_t step) {
  const far__player_run *run = far__player_run_of(player, k);
  if (run == NULL) return web__numbers(0);
  const far_shape *shape = far_agent_shape(run->agent);
  const size_t n_pairs = (size_t)shape->n_states * shape->n_actions;
  double *out = web__numbers(n_pairs);
  if (out == NULL || !read_values(out, run, quantity, step, n_pairs))
    return out == NULL ? NULL : web__numbers(0);
  if (quantity != FAR__LEARNED_VALUE) return out;
  keep_greatest(out, shape);
  return web__numbers(shape->n_states);
}

const char *web_lane_save(const far__player *player, uint32_t k) {
  const far__player_run *run = far__player_run_of(player, k);
  void *bytes;
  size_t size;
  if (run == NULL) return web__text_of("");
  if (far_agent_save_memory(&bytes, &size, run->agent, web__error()) != FAR_OK) return NULL;
  far_buffer_add(web__text(), bytes, size);
  far_free(bytes);
  return web__text_end();
}
