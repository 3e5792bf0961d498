/* Statistics at their borders: the least and the most that is taken, ends of intervals past their pole, and
 * numbers of SciPy 1.17 and mpmath, which say what is right. */
#include <farsight/farsight.h>
#include <stdlib.h>

#include "base/special.h"
#include "check.h"
#include "statistics/bootstrap.h"
#include "statistics/sample.h"
#include "statistics/sort.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool is_nan(double x) {
  return x != x;
}

/* ---- distributions ---- */

/* mpmath at 40 digits: the regularised incomplete beta function, inverted. */
static void test_student(void) {
  static const struct {
    double q, degrees, t;
  } exact[] = {{0.025, 1, 12.7062047361747039},  {0.025, 2, 4.30265272974946372},
               {0.025, 5, 2.57058183563631547},  {0.05, 30, 1.69726088659395782},
               {1e-6, 3, 103.299467780419344},   {0.25, 0.5, 1.55377397403003731},
               {1e-10, 10, 25.4660080216977261}, {0.49, 7, 0.0259779415695168898},
               {0.001, 1e6, 3.0902404563165196}};
  for (size_t i = 0; i < COUNT(exact); ++i) {
    const double t = -far_student_quantile(exact[i].q, exact[i].degrees);
    CHECK_NEAR(t / exact[i].t, 1, 2e-13);
    CHECK_NEAR(far__student_tail(exact[i].t, exact[i].degrees) / exact[i].q, 1, 2e-13);
  }
  CHECK(is_nan(far__student_tail(1, 0)) && is_nan(far_student_quantile(0.7, 0)));
  CHECK(is_nan(far__student_tail(1, NAN)) && is_nan(far_student_quantile(0.7, NAN)));
  CHECK(is_nan(far_student_quantile(-0.1, 3)) && is_nan(far_student_quantile(1.1, 3)));
  CHECK(far__student_tail(0, 1) == 0.5);
  CHECK_NEAR(far__student_tail(-1, 1), 0.75, 1e-15);
  /* where the square of t is too large for a double: 1 / (pi t) for one degree, mpmath's for others */
  CHECK_NEAR(far__student_tail(1e200, 1) / 3.1830988618379067154e-201, 1, 1e-13);
  CHECK_NEAR(far__student_tail(1e160, 1.5) / 3.7708524320162463515e-241, 1, 1e-13);
  CHECK_NEAR(far__student_tail(1e300, 0.01) / 0.00048526328575587004026, 1, 1e-13);
  CHECK(far__student_tail(INFINITY, 3) == 0 && far__student_tail(1e200, INFINITY) == 0);
  CHECK(far__student_tail(-INFINITY, 3) == 1);
  /* beyond the largest numbers it ends there */
  const double t = -far_student_quantile(1e-10, 0.01);
  CHECK(t >= 1e300 && t < INFINITY);
  CHECK(far__student_tail(2, 1e20) == far__student_tail(2, INFINITY));
}

/* scipy.stats.binomtest(k, n).proportion_ci(0.95, "exact"); where that is not, the formula for one failure. */
static void test_proportions(void) {
  const struct {
    int64_t k, n;
    double low, high;
  } exact[] = {{0, 1, 0.0, 0.975},
               {1, 1, 0.025000000000000022, 1.0},
               {0, 10, 0.0, 0.30849710781876294},
               {1, 10, 0.0025285785444625728, 0.44501611702819543},
               {5, 10, 0.1870860284474045, 0.8129139715525955},
               {9, 10, 0.5549838829718047, 0.9974714214555375},
               {10, 10, 0.6915028921812371, 1.0},
               {3, 1000, 0.0006190999316499173, 0.008742023238657654},
               {50, 100, 0.39832112950330095, 0.6016788704966991},
               {700, 1000, 0.6705383213026349, 0.7282788878708513},
               {1, 100000, -expm1(log(0.975) / 100000), 5.571516034432556e-05}};
  for (size_t i = 0; i < COUNT(exact); ++i) {
    double low, high;
    far_proportion_interval(exact[i].k, exact[i].n, &low, &high);
    CHECK_NEAR(low, exact[i].low, 1e-11 * exact[i].low);
    CHECK_NEAR(high, exact[i].high, 1e-12);
  }
}

