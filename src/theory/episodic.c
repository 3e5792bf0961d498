#include "theory/episodic.h"

#include <math.h> /* sqrt and floor are exact operations */

#include "farsight/base.h"

double far__ucbvi_l(far__episodic_problem p) {
  return far_log(5 * p.states * p.actions * (p.episodes * p.horizon) / p.delta);
}

/* ln K is a term of its own: a large K may overflow the product where the bound does not. */
double far__ucbvi_theorem_l(far__episodic_problem p) {
  const double h = p.horizon;
  return far_log(5 * h * h * p.states * p.actions / p.delta) + far_log(p.episodes);
}

double far__ucbvi_ch_regret(far__episodic_problem p) {
  const double l = far__ucbvi_theorem_l(p), h = p.horizon, pairs = p.states * p.actions;
  return 20 * h * l * sqrt(h * pairs) * sqrt(p.episodes) +
         250 * (h * h) * (p.states * pairs) * (l * l);
}

double far__ucbvi_bf_regret(far__episodic_problem p) {
  const double l = far__ucbvi_theorem_l(p), h = p.horizon, pairs = p.states * p.actions;
  return 30 * h * l * sqrt(pairs) * sqrt(p.episodes) +
         2500 * (h * h) * (p.states * pairs) * (l * l) + 4 * h * sqrt(h * l) * sqrt(p.episodes);
}

double far__least_episodes(far__regret *regret, const void *of, double eps) {
  double low = 0, high = 1; /* not enough, or 0; enough */
  while (regret(of, high) > eps * high && high < 0x1p1000) {
    low = high;
    high *= 2;
  }
  for (int i = 0; i < 1100 && high - low > 1; ++i) {
    const double middle = floor(low + (high - low) / 2);
    if (middle <= low || middle >= high) break;
    if (regret(of, middle) > eps * middle)
      low = middle;
    else
      high = middle;
  }
  return high;
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
