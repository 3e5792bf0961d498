/* Parameter sensitivity: how the results of an agent change with one of its parameters, from a grid of
 * parameters in a store or from the profiles of a search.
 *
 *     far__sensitivity_def def = far__sensitivity_def_default();
 *     def.parameter = "m";
 *     far__sensitivity *sensitivity;
 *     far_status status = far__sensitivity_create(&sensitivity, comparison, &def, &error);
 *     ... sensitivity->parameters[0].panels[0].best[0].mean ...
 *     far__sensitivity_free(sensitivity);
 *
 * Nothing is run. The result has its own copies: the comparison may be freed before it.
 */
#ifndef FAR_QUESTIONS_SENSITIVITY_SENSITIVITY_H
#define FAR_QUESTIONS_SENSITIVITY_SENSITIVITY_H

#include "base/kept.h"
#include "farsight/base.h"
#include "farsight/comparison.h"
#include "farsight/report.h"
#include "questions/tuning/tuned-comparison.h"

/* ---- the question ---- */

typedef struct far__sensitivity_def {
  size_t group;          /* of the comparison; 0 by default */
  const char *agent;     /* the name of an algorithm; NULL, the default: each that varies */
  const char *parameter; /* its key; NULL, the default: every parameter that varies */
  size_t most_lines;     /* combinations of other parameters that are kept; 5 by default */
} far__sensitivity_def;

far__sensitivity_def far__sensitivity_def_default(void);

/* ---- the answer ---- */

/* On which scale the values of a parameter are spread most evenly. */
typedef enum far__value_scale {
  FAR__VALUES_EVEN,    /* words, and numbers that no scale spreads: side by side in their order */
  FAR__VALUES_LINEAR,  /* x */
  FAR__VALUES_LOG,     /* ln x */
  FAR__VALUES_HORIZON, /* ln 1/(1 - x), as for discounts */
} far__value_scale;

typedef struct far__sensitivity_value {
  const char *text;
  double number; /* NAN for a word */
  double place;  /* on the scale of the parameter: 0 for the first value, 1 for the last */
} far__sensitivity_value;

typedef struct far__sensitivity_point {
  int64_t runs;      /* 0: there are none, and mean, low and high are NAN */
  int64_t censored;  /* of them, if the series is a time (far__series_limit); else 0 */
  double mean;       /* of the runs, of times the restricted one; of a search the score */
  double low, high;  /* its interval; NAN where there is none */
  const char *other; /* the other varying parameters, as in "q0=1,rho=2"; "" without any */
} far__sensitivity_point;

/* One environment, or the score over all of them. */
typedef struct far__sensitivity_panel {
  const char *env;                      /* its label */
  const far__sensitivity_point *points; /* of line k at value v: k * n_values + v */
  const far__sensitivity_point *best;   /* at each value the best over all lines, those left out
                                        * as well: optimistic, since it is chosen by its mean */
} far__sensitivity_panel;

/* A parameter of an algorithm. A line joins the agents that differ in this parameter alone. */
typedef struct far__sensitivity_parameter {
  const char *agent, *key;
  const char *chosen; /* of a search: the value of the best setting; else NULL */
  far__value_scale scale;
  const far__sensitivity_value
      *values;              /* ascending; words in the order of the parameter's choices */
  size_t n_values;          /* at least 2 */
  const char *const *lines; /* the other varying parameters of each; "" without any */
  size_t n_lines;
  size_t n_left_out; /* lines: worse ones beyond most_lines, and those of a single point */
  size_t n_without;  /* agents of this algorithm to which the parameter does not apply */
  const far__sensitivity_panel *panels;
  size_t n_panels;
} far__sensitivity_parameter;

typedef struct far__sensitivity {
  const char *series; /* of the store; of a search "score" or "distance" */
  bool lower;         /* lower is better */
  double level;       /* of the intervals */
  bool search;        /* of a search: means are scores, the intervals those of their differences
                       * from the best setting's score on the same runs */
  const far__sensitivity_parameter *parameters;
  size_t n_parameters; /* 0: nothing varies */
} far__sensitivity;

/* Reads a group of a comparison. Algorithms are in the order of the comparison, parameters in that of
 * their tables. Means and intervals are those of the cells (far_summary). Keys count as varying where
 * the labels of two agents give them different values. Fails with RANGE (no such group), UNKNOWN (no
 * such algorithm there, or the parameter does not vary; the message lists what does) or MEMORY; *out is
 * then NULL. */
far_status far__sensitivity_create(far__sensitivity **out, const far_comparison *comparison,
                                   const far__sensitivity_def *def, far_error *error);

/* The profiles of a search: one line, the other parameters as in the best setting, which is one of the
 * points. Agents whose search has no profiles are left out. MEMORY. */
far_status far__sensitivity_from_tuned(far__sensitivity **out,
                                       const far__tuned_comparison *comparison, far_error *error);

void far__sensitivity_free(far__sensitivity *sensitivity); /* NULL is fine */

/* Adds the numbers to a report: for each parameter and environment the table "sensitivity", notes on
 * what is left out, and the methods. */
void far__sensitivity_report(const far__sensitivity *sensitivity, far_report *report);

/* The plot "sensitivity". `def->results` is not read. Fails with MEMORY, and with UNKNOWN where
 * there is nothing to draw; *out is then NULL. */
far_status far__sensitivity_figure(far_figure **out, const far__sensitivity *sensitivity,
                                   const far_plot_def *def, far_error *error);

/* ---- what its files share: the values of a parameter (sensitivity-values.c), a grid of agents in a comparison
 * (sensitivity-grid.c), and the whole (sensitivity.c) ---- */

/* The result comes first. */
typedef struct far__sensitivity_panels {
  far__sensitivity result;
  far__kept kept;
} far__sensitivity_panels;

/* ---- values ---- */

/* Are two texts the same value: the same number, or the same word? */
bool far__same_value(const char *x, const char *y);

/* Sorts values whose text is set, ascending or in the order of `choices` ("a|b|c"; may be NULL), and sets
 * number and place. Returns the scale. */
far__value_scale far__values_arrange(far__sensitivity_value *values, size_t n, const char *choices);

/* The parameter of an agent's algorithm; NULL if this version does not know it. */
const far_param *far__agent_param(const char *spec, const char *key);

/* ---- grids ---- */

/* Appends the parameters of def that vary among the agents of the group. False without memory, or where
 * the answer is an error. */
far_status far__sensitivity_grids(far__sensitivity_panels *out, const far_comparison *comparison,
                                  const far__sensitivity_def *def, far_error *error);

#endif
