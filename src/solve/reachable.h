/* The part of a model that runs can reach, as a model of its own. */
#ifndef FAR_SOLVE_REACHABLE_H
#define FAR_SOLVE_REACHABLE_H

#include "model/model.h"

typedef struct far__part {
  far_mdp *mdp;  /* its state i is state old[i] of the whole */
  uint32_t *old; /* ascending */
  uint32_t n_states;
} far__part;

/* Fails with MEMORY, or as the builder does. */
far_status far__part_create(far__part *out, const far_mdp *whole, far_error *error);
void far__part_free(far__part *part);

#endif
