/* One sample: order statistics, moments, Student's interval. */
#include "statistics/sample.h"

#include <math.h> /* sqrt, floor, frexp and ldexp, which are exact */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "farsight/statistics.h"
#include "statistics/sort.h"

/* Below this, squares may have lost digits that the deviations have. */
static const double LEAST_SQUARES = 0x1p-900;

far_status far__level_check(double level, far_error *error) {
  if (level > 0 && level < 1) return FAR_OK;
  return far__fail(error, FAR_STATUS_RANGE, -1,
                   "a confidence level must lie between 0 and 1, such as 0.95; %s does not",
                   far__shortest(level).text);
}

far_status far__sample_check(const char *what, const double *x, int64_t n, bool infinite,
                             far_error *error) {
  if (n < 1) return far__fail(error, FAR_STATUS_RANGE, -1, "%s: there is no value", what);
  if (n > UINT32_MAX)
    return far__fail(error, FAR_STATUS_RANGE, -1, "%s: %lld values are too many; 2^32 - 1 at most",
                     what, (long long)n);
  for (int64_t i = 0; i < n; ++i) {
    if (x[i] != x[i])
      return far__fail(error, FAR_STATUS_RANGE, -1, "%s: value %lld is not a number", what,
                       (long long)i);
    if (!infinite && x[i] - x[i] != 0)
      return far__fail(error, FAR_STATUS_RANGE, -1, "%s: value %lld is infinite", what,
                       (long long)i);
  }
  return FAR_OK;
}

double *far__sorted_copy(const double *x, int64_t n) {
  double *out = malloc((size_t)n * sizeof *out);
  if (out == NULL) return NULL;
  memcpy(out, x, (size_t)n * sizeof *out);
  far__sort(out, n);
  return out;
}

int64_t far__quantile_place(double *weight, int64_t n, double p) {
  const double at = (double)(n - 1) * p, below = floor(at);
  *weight = at - below;
  return (int64_t)below;
}

double far__sorted_quantile(const double *sorted, int64_t n, double p) {
  double weight;
  const int64_t place = far__quantile_place(&weight, n, p);
  return far__quantile_between(sorted + place, weight);
}

static bool is_finite(double x) {
  return x - x == 0;
}

double far__sorted_mean(const double *sorted, int64_t n) {
  if (sorted[0] == sorted[n - 1]) return sorted[0];
  double sum = 0;
  for (int64_t i = 0; i < n; ++i) sum += sorted[i];
  if (is_finite(sum)) return sum / (double)n;
  sum = 0; /* the sum exceeds doubles, and the mean need not */
  for (int64_t i = 0; i < n; ++i) sum += sorted[i] / (double)n;
  return sum;
}

double far__sorted_iqm(const double *sorted, int64_t n) {
  return far__sorted_mean(sorted + n / 4, n - 2 * (n / 4));
}

int far__exponent(double x) {
  int e = 0;
  if (x - x == 0) (void)frexp(x, &e);
  return e;
}

bool far__all_equal(const double *x, int64_t n) {
  int64_t i = 1;
  while (i < n && x[i] == x[0]) ++i;
  return i >= n;
}

/* The mean of all values times `scale`, and the sum of squared deviations from it. */
static double sum_squares(const double *x, int64_t n, double scale, double *mean) {
  double sum = 0, squares = 0;
  for (int64_t i = 0; i < n; ++i) sum += x[i] * scale;
  *mean = sum / (double)n;
  for (int64_t i = 0; i < n; ++i) {
    const double d = x[i] * scale - *mean;
    squares += d * d;
  }
  return squares;
}

