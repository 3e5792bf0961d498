#ifndef FAR_RUN_STATISTICS_H
#define FAR_RUN_STATISTICS_H

#include "farsight/run.h"

/* Fills runs, mean, std, ci95, min and max from totals[0..n); n may be 0 (all NaN). `t` is
 * far_student_975(n - 1), which takes longer than the rest and is the same for a whole curve. */
void far__moments(far_result *out, const double *totals, int64_t n, double t);

/* The same, and the hash. `bytes` is room for 8 n of them. */
void far__summarise(far_result *out, const double *totals, int64_t n, double t, uint8_t *bytes);

#endif
