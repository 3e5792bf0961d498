/* The exact value of an agent's current policy, frozen, kept up to date along a run.
 *
 * The policy is the stochastic one of far_agent_policy, one row a state. Where a step can change the
 * policy of the visited state alone (far__agent_local), only that row is read again.
 *
 * Up to FAR__DENSE_STATES states the inverse M of I - gamma P is kept. A row of the policy that
 * changes in s adds a multiple of e_s d' to the matrix, and the formula of Sherman and Morrison
 * (1950) gives the new inverse in O(n^2), the new values in O(n):
 *
 *     w = d' M,  M <- M + gamma M e_s w / (1 - gamma w_s),
 *     v <- v + M e_s (Tv - v)(s) / (1 - gamma w_s)       with M e_s as before
 *
 * The certificate is the residual: |v - exact| <= max |Tv - v| / (1 - gamma) for the backup T of
 * the policy. It is computed after every change, and the matrix is factored anew if the bound exceeds
 * 1e-11 v_max.
 *
 * With more states, v is only as exact as necessary. A row that changes in s leaves the residuals of all other states
 * unchanged, so that the new bound is the greater of the old one and |Tv - v|(s). Only if that does not
 * decide a query, sweeps in place follow until it does; after a sweep, the residual is at most
 * gamma times the greatest change.
 *
 * Every run begins anew, so that its numbers do not depend on earlier runs. A run that is stopped gets no number, and
 * its sweeps end at once.
 */
#ifndef FAR_RUN_METRICS_POLICY_VALUE_H
#define FAR_RUN_METRICS_POLICY_VALUE_H

#include "run/metrics/optimum.h"

enum { FAR__DENSE_STATES = 300 };

typedef struct far__policy_value far__policy_value;

/* CONFLICT if the agent's policy has no closed form. The optimum must outlive the policy_value. */
far_status far__policy_value_create(far__policy_value **out, const far__optimum *optimum,
                                    const far_agent *agent, far_error *error);
void far__policy_value_free(far__policy_value *policy_value); /* NULL is fine */

/* To be called when a run begins. */
void far__policy_value_begin(far__policy_value *policy_value, const far_agent *agent);

/* To be called when the agent has observed a step from s. */
void far__policy_value_look(far__policy_value *policy_value, const far_agent *agent, uint32_t s);

/* Counts the changes of the policy. */
int64_t far__policy_value_version(const far__policy_value *policy_value);

/* Is the policy's value in s (or FAR__START) below the optimum's `least`? */
bool far__policy_value_mistaken(far__policy_value *policy_value, uint32_t s);

/* The policy's value, within 1e-6 v_max; within 1e-11 v_max up to FAR__DENSE_STATES states. */
double far__policy_value_at(far__policy_value *policy_value, uint32_t s);

#endif
