/* Growth with size as curves: what agents reach on environments that differ in their size alone, with the
 * laws that the numbers follow; from a store, or from a scaling study.
 *
 *     far_growth_curves_def def = far_growth_curves_def_default();
 *     far_growth_curves *growth;
 *     far_status status = far_growth_curves_create(&growth, comparison, &def, &error);
 *     ... growth->families[0].curves[0].fit.growth.laws[FAR_LAW_POLYNOMIAL].power ...
 *     far_growth_curves_free(growth);
 *
 * Nothing is run. The result has its own copies: what it was made of may be freed before it.
 */
#ifndef FARSIGHT_GROWTH_CURVES_H
#define FARSIGHT_GROWTH_CURVES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "farsight/comparison.h"
#include "farsight/report.h"
#include "farsight/scaling.h"
#include "farsight/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct far_growth_curves_def {
  size_t group;    /* of the comparison; 0 by default */
  const char *key; /* the parameter that is the size; NULL, the default: each in which environments
                    * differ, a whole number from 1 */
} far_growth_curves_def;

FAR_API far_growth_curves_def far_growth_curves_def_default(void);

/* An agent at a size. */
typedef struct far_growth_point {
  int64_t runs;     /* 0: there are none, and the numbers are NAN */
  int64_t censored; /* runs that are only known to take longer than `limit` */
  bool left_out;    /* a scaling study did not run it: at a smaller size too few runs had learned */
  double value;     /* the mean or, of times, the median, which is INFINITY if half are censored */
  double low, high; /* its interval; NAN where there is none */
  double limit;     /* of times: the longest that counts as known; else NAN */
} far_growth_point;

typedef struct far_growth_curve {
  const char *agent;              /* its label */
  const far_growth_point *points; /* one for each size */
  far_scaling_fit fit;            /* of the points with a finite number above 0 */
} far_growth_curve;

/* Environments that are one spec at several sizes. */
typedef struct far_growth_family {
  const char *env, *key; /* the spec without its size, and the parameter that is the size */
  const int64_t *sizes;  /* ascending */
  size_t n_sizes;        /* at least 2; of a scaling study at least 1 */
  const far_growth_curve *curves;
  size_t n_curves;
} far_growth_family;

typedef struct far_growth_curves {
  const char *quantity; /* in words, as in "steps to learn" or "total" */
  bool times;           /* medians of steps, of which some may be censored; else means */
  bool lower;           /* lower is better */
  double level;         /* of the intervals; those of medians are always of 95% */
  const far_growth_family *families;
  size_t n_families; /* 0: no two environments differ in a size alone */
  /* NULL: means or medians of runs. Else what the numbers are, for a figure of single measurements: their
   * points are joined by lines, `key` is a title, and there are no intervals and laws. */
  const char *measured;
} far_growth_curves;

/* Reads a group of a comparison. Series with an event (far_series_event) are times: those above half
 * of the steps are censored, since a run must continue for as long again to be sure (as in scaling.h).
 * Agents without runs on two sizes of a family are left out of it. Fails with RANGE (no such group),
 * UNKNOWN (the key is given and no environments differ in it) or MEMORY; *out is then NULL. */
FAR_API far_status far_growth_curves_create(far_growth_curves **out,
                                            const far_comparison *comparison,
                                            const far_growth_curves_def *def, far_error *error);

/* A scaling study, of which some sizes may not have been run: one family, all agents. MEMORY. */
FAR_API far_status far_growth_curves_from_scaling(far_growth_curves **out,
                                                  const far_scaling *scaling, far_error *error);

FAR_API void far_growth_curves_free(far_growth_curves *growth); /* NULL is fine */

/* The value of a law at a size. */
FAR_API double far_law_at(const far_fit *fit, double size);

/* Adds the numbers to a report: for each family the tables "growth" (a row for each agent and size)
 * and "laws". */
FAR_API void far_growth_curves_report(const far_growth_curves *growth, far_report *report);

#ifdef __cplusplus
}
#endif

#endif
