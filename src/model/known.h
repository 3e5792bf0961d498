/* Results about a model that take long to compute and that many threads and cells need: each is computed once and
 * then belongs to the model. */
#ifndef FAR_MODEL_KNOWN_H
#define FAR_MODEL_KNOWN_H

#include "farsight/mdp.h"

typedef enum far__known_kind {
  FAR__KNOWN_ACTIONS, /* uint32_t of each state: the actions of the agent `optimal` */
  FAR__KNOWN_VALUES,  /* double of each state: the optimal values that metrics compare with */
} far__known_kind;

typedef struct far__known_key {
  far__known_kind kind;
  double gamma;
} far__known_key;

/* The result. NULL: the caller must compute it and then call far__known_set; until then other threads that ask
 * for the same result wait. */
const void *far__known_get(const far_mdp *mdp, far__known_key key);

/* Takes the result (malloc), and may free it at once. NULL: it could not be computed, and the next caller may try. */
void far__known_set(const far_mdp *mdp, far__known_key key, void *value);

struct far__known; /* list of a model's results */
void far__known_free(struct far__known *all);

#endif
