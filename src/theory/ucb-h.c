#include "theory/ucb-h.h"

#include <math.h> /* sqrt and floor are exact operations */

#include "farsight/math.h"

static const double E = 0x1.5bf0a8b145769p+1;

double far__iota(far__episodes p, double k, double delta) {
  return far_log(2 * p.states * p.actions * p.horizon * k * (k + 1) / delta);
}

double far__ucb_h_c(void) {
  return 1;
}

/* In logarithms k(k+1), which may exceed all doubles where the bound does not. */
static double ln_union(far__episodes p, double k, double delta) {
  return far_log(2 * p.states * p.actions * p.horizon / delta) + far_log(k) + far_log(k + 1);
}

double far__ucb_h_regret(far__episodes p, double k, double delta) {
  const double h = p.horizon, pairs = p.states * p.actions;
  const double first = pairs * h * h;
  const double bonuses = 6 * h * h * sqrt(h * pairs * ln_union(p, k, delta / 2)) * sqrt(k);
  const double noise = h * sqrt(h * far_log(2 / delta) / 2) * sqrt(k);
  return E * (first + bonuses + noise);
}

double far__ucb_h_episodes(far__episodes p, double eps, double delta) {
  double low = 0, high = 1; /* not enough, or 0; enough */
  while (far__ucb_h_regret(p, high, delta) > eps * high && high < 0x1p1000) {
    low = high;
    high *= 2;
  }
  for (int i = 0; i < 1100 && high - low > 1; ++i) {
    const double middle = floor(low + (high - low) / 2);
    if (middle <= low || middle >= high) break;
    if (far__ucb_h_regret(p, middle, delta) > eps * middle)
      low = middle;
    else
      high = middle;
  }
  return high;
}

double far__ucb_b_tail(far__episodes p) {
  const double cube = p.horizon * p.horizon * p.horizon;
  return cube * sqrt(p.horizon * p.states * p.actions);
}

double far__ucb_b_c(void) {
  return 2;
}
