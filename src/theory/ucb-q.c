#include "theory/ucb-q.h"

#include <math.h> /* sqrt and ceil are exact operations */

#include "farsight/base.h"

double far__ucb_q_c(double gamma) {
  return 4 * sqrt(2) / (1 - gamma);
}

/* R, L, xi_L, M and eps_1 of the paper, in this order. */
far__ucb_q_constants far__theory_ucb_q(double gamma, double eps) {
  const double rest = 1 - gamma, log_horizon = far_log(1 / rest);
  far__ucb_q_constants out;
  out.r = fmax(1, ceil(far_log(3 / (eps * rest)) / rest));
  double power = 4; /* 2^(L+2), L = floor(log2 R) */
  for (out.l = 0; power / 2 <= out.r && power < 0x1p1000; out.l += 1) power *= 2;
  out.xi = eps / (3 * power * log_horizon);
  out.m = fmax(10, ceil(2 * far_log(1 / (out.xi * rest)) / far_log(2)));
  out.eps1 = eps / (24 * out.r * out.m * log_horizon);
  out.h = far_log(1 / (rest * out.eps1)) / far_log(1 / gamma);
  return out;
}

double far__ucb_q_h(double gamma, double eps) {
  return far__theory_ucb_q(gamma, eps).h;
}
