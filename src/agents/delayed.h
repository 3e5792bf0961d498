/* The delayed family: one code path for Delayed Q-learning (2006, 2009), its interval-estimation
 * form and Directed Delayed Q-learning, interval or fully delayed.
 *
 *   Strehl, Li, Wiewiora, Langford & Littman, PAC model-free reinforcement learning, ICML 2006
 *   Strehl, Li & Littman, Reinforcement learning in finite MDPs: PAC analysis, JMLR 2009
 *   Strehl, Probably approximately correct exploration in reinforcement learning, thesis 2007
 *   Oh & Iyengar, Directed exploration in PAC model-free reinforcement learning, 2018, Algorithm 1
 *
 * Symbols of Algorithm 1 and their names here, for a pair (s, a): Q q · E e · lambda/sqrt(log_eta
 * E) bonus · n and LEARN count · b begun · t* last_success. Q~ and E~ are kept as sums, q_sum and
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

/* Of a pair. Where E is learned a double follows it: delayed_e_sum. */
typedef struct delayed_window {
  double q_sum;
  int64_t begun; /* b(s,a); in the 2006 form the time of the last attempted update */
  int64_t count; /* 2 n(s,a) + LEARN(s,a) */
} delayed_window;

/* State: this, then the window of every pair, then a row for every state: q of all actions, then their bonus,
 * then their e. Without E a row has q alone. Windows of 32 bytes begin at multiples of 32 from the start. */
typedef struct delayed_state {
  int64_t last_success;
  int64_t unused[3];
} delayed_state;

/* Pointers into a block, and its parameters by value, for as long as the block stays put. */
typedef struct delayed_view {
  double gamma, eps1, threshold, lambda, gamma_e, alpha_e, rho;
  double inverse_log_eta;
  double shift, terminal; /* of rewards, and the value of a terminal state, in shifted units */
  int64_t m;
  delayed_kind kind;
  delayed_delay delay;
  delayed_learn learn;
  delayed_bonus_form form;
  bool clamp;
  far__ties ties;
  uint32_t n_actions;
  delayed_state *state;
  double *windows, *rows;
} delayed_view;

/* The words of a pair's window, and those of a pair in a state's row. */
static inline FAR_DEVICE size_t delayed_window_words(delayed_kind kind) {
  return kind == DELAYED_PLAIN ? 3 : 4;
}

static inline FAR_DEVICE size_t delayed_row_words(delayed_kind kind) {
  return kind == DELAYED_PLAIN ? 1 : 3;
}

static inline FAR_DEVICE delayed_view delayed_view_on(far__body body, delayed_kind kind) {
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
                    .kind = kind,
                    .delay = (delayed_delay)p->delay,
                    .learn = (delayed_learn)p->learn,
                    .form = (delayed_bonus_form)p->bonus,
                    .clamp = p->clamp != 0,
                    .ties = (far__ties)p->ties,
                    .n_actions = body.n_actions};
  v.state = (delayed_state *)body.state;
  v.windows = (double *)(v.state + 1);
  v.rows = v.windows + pairs * delayed_window_words(kind);
  return v;
}

/* The steps pass the kind and the number of actions themselves: they are constants there. */
static inline FAR_DEVICE delayed_window *delayed_window_of(const delayed_view *v, delayed_kind kind,
                                                           size_t pair) {
  return (delayed_window *)(v->windows + pair * delayed_window_words(kind));
}

static inline FAR_DEVICE double *delayed_row(const delayed_view *v, delayed_kind kind,
                                             uint32_t n_actions, uint32_t s) {
  return v->rows + (size_t)s * n_actions * delayed_row_words(kind);
}

static inline FAR_DEVICE double *delayed_e_sum(delayed_window *w) {
  return (double *)(w + 1);
}

static inline delayed_kind delayed_kind_of(const far_agent *agent) {
  const delayed_params *p = (const delayed_params *)far__agent_params(agent);
  if (agent->type != FAR__AGENT_directed_delayed_q) return DELAYED_PLAIN;
  return p->e_rule == E_AT_VISIT ? DELAYED_VISITING : DELAYED_DIRECTED;
}

static inline delayed_view delayed_view_of(const far_agent *agent) {
  return delayed_view_on(far__agent_body(agent), delayed_kind_of(agent));
}

/* The bonus of an exploration value. */
static inline FAR_DEVICE double delayed_bonus(const delayed_view *v, double e) {
  return v->form == BONUS_SQRT ? v->lambda * sqrt(e) : far__bonus(v->lambda, v->inverse_log_eta, e);
}

