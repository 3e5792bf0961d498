/* The exact value of an agent's policy for an episode, where there is a horizon.
 *
 * The policy is the one in force when the episode begins, frozen: far_agent_policy_at of every
 * step and state. An agent that ignores the step has the same policy on all of them.
 */
#ifndef FAR_RUN_METRICS_EPISODE_VALUE_H
#define FAR_RUN_METRICS_EPISODE_VALUE_H

#include "run/metrics/metric.h"

typedef struct far__episode_value {
  const far_mdp *mdp;
  far_horizon best; /* values of the best policy */
  double *v;        /* of the agent's policy, with t steps taken in s, at t * n_states + s */
  size_t n_timed;   /* states times steps */
  double *policy;   /* of each pair of a timed state, as evaluated last */
  double *row;      /* scratch: the agent's current policy in a state */
  bool known;       /* v is the value of `policy` */
} far__episode_value;

/* Solves the model. CONFLICT if it has no horizon, or if the agent's policy has no closed form; MEMORY. */
far_status far__episode_value_create(far__episode_value *out, const far__scene *scene,
                                     far_error *error);
void far__episode_value_free(far__episode_value *x);

/* Evaluates the agent's current policy, if it has changed since the last call. */
void far__episode_value_look(far__episode_value *x, const far_agent *agent);

/* The loss of that policy in an episode from s, or its mean over the starts; at least 0. */
double far__episode_loss(const far__episode_value *x, uint32_t s);
double far__episode_start_loss(const far__episode_value *x);

/* Losses up to this may be rounding. */
double far__episode_slack(const far__episode_value *x);

#endif
