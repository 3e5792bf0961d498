/* Three ways to decide at which steps V^A(s) < V*(s) - eps, where A is the learning agent with all
 * that it has seen so far. (Kakade 2003 counts these steps; V^A is an expectation that includes the agent's further
 * learning.)
 *
 * frozen      V of the current policy, for ever after, exactly. It differs from V^A by at most
 *             v_max times the probability that the policy changes within a geometric time of mean 1/(1-gamma).
 * rollout     V^A itself, by the mean return of copies of the agent that continue to learn; on every
 *             `every`-th step, which counts for those up to the next.
 * trajectory  The return of the run itself from that step on (the instantaneous loss of Strehl &
 *             Littman 2008). One sample of V^A: its mean over steps is unbiased, but a count based on it has
 *             the noise of a single return, and is too large where returns vary.
 */
#ifndef FAR_RUN_METRICS_ESTIMATOR_H
#define FAR_RUN_METRICS_ESTIMATOR_H

#include "run/metrics/policy-value.h"

typedef struct FAR__PARAMS far__mistake_params {
  far__value_params value;
  double horizon_error;
  int64_t rollouts, every;
  int32_t estimator;
  int32_t horizon_given; /* no key */
} far__mistake_params;

/* The mistakes of a run so far; steps are numbered from 1. */
typedef struct far__tally {
  double mistakes;
  double last; /* 0: none */
} far__tally;

typedef struct far__estimator {
  far_status (*create)(void **out, const far__scene *scene, const far__optimum *best,
                       far_error *error);
  far_status (*begin)(void *estimator, far__tally *tally, const far_agent *agent, uint32_t s,
                      far_error *error);
  far_status (*step)(void *estimator, far__tally *tally, const far_agent *agent,
                     const far_transition *step, uint32_t next, far_error *error);
  void (*end)(void *estimator, far__tally *tally);
  /* The tally if the run ended now; changes nothing. */
  far__tally (*sofar)(const void *estimator, const far__tally *tally, const far_agent *agent);
  void (*free)(void *estimator); /* NULL is fine */
} far__estimator;

extern const far__estimator far__estimator_frozen, far__estimator_rollout,
    far__estimator_trajectory;

/* The horizon that the parameters ask for. */
double far__mistake_horizon(const far__mistake_params *p, const far__optimum *best);

#endif
