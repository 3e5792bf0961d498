/* Directed Delayed Q-learning, Algorithm 1 of the paper, from top to bottom; and with it Delayed Q-learning (2006, 2009) and
 * its interval-estimation form, which have no E.
 *
 *   Oh & Iyengar, Directed exploration in PAC model-free reinforcement learning, 2018, Algorithm 1
 *   Strehl, Li, Wiewiora, Langford & Littman, PAC model-free reinforcement learning, ICML 2006
 *   Strehl, Li & Littman, Reinforcement learning in finite MDPs: PAC analysis, JMLR 2009
 *   Strehl, Probably approximately correct exploration in reinforcement learning, thesis 2007
 *
 * Lines of the paper are quoted at the left margin of a comment, after "|". Its symbols here, for a pair (s, a): Q and E are
 * numbers of the state's row, with the bonus lambda/sqrt(log_eta E) kept beside E. n, LEARN, b, Q~ and E~ are the pair's
 * window: count = 2 n + LEARN, begun, and the sums q_sum and e_sum, which are divided by n where the paper keeps a mean.
 * Rewards are shifted to [0, range]; a terminal successor then has the value -reward_min / (1 - gamma).
 *
 * The paper can be read in more than one way, and its proof needs another algorithm than it prints (docs/agents.md,
 * docs/decisions/0003): each choice is named at its line. Where the numbers are kept is in delayed-memory.h, what may be left
 * uncomputed in delayed-shortcuts.h. */
#ifndef FAR_AGENTS_DELAYED_H
#define FAR_AGENTS_DELAYED_H

#include <math.h>

#include "agents/delayed-memory.h"
#include "agents/delayed-shortcuts.h"
#include "theory/delayed.h"

/* | lambda / sqrt(log_eta E(s,a')); bonus=sqrt, which is not in the paper, is lambda sqrt(E). */
static inline FAR_DEVICE double delayed_bonus(const delayed_view *v, double e) {
  return v->form == BONUS_SQRT ? v->lambda * sqrt(e) : far__bonus(v->lambda, v->inverse_log_eta, e);
}

/* What an agent with E maximises: Q + bonus of one state. In memory the bonus is n_actions behind q. */
typedef struct delayed_scores {
  const double *q, *bonus;
} delayed_scores;

static inline FAR_DEVICE double delayed_score(const void *of, uint32_t a) {
  const delayed_scores *row = (const delayed_scores *)of;
  return row->q[a] + row->bonus[a];
}

/* | Let s denote the state at time t
 * | Choose action a := argmax_a' Q(s,a') + lambda / sqrt(log_eta E(s,a'))
 * Without E, Q alone. */
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

/* | if b(s,a) <= t*: LEARN(s,a) <- true
 * True if the sample counts. The form of 2006 asks whether the last attempt came before the last success, and switches on
 * from the next sample on. */
static inline FAR_DEVICE bool delayed_enabled(const delayed_view *v, delayed_window *w) {
  if ((w->count & 1) != 0) return true;
  if (v->learn != LEARN_2006) {
    if (w->begun <= v->state->last_success) w->count |= 1;
    return (w->count & 1) != 0;
  }
  if (w->begun < v->state->last_success) w->count |= 1;
  return false;
}

/* | n(s,a) <- n(s,a) + 1, alpha <- 1/n(s,a)
 * | Q~(s,a) <- (1 - alpha) Q~(s,a) + alpha (r + gamma max_a' Q(s',a'))
 * | E~(s,a) <- (1 - alpha) E~(s,a) + alpha (gamma_E max_a' E(s',a'))
 * In the form of 2009 a window begins with its first sample, and not where the one before ended. */
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

/* e_rule=visit, which is not in the paper: E <- E + alpha_e (gamma_e max E(s') - E) at every visit, as DORA learns it
 * (Choshen, Fox & Loewenstein, ICLR 2018), whether or not the pair may learn. */
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

/* | if Q'(s,a) - (Q~(s,a) + rho/sqrt(n(s,a)) + lambda/sqrt(log_eta E~(s,a))) >= eps_1:
 * |   Q(s,a) <- Q~(s,a) + rho/sqrt(n(s,a))
 * |   E(s,a) <- E~(s,a)
 * where Q' is Q and its bonus. Fully delayed (delay=full) the width is eps_1. clamp=on, as the proof needs, keeps Q and E from
 * rising. A threshold other than eps_1 is not in the paper. */
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

/* | n(s,a) <- 0; Q~(s,a) <- 0; E~(s,a) <- 0 */
static inline FAR_DEVICE void delayed_close(delayed_kind kind, delayed_window *w) {
  w->count &= 1;
  w->q_sum = 0;
  if (kind == DELAYED_DIRECTED) w->e_sum = 0;
}

/* | b(s,a) <- t
 * | if b(s,a) > t*: LEARN(s,a) <- false
 * after a full window that changed nothing and is closed. As printed b is overwritten first, so that the test is always true;
 * in the form of 2009 b is the time of the window's first sample, so that it asks whether anything changed since. */
static inline FAR_DEVICE void delayed_failed(const delayed_view *v, delayed_window *w, int64_t t) {
  const int64_t last = v->state->last_success;
  switch (v->learn) {
  case LEARN_2009:
    if (w->begun > last) w->count = 0;
    break;
  case LEARN_PRINTED:
    w->begun = t;
    if (w->begun > last) w->count = 0;
    break;
  case LEARN_2006:
    if (w->begun >= last) w->count = 0;
    w->begun = t;
    break;
  }
}

/* | Observe immediate reward r and next state s'
 * t counts from 1. A visit holds the pair's window in registers. */
FAR__INLINE FAR_DEVICE void delayed_observe(const delayed_view *v, delayed_kind kind,
                                            uint32_t n_actions, int64_t t,
                                            const far_transition *step) {
  delayed_window *const at = delayed_window_in(v, kind, n_actions, step->s, step->a);
  delayed_window w = delayed_open(at);
  if (kind == DELAYED_VISITING) delayed_visit(v, n_actions, step);
  const bool enabled = delayed_enabled(v, &w);
  if (!enabled && v->learn != LEARN_2006) return;
  if (enabled) { /* | if LEARN(s,a) = true */
    delayed_open_sums(kind, &w, at);
    delayed_sample(v, kind, n_actions, t, step, &w);
    const bool last = w.count >> 1 == v->m;
    if (v->delay == DELAY_FULL && !last) {
      /* fully delayed: no update is attempted before the window is full */
    } else if (delayed_attempt(v, kind, n_actions, delayed_row(v, kind, n_actions, step->s),
                               step->a, &w)) {
      v->state->last_success = t;              /* | t* <- t */
      if (v->learn != LEARN_2009) w.begun = t; /* | b(s,a) <- t */
      delayed_close(kind, &w);
    } else if (last) { /* | else if n(s,a) = m */
      delayed_close(kind, &w);
      delayed_failed(v, &w, t);
    }
  }
  delayed_save(kind, &w, enabled, at);
}

#endif
