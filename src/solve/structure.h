/* The graph of a model, for the solvers whose answers depend on it. */
#ifndef FAR_SOLVE_STRUCTURE_H
#define FAR_SOLVE_STRUCTURE_H

#include "solve/sliced.h"

far_status far__structure(far_structure *out, const far_mdp *mdp, far_error *error);

/* The parts of a model whose states lead to one another within an episode, in an order in which every
 * part leads to itself and to earlier ones only. A terminal state is a part of its own. */
typedef struct far__parts {
  uint32_t n_parts;
  uint32_t *state; /* all states, part by part, ascending within a part */
  uint32_t *first; /* index of a part's first state; n_parts + 1 */
} far__parts;

/* O(outcomes). MEMORY. */
far_status far__parts_create(far__parts *out, const far_mdp *mdp, far_error *error);
void far__parts_free(far__parts *parts);

/* A terminal state has the value of the start that follows it: sets v at the terminal states. */
static inline void far__restart(const far_mdp *mdp, const uint32_t *terminal, size_t n_terminal,
                                double *v) {
  size_t count;
  const far_outcome *start = far_mdp_starts(mdp, &count);
  double value = 0;
  if (n_terminal == 0) return;
  for (size_t k = 0; k < count; ++k) value += start[k].probability * v[start[k].next];
  for (size_t i = 0; i < n_terminal; ++i) v[terminal[i]] = value;
}

#endif
