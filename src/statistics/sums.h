/* Inner loops of the bootstrap, over the resamples of a block. They are compiled more than once, for instructions that not
 * every processor has. A resample has its own place in every array, so that all of them give the same bits. */
#ifndef FAR_STATISTICS_SUMS_H
#define FAR_STATISTICS_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FAR__LANES = 16 }; /* resamples that go side by side, at most */

/* How often each of n values was drawn: value i times[row[i] * width + b] times in resample b. Whole numbers, as doubles:
 * what is computed from them is one. */
typedef struct far__drawn_rows {
  const double *times;
  const size_t *row;
  size_t width, n;
} far__drawn_rows;

/* A value of which some is left out, beside others. */
typedef struct far__part {
  const double *times; /* times[b] */
  double weight;       /* of each time */
  double above;        /* how far it lies above the least, which may be INFINITY */
} far__part;

/* Arrays that are written have `count` numbers and overlap nothing else. Sums are in the order of the values. */
typedef struct far__sums {
  /* out = the sum of times (x[i] - from) */
  void (*add)(double *out, const far__drawn_rows *rows, const double *x, double from, size_t count);
  /* out = the sum over x of times (how many y before below[i] + how many before up_to[i]); `room`: for
   * n + 1 numbers of y in each of FAR__LANES resamples, or of `count`, if these are fewer */
  void (*add_won)(double *out, const far__drawn_rows *x, const far__drawn_rows *y,
                  const uint32_t *below, const uint32_t *up_to, double *room, size_t count);
  /* out = the sum of (the part of times weight, all of them in a row, that lies between cut and end) above */
  void (*add_parts)(double *out, const far__part *parts, size_t n, double cut, double end,
                    size_t count);
  /* out[o] += how often values from borders[o] on were drawn / n; borders ascend */
  void (*add_shares)(double *const *out, const far__drawn_rows *rows, const size_t *borders,
                     size_t n_out, double n, size_t count);
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
