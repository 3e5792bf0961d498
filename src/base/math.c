#include "farsight/base.h"

#include "base/log-exp.h"

double far_log(double x) {
  return far__log(x);
}

double far_exp(double x) {
  return far__exp(x);
}
