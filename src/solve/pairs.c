#include "solve/pairs.h"

#include <string.h>

size_t far__longest_row(const far_mdp *mdp) {
  size_t longest = 0;
  for (size_t r = 0; r + 1 < mdp->n_rows; ++r) {
    const size_t length = mdp->row[r + 1] - mdp->row[r];
    longest = length > longest ? length : longest;
  }
  return longest;
}

void far__mark_starts(const far_mdp *mdp, bool *mark) {
  memset(mark, false, mdp->shape.n_states * sizeof *mark);
  for (size_t k = mdp->row[mdp->n_rows - 1]; k < mdp->row[mdp->n_rows]; ++k)
    mark[mdp->outcome[k].next] = true;
}

void far__step_marks(const far_mdp *mdp, const bool *from, bool *to) {
  const size_t n = mdp->shape.n_actions;
  memset(to, false, mdp->shape.n_states * sizeof *to);
  for (uint32_t s = 0; s < mdp->shape.n_states; ++s) {
    if (!from[s]) continue;
    for (size_t k = mdp->row[s * n]; k < mdp->row[(s + 1) * n]; ++k)
      if (!mdp->outcome[k].done) to[mdp->outcome[k].next] = true;
  }
}
