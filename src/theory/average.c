#include "theory/average.h"

#include <math.h> /* sqrt: an exact operation */

#include "farsight/math.h"

double far__ucrl2b_log(double states, double actions, double n, double delta) {
  return far_log(6 * states * actions * n / delta);
}

double far__ucrl2b_width(double variance, double bound, double n, double log) {
  return 2 * sqrt(variance * log / n) + 6 * bound * log / n;
}
