/* One-step Q-learning with epsilon-greedy or softmax choice. The initial value is a parameter, so that optimistic
 * Q-learning is a setting of it. In the units of the rewards; the end of an episode is worth 0.
 *
 *   Watkins, Learning from Delayed Rewards, PhD thesis, Cambridge 1989
 *
 * Symbols: Q(s,a) q · n(s,a), visits of the pair, this one included, visits · n(s) state_visits · alpha, epsilon, T
 * (temperature), gamma as there.
 *
 * Inline because the fused loops of run/ instantiate it; `n_actions` is a constant there. */
#ifndef FAR_AGENTS_Q_LEARNING_H
#define FAR_AGENTS_Q_LEARNING_H

#include <assert.h>

#include "agents/agent.h"
#include "agents/explore.h"

typedef enum q_step { STEP_CONSTANT, STEP_POLYNOMIAL } q_step;
typedef enum q_decay { DECAY_NONE, DECAY_LINEAR, DECAY_STATE } q_decay;

typedef struct FAR__PARAMS q_params {
  double gamma, q0;
  double alpha, omega, offset;
  double epsilon, epsilon_end, c, temperature;
  int64_t decay_steps;
  int32_t step, explore, decay, ties;
} q_params;

static_assert(sizeof(q_params) <= FAR__SPEC_BYTES, "the spec has room for it");

/* State: q and visits of every pair, then visits of every state. */
typedef struct q_view {
  q_params p;
  double *q;
  int64_t *visits, *state_visits;
  bool count_pairs,
      count_states; /* which visits are counted: all, or in a lane those that the rules use */
} q_view;

static inline size_t q_state_size(const far_shape *shape, const void *params) {
  (void)params;
  const size_t pairs = (size_t)shape->n_states * shape->n_actions;
  return pairs * (sizeof(double) + sizeof(int64_t)) + shape->n_states * sizeof(int64_t);
}

static inline FAR_DEVICE q_view q_view_on(far__body body) {
  const size_t pairs = (size_t)body.n_states * body.n_actions;
  q_view v = {.p = *(const q_params *)body.params, .q = (double *)body.state};
  v.visits = (int64_t *)(v.q + pairs);
  v.state_visits = v.visits + pairs;
  v.count_pairs = v.count_states = true;
  return v;
}

/* The view of a lane. Only its rewards are read, so that visits which no rule uses are not counted and have no memory. */
static inline FAR_DEVICE q_view q_lane_on(far__body body) {
  q_view v = q_view_on(body);
  v.count_pairs = v.p.step == STEP_POLYNOMIAL;
  v.count_states = v.p.decay == DECAY_STATE;
  return v;
}

/* Bytes of the part of the state that a lane has. */
static inline size_t q_lane_size(const far_shape *shape, const void *params) {
  const q_params *p = (const q_params *)params;
  const size_t pairs = (size_t)shape->n_states * shape->n_actions;
  if (p->decay == DECAY_STATE) return q_state_size(shape, params);
  return pairs * (sizeof(double) + (p->step == STEP_POLYNOMIAL ? sizeof(int64_t) : 0));
}

static inline q_view q_view_of(const far_agent *agent) {
  return q_view_on(far__agent_body(agent));
}

/* The probability of a random action in state s after t observed transitions. */
static inline FAR_DEVICE double q_epsilon(const q_view *v, uint32_t s, int64_t t) {
  const q_params *p = &v->p;
  if (p->decay == DECAY_NONE) return p->epsilon;
  if (p->decay == DECAY_STATE) {
    const double eps = p->c / (double)(v->state_visits[s] + 1);
    return eps < 1 ? eps : 1;
  }
  const int64_t done = t < p->decay_steps ? t : p->decay_steps;
  return p->epsilon + (p->epsilon_end - p->epsilon) * (double)done / (double)p->decay_steps;
}

static inline FAR_DEVICE uint32_t q_act(const q_view *v, uint32_t n_actions, uint32_t s, int64_t t,
                                        far_rng *rng) {
  const q_params *p = &v->p;
  return far__explore_row((far__explore)p->explore, v->q + (size_t)s * n_actions, n_actions,
                          q_epsilon(v, s, t), p->temperature, (far__ties)p->ties, rng);
}

/* The step size of a pair's n-th visit: constant, or 1 / (n + offset)^omega. */
static inline FAR_DEVICE double q_alpha(const q_view *v, size_t pair) {
  const q_params *p = &v->p;
  if (p->step == STEP_CONSTANT) return p->alpha;
  const int64_t n = v->visits[pair];
  return far__rare_exp(-p->omega * far__rare_log((double)n + p->offset));
}

/* Q(s,a) += alpha (r + gamma max Q(s',.) - Q(s,a)) */
static inline FAR_DEVICE void q_observe(const q_view *v, uint32_t n_actions,
                                        const far_transition *step) {
  const size_t i = (size_t)step->s * n_actions + step->a;
  if (v->count_pairs) v->visits[i] += 1;
  if (v->count_states) v->state_visits[step->s] += 1;
  const double future = step->done ? 0 : far__max(v->q + (size_t)step->next * n_actions, n_actions);
  v->q[i] += q_alpha(v, i) * (step->r + v->p.gamma * future - v->q[i]);
}

#endif
