/* The delayed family without the 2006 form and without E at every visit, replicas side by side. delayed.h has the
 * algorithm; the comments here say where what stands. */
#ifndef FAR_RUN_VECTOR_DELAYED_H
#define FAR_RUN_VECTOR_DELAYED_H

#include "run/vector-lanes.h"

typedef struct vector_delayed_setting {
  rows model;
  delayed_view view; /* of the first replica: its parameters are those of all */
  size_t to_rows;    /* bytes from the beginning of a state */
} vector_delayed_setting;

/* Rows are those of the states where the replicas are. Without E there is q alone. */
typedef struct vector_delayed_lanes {
  group g;
  integers last_success;
  reals q[MOST_ACTIONS], bonus[MOST_ACTIONS], e[MOST_ACTIONS];
  words a;
  draws d;
  reals r;
  spots window, outcome, next;
  uint32_t due; /* a bit for each whose window may have to be concluded */
} vector_delayed_lanes;

static inline void vector_delayed_set(vector_delayed_setting *out, const far_mdp *mdp,
                                      const far__body *body, delayed_kind kind) {
  *out = (vector_delayed_setting){.model = rows_of(mdp), .view = delayed_view_on(*body, kind)};
  out->to_rows = (size_t)((const char *)out->view.rows - (const char *)body->state);
}

FAR__INLINE words vector_delayed_rows_at(const vector_delayed_setting *v, delayed_kind kind,
                                         uint32_t n_actions, words state, words s) {
  return state + v->to_rows + s * (8 * delayed_row_words(kind) * n_actions);
}

FAR__INLINE void vector_delayed_look_at(reals *row, const spots *at, size_t offset,
                                        uint32_t n_actions) {
  uint32_t a = 0;
  for (; a + 2 <= n_actions; a += 2) {
    const word_pairs got = get_pairs(at, offset + 8 * a);
    row[a] = (reals)got.first;
    row[a + 1] = (reals)got.second;
  }
  if (a < n_actions) row[a] = get_reals(at, offset + 8 * a);
}

FAR__INLINE void vector_delayed_look(vector_delayed_lanes *x, delayed_kind kind,
                                     uint32_t n_actions) {
  vector_delayed_look_at(x->q, &x->next, 0, n_actions);
  if (kind == DELAYED_PLAIN) return;
  vector_delayed_look_at(x->bonus, &x->next, 8 * n_actions, n_actions);
  vector_delayed_look_at(x->e, &x->next, 16 * n_actions, n_actions);
}

FAR__INLINE void vector_delayed_enter(vector_delayed_lanes *x, const vector_delayed_setting *v,
                                      delayed_kind kind, uint32_t n_actions, const far__body *body,
                                      const far__lane *lane) {
  enter_group(&x->g, body, lane);
  const spots state = {x->g.state};
  x->last_success = (integers)get_words(&state, offsetof(delayed_state, last_success));
  x->next.at = vector_delayed_rows_at(v, kind, n_actions, x->g.state, x->g.s);
  vector_delayed_look(x, kind, n_actions);
}

FAR__INLINE reals vector_delayed_score(const vector_delayed_lanes *x, delayed_kind kind,
                                       uint32_t a) {
  return kind == DELAYED_PLAIN ? x->q[a] : x->q[a] + x->bonus[a];
}

FAR__INLINE void vector_delayed_choose(vector_delayed_lanes *x, const vector_delayed_setting *v,
                                       delayed_kind kind, uint32_t n_actions) {
  group *g = &x->g;
  reals score[MOST_ACTIONS];
  score[0] = vector_delayed_score(x, kind, 0);
  for (uint32_t a = 1; a < n_actions; ++a) score[a] = vector_delayed_score(x, kind, a);
  x->a = greedy_of(score, n_actions, v->view.ties, all_integers(-1), &g->agent);
  const words pair = g->s * n_actions + x->a;
  x->window.at = g->state + sizeof(delayed_state) +
                 (kind == DELAYED_PLAIN ? (pair << 4) + (pair << 3) : pair << 5);
  begin_draw(&x->d, &v->model, pair, next_words(&g->transition));
}

