/* Q-learning with epsilon-greedy choices and constant steps, replicates side by side. q-learning.h has the algorithm;
 * visits are not counted, nor does q_lane_on count them. */
#ifndef FAR_RUN_VECTOR_Q_H
#define FAR_RUN_VECTOR_Q_H

#include "run/vector-lanes.h"

typedef struct vector_q_setting {
  rows model;
  reals alpha, gamma;
  uint64_t coin; /* explores if 53 random bits are below it */
  far__ties ties;
} vector_q_setting;

typedef struct vector_q_lanes {
  group g;
  reals row[MOST_ACTIONS]; /* q of the states in which the replicates are */
  words a;
  reals r;
  spots pair, next;
} vector_q_lanes;

/* A uniform number is k 2^-53; it is below epsilon if k is below the next whole number from epsilon 2^53 on. */
static inline void vector_q_set(vector_q_setting *out, const far_mdp *mdp, const far__body *body,
                                int kind) {
  (void)kind;
  const q_view v = q_lane_on(*body);
  const q_params *p = &v.p;
  *out = (vector_q_setting){.model = rows_of(mdp),
                            .alpha = all_reals(p->alpha),
                            .gamma = all_reals(p->gamma),
                            .coin = (uint64_t)(p->epsilon * 0x1p53),
                            .ties = (far__ties)p->ties};
  if ((double)out->coin < p->epsilon * 0x1p53) out->coin += 1;
}

FAR__INLINE void vector_q_enter(vector_q_lanes *x, const vector_q_setting *v, int kind,
                                uint32_t n_actions, const far__body *body, const far__lane *lane) {
  (void)v, (void)kind;
  enter_group(&x->g, body, lane);
  x->next.at = x->g.state + (x->g.s * n_actions << 3);
  get_row(x->row, &x->next, n_actions);
}

FAR__INLINE void vector_q_choose(vector_q_lanes *x, const vector_q_setting *v, int kind,
                                 uint32_t n_actions) {
  (void)kind;
  group *g = &x->g;
  const integers explores = (integers)((next_words(&g->agent) >> 11) < v->coin);
  const words greedy = greedy_of(x->row, n_actions, v->ties, ~explores, &g->agent);
  const words draw = next_words_of(&g->agent, explores);
  x->a = choose(explores, n_actions == 2 ? draw >> 63 : below(draw, all_words(n_actions)), greedy);
  const words pair = g->s * n_actions + x->a;
  x->pair.at = g->state + (pair << 3);
  g->look.at = begin_draw(&v->model, pair);
}

FAR__INLINE void vector_q_arrive(vector_q_lanes *x, const vector_q_setting *v, int kind,
                                 uint32_t n_actions) {
  (void)v, (void)kind;
  x->r = arrive(&x->g);
  x->next.at = x->g.state + (x->g.s * n_actions << 3);
}

/* Q(s,a) += alpha (r + gamma max Q(s',.) - Q(s,a)) */
FAR__INLINE void vector_q_learn(vector_q_lanes *x, const vector_q_setting *v, uint32_t n_actions) {
  group *g = &x->g;
  reals next[MOST_ACTIONS];
  get_row(next, &x->next, n_actions);
  const reals future = or_at_end(g, most_of(next, n_actions), 0);
  const reals old = value_of(x->row, n_actions, x->a);
  const reals q = old + v->alpha * (x->r + v->gamma * future - old);
  put_reals(&x->pair, 0, q);
  for (uint32_t k = 0; k < n_actions; ++k)
    x->row[k] = choose_real((integers)(x->next.at + 8 * k == x->pair.at), q, next[k]);
}

FAR__INLINE void vector_q_update(vector_q_lanes *x, size_t n, const vector_q_setting *v, int kind,
                                 uint32_t n_actions, int64_t t) {
  (void)kind, (void)t;
  for (size_t i = 0; i < n; ++i) vector_q_learn(&x[i], v, n_actions);
}

FAR__INLINE void vector_q_move(vector_q_lanes *x, const vector_q_setting *v, int kind,
                               uint32_t n_actions) {
  (void)v, (void)kind;
  x->next.at = x->g.state + (x->g.s * n_actions << 3);
  get_row(x->row, &x->next, n_actions);
}

FAR__INLINE void vector_q_leave(vector_q_lanes *x, far__lane *lane, int64_t steps) {
  leave_group(&x->g, lane, steps);
}

VECTOR_STEPS(q, q, 0)

#endif
