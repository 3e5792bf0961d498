/* What the effective horizons with a discount and with a finite horizon share. */
#ifndef FAR_SOLVE_EFFECTIVE_H
#define FAR_SOLVE_EFFECTIVE_H

#include "farsight/solve.h"
#include "solve/sliced.h"

/* The best Qk of a state's actions that may be optimal, and of its other actions. */
typedef struct far__contest {
  double best;  /* of actions that are optimal, up to the error of their gap */
  double other; /* of the actions that certainly are not; -INFINITY if there are none */
} far__contest;

/* Adds one action: its Qk, and its gap to the optimal value. `blur` bounds the error of the gap. */
static inline void far__contest_add(far__contest *x, double q, double gap, double blur) {
  double *side = gap <= blur ? &x->best : &x->other;
  *side = q > *side ? q : *side;
}

/* k + max(0, log_A(1 / gap^2)) */
double far__effective_of(int64_t k, double gap, double scale, uint32_t n_actions);

/* Records the gap of this k if its horizon is the least so far. */
void far__effective_take(far_effective *out, int64_t k, double gap, double scale,
                         uint32_t n_actions);

/* Asks the caller whether to continue after k; CANCELLED. */
far_status far__effective_check(const far_solve_def *def, int64_t k, far_error *error);

#endif
