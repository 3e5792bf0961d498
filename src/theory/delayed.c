#include "theory/delayed.h"

#include <math.h> /* sqrt and ceil are exact operations */

#include "farsight/math.h"

static double v_max(far__problem p) {
  return p.range / (1 - p.gamma);
}

static double target_width(far__problem p) {
  return p.range + p.gamma * v_max(p);
}

static double hoeffding_scale(far__problem p, double eps1) {
  const double w = target_width(p);
  return w * w / (2 * eps1 * eps1);
}

/* B = 3SA(1 + SA kappa) / delta: the union over pairs and windows */
static double union_size(far__problem p, double kappa, double delta) {
  const double pairs = p.states * p.actions;
  return 3 * pairs * (1 + pairs * kappa) / delta;
}

double far__m_full(far__problem p, double eps1, double kappa, double delta) {
  return ceil(hoeffding_scale(p, eps1) * far_log(union_size(p, kappa, delta)));
}

/* The smallest m with m >= c ln(B m): iterate upwards from below the fixed point. */
static double m_interval(far__problem p, double eps1, double kappa, double delta) {
  const double c = hoeffding_scale(p, eps1), B = union_size(p, kappa, delta);
  double m = fmax(2, c * far_log(fmax(c * B, 2)));
  for (int i = 0; i < 200; ++i) {
    const double next = c * far_log(B * m);
    if (!(next > m)) break;
    m = next;
  }
  return ceil(m);
}

double far__rho_for_optimism(far__problem p, double m, double kappa, double delta) {
  return target_width(p) * sqrt(0.5 * far_log(union_size(p, kappa, delta) * m));
}

double far__bonus(double lambda, double inverse_log_eta, double e) {
  if (lambda == 0 || e <= 0) return 0;
  const double x = far_log(e) * inverse_log_eta;
  return lambda / sqrt(x > 1 ? x : 1);
}

double far__lambda_paper(double eps1, double range, double eta) {
  return eps1 * sqrt(far_log(eps1 / range) / far_log(eta));
}

double far__lambda_repaired(double eps1, double range, double eta, double gamma_e) {
  const double cap = far__lambda_paper(eps1, range, eta);
  if (gamma_e == 0) return cap; /* the bonus is gone after the first update */
  return fmin(cap, eps1 * sqrt(1 + far_log(gamma_e) / far_log(eta)));
}

far__delayed_bound far__theory_delayed_q(far__problem p, double eps, double delta) {
  far__delayed_bound b = {.eps1 = eps * (1 - p.gamma) / 12};
  b.eta = 1 - b.eps1 / p.range;
  b.kappa = v_max(p) / b.eps1;
  b.m = far__m_full(p, b.eps1, b.kappa, delta);
  b.rho = b.eps1 * sqrt(b.m);
  return b;
}

far__delayed_bound far__theory_delayed_q_ie(far__problem p, double eps, double delta) {
  far__delayed_bound b = far__theory_delayed_q(p, eps, delta);
  b.m = m_interval(p, b.eps1, b.kappa, delta);
  b.rho = b.eps1 * sqrt(b.m);
  return b;
}

far__delayed_bound far__theory_directed(far__problem p, double eps, double delta, double gamma_e,
                                        int full) {
  far__delayed_bound b = {.eps1 = eps * (1 - p.gamma) / 16};
  b.eta = 1 - b.eps1 / p.range;
  b.lambda = far__lambda_repaired(b.eps1, p.range, b.eta, gamma_e);
  b.kappa = (v_max(p) + b.lambda) / b.eps1;
  b.m =
      full ? far__m_full(p, b.eps1, b.kappa, delta / 2) : m_interval(p, b.eps1, b.kappa, delta / 2);
  b.rho = b.eps1 * sqrt(b.m);
  return b;
}

far__delayed_bound far__paper_directed(far__problem p, double eps, double delta) {
  far__delayed_bound b = {.eps1 = eps * (1 - p.gamma) / 4};
  b.eta = 1 - b.eps1 / p.range;
  b.lambda = far__lambda_paper(b.eps1, p.range, b.eta);
  b.kappa = v_max(p) / eps; /* printed with eps where the proof needs eps1 */
  const double pairs = p.states * p.actions;
  b.m = ceil(hoeffding_scale(p, b.eps1) * far_log(6 * pairs * (1 + pairs * b.kappa) / delta));
  b.rho = b.eps1 * sqrt(b.m);
  return b;
}
