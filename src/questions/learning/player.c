/* One run of several agents, forward and back: runs that are stepped, and copies of them along the way. */
#include "questions/learning/player.h"

#include <stdlib.h>
#include <string.h>

#include "agents/facts.h"
#include "base/clock.h"
#include "base/error.h"
#include "farsight/run.h"
#include "farsight/worlds.h"

/* The first copies are so far apart that they take less time than the steps between them. */
enum { MOST_MARKS = 64, FEWEST_MARKS = 4, FIRST_INTERVAL = 32 };
static const double MARK_BYTES = 256e6; /* about what all copies may take */

/* A run and what it owns. */
typedef struct run {
  far__player_run shown;
  far_agent *agent;
  far_worlds *worlds;
  double *visits;
  double curve[FAR__PLAYER_POINTS];
} run;

/* All runs as they were after t steps. */
typedef struct mark {
  int64_t t;
  run *runs;
} mark;

struct far__player {
  far__player_def def;
  size_t n_pairs;
  int64_t t;
  run *runs;
  mark marks[MOST_MARKS]; /* ascending; at multiples of the interval, the first at 0 */
  size_t n_marks, most_marks;
  int64_t interval;
  bool torn;                         /* a step failed, and some runs may have taken it */
  bool copies;                       /* agents can be copied; else to go back is to begin anew */
  double *values;                    /* for updates: Q, E and LEARN of every run, before the step */
  double *fresh;                     /* and one of them after it */
  int64_t noted[FAR__PLAYER_AGENTS]; /* the step of the episode whose values they are */
  double next_progress;              /* when it is due */
};

static const far_value update_kinds[] = {FAR_VALUE_Q, FAR_VALUE_E, FAR_VALUE_LEARN};
enum { N_KINDS = sizeof update_kinds / sizeof *update_kinds };

far__player_def far__player_def_default(void) {
  return (far__player_def){.steps = 10000, .seed = 1};
}

static far_status no_memory(far_error *error) {
  return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory to play a run");
}

/* ---- runs ---- */

static void free_runs(run *runs, size_t n) {
  for (size_t k = 0; runs != NULL && k < n; ++k) {
    far_agent_free(runs[k].agent);
    far_worlds_free(runs[k].worlds);
    free(runs[k].visits);
  }
  free(runs);
}

/* The run shows what it owns, wherever it was copied to. */
static void show(run *l) {
  l->shown.agent = l->agent;
  l->shown.visits = l->visits;
  l->shown.curve = l->curve;
}

static far_status copy_run(run *out, const run *from, size_t n_pairs, far_error *error) {
  *out = *from;
  out->agent = NULL;
  out->worlds = NULL;
  out->visits = malloc(n_pairs * sizeof *out->visits);
  if (out->visits == NULL) return no_memory(error);
  memcpy(out->visits, from->visits, n_pairs * sizeof *out->visits);
  const far_status status = far_agent_clone(&out->agent, from->agent, error);
  return status == FAR_OK ? far_worlds_clone(&out->worlds, from->worlds, error) : status;
}

static far_status copy_runs(run **out, const far__player *p, const run *from, far_error *error) {
  const size_t n = p->def.n_agents;
  far_status status = FAR_OK;
  *out = calloc(n + 1, sizeof **out);
  if (*out == NULL) return no_memory(error);
  for (size_t k = 0; status == FAR_OK && k < n; ++k)
    status = copy_run(&(*out)[k], &from[k], p->n_pairs, error);
  for (size_t k = 0; k < n; ++k) show(&(*out)[k]);
  if (status == FAR_OK) return FAR_OK;
  free_runs(*out, n);
  *out = NULL;
  return status;
}

/* Resets a run to its beginning. */
static far_status begin_run(run *l, const far__player *p, far_error *error) {
  far_agent_reset(l->agent, p->def.seed, p->def.replicate);
  far_worlds_seed(l->worlds, p->def.seed, p->def.replicate);
  memset(l->visits, 0, p->n_pairs * sizeof *l->visits);
  l->shown = (far__player_run){.stride = 1};
  show(l);
  return far_worlds_reset(l->worlds, NULL, &l->shown.s, error);
}

