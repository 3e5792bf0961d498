/* The steps of Speedy Q-learning; speedy-q.c has the reference, the symbols and the parameters.
 *
 * Inline because the fused loops of run/ instantiate it; `n_actions` is a constant there.
 */
#ifndef FAR_AGENTS_SPEEDY_Q_H
#define FAR_AGENTS_SPEEDY_Q_H

#include <assert.h>

#include "agents/agent.h"
#include "agents/explore.h"

typedef enum speedy_form { SPEEDY_STEP, SPEEDY_ROUND } speedy_form;

typedef struct FAR__PARAMS speedy_params {
  double gamma, q0, epsilon, temperature;
  int32_t form, explore, ties;
} speedy_params;

static_assert(sizeof(speedy_params) <= FAR__SPEC_BYTES, "the spec has room for it");

/* State: this, then q and the visits of every pair; with form=round also the table before, the sum
 * of the round's samples and their number. */
typedef struct speedy_state {
  int64_t k;      /* step: 1 + the pair updated last, 0 at first; round: the round */
  int64_t left;   /* round: pairs not yet visited in it */
  double old;     /* step: the value that the pair updated last had before */
  int64_t unused; /* rows begin on 16 bytes */
} speedy_state;

typedef struct speedy_view {
  speedy_params p;
  size_t pairs, live_pairs; /* all, and those that can be visited */
  speedy_state *state;
  double *q;
  int64_t *visits;
} speedy_view;

/* What there is with form=round only. */
typedef struct speedy_round {
  double *before, *sum;
  int64_t *samples;
} speedy_round;

static inline FAR_DEVICE speedy_view speedy_view_on(far__body body) {
  speedy_view v = {.p = *(const speedy_params *)body.params,
                   .pairs = (size_t)body.n_states * body.n_actions,
                   .live_pairs = (size_t)body.n_live * body.n_actions,
                   .state = (speedy_state *)body.state};
  v.q = (double *)(v.state + 1);
  v.visits = (int64_t *)(v.q + v.pairs);
  return v;
}

static inline FAR_DEVICE speedy_round speedy_round_of(const speedy_view *v) {
  speedy_round round = {.before = (double *)(v->visits + v->pairs)};
  round.sum = round.before + v->pairs;
  round.samples = (int64_t *)(round.sum + v->pairs);
  return round;
}

static inline FAR_DEVICE uint32_t speedy_act(const speedy_view *v, uint32_t n_actions, uint32_t s,
                                             far_rng *rng) {
  const double *q = v->q + (size_t)s * n_actions;
  if (v->p.explore == EXPLORE_SOFTMAX)
    return far__softmax(far__score_row, q, n_actions, v->p.temperature, rng);
  return far__epsilon_greedy_row(q, n_actions, v->p.epsilon, (far__ties)v->p.ties, rng);
}

/* T Q of the sample */
static inline FAR_DEVICE double speedy_backup(const speedy_view *v, uint32_t n_actions,
                                              const double *q, const far_transition *step) {
  if (step->done) return step->r;
  return step->r + v->p.gamma * far__max(q + (size_t)step->next * n_actions, n_actions);
}

/* Q += alpha (T Q- - Q) + (1-alpha)(T Q - T Q-) */
static inline FAR_DEVICE void speedy_at_step(const speedy_view *v, uint32_t n_actions, size_t i,
                                             const far_transition *step) {
  const double now = speedy_backup(v, n_actions, v->q, step);
  double before = now;
  if (v->state->k > 0) { /* the table before the last update, for as long as it is needed */
    double *changed = &v->q[v->state->k - 1];
    const double newest = *changed;
    *changed = v->state->old;
    before = speedy_backup(v, n_actions, v->q, step);
    *changed = newest;
  }
  const double alpha = 1 / ((double)v->visits[i] + 1), q = v->q[i];
  v->q[i] = q + alpha * (before - q) + (1 - alpha) * (now - before);
  v->state->k = (int64_t)i + 1;
  v->state->old = q;
}

/* Q_{k+1} = (1-alpha_k) Q_k + alpha_k mean D of every pair; those without samples are not live. */
static inline FAR_DEVICE void speedy_end_round(const speedy_view *v, const speedy_round *round) {
  const double alpha = 1 / ((double)v->state->k + 1);
  for (size_t i = 0; i < v->pairs; ++i) {
    if (round->samples[i] == 0) continue;
    const double q = v->q[i];
    v->q[i] = (1 - alpha) * q + alpha * (round->sum[i] / (double)round->samples[i]);
    round->before[i] = q;
    round->sum[i] = 0;
    round->samples[i] = 0;
  }
  v->state->k += 1;
  v->state->left = (int64_t)v->live_pairs;
}

/* D = k T Q_k - (k-1) T Q_{k-1} joins the pair's samples. */
static inline FAR_DEVICE void speedy_in_round(const speedy_view *v, uint32_t n_actions, size_t i,
                                              const far_transition *step) {
  const speedy_round round = speedy_round_of(v);
  const double k = (double)v->state->k;
  round.sum[i] += k * speedy_backup(v, n_actions, v->q, step) -
                  (k - 1) * speedy_backup(v, n_actions, round.before, step);
  if (round.samples[i] == 0) v->state->left -= 1;
  round.samples[i] += 1;
  if (v->state->left == 0) speedy_end_round(v, &round);
}

static inline FAR_DEVICE void speedy_observe(const speedy_view *v, uint32_t n_actions,
                                             const far_transition *step) {
  const size_t i = (size_t)step->s * n_actions + step->a;
  if (v->p.form == SPEEDY_ROUND)
    speedy_in_round(v, n_actions, i, step);
  else
    speedy_at_step(v, n_actions, i, step);
  v->visits[i] += 1;
}

#endif
