/* The delayed family: one code path for Delayed Q-learning (2006, 2009), its interval-estimation
 * form and Directed Delayed Q-learning, interval or fully delayed.
 *
 *   Strehl, Li, Wiewiora, Langford & Littman, PAC model-free reinforcement learning, ICML 2006
 *   Strehl, Li & Littman, Reinforcement learning in finite MDPs: PAC analysis, JMLR 2009
 *   Strehl, Probably approximately correct exploration in reinforcement learning, thesis 2007
 *   Oh & Iyengar, Directed exploration in PAC model-free reinforcement learning, 2018, Algorithm 1
 *
 * Symbols of Algorithm 1 and their names here, for a pair (s, a): Q q · E e · lambda/sqrt(log_eta
 * E) bonus · n n · b begun · LEARN learn · t* last_success Q~ and E~ are kept as sums, q_sum and
 * e_sum, and divided by n when an update is attempted. Rewards are shifted to [0, range]; a
 * terminal successor then has the value -reward_min / (1 - gamma).
 *
 * Not printed are the rule E_AT_VISIT, in which E is learned at every visit with a step alpha_e, as
 * DORA learns it (Choshen, Fox & Loewenstein, ICLR 2018), and not with Q; the bonus lambda sqrt(E); and
 * a threshold other than eps1. They are readings of the authors' program that docs/reproduction.md
 * tries.
 *
 * The functions are inline because the fused loops of run/ instantiate them; `kind` and
 * `n_actions` are passed as constants there.
 */
#ifndef FAR_AGENTS_DELAYED_H
#define FAR_AGENTS_DELAYED_H

#include <assert.h>
#include <float.h>
#include <math.h>

#include "agents/agent.h"
#include "agents/greedy.h"
#include "theory/delayed.h"

typedef enum delayed_delay { DELAY_INTERVAL, DELAY_FULL } delayed_delay;
typedef enum delayed_learn { LEARN_2009, LEARN_PRINTED, LEARN_2006 } delayed_learn;
typedef enum delayed_e_rule { E_AT_SUCCESS, E_AT_VISIT } delayed_e_rule;
typedef enum delayed_bonus_form { BONUS_LOG, BONUS_SQRT } delayed_bonus_form;
typedef enum delayed_preset {
  PRESET_SCALED,
  PRESET_PRACTICAL,
  PRESET_THEORY,
  PRESET_PAPER
} delayed_preset;

/* What an observation does: no E at all, or one of the two rules. */
typedef enum delayed_kind { DELAYED_PLAIN, DELAYED_DIRECTED, DELAYED_VISITING } delayed_kind;

/* Choices are int32_t because that is how the spec parser stores them. */
typedef struct FAR__PARAMS delayed_params {
  double gamma, eps1, lambda, eta, e0, gamma_e, rho;
  double eps, delta, alpha_e;
  double threshold;       /* of an update; eps1 where the algorithm does not have the key */
  double inverse_log_eta; /* 1 / ln eta, not a key */
  int64_t m, steps;
  int32_t preset, delay, learn, form, clamp, ties, e_rule, bonus;
} delayed_params;

static_assert(sizeof(delayed_params) <= FAR__SPEC_BYTES, "the spec has room for it");

typedef struct delayed_window {
  double q_sum, e_sum;
  int64_t n;
  int64_t begun; /* b(s,a); in the 2006 form the time of the last attempted update */
  int64_t learn;
} delayed_window;

/* State: this, then q, bonus and e of every pair, then the windows. */
typedef struct delayed_state {
  int64_t last_success;
} delayed_state;

/* Pointers into a block, and its parameters by value, for as long as the block stays put. */
typedef struct delayed_view {
  double gamma, eps1, threshold, lambda, gamma_e, alpha_e, rho;
  double inverse_log_eta;
  double shift, terminal; /* of rewards, and the value of a terminal state, in shifted units */
  int64_t m;
  delayed_delay delay;
  delayed_learn learn;
  delayed_bonus_form form;
  bool clamp;
  far__ties ties;
  delayed_state *state;
  double *q, *bonus, *e;
  double *window;
  uint32_t stride,
      window_stride; /* words from one pair to the next, of q, bonus and e, and of windows */
} delayed_view;

/* On a device what belongs to a pair lies together, in so many words, behind a first part of so many. */
enum { DELAYED_RECORD = 8, DELAYED_FIRST = 4 };

