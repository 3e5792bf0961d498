/* UCB Q-learning for an infinite horizon: optimistic Q-learning whose step size and bonus make it sample-efficient without a
 * model.
 *
 *   Dong, Wang, Chen & Wang, Q-learning with UCB exploration is sample efficient for infinite-horizon MDP, ICLR 2020,
 *   Algorithm 1
 *
 * Symbols: Q q · Q^ (the running minimum, which is acted on) low · N visits · H h · iota(k) is ln(SA(k+1)(k+2)/delta), or 1
 * with log=off · c_2/(1-gamma) c. Rewards are shifted to [0, range]; a terminal successor then has the value
 * -reward_min/(1-gamma).
 *
 * Inline because the fused loops of run/ instantiate it; `n_actions` is a constant there. */
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

/* a <- argmax_a' Q^(s,a') */
static inline FAR_DEVICE uint32_t ucb_act(const ucb_view *v, uint32_t n_actions, uint32_t s,
                                          far_rng *rng) {
  return far__greedy(v->low + (size_t)s * n_actions, n_actions, (far__ties)v->p.ties, rng);
}

/* k <- N(s,a) <- N(s,a) + 1
 * b_k <- c_2/(1-gamma) sqrt(H iota(k)/k)
 * V^(s') <- max_a' Q^(s',a')
 * Q(s,a) <- (1 - alpha_k) Q(s,a) + alpha_k (r + b_k + gamma V^(s')),   alpha_k = (H + 1)/(H + k)
 * Q^(s,a) <- min(Q^(s,a), Q(s,a)) */
static inline FAR_DEVICE void ucb_observe(const ucb_view *v, uint32_t n_actions,
                                          const far_transition *step) {
  const size_t i = (size_t)step->s * n_actions + step->a;
  const double k = (double)(v->visits[i] += 1), h = v->p.h;
  const double iota =
      v->p.log == UCB_LOG_OFF ? 1 : far__log(v->live_pairs * (k + 1) * (k + 2) / v->p.delta);
  const double bonus = v->p.c * v->range * sqrt(h * iota / k);
  const double future =
      step->done ? v->terminal : far__max(v->low + (size_t)step->next * n_actions, n_actions);
  const double alpha = (h + 1) / (h + k), reward = step->r - v->shift;
  v->q[i] = (1 - alpha) * v->q[i] + alpha * (reward + bonus + v->p.gamma * future);
  if (v->q[i] < v->low[i]) v->low[i] = v->q[i];
}

#endif
