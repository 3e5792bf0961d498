/* The estimator `frozen`; see estimator.h. The policy of a step is the one in force when its action is
 * chosen. */
#include "run/metrics/estimator.h"

static far_status create(void **out, const far__scene *scene, const far__optimum *best,
                         far_error *error) {
  far__policy_value *policy_value;
  const far_status status = far__policy_value_create(&policy_value, best, scene->agent, error);
  *out = policy_value;
  return status;
}

static far_status begin(void *of, far__tally *tally, const far_agent *agent, uint32_t s,
                        far_error *error) {
  (void)tally, (void)s, (void)error;
  far__policy_value_begin(of, agent);
  return FAR_OK;
}

static far_status step(void *of, far__tally *tally, const far_agent *agent,
                       const far_transition *step, uint32_t next, far_error *error) {
  (void)next, (void)error;
  if (far__policy_value_mistaken(of, step->s)) { /* still the value before this step */
    tally->mistakes += 1;
    tally->last = (double)far_agent_steps(agent);
  }
  far__policy_value_look(of, agent, step->s);
  return FAR_OK;
}

static void end(void *of, far__tally *tally) {
  (void)of, (void)tally;
}

static far__tally sofar(const void *of, const far__tally *tally, const far_agent *agent) {
  (void)of, (void)agent;
  return *tally;
}

static void release(void *of) {
  far__policy_value_free(of);
}

const far__estimator far__estimator_frozen = {create, begin, step, end, sofar, release};
