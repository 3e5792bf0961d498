/* Normal, gamma and beta variates on top of the uniform stream, from + - * / sqrt, far_log and
 * far_exp alone: the same bits everywhere. Nothing is cached between calls, so a stream's state
 * is all there is to save. Each call takes a varying number of draws. */
#ifndef FAR_BASE_VARIATE_H
#define FAR_BASE_VARIATE_H

#include <math.h> /* only for sqrt, which IEEE 754 rounds correctly */

#include "farsight/base.h"

/* Standard normal by the polar method (Marsaglia & Bray 1964). The second variate of the pair is
 * thrown away. */
static inline double far__normal(far_rng *rng) {
  for (;;) {
    const double u = 2 * far_rng_uniform(rng) - 1;
    const double v = 2 * far_rng_uniform(rng) - 1;
    const double s = u * u + v * v;
    if (s > 0 && s < 1) return u * sqrt(-2 * far_log(s) / s);
  }
}

/* Gamma(shape, scale 1) for shape >= 1 (Marsaglia & Tsang 2000). */
static inline double far__gamma_from_one(far_rng *rng, double shape) {
  const double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);
  for (;;) {
    const double x = far__normal(rng), root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root, x2 = x * x;
    const double u = far_rng_uniform(rng);
    if (u < 1 - 0.0331 * (x2 * x2)) return d * v; /* the squeeze saves most logarithms */
    if (far_log(u) < 0.5 * x2 + d * (1 - v + far_log(v))) return d * v;
  }
}

/* Gamma(shape, scale 1), shape > 0. Below 1 a gamma of shape + 1 is drawn first, then the uniform
 * number U that thins it by U^(1/shape); the result may underflow to 0. */
static inline double far__gamma(far_rng *rng, double shape) {
  if (shape >= 1) return far__gamma_from_one(rng, shape);
  const double g = far__gamma_from_one(rng, shape + 1);
  return g * far_exp(far_log(far_rng_uniform(rng)) / shape); /* U = 0 gives exp(-inf) = 0 */
}

/* Beta(a, b), a and b > 0, as a ratio of gammas; a fair coin where both underflow to 0, the limit
 * of the distribution as a = b -> 0. */
static inline double far__beta(far_rng *rng, double a, double b) {
  const double x = far__gamma(rng, a), y = far__gamma(rng, b);
  const double sum = x + y;
  if (sum > 0) return x / sum;
  return far_rng_uniform(rng) < a / (a + b) ? 1 : 0;
}

#endif
