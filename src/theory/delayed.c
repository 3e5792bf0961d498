#include "theory/delayed.h"

#include <math.h> /* sqrt and ceil are exact operations */

#include "farsight/base.h"

static double v_max(far__problem p) {
  return p.range / (1 - p.gamma);
}

static double target_width(far__problem p) {
  return p.range + p.gamma * v_max(p);
}

double far__hoeffding_scale(far__problem p, double eps1) {
  const double w = target_width(p);
  return w * w / (2 * eps1 * eps1);
}

double far__union_size(far__problem p, double kappa, double delta) {
  const double pairs = p.states * p.actions;
  return 3 * pairs * (1 + pairs * kappa) / delta;
}

far__window far__theory_full(far__problem p, double eps1, double lambda, double delta) {
  const double kappa = (v_max(p) + lambda) / eps1;
  return (far__window){
      kappa, ceil(far__hoeffding_scale(p, eps1) * far_log(far__union_size(p, kappa, delta)))};
}

/* ln(x y), also where the product exceeds all doubles. */
static double ln_product(double x, double y) {
  const double product = x * y;
  return product - product == 0 ? far_log(product) : far_log(x) + far_log(y);
}

/* Iterates upwards from below the fixed point; converges in about ten steps. */
double far__fixed_point(double c, double b) {
  double m = fmax(2, c * (c * b < 2 ? far_log(2) : ln_product(c, b)));
  for (int i = 0; i < 200; ++i) {
    const double next = c * ln_product(b, m);
    if (!(next > m)) break;
    m = next;
  }
  return ceil(m);
}

far__window far__theory_interval(far__problem p, double eps1, double lambda, double delta) {
  const double kappa = (v_max(p) + lambda) / eps1;
  const double c = far__hoeffding_scale(p, eps1), B = far__union_size(p, kappa, delta);
  return (far__window){kappa, far__fixed_point(c, B)};
}

far__window far__paper_window(far__problem p, double eps, double eps1, double delta) {
  const double kappa = v_max(p) / eps, pairs = p.states * p.actions;
  const double size = 6 * pairs * (1 + pairs * kappa) / delta;
  return (far__window){kappa, ceil(far__hoeffding_scale(p, eps1) * far_log(size))};
}

double far__rho_for_optimism(far__problem p, double m, double kappa, double delta) {
  return target_width(p) * sqrt(0.5 * ln_product(far__union_size(p, kappa, delta), m));
}

double far__ln_eta(double share) {
  if (share > 0x1p-20) return far_log(1 - share);
  return -share * (1 + share * (1.0 / 2 + share / 3));
}

double far__lambda_paper(double eps1, double range, double ln_eta) {
  return eps1 * sqrt(far_log(eps1 / range) / ln_eta);
}

double far__lambda_repaired(double eps1, double range, double ln_eta, double gamma_e) {
  const double cap = far__lambda_paper(eps1, range, ln_eta);
  if (gamma_e == 0) return cap; /* the bonus is gone after the first update */
  return fmin(cap, eps1 * sqrt(1 + far_log(gamma_e) / ln_eta));
}