FAR__INLINE void vector_delayed_arrive(vector_delayed_lanes *x, const vector_delayed_setting *v,
                                       delayed_kind kind, uint32_t n_actions) {
  x->r = arrive(&x->g, &x->outcome);
  x->next.at = vector_delayed_rows_at(v, kind, n_actions, x->g.state, x->g.next);
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

FAR__INLINE void vector_delayed_update(vector_delayed_lanes *x, const vector_delayed_setting *v,
                                       delayed_kind kind, uint32_t n_actions, int64_t t) {
  const delayed_view *p = &v->view;
  group *g = &x->g;
  const word_pairs front = get_pairs(&x->window, offsetof(delayed_window, begun));
  integers begun = (integers)front.first;
  words count = front.second;
  reals q_sum, e_sum = {0};
  if (kind == DELAYED_PLAIN) {
    q_sum = (reals)get_words(&x->window, offsetof(delayed_window, q_sum));
  } else {
    const word_pairs sums = get_pairs(&x->window, offsetof(delayed_window, q_sum));
    q_sum = (reals)sums.first;
    e_sum = (reals)sums.second;
  }
  const reals old_q = value_of(x->q, n_actions, x->a);
  reals old_bonus = {0}, old_e = {0};
  if (kind == DELAYED_DIRECTED) {
    old_bonus = value_of(x->bonus, n_actions, x->a);
    old_e = value_of(x->e, n_actions, x->a);
  }
  vector_delayed_look(x, kind, n_actions);
  const integers enabled = -(integers)(count & 1) | (begun <= x->last_success);
  x->due = 0;
  if (bits_of(enabled) == 0) return;
  count |= (words)enabled & 1;
  if (p->learn == LEARN_2009)
    begun = choose_integer(enabled & (integers)(count == 1), all_integers(t), begun);
  count += (words)enabled & 2;
  const reals value = or_at_end(g, most_of(x->q, n_actions), p->terminal);
  q_sum = choose_real(enabled, q_sum + ((x->r - p->shift) + p->gamma * value), q_sum);
  if (kind == DELAYED_DIRECTED) {
    const reals more = or_at_end(g, p->gamma_e * most_of(x->e, n_actions), 0);
    e_sum = choose_real(enabled, e_sum + more, e_sum);
  }
  put_pairs(&x->window, offsetof(delayed_window, begun), (words)begun, count);
  if (kind == DELAYED_PLAIN)
    put_words(&x->window, offsetof(delayed_window, q_sum), (words)q_sum);
  else
    put_pairs(&x->window, offsetof(delayed_window, q_sum), (words)q_sum, (words)e_sum);

  const integers last = enabled & (integers)(count >> 1 == (uint64_t)p->m);
  if (p->delay == DELAY_FULL) {
    x->due = bits_of(last);
    return;
  }
  const reals n = real_of(count >> 1);
  const reals current = kind == DELAYED_DIRECTED ? old_q + old_bonus : old_q;
  reals q = q_sum / n + p->rho / square_root(n);
  if (p->clamp) q = choose_real(old_q < q, old_q, q);
  integers passes = current - q >= p->threshold;
  if (kind == DELAYED_DIRECTED) {
    reals e = e_sum / n;
    if (p->clamp) e = choose_real(old_e < e, old_e, e);
    e = choose_real((e > 0) & (e < DBL_MIN), all_reals(DBL_MIN), e);
    const reals most = current - q - p->threshold + 1e-14 * current;
    if (p->form == BONUS_LOG) passes &= ~vector_delayed_too_high(p, e, old_e, old_bonus, most);
  }
  x->due = bits_of((enabled & passes) | last);
}

FAR__INLINE void vector_delayed_settle(vector_delayed_lanes *x, const vector_delayed_setting *v,
                                       delayed_kind kind, uint32_t n_actions, int64_t t,
                                       far__lane *lane) {
  group *g = &x->g;
  if (x->due != 0) {
    spots state = {g->state};
    for (uint32_t due = x->due; due != 0; due &= due - 1) {
      const int l = __builtin_ctz(due);
      delayed_view own = v->view;
      own.state = (delayed_state *)state.pointer[l];
      own.rows = (double *)(state.pointer[l] + v->to_rows);
      delayed_conclude(&own, kind, n_actions, t, (uint32_t)g->s[l], (uint32_t)x->a[l],
                       (delayed_window *)x->window.pointer[l]);
    }
    x->last_success = (integers)get_words(&state, offsetof(delayed_state, last_success));
    vector_delayed_look(x, kind, n_actions);
  }
  g->s = g->next;
  if (g->done != 0) {
    start_anew(g, v->model.mdp, lane);
    x->next.at = vector_delayed_rows_at(v, kind, n_actions, g->state, g->s);
    vector_delayed_look(x, kind, n_actions);
  }
}

VECTOR_STEPS(delayed, delayed, DELAYED_PLAIN)
VECTOR_STEPS(directed, delayed, DELAYED_DIRECTED)

#endif
