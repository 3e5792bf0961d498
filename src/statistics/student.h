/* Student's t distribution. */
#ifndef FAR_STATISTICS_STUDENT_H
#define FAR_STATISTICS_STUDENT_H

#include <stdint.h>

/* P(T > t) for Student's t with `degrees` > 0 degrees of freedom, which need not be whole;
 * INFINITY is the normal distribution. The relative error is below 1e-13 as far as the result
 * exceeds 1e-290. */
double far__student_tail(double t, double degrees);

/* far_student_quantile(0.975, degrees), for 95% intervals. */
double far__student_975(int64_t degrees);

#endif
