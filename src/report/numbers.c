/* Numbers as people read them in a table. */
#include <math.h>
#include <stdio.h>

#include "farsight/report.h"

void far_real_brief(char out[FAR_BRIEF_SIZE], double x) {
  const bool plain = fabs(x) >= 1000 && fabs(x) < 1e15;
  if (x != x)
    snprintf(out, FAR_BRIEF_SIZE, "–");
  else
    snprintf(out, FAR_BRIEF_SIZE, plain ? "%.0f" : "%.4g", x);
}

int far_interval_digits(double half) {
  int digits = 0;
  for (double unit = 10; half < unit && digits < 6; unit /= 10) ++digits;
  return digits;
}

void far_interval_brief(char out[FAR_BRIEF_SIZE], double value, double half) {
  char alone[FAR_BRIEF_SIZE];
  const int digits = far_interval_digits(half);
  far_real_brief(alone, value);
  if (value != value || half != half)
    snprintf(out, FAR_BRIEF_SIZE, "%s", alone);
  else if (half <= 1e-9 * fabs(value)) /* all runs alike, up to the rounding of their mean */
    snprintf(out, FAR_BRIEF_SIZE, "%.50s ± 0", alone);
  else if (half < 1e-5 || fabs(value) >= 1e15 || half >= 1e15)
    snprintf(out, FAR_BRIEF_SIZE, "%.4g ± %.2g", value, half);
  else
    snprintf(out, FAR_BRIEF_SIZE, "%.*f ± %.*f", digits, value, digits, half);
}
