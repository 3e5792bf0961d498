/* The best average reward by policy iteration with elimination, for small models. */
#ifndef FAR_SOLVE_DIRECT_H
#define FAR_SOLVE_DIRECT_H

#include "farsight/solve.h"
#include "model/model.h"

/* A model and, for messages, the caller's model that it is a part of: state i is state old[i] of `whole`, or state i
 * itself where old is NULL. */
typedef struct far__scope {
  const far_mdp *mdp, *whole;
  const uint32_t *old;
} far__scope;

/* Howard's policy iteration for any structure (Puterman 1994, 9.2), O(n^3) for n states and each policy, independent
 * of how rare an outcome is. Fills gain, error, bias (not of terminal states), policy and converged, and counts policies
 * as sweeps. CONFLICT if the best average reward depends on the state, RANGE if the tolerance cannot be
 * certified, MEMORY, CANCELLED. */
far_status far__average_direct(far_average *out, const far__scope *scope, const far_solve_def *def,
                               far_error *error);

#endif