static far_status make_run(run *l, const far__player *p, const char *spec, far_error *error) {
  far_worlds_def worlds = far_worlds_def_default();
  worlds.seed = p->def.seed;
  worlds.first_replicate = p->def.replicate;
  worlds.autoreset = FAR_AUTORESET_SAME_STEP;
  l->visits = calloc(p->n_pairs, sizeof *l->visits);
  if (l->visits == NULL) return no_memory(error);
  far_status status = far_agent_create_on(&l->agent, spec, p->def.mdp, p->def.steps, p->def.seed,
                                          p->def.replicate, error);
  if (status == FAR_OK) status = far_worlds_create(&l->worlds, p->def.mdp, 1, &worlds, error);
  return status == FAR_OK ? begin_run(l, p, error) : status;
}

/* Drops every second point when there is no room for another. */
static void note_point(run *l, int64_t t) {
  far__player_run *s = &l->shown;
  if (t % s->stride != 0) return;
  if (s->n_points == FAR__PLAYER_POINTS) {
    for (size_t i = 0; i < FAR__PLAYER_POINTS / 2; ++i) l->curve[i] = l->curve[2 * i + 1];
    s->n_points = FAR__PLAYER_POINTS / 2;
    s->stride *= 2;
    if (t % s->stride != 0) return;
  }
  l->curve[s->n_points++] = s->total;
}

/* As the loop of a batch does: act, step, learn, and begin anew where an episode has ended. */
static far_status step_run(run *l, int64_t t, far_error *error) {
  far__player_run *s = &l->shown;
  far_transition step = {.s = s->s};
  uint32_t next;
  far_status status = far_agent_try_act(l->agent, s->s, &step.a, error);
  if (status == FAR_OK)
    status = far_worlds_step(l->worlds, &step.a, &next, &step.r, &step.done, &step.cut, &step.next,
                             error);
  if (status == FAR_OK) status = far_agent_observe(l->agent, &step, error);
  if (status != FAR_OK) return status;
  s->total += step.r;
  s->episodes += step.done || step.cut;
  s->last = step;
  s->s = next;
  l->visits[(size_t)step.s * far_agent_shape(l->agent)->n_actions + step.a] += 1;
  note_point(l, t);
  return FAR_OK;
}

/* ---- copies along the way ---- */

static void drop_mark(far__player *p, size_t i) {
  free_runs(p->marks[i].runs, p->def.n_agents);
  memmove(&p->marks[i], &p->marks[i + 1], (p->n_marks - i - 1) * sizeof *p->marks);
  p->n_marks -= 1;
}

/* Drops every second copy when there is no room for another. */
static void thin_marks(far__player *p) {
  p->interval *= 2;
  for (size_t i = p->n_marks; i-- > 0;)
    if (p->marks[i].t % p->interval != 0) drop_mark(p, i);
}

/* Keeps a copy if this step is one for it. The memory of agents is about that of a few tables. */
static far_status keep_mark(far__player *p, far_error *error) {
  if (!p->copies || p->t % p->interval != 0) return FAR_OK;
  if (p->n_marks > 0 && p->marks[p->n_marks - 1].t >= p->t) return FAR_OK; /* has been here */
  if (p->n_marks == p->most_marks) thin_marks(p);
  if (p->t % p->interval != 0) return FAR_OK;
  mark *m = &p->marks[p->n_marks];
  far_error why;
  const far_status status = copy_runs(&m->runs, p, p->runs, &why);
  if (status == FAR_STATUS_CONFLICT) {
    p->copies = false;
    return FAR_OK;
  }
  if (status != FAR_OK && error != NULL) *error = why;
  if (status != FAR_OK) return status;
  m->t = p->t;
  p->n_marks += 1;
  return FAR_OK;
}

static far_status restore(far__player *p, const mark *m, far_error *error) {
  run *runs;
  const far_status status = copy_runs(&runs, p, m->runs, error);
  if (status != FAR_OK) return status;
  free_runs(p->runs, p->def.n_agents);
  p->runs = runs;
  p->t = m->t;
  return FAR_OK;
}

