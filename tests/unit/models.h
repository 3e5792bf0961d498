/* Are two models the same to the last bit? */
#ifndef FARSIGHT_TESTS_MODELS_H
#define FARSIGHT_TESTS_MODELS_H

#include <farsight/farsight.h>
#include <string.h>

static inline bool same_real(double x, double y) {
  return memcmp(&x, &y, sizeof x) == 0;
}

static inline bool same_row(const far_outcome *x, size_t n, const far_outcome *y, size_t m) {
  bool same = n == m;
  for (size_t k = 0; same && k < n; ++k)
    same = x[k].next == y[k].next && x[k].done == y[k].done &&
           same_real(x[k].reward, y[k].reward) && same_real(x[k].probability, y[k].probability);
  return same;
}

static inline bool same_name(const char *x, const char *y) {
  return x == NULL || y == NULL ? x == y : strcmp(x, y) == 0;
}

static inline bool same_shape(const far_shape *x, const far_shape *y) {
  return x->n_states == y->n_states && x->n_actions == y->n_actions && x->episodic == y->episodic &&
         x->reward_min == y->reward_min && x->reward_max == y->reward_max;
}

/* All but spec and discount. */
static inline bool same_model(const far_mdp *x, const far_mdp *y) {
  const far_shape shape = far_mdp_shape(x), other = far_mdp_shape(y);
  size_t n, m;
  if (!same_shape(&shape, &other)) return false;
  const far_outcome *p = far_mdp_starts(x, &n), *q = far_mdp_starts(y, &m);
  bool same = same_row(p, n, q, m);
  for (uint32_t s = 0; s < shape.n_states; ++s) {
    same = same && far_mdp_terminal(x, s) == far_mdp_terminal(y, s) &&
           same_name(far_mdp_state_name(x, s), far_mdp_state_name(y, s));
    for (uint32_t a = 0; a < shape.n_actions; ++a) {
      p = far_mdp_outcomes(x, s, a, &n);
      q = far_mdp_outcomes(y, s, a, &m);
      same = same && same_row(p, n, q, m);
    }
  }
  for (uint32_t a = 0; a < shape.n_actions; ++a)
    same = same && same_name(far_mdp_action_name(x, a), far_mdp_action_name(y, a));
  return same;
}

#endif
