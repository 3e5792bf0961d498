/* What is known of a model beyond its rows: results that take long to find and that many threads and cells want. They
 * are found once, and belong to the model from then on. */
#ifndef FAR_MODEL_KNOWN_H
#define FAR_MODEL_KNOWN_H

#include "farsight/mdp.h"

typedef enum far__known_kind {
  FAR__KNOWN_ACTIONS, /* uint32_t: what the agent `optimal` is told */
  FAR__KNOWN_VALUES,  /* double of each state: what metrics compare with */
} far__known_kind;

typedef struct far__known_key {
  far__known_kind kind;
  double gamma;
} far__known_key;

/* The result, or NULL: then the caller finds it, and must call far__known_tell afterwards. Other threads that ask for
 * the same wait for that. */
const void *far__known_ask(const far_mdp *mdp, far__known_key key);

/* Takes the result (malloc), and may free it at once. NULL: it was not found; the next one who asks may try. */
void far__known_tell(const far_mdp *mdp, far__known_key key, void *value);

struct far__known; /* the results of a model, a list */
void far__known_free(struct far__known *all);

#endif
