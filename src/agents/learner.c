#include "agents/learner.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "farsight/base.h"

/* ---- resolving ---- */

far__problem learner_problem(const learner_params *p, const far_shape *shape) {
  return (far__problem){.states = far_shape_live(shape),
                        .actions = shape->n_actions,
                        .gamma = p->gamma,
                        .range = shape->reward_max - shape->reward_min};
}

far_status learner_resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  learner_params *p = (learner_params *)spec->values;
  const double range = shape->reward_max - shape->reward_min;
  const bool theory = p->preset == PRESET_THEORY;
  if (!LEARNER_GIVEN(eps)) p->eps = 0.1 * range / (1 - p->gamma);
  if (!LEARNER_GIVEN(tol)) /* acting on values within tol costs 2 tol/(1-gamma): an eighth of eps */
    p->tol = theory ? fmin(0.001 * range, p->eps * (1 - p->gamma) / 16) : 0.001 * range;
  if (!LEARNER_GIVEN(replan)) p->replan = theory ? 1 : 1.1;
  return far__check_v_max(shape, p->gamma, error);
}

far_status learner_resolve_preset(far__spec *spec, const far_shape *shape, far_error *error) {
  static const size_t others[] = {offsetof(learner_params, eps), offsetof(learner_params, delta)};
  const learner_params *p = (const learner_params *)spec->values;
  const far_status status = learner_resolve(spec, shape, error);
  if (status != FAR_OK) return status;
  return far__consume_preset(spec, p->preset == PRESET_PRACTICAL, offsetof(learner_params, preset),
                             others, 2, error);
}

far_status learner_count_param(far__spec *spec, size_t offset, double value, far_error *error) {
  if (far__spec_given(spec, offset)) return FAR_OK;
  if (!(value <= 0x1p53))
    return far__fail(error, FAR_STATUS_RANGE, -1,
                     "the theorem requires a count of %.3g, more than can be counted; give a "
                     "larger eps, or give it yourself",
                     value);
  const int64_t count = (int64_t)value;
  memcpy(spec->values + offset, &count, sizeof count);
  return FAR_OK;
}

double learner_known_m(const learner_params *p, const far_shape *shape) {
  return far__rmax_m(learner_problem(p, shape), learner_outcomes(shape), p->eps, p->delta);
}

void learner_advise_least(const far__advice *advice, const char *name, double have, double least) {
  if (have < least * (1 - 1e-12))
    far__say(advice, false, "its bound is not guaranteed (%s = %.4g, theory requires %s)", name,
             have, far__above(least).text);
}

static bool has(const far__spec *spec, size_t offset) {
  for (size_t i = 0; i < spec->type->n_params; ++i)
    if (spec->type->params[i].offset == offset) return !(spec->hidden >> i & 1);
  return false;
}

/* "40 min", of 10^8 backups a second. */
static void describe_time(char out[32], double backups) {
  static const struct {
    double size;
    const char *name;
  } units[] = {{1, "s"}, {60, "min"}, {3600, "h"}, {86400, "days"}, {365.25 * 86400, "years"}};
  const double seconds = backups / 1e8;
  size_t unit = 0;
  while (unit < 4 && seconds >= 2 * units[unit + 1].size) ++unit;
  snprintf(out, 32, "%.3g %s", seconds / units[unit].size, units[unit].name);
}

/* Sweeps from the greatest error there can be to one that is settled, each gamma times the last. */
static double plan_sweeps(const learner_params *p, const far_shape *shape) {
  const double v_max = (shape->reward_max - shape->reward_min) / (1 - p->gamma);
  const far__plan plan = {.gamma = p->gamma, .tol = p->tol, .scale = v_max};
  const double enough = far__plan_enough(&plan);
  if (!(enough < v_max)) return 1;
  return fmin(1 + far_log(v_max / enough) / (1 - p->gamma), (double)far__plan_limit(p->gamma));
}

