/* The delayed family without the 2006 form and without E at every visit, replicates side by side. delayed.h has the
 * algorithm; comments here name the function of delayed.h that a function computes for vectors. */
#ifndef FAR_RUN_VECTOR_DELAYED_H
#define FAR_RUN_VECTOR_DELAYED_H

#include "run/vector-lanes.h"

typedef struct vector_delayed_setting {
  rows model;
  delayed_view view; /* of the first replicate; parameters are the same for all */
  size_t to_rows;    /* bytes from the beginning of a state to its rows */
} vector_delayed_setting;

typedef struct vector_delayed_lanes {
  group g;
  integers last_success;
  spots row;         /* of the states in which the replicates are */
  spots own, window; /* of the pairs that they left: q in its row, and the window */
  uint32_t enabled;  /* bits: replicates whose sample counts */
} vector_delayed_lanes;

static inline void vector_delayed_set(vector_delayed_setting *out, const far_mdp *mdp,
                                      const far__body *body, delayed_kind kind) {
  *out = (vector_delayed_setting){.model = rows_of(mdp), .view = delayed_view_on(*body, kind)};
  out->to_rows = (size_t)((const char *)out->view.rows - (const char *)body->state);
}

/* Reads n_actions words of a row, from `offset` bytes on. */
FAR__INLINE void vector_delayed_look(reals *out, const spots *row, size_t offset,
                                     uint32_t n_actions) {
  uint32_t a = 0;
  for (; a + 2 <= n_actions; a += 2) {
    const word_pairs got = get_pairs(row, offset + 8 * a);
    out[a] = (reals)got.first;
    out[a + 1] = (reals)got.second;
  }
  if (a < n_actions) out[a] = get_reals(row, offset + 8 * a);
}

FAR__INLINE void vector_delayed_move(vector_delayed_lanes *x, const vector_delayed_setting *v,
                                     delayed_kind kind, uint32_t n_actions) {
  const size_t bytes = 8 * delayed_row_words(kind) * n_actions;
  x->row.at = x->g.state + v->to_rows + x->g.s * bytes;
}

FAR__INLINE void vector_delayed_enter(vector_delayed_lanes *x, const vector_delayed_setting *v,
                                      delayed_kind kind, uint32_t n_actions, const far__body *body,
                                      const far__lane *lane) {
  enter_group(&x->g, body, lane);
  const spots state = {x->g.state};
  x->last_success = (integers)get_words(&state, offsetof(delayed_state, last_success));
  vector_delayed_move(x, v, kind, n_actions);
}

FAR__INLINE void vector_delayed_leave(vector_delayed_lanes *x, far__lane *lane, int64_t steps) {
  const spots state = {x->g.state};
  put_words(&state, offsetof(delayed_state, last_success), (words)x->last_success);
  leave_group(&x->g, lane, steps);
}

/* delayed_act. */
FAR__INLINE void vector_delayed_choose(vector_delayed_lanes *x, const vector_delayed_setting *v,
                                       delayed_kind kind, uint32_t n_actions) {
  group *g = &x->g;
  reals score[MOST_ACTIONS], bonus[MOST_ACTIONS];
  vector_delayed_look(score, &x->row, 0, n_actions);
  if (kind == DELAYED_DIRECTED) {
    vector_delayed_look(bonus, &x->row, 8 * n_actions, n_actions);
    for (uint32_t a = 0; a < n_actions; ++a) score[a] += bonus[a];
  }
  const words a = greedy_of(score, n_actions, v->view.ties, all_integers(-1), &g->agent);
  const words pair = g->s * n_actions + a;
  x->own.at = x->row.at + (a << 3);
  x->window.at = g->state + sizeof(delayed_state) +
                 (kind == DELAYED_PLAIN ? (pair << 4) + (pair << 3) : pair << 5);
  g->look.at = begin_draw(&v->model, pair);
}

/* Moves to the next states; with delayed_enabled. */
FAR__INLINE void vector_delayed_arrive(vector_delayed_lanes *x, const vector_delayed_setting *v,
                                       delayed_kind kind, uint32_t n_actions) {
  const word_pairs window = get_pairs(&x->window, offsetof(delayed_window, begun));
  x->enabled =
      bits_of((integers)(window.second << 63) | ((integers)window.first <= x->last_success));
  arrive(&x->g);
  vector_delayed_move(x, v, kind, n_actions);
}

