/* Statistics at small numbers, and what refuses which value: what mutants of the code showed that no other test sees. */
#include <farsight/farsight.h>

#include "check.h"
#include "statistics/growth.h"
#include "statistics/rules.h"

static far_bootstrap_def resamples_of(int64_t n) {
  far_bootstrap_def def = far_bootstrap_def_default();
  def.resamples = n;
  return def;
}

/* What was refused is no place of a text. */
static void refused(far_status status, far_error *error, const char *part) {
  CHECK(status != FAR_OK && status == error->code && error->position == -1);
  CHECK_CONTAINS(error->message, part);
  *error = (far_error){.position = 7};
}

/* ---- two samples ---- */

static void test_refused_pairs(void) {
  const double x[] = {1, INFINITY, 3}, y[] = {1, 2, 3};
  far_bootstrap_def def = resamples_of(0);
  far_paired p;
  far_error error;
  CHECK(far_pairs_compare(&p, x, y, 3, &def, &error) == FAR_STATUS_RANGE);
  CHECK_TEXT(error.message, "the first of the pairs: value 1 is infinite");
  CHECK(far_pairs_compare(&p, y, x, 3, &def, &error) == FAR_STATUS_RANGE);
  CHECK_TEXT(error.message, "the second of the pairs: value 1 is infinite");
  def.resamples = 99; /* none, or as many as any bootstrap */
  CHECK(far_pairs_compare(&p, y, y, 3, &def, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "99 resamples are given");
}

/* Variances of 1/2, of two values each: 1/4 + 1/4 of their means, and 1 / (1/4 + 1/4) degrees. */
static void test_small_variances(void) {
  const double x[] = {0, 1}, y[] = {1, 2};
  far_welch w;
  CHECK(far_samples_compare(&w, x, 2, y, 2, 0.9, NULL) == FAR_OK);
  CHECK_NEAR(w.degrees, 2, 1e-15);
  CHECK_NEAR(w.t, -sqrt(2), 1e-15);
}

/* ---- units ---- */

/* Powers of two round nothing: what is measured in such a unit has the same digits, even where squares and cubes of
 * deviations would leave the range of doubles. */
static const int exponents[] = {-560, -500, -370, 370, 500, 560};

static void in_unit(double *out, const double *x, int64_t n, int exponent) {
  for (int64_t i = 0; i < n; ++i) out[i] = ldexp(x[i], exponent);
}

static void test_units_of_moments(void) {
  const double x[] = {1, 2, 3, 5};
  const far_moments plain = far_sample_moments(x, 4);
  for (size_t i = 0; i < sizeof exponents / sizeof *exponents; ++i) {
    double scaled[4];
    in_unit(scaled, x, 4, exponents[i]);
    const far_moments m = far_sample_moments(scaled, 4);
    CHECK(m.mean == ldexp(plain.mean, exponents[i]));
    CHECK(m.std == ldexp(plain.std, exponents[i]));
    CHECK(m.ci95 == ldexp(plain.ci95, exponents[i]));
  }
}

static void test_units_of_comparisons(void) {
  const double x[] = {1, 2, 3, 4}, y[] = {2, 1, 4, 3.5};
  const far_bootstrap_def def = resamples_of(0);
  far_welch w, plain_w;
  far_paired p, plain_p;
  CHECK(far_samples_compare(&plain_w, x, 4, y, 3, 0.9, NULL) == FAR_OK);
  CHECK(far_pairs_compare(&plain_p, x, y, 4, &def, NULL) == FAR_OK);
  for (size_t i = 0; i < sizeof exponents / sizeof *exponents; ++i) {
    double in_x[4], in_y[4];
    in_unit(in_x, x, 4, exponents[i]);
    in_unit(in_y, y, 4, exponents[i]);
    CHECK(far_samples_compare(&w, in_x, 4, in_y, 3, 0.9, NULL) == FAR_OK);
    CHECK(w.t == plain_w.t && w.degrees == plain_w.degrees && w.p == plain_w.p);
    CHECK(w.low == ldexp(plain_w.low, exponents[i]));
    CHECK(far_pairs_compare(&p, in_x, in_y, 4, &def, NULL) == FAR_OK);
    CHECK(p.t == plain_p.t && p.p == plain_p.p && p.saving == plain_p.saving);
    CHECK(p.correlation == plain_p.correlation && p.low == ldexp(plain_p.low, exponents[i]));
  }
}

/* Two strata, the second with much smaller deviations: its part of the acceleration is still counted. */
static void test_units_of_bootstrap(void) {
  const double x[] = {0, 1, 4, 9, 16}, y[] = {0, 0.25, 0.5, 1};
  const far_sample samples[] = {{x, 5}, {y, 4}};
  const far_bootstrap_def def = resamples_of(200);
  far_aggregate a, plain;
  CHECK(far_scores_aggregate(&plain, samples, 2, &def, NULL) == FAR_OK);
  CHECK(plain.mean.acceleration > 0);
  for (size_t i = 0; i < sizeof exponents / sizeof *exponents; ++i) {
    double in_x[5], in_y[4];
    const far_sample scaled[] = {{in_x, 5}, {in_y, 4}};
    in_unit(in_x, x, 5, exponents[i]);
    in_unit(in_y, y, 4, exponents[i]);
    CHECK(far_scores_aggregate(&a, scaled, 2, &def, NULL) == FAR_OK);
    CHECK(a.mean.acceleration == plain.mean.acceleration && a.mean.bias == plain.mean.bias);
    CHECK(a.mean.low == ldexp(plain.mean.low, exponents[i]));
    CHECK(a.mean.high == ldexp(plain.mean.high, exponents[i]));
    CHECK(a.mean.std == ldexp(plain.mean.std, exponents[i]));
  }
}

/* A statistic that is infinite without one of the values has no acceleration. */
static void without_two(double *out, const far_sample *samples, size_t n_samples, void *user) {
  (void)n_samples, (void)user;
  *out = samples->n < 3 ? INFINITY : samples->x[0] + samples->x[samples->n - 1];
}

static void test_infinite_statistic(void) {
  const double x[] = {1, 2, 4};
  const far_sample sample = {x, 3};
  const far_bootstrap_def def = resamples_of(100);
  far_estimate e;
  CHECK(far_bootstrap_run(&e, 1, &sample, 1, without_two, NULL, &def, NULL) == FAR_OK);
  CHECK(e.acceleration == 0 && e.low >= 2 && e.low <= e.high && e.high <= 8);
}

/* ---- environments ---- */

/* The first thing that is wrong is the one that is named. */
static void test_refused_improvement(void) {
  const double good[] = {1, 2, 3}, bad[] = {NAN, 1};
  const far_sample x[] = {{good, 3}, {bad, 2}}, y[] = {{good, 3}, {good, 3}};
  const far_sample shorter[] = {{good, 3}, {good, 2}};
  const far_bootstrap_def def = resamples_of(100);
  far_estimate e;
  far_error error;
  CHECK(far_improvement_paired(&e, x, y, 2, &def, &error) == FAR_STATUS_RANGE);
  CHECK_TEXT(error.message, "the first of the pairs: value 0 is not a number");
  CHECK(far_improvement_paired(&e, shorter, y, 2, &def, &error) == FAR_STATUS_RANGE);
  CHECK_TEXT(error.message, "environment 1: 2 runs cannot be paired with 3");
  CHECK(error.position == -1);
}

/* What is wrong with the definition comes first, then what is wrong with tau. A score that is infinite has no mean. */
static void test_refused_scores(void) {
  const double good[] = {1, 2, 3}, infinite[] = {1, 2, INFINITY}, bad[] = {NAN};
  const far_sample x = {good, 3}, y = {infinite, 3}, none = {good, 0};
  const far_bootstrap_def few = resamples_of(99), def = resamples_of(100);
  far_aggregate a;
  far_estimate e;
  far_error error = {.position = 7};
  refused(far_profile(&e, bad, 1, &none, 1, &few, &error), &error, "99 resamples");
  refused(far_profile(&e, good, 1, &none, 1, &few, &error), &error, "99 resamples");
  refused(far_profile(&e, good, 1, &x, 1, &few, &error), &error, "99 resamples");
  refused(far_profile(&e, bad, 1, &none, 1, &def, &error), &error, "tau: value 0 is not a number");
  refused(far_profile(&e, bad, 1, &x, 1, &def, &error), &error, "tau: value 0 is not a number");
  refused(far_profile(&e, good, 1, &none, 1, &def, &error), &error, "sample 0: there is no value");
  refused(far_profile(&e, good, 1, &y, 1, &def, &error), &error, "value 2 is infinite");
  CHECK(far_profile(&e, &infinite[2], 1, &x, 1, &def, NULL) == FAR_OK && e.value == 0);
  refused(far_scores_aggregate(&a, &none, 1, &few, &error), &error, "99 resamples");
  refused(far_scores_aggregate(&a, &y, 1, &def, &error), &error, "sample 0: value 2 is infinite");
  refused(far_improvement(&e, &none, &x, 1, &few, &error), &error, "99 resamples");
  refused(far_improvement(&e, &x, &none, 1, &def, &error), &error, "sample 1: there is no value");
  refused(far_improvement(&e, NULL, NULL, 0, &few, &error), &error, "99 resamples");
  refused(far_improvement(&e, NULL, NULL, 0, &def, &error), &error, "no sample is given");
  refused(far_improvement_paired(&e, NULL, NULL, 0, &few, &error), &error, "99 resamples");
  refused(far_improvement_paired(&e, NULL, NULL, 0, &def, &error), &error, "no sample is given");
}

/* The room is that of the longest y, wherever it stands: the address sanitizer sees what is too little. */
static void test_longest(void) {
  static const double low[40];
  const double high[] = {1, 2, 3, 4, 5};
  const far_sample x[][2] = {{{high, 1}, {high, 2}}, {{high, 5}, {high, 2}}};
  const far_sample y[][2] = {{{low, 40}, {low, 1}}, {{low, 3}, {low, 40}}};
  const far_bootstrap_def def = resamples_of(100);
  far_estimate e;
  for (int i = 0; i < 2; ++i)
    CHECK(far_improvement(&e, x[i], y[i], 2, &def, NULL) == FAR_OK && e.value == 1 && e.low == 1);
}

/* ---- flips ---- */

static void test_refused_flips(void) {
  const double one[] = {1, -INFINITY}, sum[] = {1e308, -1e308};
  far_error error;
  double p;
  CHECK(far__flip_test(&p, one, 2, 3, 1, &error) == FAR_STATUS_RANGE);
  CHECK_TEXT(error.message, "the differences: value 1 is infinite");
  CHECK(far__flip_test(&p, sum, 2, 3, 1, &error) == FAR_STATUS_RANGE && error.position == -1);
  CHECK_TEXT(error.message, "the differences: their sum is infinite");
  CHECK(far__flip_test(&p, sum, 2, 0, 1, &error) == FAR_STATUS_RANGE && error.position == -1);
}

/* ---- laws of growth ---- */

static void test_laws(void) {
  const double again[] = {1, 2, 1}, below[] = {1, 0, 2}, y[] = {1, 4, 1, 2};
  const double close[] = {1000, 1001, 1002, 1004};
  far__growth g;
  far_error error;
  CHECK(far__growth_fit(&g, again, y, 3, &error) == FAR_STATUS_RANGE && error.position == -1);
  CHECK_TEXT(error.message, "a law needs 3 sizes that differ; there are 2");
  CHECK(far__growth_fit(&g, below, y, 3, &error) == FAR_STATUS_RANGE && error.position == -1);
  CHECK_TEXT(error.message, "point 1: size and value must be finite and above 0");
  /* a size and its logarithm, of sizes that hardly differ, still are no line */
  CHECK(far__growth_fit(&g, close, y, 4, NULL) == FAR_OK && g.laws[FAR__LAW_MIXED].fitted);
}

static void test_refused_times(void) {
  const double bad[] = {1, 2, NAN};
  far_times t;
  far_error error = {.position = 7};
  refused(far_times_summarise(&t, bad, 0, 9, &error), &error, "no times are given");
  refused(far_times_summarise(&t, bad, 3, 9, &error), &error, "a time is not a number");
  refused(far_times_summarise(&t, bad + 2, 1, 9, &error), &error, "a time is not a number");
}

/* ---- where an error is ---- */

static void nan_of(double *out, const far_sample *samples, size_t n_samples, void *user) {
  (void)samples, (void)n_samples, (void)user;
  *out = NAN;
}

static bool stop(void *user) {
  (void)user;
  return false;
}

static far_status summary(const double *x, int64_t n, double level, far_error *error) {
  far_summary s;
  return far_sample_summarise(&s, x, n, level, error);
}

static far_status bootstrap(const far_sample *x, size_t n, far_statistic_fn *statistic,
                            const far_bootstrap_def *def, far_error *error) {
  far_estimate e;
  return far_bootstrap_run(&e, 1, x, n, statistic, NULL, def, error);
}

static void test_refused_samples(void) {
  static const double many[1001];
  const double x[] = {1, 2}, bad[] = {1, NAN}, far[] = {1, INFINITY}, p[] = {2};
  const far_sample two[] = {{x, 2}, {many, 3}}, long_one = {many, 1000};
  far_bootstrap_def def = resamples_of(99);
  far_estimate e;
  far_welch w;
  far_error error = {.position = 7};
  double out[1];
  refused(summary(x, 2, 1, &error), &error, "1 does not");
  refused(summary(x, 0, 0.9, &error), &error, "there is no value");
  refused(summary(bad, (int64_t)1 << 32, 0.9, &error), &error, "too many");
  refused(summary(bad, 2, 0.9, &error), &error, "value 1 is not a number");
  refused(far_samples_compare(&w, x, 2, far, 2, 0.9, &error), &error, "value 1 is infinite");
  refused(far_samples_compare(&w, far, 2, x, 2, 0.9, &error), &error, "value 1 is infinite");
  refused(far_p_adjust(out, p, 1, FAR_CORRECTION_HOLM, &error), &error, "p-value 0 is 2");
  refused(bootstrap(two, 1, far_statistic_mean, &def, &error), &error, "99 resamples");
  def = resamples_of(1000);
  refused(bootstrap(two, 0, far_statistic_mean, &def, &error), &error, "no sample");
  refused(bootstrap(two, 1, nan_of, &def, &error), &error, "not a number on resample 0");
  refused(far_bootstrap_run(&e, 0, two, 1, far_statistic_mean, NULL, &def, &error), &error,
          "at least one number");
  def.go_on = stop;
  refused(bootstrap(&long_one, 1, far_statistic_mean, &def, &error), &error, "was stopped");
  def.together = true;
  refused(bootstrap(two, 2, far_statistic_mean, &def, &error), &error, "as many");
}

static far_status rankings(double alpha, size_t envs, size_t agents, far_error *error) {
  far_ranking_def def = far_ranking_def_default();
  far_ranking *r;
  def.alpha = alpha;
  return far_ranking_create(&r, &def, envs, agents, error);
}

static void look_at(far_ranking_pair *out, const double *x, const double *y, far_error *error) {
  const far_sample cells[] = {{x, 4}, {y, 4}};
  far_ranking_def def = far_ranking_def_default();
  far_ranking *r = NULL;
  def.first = 4;
  CHECK(far_ranking_create(&r, &def, 1, 2, NULL) == FAR_OK);
  CHECK(far_ranking_pair_at(r, 0)->p == 1 && far_ranking_pair_at(r, 0)->p_adjusted == 1);
  *error = (far_error){.message = "none"};
  CHECK(far_ranking_look(r, cells, NULL, error) == error->code);
  *out = *far_ranking_pair_at(r, 0);
  far_ranking_free(r);
}

static void test_ranked_runs(void) {
  const double x[] = {1, 3, 2, 4}, far[] = {1, INFINITY, 2, 4}, nan[] = {1, 3, 2, NAN};
  far_ranking_pair pair;
  far_ranking_def def = far_ranking_def_default();
  far_error error;
  look_at(&pair, far, x, &error);
  CHECK_TEXT(error.message, "the runs: value 1 is infinite");
  look_at(&pair, x, far, &error);
  CHECK_TEXT(error.message, "the runs: value 1 is infinite");
  look_at(&pair, nan, x, &error);
  CHECK_TEXT(error.message, "the runs: value 3 is not a number");
  /* runs that are alike say nothing, but are not skewed */
  look_at(&pair, x, x, &error);
  CHECK_TEXT(error.message, "none");
  CHECK(pair.look == 1 && pair.runs == 4 && !pair.skewed && pair.p == 1 && pair.better == 0);
  CHECK(far__ranking_parse(&def, "rank=x", &error) == FAR_STATUS_SYNTAX && error.position == 5);
}

/* A pair that cannot be compared ends the look, whatever comes after it. */
static void test_first_of_two(void) {
  const double x[] = {1, 3, 2, 4}, y[] = {2, 2, 1, 5}, nan[] = {1, 3, 2, NAN};
  const far_sample cells[] = {{nan, 4}, {x, 4}, {x, 4}, {y, 4}};
  far_ranking_def def = far_ranking_def_default();
  far_ranking *r = NULL;
  size_t looked = 7;
  def.first = 4;
  CHECK(far_ranking_create(&r, &def, 2, 2, NULL) == FAR_OK);
  CHECK(far_ranking_look(r, cells, &looked, NULL) == FAR_STATUS_RANGE && looked == 0);
  CHECK(far_ranking_info_of(r).looks == 0 && far_ranking_pair_at(r, 1)->look == 0);
  far_ranking_free(r);
}

/* p is 6 / 32 of a share of 1/5 at look 1, and 1/8 of a share of 4/30 at look 2, which is as much: the sign is that of
 * the first, by which the pair is decided when the other one is (Holm). */
static void test_equal_looks(void) {
  const double a[] = {5, 4, 3, -2, 1, -10, -10, -8, -9, -9}, none[10] = {0};
  const double b[] = {1, -1, 1, -1, 0, 7, 7, 7, 7, 7};
  const far_sample cells[] = {{a, 10}, {none, 10}, {b, 10}, {none, 10}};
  far_ranking_def def = far_ranking_def_default();
  far_ranking *r = NULL;
  def.alpha = 0.95;
  def.first = 5;
  def.growth = 2;
  CHECK(far_ranking_create(&r, &def, 2, 2, NULL) == FAR_OK);
  CHECK(far_ranking_look(r, cells, NULL, NULL) == FAR_OK && far_ranking_info_of(r).n_open == 2);
  CHECK(far_ranking_pair_at(r, 0)->p == 0.9375 && far_ranking_pair_at(r, 0)->mean == 2.2);
  CHECK(far_ranking_look(r, cells, NULL, NULL) == FAR_OK && far_ranking_info_of(r).n_open == 0);
  CHECK(far_ranking_pair_at(r, 0)->p == 0.9375 && far_ranking_pair_at(r, 0)->mean == -3.5);
  CHECK(far_ranking_pair_at(r, 0)->better == 1 && far_ranking_pair_at(r, 1)->better == 1);
  far_ranking_free(r);
}

static void test_refused_looks(void) {
  far_error error = {.position = 7};
  far_until u = far_until_default();
  far_look look;
  refused(rankings(0, 1, 2, &error), &error, "the probability of error is 0");
  refused(rankings(0.1, 1, 1, &error), &error, "there is one");
  refused(rankings(0.1, 1, 0, &error), &error, "there is none");
  refused(rankings(0.1, 0, 2, &error), &error, "there is no environment");
  refused(rankings(0.1, 1, 2000000, &error), &error, "too many");
  refused(rankings(0.1, 1, SIZE_MAX, &error), &error, "too many");
  refused(far__until_check(&u, &error), &error, "the requested width is 0");
  u.width = 1;
  refused(far_until_look(&look, &u, 0, NULL, &error), &error, "counted from 1");
  refused(far_until_look(&look, &u, 1, (const double[300]){[299] = NAN}, &error), &error,
          "the runs: value 299 is not a number");
  u.growth = 1;
  refused(far_until_look(&look, &u, 0, NULL, &error), &error, "cannot grow by a factor of 1 ");
  refused(far__until_check(&u, &error), &error, "cannot grow by a factor of 1 ");
  u.growth = 2;
  u.first = 1;
  refused(far__until_check(&u, &error), &error, "the first look is at 1 runs");
}

static void test_refused_widths(void) {
  far_until u = far_until_default();
  far_error error;
  CHECK(far__until_parse(&u, "ci=x", &error) == FAR_STATUS_SYNTAX && error.position == 3);
  CHECK(far__until_parse(&u, "ci=0", &error) == FAR_STATUS_RANGE && error.position == 3);
  CHECK_TEXT(error.message, "'0' is no width of an interval; it must be above 0");
  CHECK(far__until_parse(&u, "ci=100%", &error) == FAR_STATUS_RANGE && error.position == 3);
  CHECK_TEXT(error.message, "'100%' is no width of an interval; it must be above 0 and below 100%");
}

int main(void) {
  test_refused_pairs();
  test_small_variances();
  test_units_of_moments();
  test_units_of_comparisons();
  test_units_of_bootstrap();
  test_infinite_statistic();
  test_refused_improvement();
  test_refused_scores();
  test_longest();
  test_refused_flips();
  test_laws();
  test_refused_times();
  test_refused_samples();
  test_ranked_runs();
  test_first_of_two();
  test_equal_looks();
  test_refused_looks();
  test_refused_widths();
  return check_report();
}
