/* What the theorems guarantee on a problem, side by side, and their inverse; also as a report.
 *
 *     far_guarantees_def def = far_guarantees_def_default();   set only what differs
 *     far_problem_from_model(&def.problem, mdp);
 *     def.mdp = mdp;
 *     far_guarantees *all;
 *     far_status status = far_guarantees_create(&all, &def, &error);
 *     if (status == FAR_OK) far_guarantees_report(all, FAR_GUARANTEES_TABLE, report);
 *     far_guarantees_free(all);
 */
#ifndef FARSIGHT_GUARANTEES_H
#define FARSIGHT_GUARANTEES_H

#include "farsight/mdp.h"
#include "farsight/report.h"
#include "farsight/theory.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sets what a model says of a problem: live states, actions, range of rewards, whether episodes end,
 * and the discount if the model has one of its own below 1. The rest stays as it is. */
FAR_API void far_problem_from_model(far_problem *problem, const far_mdp *mdp);

/* The range of rewards from the smallest and the largest: where episodes can end it contains 0, which
 * the end is worth. Reads problem->episodic. */
FAR_API void far_problem_set_range(far_problem *problem, double smallest, double largest);

typedef struct far_guarantees_def {
  const far_theorem *const *theorems; /* n_theorems of them; not read if that is 0 */
  size_t n_theorems;                  /* 0, the default: all theorems */
  far_problem problem;
  const far_mdp *mdp;   /* to compute a diameter that is unknown and needed; NULL: do not */
  uint32_t most_states; /* with more live states the diameter is not computed; 1000 by default */
  double steps;         /* the inverse for so many steps, from 1 to 1e300; 0, the default: none */
} far_guarantees_def;

FAR_API far_guarantees_def far_guarantees_def_default(void);

typedef struct far_guarantees {
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
} far_guarantees;

/* Evaluates the theorems. RANGE if the problem or `steps` is out of bounds; CONFLICT if a theorem that
 * was named needs a diameter that cannot be computed (if none is named, `no_diameter` says why);
 * MEMORY. *out is NULL on an error. The model must outlive the result. */
FAR_API far_status far_guarantees_create(far_guarantees **out, const far_guarantees_def *def,
                                         far_error *error);

/* The same; while a diameter is computed, which can take long, `progress` is called as in far_solve_def, and false
 * stops: CANCELLED. NULL is fine. */
FAR_API far_status far_guarantees_create_watched(
    far_guarantees **out, const far_guarantees_def *def,
    bool (*progress)(void *user, int64_t sweeps, double error), void *user, far_error *error);
FAR_API void far_guarantees_free(far_guarantees *guarantees); /* NULL is fine */

typedef enum far_guarantees_detail {
  FAR_GUARANTEES_TABLE,   /* a row for each theorem */
  FAR_GUARANTEES_EACH,    /* the quantities and the bound of each */
  FAR_GUARANTEES_EXPLAIN, /* the derivation of each, step by step, and what was repaired */
} far_guarantees_detail;

/* Tables "theorems" and "quantities"; the JSON document has the members "problem" and "theorems". */
FAR_API void far_guarantees_report(const far_guarantees *guarantees, far_guarantees_detail detail,
                                   far_report *report);

#ifdef __cplusplus
}
#endif

#endif
