/* The steps of UCB Q-learning; ucb-q.c has the reference, the symbols and the parameters.
 *
 * Inline because the fused loops of run/ instantiate it; `n_actions` is a constant there.
 */
#ifndef FAR_AGENTS_UCB_Q_H
#define FAR_AGENTS_UCB_Q_H

#include <assert.h>

#include "agents/agent.h"
#include "agents/explore.h"

typedef enum ucb_log { UCB_LOG_ON, UCB_LOG_OFF } ucb_log;

typedef struct FAR__PARAMS ucb_params {
  double eps, delta, gamma, c, h;
  int32_t preset, log, ties;
} ucb_params;

static_assert(sizeof(ucb_params) <= FAR__SPEC_BYTES, "the spec has room for it");

/* State: q, its minimum so far and the visits of every pair. */
typedef struct ucb_view {
  ucb_params p;
  double range;
  double shift, terminal; /* of rewards, and the value of a terminal state, in shifted units */
  double live_pairs;
  double *q, *low;
  int64_t *visits;
} ucb_view;

static inline FAR_DEVICE ucb_view ucb_view_on(far__body body) {
  const ucb_params *p = (const ucb_params *)body.params;
  const size_t pairs = (size_t)body.n_states * body.n_actions;
  ucb_view v = {.p = *p,
                .range = body.reward_max - body.reward_min,
                .shift = body.reward_min,
                .terminal = -body.reward_min / (1 - p->gamma),
                .live_pairs = (double)body.n_live * body.n_actions,
                .q = (double *)body.state};
  v.low = v.q + pairs;
  v.visits = (int64_t *)(v.low + pairs);
  return v;
}

static inline FAR_DEVICE uint32_t ucb_act(const ucb_view *v, uint32_t n_actions, uint32_t s,
                                          far_rng *rng) {
  return far__greedy(v->low + (size_t)s * n_actions, n_actions, (far__ties)v->p.ties, rng);
}

static inline FAR_DEVICE double ucb_iota(const ucb_view *v, double k) {
  if (v->p.log == UCB_LOG_OFF) return 1;
  return far__log(v->live_pairs * (k + 1) * (k + 2) / v->p.delta);
}

static inline FAR_DEVICE void ucb_observe(const ucb_view *v, uint32_t n_actions,
                                          const far_transition *step) {
  const size_t i = (size_t)step->s * n_actions + step->a;
  const double k = (double)(v->visits[i] += 1);
  const double alpha = (v->p.h + 1) / (v->p.h + k);
  const double bonus = v->p.c * v->range * sqrt(v->p.h * ucb_iota(v, k) / k);
  const double future =
      step->done ? v->terminal : far__max(v->low + (size_t)step->next * n_actions, n_actions);
  const double reward = step->r - v->shift;
  v->q[i] = (1 - alpha) * v->q[i] + alpha * (reward + bonus + v->p.gamma * future);
  if (v->q[i] < v->low[i]) v->low[i] = v->q[i];
}

#endif
