/* Policy iteration by elimination, for models whose states can be ordered such that all outcomes lead to
 * near-by states: chains, corridors, small grids. The equations of a policy then form a narrow band, and
 * one elimination replaces about 1 / (1 - gamma) sweeps. A few hubs, to which many states
 * lead (as a restart does), may be outside of the band.
 */
#ifndef FAR_SOLVE_BAND_H
#define FAR_SOLVE_BAND_H

#include "solve/iteration.h"

typedef struct far__band {
  const far_mdp *mdp;
  uint32_t n, n_hubs;  /* states that are not terminal; the last n_hubs of them are hubs */
  uint32_t *state;     /* in order */
  uint32_t *place;     /* of a state, in that order; UINT32_MAX if it is terminal */
  size_t below, above; /* the greatest distance of an outcome, backwards and forwards */
} far__band;

/* Chooses an order: by number, or that of a breadth-first search (Cuthill & McKee 1969), whichever
 * makes the narrower band. O(outcomes). MEMORY. */
far_status far__band_create(far__band *out, const far_mdp *mdp, far_error *error);
void far__band_free(far__band *band);

/* The multiplications of one evaluation; INFINITY if they would need too much memory. */
double far__band_cost(const far__band *band);

/* Called before each policy; a status other than FAR_OK ends the iteration. */
typedef far_status (*far__band_tick)(void *user, far_error *error);

/* Improves v until no backup changes a value by more than `enough`, no policy is better, or 200 were tried: starts
 * from the given policy, which becomes the last one, or from v if `policy` is NULL. The values of terminal states are
 * not read, and count as 0; those of states that have become terminal since the band was made are set to 0.
 * With gamma = 1 the given policy must end with probability 1, and every reward be negative except for states that
 * do not follow one another. */
far_status far__band_iterate(const far__band *band, double gamma, uint32_t *policy, double *v,
                             double enough, far__band_tick tick, void *user, far_error *error);

#endif