/* ---- samples that count ---- */

/* A window in registers. */
typedef struct vector_delayed_window {
  integers begun;
  words count;
  reals q_sum, e_sum;
} vector_delayed_window;

FAR__INLINE void vector_delayed_open(vector_delayed_window *w, delayed_kind kind,
                                     const spots *from) {
  const word_pairs front = get_pairs(from, offsetof(delayed_window, begun));
  w->begun = (integers)front.first;
  w->count = front.second;
  if (kind == DELAYED_PLAIN) {
    w->q_sum = get_reals(from, offsetof(delayed_window, q_sum));
    return;
  }
  const word_pairs sums = get_pairs(from, offsetof(delayed_window, q_sum));
  w->q_sum = (reals)sums.first;
  w->e_sum = (reals)sums.second;
}

FAR__INLINE void vector_delayed_save(const vector_delayed_window *w, delayed_kind kind,
                                     const spots *to) {
  put_pairs(to, offsetof(delayed_window, begun), (words)w->begun, w->count);
  if (kind == DELAYED_PLAIN)
    put_reals(to, offsetof(delayed_window, q_sum), w->q_sum);
  else
    put_pairs(to, offsetof(delayed_window, q_sum), (words)w->q_sum, (words)w->e_sum);
}

/* delayed_sample. */
FAR__INLINE void vector_delayed_sample(vector_delayed_window *w, const delayed_view *v,
                                       delayed_kind kind, uint32_t n_actions, int64_t t,
                                       const spots *row, const spots *outcome) {
  reals next[MOST_ACTIONS];
  const arrivals got = look_at_outcome(outcome);
  w->count |= 1;
  if (v->learn == LEARN_2009)
    w->begun = choose_integer((integers)(w->count == 1), all_integers(t), w->begun);
  w->count += 2;
  vector_delayed_look(next, row, 0, n_actions);
  const reals value = choose_real(got.done, all_reals(v->terminal), most_of(next, n_actions));
  w->q_sum += (got.r - v->shift) + v->gamma * value;
  if (kind == DELAYED_PLAIN) return;
  vector_delayed_look(next, row, 16 * n_actions, n_actions);
  const reals e_sum = w->e_sum + v->gamma_e * most_of(next, n_actions);
  w->e_sum = choose_real(got.done, w->e_sum, e_sum);
}

/* delayed_bonus, for e that are 0 or at least DBL_MIN. */
FAR__INLINE reals vector_delayed_bonus(const delayed_view *v, reals e) {
  if (v->form == BONUS_SQRT) return v->lambda * square_root(e);
  const reals x = logarithm(e) * v->inverse_log_eta;
  const reals bonus = v->lambda / square_root(choose_real(x > 1, x, all_reals(1)));
  return choose_real(e > 0, bonus, all_reals(0));
}

/* delayed_bonus_above. */
FAR__INLINE integers vector_delayed_too_high(const delayed_view *v, reals e, reals before,
                                             reals bonus, reals most) {
  const double lambda2 = v->lambda * v->lambda;
  const reals bonus2 = bonus * bonus, twice = 2 * e * before;
  const reals fall = (before - e) * (before + e);
  const reals limit = most * most * (lambda2 * twice - bonus2 * v->inverse_log_eta * fall);
  return (e <= before) & (lambda2 * bonus2 * twice > limit * (1 + 1e-9));
}

/* delayed_attempt for `some`; returns those that succeed. A branch that is often mispredicted costs more than most of
 * the work that it could save, but less than the logarithm. */
