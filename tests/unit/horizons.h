/* Agents that plan for a horizon are tried with one. */
#ifndef FARSIGHT_TESTS_HORIZONS_H
#define FARSIGHT_TESTS_HORIZONS_H

#include <farsight/farsight.h>
#include <stdio.h>

enum { TEST_HORIZON = 6 };

static inline bool needs_horizon(const char *agent) {
  const far_type_info *type = far_spec_type(far_agent_type, agent);
  return type != NULL && type->finite_horizon;
}

static inline far_shape shape_for(const char *agent, far_shape shape) {
  if (needs_horizon(agent)) shape.horizon = TEST_HORIZON;
  return shape;
}

/* The environment with a horizon, if the agent needs one; `env` has parameters. */
static inline const char *env_for(char out[256], const char *agent, const char *env) {
  if (!needs_horizon(agent)) return env;
  snprintf(out, 256, "%s,horizon=%d", env, TEST_HORIZON);
  return out;
}

#endif
