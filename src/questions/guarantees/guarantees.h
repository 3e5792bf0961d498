/* What the theorems guarantee on a problem, side by side, and their inverse; also as a report.
 *
 *     far__guarantees_def def = far__guarantees_def_default();   set only what differs
 *     far__problem_from_model(&def.problem, mdp);
 *     def.mdp = mdp;
 *     far__guarantees *all;
 *     far_status status = far__guarantees_create(&all, &def, &error);
 *     if (status == FAR_OK) far__guarantees_report(all, FAR__GUARANTEES_TABLE, report);
 *     far__guarantees_free(all);
 */
#ifndef FAR_QUESTIONS_GUARANTEES_GUARANTEES_H
#define FAR_QUESTIONS_GUARANTEES_GUARANTEES_H

#include "farsight/mdp.h"
#include "farsight/report.h"
#include "farsight/theory.h"

/* Sets what a model says of a problem: live states, actions, range of rewards, whether episodes end,
 * and the discount if the model has one of its own below 1. The rest stays as it is. */
void far__problem_from_model(far_problem *problem, const far_mdp *mdp);

/* The range of rewards from the smallest and the largest: where episodes can end it contains 0, which
 * the end is worth. Reads problem->episodic. */
void far__problem_set_range(far_problem *problem, double smallest, double largest);

typedef struct far__guarantees_def {
  const far_theorem *const *theorems; /* n_theorems of them; not read if that is 0 */
  size_t n_theorems;                  /* 0, the default: all theorems */
  far_problem problem;
  const far_mdp *mdp;   /* to compute a diameter that is unknown and needed; NULL: do not */
  uint32_t most_states; /* with more live states the diameter is not computed; 1000 by default */
  double steps;         /* the inverse for so many steps, from 1 to 1e300; 0, the default: none */
  /* While a diameter is computed, which can take long, as in far_solve_def: false stops. NULL, the default: none. */
  bool (*progress)(void *user, int64_t sweeps, double error);
  void *user;
} far__guarantees_def;

far__guarantees_def far__guarantees_def_default(void);

typedef struct far__guarantees {
  far_problem problem;   /* with eps filled in, and the diameter if it was computed */
  const char *env;       /* canonical spec of the model, which owns it; NULL without one */
  uint32_t absent;       /* states of the model that are terminal or cannot be reached */
  bool all;              /* no theorem was named */
  bool computed;         /* the diameter */
  char no_diameter[320]; /* why it could not be computed; "" if it was not asked for or is there */
  double steps;
  size_t count;
  far_guarantee *at_eps;   /* of each theorem */
  far_guarantee *at_steps; /* the inverse of each; NULL if steps is 0 */
} far__guarantees;

/* Evaluates the theorems. RANGE if the problem or `steps` is out of bounds; CONFLICT if a theorem that
 * was named needs a diameter that cannot be computed (if none is named, `no_diameter` says why);
 * CANCELLED; MEMORY. *out is NULL on an error. The model must outlive the result. */
far_status far__guarantees_create(far__guarantees **out, const far__guarantees_def *def,
                                  far_error *error);
void far__guarantees_free(far__guarantees *guarantees); /* NULL is fine */

typedef enum far__guarantees_detail {
  FAR__GUARANTEES_TABLE,   /* a row for each theorem */
  FAR__GUARANTEES_EACH,    /* the quantities and the bound of each */
  FAR__GUARANTEES_EXPLAIN, /* the derivation of each, step by step, and what was repaired */
} far__guarantees_detail;

/* Tables "theorems" and "quantities"; the JSON document has the members "problem" and "theorems". */
void far__guarantees_report(const far__guarantees *guarantees, far__guarantees_detail detail,
                            far_report *report);

#endif
