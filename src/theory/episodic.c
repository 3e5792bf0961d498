#include "theory/episodic.h"

#include "farsight/math.h"

double far__ucbvi_l(far__episodic_problem p) {
  return far_log(5 * p.states * p.actions * (p.episodes * p.horizon) / p.delta);
}

double far__ucbvi_theorem_l(far__episodic_problem p) {
  return far_log(5 * p.horizon * p.states * p.actions * (p.episodes * p.horizon) / p.delta);
}

double far__mvp_l(far__episodic_problem p) {
  const double steps = p.horizon * p.episodes;
  return far_log(200 * p.states * p.actions * (steps * steps) / p.delta);
}

double far__ubev_l(far__episodic_problem p) {
  return far_log(18 * p.states * p.actions * p.horizon / p.delta);
}

double far__orlc_l(far__episodic_problem p) {
  return far_log(26 * p.states * p.actions * (p.horizon + 1 + p.states) / p.delta);
}

double far__ln_ln(double n) {
  return n < 3 ? 0 : far_log(far_log(n)); /* n is whole */
}
