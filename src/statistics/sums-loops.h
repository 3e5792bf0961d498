/* The loops, for the instructions that a file is compiled for. */
#include "statistics/sums.h"

static void add(double *restrict sum, const double *restrict times, double x, size_t count) {
  for (size_t b = 0; b < count; ++b) sum[b] += times[b] * x;
}

static void go_on(double *restrict out, const double *restrict before, const double *restrict times,
                  size_t count) {
  for (size_t b = 0; b < count; ++b) out[b] = before[b] + times[b];
}

static void add_won(double *restrict won, const double *restrict times,
                    const double *restrict below, const double *restrict up_to, size_t count) {
  for (size_t b = 0; b < count; ++b) won[b] += times[b] * (below[b] + up_to[b]);
}

static void add_seen(double *restrict part, double *restrict seen, const double *restrict times,
                     double weight, double cut, double end, size_t count) {
  for (size_t b = 0; b < count; ++b) {
    const double from = seen[b] > cut ? seen[b] : cut;
    seen[b] += times[b] * weight;
    const double to = seen[b] < end ? seen[b] : end;
    part[b] = to - from > 0 ? to - from : 0;
  }
}

static void divide(double *restrict out, const double *restrict x, double n, size_t count) {
  for (size_t b = 0; b < count; ++b) out[b] = x[b] / n;
}

static void order(double *restrict low, double *restrict high, size_t count) {
  for (size_t b = 0; b < count; ++b) {
    const double x = low[b], y = high[b];
    low[b] = y < x ? y : x;
    high[b] = y < x ? x : y;
  }
}

static void widen(double *restrict out, const uint16_t *restrict x, size_t count) {
  for (size_t i = 0; i < count; ++i) out[i] = x[i];
}

#define SUM_LOOPS                                                                                  \
  { add, go_on, add_won, add_seen, divide, order, widen }
