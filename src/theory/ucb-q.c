#include "theory/ucb-q.h"

#include <math.h> /* sqrt and ceil are exact operations */

#include "farsight/math.h"

double far__ucb_q_c(double gamma) {
  return 4 * sqrt(2) / (1 - gamma);
}

/* R, L, xi_L, M and eps_1 of the paper, in this order. */
double far__ucb_q_h(double gamma, double eps) {
  const double rest = 1 - gamma, log_horizon = far_log(1 / rest);
  const double r = fmax(1, ceil(far_log(3 / (eps * rest)) / rest));
  double power = 4; /* 2^(L+2), L = floor(log2 R) */
  while (power / 2 <= r && power < 0x1p1000) power *= 2;
  const double xi = eps / (3 * power * log_horizon);
  const double m = fmax(10, ceil(2 * far_log(1 / (xi * rest)) / far_log(2)));
  const double eps1 = eps / (24 * r * m * log_horizon);
  return far_log(1 / (rest * eps1)) / far_log(1 / gamma);
}
