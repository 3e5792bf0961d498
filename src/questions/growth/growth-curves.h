/* Growth with size as curves: what agents reach on environments that differ in their size alone, with the
 * laws that the numbers follow; from a store, or from a scaling study.
 *
 *     far__growth_curves_def def = far__growth_curves_def_default();
 *     far__growth_curves *growth;
 *     far_status status = far__growth_curves_create(&growth, comparison, &def, &error);
 *     ... growth->families[0].curves[0].fit.growth.laws[FAR__LAW_POLYNOMIAL].power ...
 *     far__growth_curves_free(growth);
 *
 * Nothing is run. The result has its own copies: what it was made of may be freed before it.
 */
#ifndef FAR_QUESTIONS_GROWTH_GROWTH_CURVES_H
#define FAR_QUESTIONS_GROWTH_GROWTH_CURVES_H

#include "farsight/base.h"
#include "farsight/comparison.h"
#include "farsight/report.h"
#include "questions/growth/scaling.h"
#include "statistics/growth.h"

typedef struct far__growth_curves_def {
  size_t group;    /* of the comparison; 0 by default */
  const char *key; /* the parameter that is the size; NULL, the default: each in which environments
                    * differ, a whole number from 1 */
} far__growth_curves_def;

far__growth_curves_def far__growth_curves_def_default(void);

/* An agent at a size. */
typedef struct far__growth_point {
  int64_t runs;     /* 0: there are none, and the numbers are NAN */
  int64_t censored; /* runs that are only known to take longer than `limit` */
  bool left_out;    /* a scaling study did not run it: at a smaller size too few runs had learned */
  double value;     /* the mean or, of times, the median, which is INFINITY if half are censored */
  double low, high; /* its interval; NAN where there is none */
  double limit;     /* of times: the longest that counts as known; else NAN */
} far__growth_point;

typedef struct far__growth_curve {
  const char *agent;               /* its label */
  const far__growth_point *points; /* one for each size */
  far__scaling_fit fit;            /* of the points with a finite number above 0 */
} far__growth_curve;

/* Environments that are one spec at several sizes. */
typedef struct far__growth_family {
  const char *env, *key; /* the spec without its size, and the parameter that is the size */
  const int64_t *sizes;  /* ascending */
  size_t n_sizes;        /* at least 2; of a scaling study at least 1 */
  const far__growth_curve *curves;
  size_t n_curves;
} far__growth_family;

typedef struct far__growth_curves {
  const char *quantity; /* in words, as in "steps to learn" or "total" */
  bool times;           /* medians of steps, of which some may be censored; else means */
  bool lower;           /* lower is better */
  double level;         /* of the intervals; those of medians are always of 95% */
  const far__growth_family *families;
  size_t n_families; /* 0: no two environments differ in a size alone */
  /* NULL: means or medians of runs. Else what the numbers are, for a figure of single measurements: their
   * points are joined by lines, `key` is a title, and there are no intervals and laws. */
  const char *measured;
} far__growth_curves;

/* Reads a group of a comparison. Series with an event (far__series_event) are times: those above half
 * of the steps are censored, since a run must continue for as long again to be sure (as in questions/growth/scaling.h).
 * Agents without runs on two sizes of a family are left out of it. Fails with RANGE (no such group),
 * UNKNOWN (the key is given and no environments differ in it) or MEMORY; *out is then NULL. */
far_status far__growth_curves_create(far__growth_curves **out, const far_comparison *comparison,
                                     const far__growth_curves_def *def, far_error *error);

/* A scaling study, of which some sizes may not have been run: one family, all agents. MEMORY. */
far_status far__growth_curves_from_scaling(far__growth_curves **out, const far__scaling *scaling,
                                           far_error *error);

void far__growth_curves_free(far__growth_curves *growth); /* NULL is fine */

/* The value of a law at a size. */
double far__law_at(const far__fit *fit, double size);

/* Adds the numbers to a report: for each family the tables "growth" (a row for each agent and size)
 * and "laws". */
void far__growth_curves_report(const far__growth_curves *growth, far_report *report);

/* The plot "growth". `def->results` is not read. Fails with MEMORY, and with UNKNOWN where
 * there is nothing to draw; *out is then NULL. */
far_status far__growth_curves_figure(far_figure **out, const far__growth_curves *growth,
                                     const far_plot_def *def, far_error *error);

#endif
