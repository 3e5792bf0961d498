/* The row view: the successors of one pair with their weights. The true model and an agent's
 * learned model (where the weights are counts) both offer it, so that one planner serves both. */
#ifndef FAR_SOLVE_PLAN_ROW_H
#define FAR_SOLVE_PLAN_ROW_H

#include <stddef.h>
#include <stdint.h>

#include "base/inline.h"

/* Two 8-byte words, so that agents can keep arcs in their blocks. */
typedef struct far__arc {
  uint64_t next;
  double weight;
} far__arc;

typedef struct far__row {
  const far__arc *arc;
  size_t count;
  double total; /* the probability of arc k is arc[k].weight / total */
} far__row;

/* As fmax and fmin, which are calls, for numbers other than NaN. */
static inline double far__larger(double x, double y) {
  return x < y ? y : x;
}

static inline double far__smaller(double x, double y) {
  return y < x ? y : x;
}

/* The sum of weight times value, in the order of the arcs and not divided by the total. */
FAR__INLINE double far__row_dot(const far__row *row, const double *v) {
  double sum = 0;
  for (size_t k = 0; k < row->count; ++k) sum += row->arc[k].weight * v[row->arc[k].next];
  return sum;
}

#endif
