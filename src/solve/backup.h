/* The arithmetic of a backup, and of the bounds that a sweep proves. Sweeps of the processors and the kernels of a
 * device use these functions, in the order of a row's outcomes and of a state's actions: their bits are the same.
 */
#ifndef FAR_SOLVE_BACKUP_H
#define FAR_SOLVE_BACKUP_H

#include "farsight/base.h"

/* Adds one outcome to the sum of a row, which begins with 0. Padding of probability 0 changes no bit. */
static inline FAR_DEVICE double far__backup_add(double sum, double probability, double value) {
  return sum + probability * value;
}

/* The value of a pair, from its expected reward and the sum of its row. */
static inline FAR_DEVICE double far__backup_pair(double reward, double gamma, double sum) {
  return reward + gamma * sum;
}

/* The better of two; of equal ones the first. */
static inline FAR_DEVICE double far__backup_best(double best, double q) {
  return q > best ? q : best;
}

/* The least and the greatest change of a value in a sweep. Never -0, so the order of changes does not matter. */
typedef struct far__extent {
  double low, high;
} far__extent;

static inline FAR_DEVICE far__extent far__extent_join(far__extent x, far__extent y) {
  far__extent out;
  out.low = y.low < x.low ? y.low : x.low;
  out.high = y.high > x.high ? y.high : x.high;
  return out;
}

/* What the bounds after a sweep depend on, besides the sweep's extent; see iteration.h. */
typedef struct far__bounding {
  double gamma;
  double least_end, most_end; /* probability of a row to end */
  double rounding;            /* d / (1 - gamma) */
} far__bounding;

/* The exact values lie between lower and upper, added to the values after the sweep; `error` is half of
 * upper - lower, plus the rounding. */
typedef struct far__bounds {
  double lower, upper, error;
} far__bounds;

/* Bounds the sum of all further changes if the first is at most x and rows pass on the share k. A share is known
 * up to rounding; 1 (nothing ends) is exact. */
static inline FAR_DEVICE double far__bounds_series(double gamma, double end, double x,
                                                   bool outwards) {
  double keeps = 1 - end;
  if (end > 0) keeps *= outwards ? 1 + 0x1p-40 : 1 - 0x1p-40;
  if (keeps > 1) keeps = 1;
  if (keeps < 0) keeps = 0;
  const double k = gamma * keeps;
  return x * k / (1 - k);
}

static inline FAR_DEVICE far__bounds far__bounds_after(far__bounding by, far__extent e) {
  far__bounds out;
  out.upper = e.high >= 0 ? far__bounds_series(by.gamma, by.least_end, e.high, true)
                          : far__bounds_series(by.gamma, by.most_end, e.high, false);
  out.lower = e.low <= 0 ? far__bounds_series(by.gamma, by.least_end, e.low, true)
                         : far__bounds_series(by.gamma, by.most_end, e.low, false);
  out.error = 0.5 * (out.upper - out.lower) + by.rounding;
  return out;
}

#endif
