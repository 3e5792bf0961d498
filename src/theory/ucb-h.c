#include "theory/ucb-h.h"

#include <math.h> /* sqrt: exact */

#include "farsight/base.h"
#include "theory/episodic.h"

static const double E = 0x1.5bf0a8b145769p+1;

double far__iota(far__episodes p, double k, double delta) {
  return far_log(2 * p.states * p.actions * p.horizon * k * (k + 1) / delta);
}

double far__ucb_h_c(void) {
  return 1;
}

double far__ucb_h_regret(far__episodes p, double k, double delta) {
  const double h = p.horizon, pairs = p.states * p.actions;
  /* in parts: k(k+1) may exceed all doubles where the bound does not */
  const double ln = far_log(2 * pairs * h / (delta / 2)) + far_log(k) + far_log(k + 1);
  const double first = pairs * h * h;
  const double bonuses = 6 * h * h * sqrt(h * pairs * ln) * sqrt(k);
  const double noise = h * sqrt(h * far_log(2 / delta) / 2) * sqrt(k);
  return E * (first + bonuses + noise);
}

typedef struct promise {
  far__episodes p;
  double delta;
} promise;

static double regret_of(const void *of, double k) {
  const promise *x = of;
  return far__ucb_h_regret(x->p, k, x->delta);
}

double far__ucb_h_episodes(far__episodes p, double eps, double delta) {
  return far__least_episodes(regret_of, &(promise){p, delta}, eps);
}

double far__ucb_b_tail(far__episodes p) {
  const double cube = p.horizon * p.horizon * p.horizon;
  return cube * sqrt(p.horizon * p.states * p.actions);
}

double far__ucb_b_c(void) {
  return 2;
}
