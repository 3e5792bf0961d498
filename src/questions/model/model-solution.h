/* A model solved: what its parts share. */
#ifndef FAR_QUESTIONS_MODEL_MODEL_SOLUTION_H
#define FAR_QUESTIONS_MODEL_MODEL_SOLUTION_H

#include "farsight/model-solution.h"

/* The value of each state, or its bias. */
const double *far__solution_values(const far_model_solution *x);

/* Writes the members of the JSON document. `user` is the solution. */
void far__solution_json(const void *user, far_json *json);

/* The diameter, as well as doubles can certify it: where it is too large for the tolerance, the tolerance is
 * raised, up to 1/100. */
far_status far__solution_diameter(far_diameter *out, const far_solver *solver, far_solve_def def,
                                  far_error *error);

/* Computes the measures of hardness, once the values are there. */
far_status far__solution_measures(far_model_solution *x, const far_solver *solver,
                                  far_error *error);

/* Their list in a report, and their object in JSON. */
void far__measures_report(const far_model_solution *x, far_report *report);
void far__measures_json(const far_model_solution *x, far_json *json);

/* What the model calls a state or an action, cut where it is long; its number if it has no name. */
enum { FAR__NAME_WIDTH = 24 };
typedef struct far__name_text {
  char text[4 * FAR__NAME_WIDTH + 4];
} far__name_text;
far__name_text far__state_name(const far_model_solution *x, uint32_t s);
far__name_text far__action_name(const far_model_solution *x, uint32_t a);

#endif
