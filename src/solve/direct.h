/* The best average reward by policy iteration with elimination, for small models. */
#ifndef FAR_SOLVE_DIRECT_H
#define FAR_SOLVE_DIRECT_H

#include "farsight/solve.h"
#include "model/model.h"

/* The model, and which states of the caller's model are its: state i is old[i] of `whole`, itself where old is
 * NULL. For messages. */
typedef struct far__scope {
  const far_mdp *mdp, *whole;
  const uint32_t *old;
} far__scope;

/* Howard's policy iteration for any structure (Puterman 1994, 9.2), O(n^3) for n states and each policy, and
 * however rare an outcome is. Fills gain, error, bias (an end has none), policy and converged, and counts policies as
 * sweeps. CONFLICT if the best average reward depends on the state, RANGE if the tolerance cannot be
 * certified, MEMORY, CANCELLED. */
far_status far__average_direct(far_average *out, const far__scope *scope, const far_solve_def *def,
                               far_error *error);

#endif