void learner_advise_cost(const far__spec *spec, const far_shape *shape, const far__advice *advice) {
  const learner_params *p = (const learner_params *)spec->values;
  if (!has(spec, offsetof(learner_params, gamma)) || !has(spec, offsetof(learner_params, tol)))
    return;
  const double pairs = (double)far_shape_live(shape) * shape->n_actions;
  const double steps = has(spec, offsetof(learner_params, horizon)) ? (double)p->horizon : 0;
  const double sweeps = plan_sweeps(p, shape) + steps;
  char time[32];
  if (sweeps * pairs <= 1e9) return;
  describe_time(time, sweeps * pairs);
  far__say(
      advice, true,
      "one plan may take %.2g sweeps of %.0f pairs, about %s at 10^8 backups a second; a smaller "
      "gamma or a larger tol makes it shorter",
      sweeps, pairs, time);
}

/* ---- the model ---- */

size_t learner_size(const far_shape *shape, size_t own_words) {
  const size_t pairs = (size_t)shape->n_states * shape->n_actions;
  return sizeof(learner_state) + pairs * (sizeof(learner_pair) + sizeof(double)) +
         ((size_t)shape->n_states + 1 + own_words) * sizeof(double);
}

learner learner_of(far_agent *agent) {
  const far_shape *shape = &agent->shape;
  const learner_params *p = far__agent_params(agent);
  const size_t pairs = (size_t)shape->n_states * shape->n_actions;
  learner l = {.agent = agent,
               .p = p,
               .n_states = shape->n_states,
               .n_actions = shape->n_actions,
               .n_live = agent->n_live,
               .n_pairs = pairs,
               .low = shape->reward_min,
               .range = shape->reward_max - shape->reward_min,
               .state = far__agent_state(agent),
               .pool = far__agent_pool(agent)};
  l.v_max = l.range / (1 - p->gamma);
  l.end = -l.low / (1 - p->gamma);
  l.pair = (learner_pair *)(l.state + 1);
  l.q = (double *)(l.pair + pairs);
  l.v = l.q + pairs;
  l.own = l.v + shape->n_states + 1;
  return l;
}

void learner_add(learner *l, learner_pair *pair, uint64_t next, double reward) {
  rows_add(l->agent, &l->state->largest, pair, next, reward);
}

bool learner_observe(learner *l, const far_transition *step) {
  learner_pair *pair = &l->pair[learner_index(l, step)];
  if (pair->n >= (double)l->p->m) return false;
  learner_add(l, pair, step->done ? l->n_states : step->next, step->r - l->low);
  return true;
}

uint64_t learner_list_outcomes(const learner *l, uint64_t *out) {
  uint64_t count = 0;
  for (uint64_t y = 0; y <= l->n_states; ++y)
    if (learner_can_follow(l, y)) out[count++] = y;
  return count;
}

size_t learner_growth(const far_agent *agent, size_t adds) {
  const learner_state *state = far__agent_state((far_agent *)agent); /* only read through */
  return rows_growth(state->largest, adds);
}

/* ---- what is kept for speed ---- */

/* The agenda's links come last, since they grow in number. They count pairs and arcs in 32 bits. */
size_t learner_memo_need(const far_agent *agent) {
  const far_shape *shape = &agent->shape;
  const size_t pairs = (size_t)shape->n_states * shape->n_actions;
  const size_t arcs = agent->pool_used / 2 + learner_growth(agent, 1) / 2;
  if (pairs > UINT32_MAX || arcs > UINT32_MAX) return SIZE_MAX; /* too many */
  return LEARNER_NUMBERS * pairs + far__agenda_size(shape->n_states, shape->n_actions, arcs);
}

static learner_memo memo_of(const learner *l) {
  learner_memo memo = {.number = (double *)l->agent->memo.words};
  memo.agenda = far__agenda_at((uint64_t *)(memo.number + LEARNER_NUMBERS * l->n_pairs),
                               l->n_states, l->n_actions);
  return memo;
}

/* From all rows. */
static void fill_memo(const learner *l, const learner_memo *memo, learner_note *note) {
  far__agenda_clear(&memo->agenda);
  for (size_t i = 0; i < l->n_pairs; ++i) {
    const far__row row = learner_row(l, &l->pair[i]);
    for (size_t k = 0; k < row.count; ++k)
      far__agenda_link(&memo->agenda, i, (size_t)row.arc[k].next);
    if (note != NULL && row.count > 0) note(l, i, memo->number + LEARNER_NUMBERS * i);
  }
  l->agent->memo.holds = true;
}

