#include "theory/certified.h"

#include <math.h> /* sqrt, which IEEE 754 rounds correctly */

#include "farsight/base.h"

static const double LN_8E = 0x1.8a2b23f3bab73p+1, THREE_E = 0x1.04f47e84f418fp+3;

double far__certified_rate(far__episodic_problem p, double n, double dim) {
  return far_log(3 * p.states * p.actions * p.horizon / p.delta) + dim * (LN_8E + far_log(n + 1));
}

double far__rf_ucrl_rate(far__episodic_problem p, double n, double dim) {
  const double first = far_log(2 * p.states * p.actions * p.horizon / p.delta);
  return dim > 0 ? first + dim * (1 + far_log(1 + n / dim)) : first;
}

double far__bpi_ucbvi_c(double horizon) {
  return 14 * (horizon * horizon);
}

double far__rf_express_c(double horizon) {
  return 15 * (horizon * horizon);
}

double far__rf_express_loss(double w) {
  return 2 * (THREE_E * sqrt(w) + w);
}
