/* The sign test of several weights, against the definition of its grid: every number of heads of every weight, one by one. */
#include <farsight/farsight.h>

#include "check.h"

/* ---- places that are wider than a unit ---- */

static double choose(int64_t n, int64_t k) {
  return exp(lgamma((double)n + 1) - lgamma((double)k + 1) - lgamma((double)(n - k) + 1));
}

static double at_most(double x, double most) {
  return fmax(-most, fmin(x, most));
}

/* P(|place| >= from), from place `at`, by n more weights: what falls between two places is divided, and what is beyond
 * 1,024 places lies at the ends. */
static double beyond(const far_outcomes *o, int n, double h, double from, double at) {
  if (n == 0) return fabs(at) >= from;
  const int64_t m = o->won + o->lost;
  double sum = 0;
  for (int64_t heads = 0; heads <= m; ++heads) {
    const double x = (double)(2 * heads - m) * o->weight / h, far = fabs(x) - floor(fabs(x));
    const double near = copysign(floor(fabs(x)), x), next = near + copysign(1, x);
    const double ways = choose(m, heads) * ldexp(1, (int)-m);
    sum += ways * (1 - far) * beyond(o + 1, n - 1, h, from, at_most(at + near, 1024));
    sum += ways * far * beyond(o + 1, n - 1, h, from, at_most(at + next, 1024));
  }
  return sum;
}

/* Places are 8.5 standard deviations / 1024 wide, and what is two places nearer to 0 counts, too. */
static double second_grid(const far_outcomes *o, int n) {
  double sum = 0, variance = 0;
  for (int i = 0; i < n; ++i) {
    sum += (double)(o[i].won - o[i].lost) * o[i].weight;
    variance += (double)(o[i].won + o[i].lost) * o[i].weight * o[i].weight;
  }
  const double h = 8.5 * sqrt(variance) / 1024;
  return fmin(1, beyond(o, n, h, fmin(1024, fabs(sum) / h - 2), 0));
}

static void test_wide_places(void) {
  static const far_outcomes cases[][3] = {
      {{1.5, 3, 0}, {2, 2, 0}, {0.25, 0, 1}},      {{0.7, 5, 2}, {1.3, 1, 4}, {2.25, 8, 0}},
      {{0.7, 2, 5}, {1.3, 4, 1}, {2.25, 0, 8}},    {{1000.5, 4, 1}, {3, 9, 9}, {700, 1, 1}},
      {{0.7, 40, 0}, {1.1, 40, 0}, {0.31, 40, 0}}, {{0.31, 0, 40}, {1.1, 0, 40}, {0.7, 0, 40}},
      {{2500, 6, 0}, {3000, 1, 5}, {1000, 3, 1}}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    for (int n = 2; n <= 3; ++n) {
      const double p = second_grid(cases[i], n);
      CHECK_NEAR(far_sign_test(cases[i], (size_t)n) / p, 1, 1e-11);
    }
}

/* ---- what counts as a weight ---- */

static void test_weights(void) {
  /* one weight is exact, whatever else did not happen: 2 / 2^4, 2 (1 + 3) / 2^3, and no places where there are many */
  const far_outcomes one[] = {{0.75, 4, 0}, {0.3, 0, 0}, {0, 2, 1}},
                     even[] = {{0.3, 0, 0}, {0.75, 2, 1}};
  CHECK_NEAR(far_sign_test(one, 3), 0.125, 1e-15);
  CHECK_NEAR(far_sign_test(even, 2), 1, 1e-15);
  const far_outcomes many[] = {{0.75, 8200, 8000}, {0.3, 0, 0}};
  CHECK(far_sign_test(many, 2) == far_sign_test(many, 1));
  /* as many won as lost is a weight, too: of 128 choices of signs 16 have a sum of +-8 in the second, all of which count;
   * 64 have +-4, and 56 of these count; 48 have 0, and 12 of these count */
  const far_outcomes level[] = {{1, 3, 0}, {2, 2, 2}};
  CHECK_NEAR(far_sign_test(level, 2), 84.0 / 128, 1e-15);
  /* where the squares of weights vanish or are infinite nothing is claimed */
  const far_outcomes tiny[] = {{1e-200, 30, 0}, {2e-200, 30, 0}};
  const far_outcomes huge[] = {{1e308, 30, 0}, {5e307, 30, 0}},
                     large[] = {{1e160, 9, 0}, {2e160, 9, 0}};
  CHECK(far_sign_test(tiny, 2) == 1 && far_sign_test(huge, 2) == 1 && far_sign_test(large, 2) == 1);
  for (int n = 1; n < 40; ++n) /* all masses add up to 1, and rounding makes it no more */
    CHECK(far_sign_test((far_outcomes[]){{1, n, n}, {2, 9, 9}}, 2) <= 1);
}

/* ---- the ends ---- */

/* Whole weights with a standard deviation of 120.2: what is beyond 1,024 places lies at the ends. */
static void test_ends(void) {
  const far_outcomes o[] = {{1, 7801, 6600}, {2, 6, 4}};
  const double whole = lgamma(14402);
  double p = 0;
  for (int k = 0; k <= 14401; ++k)
    for (int heads = 0; heads <= 10; ++heads) {
      const double ways = exp(whole - lgamma(k + 1.0) - lgamma(14402.0 - k) - 14401 * log(2));
      const double first = at_most(2 * k - 14401, 1024);
      if (fabs(first + 2 * (2 * heads - 10)) >= 1024) p += ways * choose(10, heads) / 1024;
    }
  CHECK_NEAR(far_sign_test(o, 2) / p, 1, 0.02); /* but for terms of 1e-20 */
}

int main(void) {
  test_wide_places();
  test_weights();
  test_ends();
  return check_report();
}
