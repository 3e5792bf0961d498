/* Q-learning with a count bonus: the simplest directed exploration, with which exploration values are compared. In the units
 * of the rewards; the end of an episode is worth 0.
 *
 *   Strehl & Littman, J. Comput. Syst. Sci. 74, 2008, for beta/sqrt(n)
 *   Kolter & Ng, ICML 2009, for beta/n
 *   Jin, Allen-Zhu, Bubeck & Jordan, NeurIPS 2018, for the step size (H+1)/(H+n), H = 1/(1-gamma)
 *
 * Symbols: Q(s,a) q · n(s,a), visits of the pair, this one included, visits.
 *
 * With place=target the bonus is learned as a reward is, and reaches earlier states; with place=choice it is seen one step
 * ahead only.
 *
 * Inline because the fused loops of run/ instantiate it; `n_actions` is a constant there. */
#ifndef FAR_AGENTS_COUNT_Q_H
#define FAR_AGENTS_COUNT_Q_H

#include <assert.h>

#include "agents/agent.h"
#include "agents/explore.h"

typedef enum count_place { COUNT_TARGET, COUNT_CHOICE } count_place;
typedef enum count_decay { COUNT_SQRT, COUNT_LINEAR } count_decay;
typedef enum count_step { COUNT_HORIZON, COUNT_CONSTANT } count_step;

typedef struct FAR__PARAMS count_params {
  double gamma, beta, alpha, q0;
  int32_t place, decay, step, ties;
} count_params;

static_assert(sizeof(count_params) <= FAR__SPEC_BYTES, "the spec has room for it");

/* State: q and visits of every pair. */
typedef struct count_view {
  count_params p;
  double most; /* rmax/(1-gamma): no value is larger */
  double *q;
  int64_t *visits;
} count_view;

static inline FAR_DEVICE count_view count_view_on(far__body body) {
  const count_params *p = (const count_params *)body.params;
  count_view v = {.p = *p, .most = body.reward_max / (1 - p->gamma), .q = (double *)body.state};
  v.visits = (int64_t *)(v.q + (size_t)body.n_states * body.n_actions);
  return v;
}

static inline FAR_DEVICE double count_bonus(const count_params *p, int64_t n) {
  return p->beta / (p->decay == COUNT_SQRT ? sqrt((double)n) : (double)n);
}

/* Q + bonus of a pair, infinite where it is untried. `of` is a view whose tables begin at the state's row. */
static inline FAR_DEVICE double count_score(const void *of, uint32_t a) {
  const count_view *v = (const count_view *)of;
  return v->visits[a] == 0 ? INFINITY : v->q[a] + count_bonus(&v->p, v->visits[a]);
}

static inline FAR_DEVICE count_view count_row(const count_view *v, uint32_t n_actions, uint32_t s) {
  count_view row = *v;
  row.q += (size_t)s * n_actions;
  row.visits += (size_t)s * n_actions;
  return row;
}

static inline FAR_DEVICE uint32_t count_act(const count_view *v, uint32_t n_actions, uint32_t s,
                                            far_rng *rng) {
  const count_view row = count_row(v, n_actions, s);
  const far__ties ties = (far__ties)v->p.ties;
  if (v->p.place == COUNT_CHOICE) return far__greedy_by(count_score, &row, n_actions, ties, rng);
  return far__greedy(row.q, n_actions, ties, rng);
}

static inline FAR_DEVICE double count_step_size(const count_params *p, int64_t n) {
  const double horizon = 1 / (1 - p->gamma);
  return p->step == COUNT_CONSTANT ? p->alpha : (horizon + 1) / (horizon + (double)n);
}

/* n(s,a) <- n(s,a) + 1
 * Q(s,a) <- Q(s,a) + alpha (r + [bonus(n)] + gamma min(max_a' Q(s',a'), rmax/(1-gamma)) - Q(s,a)) */
static inline FAR_DEVICE void count_observe(const count_view *v, uint32_t n_actions,
                                            const far_transition *step) {
  const size_t i = (size_t)step->s * n_actions + step->a;
  const int64_t n = v->visits[i] += 1;
  double future = 0;
  if (!step->done) {
    future = far__max(v->q + (size_t)step->next * n_actions, n_actions);
    if (future > v->most) future = v->most;
  }
  const double reward = v->p.place == COUNT_TARGET ? step->r + count_bonus(&v->p, n) : step->r;
  v->q[i] += count_step_size(&v->p, n) * (reward + v->p.gamma * future - v->q[i]);
}

#endif
