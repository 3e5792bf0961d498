/* Where the delayed family keeps its numbers: parameters, the window of every pair, the row of every state, and the memory of a
 * device's lanes. The algorithm is in delayed.h.
 *
 * The functions are inline because the fused loops of run/ instantiate them; `kind` and `n_actions` are passed as
 * constants there. */
#ifndef FAR_AGENTS_DELAYED_MEMORY_H
#define FAR_AGENTS_DELAYED_MEMORY_H

#include <assert.h>
#include <string.h>

#include "agents/agent.h"
#include "agents/greedy.h"

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

/* Of a pair. What every visit reads comes first: a device reads or writes two words at once. In memory e_sum is there only
 * where E is learned. */
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

/* In a lane of a device a state's row and its windows of four words lie together, each on 32 bytes, which is what a device
 * fetches at once: with two actions all of a state is a cache line of 128. */
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

/* Is this the view of a lane? Only run/gpu/ has lanes: elsewhere the compiler knows that it is not, and the loops are smaller. */
static inline FAR_DEVICE bool delayed_in_lane(const delayed_view *v) {
#ifdef FAR__DEVICE_LANES
  return v->in_lane;
#else
  return (void)v, false;
#endif
}

/* The window of a pair, in memory that is not a lane's. */
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

/* A visit holds the window in registers: first begun and count, then the sums, if the sample counts. */
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

/* Copies an agent's state into a lane. */
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

/* ---- reading single numbers: values, files, tests ---- */

typedef enum delayed_part { DELAYED_Q, DELAYED_BONUS, DELAYED_E } delayed_part;

/* Where the part of a pair is; NULL where there is no E and no bonus. */
static inline double *delayed_at(const delayed_view *v, delayed_part part, size_t pair) {
  const uint32_t n = v->n_actions;
  if (part != DELAYED_Q && v->kind == DELAYED_PLAIN) return NULL;
  return delayed_row(v, v->kind, n, (uint32_t)(pair / n)) + (size_t)part * n + pair % n;
}

/* The part of a pair, 0 where there is none. */
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
