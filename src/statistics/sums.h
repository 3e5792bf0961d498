/* Inner loops of the bootstrap, over the resamples of a block. They are compiled more than once, for instructions that not
 * every processor has. A resample has its own place in every array, so that all of them give the same bits. */
#ifndef FAR_STATISTICS_SUMS_H
#define FAR_STATISTICS_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All arrays have `count` numbers, and what is written overlaps nothing else. */
typedef struct far__sums {
  /* sum += times x */
  void (*add)(double *sum, const double *times, double x, size_t count);
  /* out = before + times */
  void (*go_on)(double *out, const double *before, const double *times, size_t count);
  /* won += times (below + up_to) */
  void (*add_won)(double *won, const double *times, const double *below, const double *up_to,
                  size_t count);
  /* seen += times weight, and the part of that between cut and end */
  void (*add_seen)(double *part, double *seen, const double *times, double weight, double cut,
                   double end, size_t count);
  /* out = x / n */
  void (*divide)(double *out, const double *x, double n, size_t count);
  /* brings every two numbers in order */
  void (*order)(double *low, double *high, size_t count);
  void (*widen)(double *out, const uint16_t *x, size_t count);
} far__sums;

/* The fastest that this processor has. */
const far__sums *far__sums_best(void);

/* Those that it has, in turn; NULL after the last. */
const far__sums *far__sums_at(size_t index);

extern const far__sums far__sums_avx2; /* empty where the library was not built for it */

#endif
