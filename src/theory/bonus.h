/* The exploration bonus of the delayed family; inline, because inner loops compute it. */
#ifndef FAR_THEORY_BONUS_H
#define FAR_THEORY_BONUS_H

#include <math.h>

#include "base/log-exp.h"

/* lambda / sqrt(log_eta E), the exploration bonus; 0 at E = 0, lambda for E >= eta. */
static inline FAR_DEVICE double far__bonus(double lambda, double inverse_log_eta, double e) {
  if (lambda == 0 || e <= 0) return 0;
  const double x = far__log(e) * inverse_log_eta;
  return lambda / sqrt(x > 1 ? x : 1);
}

#endif
