/* A model solved: what its parts share. */
#ifndef FAR_ANALYSIS_MODEL_SOLUTION_H
#define FAR_ANALYSIS_MODEL_SOLUTION_H

#include "farsight/model-solution.h"

/* The value of each state, or its bias. */
const double *far__solution_values(const far_model_solution *x);

/* Writes the members of the JSON document. `user` is the solution. */
void far__solution_json(const void *user, far_json *json);

#endif
