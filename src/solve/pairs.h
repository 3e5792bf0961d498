/* Sums over the outcomes of a pair, and marks of states. */
#ifndef FAR_SOLVE_PAIRS_H
#define FAR_SOLVE_PAIRS_H

#include "model/model.h"

/* The length of the longest row, the starts excluded. */
size_t far__longest_row(const far_mdp *mdp);

/* The expected reward of a pair plus gamma times the expected v of its next state. */
static inline double far__pair_value(const far_mdp *mdp, size_t row, double gamma,
                                     const double *v) {
  double reward = 0, sum = 0;
  for (size_t k = mdp->row[row]; k < mdp->row[row + 1]; ++k)
    reward += mdp->outcome[k].probability * mdp->outcome[k].reward;
  for (size_t k = mdp->row[row]; k < mdp->row[row + 1]; ++k)
    sum += mdp->outcome[k].probability * v[mdp->outcome[k].next];
  return reward + gamma * sum;
}

/* Marks the states that can follow a marked one in one step; terminal states are never marked. */
void far__step_marks(const far_mdp *mdp, const bool *from, bool *to);

/* Marks the starts, and no other state. */
void far__mark_starts(const far_mdp *mdp, bool *mark);

#endif