/* ---- samples ---- */

static void test_samples(void) {
  const double x[] = {NAN, 1};
  far_summary s;
  far_error error;
  CHECK(far_sample_summarise(&s, x, (int64_t)UINT32_MAX, 0.95, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "value 0 is not a number");
  CHECK(far_sample_summarise(&s, x, (int64_t)UINT32_MAX + 1, 0.95, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "4294967296 values are too many");
  CHECK(far_sample_summarise(&s, x + 1, 1, 0, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "0 does not");
  CHECK(far_sample_summarise(&s, x + 1, 1, NAN, &error) == FAR_STATUS_RANGE);
  const double even[] = {1, 2, 3, 4}, all[] = {2, 2, 2};
  CHECK(far__sorted_mean(even, 4) == 2.5 && far__sorted_mean(all, 3) == 2);
  CHECK(far__sorted_quantile(even, 4, 1) == 4 && far__sorted_quantile(even, 1, 1) == 1);
  double two[] = {2, 1};
  far__sort(two, 1);
  CHECK(two[0] == 2);
  far__sort(two, 2);
  CHECK(two[0] == 1 && two[1] == 2);
  for (int i = 0; i < 2; ++i) { /* -0 comes first */
    double zeros[] = {i ? 0.0 : -0.0, i ? -0.0 : 0.0};
    far__sort(zeros, 2);
    CHECK(signbit(zeros[0]) && !signbit(zeros[1]));
  }
  const double pair[] = {0.1, 0.1, 5};
  for (double at = 0; at < 0.5; at += 0.01) CHECK(far__sorted_quantile(pair, 3, at) == 0.1);
  /* 0.5 of skewness squared and 12.5 values: one that stands out makes more of both */
  const double skewed[] = {0, 0, 0, 1}, level[] = {0, 1, 0, 1};
  CHECK(far__is_skewed(skewed, 4, far__mean_std_of(skewed, 4)));
  CHECK(!far__is_skewed(level, 4, far__mean_std_of(level, 4)));
  CHECK(!far__is_skewed(all, 3, far__mean_std_of(all, 3)));
}

/* scipy.stats.ttest_rel, ttest_ind(equal_var=False), with their 90% intervals, numpy.corrcoef. */
static void test_two_samples(void) {
  const double x[] = {5.1, 7.2, 3.3, 9.9, 6.4, 8.0, 2.5}, y[] = {4.0, 7.5, 1.1, 5.2, 6.5, 9.9, 0.3};
  far_bootstrap_def def = far_bootstrap_def_default();
  far_paired p;
  far_welch w;
  far_error error;
  def.resamples = 0;
  def.level = 0.9;
  CHECK(far_pairs_compare(&p, x, y, 7, &def, NULL) == FAR_OK);
  CHECK_NEAR(p.t, 1.3878171406949056, 1e-13);
  CHECK_NEAR(p.p, 0.21453493952909233, 1e-13);
  CHECK_NEAR(p.low, -0.4516207169549651, 1e-12);
  CHECK_NEAR(p.high, 2.708763574097821, 1e-12);
  CHECK_NEAR(p.correlation, 0.7798061990498997, 1e-13);
  CHECK_NEAR(p.saving, 4.030758152453451, 1e-12);
  CHECK(p.bootstrap.value == p.mean && p.bootstrap.bias == 0 && p.bootstrap.acceleration == 0);
  CHECK(far_samples_compare(&w, x, 7, y, 5, 0.9, NULL) == FAR_OK);
  CHECK_NEAR(w.t, 0.8049111460330776, 1e-13);
  CHECK_NEAR(w.degrees, 9.066255624607749, 1e-12);
  CHECK_NEAR(w.p, 0.44146740088264746, 1e-12);
  CHECK_NEAR(w.low, -1.5269759505180915, 1e-12);
  CHECK_NEAR(w.high, 3.9212616648038034, 1e-12);
  const double huge[] = {1e308, 1}, tiny[] = {-1e308, 0}, nan[] = {NAN, 0};
  CHECK(far_pairs_compare(&p, huge, tiny, 2, &def, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "the differences: value 0 is infinite");
  CHECK(far_pairs_compare(&p, nan, tiny, 2, &def, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "the first of the pairs");
  def.level = 1;
  CHECK(far_pairs_compare(&p, x, y, 7, &def, &error) == FAR_STATUS_RANGE);
  CHECK(far_samples_compare(&w, nan, 2, y, 5, 0.9, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "the first sample");
  CHECK(far_samples_compare(&w, x, 2, nan, 2, 0.9, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "the second sample");
  CHECK(far_samples_compare(&w, x, 2, y, 2, 0, &error) == FAR_STATUS_RANGE);
  /* small numbers have a correlation and a saving, too */
  const double small[] = {0.25, 0.5, 0.375}, other[] = {0, 0.25, 0.125}, third[] = {0.25, 0, 0.5};
  def.level = 0.9;
  CHECK(far_pairs_compare(&p, small, other, 3, &def, NULL) == FAR_OK);
  CHECK(p.t == INFINITY && p.saving == INFINITY && p.mean == 0.25);
  CHECK_NEAR(p.correlation, 1, 1e-14);
  CHECK(far_pairs_compare(&p, small, third, 3, &def, NULL) == FAR_OK);
  /* deviations -1 1 0 of 8 and 0 -2 2 of 8, differences 0 4 -1 of 8 */
  CHECK_NEAR(p.correlation, -0.5, 1e-14);
  CHECK_NEAR(p.saving, (2.0 + 8.0) / 14, 1e-14);
  /* the interval is the bootstrap's of the differences */
  far_estimate e;
  const double d[] = {1.1, -0.3, 2.2, 4.7, -0.1, -1.9, 2.2};
  const far_sample differences = {d, 7};
  def.resamples = 200;
  CHECK(far_pairs_compare(&p, x, y, 7, &def, NULL) == FAR_OK);
  CHECK(far_bootstrap_run(&e, 1, &differences, 1, far_statistic_mean, NULL, &def, NULL) == FAR_OK);
  CHECK_NEAR(p.bootstrap.low, e.low, 1e-12);
  CHECK_NEAR(p.bootstrap.high, e.high, 1e-12);
  CHECK_NEAR(p.bootstrap.acceleration, e.acceleration, 1e-12);
  /* one that does not vary, below and above one that does not either */
  const double low[] = {1, 1}, high[] = {3, 3};
  CHECK(far_samples_compare(&w, low, 2, high, 2, 0.9, NULL) == FAR_OK);
  CHECK(w.t == -INFINITY && w.p == 0 && w.low == -2 && w.high == -2);
  CHECK(far_samples_compare(&w, high, 2, low, 2, 0.9, NULL) == FAR_OK && w.t == INFINITY);
}

static void test_corrections(void) {
  const double p[] = {0.01, 0.04, 0.03, 0.005, 0.9, 0.03}, bounds[] = {0, 1}, low[] = {-1e-300},
               high[] = {1.0000000000000002};
  const double fdr[] = {0.03, 0.048, 0.045, 0.03, 0.9, 0.045}; /* false_discovery_control */
  const double holm[] = {0.05, 0.12, 0.12, 0.03, 0.9, 0.12};   /* by hand */
  double out[6];
  CHECK(far_p_adjust(out, p, 6, FAR_CORRECTION_FDR, NULL) == FAR_OK);
  for (int i = 0; i < 6; ++i) CHECK_NEAR(out[i], fdr[i], 1e-15);
  CHECK(far_p_adjust(out, p, 6, FAR_CORRECTION_HOLM, NULL) == FAR_OK);
  for (int i = 0; i < 6; ++i) CHECK_NEAR(out[i], holm[i], 1e-15);
  CHECK(far_p_adjust(out, bounds, 2, FAR_CORRECTION_BONFERRONI, NULL) == FAR_OK);
  CHECK(out[0] == 0 && out[1] == 1);
  CHECK(far_p_adjust(out, low, 1, FAR_CORRECTION_HOLM, NULL) == FAR_STATUS_RANGE);
  CHECK(far_p_adjust(out, high, 1, FAR_CORRECTION_HOLM, NULL) == FAR_STATUS_RANGE);
  CHECK(far_p_adjust(out, (const double[]){0.75, 0.75}, 2, FAR_CORRECTION_BONFERRONI, NULL) ==
            FAR_OK &&
        out[0] == 1 && out[1] == 1);
  CHECK(far_simultaneous_level(0.9, 0) == 0.9 && far_simultaneous_level(0.1, 1) == 0.1);
  CHECK_NEAR(far_simultaneous_level(0.9, 2), 0.95, 1e-15);
}

/* ---- the bootstrap ---- */

static far_status resamples_of(int64_t n) {
  far_bootstrap_def def = far_bootstrap_def_default();
  def.resamples = n;
  return far__bootstrap_check(&def, NULL);
}

/* What the statistic has shown: the first number, which is that of the samples, may be another. */
typedef struct watched {
  int calls;
  double first, least, greatest;
} watched;

static void watch(double *out, const far_sample *samples, size_t n_samples, void *user) {
  watched *w = user;
  (void)n_samples;
  *out = far__sorted_mean(samples->x, samples->n);
  w->least = fmin(w->least, *out);
  w->greatest = fmax(w->greatest, *out);
  if (w->calls++ == 0 && w->first == w->first) *out = w->first;
}

static far_estimate watched_run(watched *w, const double *x, int64_t n, double level,
                                far_bootstrap_method method) {
  far_bootstrap_def def = far_bootstrap_def_default();
  const far_sample sample = {x, n};
  far_estimate e;
  *w = (watched){.first = w->first, .least = INFINITY, .greatest = -INFINITY};
  def.resamples = 100;
  def.level = level;
  def.method = method;
  CHECK(far_bootstrap_run(&e, 1, &sample, 1, watch, w, &def, NULL) == FAR_OK);
  return e;
}

/* Past its pole an end is the least or greatest value; outside all values z0 is infinite, and the ends are the
 * percentile method's. */
static void test_ends(void) {
  const double right[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, left[] = {0, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  watched w = {.first = NAN};
  far_estimate e = watched_run(&w, right, 10, 1 - 1e-13, FAR_BOOTSTRAP_BCA);
  CHECK(e.acceleration > 0.14 && e.high == w.greatest && e.low == 0);
  e = watched_run(&w, left, 10, 1 - 1e-13, FAR_BOOTSTRAP_BCA);
  CHECK(e.acceleration < -0.14 && e.low == w.least && e.high == 1);
  const double some[] = {1, 2, 4, 8};
  watched plain = {.first = NAN};
  const far_estimate p = watched_run(&plain, some, 4, 0.8, FAR_BOOTSTRAP_PERCENTILE);
  for (int side = -1; side <= 1; side += 2) {
    watched outside = {.first = 100.0 * side};
    e = watched_run(&outside, some, 4, 0.8, FAR_BOOTSTRAP_BCA);
    CHECK(e.value == 100 * side && e.bias == side * INFINITY);
    CHECK(e.low == p.low && e.high == p.high);
  }
  watched least = {.first = plain.least}; /* equal ones count half: z0 is finite */
  e = watched_run(&least, some, 4, 0.8, FAR_BOOTSTRAP_BCA);
  CHECK(e.bias < -1 && e.bias > -INFINITY);
}

/* Numbers by the call: 1, but another one at one resample, or where a value is left out. */
typedef struct odd {
  int calls, at;
  double there, without;
  int64_t n;
} odd;

static void one_odd(double *out, const far_sample *samples, size_t n_samples, void *user) {
  odd *o = user;
  (void)n_samples;
  out[0] = out[1] = samples->n < o->n ? o->without * samples->x[0] : 1;
  if (o->calls++ == o->at) out[1] = o->there;
}

static far_status odd_run(far_estimate e[2], odd *o, far_error *error) {
  static const double x[] = {1, 2, 8};
  const far_sample sample = {x, 3};
  far_bootstrap_def def = far_bootstrap_def_default();
  def.resamples = 100;
  o->calls = 0;
  o->n = 3;
  for (int k = 0; k < 2; ++k)
    e[k] = (far_estimate){7, 7, 7, 7, 7, 7}; /* what was there does not count */
  return far_bootstrap_run(e, 2, &sample, 1, one_odd, o, &def, error);
}

/* Calls are: the sample, three that lack a value, the resamples. */
static void test_odd_numbers(void) {
  far_estimate e[2];
  far_error error;
  odd low = {.at = 50, .there = 0, .without = 1}, high = {.at = 50, .there = 2, .without = 1};
  CHECK(odd_run(e, &low, NULL) == FAR_OK);
  CHECK(e[0].low == 1 && e[0].high == 1 && e[0].std == 0 && e[0].bias == 0);
  CHECK(e[0].acceleration == 0);                      /* although the jackknife varies */
  CHECK_NEAR(e[1].bias, 0.012533469508069276, 1e-14); /* the normal quantile of 0.505 */
  CHECK(e[1].value == 1 && e[1].acceleration != 0);
  CHECK_NEAR(e[1].std, 0.1, 1e-15);
  CHECK(odd_run(e, &high, NULL) == FAR_OK);
  CHECK_NEAR(e[1].bias, -0.012533469508069276, 1e-14);
  odd value = {.at = 0, .there = NAN, .without = 1}, seventh = {.at = 4 + 7, .there = NAN};
  CHECK(odd_run(e, &value, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "the statistic's number 1 is not a number on resample 0");
  CHECK(odd_run(e, &seventh, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "the statistic's number 1 is not a number on resample 7");
}

static bool count_and_go(void *user) {
  *(int *)user += 1;
  return true;
}

static bool stop(void *user) {
  *(int *)user += 1;
  return false;
}

/* Above 8,192 values there is no jackknife; somebody who waits is asked once in a million values. */
static void test_long(void) {
  enum { MOST = 10000 };
  static double x[MOST];
  far_bootstrap_def def = far_bootstrap_def_default();
  far_sample sample = {x, FAR_JACKKNIFE_MOST};
  far_estimate e;
  far_error error;
  int asked = 0;
  for (int i = 0; i < MOST; ++i) x[i] = i % 100 == 0 ? 10 + i % 7 : i % 2;
  def.resamples = 100;
  CHECK(far_bootstrap_run(&e, 1, &sample, 1, far_statistic_mean, NULL, &def, NULL) == FAR_OK);
  CHECK(e.acceleration > 0);
  sample.n += 1;
  CHECK(far_bootstrap_run(&e, 1, &sample, 1, far_statistic_mean, NULL, &def, NULL) == FAR_OK);
  CHECK(e.acceleration == 0);
  sample.n = MOST;
  def.resamples = 200;
  def.go_on = count_and_go;
  def.user = &asked;
  CHECK(far_bootstrap_run(&e, 1, &sample, 1, far_statistic_mean, NULL, &def, NULL) == FAR_OK);
  CHECK(asked == 2);
  def.go_on = stop;
  CHECK(far_bootstrap_run(&e, 1, &sample, 1, far_statistic_mean, NULL, &def, &error) ==
        FAR_STATUS_CANCELLED);
  CHECK(asked == 3);
  CHECK_TEXT(error.message, "the bootstrap was stopped");
}

static void test_refused(void) {
  const double x[] = {1, 2}, nan[] = {NAN, 1}, far[] = {-INFINITY, INFINITY};
  const far_sample two = {x, 2}, bad = {nan, 2}, infinite = {far, 2};
  far_bootstrap_def def = far_bootstrap_def_default();
  far_estimate e;
  far_aggregate g;
  far_error error;
  CHECK(def.resamples == 10000 && def.seed == 1 && def.level == 0.95 && !def.together);
  def.resamples = 100;
  CHECK(resamples_of(99) == FAR_STATUS_RANGE && resamples_of(100) == FAR_OK);
  CHECK(resamples_of(1000000000) == FAR_OK && resamples_of(1000000001) == FAR_STATUS_RANGE);
  CHECK(far_bootstrap_run(&e, 0, &two, 1, far_statistic_mean, NULL, &def, &error) ==
        FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "at least one number");
  CHECK(far_improvement(&e, &two, &two, 0, &def, &error) == FAR_STATUS_RANGE);
  CHECK(far_improvement_paired(&e, &two, &two, 0, &def, &error) == FAR_STATUS_RANGE);
  CHECK_TEXT(error.message, "no sample is given");
  CHECK(far_improvement_paired(&e, &bad, &two, 1, &def, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "the first of the pairs");
  CHECK(far_improvement_paired(&e, &two, &bad, 1, &def, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "the second of the pairs");
  CHECK(far_improvement_paired(&e, &infinite, &two, 1, &def, &error) == FAR_OK && e.value == 0.5);
  CHECK(far_profile(&e, nan, 1, &two, 1, &def, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "tau: value 0 is not a number");
  CHECK(far_profile(&e, x, 0, &two, 1, &def, &error) == FAR_STATUS_RANGE);
  CHECK(far_profile(&e, x, 1, &infinite, 1, &def, &error) == FAR_STATUS_RANGE);
  CHECK(far_profile(&e, far, 1, &two, 1, &def, &error) == FAR_OK && e.value == 1);
  CHECK(far_scores_aggregate(&g, &two, 0, &def, &error) == FAR_STATUS_RANGE);
  CHECK(far_scores_aggregate(&g, &infinite, 1, &def, &error) == FAR_STATUS_RANGE);
  def.level = 0;
  far_paired p = {.p = 7};
  far_welch w = {.p = 7};
  far_summary s = {.iqm = 7};
  e.value = g.iqm.value = 7; /* what is refused has no numbers */
  CHECK(far_improvement_paired(&e, &two, &two, 1, &def, &error) == FAR_STATUS_RANGE &&
        e.value == 0);
  e.value = 7;
  CHECK(far_improvement(&e, &two, &two, 1, &def, &error) == FAR_STATUS_RANGE && e.value == 0);
  CHECK(far_scores_aggregate(&g, &two, 1, &def, &error) == FAR_STATUS_RANGE && g.iqm.value == 0);
  CHECK(far_pairs_compare(&p, x, x, 2, &def, &error) == FAR_STATUS_RANGE && p.p == 0 && p.n == 2);
  CHECK(far_samples_compare(&w, x, 2, x, 2, 0, &error) == FAR_STATUS_RANGE && w.p == 0);
  CHECK(far_sample_summarise(&s, x, 2, 0, &error) == FAR_STATUS_RANGE && s.iqm == 0 && s.n == 2);
}

int main(void) {
  test_student();
  test_proportions();
  test_samples();
  test_two_samples();
  test_corrections();
  test_ends();
  test_odd_numbers();
  test_long();
  test_refused();
  return check_report();
}
