/* A second bootstrap, written from the text of statistics.h: it writes every resample out, sorts it, and calls a
 * plain statistic. All estimates of the library must be its, for samples of unequal size, of equal values, with
 * ties, drawn apart and together. Normal probabilities are those of the C library's erfc. */
#include <farsight/farsight.h>
#include <stdlib.h>

#include "check.h"

enum { MOST_SAMPLES = 6, MOST_VALUES = 16, RESAMPLES = 200 };

/* One resample, or the samples themselves; each ascending. */
typedef struct draw {
  double x[MOST_SAMPLES][MOST_VALUES];
  int64_t n[MOST_SAMPLES];
  size_t n_samples;
} draw;

typedef double plain(const draw *d, double tau);

/* ---- plain statistics ---- */

static double mean_of(const double *x, int64_t n) {
  double sum = 0;
  for (int64_t i = 0; i < n; ++i) sum += x[i];
  return sum / (double)n;
}

/* Type 7 of Hyndman & Fan. */
static double quantile_of(const double *x, int64_t n, double p) {
  const double at = (double)(n - 1) * p;
  const int64_t k = (int64_t)at;
  return k + 1 < n ? x[k] + (at - (double)k) * (x[k + 1] - x[k]) : x[n - 1];
}

static double first_mean(const draw *d, double tau) {
  (void)tau;
  return mean_of(d->x[0], d->n[0]);
}

static double first_median(const draw *d, double tau) {
  (void)tau;
  return quantile_of(d->x[0], d->n[0], 0.5);
}

static double mean_of_means(const draw *d, double tau) {
  double sum = 0;
  (void)tau;
  for (size_t s = 0; s < d->n_samples; ++s) sum += mean_of(d->x[s], d->n[s]);
  return sum / (double)d->n_samples;
}

static int by_value(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median_of_means(const draw *d, double tau) {
  double means[MOST_SAMPLES];
  (void)tau;
  for (size_t s = 0; s < d->n_samples; ++s) means[s] = mean_of(d->x[s], d->n[s]);
  qsort(means, d->n_samples, sizeof *means, by_value);
  return quantile_of(means, (int64_t)d->n_samples, 0.5);
}

/* Every pair is compared; samples 2e and 2e + 1 are x and y of an environment. */
static double improvement(const draw *d, double tau) {
  double sum = 0;
  (void)tau;
  for (size_t s = 0; s < d->n_samples; s += 2) {
    double won = 0;
    for (int64_t i = 0; i < d->n[s]; ++i)
      for (int64_t j = 0; j < d->n[s + 1]; ++j)
        won += d->x[s][i] > d->x[s + 1][j] ? 1 : d->x[s][i] == d->x[s + 1][j] ? 0.5 : 0;
    sum += won / (double)(d->n[s] * d->n[s + 1]);
  }
  return sum / ((double)d->n_samples / 2);
}

static double share_above(const draw *d, double tau) {
  double sum = 0;
  for (size_t s = 0; s < d->n_samples; ++s)
    for (int64_t i = 0; i < d->n[s]; ++i) sum += (d->x[s][i] > tau) / (double)d->n[s];
  return sum / (double)d->n_samples;
}

static double gap(const draw *d, double tau) {
  double sum = 0;
  (void)tau;
  for (size_t s = 0; s < d->n_samples; ++s)
    for (int64_t i = 0; i < d->n[s]; ++i) sum += fmax(0, 1 - d->x[s][i]) / (double)d->n[s];
  return sum / (double)d->n_samples;
}

typedef struct weighed {
  double x, weight;
} weighed;

/* Weights that add up to 1; floor(N / 4) / N of them is cut at each end. */
static double iqm(const draw *d, double tau) {
  weighed all[MOST_SAMPLES * MOST_VALUES];
  int64_t n = 0;
  double at = 0, sum = 0;
  (void)tau;
  for (size_t s = 0; s < d->n_samples; ++s)
    for (int64_t i = 0; i < d->n[s]; ++i)
      all[n++] = (weighed){d->x[s][i], 1 / (double)d->n[s] / (double)d->n_samples};
  qsort(all, (size_t)n, sizeof *all, by_value); /* x comes first */
  const double cut = (double)(n / 4) / (double)n;
  for (int64_t i = 0; i < n; ++i) {
    const double from = fmax(at, cut), to = fmin(at + all[i].weight, 1 - cut);
    if (to > from) sum += (to - from) * all[i].x;
    at += all[i].weight;
  }
  return sum / (1 - 2 * cut);
}

/* ---- the bootstrap ---- */

static double normal_tail_below(double z) {
  return erfc(-z / sqrt(2)) / 2;
}

static double normal_quantile(double p) {
  double low = -40, high = 40;
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    *(normal_tail_below(middle) < p ? &low : &high) = middle;
  }
  return low;
}

