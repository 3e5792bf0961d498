#include "run/metrics/episode-value.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#define SLACK 1e-9 /* relative to the most that an episode earns */

static far_status allocate(far__episode_value *x, far_error *error) {
  const far_shape shape = far_mdp_shape(x->mdp);
  x->n_timed = (size_t)shape.n_states *
               (size_t)shape.horizon; /* no overflow: the solver allocated as many */
  x->policy = calloc(x->n_timed, shape.n_actions * sizeof *x->policy);
  x->row = calloc(shape.n_actions, sizeof *x->row);
  x->v = calloc(x->n_timed + shape.n_states, sizeof *x->v);
  if (x->policy != NULL && x->row != NULL && x->v != NULL) return FAR_OK;
  return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a policy of %zu states and steps",
                   x->n_timed);
}

far_status far__episode_value_create(far__episode_value *x, const far__scene *scene,
                                     far_error *error) {
  *x = (far__episode_value){.mdp = scene->mdp};
  const int64_t horizon = far_mdp_horizon(scene->mdp);
  if (horizon == 0)
    return far__fail(error, FAR_STATUS_CONFLICT, -1,
                     "it is about episodes of so many steps, and the environment has no horizon: "
                     "give it one, as in chain:n=5,horizon=20");
  far_solver *solver;
  far_status status = far_solver_create(&solver, scene->mdp, error);
  if (status != FAR_OK) return status;
  status = far_solver_horizon(&x->best, solver, horizon, 1, error);
  far_solver_free(solver);
  if (status == FAR_OK) status = allocate(x, error);
  if (status != FAR_OK) return status;
  const far_shape shape = far_mdp_shape(x->mdp);
  uint32_t s = 0;
  while (!far_shape_is_live(&shape, s)) ++s;
  if (far_agent_policy_at(scene->agent, 0, s, x->row)) return FAR_OK;
  return far__fail(error, FAR_STATUS_CONFLICT, -1, "the agent's policy has no closed form");
}

void far__episode_value_free(far__episode_value *x) {
  far_horizon_free(&x->best);
  free(x->v);
  free(x->policy);
  free(x->row);
  *x = (far__episode_value){0};
}

/* Reads the policy into x->policy; true if it has changed. */
static bool read_policy(far__episode_value *x, const far_agent *agent) {
  const far_shape shape = far_mdp_shape(x->mdp);
  const size_t n = shape.n_actions;
  bool changed = !x->known;
  for (size_t i = 0; i < x->n_timed; ++i) {
    const uint32_t s = (uint32_t)(i % shape.n_states);
    double *to = x->policy + i * n;
    if (far_shape_is_live(&shape, s)) {
      if (!far_agent_policy_at(agent, (int64_t)(i / shape.n_states), s, x->row)) continue;
    } else { /* never visited: any action */
      memset(x->row, 0, n * sizeof *x->row);
      x->row[0] = 1;
    }
    changed |= memcmp(to, x->row, n * sizeof *to) != 0;
    memcpy(to, x->row, n * sizeof *to);
  }
  return changed;
}

/* The value of action a in s; `next` has the values of the next step. */
static double backup(const far_mdp *mdp, uint32_t s, uint32_t a, const double *next) {
  size_t count;
  const far_outcome *o = far_mdp_outcomes(mdp, s, a, &count);
  double sum = 0;
  for (size_t k = 0; k < count; ++k)
    sum += o[k].probability * (o[k].reward + (o[k].done ? 0 : next[o[k].next]));
  return sum;
}

void far__episode_value_look(far__episode_value *x, const far_agent *agent) {
  const far_shape shape = far_mdp_shape(x->mdp);
  if (!read_policy(x, agent)) return;
  for (size_t i = x->n_timed; i-- > 0;) {
    const uint32_t s = (uint32_t)(i % shape.n_states);
    const double *p = x->policy + i * shape.n_actions, *next = x->v + i - s + shape.n_states;
    x->v[i] = 0;
    for (uint32_t a = 0; far_shape_is_live(&shape, s) && a < shape.n_actions; ++a)
      if (p[a] > 0) x->v[i] += p[a] * backup(x->mdp, s, a, next);
  }
  x->known = true;
}

double far__episode_loss(const far__episode_value *x, uint32_t s) {
  return fmax(0, x->best.v[s] - x->v[s]);
}

double far__episode_start_loss(const far__episode_value *x) {
  size_t count;
  const far_outcome *o = far_mdp_starts(x->mdp, &count);
  double sum = 0;
  for (size_t k = 0; k < count; ++k) sum += o[k].probability * far__episode_loss(x, o[k].next);
  return sum;
}

double far__episode_slack(const far__episode_value *x) {
  const far_shape shape = far_mdp_shape(x->mdp);
  return SLACK * (double)shape.horizon * fmax(fabs(shape.reward_min), fabs(shape.reward_max));
}
