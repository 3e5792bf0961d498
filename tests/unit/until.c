/* Runs until the interval is narrow enough: the schedule, and by simulation that the interval
 * holds as often as it says although it decided when to stop, while Student's at every run does
 * not. */
#include <farsight/farsight.h>

#include "base/variate.h"
#include "check.h"

static far_until until(double width, bool relative) {
  far_until u = far_until_default();
  u.width = width;
  u.relative = relative;
  u.first = 30;
  return u;
}

static void test_schedule(void) {
  const int64_t runs[] = {30, 45, 68, 102, 153, 230, 345, 518, 777, 1000, 1000};
  far_until u = until(0.01, true);
  u.most = 1000;
  for (int k = 1; k <= 11; ++k) CHECK(far_until_runs(&u, k) == runs[k - 1]);
  CHECK(far_until_runs(&u, 1000000000) == 1000);
  u.first = 2;
  u.growth = 1.01;
  CHECK(far_until_runs(&u, 2) == 3); /* it grows, however slowly */
}

static void test_parse(void) {
  far_until u = far_until_default();
  far_error error;
  CHECK(far_until_parse(&u, "ci=1%", &error) == FAR_OK && u.relative && u.width == 0.01);
  CHECK(far_until_parse(&u, "ci=0.25", &error) == FAR_OK && !u.relative && u.width == 0.25);
  CHECK(u.first == 300);
  CHECK(far_until_parse(&u, "ci=250,first=40", &error) == FAR_OK && u.width == 250);
  CHECK(u.first == 40);
  const char *const syntax[] = {"",     "ci", "ci=",    "ci=%",   "ci=1%%",
                                "ci=x", "1%", "ci=1 %", "ci=1%,", "ci=1%,most=5"};
  for (size_t i = 0; i < sizeof syntax / sizeof *syntax; ++i)
    CHECK(far_until_parse(&u, syntax[i], &error) == FAR_STATUS_SYNTAX);
  const char *const range[] = {"ci=0", "ci=-1%", "ci=100%", "ci=0%"};
  for (size_t i = 0; i < sizeof range / sizeof *range; ++i) {
    CHECK(far_until_parse(&u, range[i], &error) == FAR_STATUS_RANGE);
    CHECK(error.position == 3);
  }
  const char *const first[] = {"ci=1,first=", "ci=1,first=1", "ci=1,first=x", "ci=1,first=9%"};
  for (size_t i = 0; i < sizeof first / sizeof *first; ++i) {
    CHECK(far_until_parse(&u, first[i], &error) == FAR_STATUS_RANGE);
    CHECK(error.position == 11);
  }
  CHECK(u.width == 250 && u.first == 40);
}

