#include "base/special.h"

#include <float.h>
#include <math.h> /* only for sqrt, which IEEE 754 rounds correctly, and INFINITY */
#include <stdbool.h>

#include "farsight/base.h"

static const double SQRT_PI = 1.7724538509055160273;

enum { TERMS = 1000 }; /* more than any argument needs; a guard against NaN */

/* ln w is exact for w = 1 + x as rounded; the factor x / (w - 1) corrects the rounding (Kahan). */
double far__log1p(double x) {
  const double w = 1 + x;
  if (w == 1) return x;
  return w < INFINITY ? far_log(w) * (x / (w - 1)) : w;
}

/* With w = a - 1/4: gamma(w + 3/4) / gamma(w + 1/4) = sqrt(w) (1 + 1/(64 w^2) - ...), only even
 * powers by symmetry (the expansion of ln gamma in Bernoulli polynomials; the coefficients are
 * exact). The first term left out is 3e-17 at w = 11.75; below, gamma(a + 1) = a gamma(a)
 * shifts. */
double far__gamma_ratio(double a) {
  static const double terms[] = {1 / 64.0,
                                 -19 / 8192.0,
                                 631 / 524288.0,
                                 -174317 / 134217728.0,
                                 20491783 / 8589934592.0,
                                 -7334801895 / 1099511627776.0};
  double above = 1, below = 1;
  while (a < 12) {
    above *= a;
    below *= a + 0.5;
    a += 1;
  }
  const double w = a - 0.25, x = 1 / w / w;
  double sum = 0;
  for (int i = 5; i >= 0; --i) sum = (sum + terms[i]) * x;
  return sqrt(w) * (1 + sum) * (above / below);
}

/* In terms of the incomplete beta function, a = nu/2, u = z^2/nu, x = 1/(1+u), y = u/(1+u):
 * P(T > z) = I_x(a, 1/2) / 2 = (1 - I_y(1/2, a)) / 2, and x^a sqrt(y) / B(a, 1/2) is a factor of
 * both. */
typedef struct student {
  double a, x, y, factor;
} student;

/* I_y(1/2, a) by its power series: all terms are positive. */
static double centre(const student *t) {
  double term = 1, sum = 1;
  for (int n = 0; n < TERMS && term > sum * (DBL_EPSILON / 8); ++n) {
    term *= (t->a + 0.5 + n) / (1.5 + n) * t->y;
    sum += term;
  }
  return 2 * t->factor * sum;
}

/* I_x(a, 1/2) by the continued fraction of DiDonato & Morris (ACM TOMS 18, 1992, eq. 9), evaluated
 * from the front (Lentz). Its limit for a to infinity is Legendre's fraction of the error function:
 * the number of terms does not grow with a. */
static double far_out(const student *t) {
  const double a = t->a, b = 0.5, x = t->x;
  double f = a / (a + 1) * (a * t->y - b * x + 1), c = f, d = 0;
  for (int n = 1; n < TERMS; ++n) {
    const double middle = a + 2 * n - 1;
    const double over = (a + n - 1) / middle * ((a + b + n - 1) / middle) * n * (b - n) * x * x;
    const double under = n + n * (b - n) * x / middle +
                         (a + n) / (a + 2 * n + 1) * (a * t->y - b * x + 1 + n * (2 - x));
    d = 1 / (under + over * d);
    c = under + over / c;
    f *= c * d;
    const double change = c * d - 1;
    if (change < DBL_EPSILON && change > -DBL_EPSILON) break;
  }
  return t->factor / f;
}

/* For u so large that 1 + u rounds to u: I_x(a, 1/2) = x^a / (a B(a, 1/2)), x = 1/u. */
static double farthest(double z, double nu) {
  const double a = nu / 2, power = far_exp(-a * (2 * far_log(z) - far_log(nu)));
  return 0.5 * power * far__gamma_ratio(a) / (a * SQRT_PI);
}

double far__student_tail(double z, double nu) {
  if (!(nu > 0) || z != z) return NAN;
  if (nu > FAR__NORMAL) nu = FAR__NORMAL;
  if (z < 0) return 1 - far__student_tail(-z, nu);
  const double u = z / nu * z;
  if (u > 1e300) return farthest(z, nu);
  student t = {.a = nu / 2, .x = 1 / (1 + u), .y = u / (1 + u)};
  t.factor = far_exp(-t.a * far__log1p(u)) * sqrt(t.y) * far__gamma_ratio(t.a) / SQRT_PI;
  const bool central = t.y * (t.a + 2.5) < 1; /* |z| below about sqrt 2 */
  return 0.5 * (central ? 1 - centre(&t) : far_out(&t));
}

/* The integral of z f(z) is -nu/(nu-1) (1 + z^2/nu) f(z), f the density; so
 * E[max(0, T - z)] = nu/(nu-1) (1 + z^2/nu) f(z) - z P(T > z). */
double far__student_excess(double z, double nu) {
  if (z < 0) return far__student_excess(-z, nu) - z;
  const double u = z / nu * z;
  if (u > 1e300) return 0;
  const double density = far__gamma_ratio(nu / 2) / (sqrt(nu) * SQRT_PI); /* at 0 */
  const double part = far_exp(-(nu - 1) / 2 * far__log1p(u)) * density * (nu / (nu - 1));
  const double excess = part - z * far__student_tail(z, nu);
  return excess > 0 ? excess : 0;
}
