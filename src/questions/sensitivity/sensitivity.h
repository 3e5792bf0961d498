/* What the parts of the sensitivity share: the values of a parameter (sensitivity-values.c), a grid of
 * agents in a comparison (sensitivity-grid.c), and the whole (sensitivity.c). */
#ifndef FAR_QUESTIONS_SENSITIVITY_SENSITIVITY_H
#define FAR_QUESTIONS_SENSITIVITY_SENSITIVITY_H

#include "base/kept.h"
#include "farsight/sensitivity.h"

/* The result comes first. */
typedef struct far__sensitivity {
  far_sensitivity result;
  far__kept kept;
} far__sensitivity;

/* ---- values ---- */

/* Are two texts the same value: the same number, or the same word? */
bool far__same_value(const char *x, const char *y);

/* Sorts values whose text is set, ascending or in the order of `choices` ("a|b|c"; may be NULL), and sets
 * number and place. Returns the scale. */
far_value_scale far__values_arrange(far_sensitivity_value *values, size_t n, const char *choices);

/* The parameter of an agent's algorithm; NULL if this version does not know it. */
const far_param *far__agent_param(const char *spec, const char *key);

/* ---- grids ---- */

/* Appends the parameters of def that vary among the agents of the group. False without memory, or where
 * the answer is an error. */
far_status far__sensitivity_grids(far__sensitivity *out, const far_comparison *comparison,
                                  const far_sensitivity_def *def, far_error *error);

#endif
