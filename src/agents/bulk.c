/* Many calls in one. */
#include <stddef.h>

#include "farsight/agent.h"

bool far_agent_values_at(const far_agent *agent, far_value kind, int64_t h, double *out) {
  const far_shape *shape = far_agent_shape(agent);
  for (uint32_t s = 0; s < shape->n_states; ++s)
    for (uint32_t a = 0; a < shape->n_actions; ++a)
      if (!far_agent_value_at(agent, kind, h, s, a, out++)) return false;
  return true;
}

bool far_agent_values(const far_agent *agent, far_value kind, double *out) {
  return far_agent_values_at(agent, kind, far_agent_episode_step(agent), out);
}

bool far_agent_policies(const far_agent *agent, double *out) {
  return far_agent_policies_at(agent, far_agent_episode_step(agent), out);
}

bool far_agent_policies_at(const far_agent *agent, int64_t h, double *out) {
  const far_shape *shape = far_agent_shape(agent);
  for (uint32_t s = 0; s < shape->n_states; ++s, out += shape->n_actions) {
    if (!far_agent_policy_at(agent, h, s, out)) return false;
    for (uint32_t a = 0; !far_shape_is_live(shape, s) && a < shape->n_actions; ++a) out[a] = 0;
  }
  return true;
}

far_status far_agent_act_many(far_agent *agent, const uint32_t *states, size_t count,
                              uint32_t *actions, far_error *error) {
  far_status status = FAR_OK;
  for (size_t i = 0; status == FAR_OK && i < count; ++i)
    status = far_agent_try_act(agent, states[i], &actions[i], error);
  return status;
}

far_status far_agent_observe_many(far_agent *agent, const far_transition *steps, size_t count,
                                  size_t *learned, far_error *error) {
  far_status status = FAR_OK;
  size_t i = 0;
  while (i < count && (status = far_agent_observe(agent, &steps[i], error)) == FAR_OK) ++i;
  if (learned != NULL) *learned = i;
  return status;
}