bool learner_follow(learner *l, learner_memo *memo, const far_transition *step,
                    learner_note *note) {
  const size_t i = learner_index(l, step);
  const learner_pair *pair = &l->pair[i];
  const uint64_t count = pair->count;
  const bool entered = learner_observe(l, step);
  *memo = memo_of(l);
  if (!l->agent->memo.holds) {
    fill_memo(l, memo, note);
  } else if (entered) {
    if (pair->count > count)
      far__agenda_link(&memo->agenda, i, (size_t)learner_row(l, pair).arc[count].next);
    if (note != NULL) note(l, i, memo->number + LEARNER_NUMBERS * i);
    far__agenda_add(&memo->agenda, i);
  }
  return entered;
}

/* ---- hooks ---- */

size_t learner_state_size(const far_shape *shape, const void *params) {
  (void)params;
  return learner_size(shape, 0);
}

size_t learner_state_size_pairs(const far_shape *shape, const void *params) {
  (void)params;
  return learner_size(shape, (size_t)shape->n_states * shape->n_actions);
}

size_t learner_need(const far_agent *agent) {
  return learner_growth(agent, 1);
}

size_t learner_need_order(const far_agent *agent) {
  return learner_growth(agent, 1) + agent->shape.n_states / 2 + 1;
}

void learner_init(far_agent *agent) {
  learner l = learner_of(agent);
  for (uint32_t s = 0; s < l.n_states; ++s)
    l.v[s] = far_shape_is_live(&agent->shape, s) ? l.v_max : l.end;
  for (size_t i = 0; i < l.n_pairs; ++i) l.q[i] = l.v[i / l.n_actions];
  l.v[l.n_states] = l.end;
}

uint32_t learner_act(far_agent *agent, uint32_t s) {
  const learner l = learner_of(agent);
  return far__greedy(l.q + (size_t)s * l.n_actions, l.n_actions, (far__ties)l.p->ties, &agent->rng);
}

bool learner_value(const far_agent *agent, far_value kind, size_t i, double *out) {
  const learner l = learner_of((far_agent *)agent); /* only read through */
  switch (kind) {
  case FAR_VALUE_Q: *out = l.q[i] - l.end; return true;
  case FAR_VALUE_N: *out = l.pair[i].n; return true;
  default: return false;
  }
}

bool learner_policy(const far_agent *agent, uint32_t s, double *out) {
  const learner l = learner_of((far_agent *)agent); /* only read through */
  far__greedy_policy(far__score_row, l.q + (size_t)s * l.n_actions, l.n_actions,
                     (far__ties)l.p->ties, out);
  return true;
}

bool learner_value_known(const far_agent *agent, far_value kind, size_t i, double *out) {
  if (kind != FAR_VALUE_LEARN) return learner_value(agent, kind, i, out);
  const learner l = learner_of((far_agent *)agent);
  *out = l.pair[i].n < (double)l.p->m;
  return true;
}

bool learner_valid_rows(const far_agent *agent, const learner_pair *pair) {
  const learner l = learner_of((far_agent *)agent);
  return rows_valid(agent, l.state->largest, pair, l.n_pairs, l.range);
}

bool learner_valid(const far_agent *agent) {
  const learner l = learner_of((far_agent *)agent);
  bool good = l.v[l.n_states] == l.end && learner_valid_rows(agent, l.pair);
  for (size_t i = 0; good && i < l.n_pairs; ++i) good = l.q[i] - l.q[i] == 0;
  for (uint32_t s = 0; good && s < l.n_states; ++s) good = l.v[s] - l.v[s] == 0;
  return good;
}

bool learner_valid_planned(const far_agent *agent) {
  const learner l = learner_of((far_agent *)agent);
  bool good = learner_valid(agent);
  for (size_t i = 0; good && i < l.n_pairs; ++i) good = l.own[i] >= 0 && l.own[i] <= l.pair[i].n;
  return good;
}
