/* DORA: exploration values, which are counters of the visits of a pair and of what can be reached from it.
 *
 *   Choshen, Fox & Loewenstein, DORA the Explorer, ICLR 2018
 *
 * Symbols: E(s,a), at first 1, learned as the value of an action under a reward of 0 (SARSA) with step size alpha_e and
 * discount gamma_e; C = log_{1-alpha_e} E is the generalised counter, the number of visits if gamma_e = 0. E underflows after
 * some thousand visits, so that L = -ln E is kept: l. Q(s,a) q. In the units of the rewards; the end of an episode is worth 0.
 *
 * Inline because the fused loops of run/ instantiate it; `n_actions` is a constant there. */
#ifndef FAR_AGENTS_DORA_H
#define FAR_AGENTS_DORA_H

#include <assert.h>

#include "agents/agent.h"
#include "agents/explore.h"

typedef enum dora_rule { DORA_LLL_SOFTMAX, DORA_LLL_EPSILON, DORA_SOFTMAX, DORA_EPSILON } dora_rule;
typedef enum dora_decay { DORA_SQRT, DORA_LINEAR } dora_decay;
typedef enum dora_place { DORA_CHOICE, DORA_TARGET } dora_place;

typedef struct FAR__PARAMS dora_params {
  double gamma, alpha, alpha_e, gamma_e, beta, epsilon, temperature, q0;
  double unit; /* -ln(1-alpha_e), what a visit adds to L if gamma_e = 0; not a key */
  int32_t rule, decay, place, ties;
} dora_params;

static_assert(sizeof(dora_params) <= FAR__SPEC_BYTES, "the spec has room for it");

static inline FAR_DEVICE bool dora_is_lll(const dora_params *p) {
  return p->rule == DORA_LLL_SOFTMAX || p->rule == DORA_LLL_EPSILON;
}

/* Does the bonus enter Q + bonus at the choice? */
static inline FAR_DEVICE bool dora_bonus_chooses(const dora_params *p) {
  return !dora_is_lll(p) && p->place == DORA_CHOICE;
}

/* State: this, then q and L of every pair. */
typedef struct dora_state {
  int64_t s, a; /* the next state and the action chosen for it; s = -1: none */
} dora_state;

typedef struct dora_view {
  dora_params p;
  dora_state *next;
  double *q, *l; /* of all pairs; in the functions of the rules of one state */
} dora_view;

static inline FAR_DEVICE dora_view dora_view_on(far__body body) {
  dora_view v = {.p = *(const dora_params *)body.params, .next = (dora_state *)body.state};
  v.q = (double *)(v.next + 1);
  v.l = v.q + (size_t)body.n_states * body.n_actions;
  return v;
}

/* ---- the rules of choice; `of` is a view whose tables begin at the state's row ---- */

static inline FAR_DEVICE double dora_counter(const dora_view *v, size_t i) {
  return v->l[i] / v->p.unit;
}

/* beta/sqrt(C) or beta/C; the counter must not be 0 unless beta is. */
static inline FAR_DEVICE double dora_bonus(const dora_view *v, size_t i) {
  if (v->p.beta == 0) return 0;
  const double c = dora_counter(v, i);
  return v->p.beta / (v->p.decay == DORA_SQRT ? sqrt(c) : c);
}

static inline FAR_DEVICE double dora_with_bonus(const void *of, uint32_t a) {
  const dora_view *v = (const dora_view *)of;
  return v->q[a] + dora_bonus(v, a);
}

/* One of the actions whose counter is 0; false if there is none. */
static inline FAR_DEVICE bool dora_untried(const dora_view *v, uint32_t n_actions, uint32_t *out,
                                           far_rng *rng) {
  far__best best = {0, 0, 0};
  for (uint32_t a = 0; a < n_actions; ++a) {
    if (v->l[a] != 0) continue;
    if (best.tied == 0) {
      best.action = a;
      best.tied = 1;
    } else {
      far__best_offer(&best, 0, a, (far__ties)v->p.ties, rng);
    }
  }
  *out = best.action;
  return best.tied > 0;
}

/* Greedy for rule=epsilon, whose coin has been drawn, or softmax; on scores. */
static inline FAR_DEVICE uint32_t dora_choose_by(far__score *score, const void *of,
                                                 const dora_params *p, uint32_t n_actions,
                                                 far_rng *rng) {
  if (p->rule == DORA_EPSILON) return far__greedy_by(score, of, n_actions, (far__ties)p->ties, rng);
  return far__softmax(score, of, n_actions, p->temperature, rng);
}

