/* By simulation: the intervals of runs that are added until they are narrow hold as often as they say, and those of
 * a naive rule do not. */
#include <farsight/farsight.h>

#include "base/variate.h"
#include "check.h"
#include "statistics/sample.h"

static far_until until(double width, bool relative) {
  far_until u = far_until_default();
  u.width = width;
  u.relative = relative;
  u.first = 30;
  return u;
}

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
  for (int n = 1; n < MOST; ++n) quantiles[n] = far__student_975(n);
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

int main(void) {
  test_coverage();
  test_rare();
  return check_report();
}
