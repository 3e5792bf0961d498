/* What the model-free agents of finite horizon share: tables with an entry for every pair and step, in the units of their
 * papers.
 *
 * Rewards are scaled to [0, 1]: x = (r - reward_min)/range. With `left` steps to go a value lies in [0, left], and the end of
 * an episode is worth left times -reward_min/range, the value of earning 0 in all of these steps. Values are reported in the
 * units of the rewards: range q + left reward_min.
 *
 * h counts steps from 0; H is the horizon; a timed state is h S + s, a timed pair (h S + s) A + a. */
#ifndef FAR_AGENTS_BY_STEP_H
#define FAR_AGENTS_BY_STEP_H

#include "agents/explore.h"
#include "agents/params.h"
#include "theory/ucb-h.h"

/* ---- rows of parameter tables ---- */

#define FAR__SCALE FAR__BETWEEN(0, 1e100) /* its products with counts and horizons are numbers */

#define FAR__ROW_LOG(type)                                                                         \
  FAR__ROW_DERIVED_CHOICE(                                                                         \
      type, log, "off", "on|off",                                                                  \
      "iota is ln(2 S A H k(k+1)/delta) at the k-th visit, as the proof needs, or 1")

/* The choices of that row. */
typedef enum far__log_choice { FAR__LOG_ON, FAR__LOG_OFF } far__log_choice;

/* delta applies only with log=on. */
static inline far_status far__refuse_delta(far__spec *spec, int32_t log, size_t delta,
                                           far_error *error) {
  const far__refusal rule = {log == FAR__LOG_OFF, delta, "it applies only with log=on"};
  return far__refuse(spec, &rule, 1, error);
}

static inline far__episodes far__episodes_in(const far_shape *shape) {
  return (far__episodes){far_shape_live(shape), shape->n_actions, (double)shape->horizon};
}

static inline void far__advise_log(int32_t log, const far__advice *advice) {
  if (log == FAR__LOG_OFF)
    far__say(advice, false, "optimism is not guaranteed (log=off, theory requires log=on)");
}

/* iota of the k-th visit. */
static inline double far__iota_at(const far_agent *agent, int32_t log, double k, double delta) {
  const far_shape *shape = &agent->shape;
  const far__episodes problem = {agent->n_live, shape->n_actions, (double)shape->horizon};
  return log == FAR__LOG_OFF ? 1 : far__iota(problem, k, delta);
}

/* ---- tables ---- */

/* Timed pairs; the driver has checked that there are at most 2^31. */
static inline size_t far__timed_pairs(const far_shape *shape) {
  return (size_t)shape->n_states * shape->n_actions * (size_t)shape->horizon;
}

static inline size_t far__timed_states(const far_shape *shape) {
  return (size_t)shape->n_states * (size_t)shape->horizon;
}

static inline size_t far__timed_pair(const far_agent *agent, int64_t h, uint32_t s, uint32_t a) {
  return ((size_t)h * agent->shape.n_states + s) * agent->shape.n_actions + a;
}

static inline double far__unit_reward(const far_agent *agent, double r) {
  return (r - agent->shape.reward_min) / (agent->shape.reward_max - agent->shape.reward_min);
}

/* Steps to go, the one in a timed state included. */
static inline double far__steps_left(const far_agent *agent, size_t timed_state) {
  return (double)(agent->shape.horizon - (int64_t)(timed_state / agent->shape.n_states));
}

static inline double far__pair_steps_left(const far_agent *agent, size_t timed_pair) {
  return far__steps_left(agent, timed_pair / agent->shape.n_actions);
}

/* The value of a terminal state with `left` steps to go. */
static inline double far__unit_end(const far_agent *agent, double left) {
  return left * far__unit_reward(agent, 0);
}

/* A value in the units of the rewards. */
static inline double far__in_rewards(const far_agent *agent, double unit, double left) {
  return (agent->shape.reward_max - agent->shape.reward_min) * unit +
         left * agent->shape.reward_min;
}

/* Every timed pair at its largest possible value, the steps left. */
static inline void far__fill_steps_left(const far_agent *agent, double *table) {
  const size_t n_actions = agent->shape.n_actions, pairs = far__timed_pairs(&agent->shape);
  for (size_t i = 0; i < pairs; ++i) table[i] = far__steps_left(agent, i / n_actions);
}

/* The largest of a table's values at a timed state, at most the steps left. */
static inline double far__unit_max(const far_agent *agent, const double *table,
                                   size_t timed_state) {
  const uint32_t n_actions = agent->shape.n_actions;
  const double most = far__max(table + timed_state * n_actions, n_actions);
  const double left = far__steps_left(agent, timed_state);
  return most < left ? most : left;
}

/* The timed state after the step that is being observed; FAR__OVER where the episode has no more. */
#define FAR__OVER SIZE_MAX
static inline size_t far__timed_next(const far_agent *agent, const far_transition *step) {
  const int64_t next = agent->h + 1;
  if (step->done || next >= agent->shape.horizon) return FAR__OVER;
  return (size_t)next * agent->shape.n_states + step->next;
}

/* The value after the last step of an episode. */
static inline double far__unit_over(const far_agent *agent, const far_transition *step) {
  return step->done ? far__unit_end(agent, (double)(agent->shape.horizon - agent->h - 1)) : 0;
}

/* The value of what follows that step, by a table of timed pairs. */
static inline double far__unit_next(const far_agent *agent, const double *table,
                                    const far_transition *step) {
  const size_t next = far__timed_next(agent, step);
  return next == FAR__OVER ? far__unit_over(agent, step) : far__unit_max(agent, table, next);
}

/* `act` and `policy`, greedy on a table of timed pairs. */
static inline uint32_t far__act_on(far_agent *agent, const double *table, uint32_t timed_state,
                                   int32_t ties) {
  const uint32_t n_actions = agent->shape.n_actions;
  return far__greedy(table + (size_t)timed_state * n_actions, n_actions, (far__ties)ties,
                     &agent->rng);
}

static inline bool far__policy_on(const far_agent *agent, const double *table, uint32_t timed_state,
                                  int32_t ties, double *out) {
  const uint32_t n_actions = agent->shape.n_actions;
  far__greedy_policy(far__score_row, table + (size_t)timed_state * n_actions, n_actions,
                     (far__ties)ties, out);
  return true;
}

/* `value`: Q of such a table, and how often its pairs were visited. */
static inline bool far__value_on(const far_agent *agent, const double *table, const int64_t *visits,
                                 far_value kind, size_t pair, double *out) {
  switch (kind) {
  case FAR_VALUE_Q:
    *out = far__in_rewards(agent, table[pair], far__pair_steps_left(agent, pair));
    return true;
  case FAR_VALUE_N: *out = (double)visits[pair]; return true;
  default: return false;
  }
}

/* For `valid`: are all n numbers finite? */
static inline bool far__all_finite(const double *x, size_t n) {
  for (size_t i = 0; i < n; ++i)
    if (!(x[i] - x[i] == 0)) return false;
  return true;
}

/* Likewise: could the pairs have been visited as often as that? */
static inline bool far__visits_valid(const far_agent *agent, const int64_t *visits) {
  const size_t pairs = far__timed_pairs(&agent->shape);
  bool good = true;
  for (size_t i = 0; good && i < pairs; ++i) good = visits[i] >= 0 && visits[i] <= agent->t;
  return good;
}

#endif
