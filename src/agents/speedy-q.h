/* Speedy Q-learning: a sample is backed up with the last two tables. The change between the two backups is added with weight
 * 1 - alpha, so that the step size alpha = 1/(k+1) does not slow down the propagation of values.
 *
 *   Azar, Munos, Ghavamzadeh & Kappen, Speedy Q-learning, NIPS 2011
 *
 * Symbols: T Q = r + gamma max Q(s',.) of one sample · Q_k q · Q_{k-1} before · alpha_k = 1/(k+1). In the units of the
 * rewards; the end of an episode is worth 0.
 *
 * It estimates and does not explore: epsilon-greedy or softmax choice goes with it. form=round is the paper's asynchronous
 * form: round k ends when every pair has been visited in it, and the samples of a pair within a round are averaged. form=step
 * updates at each step; "the table before" is then that before the last update, and differs in one entry.
 *
 * Inline because the fused loops of run/ instantiate it; `n_actions` is a constant there. */
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
  const speedy_params *p = &v->p;
  return far__explore_row((far__explore)p->explore, v->q + (size_t)s * n_actions, n_actions,
                          p->epsilon, p->temperature, (far__ties)p->ties, rng);
}

/* T Q of one sample. */
static inline FAR_DEVICE double speedy_backup(const speedy_view *v, uint32_t n_actions,
                                              const double *q, const far_transition *step) {
  if (step->done) return step->r;
  return step->r + v->p.gamma * far__max(q + (size_t)step->next * n_actions, n_actions);
}

/* form=step: Q(s,a) <- Q(s,a) + alpha (T Q- - Q(s,a)) + (1 - alpha) (T Q - T Q-), with Q- the table before the last update,
 * which is restored for one backup. */
static inline FAR_DEVICE void speedy_at_step(const speedy_view *v, uint32_t n_actions, size_t i,
                                             const far_transition *step) {
  const double now = speedy_backup(v, n_actions, v->q, step);
  double before = now;
  if (v->state->k > 0) {
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

/* form=round: D <- k T Q_k - (k-1) T Q_{k-1} joins the pair's samples of round k. After the last pair's first sample
 *   Q_{k+1} <- (1 - alpha_k) Q_k + alpha_k (mean of the D)
 * for every pair with samples: all but those of states that are not live. */
static inline FAR_DEVICE void speedy_in_round(const speedy_view *v, uint32_t n_actions, size_t i,
                                              const far_transition *step) {
  const speedy_round round = speedy_round_of(v);
  const double k = (double)v->state->k, alpha = 1 / (k + 1);
  round.sum[i] += k * speedy_backup(v, n_actions, v->q, step) -
                  (k - 1) * speedy_backup(v, n_actions, round.before, step);
  if (round.samples[i] == 0) v->state->left -= 1;
  round.samples[i] += 1;
  if (v->state->left > 0) return;
  for (size_t x = 0; x < v->pairs; ++x) {
    if (round.samples[x] == 0) continue;
    const double q = v->q[x];
    v->q[x] = (1 - alpha) * q + alpha * (round.sum[x] / (double)round.samples[x]);
    round.before[x] = q;
    round.sum[x] = 0;
    round.samples[x] = 0;
  }
  v->state->k += 1;
  v->state->left = (int64_t)v->live_pairs;
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
