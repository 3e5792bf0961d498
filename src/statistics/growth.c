#include "statistics/growth.h"

#include <math.h> /* sqrt, floor and ldexp, which are exact */
#include <stdlib.h>

#include "base/error.h"
#include "farsight/base.h"
#include "farsight/statistics.h"
#include "statistics/sample.h"
#include "statistics/sort.h"

/* ---- times ---- */

/* The order statistic, counted from 1 and from either end, where the 95% interval of the median ends:
 * the greatest k with P(fewer than k of n fair coins fall heads) <= 0.025; 0 if there is none.
 * Beyond 1,000 the normal approximation, rounded towards a wider interval. */
static int64_t interval_end(int64_t n) {
  if (n > 1000) return (int64_t)floor(((double)n - 1.959963984540054 * sqrt((double)n)) / 2) - 1;
  double term = ldexp(1, (int)-n), sum = term;
  int64_t k = 0;
  for (; sum <= 0.025; ++k) {
    term *= (double)(n - k) / (double)(k + 1);
    sum += term;
  }
  return k;
}

static void describe(far_times *out, const double *sorted, int64_t n) {
  const int64_t k = interval_end(n);
  out->median = far__sorted_quantile(sorted, n, 0.5);
  out->first_quartile = far__sorted_quantile(sorted, n, 0.25);
  out->third_quartile = far__sorted_quantile(sorted, n, 0.75);
  out->low = k > 0 ? sorted[k - 1] : NAN;
  out->high = k > 0 ? sorted[n - k] : NAN;
}

far_status far_times_summarise(far_times *out, const double *times, int64_t runs, double limit,
                               far_error *error) {
  *out = (far_times){.runs = runs};
  if (runs < 1) return far__fail(error, FAR_STATUS_RANGE, -1, "no times are given");
  for (int64_t i = 0; i < runs; ++i)
    if (times[i] != times[i])
      return far__fail(error, FAR_STATUS_RANGE, -1, "a time is not a number");
  double *sorted = malloc((size_t)runs * sizeof *sorted);
  if (sorted == NULL)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for %lld times", (long long)runs);
  for (int64_t i = 0; i < runs; ++i) {
    out->censored += times[i] > limit;
    sorted[i] = times[i] > limit ? INFINITY : times[i];
  }
  far__sort(sorted, runs);
  describe(out, sorted, runs);
  free(sorted);
  return FAR_OK;
}

/* ---- laws ---- */

const char *far__law_name(far__law law) {
  static const char *const names[] = {"polynomial", "exponential", "mixed"};
  return names[law];
}

/* Sums over the points of products of deviations from the means; x is ln size, z size, y ln value. */
typedef struct moments {
  size_t n;
  double x, z, y; /* means */
  double xx, xz, zz, xy, zy;
} moments;

static moments moments_of(const double *sizes, const double *values, size_t n) {
  moments m = {.n = n};
  for (size_t i = 0; i < n; ++i) {
    m.x += far_log(sizes[i]);
    m.z += sizes[i];
    m.y += far_log(values[i]);
  }
  m.x /= (double)n;
  m.z /= (double)n;
  m.y /= (double)n;
  for (size_t i = 0; i < n; ++i) {
    const double x = far_log(sizes[i]) - m.x, z = sizes[i] - m.z, y = far_log(values[i]) - m.y;
    m.xx += x * x;
    m.xz += x * z;
    m.zz += z * z;
    m.xy += x * y;
    m.zy += z * y;
  }
  return m;
}

/* Sum of squares about ln scale + power ln size + rate size. */
static double squares(const far__fit *f, const moments *m, const double *sizes,
                      const double *values) {
  double sum = 0;
  for (size_t i = 0; i < m->n; ++i) {
    const double d = far_log(values[i]) - m->y - f->power * (far_log(sizes[i]) - m->x) -
                     f->rate * (sizes[i] - m->z);
    sum += d * d;
  }
  return sum;
}

/* Raises sums that may be rounding: no law is exact to more than 12 digits. */
static double no_less(double sum, size_t n) {
  const double least = 1e-24 * (double)n;
  return sum > least ? sum : least;
}

/* Akaike's criterion, corrected (Hurvich & Tsai 1989); the variance counts as a parameter. */
static double corrected_aic(double sum, size_t n, int coefficients) {
  const double p = coefficients + 1, left = (double)n - p - 1;
  if (left < 1) return NAN;
  return (double)n * far_log(no_less(sum, n) / (double)n) + 2 * p + 2 * p * (p + 1) / left;
}

/* `power_unit` and `rate_unit` are the variances of power and rate in units of the residual one. */
static double finish(far__fit *f, const moments *m, const double *sizes, const double *values,
                     int coefficients, double power_unit, double rate_unit) {
  const int64_t degrees = (int64_t)m->n - coefficients;
  const double sum = squares(f, m, sizes, values);
  f->fitted = true;
  f->scale = far_exp(m->y - f->power * m->x - f->rate * m->z);
  f->spread = sqrt(sum / (double)degrees);
  f->power_ci95 = far__student_975(degrees) * f->spread * sqrt(power_unit);
  f->rate_ci95 = far__student_975(degrees) * f->spread * sqrt(rate_unit);
  f->aicc = corrected_aic(sum, m->n, coefficients);
  return sum;
}

static void fit_mixed(far__fit *f, const moments *m, const double *sizes, const double *values) {
  const double determinant = m->xx * m->zz - m->xz * m->xz;
  *f = (far__fit){false, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
  if (m->n < 4 || !(determinant > 1e-12 * m->xx * m->zz)) return;
  f->power = (m->xy * m->zz - m->zy * m->xz) / determinant;
  f->rate = (m->zy * m->xx - m->xy * m->xz) / determinant;
  finish(f, m, sizes, values, 3, m->zz / determinant, m->xx / determinant);
}

static far_status check(const double *sizes, const double *values, size_t n, far_error *error) {
  size_t differ = 0;
  for (size_t i = 0; i < n; ++i) {
    if (!(sizes[i] > 0 && sizes[i] < INFINITY && values[i] > 0 && values[i] < INFINITY))
      return far__fail(error, FAR_STATUS_RANGE, -1,
                       "point %zu: size and value must be finite and above 0", i);
    bool again = false;
    for (size_t k = 0; k < i && !again; ++k) again = sizes[k] == sizes[i];
    differ += !again;
  }
  if (differ >= 3) return FAR_OK;
  return far__fail(error, FAR_STATUS_RANGE, -1, "a law needs 3 sizes that differ; there are %zu",
                   differ);
}

far_status far__growth_fit(far__growth *out, const double *sizes, const double *values, size_t n,
                           far_error *error) {
  *out = (far__growth){.points = n};
  const far_status status = check(sizes, values, n, error);
  if (status != FAR_OK) return status;
  const moments m = moments_of(sizes, values, n);
  far__fit *polynomial = &out->laws[FAR__LAW_POLYNOMIAL];
  far__fit *exponential = &out->laws[FAR__LAW_EXPONENTIAL];
  polynomial->power = m.xy / m.xx;
  exponential->rate = m.zy / m.zz;
  const double sum = finish(polynomial, &m, sizes, values, 2, 1 / m.xx, 0);
  const double other = finish(exponential, &m, sizes, values, 2, 0, 1 / m.zz);
  out->evidence = (double)n * far_log(no_less(other, n) / no_less(sum, n));
  fit_mixed(&out->laws[FAR__LAW_MIXED], &m, sizes, values);
  return FAR_OK;
}
