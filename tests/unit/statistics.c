/* Statistics: values by hand, degenerate samples, and what is refused. How often intervals hold: interval-coverage.c. */
#include <farsight/farsight.h>
#include <stdlib.h>

#include "base/special.h"
#include "base/variate.h"
#include "check.h"
#include "statistics/sample.h"
#include "statistics/sort.h"

#define COUNT(array) ((int64_t)(sizeof(array) / sizeof *(array)))

static far_bootstrap_def few(int64_t resamples) {
  far_bootstrap_def def = far_bootstrap_def_default();
  def.resamples = resamples;
  return def;
}

static bool is_nan(double x) {
  return x != x;
}

/* ---- distributions ---- */

static void test_student(void) {
  CHECK_NEAR(far_student_quantile(0.975, INFINITY), 1.959963984540054, 1e-14);
  CHECK_NEAR(far_student_quantile(0.9999999, INFINITY), 5.199337582290661, 1e-9);
  CHECK_NEAR(far__student_tail(1.959963984540054, INFINITY), 0.025, 1e-15);
  CHECK_NEAR(far_student_quantile(0.975, 1), 12.706204736174694, 1e-11); /* tan(0.475 pi) */
  CHECK_NEAR(far_student_quantile(0.75, 1), 1, 1e-14);
  CHECK_NEAR(far_student_quantile(0.025, 299), -1.9679296690656702, 1e-13);
  CHECK(far_student_quantile(0.5, 3) == 0);
  CHECK(far_student_quantile(0.25, 3.5) == -far_student_quantile(0.75, 3.5));
  CHECK(is_nan(far_student_quantile(0, 3)) && is_nan(far_student_quantile(1, 3)));
  CHECK(is_nan(far_student_quantile(0.5, 0)) && is_nan(far_student_quantile(NAN, 3)));
  CHECK(is_nan(far__student_tail(NAN, 3)) && is_nan(far__student_tail(1, -1)));
  for (double nu = 0.5; nu < 1e7; nu *= 3)
    for (double q = 0.49; q > 1e-12; q /= 5) {
      const double t = far_student_quantile(q, nu);
      CHECK_NEAR(far__student_tail(-t, nu) / q, 1, 1e-12);
    }
}

/* ---- one sample ---- */

static void test_summary(void) {
  const double x[] = {3, 1, 4, 1, 5, 9, 2, 6};
  far_summary s;
  CHECK(far_sample_summarise(&s, x, COUNT(x), 0.95, NULL) == FAR_OK);
  CHECK(s.n == 8 && s.min == 1 && s.max == 9);
  CHECK(s.mean == 3.875 && s.median == 3.5);
  CHECK(s.first_quartile == 1.75 && s.third_quartile == 5.25);
  CHECK(s.iqm == 3.5); /* 2, 3, 4, 5 */
  CHECK_NEAR(s.std, 2.748376143938713, 1e-15);
  CHECK_NEAR(s.high - s.mean, 2.364624251592785 * s.std / sqrt(8), 1e-12);
  CHECK_NEAR(s.mean - s.low, s.high - s.mean, 1e-15);
  CHECK(far_sample_summarise(&s, (const double[]){3, 1, 2}, 3, 0.95, NULL) == FAR_OK);
  CHECK(s.min == 1 && s.median == 2 && s.max == 3);
}

/* Numbers whose sums or squares no double holds have means and deviations all the same. */
static void test_beyond_squares(void) {
  const double huge[] = {1e308, 1e308, -1e308, 1e308, 9e307}, ends[] = {-INFINITY, 1e308, 1e308, 2};
  const double tiny[] = {1e-200, 2e-200, 3e-200}, least[] = {1e-320, 3e-320};
  far_summary s;
  CHECK(far_sample_summarise(&s, huge, 5, 0.95, NULL) == FAR_OK);
  CHECK_NEAR(s.mean / 1e308, 0.58, 1e-15);
  CHECK_NEAR(s.std / 1e308, 0.8843076387773657, 1e-14);
  CHECK_NEAR(s.iqm / 1e308, 2.9 / 3, 1e-15);
  CHECK(far__sorted_mean((const double[]){-1e308, -1e308, 1e308, 1e308}, 4) == 0);
  CHECK(far__sorted_mean((const double[]){-1e308, -1e308, INFINITY}, 3) == INFINITY);
  CHECK(far_sample_summarise(&s, tiny, 3, 0.95, NULL) == FAR_OK);
  CHECK_NEAR(s.mean / 2e-200, 1, 1e-15);
  CHECK_NEAR(s.std / 1e-200, 1, 1e-15);
  CHECK(s.low < s.mean && s.mean < s.high);
  CHECK_NEAR(far_sample_moments(least, 2).std / 1e-320, sqrt(2), 1e-3);
  CHECK(far_sample_moments(ends, 4).mean == -INFINITY);
}