FAR__INLINE integers vector_delayed_attempt(const vector_delayed_window *w, const delayed_view *v,
                                            delayed_kind kind, uint32_t n_actions, integers some,
                                            const spots *own) {
  const reals n = real_of(w->count >> 1);
  const reals width = v->delay == DELAY_FULL ? all_reals(v->eps1) : v->rho / square_root(n);
  const reals old_q = get_reals(own, 0);
  const reals old_bonus = kind == DELAYED_DIRECTED ? get_reals(own, 8 * n_actions) : (reals){0};
  const reals current = kind == DELAYED_DIRECTED ? old_q + old_bonus : old_q;
  reals q = w->q_sum / n + width;
  if (v->clamp) q = choose_real(old_q < q, old_q, q);
  some &= current - q >= v->threshold;
  if (kind != DELAYED_DIRECTED) {
    put_reals(own, 0, choose_real(some, q, old_q));
    return some;
  }
  const reals old_e = get_reals(own, 16 * n_actions);
  reals e = w->e_sum / n;
  if (v->clamp) e = choose_real(old_e < e, old_e, e);
  e = choose_real((e > 0) & (e < DBL_MIN), all_reals(DBL_MIN), e);
  const reals most = current - q - v->threshold + 1e-14 * current;
  if (v->form == BONUS_LOG) some &= ~vector_delayed_too_high(v, e, old_e, old_bonus, most);
  if (bits_of(some) == 0) return some;
  const reals bonus = vector_delayed_bonus(v, e);
  some &= current - (q + bonus) >= v->threshold;
  put_reals(own, 0, choose_real(some, q, old_q));
  put_reals(own, 8 * n_actions, choose_real(some, bonus, old_bonus));
  put_reals(own, 16 * n_actions, choose_real(some, e, old_e));
  return some;
}

/* With windows of at least this many samples, few vectors have one to conclude: then a branch pays. */
enum { LONG_WINDOW = 32 };

/* delayed_conclude, with delayed_close and delayed_failed. */
FAR__INLINE void vector_delayed_conclude(vector_delayed_window *w, const delayed_view *v,
                                         delayed_kind kind, uint32_t n_actions, int64_t t,
                                         const spots *own, const spots *success) {
  const integers last = (integers)(w->count >> 1 == (uint64_t)v->m);
  const integers due = v->delay == DELAY_FULL ? last : all_integers(-1);
  const integers succeeds = vector_delayed_attempt(w, v, kind, n_actions, due, own);
  const integers closed = succeeds | last, failed = last & ~succeeds;
  if (v->m >= LONG_WINDOW && bits_of(closed) == 0) return;
  const integers before = (integers)get_words(success, 0);
  const integers last_success = choose_integer(succeeds, all_integers(t), before);
  w->count &= ~(words)closed | 1;
  w->q_sum = choose_real(closed, all_reals(0), w->q_sum);
  w->e_sum = choose_real(closed, all_reals(0), w->e_sum);
  if (v->learn != LEARN_2009) w->begun = choose_integer(closed, all_integers(t), w->begun);
  w->count &= ~(words)(failed & (w->begun > last_success));
  put_words(success, 0, (words)last_success);
}

/* delayed_observe of picked replicates, all of them enabled. */
FAR__INLINE void vector_delayed_learn(vector_delayed_lanes *x, const uint16_t *at,
                                      const delayed_view *v, delayed_kind kind, uint32_t n_actions,
                                      int64_t t) {
  const spots window = picked_spots(x, at, offsetof(vector_delayed_lanes, window));
  const spots own = picked_spots(x, at, offsetof(vector_delayed_lanes, own));
  const spots row = picked_spots(x, at, offsetof(vector_delayed_lanes, row));
  const spots outcome = picked_spots(x, at, offsetof(vector_delayed_lanes, g.outcome));
  const spots success = picked_elements(x, at, offsetof(vector_delayed_lanes, last_success));
  vector_delayed_window w = {0};
  vector_delayed_open(&w, kind, &window);
  vector_delayed_sample(&w, v, kind, n_actions, t, &row, &outcome);
  vector_delayed_conclude(&w, v, kind, n_actions, t, &own, &success);
  vector_delayed_save(&w, kind, &window);
}

/* After the first steps few samples count: they are gathered from all groups into full vectors. */
FAR__INLINE void vector_delayed_update(vector_delayed_lanes *x, size_t n,
                                       const vector_delayed_setting *v, delayed_kind kind,
                                       uint32_t n_actions, int64_t t) {
  uint32_t any = 0;
  for (size_t i = 0; i < n; ++i) any |= x[i].enabled;
  if (any == 0) return;
  picks p = {.n = 0};
  for (size_t i = 0; i < n; ++i) pick(&p, i * sizeof *x, x[i].enabled);
  fill_up(&p);
  for (size_t k = 0; k < p.n; k += LANES)
    vector_delayed_learn(x, p.at + k, &v->view, kind, n_actions, t);
}

VECTOR_STEPS(delayed, delayed, DELAYED_PLAIN)
VECTOR_STEPS(directed, delayed, DELAYED_DIRECTED)

#endif