static inline size_t delayed_state_size(const far_shape *shape, const void *params) {
  (void)params;
  const size_t pairs = (size_t)shape->n_states * shape->n_actions;
  return sizeof(delayed_state) + pairs * (3 * sizeof(double) + sizeof(delayed_window));
}

static inline FAR_DEVICE delayed_view delayed_view_on(far__body body) {
  const delayed_params *p = (const delayed_params *)body.params;
  const size_t pairs = (size_t)body.n_states * body.n_actions;
  delayed_view v = {.gamma = p->gamma,
                    .eps1 = p->eps1,
                    .threshold = p->threshold,
                    .lambda = p->lambda,
                    .gamma_e = p->gamma_e,
                    .alpha_e = p->alpha_e,
                    .rho = p->rho,
                    .inverse_log_eta = p->inverse_log_eta,
                    .shift = body.reward_min,
                    .terminal = -body.reward_min / (1 - p->gamma),
                    .m = p->m,
                    .delay = (delayed_delay)p->delay,
                    .learn = (delayed_learn)p->learn,
                    .form = (delayed_bonus_form)p->bonus,
                    .clamp = p->clamp != 0,
                    .ties = (far__ties)p->ties};
  v.state = (delayed_state *)body.state;
  v.q = (double *)(v.state + 1);
  v.bonus = v.q + pairs;
  v.e = v.bonus + pairs;
  v.window = v.e + pairs;
  v.stride = 1;
  v.window_stride = sizeof(delayed_window) / sizeof(double);
  return v;
}

/* The same of a lane of a device. */
static inline FAR_DEVICE delayed_view delayed_lane_on(far__body body) {
  delayed_view v = delayed_view_on(body);
  v.q = (double *)body.state + DELAYED_FIRST;
  v.bonus = v.q + 1;
  v.e = v.q + 2;
  v.window = v.q + 3;
  v.stride = v.window_stride = DELAYED_RECORD;
  return v;
}

/* Where word w of a state is in that of a lane. */
static inline size_t delayed_lane_word(far__body body, size_t w) {
  const size_t pairs = (size_t)body.n_states * body.n_actions;
  if (w == 0) return 0;
  w -= 1;
  if (w < 3 * pairs) return DELAYED_FIRST + w % pairs * DELAYED_RECORD + w / pairs;
  w -= 3 * pairs;
  return DELAYED_FIRST + w / 5 * DELAYED_RECORD + 3 + w % 5;
}

static inline FAR_DEVICE delayed_window *delayed_window_of(const delayed_view *v, size_t pair) {
  return (delayed_window *)(v->window + pair * v->window_stride);
}

static inline delayed_view delayed_view_of(const far_agent *agent) {
  return delayed_view_on(far__agent_body(agent));
}

static inline delayed_kind delayed_kind_of(const far_agent *agent) {
  const delayed_params *p = (const delayed_params *)far__agent_params(agent);
  return p->e_rule == E_AT_VISIT ? DELAYED_VISITING : DELAYED_DIRECTED;
}

/* The bonus of an exploration value. */
static inline FAR_DEVICE double delayed_bonus(const delayed_view *v, double e) {
  return v->form == BONUS_SQRT ? v->lambda * sqrt(e) : far__bonus(v->lambda, v->inverse_log_eta, e);
}

/* As small as that the bonus is 0 to any precision; avoids denormals. */
static inline FAR_DEVICE double delayed_e_floor(double e) {
  return e > 0 && e < DBL_MIN ? DBL_MIN : e;
}

static inline FAR_DEVICE uint32_t delayed_act(const delayed_view *v, uint32_t n_actions, uint32_t s,
                                              far_rng *rng) {
  const size_t first = (size_t)s * n_actions * v->stride;
  const double *q = v->q + first, *bonus = v->bonus + first;
  far__best best = far__best_first(q[0] + bonus[0]);
  for (uint32_t a = 1; a < n_actions; ++a)
    far__best_offer(&best, q[a * v->stride] + bonus[a * v->stride], a, v->ties, rng);
  return best.action;
}

/* "if b <= t*: LEARN = true". True if the sample counts. */
static inline FAR_DEVICE bool delayed_enabled(const delayed_view *v, delayed_window *w, int64_t t) {
  if (v->learn != LEARN_2006) {
    if (!w->learn && w->begun <= v->state->last_success) w->learn = true;
    return w->learn;
  }
  if (w->learn) return true;
  if (w->begun < v->state->last_success) { /* re-enabled, but this sample is discarded */
    w->learn = true;
    w->begun = t;
  }
  return false;
}