static void sort_all(draw *d) {
  for (size_t s = 0; s < d->n_samples; ++s)
    qsort(d->x[s], (size_t)d->n[s], sizeof(double), by_value);
}

/* Apart, draws are of the ascending samples; together, run by run as they were given. */
static void resample(draw *out, const draw *given, const draw *sorted, uint64_t b,
                     const far_bootstrap_def *def) {
  far_rng rng;
  far_rng_init(&rng, def->seed, b, FAR_PURPOSE_BOOTSTRAP);
  *out = *sorted;
  for (int64_t i = 0; def->together && i < given->n[0]; ++i) {
    const uint64_t run = far_rng_below(&rng, (uint32_t)given->n[0]);
    for (size_t s = 0; s < given->n_samples; ++s) out->x[s][i] = given->x[s][run];
  }
  for (size_t s = 0; !def->together && s < given->n_samples; ++s)
    for (int64_t i = 0; i < given->n[s]; ++i)
      out->x[s][i] = sorted->x[s][far_rng_below(&rng, (uint32_t)given->n[s])];
  sort_all(out);
}

static void leave_out(draw *d, size_t s, int64_t i) {
  d->n[s] -= 1;
  for (int64_t k = i; k < d->n[s]; ++k) d->x[s][k] = d->x[s][k + 1];
}

/* a, by leaving out value after value of each sample, or run after run of all. */
static double acceleration(const draw *given, plain *f, double tau, bool together) {
  double squares = 0, cubes = 0;
  for (size_t s = 0; s < (together ? 1 : given->n_samples); ++s) {
    const int64_t n = given->n[s];
    double without[MOST_VALUES];
    for (int64_t i = 0; i < n && n > 1; ++i) {
      draw d = *given;
      for (size_t k = 0; k < d.n_samples; ++k)
        if (together || k == s) leave_out(&d, k, i);
      sort_all(&d);
      without[i] = f(&d, tau);
    }
    for (int64_t i = 0; i < n && n > 1; ++i) {
      const double u = (double)(n - 1) * (mean_of(without, n) - without[i]) / (double)n;
      squares += u * u;
      cubes += u * u * u;
    }
  }
  return squares > 1e-25 ? cubes / 6 / pow(squares, 1.5) : 0;
}

static double place_of(double bias, double a, double z) {
  const double under = 1 - a * (bias + z);
  if (under <= 0) return bias + z > 0;
  return normal_tail_below(bias + (bias + z) / under);
}

/* Equal numbers of other orders of summation may differ by a rounding. */
static double bias_of(double value, const double *v) {
  double below = 0;
  for (int b = 0; b < RESAMPLES; ++b)
    below += fabs(v[b] - value) < 1e-12 ? 0.5 : v[b] < value ? 1 : 0;
  return normal_quantile(below / RESAMPLES);
}

