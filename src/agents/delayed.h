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
#include <string.h>

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

/* Of a pair. What every visit asks for comes first: a device reads or writes two words at once. In memory the last is
 * there only where E is learned. */
typedef struct FAR__BY_TWO delayed_window {
  int64_t begun; /* b(s,a); in the 2006 form the time of the last attempted update */
  int64_t count; /* 2 n(s,a) + LEARN(s,a) */
  double q_sum, e_sum;
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
  bool in_lane; /* memory as in a lane of a device: delayed_lane_on */
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

/* In a lane of a device a state's row and its windows of four words lie together, each on 32 bytes, which is what a device fetches
 * at once: with two actions all of a state is a cache line of 128. */
enum { DELAYED_SECTOR = 4 };

static inline FAR_DEVICE size_t delayed_lane_row(delayed_kind kind, uint32_t n_actions) {
  const size_t words = n_actions * delayed_row_words(kind);
  return (words + DELAYED_SECTOR - 1) / DELAYED_SECTOR * DELAYED_SECTOR;
}

static inline FAR_DEVICE size_t delayed_lane_state(delayed_kind kind, uint32_t n_actions) {
  return delayed_lane_row(kind, n_actions) + (size_t)n_actions * DELAYED_SECTOR;
}

static inline FAR_DEVICE size_t delayed_lane_words(delayed_kind kind, uint32_t n_states,
                                                   uint32_t n_actions) {
  return n_states * delayed_lane_state(kind, n_actions) + sizeof(delayed_state) / sizeof(double);
}

/* The view of a lane, whose memory is on DELAYED_SECTOR words: the states, then what belongs to all of them. */
static inline FAR_DEVICE delayed_view delayed_lane_on(far__body body, delayed_kind kind) {
  delayed_view v = delayed_view_on(body, kind);
  v.in_lane = true;
  v.rows = (double *)body.state;
  v.windows = v.rows + delayed_lane_row(kind, body.n_actions);
  v.state = (delayed_state *)(v.rows + body.n_states * delayed_lane_state(kind, body.n_actions));
  return v;
}

/* Is it? Only gpu/ has such memory: elsewhere the compiler knows the answer, and the loops are smaller. */
static inline FAR_DEVICE bool delayed_in_lane(const delayed_view *v) {
#ifdef FAR__DEVICE_LANES
  return v->in_lane;
#else
  return (void)v, false;
#endif
}

/* Of a view that is not of a lane. */
static inline FAR_DEVICE delayed_window *delayed_window_of(const delayed_view *v, delayed_kind kind,
                                                           size_t pair) {
  return (delayed_window *)(v->windows + pair * delayed_window_words(kind));
}

/* The window of action a in state s. The steps pass the kind and the number of actions themselves: they are constants
 * there. */
static inline FAR_DEVICE delayed_window *delayed_window_in(const delayed_view *v, delayed_kind kind,
                                                           uint32_t n_actions, uint32_t s,
                                                           uint32_t a) {
  if (!delayed_in_lane(v)) return delayed_window_of(v, kind, (size_t)s * n_actions + a);
  return (delayed_window *)(v->windows + s * delayed_lane_state(kind, n_actions) +
                            a * DELAYED_SECTOR);
}

/* A visit holds the window in registers: first what it asks for, then the sums, if the sample counts. */
FAR__INLINE FAR_DEVICE delayed_window delayed_open(const delayed_window *at) {
  const delayed_window w = {at->begun, at->count, 0, 0};
  return w;
}

FAR__INLINE FAR_DEVICE void delayed_open_sums(delayed_kind kind, delayed_window *w,
                                              const delayed_window *at) {
  w->q_sum = at->q_sum;
  if (kind == DELAYED_DIRECTED) w->e_sum = at->e_sum;
}

FAR__INLINE FAR_DEVICE void delayed_save(delayed_kind kind, const delayed_window *w, bool sums,
                                         delayed_window *at) {
  at->begun = w->begun;
  at->count = w->count;
  if (!sums) return;
  at->q_sum = w->q_sum;
  if (kind == DELAYED_DIRECTED) at->e_sum = w->e_sum;
}

static inline FAR_DEVICE double *delayed_row(const delayed_view *v, delayed_kind kind,
                                             uint32_t n_actions, uint32_t s) {
  if (delayed_in_lane(v)) return v->rows + s * delayed_lane_state(kind, n_actions);
  return v->rows + (size_t)s * n_actions * delayed_row_words(kind);
}

/* Brings an agent's state to a lane. */
static inline void delayed_bring(far__body to, far__body from, delayed_kind kind) {
  const delayed_view source = delayed_view_on(from, kind), lane = delayed_lane_on(to, kind);
  const uint32_t n = from.n_actions;
  *lane.state = *source.state;
  for (uint32_t s = 0; s < from.n_states; ++s) {
    memcpy(delayed_row(&lane, kind, n, s), delayed_row(&source, kind, n, s),
           n * delayed_row_words(kind) * sizeof(double));
    for (uint32_t a = 0; a < n; ++a) {
      const delayed_window *at = delayed_window_in(&source, kind, n, s, a);
      delayed_window w = delayed_open(at);
      delayed_open_sums(kind, &w, at);
      delayed_save(kind, &w, true, delayed_window_in(&lane, kind, n, s, a));
    }
  }
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
  delayed_scores row = {q, q + n_actions};
  far__held held_q, held_bonus;
  if (FAR__HELD(n_actions) && kind != DELAYED_PLAIN) {
    held_q = far__hold(row.q, n_actions), held_bonus = far__hold(row.bonus, n_actions);
    row.q = held_q.value, row.bonus = held_bonus.value;
  }
  return kind == DELAYED_PLAIN ? far__greedy(q, n_actions, v->ties, rng)
                               : far__greedy_by(delayed_score, &row, n_actions, v->ties, rng);
}

/* "if b <= t*: LEARN = true". True if the sample counts. */
static inline FAR_DEVICE bool delayed_enabled(const delayed_view *v, delayed_window *w) {
  if ((w->count & 1) != 0) return true;
  if (v->learn != LEARN_2006) {
    if (w->begun <= v->state->last_success) w->count |= 1;
    return (w->count & 1) != 0;
  }
  if (w->begun < v->state->last_success) w->count |= 1; /* from the next sample on */
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
static inline FAR_DEVICE bool delayed_bonus_above(const delayed_view *v, double e, double before,
                                                  double bonus, double most) {
  if (v->form != BONUS_LOG || !(e <= before)) return false;
  const double lambda2 = v->lambda * v->lambda, bonus2 = bonus * bonus, twice = 2 * e * before;
  const double fall = (before - e) * (before + e);
  const double limit = most * most * (lambda2 * twice - bonus2 * v->inverse_log_eta * fall);
  return lambda2 * bonus2 * twice > limit * (1 + 1e-9);
}

/* About 1/sqrt(x), to 1e-15. */
FAR__INLINE FAR_DEVICE double delayed_inverse_root(double x) {
#ifdef __CUDA_ARCH__
  double y;
  asm("rsqrt.approx.ftz.f64 %0, %1;"
      : "=d"(y)
      : "d"(x)); /* to 1e-6; then two steps of Newton's method */
  y = y * (1.5 - 0.5 * x * y * y);
  return y * (1.5 - 0.5 * x * y * y);
#else
  return 1 / sqrt(x);
#endif
}

/* Does the update certainly fail? Told without a division or a logarithm, with room for rounding on all sides. For lanes
 * of a device, which wait for the slowest of 32: most attempts fail, and then none of them computes more. */
FAR__INLINE FAR_DEVICE bool delayed_hopeless(const delayed_view *v, delayed_kind kind,
                                             uint32_t n_actions, const double *row, uint32_t a,
                                             const delayed_window *w) {
  const double root = delayed_inverse_root((double)(w->count >> 1)), inverse = root * root;
  const double width = v->delay == DELAY_FULL ? v->eps1 : v->rho * root;
  const double old_q = far__pick(row, n_actions, a);
  const double old_bonus = kind == DELAYED_DIRECTED ? far__pick(row + n_actions, n_actions, a) : 0;
  const double current = old_q + old_bonus;
  double q = w->q_sum * inverse + width;
  if (v->clamp && old_q < q) q = old_q;
  const double room = 1e-14 * (fabs(current) + fabs(q) + width + v->threshold);
  const double most = current - q - v->threshold + room;
  if (most < 0) return true;
  if (kind != DELAYED_DIRECTED) return false;
  const double old_e = far__pick(row + 2 * n_actions, n_actions, a);
  double e = w->e_sum * inverse * (1 - 4e-15);
  if (v->clamp && old_e < e) e = old_e;
  return delayed_bonus_above(v, delayed_e_floor(e), old_e, old_bonus, most);
}

/* Attempts an update of action a of this row from its window; true if it succeeded. */
FAR__INLINE FAR_DEVICE bool delayed_attempt(const delayed_view *v, delayed_kind kind,
                                            uint32_t n_actions, double *row, uint32_t a,
                                            const delayed_window *w) {
  if (delayed_in_lane(v) && delayed_hopeless(v, kind, n_actions, row, a, w)) return false;
  const double n = (double)(w->count >> 1);
  const double width = v->delay == DELAY_FULL ? v->eps1 : v->rho / sqrt(n);
  const double old_q = far__pick(row, n_actions, a);
  const double old_bonus = kind == DELAYED_PLAIN ? 0 : far__pick(row + n_actions, n_actions, a);
  const double current = kind == DELAYED_DIRECTED ? old_q + old_bonus : old_q;
  double q = w->q_sum / n + width;
  if (v->clamp && old_q < q) q = old_q;
  if (!(current - q >= v->threshold)) return false; /* no bonus is negative: saves the logarithm */
  if (kind != DELAYED_DIRECTED) {                   /* without E, or an update does not change it */
    row[a] = q;
    return true;
  }
  const double old_e = far__pick(row + 2 * n_actions, n_actions, a);
  double e = w->e_sum / n;
  if (v->clamp && old_e < e) e = old_e;
  e = delayed_e_floor(e);
  const double most = current - q - v->threshold + 1e-14 * current;
  if (!delayed_in_lane(v) && delayed_bonus_above(v, e, old_e, old_bonus, most)) return false;
  const double bonus = delayed_bonus(v, e);
  if (!(current - (q + bonus) >= v->threshold)) return false;
  row[a] = q;
  row[n_actions + a] = bonus;
  row[2 * n_actions + a] = e;
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
  if (kind == DELAYED_DIRECTED) w->e_sum = 0;
}

/* Counts the step in its window. */
FAR__INLINE FAR_DEVICE void delayed_sample(const delayed_view *v, delayed_kind kind,
                                           uint32_t n_actions, int64_t t,
                                           const far_transition *step, delayed_window *w) {
  const double *next = delayed_row(v, kind, n_actions, step->next);
  const double value = step->done ? v->terminal : far__max(next, n_actions);
  if (w->count == 1 && v->learn == LEARN_2009) w->begun = t;
  w->count += 2;
  w->q_sum += (step->r - v->shift) + v->gamma * value;
  if (kind == DELAYED_DIRECTED && !step->done)
    w->e_sum += v->gamma_e * far__max(next + 2 * n_actions, n_actions);
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
  delayed_window *const at = delayed_window_in(v, kind, n_actions, step->s, step->a);
  delayed_window w = delayed_open(at);
  if (kind == DELAYED_VISITING) delayed_visit(v, n_actions, step);
  const bool enabled = delayed_enabled(v, &w);
  if (!enabled && v->learn != LEARN_2006) return;
  if (enabled) {
    delayed_open_sums(kind, &w, at);
    delayed_sample(v, kind, n_actions, t, step, &w);
    delayed_conclude(v, kind, n_actions, t, step->s, step->a, &w);
  }
  delayed_save(kind, &w, enabled, at);
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
