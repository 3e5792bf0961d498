/* Policy iteration by elimination, for models whose states can be put into an order in which all outcomes
 * lead near by: chains, corridors, small grids. There the equations of a policy are a narrow band, and
 * one elimination does what sweeps need about 1 / (1 - gamma) passes for. A few hubs, to which many states
 * lead (a restart, say), may stand outside of the band.
 */
#ifndef FAR_SOLVE_BAND_H
#define FAR_SOLVE_BAND_H

#include "solve/iteration.h"

typedef struct far__band {
  const far_mdp *mdp;
  uint32_t n, n_hubs;  /* states that are not terminal, and the last of them that are hubs */
  uint32_t *state;     /* in order */
  uint32_t *place;     /* of a state, in that order; UINT32_MAX if it is terminal */
  size_t below, above; /* how far outcomes lead back and ahead */
} far__band;

/* Looks for an order: the states' own, or that of a search in breadth (Cuthill & McKee 1969), whichever
 * makes the narrower band. O(outcomes). MEMORY. */
far_status far__band_create(far__band *out, const far_mdp *mdp, far_error *error);
void far__band_free(far__band *band);

/* The multiplications of one evaluation; INFINITY if they would need too much memory. */
double far__band_cost(const far__band *band);

/* What to call before each policy; CANCELLED and so on end the iteration. */
typedef far_status (*far__band_tick)(void *user, far_error *error);

/* Improves v until no backup changes a value by more than `enough`, no policy is better, or 200 were tried:
 * from the policy given, which becomes the last one, or if it is NULL from v. The values of terminal
 * states are not read, and count as 0; those of states that have become terminal since the band was made are set to 0.
 * With gamma = 1 the policy given must end for sure, and every reward be negative, but for states that
 * do not follow one another. */
far_status far__band_iterate(const far__band *band, double gamma, uint32_t *policy, double *v,
                             double enough, far__band_tick tick, void *user, far_error *error);

#endif