static far_status begin_anew(far__player *p, far_error *error) {
  far_status status = FAR_OK;
  for (size_t k = 0; status == FAR_OK && k < p->def.n_agents; ++k)
    status = begin_run(&p->runs[k], p, error);
  p->t = 0;
  return status;
}

/* ---- creation ---- */

static far_status check_def(const far__player_def *def, far_error *error) {
  if (def->mdp == NULL || def->agents == NULL || def->n_agents < 1 ||
      def->n_agents > FAR__PLAYER_AGENTS || def->steps < 1)
    return far__fail(error, FAR_STATUS_RANGE, -1,
                     "a player needs a model, 1 to %d agents and at least 1 step",
                     FAR__PLAYER_AGENTS);
  return FAR_OK;
}

static far_status fill(far__player *p, far_error *error) {
  const size_t n = p->def.n_agents;
  far_status status = FAR_OK;
  p->runs = calloc(n, sizeof *p->runs);
  p->values = malloc(n * N_KINDS * p->n_pairs * sizeof *p->values);
  p->fresh = malloc(p->n_pairs * sizeof *p->fresh);
  if (p->runs == NULL || p->values == NULL || p->fresh == NULL) return no_memory(error);
  for (size_t k = 0; status == FAR_OK && k < n; ++k)
    status = make_run(&p->runs[k], p, p->def.agents[k], error);
  p->def.agents = NULL; /* borrowed until now */
  return status == FAR_OK ? keep_mark(p, error) : status;
}

far_status far__player_create(far__player **out, const far__player_def *def, far_error *error) {
  *out = NULL;
  far_status status = check_def(def, error);
  if (status != FAR_OK) return status;
  const far_shape shape = far_mdp_shape(def->mdp);
  far__player *p = calloc(1, sizeof *p);
  if (p == NULL) return no_memory(error);
  p->def = *def;
  p->n_pairs = (size_t)shape.n_states * shape.n_actions;
  for (p->interval = FIRST_INTERVAL; (size_t)p->interval < p->n_pairs / 16;) p->interval *= 2;
  p->copies = true;
  const double bytes = (double)p->n_pairs * 100 * (double)p->def.n_agents;
  const double fit = MARK_BYTES / bytes;
  p->most_marks = fit > MOST_MARKS ? MOST_MARKS : fit < FEWEST_MARKS ? FEWEST_MARKS : (size_t)fit;
  status = fill(p, error);
  if (status == FAR_OK)
    *out = p;
  else
    far__player_free(p);
  return status;
}

void far__player_free(far__player *player) {
  if (player == NULL) return;
  while (player->n_marks > 0) drop_mark(player, player->n_marks - 1);
  free_runs(player->runs, player->def.n_agents);
  free(player->values);
  free(player->fresh);
  free(player);
}

int64_t far__player_t(const far__player *player) {
  return player->t;
}

int64_t far__player_steps(const far__player *player) {
  return player->def.steps;
}

const far__player_run *far__player_run_of(const far__player *player, size_t k) {
  return k < player->def.n_agents ? &player->runs[k].shown : NULL;
}

/* ---- moving ---- */

static far_status step(far__player *p, far_error *error) {
  far_status status = FAR_OK;
  for (size_t k = 0; status == FAR_OK && k < p->def.n_agents; ++k)
    status = step_run(&p->runs[k], p->t + 1, error);
  p->torn = status != FAR_OK;
  if (p->torn) return status;
  p->t += 1;
  return keep_mark(p, error);
}

static far_status look_up(far__player *p, int64_t target, far_error *error) {
  if (p->def.progress == NULL) return FAR_OK;
  const double now = far__clock_seconds();
  if (now < p->next_progress) return FAR_OK;
  p->next_progress = now + 0.1;
  if (p->def.progress(p->def.user, p->t, target)) return FAR_OK;
  return far__fail(error, FAR_STATUS_CANCELLED, -1, "stopped at step %lld", (long long)p->t);
}

static far_status go_to(far__player *p, int64_t target, far_error *error) {
  far_status status = FAR_OK;
  p->next_progress = far__clock_seconds() + 0.1;
  while (status == FAR_OK && p->t < target) {
    status = step(p, error);
    if (status == FAR_OK) status = look_up(p, target, error);
  }
  return status;
}