/* "if b > t*: LEARN = false", after a window of m that changed nothing. */
static inline FAR_DEVICE void delayed_failed(const delayed_view *v, delayed_window *w, int64_t t) {
  const int64_t last = v->state->last_success;
  switch (v->learn) {
  case LEARN_2009: /* begun is the first sample's time: nothing may have changed since */
    if (w->begun > last) w->learn = false;
    break;
  case LEARN_PRINTED: /* b is overwritten first, so that the test is always true */
    w->begun = t;
    if (w->begun > last) w->learn = false;
    break;
  case LEARN_2006:
    if (w->begun >= last) w->learn = false;
    w->begun = t;
    break;
  }
}

/* Attempts an update of pair i from its window; true if it succeeded. */
static inline FAR_DEVICE bool delayed_attempt(const delayed_view *v, delayed_kind kind, size_t pair,
                                              const delayed_window *w) {
  const double n = (double)w->n;
  const size_t i = pair * v->stride;
  const double width = v->delay == DELAY_FULL ? v->eps1 : v->rho / sqrt(n);
  const double current = kind == DELAYED_VISITING ? v->q[i] : v->q[i] + v->bonus[i];
  double q = w->q_sum / n + width;
  if (v->clamp && v->q[i] < q) q = v->q[i];
  if (!(current - q >= v->threshold)) return false; /* no bonus is negative: saves the logarithm */
  if (kind != DELAYED_DIRECTED) {                   /* without E, or an update does not change it */
    v->q[i] = q;
    return true;
  }
  double e = w->e_sum / n;
  if (v->clamp && v->e[i] < e) e = v->e[i];
  e = delayed_e_floor(e);
  const double bonus = delayed_bonus(v, e);
  if (!(current - (q + bonus) >= v->threshold)) return false;
  v->q[i] = q;
  v->e[i] = e;
  v->bonus[i] = bonus;
  return true;
}

/* Not printed: E <- E + alpha_e (gamma_e max E(s') - E), whether or not the pair may learn. */
static inline FAR_DEVICE void delayed_visit(const delayed_view *v, uint32_t n_actions, size_t pair,
                                            const far_transition *step) {
  const size_t i = pair * v->stride;
  const double *row = v->e + (size_t)step->next * n_actions * v->stride;
  const double target = step->done ? 0 : v->gamma_e * far__max_apart(row, n_actions, v->stride);
  const double e = v->e[i] + v->alpha_e * (target - v->e[i]);
  if (v->clamp && v->e[i] < e) return;
  v->e[i] = delayed_e_floor(e);
  v->bonus[i] = delayed_bonus(v, v->e[i]);
}

static inline FAR_DEVICE void delayed_close(delayed_window *w) {
  w->n = 0;
  w->q_sum = 0;
  w->e_sum = 0;
}

/* Algorithm 1 from "Observe immediate reward" on; t counts from 1. */
static inline FAR_DEVICE void delayed_observe(const delayed_view *v, delayed_kind kind,
                                              uint32_t n_actions, int64_t t,
                                              const far_transition *step) {
  const size_t i = (size_t)step->s * n_actions + step->a;
  delayed_window *w = delayed_window_of(v, i);
  if (kind == DELAYED_VISITING) delayed_visit(v, n_actions, i, step);
  if (!delayed_enabled(v, w, t)) return;
  if (w->n == 0 && v->learn == LEARN_2009) w->begun = t;
  w->n += 1;
  const size_t next = (size_t)step->next * n_actions * v->stride;
  const double value = step->done ? v->terminal : far__max_apart(v->q + next, n_actions, v->stride);
  w->q_sum += (step->r - v->shift) + v->gamma * value;
  if (kind == DELAYED_DIRECTED && !step->done)
    w->e_sum += v->gamma_e * far__max_apart(v->e + next, n_actions, v->stride);

  const bool last = w->n == v->m;
  if (v->delay == DELAY_FULL && !last) return;
  if (delayed_attempt(v, kind, i, w)) {
    v->state->last_success = t;
    if (v->learn != LEARN_2009) w->begun = t;
    delayed_close(w);
  } else if (last) {
    delayed_close(w);
    delayed_failed(v, w, t);
  }
}

#endif