static far_estimate second(const draw *given, plain *f, double tau, const far_bootstrap_def *def) {
  static double v[RESAMPLES];
  draw sorted = *given, d;
  sort_all(&sorted);
  far_estimate e = {.value = f(&sorted, tau)};
  for (int b = 0; b < RESAMPLES; ++b) {
    resample(&d, given, &sorted, (uint64_t)b, def);
    v[b] = f(&d, tau);
  }
  qsort(v, RESAMPLES, sizeof *v, by_value);
  const double mean = mean_of(v, RESAMPLES), alpha = (1 - def->level) / 2;
  for (int b = 0; b < RESAMPLES; ++b) e.std += (v[b] - mean) * (v[b] - mean) / (RESAMPLES - 1);
  e.std = sqrt(e.std);
  double low = alpha, high = 1 - alpha;
  if (def->method == FAR_BOOTSTRAP_BCA && v[RESAMPLES - 1] - v[0] > 1e-12) {
    e.bias = bias_of(e.value, v);
    e.acceleration = acceleration(given, f, tau, def->together);
    low = place_of(e.bias, e.acceleration, normal_quantile(alpha));
    high = place_of(e.bias, e.acceleration, -normal_quantile(alpha));
  }
  e.low = quantile_of(v, RESAMPLES, low);
  e.high = quantile_of(v, RESAMPLES, high);
  return e;
}

static void check_estimate(const far_estimate *e, const draw *given, plain *f, double tau,
                           const far_bootstrap_def *def) {
  const far_estimate s = second(given, f, tau, def);
  CHECK_NEAR(e->value, s.value, 1e-12);
  CHECK_NEAR(e->std, s.std, 1e-12);
  CHECK_NEAR(e->bias, s.bias, 1e-10);
  CHECK_NEAR(e->acceleration, s.acceleration, 1e-9);
  CHECK_NEAR(e->low, s.low, 1e-9);
  CHECK_NEAR(e->high, s.high, 1e-9);
}

/* ---- samples ---- */

static draw made(const int64_t *n, size_t n_samples, bool ties, uint64_t seed) {
  draw d = {.n_samples = n_samples};
  far_rng rng;
  far_rng_init(&rng, seed, 0, FAR_PURPOSE_SEARCH);
  for (size_t s = 0; s < n_samples; ++s) {
    d.n[s] = n[s];
    for (int64_t i = 0; i < n[s]; ++i) {
      const double u = far_rng_uniform(&rng) * 1.6;
      d.x[s][i] = ties ? floor(4 * u * u) / 4 : u * u * u;
    }
  }
  return d;
}

static void as_samples(far_sample *out, const draw *d) {
  for (size_t s = 0; s < d->n_samples; ++s) out[s] = (far_sample){d->x[s], d->n[s]};
}

static void shown_means(double *out, const far_sample *x, size_t n, void *user) {
  (void)user;
  out[0] = out[1] = 0;
  for (size_t s = 0; s < n; ++s) out[0] += mean_of(x[s].x, x[s].n) / (double)n;
  out[1] = quantile_of(x[0].x, x[0].n, 0.5);
}

/* ---- tests ---- */

/* A caller's statistic of several samples, and those of the library of one. */
static void test_run(const draw *d, const far_bootstrap_def *def) {
  far_sample x[MOST_SAMPLES];
  far_estimate e[2];
  as_samples(x, d);
  CHECK(far_bootstrap_run(e, 2, x, d->n_samples, shown_means, NULL, def, NULL) == FAR_OK);
  check_estimate(&e[0], d, mean_of_means, 0, def);
  check_estimate(&e[1], d, first_median, 0, def);
  const draw alone = {.n = {d->n[0]}, .n_samples = 1};
  draw one = alone;
  memcpy(one.x[0], d->x[0], sizeof one.x[0]);
  far_bootstrap_def apart = *def;
  CHECK(far_bootstrap_run(e, 1, x, 1, far_statistic_mean, NULL, def, NULL) == FAR_OK);
  apart.together = false; /* one sample has nothing to be drawn together with */
  check_estimate(e, &one, first_mean, 0, &apart);
}

static void test_aggregates(const draw *d, const far_bootstrap_def *def) {
  far_sample x[MOST_SAMPLES];
  far_aggregate g;
  as_samples(x, d);
  CHECK(far_scores_aggregate(&g, x, d->n_samples, def, NULL) == FAR_OK);
  check_estimate(&g.mean, d, mean_of_means, 0, def);
  check_estimate(&g.median, d, median_of_means, 0, def);
  check_estimate(&g.iqm, d, iqm, 0, def);
  check_estimate(&g.gap, d, gap, 0, def);
}

