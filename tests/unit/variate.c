/* Normal, gamma and beta variates against their exact distribution functions, and their first
 * values to the last bit. */
#include "base/variate.h"

#include <stdlib.h>

#include "check.h"

enum { DRAWS = 100000 };

typedef double draw_fn(far_rng *rng);
typedef double cdf_fn(double x);

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Kolmogorov and Smirnov: sqrt(n) D exceeds 1.95 with probability 0.001; the seed is fixed. Mean
 * and variance within five standard errors as far as these are known. */
static void check_distribution(draw_fn *draw, cdf_fn *cdf, uint64_t seed, double mean,
                               double variance, double kurtosis) {
  static double x[DRAWS];
  far_rng rng;
  far_rng_init(&rng, seed, 0, FAR_PURPOSE_AGENT);
  double sum = 0, squares = 0, distance = 0;
  for (int i = 0; i < DRAWS; ++i) {
    x[i] = draw(&rng);
    sum += x[i];
    squares += (x[i] - mean) * (x[i] - mean);
  }
  qsort(x, DRAWS, sizeof *x, ascending);
  for (int i = 0; i < DRAWS; ++i) {
    const double f = cdf(x[i]);
    distance = fmax(distance, fmax((i + 1.0) / DRAWS - f, f - (double)i / DRAWS));
  }
  CHECK(sqrt(DRAWS) * distance < 1.95);
  CHECK_NEAR(sum / DRAWS, mean, 5 * sqrt(variance / DRAWS));
  CHECK_NEAR(squares / DRAWS, variance, 5 * variance * sqrt((kurtosis - 1) / DRAWS));
}

static double normal_cdf(double x) {
  return 0.5 * erfc(-x / sqrt(2));
}

static double gamma_half(far_rng *rng) {
  return far__gamma(rng, 0.5);
}
static double gamma_half_cdf(double x) {
  return erf(sqrt(x));
}

static double gamma_one(far_rng *rng) {
  return far__gamma(rng, 1);
}
static double gamma_one_cdf(double x) {
  return -expm1(-x);
}

static double gamma_four(far_rng *rng) {
  return far__gamma(rng, 4);
}
static double gamma_four_cdf(double x) {
  return 1 - exp(-x) * (1 + x + x * x / 2 + x * x * x / 6);
}

static double beta_two_three(far_rng *rng) {
  return far__beta(rng, 2, 3);
}
static double beta_two_three_cdf(double x) {
  return x * x * (6 - 8 * x + 3 * x * x);
}

static void test_distributions(void) {
  check_distribution(far__normal, normal_cdf, 11, 0, 1, 3);
  check_distribution(gamma_half, gamma_half_cdf, 12, 0.5, 0.5, 3 + 6 / 0.5);
  check_distribution(gamma_one, gamma_one_cdf, 13, 1, 1, 9);
  check_distribution(gamma_four, gamma_four_cdf, 14, 4, 4, 4.5);
  check_distribution(beta_two_three, beta_two_three_cdf, 15, 0.4, 0.04, 3 - 9.0 / 14);
}

/* A gamma of a tiny shape is nearly always 0 in doubles; a ratio of two such is still in [0, 1],
 * with mean a / (a + b). */
static void test_extremes(void) {
  far_rng rng;
  far_rng_init(&rng, 16, 0, FAR_PURPOSE_AGENT);
  int zeros = 0, bad = 0;
  double ones = 0, largest = 0;
  for (int i = 0; i < 4000; ++i) {
    const double g = far__gamma(&rng, 1e-4);
    bad += !(g >= 0 && g - g == 0);
    zeros += g == 0;
    const double x = far__beta(&rng, 3e-6, 1e-6);
    bad += !(x >= 0 && x <= 1);
    ones += x;
    largest = fmax(largest, far__gamma(&rng, 1e6));
  }
  CHECK(bad == 0);
  CHECK(zeros > 3400 && zeros < 4000);
  CHECK_NEAR(ones / 4000, 0.75, 0.035);
  CHECK_NEAR(largest, 1e6, 6e3);
}

/* The first values of a stream, to the bit: every compiler and platform must give these. A Python
 * transcription of the methods, with its own logarithm, agrees to 1e-15. */
static void test_bits(void) {
  static const double normals[] = {0x1.b2ffe5abd34e3p-4, -0x1.a6e567136715ap-1,
                                   -0x1.0f7a0a7563cc4p+0};
  static const double below[] = {0x1.232c5995d94cep-4, 0x1.2501e1e522ae2p-2, 0x1.f123e1c2b9d6cp-3};
  static const double above[] = {0x1.35c2fbe4e8291p+0, 0x1.de87811ab9327p+0, 0x1.fac374af0ad08p-1};
  far_rng rng;
  far_rng_init(&rng, 1, 0, FAR_PURPOSE_MODEL);
  for (int i = 0; i < 3; ++i) CHECK(far__normal(&rng) == normals[i]);
  for (int i = 0; i < 3; ++i) CHECK(far__gamma(&rng, 0.25) == below[i]);
  for (int i = 0; i < 3; ++i) CHECK(far__gamma(&rng, 2.5) == above[i]);
  CHECK(far__beta(&rng, 0.5, 2) == 0x1.a45042ea1299ep-6);
}

int main(void) {
  test_distributions();
  test_extremes();
  test_bits();
  return check_report();
}
