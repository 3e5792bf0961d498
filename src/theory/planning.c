#include "theory/planning.h"

#include <math.h> /* sqrt, ceil, fmax: exact operations */

#include "farsight/base.h"

static const double LN2 = 0x1.62e42fefa39efp-1;

static double v_max(far__problem p) {
  return p.range / (1 - p.gamma);
}

static double pairs(far__problem p) {
  return p.states * p.actions;
}

static double square(double x) {
  return x * x;
}

double far__ln_events(double outcomes) {
  if (outcomes < 2) return 0;
  return outcomes * LN2 + far_log(1 - far_exp((1 - outcomes) * LN2));
}

double far__rmax_m(far__problem p, double outcomes, double eps, double delta) {
  const double transitions =
      32 * square(p.gamma * v_max(p)) * (far__ln_events(outcomes) + far_log(2 * pairs(p) / delta));
  const double rewards = 32 * square(p.range) * far_log(4 * pairs(p) / delta);
  return ceil(fmax(transitions, rewards) / square(eps * (1 - p.gamma)));
}

double far__mormax_m(far__problem p, double eps, double delta) {
  const double size = 144 * square(pairs(p)) * v_max(p) / (delta * eps * (1 - p.gamma));
  return ceil(1800 * square(v_max(p) / (eps * (1 - p.gamma))) * far_log(size));
}

/* Half of delta for rewards and half for transitions, shared by all pairs and sample sizes. */
static double mbie_delta(far__problem p, double m, double delta) {
  return delta / (2 * pairs(p) * m);
}

double far__mbie_reward_width(far__problem p, double m, double delta) {
  return sqrt(far_log(2 / mbie_delta(p, m, delta)) / 2);
}

double far__mbie_l1_width(far__problem p, double outcomes, double m, double delta) {
  if (outcomes < 2) return 0;
  return sqrt(2 * (far__ln_events(outcomes) - far_log(mbie_delta(p, m, delta))));
}

double far__mbie_eb_beta(far__problem p, double m, double delta) {
  return v_max(p) * sqrt(far_log(2 * pairs(p) * m / delta) / 2);
}

double far__mbie_error(far__problem p, double outcomes, double m, double delta) {
  return (2 * p.range * far__mbie_reward_width(p, m, delta) +
          p.gamma * v_max(p) * far__mbie_l1_width(p, outcomes, m, delta)) /
         sqrt(m);
}

double far__mbie_eb_error(far__problem p, double outcomes, double m, double delta) {
  const double rewards = p.range * sqrt(far_log(8 * pairs(p) / delta) / 2);
  const double events = far__ln_events(outcomes) + far_log(4 * pairs(p) / delta);
  const double transitions = outcomes < 2 ? 0 : p.gamma * v_max(p) / 2 * sqrt(2 * events);
  return (rewards + transitions + far__mbie_eb_beta(p, m, delta)) / sqrt(m);
}

/* Doubling, then bisection. Above 2^53 the result has the precision of doubles. */
double far__least_m(far__model_error *error, far__problem p, double outcomes, double delta,
                    double target) {
  double low = 0, high = 1; /* not enough, or 0; enough */
  while (error(p, outcomes, high, delta) > target && high < 0x1p1000) {
    low = high;
    high *= 2;
  }
  for (int i = 0; i < 1100 && high - low > 1; ++i) {
    const double middle = floor(low + (high - low) / 2);
    if (middle <= low || middle >= high) break;
    if (error(p, outcomes, middle, delta) > target)
      low = middle;
    else
      high = middle;
  }
  return high;
}

double far__beb_beta(far__problem p) {
  return 2 * p.range / square(1 - p.gamma);
}

double far__beb_m(far__problem p, double eps) {
  return ceil(4 * p.range / (square(1 - p.gamma) * (1 - p.gamma) * eps));
}

double far__e3_horizon(far__problem p, double eps) {
  return fmax(1, ceil(far_log(p.range / (eps * (1 - p.gamma))) / (1 - p.gamma)));
}

double far__e3_theta(far__problem p, double horizon, double eps) {
  const double rest = p.gamma > 0 ? far_exp(horizon * far_log(p.gamma)) : 0;
  return eps / (2 * v_max(p) * (1 - rest));
}

far__ucrl_constants far__theory_ucrl_gamma(far__problem p, double eps, double delta) {
  const double e = eps / p.range, g = 1 - p.gamma, w_min = e * g / (4 * p.states);
  const double log2_states = fmax(1, far_log(p.states) / LN2);
  const double log2_weights = fmax(1, far_log(1 / (w_min * g)) / LN2);
  const double l1 = far_log(4 * pairs(p) * log2_states * log2_weights / delta);
  const double lnln = p.gamma > 0 ? fmax(1, far_log(far_log(1 / g))) : 1;
  const double m =
      1280 * l1 / square(e * g) * square(lnln) * far_log(p.states / (e * g)) * far_log(1 / (e * g));
  return (far__ucrl_constants){l1, fmax(1, ceil(m * w_min)),
                               fmax(0, ceil(far_log(8 * p.states / (e * g)) / g)), w_min, m};
}

far__ucbvi_gamma_constants far__theory_ucbvi_gamma(far__problem p, double steps, double delta) {
  const double ln = far_log(steps), g = 1 - p.gamma;
  /* in parts: the product may exceed every number */
  return (far__ucbvi_gamma_constants){
      far_log(40 * pairs(p) / delta) + 3 * ln + 2 * far_log(ln) - 2 * far_log(g), 100};
}
