/* Shortcuts of an attempted update of the delayed family: bounds that show without a division or a logarithm that it fails.
 * They change no bit of any result; unit/shortcuts compares them with the full computation.
 *
 * The bound on the bonus makes a step of Directed Delayed Q-learning three times as fast. */
#ifndef FAR_AGENTS_DELAYED_SHORTCUTS_H
#define FAR_AGENTS_DELAYED_SHORTCUTS_H

#include <float.h>
#include <math.h>

#include "agents/delayed-memory.h"

/* An exploration value as small as DBL_MIN has the bonus 0 to any precision; avoids denormals. */
static inline FAR_DEVICE double delayed_e_floor(double e) {
  return e > 0 && e < DBL_MIN ? DBL_MIN : e;
}

/* Is the bonus of e certainly above `most`? Without its logarithm, by ln x <= (x - 1/x)/2 for x = before/e >= 1:
 *   log_eta e <= (lambda/bonus)^2 + |inverse_log_eta| (x - 1/x)/2
 * where `bonus` is that of the e before. Multiplied by all that is below a line; with room for rounding. */
static inline FAR_DEVICE bool delayed_bonus_above(const delayed_view *v, double e, double before,
                                                  double bonus, double most) {
  if (v->form != BONUS_LOG || !(e <= before)) return false;
  const double lambda2 = v->lambda * v->lambda, bonus2 = bonus * bonus, twice = 2 * e * before;
  const double fall = (before - e) * (before + e);
  const double limit = most * most * (lambda2 * twice - bonus2 * v->inverse_log_eta * fall);
  return lambda2 * bonus2 * twice > limit * (1 + 1e-9);
}

/* About 1/sqrt(x), to 1e-15. */
FAR__INLINE FAR_DEVICE double delayed_inverse_root(double x) {
#ifdef __CUDA_ARCH__
  double y;
  asm("rsqrt.approx.ftz.f64 %0, %1;"
      : "=d"(y)
      : "d"(x)); /* to 1e-6; then two steps of Newton's method */
  y = y * (1.5 - 0.5 * x * y * y);
  return y * (1.5 - 0.5 * x * y * y);
#else
  return 1 / sqrt(x);
#endif
}

/* Does the update certainly fail? Without a division or a logarithm, with room for rounding on all sides. For lanes of a device,
 * which wait for the slowest of 32: most attempts fail, and then none of them computes more. */
FAR__INLINE FAR_DEVICE bool delayed_hopeless(const delayed_view *v, delayed_kind kind,
                                             uint32_t n_actions, const double *row, uint32_t a,
                                             const delayed_window *w) {
  const double root = delayed_inverse_root((double)(w->count >> 1)), inverse = root * root;
  const double width = v->delay == DELAY_FULL ? v->eps1 : v->rho * root;
  const double old_q = far__pick(row, n_actions, a);
  const double old_bonus = kind == DELAYED_DIRECTED ? far__pick(row + n_actions, n_actions, a) : 0;
  const double current = old_q + old_bonus;
  double q = w->q_sum * inverse + width;
  if (v->clamp && old_q < q) q = old_q;
  const double room = 1e-14 * (fabs(current) + fabs(q) + width + v->threshold);
  const double most = current - q - v->threshold + room;
  if (most < 0) return true;
  if (kind != DELAYED_DIRECTED) return false;
  const double old_e = far__pick(row + 2 * n_actions, n_actions, a);
  double e = w->e_sum * inverse * (1 - 4e-15);
  if (v->clamp && old_e < e) e = old_e;
  return delayed_bonus_above(v, delayed_e_floor(e), old_e, old_bonus, most);
}

#endif