/* As small as that the bonus is 0 to any precision; avoids denormals. */
static inline FAR_DEVICE double delayed_e_floor(double e) {
  return e > 0 && e < DBL_MIN ? DBL_MIN : e;
}

/* What an agent with E acts by: the bonus stands n_actions behind q. */
typedef struct delayed_scores {
  const double *q, *bonus;
} delayed_scores;

static inline FAR_DEVICE double delayed_score(const void *of, uint32_t a) {
  const delayed_scores *row = (const delayed_scores *)of;
  return row->q[a] + row->bonus[a];
}

FAR__INLINE FAR_DEVICE uint32_t delayed_act(const delayed_view *v, delayed_kind kind,
                                            uint32_t n_actions, uint32_t s, far_rng *rng) {
  const double *q = delayed_row(v, kind, n_actions, s);
  const delayed_scores row = {q, q + n_actions};
  return kind == DELAYED_PLAIN ? far__greedy(q, n_actions, v->ties, rng)
                               : far__greedy_by(delayed_score, &row, n_actions, v->ties, rng);
}

/* "if b <= t*: LEARN = true". True if the sample counts. */
static inline FAR_DEVICE bool delayed_enabled(const delayed_view *v, delayed_window *w, int64_t t) {
  if ((w->count & 1) != 0) return true;
  if (v->learn != LEARN_2006) {
    if (w->begun <= v->state->last_success) w->count |= 1;
    return (w->count & 1) != 0;
  }
  if (w->begun < v->state->last_success) { /* re-enabled, but this sample is discarded */
    w->count |= 1;
    w->begun = t;
  }
  return false;
}

/* "if b > t*: LEARN = false", after a window of m that changed nothing and is closed. */
static inline FAR_DEVICE void delayed_failed(const delayed_view *v, delayed_window *w, int64_t t) {
  const int64_t last = v->state->last_success;
  switch (v->learn) {
  case LEARN_2009: /* begun is the first sample's time: nothing may have changed since */
    if (w->begun > last) w->count = 0;
    break;
  case LEARN_PRINTED: /* b is overwritten first, so that the test is always true */
    w->begun = t;
    if (w->begun > last) w->count = 0;
    break;
  case LEARN_2006:
    if (w->begun >= last) w->count = 0;
    w->begun = t;
    break;
  }
}

/* Is the bonus of e certainly above `most`? Told without its logarithm, by ln x <= (x - 1/x)/2 for x = before/e >= 1:
 *   log_eta e <= (lambda/bonus)^2 + |inverse_log_eta| (x - 1/x)/2
 * where `bonus` is that of the e before. Multiplied by all that is below a line; with room for rounding. */
static inline bool delayed_bonus_above(const delayed_view *v, double e, double before, double bonus,
                                       double most) {
  if (v->form != BONUS_LOG || !(e <= before)) return false;
  const double lambda2 = v->lambda * v->lambda, bonus2 = bonus * bonus, twice = 2 * e * before;
  const double fall = (before - e) * (before + e);
  const double limit = most * most * (lambda2 * twice - bonus2 * v->inverse_log_eta * fall);
  return lambda2 * bonus2 * twice > limit * (1 + 1e-9);
}

/* Attempts an update of action a of this row from its window; true if it succeeded. */
FAR__INLINE FAR_DEVICE bool delayed_attempt(const delayed_view *v, delayed_kind kind,
                                            uint32_t n_actions, double *row, uint32_t a,
                                            delayed_window *w) {
  const double n = (double)(w->count >> 1);
  const double width = v->delay == DELAY_FULL ? v->eps1 : v->rho / sqrt(n);
  double *const old_q = row + a, *const old_bonus = old_q + n_actions;
  const double current = kind == DELAYED_DIRECTED ? *old_q + *old_bonus : *old_q;
  double q = w->q_sum / n + width;
  if (v->clamp && *old_q < q) q = *old_q;
  if (!(current - q >= v->threshold)) return false; /* no bonus is negative: saves the logarithm */
  if (kind != DELAYED_DIRECTED) {                   /* without E, or an update does not change it */
    *old_q = q;
    return true;
  }
  double *const old_e = old_bonus + n_actions;
  double e = *delayed_e_sum(w) / n;
  if (v->clamp && *old_e < e) e = *old_e;
  e = delayed_e_floor(e);
#ifndef __CUDACC__ /* there the lanes beside it would wait for the logarithm of one */
  const double most = current - q - v->threshold + 1e-14 * current;
  if (delayed_bonus_above(v, e, *old_e, *old_bonus, most)) return false;
#endif
  const double bonus = delayed_bonus(v, e);
  if (!(current - (q + bonus) >= v->threshold)) return false;
  *old_q = q;
  *old_e = e;
  *old_bonus = bonus;
  return true;
}

