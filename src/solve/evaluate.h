/* Evaluation of a policy, for the solvers that need it. */
#ifndef FAR_SOLVE_EVALUATE_H
#define FAR_SOLVE_EVALUATE_H

#include "solve/iteration.h"

enum { FAR__DENSE_BELOW = 300 }; /* states: elimination takes milliseconds, and any gamma */

/* The values of a deterministic policy by Gaussian elimination, O(n^3) for n states. */
far_status far__evaluate_dense(const far_mdp *mdp, double gamma, const uint32_t *policy, double *v,
                               far_error *error);

/* RANGE unless this is a policy for the model, as in far_solver_evaluate. */
far_status far__policy_check(const far_mdp *mdp, const far_policy *policy, far_error *error);

/* The value of each state under the policy, from the values of its pairs; 0 if it is terminal. */
void far__policy_mix(const far_mdp *mdp, const far_policy *policy, const double *q, double *v);

/* Iterates on the rows until it->error is within the tolerance, or the sweeps are used up. */
far_status far__iterate_values(far__iteration *it, const far__sliced *rows, far_error *error);
far_status far__iterate_in_place(far__iteration *it, const far__sliced *rows, far_error *error);

/* Value iteration as long as the bounds shrink fast: *over is false if hundreds of further sweeps
 * would be needed. Until then it is far__iterate_values, to the bit. */
far_status far__iterate_quickly(far__iteration *it, const far__sliced *rows, bool *over,
                                far_error *error);

/* Solves the parts of a model in their order, each by itself, starting from it->v; then as far__iterate_values. `rows`
 * are the model's. */
far_status far__iterate_parts(far__iteration *it, const far_mdp *mdp, const far__sliced *rows,
                              far_error *error);

/* The same for a policy; `rows` are those of the policy. */
far_status far__iterate_policy_parts(far__iteration *it, const far_mdp *mdp,
                                     const far_policy *policy, const far__sliced *rows,
                                     far_error *error);

#endif