/* The same interval as everywhere else, to the last bit. */
static void test_one_student(void) {
  const double x[] = {0.1, 0.7, 0.35, 11};
  far_summary s;
  CHECK(far_sample_summarise(&s, x, 4, 0.95, NULL) == FAR_OK);
  CHECK(s.high == s.mean + far__student_975(3) * s.std / 2);
  const far_moments m = far_sample_moments(x, 4);
  CHECK(m.mean == s.mean && m.std == s.std && m.mean + m.ci95 == s.high);
}

static void test_small_samples(void) {
  const double one[] = {7}, same[] = {0.1, 0.1, 0.1}, far[] = {1, 2, 3, INFINITY};
  far_summary s;
  CHECK(far_sample_summarise(&s, one, 1, 0.95, NULL) == FAR_OK);
  CHECK(s.mean == 7 && s.median == 7 && s.iqm == 7 && s.first_quartile == 7);
  CHECK(is_nan(s.std) && is_nan(s.low) && is_nan(s.high));
  far_moments m = far_sample_moments(one, 1);
  CHECK(m.mean == 7 && is_nan(m.std) && is_nan(m.ci95));
  m = far_sample_moments(same, 3);
  CHECK(m.mean == 0.1 && m.std == 0 && m.ci95 == 0);
  CHECK(far_sample_summarise(&s, same, 3, 0.95, NULL) == FAR_OK);
  CHECK(s.mean == 0.1 && s.std == 0 && s.low == 0.1 && s.high == 0.1);
  CHECK(s.iqm == 0.1 && s.third_quartile == 0.1);
  CHECK(far_sample_summarise(&s, far, 4, 0.95, NULL) == FAR_OK);
  CHECK(s.median == 2.5 && s.iqm == 2.5 && s.max == INFINITY && s.mean == INFINITY);
  CHECK(is_nan(s.std) && is_nan(s.low));
}

static void test_order(void) {
  const double x[] = {1, 2, 4, 8, INFINITY};
  CHECK(far__sorted_quantile(x, 5, 0) == 1 && far__sorted_quantile(x, 5, 1) == INFINITY);
  CHECK(far__sorted_quantile(x, 5, 0.75) == 8); /* no weight on what is infinite */
  CHECK(far__sorted_quantile(x, 5, 0.625) == 6);
  CHECK(far__sorted_iqm(x, 5) == 14.0 / 3 && far__sorted_iqm(x, 3) == 7.0 / 3);
  double zeros[] = {0.0, -0.0, 3, -0.0};
  far__sort(zeros, 4);
  CHECK(signbit(zeros[0]) && signbit(zeros[1]) && !signbit(zeros[2]) && zeros[3] == 3);
}

