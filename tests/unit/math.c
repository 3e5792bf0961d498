/* The portable logarithm and exponential, against 50-digit references. */
#include <farsight/farsight.h>
#include <float.h>

#include "check.h"
#include "math_reference.h"

/* The error in units in the last place of the exact value. */
static double ulps(double y, const reference *r) {
  int exponent;
  frexp(r->high, &exponent);
  const double unit = ldexp(1.0, exponent - 53 < -1074 ? -1074 : exponent - 53);
  return fabs((y - r->high) - r->low) / unit;
}

static double worst_error(double (*function)(double), const reference *list, size_t count) {
  double worst = 0;
  for (size_t i = 0; i < count; ++i) worst = fmax(worst, ulps(function(list[i].x), &list[i]));
  return worst;
}

int main(void) {
  const double log_error =
      worst_error(far_log, log_reference, sizeof log_reference / sizeof *log_reference);
  const double exp_error =
      worst_error(far_exp, exp_reference, sizeof exp_reference / sizeof *exp_reference);
  printf("worst error in units in the last place: log %.3f, exp %.3f\n", log_error, exp_error);
  CHECK(log_error < 0.63); /* what farsight/base.h states */
  CHECK(exp_error < 0.74);

  CHECK(far_log(1) == 0);
  CHECK(far_log(0) == -INFINITY);
  CHECK(far_log(INFINITY) == INFINITY);
  CHECK(far_log(-1) != far_log(-1));
  CHECK(far_log(NAN) != far_log(NAN));
  CHECK(far_exp(0) == 1);
  CHECK(far_exp(-INFINITY) == 0);
  CHECK(far_exp(INFINITY) == INFINITY);
  CHECK(far_exp(1000) == INFINITY);
  CHECK(far_exp(-1000) == 0);
  CHECK(far_exp(-745) == 0x1p-1074);
  CHECK(far_exp(NAN) != far_exp(NAN));
  return check_report();
}
