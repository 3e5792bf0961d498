/* The greedy choice and its ties, the same for every algorithm.
 *
 * Values are compared exactly: optimistic tables hold bit-identical initial values, and a tolerance
 * would change which action is greedy. Random ties draw once for each further tied action.
 */
#ifndef FAR_AGENTS_GREEDY_H
#define FAR_AGENTS_GREEDY_H

#include <stddef.h>

#include "farsight/random.h"

typedef enum far__ties { FAR__TIES_RANDOM, FAR__TIES_LOWEST, FAR__TIES_HIGHEST } far__ties;

#define FAR__TIES_CHOICES "random|lowest|highest"

/* The largest of a row of values, each `stride` from the one before. */
static inline FAR_DEVICE double far__max_apart(const double *row, uint32_t n, size_t stride) {
  double most = row[0];
  for (uint32_t a = 1; a < n; ++a) most = row[a * stride] > most ? row[a * stride] : most;
  return most;
}

static inline FAR_DEVICE double far__max(const double *row, uint32_t n) {
  return far__max_apart(row, n, 1);
}

typedef struct far__best {
  double value;
  uint32_t action;
  uint32_t tied;
} far__best;

static inline FAR_DEVICE far__best far__best_first(double value) {
  const far__best best = {value, 0, 1};
  return best;
}

static inline FAR_DEVICE void far__best_offer(far__best *best, double value, uint32_t action,
                                              far__ties ties, far_rng *rng) {
  if (value > best->value) {
    best->value = value;
    best->action = action;
    best->tied = 1;
  } else if (value == best->value) {
    best->tied += 1;
    if (ties == FAR__TIES_HIGHEST ||
        (ties == FAR__TIES_RANDOM && far_rng_below(rng, best->tied) == 0))
      best->action = action;
  }
}

/* The greedy action of a row of values. */
static inline FAR_DEVICE uint32_t far__greedy(const double *row, uint32_t n, far__ties ties,
                                              far_rng *rng) {
  far__best best = far__best_first(row[0]);
  for (uint32_t a = 1; a < n; ++a) far__best_offer(&best, row[a], a, ties, rng);
  return best.action;
}

#endif
