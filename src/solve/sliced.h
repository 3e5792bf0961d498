/* The solvers' layout of a model: eight states side by side.
 *
 * A slice holds eight states. For every action the k-th successors of the eight lie together, so
 * that one backup of the slice runs down eight sums at once and the maximum over the actions needs
 * no further pass (SELL-C-sigma of Kreutzer et al. 2014, with a state's actions kept together).
 * States are first sorted by the lengths of their rows, so that slices have hardly any padding; a
 * slice that would waste more than a quarter is stored as eight single states instead.
 *
 * Each sum runs over its row's outcomes in the model's order with one accumulator, whatever the
 * lane: the bits are those of a plain loop.
 */
#ifndef FAR_SOLVE_SLICED_H
#define FAR_SOLVE_SLICED_H

#include <stdbool.h>

#include "farsight/solve.h"
#include "model/model.h"

enum { FAR__LANES = 8 };
enum { FAR__AHEAD = 512 }; /* outcomes that a sweep looks ahead */

/* Slices that a thread takes at once: from `slice`, whose outcomes begin at `outcome`, to that of the next stretch.
 * The cuts do not depend on the number of threads. */
typedef struct far__stretch {
  size_t slice, outcome;
} far__stretch;

typedef struct far__sliced {
  uint32_t n_states;  /* of the model: the length of a vector of values */
  uint32_t n_actions; /* rows of a state; 1 for a policy */
  size_t n_wide;      /* slices of eight */
  size_t n_single;    /* slices of one, after them */
  uint32_t *state;    /* of every lane */
  uint32_t *length;   /* n_actions a slice */
  double *reward;     /* expected; n_actions x lanes a slice */
  uint32_t *next; /* length x lanes a row; padding has probability 0. FAR__AHEAD more at the end */
  double *probability;
  uint32_t *terminal; /* states without rows, in order */
  size_t n_terminal;
  far__stretch *stretch; /* n_stretches and the end */
  size_t n_stretches;
  size_t n_outcomes;          /* with the padding */
  size_t n_far;               /* of these, outcomes whose values are rarely cached */
  size_t longest;             /* row */
  double most_reward;         /* the greatest expected |reward| of a row */
  double least_end, most_end; /* probability of a row to end */
} far__sliced;

/* Lays out all rows of the model, or the one row of each state that a policy makes of its actions. */
far_status far__sliced_create(far__sliced *out, const far_mdp *mdp, const far_policy *policy,
                              far_error *error);
void far__sliced_free(far__sliced *sliced);

struct far_solver {
  const far_mdp *mdp;
  far__sliced rows;
};

#endif
