/* The loops, for the instructions that a file is compiled for. */
#include <string.h>

#include "base/inline.h"
#include "statistics/sums.h"

/* Resamples go through all values side by side: so few that what is added up stays in registers, GROUPS vectors for each
 * sum. What is left over goes one by one, as a vector of which one element counts. */
#ifdef __AVX2__
enum { REALS = 4 };
#else
enum { REALS = 2 };
#endif
enum { GROUPS = 4, LANES = GROUPS * REALS };
_Static_assert((int)LANES <= (int)FAR__LANES, "there is room for them");

typedef double reals __attribute__((vector_size(8 * REALS)));
typedef int64_t integers __attribute__((vector_size(8 * REALS)));

#define EACH_GROUP _Pragma("GCC unroll 4") for (size_t g = 0; g < groups; ++g)

/* A loop is written once, for numbers of groups and of elements that count which the compiler knows. */
#define ALL_LANES(loop, count, ...)                                                                \
  do {                                                                                             \
    size_t b = 0;                                                                                  \
    for (; b + LANES <= (count); b += LANES) loop(__VA_ARGS__, b, GROUPS, REALS);                  \
    for (; b < (count); ++b) loop(__VA_ARGS__, b, 1, 1);                                           \
  } while (0)

FAR__INLINE reals load(const double *x, size_t width) {
  reals out = {0};
  memcpy(&out, x, width * sizeof *x);
  return out;
}

FAR__INLINE void store(double *to, reals x, size_t width) {
  memcpy(to, &x, width * sizeof *to);
}

FAR__INLINE reals choose(integers mask, reals yes, reals no) {
  return (reals)((mask & (integers)yes) | (~mask & (integers)no));
}

FAR__INLINE const double *times_of(const far__drawn_rows *rows, size_t i, size_t b) {
  return rows->times + rows->row[i] * rows->width + b;
}

FAR__INLINE void add_some(double *out, const far__drawn_rows *rows, const double *x, double from,
                          size_t b, size_t groups, size_t width) {
  reals sum[GROUPS] = {{0}};
  for (size_t i = 0; i < rows->n; ++i) {
    const double *times = times_of(rows, i, b), above = x[i] - from;
    EACH_GROUP sum[g] += load(times + g * REALS, width) * above;
  }
  EACH_GROUP store(out + b + g * REALS, sum[g], width);
}

static void add(double *out, const far__drawn_rows *rows, const double *x, double from,
                size_t count) {
  ALL_LANES(add_some, count, out, rows, x, from);
}

/* `before`: of every y how often those before it were drawn, in each lane. */
FAR__INLINE void add_won_some(double *out, const far__drawn_rows *x, const far__drawn_rows *y,
                              const uint32_t *below, const uint32_t *up_to, double *before,
                              size_t b, size_t groups, size_t width) {
  const size_t lanes = groups * width;
  reals sum[GROUPS] = {{0}}, won[GROUPS] = {{0}};
  for (size_t j = 0; j <= y->n; ++j) {
    EACH_GROUP store(before + j * lanes + g * REALS, sum[g], width);
    if (j < y->n) EACH_GROUP sum[g] += load(times_of(y, j, b) + g * REALS, width);
  }
  for (size_t i = 0; i < x->n; ++i) {
    const double *low = before + below[i] * lanes, *high = before + up_to[i] * lanes;
    const double *times = times_of(x, i, b);
    EACH_GROUP won[g] += load(times + g * REALS, width) *
                         (load(low + g * REALS, width) + load(high + g * REALS, width));
  }
  EACH_GROUP store(out + b + g * REALS, won[g], width);
}

static void add_won(double *out, const far__drawn_rows *x, const far__drawn_rows *y,
                    const uint32_t *below, const uint32_t *up_to, double *room, size_t count) {
  ALL_LANES(add_won_some, count, out, x, y, below, up_to, room);
}

/* No part of what is beyond doubles is nothing, and not NaN. */
FAR__INLINE void add_parts_some(double *out, const far__part *parts, size_t n, double cut,
                                double end, size_t b, size_t groups, size_t width) {
  const reals low = cut - (reals){0}, high = end - (reals){0};
  reals sum[GROUPS] = {{0}}, seen[GROUPS] = {{0}};
  for (size_t i = 0; i < n; ++i) {
    const double *times = parts[i].times + b, weight = parts[i].weight, above = parts[i].above;
    EACH_GROUP {
      const reals from = choose(seen[g] > low, seen[g], low);
      seen[g] += load(times + g * REALS, width) * weight;
      const reals part = choose(seen[g] < high, seen[g], high) - from;
      sum[g] += choose(part > 0, part * above, (reals){0});
    }
  }
  EACH_GROUP store(out + b + g * REALS, sum[g], width);
}

static void add_parts(double *out, const far__part *parts, size_t n, double cut, double end,
                      size_t count) {
  ALL_LANES(add_parts_some, count, out, parts, n, cut, end);
}

/* From the greatest value down. */
FAR__INLINE void add_shares_some(double *const *out, const far__drawn_rows *rows,
                                 const size_t *borders, size_t n_out, double n, size_t b,
                                 size_t groups, size_t width) {
  reals sum[GROUPS] = {{0}}, share[GROUPS] = {{0}};
  size_t i = rows->n;
  for (size_t k = n_out; k-- > 0;) {
    const size_t before = i;
    double *to = out[k] + b;
    for (; i > borders[k]; --i)
      EACH_GROUP sum[g] += load(times_of(rows, i - 1, b) + g * REALS, width);
    if (i < before) EACH_GROUP share[g] = sum[g] / n;
    EACH_GROUP store(to + g * REALS, load(to + g * REALS, width) + share[g], width);
  }
}

static void add_shares(double *const *out, const far__drawn_rows *rows, const size_t *borders,
                       size_t n_out, double n, size_t count) {
  ALL_LANES(add_shares_some, count, out, rows, borders, n_out, n);
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
  { add, add_won, add_parts, add_shares, order, widen }
