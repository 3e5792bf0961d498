/* What the methods of statistics share. */
#ifndef FAR_STATISTICS_SAMPLE_H
#define FAR_STATISTICS_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/export.h"
#include "farsight/base.h"

bool far__all_equal(const double *x, int64_t n); /* n >= 1 */

/* Mean, and standard deviation with n - 1 (NaN for n = 1), summed in the order of x. If all
 * values are equal both are exact: that value, and 0. */
typedef struct far__mean_std {
  double mean, std;
} far__mean_std;
far__mean_std far__mean_std_of(const double *x, int64_t n);

/* The same for many values, in another order of the sums: faster, and other last bits. */
far__mean_std far__mean_std_of_many(const double *x, int64_t n);

/* Of an ascending sample, n >= 1. The quantile is type 7 of Hyndman & Fan (1996), the default of R
 * and NumPy: linear between the order statistics about (n - 1) p, counted from 0; infinite values
 * are taken, and one without weight does not count. 0 <= p <= 1. */
double far__sorted_quantile(const double *sorted, int64_t n, double p);
double far__sorted_mean(const double *sorted, int64_t n);

/* The interquartile mean: the mean of what is left when the floor(n / 4) least and as many
 * greatest are cut, as scipy.stats.trim_mean(x, 0.25) and with it rliable (Agarwal et al. 2021)
 * have it. */
double far__sorted_iqm(const double *sorted, int64_t n);

/* far__sorted_quantile in two steps: which of n ascending values is at or below the quantile and how much the next one
 * counts; then the quantile from these two. The next one is not read where its weight is 0. */
int64_t far__quantile_place(double *weight, int64_t n, double p);
static inline double far__quantile_between(const double *x, double weight) {
  return weight == 0 || x[0] == x[1] ? x[0] : (1 - weight) * x[0] + weight * x[1];
}

/* e with 2^(e - 1) <= |x| < 2^e, by which ldexp scales numbers to about 1 without rounding, so that their squares stay in
 * the range of doubles. 0 for 0 and for values that are not finite. */
int far__exponent(double x);

/* n < 25 skewness^2: too few values for Student's interval of their mean (Cochran 1977, 2.15). The
 * skewness is the sum of cubes over n std^3; 0 where nothing varies. */
bool far__is_skewed(const double *x, int64_t n, far__mean_std m);

/* The half-width of Student's interval of the mean; `t` is the quantile with n - 1 degrees. */
double far__half_width(double t, double std, int64_t n);

/* RANGE unless there is a value, none is NaN, and none infinite (unless `infinite` is true). `what`
 * names the sample in the message. */
far_status far__sample_check(const char *what, const double *x, int64_t n, bool infinite,
                             far_error *error);
far_status far__level_check(double level, far_error *error);

/* t of Student's two-sided interval that misses with probability alpha: far_student_quantile of
 * 1 - alpha / 2, without the rounding of 1 - alpha / 2. */
double far__student_factor(double alpha, double degrees);

/* far_student_quantile(0.975, degrees), for 95% intervals. */
double far__student_975(int64_t degrees);

/* Matches pairs: px and py (room for the lesser of nx and ny) get the values of x and y at the
 * replicates that both have. Returns the number of pairs. Replicates must ascend. */
FAR_LAB int64_t far__pairs_match(double *px, double *py, const double *x,
                                 const int64_t *x_replicates, int64_t nx, const double *y,
                                 const int64_t *y_replicates, int64_t ny);

/* An ascending copy (malloc), or NULL without memory. */
double *far__sorted_copy(const double *x, int64_t n);

#endif
