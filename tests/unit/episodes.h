/* Agents of finite horizon on problems whose answer is known: trained, and their policy and values compared
 * with the exact ones. */
#ifndef FARSIGHT_TESTS_EPISODES_H
#define FARSIGHT_TESTS_EPISODES_H

#include <farsight/farsight.h>
#include <stdlib.h>

#include "check.h"

static inline far_agent *train(const far_mdp *mdp, const char *spec, int64_t steps) {
  far_agent *agent;
  far_rng rng[2];
  CHECK(far_agent_create_on(&agent, spec, mdp, steps, 1, 0, NULL) == FAR_OK);
  far_rng_init(&rng[0], 1, 0, FAR_PURPOSE_TRANSITION);
  far_rng_init(&rng[1], 1, 0, FAR_PURPOSE_START);
  for (uint32_t s = far_mdp_start(mdp, &rng[1]); steps-- > 0;) {
    const uint32_t a = far_agent_act(agent, s);
    const far_outcome *o = far_mdp_step(mdp, s, a, &rng[0]);
    far_transition step = {.s = s, .a = a, .r = o->reward, .next = o->next, .done = o->done};
    CHECK(far_agent_observe(agent, &step, NULL) == FAR_OK);
    s = far_agent_episode_step(agent) == 0 ? far_mdp_start(mdp, &rng[1]) : o->next;
  }
  return agent;
}

/* The value of its policy at the start, as a share of the best. */
static inline double share(const far_mdp *mdp, const far_agent *agent) {
  const far_shape shape = far_mdp_shape(mdp);
  const size_t row = (size_t)shape.n_states * shape.n_actions;
  double *p = calloc(row * (size_t)shape.horizon, sizeof *p);
  far_solver *solver;
  far_horizon best, own;
  for (int64_t h = 0; h < shape.horizon; ++h)
    for (uint32_t s = 0; s < shape.n_states; ++s)
      CHECK(far_agent_policy_at(agent, h, s, p + (size_t)h * row + s * shape.n_actions));
  CHECK(far_solver_create(&solver, mdp, NULL) == FAR_OK);
  CHECK(far_solver_horizon(&best, solver, shape.horizon, 1, NULL) == FAR_OK);
  CHECK(far_solver_horizon_evaluate(&own, solver, shape.horizon, 1, &(far_policy){.probability = p},
                                    NULL) == FAR_OK);
  size_t count;
  const uint32_t s = far_mdp_starts(mdp, &count)[0].next;
  const double x = own.v[s] / best.v[s];
  far_horizon_free(&best);
  far_horizon_free(&own);
  far_solver_free(solver);
  free(p);
  return x;
}

/* A policy that depends on the step and is near the best, in some thousands of episodes. */
static inline void learns(const char *env, const char *spec, int64_t steps, double least) {
  far_mdp *mdp;
  CHECK(far_mdp_create(&mdp, env, NULL) == FAR_OK);
  far_agent *agent = train(mdp, spec, steps);
  const double x = share(mdp, agent);
  CHECK(x >= least && x <= 1 + 1e-12);
  if (!(x >= least)) printf("  %s on %s: %.3f\n", spec, env, x);
  far_agent_free(agent);
  far_mdp_free(mdp);
}

/* Q >= Q* at every pair and step, as its theory promises; and with bonuses that are far too small not. */
static inline bool optimistic(const char *env, const char *spec, int64_t steps) {
  far_mdp *mdp;
  far_solver *solver;
  far_horizon best;
  double q[64], x;
  bool good = true;
  CHECK(far_mdp_create(&mdp, env, NULL) == FAR_OK);
  const far_shape shape = far_mdp_shape(mdp);
  far_agent *agent = train(mdp, spec, steps);
  CHECK(far_solver_create(&solver, mdp, NULL) == FAR_OK);
  CHECK(far_solver_horizon(&best, solver, shape.horizon, 1, NULL) == FAR_OK);
  for (int64_t h = 0; h < shape.horizon; ++h) {
    CHECK(far_horizon_pairs(q, &best, solver, h, NULL) == FAR_OK);
    for (uint32_t i = 0; i < shape.n_states * shape.n_actions; ++i) {
      CHECK(
          far_agent_value_at(agent, FAR_VALUE_Q, h, i / shape.n_actions, i % shape.n_actions, &x));
      good &= x >= q[i] - 1e-9;
    }
  }
  far_horizon_free(&best);
  far_solver_free(solver);
  far_agent_free(agent);
  far_mdp_free(mdp);
  return good;
}

#endif
