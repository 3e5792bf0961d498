/* The sign-flip test: are differences symmetric about 0? (Fisher, The Design of Experiments, 1935, 21.)
 *
 * Under the hypothesis every choice of signs is as likely as the observed one. All choices of a group of
 * 2^bits are tried. Each difference d_i has a word g_i, and choice e changes the sign of d_i if
 * e & g_i has an odd number of ones: so the sum of choice e is
 *     T(e) = sum_i (-1)^popcount(e & g_i) d_i = sum_g (-1)^popcount(e & g) a_g,
 * a_g the sum of the d_i with g_i = g: the Walsh-Hadamard transform of a. */
#include <math.h> /* fabs, which is exact */
#include <stdlib.h>

#include "base/error.h"
#include "farsight/base.h"
#include "farsight/statistics.h"
#include "statistics/rules.h"
#include "statistics/sample.h"

/* Computes a_g, in the order of d. */
static void gather(double *a, const double *d, int64_t n, int bits, uint64_t seed) {
  far_rng rng;
  far_rng_init(&rng, seed, 0, FAR_PURPOSE_SIGNS);
  for (int64_t i = 0; i < n; ++i)
    a[i < bits ? (uint64_t)1 << i : far_rng_next(&rng) >> (64 - bits)] += d[i];
}

/* The Walsh-Hadamard transform, in place; additions are in the order of the loops. */
static void transform(double *a, size_t size) {
  for (size_t half = 1; half < size; half *= 2)
    for (size_t block = 0; block < size; block += 2 * half)
      for (size_t i = block; i < block + half; ++i) {
        const double x = a[i], y = a[i + half];
        a[i] = x + y;
        a[i + half] = x - y;
      }
}

/* The share of sums that are at least as far from 0 as the first. */
static double share_beyond(const double *sums, size_t size, double tolerance) {
  const double least = fabs(sums[0]) - tolerance;
  size_t count = 0;
  for (size_t e = 0; e < size; ++e) count += fabs(sums[e]) >= least;
  return (double)count / (double)size;
}

static far_status check(double *total, const double *d, int64_t n, int bits, far_error *error) {
  const far_status status = far__sample_check("the differences", d, n, false, error);
  if (status != FAR_OK) return status;
  if (bits < 1 || bits > FAR__FLIP_BITS_MOST)
    return far__fail(error, FAR_STATUS_RANGE, -1, "2^%d choices of signs; 2^1 to 2^%d are possible",
                     bits, (int)FAR__FLIP_BITS_MOST);
  *total = 0;
  for (int64_t i = 0; i < n; ++i) *total += fabs(d[i]);
  if (*total < INFINITY) return FAR_OK;
  return far__fail(error, FAR_STATUS_RANGE, -1, "the differences: their sum is infinite");
}

far_status far__flip_test(double *p, const double *d, int64_t n, int bits, uint64_t seed,
                          far_error *error) {
  double total;
  const far_status status = check(&total, d, n, bits, error);
  if (status != FAR_OK) return status;
  const size_t size = (size_t)1 << bits;
  double *a = calloc(size, sizeof *a);
  if (a == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for %zu sums", size);
  gather(a, d, n, bits, seed);
  transform(a, size);
  *p = share_beyond(a, size, total * 0x1p-40);
  free(a);
  return FAR_OK;
}
