/* What both forms of the effective horizon share. */
#ifndef FAR_SOLVE_EFFECTIVE_H
#define FAR_SOLVE_EFFECTIVE_H

#include "farsight/measures.h"
#include "solve/sliced.h"

/* The actions of a state that are certainly not optimal, against the others. */
typedef struct far__contest {
  double best;  /* of Qk, of an action that is optimal or too close to tell */
  double other; /* of Qk, of the other actions; -INFINITY if there are none */
} far__contest;

/* Takes in one action: its Qk, and how far it is from optimal. `blur` bounds the error of that. */
static inline void far__contest_add(far__contest *x, double q, double gap, double blur) {
  double *side = gap <= blur ? &x->best : &x->other;
  *side = q > *side ? q : *side;
}

/* k + max(0, log_A(1 / gap^2)) */
double far__effective_of(int64_t k, double gap, double scale, uint32_t n_actions);

/* Notes the gap of this k. */
void far__effective_take(far_effective *out, int64_t k, double gap, double scale,
                         uint32_t n_actions);

/* Asks whether to go on after k. */
far_status far__effective_goes_on(const far_solve_def *def, int64_t k, far_error *error);

#endif
