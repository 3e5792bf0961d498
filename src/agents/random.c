/* The uniform policy: every action with the same probability in every state, one draw a choice. A baseline below those that
 * learn. It has no parameters and no state. */
#include "agents/params.h"

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  (void)spec, (void)shape, (void)error;
  return FAR_OK;
}

static size_t state_size(const far_shape *shape, const void *params) {
  (void)shape, (void)params;
  return 0;
}

static void init(far_agent *agent) {
  (void)agent;
}

static uint32_t act(far_agent *agent, uint32_t s) {
  (void)s;
  return far_rng_below(&agent->rng, agent->shape.n_actions);
}

static void observe(far_agent *agent, const far_transition *step) {
  (void)agent, (void)step;
}

static bool value(const far_agent *agent, far_value kind, size_t pair, double *out) {
  (void)agent, (void)kind, (void)pair, (void)out;
  return false;
}

static bool policy(const far_agent *agent, uint32_t s, double *out) {
  (void)s;
  for (uint32_t a = 0; a < agent->shape.n_actions; ++a) out[a] = 1.0 / agent->shape.n_actions;
  return true;
}

static bool valid(const far_agent *agent) {
  (void)agent;
  return true;
}

const far__agent_type far__random = {
    .info = {.name = "random",
             .summary = "Random policy: every action equally likely (baseline)",
             .reference = "none: the uniform policy",
             .guarantee = "none: it does not learn",
             .baseline = true},
    .resolve = resolve,
    .advise = far__advise_nothing,
    .state_size = state_size,
    .init = init,
    .act = act,
    .observe = observe,
    .value = value,
    .policy = policy,
    .local = far__always_local,
    .valid = valid,
};