/* The same in eight sums, of which each takes every eighth value: a processor adds them side by side. */
static double sum_squares_side_by_side(const double *x, int64_t n, double scale, double *mean) {
  enum { LANES = 8 };
  double sums[LANES] = {0}, squares[LANES] = {0};
  const int64_t whole = n - n % LANES;
  for (int64_t i = 0; i < whole; i += LANES)
    for (int64_t k = 0; k < LANES; ++k) sums[k] += x[i + k] * scale;
  for (int64_t i = whole; i < n; ++i) sums[i - whole] += x[i] * scale;
  for (int64_t k = 1; k < LANES; ++k) sums[0] += sums[k];
  const double center = *mean = sums[0] / (double)n;
  for (int64_t i = 0; i < whole; i += LANES)
    for (int64_t k = 0; k < LANES; ++k) {
      const double d = x[i + k] * scale - center;
      squares[k] += d * d;
    }
  for (int64_t i = whole; i < n; ++i) {
    const double d = x[i] * scale - center;
    squares[i - whole] += d * d;
  }
  for (int64_t k = 1; k < LANES; ++k) squares[0] += squares[k];
  return squares[0];
}

/* A power of two that scales the greatest value to about 1; 1 if a value is infinite. */
static double unit_of(const double *x, int64_t n) {
  double most = 0;
  for (int64_t i = 0; i < n; ++i) most = fmax(most, fabs(x[i]));
  const int exponent = far__exponent(most);
  return ldexp(1, exponent < -1000 ? 1000 : -exponent);
}

typedef double sum_fn(const double *x, int64_t n, double scale, double *mean);

/* Scales the values only if squares would leave the range of doubles. */
static far__mean_std mean_std_by(sum_fn *sum, const double *x, int64_t n) {
  if (far__all_equal(x, n)) return (far__mean_std){x[0], n > 1 ? x[0] - x[0] : NAN};
  far__mean_std m;
  double squares = sum(x, n, 1, &m.mean), unit = 1;
  if (!(squares >= LEAST_SQUARES && is_finite(squares))) {
    unit = unit_of(x, n);
    squares = sum(x, n, unit, &m.mean);
  }
  return (far__mean_std){m.mean / unit, sqrt(squares / (double)(n - 1)) / unit};
}

far__mean_std far__mean_std_of(const double *x, int64_t n) {
  return mean_std_by(sum_squares, x, n);
}

far__mean_std far__mean_std_of_many(const double *x, int64_t n) {
  return mean_std_by(sum_squares_side_by_side, x, n);
}

bool far__is_skewed(const double *x, int64_t n, far__mean_std m) {
  double cubes = 0;
  if (!(m.std > 0)) return false;
  for (int64_t i = 0; i < n; ++i) {
    const double d = (x[i] - m.mean) / m.std;
    cubes += d * d * d;
  }
  const double skewness = cubes / (double)n;
  return (double)n < 25 * skewness * skewness;
}

double far__student_factor(double alpha, double degrees) {
  return -far_student_quantile(alpha / 2, degrees);
}

double far__half_width(double t, double std, int64_t n) {
  return t * std / sqrt((double)n);
}

far_moments far_sample_moments(const double *x, int64_t n) {
  const far__mean_std m = far__mean_std_of(x, n);
  return (far_moments){m.mean, m.std, far__half_width(far__student_975(n - 1), m.std, n)};
}

far_status far_sample_summarise(far_summary *out, const double *x, int64_t n, double level,
                                far_error *error) {
  *out = (far_summary){.n = n};
  far_status status = far__level_check(level, error);
  if (status == FAR_OK) status = far__sample_check("the sample", x, n, true, error);
  if (status != FAR_OK) return status;
  double *sorted = far__sorted_copy(x, n);
  if (sorted == NULL)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for %lld values", (long long)n);
  const far__mean_std m = far__mean_std_of(x, n);
  const double half = far__half_width(far__student_factor(1 - level, (double)(n - 1)), m.std, n);
  *out = (far_summary){.n = n,
                       .mean = m.mean,
                       .std = m.std,
                       .low = m.mean - half,
                       .high = m.mean + half,
                       .min = sorted[0],
                       .first_quartile = far__sorted_quantile(sorted, n, 0.25),
                       .median = far__sorted_quantile(sorted, n, 0.5),
                       .third_quartile = far__sorted_quantile(sorted, n, 0.75),
                       .max = sorted[n - 1],
                       .iqm = far__sorted_iqm(sorted, n)};
  free(sorted);
  return FAR_OK;
}
