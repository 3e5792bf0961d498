/* Growth of a number with the size of a problem: summaries of times of which some are censored, and
 * fits of growth laws.
 *
 *     far_times t;
 *     far_times_summarise(&t, times, runs, limit, &error);      at every size
 *     ...
 *     far_growth g;
 *     far_growth_fit(&g, sizes, medians, n, &error);
 *     g.laws[FAR_LAW_POLYNOMIAL].power, .power_ci95, g.evidence ...
 */
#ifndef FARSIGHT_GROWTH_H
#define FARSIGHT_GROWTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "farsight/export.h"
#include "farsight/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Times of runs, of which some are censored: these are only known to exceed a limit. A quantile
 * that depends on them is INFINITY. */
typedef struct far_times {
  int64_t runs, censored;
  double median;    /* finite if fewer than half are censored */
  double low, high; /* 95% interval of the median, from order statistics and so whatever the
                     * distribution; NaN below 6 runs, of which none has such an interval */
  double first_quartile, third_quartile;
} far_times;

/* A time above `limit` is censored; none may be NaN (RANGE), nor may there be none. MEMORY. */
FAR_API far_status far_times_summarise(far_times *out, const double *times, int64_t runs,
                                       double limit, far_error *error);

typedef enum far_law {
  FAR_LAW_POLYNOMIAL,  /* scale n^power */
  FAR_LAW_EXPONENTIAL, /* scale e^(rate n) */
  FAR_LAW_MIXED,       /* scale n^power e^(rate n), which contains both */
  FAR_LAW_COUNT
} far_law;

/* "polynomial", "exponential", "mixed". */
FAR_API const char *far_law_name(far_law law);

/* A law, fitted by least squares of the logarithms. Half-widths are of 95% intervals (Student). */
typedef struct far_fit {
  bool fitted; /* enough points: 3, of the mixed law 4; if not, the rest is NaN */
  double scale;
  double power, power_ci95; /* 0 in the exponential law */
  double rate, rate_ci95;   /* 0 in the polynomial law */
  double spread;            /* standard deviation of ln value about the law */
  double aicc;              /* Akaike's criterion, corrected (Hurvich & Tsai 1989): the least fits
                             * best; NaN below 5 points, of the mixed law 6 */
} far_fit;

typedef struct far_growth {
  size_t points;
  far_fit laws[FAR_LAW_COUNT];
  double evidence; /* of polynomial against exponential: the difference of Akaike's criteria, which
                    * is n ln(exponential's sum of squares / polynomial's); above 0 the polynomial
                    * fits better */
} far_growth;

/* Below this |evidence| (a likelihood ratio of e^2, or 7) the comparison is undecided. */
#define FAR_EVIDENCE 4.0

/* Fits the laws to values at sizes; all must be finite and above 0, and there must be 3 sizes that
 * differ. RANGE. */
FAR_API far_status far_growth_fit(far_growth *out, const double *sizes, const double *values,
                                  size_t n, far_error *error);

#ifdef __cplusplus
}
#endif

#endif
