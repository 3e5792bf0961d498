#include "run/statistics.h"

#include <math.h>

#include "base/bytes.h"

/* arctan x for x >= 0 from arithmetic alone: halve the angle until the series is short */
static double arctan(double x) {
  int halvings = 0;
  for (; x > 0.1; ++halvings) x = x / (1 + sqrt(1 + x * x));
  double sum = 0;
  for (int j = 9; j >= 0; --j) sum = 1.0 / (2 * j + 1) - x * x * sum;
  return ldexp(x * sum, halvings);
}

/* P(|T| < t) for a whole number of degrees of freedom (Abramowitz & Stegun 26.7.3, 26.7.4) */
static double student_two_sided(double t, int64_t degrees) {
  const double pi = 3.14159265358979323846;
  const double cosine2 = (double)degrees / ((double)degrees + t * t);
  const double sine = t / sqrt((double)degrees + t * t);
  const bool odd = degrees % 2 == 1;
  double term = odd ? sqrt(cosine2) : 1, sum = 0;
  for (int64_t j = odd ? 3 : 2; j <= degrees; j += 2) {
    sum += term;
    term *= cosine2 * (double)(j - 1) / (double)j;
  }
  if (!odd) return sine * sum;
  return 2 / pi * (arctan(t / sqrt((double)degrees)) + sine * sum);
}

/* Exact by bisection up to 200 degrees, beyond that the expansion of Cornish and Fisher about the
 * normal quantile (its error is below 1e-10 there). */
double far_student_975(int64_t degrees) {
  if (degrees < 1) return NAN;
  if (degrees > 200) {
    const double z = 1.959963984540054, v = (double)degrees, z2 = z * z;
    const double g1 = z * (z2 + 1) / 4;
    const double g2 = z * ((5 * z2 + 16) * z2 + 3) / 96;
    const double g3 = z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384;
    const double g4 = z * ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) / 92160;
    return z + (g1 + (g2 + (g3 + g4 / v) / v) / v) / v;
  }
  double low = 1, high = 16;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    if (student_two_sided(middle, degrees) < 0.95)
      low = middle;
    else
      high = middle;
  }
  return (low + high) / 2;
}

static void hash_totals(char out[FAR_HASH_TEXT], const double *totals, int64_t n, uint8_t *bytes) {
  uint8_t digest[FAR_HASH_BYTES];
  for (int64_t i = 0; i < n; ++i) far__put_f64(bytes + 8 * i, totals[i]);
  far_hash(digest, bytes, (size_t)n * 8);
  far_hash_text(out, digest);
}

void far__moments(far_result *out, const double *totals, int64_t n) {
  out->runs = n;
  out->mean = out->std = out->ci95 = out->min = out->max = NAN;
  if (n < 1) return;
  double sum = 0;
  out->min = out->max = totals[0];
  for (int64_t i = 0; i < n; ++i) {
    sum += totals[i];
    out->min = totals[i] < out->min ? totals[i] : out->min;
    out->max = totals[i] > out->max ? totals[i] : out->max;
  }
  out->mean = sum / (double)n;
  if (n < 2) return;
  double squares = 0;
  for (int64_t i = 0; i < n; ++i) {
    const double d = totals[i] - out->mean;
    squares += d * d;
  }
  out->std = sqrt(squares / (double)(n - 1));
  out->ci95 = far_student_975(n - 1) * out->std / sqrt((double)n);
}

void far__summarise(far_result *out, const double *totals, int64_t n, uint8_t *bytes) {
  far__moments(out, totals, n);
  hash_totals(out->hash, totals, n, bytes);
}
