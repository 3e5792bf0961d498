/* Cover times of few pairs, exactly. */
#ifndef FAR_SOLVE_COVER_H
#define FAR_SOLVE_COVER_H

#include "farsight/solve.h"
#include "solve/chain.h"

/* The chain of the uniform policy, in which all states must lead to one another. */
typedef struct far__walk {
  const far_mdp *mdp;
  far__chain chain;
  double *start; /* distribution over the chain's states */
} far__walk;

/* The mean of v over the states of the chain after a row of the model; an end counts as `ended`. */
static inline double far__walk_mean(const far__walk *w, size_t row, const double *v, double ended) {
  double sum = 0;
  for (size_t k = w->mdp->row[row]; k < w->mdp->row[row + 1]; ++k) {
    const far_outcome *o = &w->mdp->outcome[k];
    sum += o->probability * (o->done ? ended : v[w->chain.index[o->next]]);
  }
  return sum;
}

/* The mean of v over the starts, which follow an end. */
static inline double far__walk_start(const far__walk *w, const double *v) {
  double sum = 0;
  for (size_t i = 0; i < w->chain.n; ++i) sum += w->start[i] * v[i];
  return sum;
}

/* Fills `expected` and `worst`, and the covering time if its work is limited; `length_high` must
 * be an upper bound on that time. */
far_status far__cover_exact(far_cover *out, const far__walk *walk, const far_solve_def *def,
                            far_error *error);

#endif
