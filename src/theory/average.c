#include "theory/average.h"

#include <math.h> /* sqrt, fabs, fmin, fmax: exact operations */

#include "farsight/base.h"

double far__ucrl2b_log(double states, double actions, double n, double delta) {
  return far_log(6 * states * actions * n / delta);
}

double far__ucrl2b_width(double variance, double bound, double n, double log) {
  return 2 * sqrt(variance * log / n) + 6 * bound * log / n;
}

far__kl_ucrl_constants far__theory_kl_ucrl(double states, double actions, double t, double delta) {
  const double e = 0x1.5bf0a8b145769p1, ln = far_log(fmax(2, t));
  const double b = far_log(2 * e * states * states * actions * ln / delta), x = b + 1 / ln;
  return (far__kl_ucrl_constants){.p = states * (b + (1 + 1 / x) * far_log(x)),
                                  .r = sqrt(far_log(4 * states * actions * ln / delta) / 1.99)};
}

far__ucrl3_logs far__theory_ucrl3(double states, double actions, double n, double delta,
                                  double scale) {
  const double eta = 1.12, risk = delta / (3 * states * actions * (states + 1));
  const double ln_eta = far_log(eta);
  const double peeled = far_log(eta * n) * far_log(eta * eta * n) / (ln_eta * ln_eta * risk);
  return (far__ucrl3_logs){.n = n,
                           .ell = scale * eta * far_log(peeled),
                           .lambda = scale * far_log(2 * sqrt(n + 1) / risk),
                           .reward = scale * far_log(sqrt(n + 1) / risk)};
}

/* The variance of a Gaussian that dominates a Bernoulli variable (Kearns & Saul). */
static double proxy(double x) {
  const double d = 0.5 - x, d2 = d * d;
  if (x <= 0 || x >= 1) return 0;
  if (fabs(d) < 0x1p-10) return 1 / (4 * (1 + 4 * d2 / 3 + 16 * d2 * d2 / 5));
  return d / far_log((1 - x) / x);
}

bool far__ucrl3_plausible(const far__ucrl3_logs *logs, double x, double p) {
  const double n = logs->n, variance = x * (1 - x);
  const double g = x > p && x >= 0.5 ? variance : proxy(x);
  return fabs(x - p) <= fmin(sqrt(2 * variance * logs->ell / n) + logs->ell / (3 * n),
                             sqrt(2 * g * (1 + 1 / n) * logs->lambda / n));
}

double far__ucrl3_reward_width(const far__ucrl3_logs *logs, double variance, double range) {
  const double n = logs->n;
  const double bernstein = sqrt(2 * variance * logs->ell / n) + 7 * range * logs->ell / (3 * n);
  return fmin(bernstein, range * sqrt((1 + 1 / n) * logs->reward / (2 * n)));
}