/* rule=epsilon and rule=softmax: on Q + bonus, where an untried action, of infinite bonus, comes first; or on Q alone. */
static inline FAR_DEVICE uint32_t dora_choose_with_bonus(const dora_view *v, uint32_t n_actions,
                                                         far_rng *rng) {
  uint32_t a;
  if (v->p.rule == DORA_EPSILON && far_rng_uniform(rng) < v->p.epsilon)
    return far_rng_below(rng, n_actions);
  if (!dora_bonus_chooses(&v->p) || v->p.beta == 0)
    return dora_choose_by(far__score_row, v->q, &v->p, n_actions, rng);
  if (dora_untried(v, n_actions, &a, rng)) return a;
  return dora_choose_by(dora_with_bonus, v, &v->p, n_actions, rng);
}

/* The lll rules: argmax_a ln f(a) - ln C(s,a), with f the probability of an action under softmax or epsilon-greedy. */
typedef struct dora_lll {
  const dora_view *v;
  double most, ln_greedy, ln_other; /* of Q; of f */
} dora_lll;

static inline FAR_DEVICE double dora_lll_score(const void *of, uint32_t a) {
  const dora_lll *x = (const dora_lll *)of;
  if (x->v->l[a] == 0) return INFINITY;
  const double ln_c = far__log(dora_counter(x->v, a));
  if (x->v->p.rule == DORA_LLL_SOFTMAX) return x->v->q[a] / x->v->p.temperature - ln_c;
  return (x->v->q[a] == x->most ? x->ln_greedy : x->ln_other) - ln_c;
}

/* f > 0 for the greedy action, so that some score is above -inf. */
static inline FAR_DEVICE dora_lll dora_lll_of(const dora_view *v, uint32_t n_actions) {
  const double epsilon = v->p.epsilon, share = epsilon / n_actions;
  dora_lll x = {v, far__max(v->q, n_actions), 0, 0};
  if (v->p.rule == DORA_LLL_EPSILON) {
    x.ln_greedy = far__log(1 - epsilon + share);
    x.ln_other = far__log(share); /* -inf if epsilon is 0 */
  }
  return x;
}

static inline FAR_DEVICE dora_view dora_row(const dora_view *v, uint32_t n_actions, uint32_t s) {
  dora_view row = *v;
  row.q += (size_t)s * n_actions;
  row.l += (size_t)s * n_actions;
  return row;
}

static inline FAR_DEVICE uint32_t dora_choose(const dora_view *v, uint32_t n_actions, uint32_t s,
                                              far_rng *rng) {
  const dora_view row = dora_row(v, n_actions, s);
  if (!dora_is_lll(&v->p)) return dora_choose_with_bonus(&row, n_actions, rng);
  const dora_lll x = dora_lll_of(&row, n_actions);
  return far__greedy_by(dora_lll_score, &x, n_actions, (far__ties)v->p.ties, rng);
}

/* ---- one step ---- */

/* The action chosen when s was reached; where there is none, as at the start of an episode, it is chosen now. */
static inline FAR_DEVICE uint32_t dora_act(const dora_view *v, uint32_t n_actions, uint32_t s,
                                           far_rng *rng) {
  return v->next->s == (int64_t)s ? (uint32_t)v->next->a : dora_choose(v, n_actions, s, rng);
}

/* E(s,a) <- (1 - alpha_e) E(s,a) + alpha_e gamma_e E(s',a'), in logarithms: l and l_next are -ln E, infinite for E = 0. */
static inline FAR_DEVICE double dora_update_e(const dora_view *v, double l, double l_next) {
  if (v->p.gamma_e == 0 || l_next == INFINITY) return l + v->p.unit;
  const double x = -v->p.unit - l, y = far__log(v->p.alpha_e * v->p.gamma_e) - l_next;
  const double most = x > y ? x : y, least = x > y ? y : x;
  const double out = -(most + far__log(1 + far__exp(least - most)));
  return out > 0 ? out : 0;
}

/* choose a' at s', with the tables as they are (SARSA)
 * E(s,a) <- (1 - alpha_e) E(s,a) + alpha_e gamma_e E(s',a')
 * Q(s,a) <- Q(s,a) + alpha (r + [bonus] + gamma max_x Q(s',x) - Q(s,a))
 * a' is taken next, unless s' is terminal or a new episode begins (cut). */
static inline FAR_DEVICE void dora_observe(const dora_view *v, uint32_t n_actions,
                                           const far_transition *step, far_rng *rng) {
  const size_t i = (size_t)step->s * n_actions + step->a;
  const size_t row = (size_t)step->next * n_actions;
  const uint32_t a = step->done ? 0 : dora_choose(v, n_actions, step->next, rng);
  v->l[i] = dora_update_e(v, v->l[i], step->done ? INFINITY : v->l[row + a]);

  const double future = step->done ? 0 : far__max(v->q + row, n_actions);
  double reward = step->r;
  if (!dora_bonus_chooses(&v->p) && v->l[i] > 0) reward += dora_bonus(v, i);
  v->q[i] += v->p.alpha * (reward + v->p.gamma * future - v->q[i]);

  const bool ahead = !step->done && !step->cut;
  v->next->s = ahead ? (int64_t)step->next : -1;
  v->next->a = ahead ? (int64_t)a : 0;
}

#endif