static void test_profile(const draw *d, const far_bootstrap_def *def) {
  far_sample x[MOST_SAMPLES];
  far_estimate e[4];
  const double tau[] = {-1, 0.25, 1, 2};
  as_samples(x, d);
  CHECK(far_profile(e, tau, 4, x, d->n_samples, def, NULL) == FAR_OK);
  for (int k = 0; k < 4; ++k) check_estimate(&e[k], d, share_above, tau[k], def);
}

static void test_improvement(const draw *d, const far_bootstrap_def *def) {
  far_sample all[MOST_SAMPLES] = {{0}}, x[MOST_SAMPLES], y[MOST_SAMPLES];
  far_estimate e;
  as_samples(all, d);
  for (size_t s = 0; s < d->n_samples; s += 2) x[s / 2] = all[s], y[s / 2] = all[s + 1];
  CHECK(far_improvement(&e, x, y, d->n_samples / 2, def, NULL) == FAR_OK);
  check_estimate(&e, d, improvement, 0, def);
}

static void test_paired(const draw *d, const far_bootstrap_def *def) {
  far_sample all[MOST_SAMPLES], x[MOST_SAMPLES], y[MOST_SAMPLES];
  draw scores = {.n_samples = d->n_samples / 2};
  far_estimate e;
  as_samples(all, d);
  for (size_t s = 0; s < d->n_samples; s += 2) {
    x[s / 2] = all[s], y[s / 2] = all[s + 1];
    scores.n[s / 2] = d->n[s];
    for (int64_t i = 0; i < d->n[s]; ++i)
      scores.x[s / 2][i] = d->x[s][i] > d->x[s + 1][i] ? 1 : d->x[s][i] == d->x[s + 1][i] ? 0.5 : 0;
  }
  CHECK(far_improvement_paired(&e, x, y, scores.n_samples, def, NULL) == FAR_OK);
  check_estimate(&e, &scores, mean_of_means, 0, def);
}

/* Values without ties, in samples of any size. */
static void test_continuous(const far_bootstrap_def *def) {
  const int64_t sizes[] = {9, 4, 1, 7, 12, 3}, same[] = {7, 7, 7, 7, 7};
  far_bootstrap_def together = *def;
  const draw uneven = made(sizes, 6, false, def->seed), even = made(same, 5, false, def->seed + 10);
  together.together = true;
  test_run(&uneven, def);
  test_run(&even, &together);
  test_aggregates(&uneven, def);
  test_aggregates(&even, &together);
}

/* Quarters in samples whose sizes are powers of two: all sums are exact, so that ties are ties in any order of
 * summation. */
static void test_ties(const far_bootstrap_def *def) {
  const int64_t sizes[] = {8, 4, 2, 2}, same[] = {8, 8, 8, 8};
  far_bootstrap_def together = *def;
  const draw uneven = made(sizes, 4, true, def->seed), even = made(same, 4, true, def->seed + 10);
  together.together = true;
  const draw *const given[] = {&uneven, &even, &even};
  for (int i = 0; i < 3; ++i) {
    const far_bootstrap_def *how = i < 2 ? def : &together;
    test_run(given[i], how);
    test_aggregates(given[i], how);
    test_profile(given[i], how);
    test_improvement(given[i], how);
  }
  test_paired(&even, def);
  test_paired(&even, &together);
}

int main(void) {
  far_bootstrap_def def = far_bootstrap_def_default();
  def.resamples = RESAMPLES;
  for (uint64_t seed = 1; seed <= 3; ++seed)
    for (int method = 0; method < 2; ++method) {
      def.seed = seed;
      def.method = method ? FAR_BOOTSTRAP_PERCENTILE : FAR_BOOTSTRAP_BCA;
      def.level = seed == 1 ? 0.95 : 0.5;
      test_continuous(&def);
      test_ties(&def);
    }
  return check_report();
}
