/* Natural logarithm and exponential from + - * / alone, so that every compiler, optimisation level
 * and processor gives the same bits. Measured against 50-digit references (tests/unit/math.c):
 * the errors are below 0.63 (log) and 0.74 (exp) units in the last place. */
#ifndef FARSIGHT_MATH_H
#define FARSIGHT_MATH_H

#include "farsight/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ln x; -inf at 0, NaN below 0, +inf at +inf. */
FAR_API double far_log(double x);

/* e^x; +inf above 709.78, 0 below -745.13, subnormal results included. */
FAR_API double far_exp(double x);

#ifdef __cplusplus
}
#endif

#endif
