/* Laws of growth, fitted to times. */
#ifndef FAR_STATISTICS_GROWTH_H
#define FAR_STATISTICS_GROWTH_H

#include "base/export.h"

typedef enum far__law {
  FAR__LAW_POLYNOMIAL,  /* scale n^power */
  FAR__LAW_EXPONENTIAL, /* scale e^(rate n) */
  FAR__LAW_MIXED,       /* scale n^power e^(rate n), which contains both */
  FAR__LAW_COUNT
} far__law;

/* "polynomial", "exponential", "mixed". */
FAR_LAB const char *far__law_name(far__law law);

/* A law, fitted by least squares of the logarithms. Half-widths are of 95% intervals (Student). */
typedef struct far__fit {
  bool fitted; /* enough points: 3, of the mixed law 4; if not, the rest is NaN */
  double scale;
  double power, power_ci95; /* 0 in the exponential law */
  double rate, rate_ci95;   /* 0 in the polynomial law */
  double spread;            /* standard deviation of ln value about the law */
  double aicc;              /* Akaike's criterion, corrected (Hurvich & Tsai 1989): the least fits
                             * best; NaN below 5 points, of the mixed law 6 */
} far__fit;

typedef struct far__growth {
  size_t points;
  far__fit laws[FAR__LAW_COUNT];
  double evidence; /* of polynomial against exponential: the difference of Akaike's criteria, which
                    * is n ln(exponential's sum of squares / polynomial's); above 0 the polynomial
                    * fits better */
} far__growth;

/* Below this |evidence| (a likelihood ratio of e^2, or 7) the comparison is undecided. */
#define FAR__EVIDENCE 4.0

/* Fits the laws to values at sizes; all must be finite and above 0, and there must be 3 sizes that
 * differ. RANGE. */
FAR_LAB far_status far__growth_fit(far__growth *out, const double *sizes, const double *values,
                                   size_t n, far_error *error);

#endif
