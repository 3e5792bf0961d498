/* Two samples: paired runs, which share random numbers, or Welch's test of independent ones. */
#include <math.h> /* sqrt, fmax and ldexp, which are exact; INFINITY, NAN */
#include <stdlib.h>

#include "base/error.h"
#include "base/special.h"
#include "statistics/bootstrap.h"
#include "statistics/sample.h"
#include "statistics/sort.h"

int64_t far__pairs_match(double *px, double *py, const double *x, const int64_t *x_replicates,
                         int64_t nx, const double *y, const int64_t *y_replicates, int64_t ny) {
  int64_t n = 0;
  for (int64_t i = 0, j = 0; i < nx && j < ny;) {
    if (x_replicates[i] == y_replicates[j]) {
      px[n] = x[i++];
      py[n++] = y[j++];
    } else {
      *(x_replicates[i] < y_replicates[j] ? &i : &j) += 1;
    }
  }
  return n;
}

/* A mean with its standard error (NaN: unknown), tested against 0. */
typedef struct test {
  double t, p, half; /* half-width of the interval */
} test;

static test student_test(double mean, double error, double degrees, double level,
                         far_bootstrap_cache *cache) {
  test out = {NAN, NAN, NAN};
  if (error != error) return out;
  out.half = error > 0 ? -far__cache_quantile(cache, (1 - level) / 2, degrees) * error : 0;
  if (error > 0)
    out.t = mean / error;
  else
    out.t = mean == 0 ? 0 : mean > 0 ? INFINITY : -INFINITY;
  out.p = 2 * far__student_tail(out.t < 0 ? -out.t : out.t, degrees);
  return out;
}

/* ---- pairs ---- */

/* Correlation, with sums in units of 2^(2 exponent). */
static double variance(double std, int exponent) {
  const double x = ldexp(std, -exponent);
  return x * x;
}

static double correlation_of(const double *x, far__mean_std mx, const double *y, far__mean_std my,
                             int64_t n) {
  double sum = 0;
  if (!(mx.std > 0 && my.std > 0)) return NAN;
  for (int64_t i = 0; i < n; ++i) sum += (x[i] - mx.mean) / mx.std * ((y[i] - my.mean) / my.std);
  return sum / (double)(n - 1);
}

/* Describes the pairing: correlation, and what else differences d = x - y do not show. */
static void describe_pairs(far_paired *out, const double *x, const double *y, int64_t n) {
  const far__mean_std mx = far__mean_std_of(x, n), my = far__mean_std_of(y, n);
  int64_t won = 0, tied = 0;
  for (int64_t i = 0; i < n; ++i) {
    won += x[i] > y[i];
    tied += x[i] == y[i];
  }
  out->won = (double)won / (double)n;
  out->tied = (double)tied / (double)n;
  out->correlation = correlation_of(x, mx, y, my, n);
  const int exponent = far__exponent(out->std > 0 ? out->std : fmax(mx.std, my.std));
  const double apart = variance(mx.std, exponent) + variance(my.std, exponent);
  if (out->std > 0)
    out->saving = apart / variance(out->std, exponent);
  else
    out->saving = apart > 0 ? INFINITY : NAN;
}

static void draw_mean(double *const *out, const far__draw *draw, void *user) {
  (void)user;
  far__draw_mean(out[0], draw, 0);
}

static far_status compare_differences(far_paired *out, double *d, int64_t n,
                                      const far_bootstrap_def *def, far_error *error) {
  const far__mean_std m = far__mean_std_of(d, n);
  const test t =
      student_test(m.mean, m.std / sqrt((double)n), (double)(n - 1), def->level, def->cache);
  out->mean = m.mean;
  out->std = m.std;
  out->low = m.mean - t.half;
  out->high = m.mean + t.half;
  out->t = t.t;
  out->p = t.p;
  out->bootstrap = (far_estimate){m.mean, NAN, NAN, NAN, 0, 0};
  if (def->resamples == 0) return FAR_OK;
  far__sort(d, n);
  const far_sample sample = {d, n};
  return far__bootstrap(&out->bootstrap, 1, &sample, NULL, 1, draw_mean, NULL, def, error);
}

static far_status check_pairs(const double *x, const double *y, int64_t n,
                              const far_bootstrap_def *def, far_error *error) {
  far_status status =
      def->resamples == 0 ? far__level_check(def->level, error) : far__bootstrap_check(def, error);
  if (status == FAR_OK) status = far__sample_check("the first of the pairs", x, n, false, error);
  if (status == FAR_OK) status = far__sample_check("the second of the pairs", y, n, false, error);
  return status;
}

far_status far_pairs_compare(far_paired *out, const double *x, const double *y, int64_t n,
                             const far_bootstrap_def *def, far_error *error) {
  *out = (far_paired){.n = n};
  far_status status = check_pairs(x, y, n, def, error);
  if (status != FAR_OK) return status;
  double *d = malloc((size_t)n * sizeof *d);
  if (d == NULL)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for %lld pairs", (long long)n);
  for (int64_t i = 0; i < n; ++i) d[i] = x[i] - y[i];
  status = far__sample_check("the differences", d, n, false, error);
  if (status == FAR_OK) status = compare_differences(out, d, n, def, error);
  if (status == FAR_OK) describe_pairs(out, x, y, n);
  free(d);
  return status;
}

/* ---- no pairs ---- */

/* Welch & Satterthwaite; INFINITY where nothing varies. */
static double welch_degrees(double vx, double nx, double vy, double ny) {
  const double sum = vx + vy;
  if (!(sum > 0)) return sum == 0 ? INFINITY : NAN;
  const double x = vx / sum, y = vy / sum; /* shares, so that no square over- or underflows */
  return 1 / (x * x / (nx - 1) + y * y / (ny - 1));
}

far_status far_samples_compare(far_welch *out, const double *x, int64_t nx, const double *y,
                               int64_t ny, double level, far_error *error) {
  *out = (far_welch){0};
  far_status status = far__level_check(level, error);
  if (status == FAR_OK) status = far__sample_check("the first sample", x, nx, false, error);
  if (status == FAR_OK) status = far__sample_check("the second sample", y, ny, false, error);
  if (status != FAR_OK) return status;
  const far__mean_std mx = far__mean_std_of(x, nx), my = far__mean_std_of(y, ny);
  const int exponent = far__exponent(fmax(mx.std, my.std));
  const double vx = variance(mx.std, exponent) / (double)nx;
  const double vy = variance(my.std, exponent) / (double)ny;
  out->mean = mx.mean - my.mean;
  out->degrees = welch_degrees(vx, (double)nx, vy, (double)ny);
  const test t = student_test(out->mean, ldexp(sqrt(vx + vy), exponent), out->degrees, level, NULL);
  out->low = out->mean - t.half;
  out->high = out->mean + t.half;
  out->t = t.t;
  out->p = t.p;
  return FAR_OK;
}
