/* The greedy choice and its ties, the same for every algorithm.
 *
 * Values are compared exactly: optimistic tables hold bit-identical initial values, and a tolerance
 * would change which action is greedy. Random ties draw once for each further tied action.
 */
#ifndef FAR_AGENTS_GREEDY_H
#define FAR_AGENTS_GREEDY_H

#include "base/inline.h"
#include "farsight/base.h"

typedef enum far__ties { FAR__TIES_RANDOM, FAR__TIES_LOWEST, FAR__TIES_HIGHEST } far__ties;

#define FAR__TIES_CHOICES "random|lowest|highest"

/* Long rows are compared in blocks of this many values: comparisons side by side instead of one after the other. */
enum { FAR__BLOCK = 8 };

FAR__INLINE FAR_DEVICE double far__largest(const double part[FAR__BLOCK]) {
  const double a = part[0] > part[4] ? part[0] : part[4], b = part[1] > part[5] ? part[1] : part[5];
  const double c = part[2] > part[6] ? part[2] : part[6], d = part[3] > part[7] ? part[3] : part[7];
  const double e = a > c ? a : c, f = b > d ? b : d;
  return e > f ? e : f;
}

/* In the memory of a device rows begin at multiples of 16 bytes. A row of 2 or 4 values is read two at a time and kept in
 * registers, since reading a value again takes longer than selecting it. Kernels for these numbers of actions know it when they
 * are compiled. FAR__AS_DEVICE: a test does the same. */
#if defined(__CUDACC__) || defined(FAR__AS_DEVICE)
#define FAR__HELD(n) ((n) == 2 || (n) == 4)
#else
#define FAR__HELD(n) false
#endif

typedef struct far__held {
  double value[4];
} far__held;

FAR__INLINE FAR_DEVICE far__held far__hold(const double *row, uint32_t n) {
  typedef struct FAR__BY_TWO two {
    double x, y;
  } two;
  const two first = *(const two *)row, second = *(const two *)(row + (n == 4 ? 2 : 0));
  const far__held held = {{first.x, first.y, second.x, second.y}};
  return held;
}

/* row[a] */
FAR__INLINE FAR_DEVICE double far__pick(const double *row, uint32_t n, uint32_t a) {
  if (!FAR__HELD(n)) return row[a];
  const double *x = far__hold(row, n).value;
  const double low = a == 1 ? x[1] : x[0], high = a == 3 ? x[3] : x[2];
  return n == 4 && a >= 2 ? high : low;
}

FAR__INLINE FAR_DEVICE double far__max(const double *row, uint32_t n) {
  if (FAR__HELD(n)) {
    const double *x = far__hold(row, n).value;
    const double low = x[1] > x[0] ? x[1] : x[0], high = x[3] > x[2] ? x[3] : x[2];
    return n == 4 && high > low ? high : low;
  }
  double most = row[0];
  size_t a = 1;
  if (n >= 2 * FAR__BLOCK) {
    double part[FAR__BLOCK];
    for (size_t k = 0; k < FAR__BLOCK; ++k) part[k] = row[k];
    for (a = FAR__BLOCK; a + FAR__BLOCK <= n; a += FAR__BLOCK)
      for (size_t k = 0; k < FAR__BLOCK; ++k) part[k] = row[a + k] > part[k] ? row[a + k] : part[k];
    most = far__largest(part);
  }
  for (; a < n; ++a) most = row[a] > most ? row[a] : most;
  return most;
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

FAR__INLINE FAR_DEVICE void far__best_offer(far__best *best, double value, uint32_t action,
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

/* The score of an action; `of` is what the function needs. Static inline functions are inlined. */
typedef double far__score(const void *of, uint32_t a);

static inline FAR_DEVICE double far__score_row(const void *row, uint32_t a) {
  return ((const double *)row)[a];
}

/* The greedy action. Blocks in which no value reaches the best so far are skipped: they would draw nothing. */
FAR__INLINE FAR_DEVICE uint32_t far__greedy_by(far__score *score, const void *of, uint32_t n,
                                               far__ties ties, far_rng *rng) {
  far__best best = far__best_first(score(of, 0));
  uint32_t a = 1;
  for (; n >= 2 * FAR__BLOCK && a + FAR__BLOCK <= n; a += FAR__BLOCK) {
    double part[FAR__BLOCK];
    for (uint32_t k = 0; k < FAR__BLOCK; ++k) part[k] = score(of, a + k);
    const double most = far__largest(part);
    if (most < best.value || (most == best.value && ties == FAR__TIES_LOWEST)) continue;
    for (uint32_t k = 0; k < FAR__BLOCK; ++k) far__best_offer(&best, part[k], a + k, ties, rng);
  }
  for (; a < n; ++a) far__best_offer(&best, score(of, a), a, ties, rng);
  return best.action;
}

/* Of a row of values. */
FAR__INLINE FAR_DEVICE uint32_t far__greedy(const double *row, uint32_t n, far__ties ties,
                                            far_rng *rng) {
  if (!FAR__HELD(n)) return far__greedy_by(far__score_row, row, n, ties, rng);
  const far__held held = far__hold(row, n);
  return far__greedy_by(far__score_row, held.value, n, ties, rng);
}

#endif
