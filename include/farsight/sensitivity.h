/* Parameter sensitivity: how the results of an agent change with one of its parameters, from a grid of
 * parameters in a store or from the profiles of a search.
 *
 *     far_sensitivity_def def = far_sensitivity_def_default();
 *     def.parameter = "m";
 *     far_sensitivity *sensitivity;
 *     far_status status = far_sensitivity_create(&sensitivity, comparison, &def, &error);
 *     ... sensitivity->parameters[0].panels[0].best[0].mean ...
 *     far_sensitivity_free(sensitivity);
 *
 * Nothing is run. The result has its own copies: the comparison may be freed before it.
 */
#ifndef FARSIGHT_SENSITIVITY_H
#define FARSIGHT_SENSITIVITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "farsight/comparison.h"
#include "farsight/report.h"
#include "farsight/status.h"
#include "farsight/tuned-comparison.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the question ---- */

typedef struct far_sensitivity_def {
  size_t group;          /* of the comparison; 0 by default */
  const char *agent;     /* the name of an algorithm; NULL, the default: each that varies */
  const char *parameter; /* its key; NULL, the default: every parameter that varies */
  size_t most_lines;     /* combinations of other parameters that are kept; 5 by default */
} far_sensitivity_def;

FAR_API far_sensitivity_def far_sensitivity_def_default(void);

/* ---- the answer ---- */

/* On which scale the values of a parameter are spread most evenly. */
typedef enum far_value_scale {
  FAR_VALUES_EVEN,    /* words, and numbers that no scale spreads: side by side in their order */
  FAR_VALUES_LINEAR,  /* x */
  FAR_VALUES_LOG,     /* ln x */
  FAR_VALUES_HORIZON, /* ln 1/(1 - x), as for discounts */
} far_value_scale;

typedef struct far_sensitivity_value {
  const char *text;
  double number; /* NAN for a word */
  double place;  /* on the scale of the parameter: 0 for the first value, 1 for the last */
} far_sensitivity_value;

typedef struct far_sensitivity_point {
  int64_t runs;      /* 0: there are none, and mean, low and high are NAN */
  int64_t censored;  /* of them, if the series is a time (far_series_limit); else 0 */
  double mean;       /* of the runs, of times the restricted one; of a search the score */
  double low, high;  /* its interval; NAN where there is none */
  const char *other; /* the other varying parameters, as in "q0=1,rho=2"; "" without any */
} far_sensitivity_point;

/* One environment, or the score over all of them. */
typedef struct far_sensitivity_panel {
  const char *env;                     /* its label */
  const far_sensitivity_point *points; /* of line k at value v: k * n_values + v */
  const far_sensitivity_point *best;   /* at each value the best over all lines, those left out
                                        * as well: optimistic, since it is chosen by its mean */
} far_sensitivity_panel;

/* A parameter of an algorithm. A line joins the agents that differ in this parameter alone. */
typedef struct far_sensitivity_parameter {
  const char *agent, *key;
  const char *chosen; /* of a search: the value of the best setting; else NULL */
  far_value_scale scale;
  const far_sensitivity_value
      *values;              /* ascending; words in the order of the parameter's choices */
  size_t n_values;          /* at least 2 */
  const char *const *lines; /* the other varying parameters of each; "" without any */
  size_t n_lines;
  size_t n_left_out; /* lines: worse ones beyond most_lines, and those of a single point */
  size_t n_without;  /* agents of this algorithm to which the parameter does not apply */
  const far_sensitivity_panel *panels;
  size_t n_panels;
} far_sensitivity_parameter;

typedef struct far_sensitivity {
  const char *series; /* of the store; of a search "score" or "distance" */
  bool lower;         /* lower is better */
  double level;       /* of the intervals */
  bool search;        /* of a search: means are scores, the intervals those of their differences
                       * from the best setting's score on the same runs */
  const far_sensitivity_parameter *parameters;
  size_t n_parameters; /* 0: nothing varies */
} far_sensitivity;

/* Reads a group of a comparison. Algorithms are in the order of the comparison, parameters in that of
 * their tables. Means and intervals are those of the cells (far_summary). Keys count as varying where
 * the labels of two agents give them different values. Fails with RANGE (no such group), UNKNOWN (no
 * such algorithm there, or the parameter does not vary; the message lists what does) or MEMORY; *out is
 * then NULL. */
FAR_API far_status far_sensitivity_create(far_sensitivity **out, const far_comparison *comparison,
                                          const far_sensitivity_def *def, far_error *error);

/* The profiles of a search: one line, the other parameters as in the best setting, which is one of the
 * points. Agents whose search has no profiles are left out. MEMORY. */
FAR_API far_status far_sensitivity_from_tuned(far_sensitivity **out,
                                              const far_tuned_comparison *comparison,
                                              far_error *error);

FAR_API void far_sensitivity_free(far_sensitivity *sensitivity); /* NULL is fine */

/* Adds the numbers to a report: for each parameter and environment the table "sensitivity", notes on
 * what is left out, and the methods. */
FAR_API void far_sensitivity_report(const far_sensitivity *sensitivity, far_report *report);

#ifdef __cplusplus
}
#endif

#endif