static void test_check(void) {
  far_until u = far_until_default();
  far_error error;
  far_look look;
  const double x[] = {1, 2, NAN};
  CHECK(far_until_check(&u, &error) == FAR_STATUS_RANGE); /* no width yet */
  u = until(1, true);
  CHECK(far_until_check(&u, &error) == FAR_STATUS_RANGE);
  u.relative = false;
  CHECK(far_until_check(&u, &error) == FAR_OK);
  u.growth = 1;
  CHECK(far_until_check(&u, &error) == FAR_STATUS_RANGE);
  u.growth = 1.5;
  u.first = 1;
  CHECK(far_until_check(&u, &error) == FAR_STATUS_RANGE);
  u.first = 3;
  CHECK(far_until_look(&look, &u, 0, x, &error) == FAR_STATUS_RANGE);
  CHECK(far_until_look(&look, &u, 1, x, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "value 2 is not a number");
}

static void test_look(void) {
  const double x[] = {11, 12, 13, 14, 12, 12}, same[] = {5, 5}, zero[] = {0, 0};
  far_until u = until(0.5, false);
  far_look look;
  u.first = 4;
  u.most = 6;
  CHECK(far_until_look(&look, &u, 1, x, NULL) == FAR_OK);
  CHECK(look.n == 4 && look.mean == 12.5 && !look.enough && !look.last);
  const double half = far_student_quantile(1 - 0.05 / 4, 3) * sqrt(5.0 / 3) / 2;
  CHECK_NEAR(look.half_width, half, 1e-13);
  u.width = half * (1 + 1e-12);
  CHECK(far_until_look(&look, &u, 1, x, NULL) == FAR_OK && look.enough);
  u.width = half / 12.5 * (1 + 1e-12);
  u.relative = true;
  CHECK(far_until_look(&look, &u, 1, x, NULL) == FAR_OK && look.enough);
  u.width = half / 12.5 * (1 - 1e-12);
  CHECK(far_until_look(&look, &u, 1, x, NULL) == FAR_OK && !look.enough);
  CHECK(far_until_look(&look, &u, 2, x, NULL) == FAR_OK);
  CHECK(look.n == 6 && look.last);
  CHECK_NEAR(look.half_width / far_student_quantile(1 - 0.05 / 12, 5) * sqrt(6),
             sqrt((16.0 / 3) / 5), 1e-12);
  u.first = 2;
  CHECK(far_until_look(&look, &u, 1, same, NULL) == FAR_OK && look.enough && look.half_width == 0);
  CHECK(far_until_look(&look, &u, 1, zero, NULL) == FAR_OK && look.enough);
}

/* Looks at mean 0 with a relative width go on to the end, and say so. */
static void test_near_zero(void) {
  static double x[1000];
  far_until u = until(0.05, true);
  far_look look;
  u.most = 1000;
  for (int i = 0; i < 1000; ++i) x[i] = i % 2 ? 1 : -1;
  int k = 1;
  do CHECK(far_until_look(&look, &u, k++, x, NULL) == FAR_OK);
  while (!look.enough && !look.last);
  CHECK(look.last && !look.enough && look.n == 1000);
}

/* ---- by simulation ---- */

enum { TRIALS = 2000, MOST = 2000 };

typedef double law(far_rng *rng);

static double normal(far_rng *rng) {
  return 1 + far__normal(rng);
}

static double exponential(far_rng *rng) {
  return -far_log(1 - far_rng_uniform(rng));
}

/* One run in a hundred succeeds, and earns half of all. */
static double rare(far_rng *rng) {
  const bool success = far_rng_uniform(rng) < 0.01;
  return 0.5 + 0.01 * far__normal(rng) + (success ? 50 : 0);
}

typedef struct outcome {
  double held;  /* share of trials whose interval at the stop holds the mean, 1 */
  double never; /* share in which the interval of no look misses it */
  double runs;  /* when it stopped, in the mean */
} outcome;

/* The rule of far_until. */
static void by_looks(outcome *out, const far_until *u, const double *x) {
  far_look look;
  bool stopped = false, missed = false;
  for (int k = 1; k == 1 || !look.last; ++k) {
    far_until_look(&look, u, k, x, NULL);
    const bool holds = fabs(look.mean - 1) <= look.half_width;
    missed = missed || !holds;
    if (!stopped && (look.enough || look.last)) {
      stopped = true;
      out->held += (double)holds / TRIALS;
      out->runs += (double)look.n / TRIALS;
    }
  }
  out->never += (double)!missed / TRIALS;
}

/* Student's 95% interval after every run from the fifth on. */
static void naive(outcome *out, const far_until *u, const double *x, const double *quantiles) {
  double mean = 0, squares = 0;
  bool stopped = false, missed = false;
  for (int64_t n = 1; n <= u->most; ++n) {
    const double d = x[n - 1] - mean;
    mean += d / (double)n;
    squares += d * (x[n - 1] - mean);
    if (n < 5) continue;
    const double half = quantiles[n - 1] * sqrt(squares / (double)(n - 1) / (double)n);
    const bool holds = fabs(mean - 1) <= half;
    missed = missed || !holds;
    if (!stopped && (half <= u->width * fabs(mean) || n == u->most)) {
      stopped = true;
      out->held += (double)holds / TRIALS;
      out->runs += (double)n / TRIALS;
    }
  }
  out->never += (double)!missed / TRIALS;
}

static void simulate(outcome out[2], law *draw, const far_until *u, uint64_t seed) {
  static double x[MOST], quantiles[MOST];
  for (int n = 1; n < MOST; ++n) quantiles[n] = far_student_975(n);
  for (int trial = 0; trial < TRIALS; ++trial) {
    far_rng rng;
    far_rng_init(&rng, seed, (uint64_t)trial, FAR_PURPOSE_SEARCH);
    for (int i = 0; i < MOST; ++i) x[i] = draw(&rng);
    by_looks(&out[0], u, x);
    naive(&out[1], u, x, quantiles);
  }
}

static void show(const char *what, const outcome out[2]) {
  for (int i = 0; i < 2; ++i)
    printf("%-12s %-6s holds at the stop in %.1f%%, at every look in %.1f%%; %.0f runs\n", what,
           i == 0 ? "looks" : "naive", 100 * out[i].held, 100 * out[i].never, out[i].runs);
}

/* Until the interval is +-40% of the mean, mean and deviation being 1. The naive rule stops when
 * the deviation happens to look small or the mean great. A rule that stops at will, such as at the
 * first interval that misses, has "at every look" to fear. */
static void test_coverage(void) {
  far_until u = until(0.4, true);
  u.most = MOST;
  outcome gauss[2] = {{0}}, skewed[2] = {{0}};
  simulate(gauss, normal, &u, 1);
  show("normal", gauss);
  CHECK(gauss[0].held >= 0.95 && gauss[0].never >= 0.95);
  CHECK(gauss[1].held < 0.95 - 2 * sqrt(0.05 * 0.95 / TRIALS) && gauss[1].never < 0.7);
  simulate(skewed, exponential, &u, 2);
  show("exponential", skewed);
  CHECK(skewed[0].held >= 0.95 && skewed[1].held < skewed[0].held - 0.02);
}

/* Rare successes: looks before they can be seen are worthless, and the default is late enough for one in
 * a hundred. */
static void test_rare(void) {
  far_until u = until(0.4, true);
  u.most = MOST;
  outcome early[2] = {{0}}, late[2] = {{0}};
  simulate(early, rare, &u, 3);
  show("rare, 30", early);
  u.first = far_until_default().first;
  simulate(late, rare, &u, 3);
  show("rare, 300", late);
  CHECK(early[0].held < 0.5 && late[0].held > 0.85);
}

/* A look at skewed runs waits for more of them, however narrow its interval is. */
static void test_skewed(void) {
  static double x[2000];
  far_until u = until(1, false);
  far_look look;
  x[5] = 1; /* and 29 zeros */
  CHECK(far_until_look(&look, &u, 1, x, NULL) == FAR_OK);
  CHECK(look.half_width < 1 && look.skewed && !look.enough);
  for (int i = 0; i < 30; ++i) x[i] = i % 2;
  CHECK(far_until_look(&look, &u, 1, x, NULL) == FAR_OK && !look.skewed && look.enough);
}

int main(void) {
  test_schedule();
  test_parse();
  test_check();
  test_look();
  test_near_zero();
  test_coverage();
  test_rare();
  test_skewed();
  return check_report();
}
