/* The inverse of Student's distribution, on top of base/special.h. */
#include <math.h> /* NAN; sqrt, which is exact */

#include "base/special.h"
#include "farsight/base.h"
#include "farsight/statistics.h"
#include "statistics/sample.h"

static double density(double t, double nu) {
  const double at_0 = far__gamma_ratio(nu / 2) / (sqrt(nu) * 1.7724538509055160273);
  return at_0 * far_exp(-(nu + 1) / 2 * far__log1p(t / nu * t));
}

/* The t >= 0 with P(T > t) = q <= 1/2: Newton's method for ln P(T > t), within a bracket that
 * shrinks. */
static double upper_point(double q, double nu) {
  double low = 0, high = 1;
  for (; far__student_tail(high, nu) > q && high < 1e300; high *= 2) low = high;
  double t = low + (high - low) / 2;
  for (int i = 0; i < 200; ++i) {
    const double tail = far__student_tail(t, nu);
    *(tail > q ? &low : &high) = t;
    double next = t + far_log(tail / q) * tail / density(t, nu);
    if (!(next > low && next < high)) next = low + (high - low) / 2;
    const double change = next > t ? next - t : t - next;
    t = next;
    if (change <= 4e-16 * t) break;
  }
  return t;
}

double far_student_quantile(double p, double degrees) {
  if (!(p > 0 && p < 1 && degrees > 0)) return NAN;
  const double nu = degrees < FAR__NORMAL ? degrees : FAR__NORMAL;
  if (p < 0.5) return -upper_point(p, nu);
  return p > 0.5 ? upper_point(1 - p, nu) : 0;
}

double far__student_975(int64_t degrees) {
  return far_student_quantile(0.975, (double)degrees);
}