far_status far__player_seek(far__player *player, int64_t t, far_error *error) {
  const int64_t target = t < 0 ? 0 : t < player->def.steps ? t : player->def.steps;
  /* The last copy at or before t; NULL if there is none. */
  const mark *m = NULL;
  for (size_t i = 0; i < player->n_marks && player->marks[i].t <= target; ++i)
    m = &player->marks[i];
  far_status status = FAR_OK;
  const bool back = target < player->t || player->torn;
  if (m != NULL && (back || m->t > player->t))
    status = restore(player, m, error);
  else if (back)
    status = begin_anew(player, error);
  if (status == FAR_OK) player->torn = false;
  return status == FAR_OK ? go_to(player, target, error) : status;
}

/* After a step that failed all runs go back to where they were before it. */
static far_status mend(far__player *p, far_error *error) {
  return p->torn ? far__player_seek(p, p->t, error) : FAR_OK;
}

far_status far__player_advance(far__player *player, int64_t n, far_error *error) {
  if (n < 0) return far__fail(error, FAR_STATUS_RANGE, -1, "a player advances 0 steps or more");
  const far_status status = mend(player, error);
  const int64_t left = player->def.steps - player->t;
  return status == FAR_OK ? go_to(player, player->t + (n < left ? n : left), error) : status;
}

/* ---- updates ---- */

static double *values_of(const far__player *p, size_t k, size_t kind) {
  return p->values + (k * N_KINDS + kind) * p->n_pairs;
}

/* Notes the numbers of all runs, at the present step of the episode; false if none has any. */
static bool note_values(far__player *p) {
  bool any = false;
  for (size_t k = 0; k < p->def.n_agents; ++k) {
    p->noted[k] = far_agent_episode_step(p->runs[k].agent);
    for (size_t i = 0; i < N_KINDS; ++i)
      any |= far_agent_values(p->runs[k].agent, update_kinds[i], values_of(p, k, i));
  }
  return any;
}

/* Differences between the numbers noted and those of now. */
static bool find_change(far__player *p, size_t k, size_t kind, far__player_update *out) {
  const uint32_t n_actions = far_agent_shape(p->runs[k].agent)->n_actions;
  double *old = values_of(p, k, kind);
  size_t n = 0;
  if (!far_agent_values_at(p->runs[k].agent, update_kinds[kind], p->noted[k], p->fresh))
    return false;
  for (size_t i = 0; i < p->n_pairs; ++i) {
    if (old[i] == p->fresh[i]) continue;
    if (n++ == 0)
      *out = (far__player_update){.agent = k,
                                  .kind = update_kinds[kind],
                                  .s = (uint32_t)(i / n_actions),
                                  .a = (uint32_t)(i % n_actions),
                                  .before = old[i],
                                  .after = p->fresh[i]};
  }
  out->n_changed = n > 0 ? n : out->n_changed;
  return n > 0;
}

static bool find_update(far__player *p, far__player_update *out) {
  for (size_t k = 0; k < p->def.n_agents; ++k)
    for (size_t i = 0; i < N_KINDS; ++i)
      if (find_change(p, k, i, out)) return true;
  return false;
}

far_status far__player_next_update(far__player *player, far__player_update *out, bool *found,
                                   far_error *error) {
  *found = false;
  *out = (far__player_update){0};
  far_status status = mend(player, error);
  if (status != FAR_OK || !note_values(player)) return status;
  player->next_progress = far__clock_seconds() + 0.1;
  while (status == FAR_OK && !*found && player->t < player->def.steps) {
    /* Numbers of one step of an episode are no news of another's. */
    bool by_step = false;
    for (size_t k = 0; k < player->def.n_agents; ++k)
      by_step |= far__agent_by_step(player->runs[k].agent);
    if (by_step) note_values(player);
    status = step(player, error);
    *found = status == FAR_OK && find_update(player, out);
    if (status == FAR_OK && !*found) status = look_up(player, player->def.steps, error);
  }
  return status;
}
