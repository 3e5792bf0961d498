/* Choosing an action with a chance of exploring, the same for every algorithm that does so.
 * Scores come through a function, so that sums like Q + bonus need no table.
 */
#ifndef FAR_AGENTS_EXPLORE_H
#define FAR_AGENTS_EXPLORE_H

#include "agents/greedy.h"
#include "base/log-exp.h"
#include "farsight/base.h"

/* Softmax or epsilon-greedy, as the parameter `explore` stores it. */
typedef enum far__explore { EXPLORE_EPSILON, EXPLORE_SOFTMAX } far__explore;

/* Samples a with probability proportional to exp((score(a) - max) / T); one draw. */
static inline FAR_DEVICE uint32_t far__softmax(far__score *score, const void *of,
                                               uint32_t n_actions, double temperature,
                                               far_rng *rng) {
  double most = score(of, 0), total = 0, sum = 0;
  for (uint32_t a = 1; a < n_actions; ++a) most = score(of, a) > most ? score(of, a) : most;
  for (uint32_t a = 0; a < n_actions; ++a)
    total += far__rare_exp((score(of, a) - most) / temperature);
  const double u = far_rng_uniform(rng) * total;
  for (uint32_t a = 0; a + 1 < n_actions; ++a) {
    sum += far__rare_exp((score(of, a) - most) / temperature);
    if (u < sum) return a;
  }
  return n_actions - 1;
}

/* The coin is always drawn first, then the action, so that the order of draws is fixed. */
static inline FAR_DEVICE uint32_t far__epsilon_greedy(far__score *score, const void *of,
                                                      uint32_t n_actions, double epsilon,
                                                      far__ties ties, far_rng *rng) {
  if (far_rng_uniform(rng) < epsilon) return far_rng_below(rng, n_actions);
  return far__greedy_by(score, of, n_actions, ties, rng);
}

/* The same on a row of values. */
static inline FAR_DEVICE uint32_t far__epsilon_greedy_row(const double *row, uint32_t n_actions,
                                                          double epsilon, far__ties ties,
                                                          far_rng *rng) {
  if (!FAR__HELD(n_actions))
    return far__epsilon_greedy(far__score_row, row, n_actions, epsilon, ties, rng);
  const far__held held = far__hold(row, n_actions);
  return far__epsilon_greedy(far__score_row, held.value, n_actions, epsilon, ties, rng);
}

/* Either, as `explore` says, on a row of values. */
static inline FAR_DEVICE uint32_t far__explore_row(far__explore explore, const double *row,
                                                   uint32_t n_actions, double epsilon,
                                                   double temperature, far__ties ties,
                                                   far_rng *rng) {
  if (explore == EXPLORE_SOFTMAX)
    return far__softmax(far__score_row, row, n_actions, temperature, rng);
  return far__epsilon_greedy_row(row, n_actions, epsilon, ties, rng);
}

/* ---- the same choices as distributions over the actions ---- */

static inline FAR_DEVICE void far__greedy_policy(far__score *score, const void *of,
                                                 uint32_t n_actions, far__ties ties, double *out) {
  double most = score(of, 0);
  uint32_t tied = 0, chosen = 0;
  for (uint32_t a = 1; a < n_actions; ++a) most = score(of, a) > most ? score(of, a) : most;
  for (uint32_t a = 0; a < n_actions; ++a) {
    out[a] = score(of, a) == most ? 1 : 0;
    if (out[a] == 0) continue;
    tied += 1;
    if (tied == 1 || ties == FAR__TIES_HIGHEST) chosen = a;
  }
  for (uint32_t a = 0; a < n_actions; ++a)
    out[a] = ties == FAR__TIES_RANDOM ? out[a] / tied : a == chosen;
}

static inline FAR_DEVICE void far__softmax_policy(far__score *score, const void *of,
                                                  uint32_t n_actions, double temperature,
                                                  double *out) {
  double most = score(of, 0), total = 0;
  for (uint32_t a = 1; a < n_actions; ++a) most = score(of, a) > most ? score(of, a) : most;
  for (uint32_t a = 0; a < n_actions; ++a)
    total += out[a] = far__rare_exp((score(of, a) - most) / temperature);
  for (uint32_t a = 0; a < n_actions; ++a) out[a] /= total;
}

/* Mixes a policy with the uniform one, which gets the weight epsilon. */
static inline FAR_DEVICE void far__mix_policy(uint32_t n_actions, double epsilon, double *out) {
  for (uint32_t a = 0; a < n_actions; ++a) out[a] = (1 - epsilon) * out[a] + epsilon / n_actions;
}

static inline void far__explore_policy(far__explore explore, const double *row, uint32_t n_actions,
                                       double epsilon, double temperature, far__ties ties,
                                       double *out) {
  if (explore == EXPLORE_SOFTMAX) {
    far__softmax_policy(far__score_row, row, n_actions, temperature, out);
    return;
  }
  far__greedy_policy(far__score_row, row, n_actions, ties, out);
  far__mix_policy(n_actions, epsilon, out);
}

#endif
