#include "theory/average.h"

#include <math.h> /* sqrt, fmax: exact operations */

#include "farsight/math.h"

double far__ucrl2b_log(double states, double actions, double n, double delta) {
  return far_log(6 * states * actions * n / delta);
}

double far__ucrl2b_width(double variance, double bound, double n, double log) {
  return 2 * sqrt(variance * log / n) + 6 * bound * log / n;
}

far__kl_ucrl_constants far__theory_kl_ucrl(double states, double actions, double t, double delta) {
  const double e = 0x1.5bf0a8b145769p1, ln = far_log(fmax(2, t));
  const double b = far_log(2 * e * states * states * actions * ln / delta), x = b + 1 / ln;
  return (far__kl_ucrl_constants){.p = states * (b + (1 + 1 / x) * far_log(x)),
                                  .r = sqrt(far_log(4 * states * actions * ln / delta) / 1.99)};
}