/* Not printed: E <- E + alpha_e (gamma_e max E(s') - E), whether or not the pair may learn. */
static inline FAR_DEVICE void delayed_visit(const delayed_view *v, uint32_t n_actions,
                                            const far_transition *step) {
  const double *next = delayed_row(v, DELAYED_VISITING, n_actions, step->next) + 2 * n_actions;
  double *const bonus = delayed_row(v, DELAYED_VISITING, n_actions, step->s) + n_actions + step->a;
  double *const old = bonus + n_actions;
  const double target = step->done ? 0 : v->gamma_e * far__max(next, n_actions);
  const double e = *old + v->alpha_e * (target - *old);
  if (v->clamp && *old < e) return;
  *old = delayed_e_floor(e);
  *bonus = delayed_bonus(v, *old);
}

static inline FAR_DEVICE void delayed_close(delayed_kind kind, delayed_window *w) {
  w->count &= 1;
  w->q_sum = 0;
  if (kind == DELAYED_DIRECTED) *delayed_e_sum(w) = 0;
}

/* The window after a sample: an update is attempted, and a full window is closed. */
FAR__INLINE FAR_DEVICE void delayed_conclude(const delayed_view *v, delayed_kind kind,
                                             uint32_t n_actions, int64_t t, uint32_t s, uint32_t a,
                                             delayed_window *w) {
  const bool last = w->count >> 1 == v->m;
  if (v->delay == DELAY_FULL && !last) return;
  if (delayed_attempt(v, kind, n_actions, delayed_row(v, kind, n_actions, s), a, w)) {
    v->state->last_success = t;
    if (v->learn != LEARN_2009) w->begun = t;
    delayed_close(kind, w);
  } else if (last) {
    delayed_close(kind, w);
    delayed_failed(v, w, t);
  }
}

/* Algorithm 1 from "Observe immediate reward" on; t counts from 1. */
FAR__INLINE FAR_DEVICE void delayed_observe(const delayed_view *v, delayed_kind kind,
                                            uint32_t n_actions, int64_t t,
                                            const far_transition *step) {
  delayed_window *w = delayed_window_of(v, kind, (size_t)step->s * n_actions + step->a);
  if (kind == DELAYED_VISITING) delayed_visit(v, n_actions, step);
  if (!delayed_enabled(v, w, t)) return;
  if (w->count == 1 && v->learn == LEARN_2009) w->begun = t;
  w->count += 2;
  const double *next = delayed_row(v, kind, n_actions, step->next);
  const double value = step->done ? v->terminal : far__max(next, n_actions);
  w->q_sum += (step->r - v->shift) + v->gamma * value;
  if (kind == DELAYED_DIRECTED && !step->done)
    *delayed_e_sum(w) += v->gamma_e * far__max(next + 2 * n_actions, n_actions);
  delayed_conclude(v, kind, n_actions, t, step->s, step->a, w);
}

/* ---- for those who look from outside ---- */

typedef enum delayed_part { DELAYED_Q, DELAYED_BONUS, DELAYED_E } delayed_part;

/* Where it is; NULL where there is no E. */
static inline double *delayed_at(const delayed_view *v, delayed_part part, size_t pair) {
  const uint32_t n = v->n_actions;
  if (part != DELAYED_Q && v->kind == DELAYED_PLAIN) return NULL;
  return delayed_row(v, v->kind, n, (uint32_t)(pair / n)) + (size_t)part * n + pair % n;
}

/* 0 where there is none. */
static inline double delayed_read(const delayed_view *v, delayed_part part, size_t pair) {
  const double *at = delayed_at(v, part, pair);
  return at != NULL ? *at : 0;
}

static inline int64_t delayed_n(const delayed_view *v, size_t pair) {
  return delayed_window_of(v, v->kind, pair)->count >> 1;
}

static inline bool delayed_learns(const delayed_view *v, size_t pair) {
  return (delayed_window_of(v, v->kind, pair)->count & 1) != 0;
}

#endif