static void test_refused(void) {
  const double bad[] = {1, 2, NAN}, far[] = {1, INFINITY}, good[] = {1, 2, 3};
  const far_sample sample = {good, 3}, nan = {bad, 3}, inf = {far, 2}, none = {good, 0};
  far_bootstrap_def def = few(100);
  far_estimate e;
  far_summary s;
  far_paired p;
  far_error error = {0};
  CHECK(far_sample_summarise(&s, bad, 3, 0.95, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "value 2 is not a number");
  CHECK(far_sample_summarise(&s, good, 0, 0.95, &error) == FAR_STATUS_RANGE);
  CHECK(far_sample_summarise(&s, good, 3, 1, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "0.95");
  CHECK(far_bootstrap_run(&e, 1, &nan, 1, far_statistic_mean, NULL, &def, &error) ==
        FAR_STATUS_RANGE);
  CHECK(far_bootstrap_run(&e, 1, &inf, 1, far_statistic_mean, NULL, &def, &error) ==
        FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "sample 0: value 1 is infinite");
  CHECK(far_bootstrap_run(&e, 1, &none, 1, far_statistic_mean, NULL, &def, &error) ==
        FAR_STATUS_RANGE);
  CHECK(far_bootstrap_run(&e, 1, &sample, 0, far_statistic_mean, NULL, &def, &error) ==
        FAR_STATUS_RANGE);
  CHECK(far_pairs_compare(&p, good, bad, 3, &def, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "second of the pairs");
  CHECK(far_improvement(&e, &sample, &nan, 1, &def, &error) == FAR_STATUS_RANGE);
  CHECK(far_improvement(&e, &sample, &nan, 0, &def, &error) == FAR_STATUS_RANGE);
  CHECK(far_improvement_paired(&e, &sample, &inf, 1, &def, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "3 runs cannot be paired with 2");
  def.resamples = 99;
  CHECK(far_bootstrap_run(&e, 1, &sample, 1, far_statistic_mean, NULL, &def, &error) ==
        FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "100");
}

/* ---- bootstrap ---- */

static void give_nan(double *out, const far_sample *samples, size_t n_samples, void *user) {
  (void)samples, (void)n_samples, (void)user;
  *out = NAN;
}

/* More than one number of more than one sample, and what a statistic is shown. */
static void spread(double *out, const far_sample *samples, size_t n_samples, void *user) {
  int *calls = user;
  *calls += 1;
  for (size_t s = 0; s < n_samples; ++s)
    for (int64_t i = 1; i < samples[s].n; ++i)
      if (samples[s].x[i] < samples[s].x[i - 1]) *calls = -1000000;
  out[0] = samples[0].x[samples[0].n - 1] - samples[0].x[0];
  out[1] = samples[n_samples - 1].x[0];
}

static void test_bootstrap_degenerate(void) {
  const double one[] = {7}, same[] = {0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1};
  const far_sample samples[] = {{one, 1}, {same, 7}};
  far_bootstrap_def def = few(200);
  far_estimate e;
  far_error error;
  CHECK(far_bootstrap_run(&e, 1, &samples[0], 1, far_statistic_mean, NULL, &def, NULL) == FAR_OK);
  CHECK(e.value == 7 && is_nan(e.low) && is_nan(e.high) && is_nan(e.std));
  far_statistic_fn *const all[] = {far_statistic_mean, far_statistic_median, far_statistic_iqm};
  for (int i = 0; i < 3; ++i) {
    CHECK(far_bootstrap_run(&e, 1, &samples[1], 1, all[i], NULL, &def, NULL) == FAR_OK);
    CHECK(e.value == 0.1 && e.low == 0.1 && e.high == 0.1 && e.std == 0);
    CHECK(e.bias == 0 && e.acceleration == 0);
  }
  CHECK(far_bootstrap_run(&e, 1, &samples[1], 1, give_nan, NULL, &def, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "not a number");
}

static void test_bootstrap_callback(void) {
  const double x[] = {5, 1, 2}, y[] = {4, 3};
  const far_sample samples[] = {{x, 3}, {y, 2}};
  const far_bootstrap_def def = few(300);
  far_estimate e[2];
  int calls = 0;
  CHECK(far_bootstrap_run(e, 2, samples, 2, spread, &calls, &def, NULL) == FAR_OK);
  CHECK(calls == 1 + 5 + 300); /* the samples, one left out, the resamples */
  CHECK(e[0].value == 4 && e[1].value == 3);
  CHECK(e[0].low >= 0 && e[0].high == 4 && e[1].low == 3 && e[1].high == 4);
}

/* Efron & Tibshirani (1993), the treated mice: n = 7. For the mean, a = sum d^3 / (6 (sum
 * d^2)^1.5). */
static void test_acceleration(void) {
  const double mice[] = {94, 197, 16, 38, 99, 141, 23};
  const far_sample sample = {mice, 7};
  far_bootstrap_def def = few(20000);
  far_estimate e, p;
  double mean = 608.0 / 7, squares = 0, cubes = 0;
  for (int i = 0; i < 7; ++i) {
    const double d = mice[i] - mean;
    squares += d * d;
    cubes += d * d * d;
  }
  CHECK(far_bootstrap_run(&e, 1, &sample, 1, far_statistic_mean, NULL, &def, NULL) == FAR_OK);
  CHECK_NEAR(e.acceleration, cubes / (6 * squares * sqrt(squares)), 1e-15);
  CHECK_NEAR(e.std, sqrt(squares) / 7, 0.4); /* the ideal bootstrap's: 23.36 */
  CHECK_NEAR(e.bias, 0, 0.1);
  def.method = FAR_BOOTSTRAP_PERCENTILE;
  CHECK(far_bootstrap_run(&p, 1, &sample, 1, far_statistic_mean, NULL, &def, NULL) == FAR_OK);
  CHECK(p.acceleration == 0 && p.bias == 0 && p.std == e.std);
  CHECK(e.low > p.low && e.high > p.high); /* skewed to the right, so is the interval */
}

/* Any machine, compiler and optimisation gives these. */
static void test_bits(void) {
  double x[50];
  far_rng rng;
  far_rng_init(&rng, 1, 0, FAR_PURPOSE_SEARCH);
  for (int i = 0; i < 50; ++i) x[i] = far__normal(&rng);
  const far_sample sample = {x, 50};
  const far_bootstrap_def def = few(1000);
  far_estimate e, again;
  CHECK(far_bootstrap_run(&e, 1, &sample, 1, far_statistic_iqm, NULL, &def, NULL) == FAR_OK);
  CHECK(far_bootstrap_run(&again, 1, &sample, 1, far_statistic_iqm, NULL, &def, NULL) == FAR_OK);
  CHECK(memcmp(&e, &again, sizeof e) == 0);
  printf("bits: %a %a %a %a %a\n", e.low, e.high, e.std, e.bias, e.acceleration);
  CHECK(e.low == -0x1.4fe41b3f3a26fp-3 && e.high == 0x1.a9b000e439c1ap-2);
  CHECK(e.std == 0x1.365dea7f1bf21p-3 && e.bias == 0x1.156cccd49bdf3p-4);
  CHECK(e.acceleration == 0x1.bc0e49f9a921dp-8);
}

/* ---- two samples ---- */

static void test_match(void) {
  const double x[] = {10, 11, 13, 15}, y[] = {21, 22, 23};
  const int64_t rx[] = {0, 1, 3, 5}, ry[] = {1, 2, 3};
  double px[3], py[3];
  CHECK(far__pairs_match(px, py, x, rx, 4, y, ry, 3) == 2);
  CHECK(px[0] == 11 && py[0] == 21 && px[1] == 13 && py[1] == 23);
  CHECK(far__pairs_match(px, py, x, rx, 4, y, ry, 0) == 0);
}

static void test_pairs(void) {
  const double x[] = {5, 7, 3, 9, 6}, y[] = {4, 7, 1, 5, 6.5};
  const far_bootstrap_def def = few(1000);
  far_paired p;
  CHECK(far_pairs_compare(&p, x, y, 5, &def, NULL) == FAR_OK);
  CHECK_NEAR(p.mean, 1.3, 1e-15); /* 1, 0, 2, 4, -0.5 */
  CHECK_NEAR(p.std, sqrt(12.8 / 4), 1e-15);
  CHECK_NEAR(p.t, 1.3 / 0.8, 1e-15);
  CHECK_NEAR(p.p, 0.1794877137006127, 1e-14);
  CHECK(p.won == 0.6 && p.tied == 0.2);
  CHECK(p.low < 0 && p.high > 2.6 && p.bootstrap.low < 1.3 && p.bootstrap.high > 1.3);
  CHECK_NEAR(p.saving, (5.0 + 5.7) / 3.2, 1e-14);
  CHECK_NEAR(p.correlation, (5.0 + 5.7 - 3.2) / 2 / sqrt(5.0 * 5.7), 1e-14);
  const far_bootstrap_def none = few(0);
  far_paired q;
  CHECK(far_pairs_compare(&q, x, y, 5, &none, NULL) == FAR_OK);
  CHECK(q.p == p.p && q.low == p.low && q.saving == p.saving && q.bootstrap.value == p.mean);
  CHECK(is_nan(q.bootstrap.low) && is_nan(q.bootstrap.high) && is_nan(q.bootstrap.std));
}

static void test_pairs_degenerate(void) {
  const double x[] = {1.1, 2.1, 3.1}, y[] = {1, 2, 3}, z[] = {1, 1, 1}, w[] = {3, 3, 3};
  const far_bootstrap_def def = few(100);
  far_paired p;
  CHECK(far_pairs_compare(&p, y, y, 3, &def, NULL) == FAR_OK);
  CHECK(p.t == 0 && p.p == 1 && p.tied == 1 && p.low == 0 && p.high == 0 && p.saving == INFINITY);
  CHECK(far_pairs_compare(&p, w, z, 3, &def, NULL) == FAR_OK);
  CHECK(p.t == INFINITY && p.p == 0 && p.won == 1 && p.low == 2 && p.high == 2);
  CHECK(is_nan(p.saving) && is_nan(p.correlation));
  CHECK(far_pairs_compare(&p, z, w, 3, &def, NULL) == FAR_OK);
  CHECK(p.t == -INFINITY && p.p == 0 && p.won == 0);
  CHECK(far_pairs_compare(&p, x, y, 1, &def, NULL) == FAR_OK);
  CHECK(p.n == 1 && is_nan(p.t) && is_nan(p.p) && is_nan(p.low) && is_nan(p.bootstrap.low));
  CHECK(p.won == 1 && is_nan(p.saving));
}

static void test_welch(void) {
  const double x[] = {1, 2, 3}, y[] = {2, 4, 6, 8}, z[] = {3, 3};
  far_welch w;
  CHECK(far_samples_compare(&w, x, 3, y, 4, 0.95, NULL) == FAR_OK);
  CHECK(w.mean == -3);
  CHECK_NEAR(w.t, -3 / sqrt(1.0 / 3 + 20.0 / 12), 1e-14);
  CHECK_NEAR(w.degrees, 4 / (1.0 / 9 / 2 + 25.0 / 9 / 3), 1e-13);
  CHECK(w.low < -3 && w.high > -3 && w.p > 0.05 && w.p < 0.2);
  CHECK(far_samples_compare(&w, z, 2, z, 2, 0.95, NULL) == FAR_OK);
  CHECK(w.t == 0 && w.p == 1 && w.low == 0 && w.degrees == INFINITY);
  CHECK(far_samples_compare(&w, x, 3, y, 1, 0.95, NULL) == FAR_OK);
  CHECK(w.mean == 0 && is_nan(w.p) && is_nan(w.low) && is_nan(w.degrees));
}

/* ---- environments ---- */

static void test_improvement(void) {
  const double x0[] = {1, 2, 3}, y0[] = {2, 0}, x1[] = {5, 5}, y1[] = {5, INFINITY};
  const far_sample x[] = {{x0, 3}, {x1, 2}}, y[] = {{y0, 2}, {y1, 2}};
  const far_bootstrap_def def = few(1000);
  far_estimate e;
  CHECK(far_improvement(&e, x, y, 1, &def, NULL) == FAR_OK);
  CHECK_NEAR(e.value, 4.5 / 6, 1e-15); /* 1 > 0; 2 > 0, 2 = 2; 3 > 2, 3 > 0 */
  CHECK(e.low >= 0 && e.low < e.value && e.high > e.value && e.high <= 1);
  CHECK(far_improvement(&e, x, y, 2, &def, NULL) == FAR_OK);
  CHECK_NEAR(e.value, (0.75 + 0.25) / 2, 1e-15);
  CHECK(far_improvement_paired(&e, &x[1], &y[1], 1, &def, NULL) == FAR_OK);
  CHECK(e.value == 0.25 && e.low == 0 && e.high == 0.5);
}

/* Two environments on which each run earns the same are worth no more than one; and drawn together without need, a
 * single sample is drawn as ever. */
static void test_together(void) {
  const double x0[] = {1, 2, 3, 4, 8, 9}, x1[] = {3, 1, 4, 1, 5, 9}, y0[] = {2, 0, 3, 9, 1, 1};
  const far_sample twice[] = {{x0, 6}, {x0, 6}}, both[] = {{x0, 6}, {x1, 6}}, y[] = {{y0, 6}};
  const far_sample uneven[] = {{x0, 6}, {x1, 5}};
  far_bootstrap_def def = few(2000);
  far_aggregate one, two, apart;
  far_estimate paired, pairs;
  far_error error;
  CHECK(far_scores_aggregate(&one, twice, 1, &def, NULL) == FAR_OK);
  CHECK(far_scores_aggregate(&apart, twice, 2, &def, NULL) == FAR_OK);
  CHECK(far_improvement_paired(&pairs, both, y, 1, &def, NULL) == FAR_OK);
  def.together = true;
  CHECK(far_scores_aggregate(&two, twice, 2, &def, NULL) == FAR_OK);
  CHECK(far_improvement_paired(&paired, both, y, 1, &def, NULL) == FAR_OK);
  CHECK(two.mean.low == one.mean.low && two.mean.high == one.mean.high);
  CHECK_NEAR(two.mean.std, one.mean.std, 1e-12);
  CHECK_NEAR(two.mean.acceleration, one.mean.acceleration, 1e-12);
  CHECK(apart.mean.std < 0.8 * two.mean.std);
  CHECK(paired.low == pairs.low && paired.high == pairs.high);
  CHECK(far_scores_aggregate(&two, uneven, 2, &def, &error) == FAR_STATUS_RANGE);
  CHECK_TEXT(error.message,
             "sample 1 has 5 values and sample 0 6: those of the same runs are drawn "
             "together, so there must be as many");
}

static void test_profile(void) {
  const double a[] = {0.9, 0.1, 0.5, 0.5}, b[] = {1, 2};
  const far_sample scores[] = {{a, 4}, {b, 2}};
  const double tau[] = {-1, 0.1, 0.5, 0.95, 1, 2};
  const double share[] = {1, 0.875, 0.625, 0.5, 0.25, 0};
  const far_bootstrap_def def = few(500);
  far_estimate e[6];
  CHECK(far_profile(e, tau, 6, scores, 2, &def, NULL) == FAR_OK);
  for (int k = 0; k < 6; ++k)
    CHECK(e[k].value == share[k] && e[k].low <= share[k] && share[k] <= e[k].high);
  CHECK(e[0].low == 1 && e[5].high == 0 && e[2].low < e[2].high);
}

static void test_aggregate(void) {
  double a[] = {0, 0.25, 0.5, 1.25}, b[] = {0, 0.5, 1, 0.5}, c[] = {2, 2, 2, 2};
  const far_sample scores[] = {{a, 4}, {b, 4}, {c, 4}};
  const far_bootstrap_def def = few(500);
  far_aggregate g;
  CHECK(far_scores_aggregate(&g, scores, 3, &def, NULL) == FAR_OK);
  CHECK(g.mean.value == 1 && g.median.value == 0.5);
  /* 0 0 .25 | .5 .5 .5 1 1.25 2 | 2 2 2 */
  CHECK_NEAR(g.iqm.value, 5.75 / 6, 1e-15);
  CHECK_NEAR(g.gap.value, (2.25 / 4 + 2.0 / 4) / 3, 1e-15);
  CHECK(g.iqm.low < g.iqm.value && g.iqm.high > g.iqm.value && g.gap.low < g.gap.high);
  CHECK(far_scores_aggregate(&g, &scores[2], 1, &def, NULL) == FAR_OK);
  CHECK(g.mean.low == 2 && g.iqm.high == 2 && g.gap.value == 0);
}

/* With equal numbers of runs all scores together are one sample, for any remainder by 4. */
static void test_iqm_of_equal_numbers(void) {
  const far_bootstrap_def def = few(100);
  far_rng rng;
  far_rng_init(&rng, 4, 0, FAR_PURPOSE_SEARCH);
  for (int64_t n = 1; n <= 9; ++n) {
    double x[27];
    for (int i = 0; i < 27; ++i) x[i] = far__normal(&rng);
    const far_sample scores[] = {{x, n}, {x + n, n}, {x + 2 * n, n}};
    far_aggregate g;
    CHECK(far_scores_aggregate(&g, scores, 3, &def, NULL) == FAR_OK);
    far__sort(x, 3 * n);
    CHECK_NEAR(g.iqm.value, far__sorted_iqm(x, 3 * n), 1e-14);
  }
}

/* However many runs an environment has, it weighs the same. */
static void test_iqm_of_unequal_numbers(void) {
  const double a[] = {3, 1, 4, 2}, b[] = {6, 5}, low[] = {0};
  double many[1000], ten[10];
  const far_sample scores[] = {{a, 4}, {b, 2}}, apart[] = {{many, 1000}, {low, 1}};
  const far_sample mixed[] = {{many, 1000}, {ten, 10}};
  const far_bootstrap_def def = few(100);
  far_aggregate g;
  /* Weights 1 1 1 1 2 2, of which 1/6 is cut at each end: 1, a third of 2; two thirds of 6. */
  CHECK(far_scores_aggregate(&g, scores, 2, &def, NULL) == FAR_OK);
  CHECK_NEAR(g.iqm.value, (2.0 / 3 * 2 + 3 + 4 + 2 * 5 + 2.0 / 3 * 6) / (16.0 / 3), 1e-14);
  /* All 1 and a single 0: half of what is left of each, up to the floor of 1001 / 4. */
  for (int i = 0; i < 1000; ++i) many[i] = 1;
  CHECK(far_scores_aggregate(&g, apart, 2, &def, NULL) == FAR_OK);
  CHECK_NEAR(g.iqm.value, 0.5, 1e-12);
  /* Even on [0.5, 1.5) and on [0, 0.5): the middle half is even on [0.25, 1), half of it each. */
  for (int i = 0; i < 1000; ++i) many[i] = 0.5 + i / 1000.0;
  for (int i = 0; i < 10; ++i) ten[i] = i / 20.0;
  CHECK(far_scores_aggregate(&g, mixed, 2, &def, NULL) == FAR_OK);
  CHECK_NEAR(g.iqm.value, (0.375 + 0.75) / 2, 0.02); /* all runs together: 1.0 */
}

/* ---- many comparisons ---- */

static void test_corrections(void) {
  const double p[] = {0.01, 0.04, 0.03, 0.005, 1};
  const double holm[] = {0.04, 0.09, 0.09, 0.025, 1}, fdr[] = {0.025, 0.05, 0.05, 0.025, 1};
  double out[5];
  CHECK(far_p_adjust(out, p, 5, FAR_CORRECTION_HOLM, NULL) == FAR_OK);
  for (int i = 0; i < 5; ++i) CHECK_NEAR(out[i], holm[i], 1e-16);
  CHECK(far_p_adjust(out, p, 5, FAR_CORRECTION_FDR, NULL) == FAR_OK);
  for (int i = 0; i < 5; ++i) CHECK_NEAR(out[i], fdr[i], 1e-16);
  CHECK(far_p_adjust(out, p, 5, FAR_CORRECTION_BONFERRONI, NULL) == FAR_OK);
  CHECK(out[4] == 1 && out[3] == 0.025 && out[1] == 0.2);
  const double bad[] = {0.1, NAN};
  CHECK(far_p_adjust(out, bad, 2, FAR_CORRECTION_HOLM, NULL) == FAR_STATUS_RANGE);
  CHECK(far_p_adjust(out, NULL, 0, FAR_CORRECTION_HOLM, NULL) == FAR_OK);
  CHECK_NEAR(far_simultaneous_level(0.95, 10), 0.995, 1e-15);
  CHECK(far_simultaneous_level(0.95, 1) == 0.95);
}

int main(void) {
  test_student();
  test_summary();
  test_beyond_squares();
  test_one_student();
  test_small_samples();
  test_order();
  test_refused();
  test_bootstrap_degenerate();
  test_bootstrap_callback();
  test_acceleration();
  test_bits();
  test_match();
  test_pairs();
  test_pairs_degenerate();
  test_welch();
  test_improvement();
  test_together();
  test_profile();
  test_aggregate();
  test_iqm_of_equal_numbers();
  test_iqm_of_unequal_numbers();
  test_corrections();
  return check_report();
}
