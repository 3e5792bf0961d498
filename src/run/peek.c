#include "run/peek.h"

#include <math.h> /* only for INFINITY */
#include <stdlib.h>

#include "agents/agent.h"
#include "base/error.h"
#include "farsight/run.h"
#include "farsight/solve.h"
#include "model/known.h"

/* In units of the range of rewards (of values, where they are discounted): the policy is at most about
 * twice as far from the optimum. Relative, so that the unit of the rewards does not matter. */
static const double TOLERANCE = 1e-6;

typedef struct effort {
  far__stop *stop;
  /* stop after one sweep: only whether the model can be solved is of interest. Methods without sweeps have no error
   * before the end, and solve it */
  bool try;
} effort;

static bool may_continue(void *user, int64_t sweeps, double error) {
  const effort *p = user;
  (void)sweeps;
  return !(p->try && error < INFINITY) && !far__stopped(p->stop);
}

/* The optimal action of every state, or with a horizon of every timed state (malloc, the caller's). */
static far_status best_actions(uint32_t **out, const far_mdp *mdp, double gamma, effort *p,
                               far_error *error) {
  const far_shape shape = far_mdp_shape(mdp);
  far_solver *solver = NULL;
  far_solve_def def = far_solve_def_default();
  def.method =
      FAR_METHOD_VALUE; /* not to be changed: stored results depend on its policy among ties */
  def.progress = may_continue;
  def.user = p;
  def.tolerance = TOLERANCE * (shape.reward_max - shape.reward_min);
  far_status status = far_solver_create(&solver, mdp, error);
  if (status == FAR_OK && shape.horizon > 0) {
    far_horizon best = {0};
    status = far_solver_horizon(&best, solver, shape.horizon, gamma, error);
    *out = best.policy;
    best.policy = NULL;
    far_horizon_free(&best);
  } else if (status == FAR_OK && gamma == 1) {
    far_average best = {0};
    far_error why = {FAR_OK, -1, ""};
    status = far_solver_average(&best, solver, &def, &why);
    *out = best.policy;
    best.policy = NULL;
    far_average_free(&best);
    if (status == FAR_STATUS_CONFLICT)
      status = far__fail(error, status, -1, "%.300s: criterion=discounted", why.message);
    else if (status != FAR_OK)
      status = far__fail(error, status, -1, "%s", why.message);
  } else if (status == FAR_OK) {
    def.gamma = gamma;
    def.tolerance /= 1 - gamma;
    far_solution best = {0};
    status = far_solver_discounted(&best, solver, &def, error);
    *out = best.policy;
    best.policy = NULL;
    far_solution_free(&best);
  }
  far_solver_free(solver);
  return status;
}

/* Gives an agent that peeks the optimal policy that it needs. */
static far_status give_policy(far_agent *agent, const far_mdp *mdp, effort *p, far_error *error) {
  const far__agent_type *type = far__agent_type_of(agent);
  uint32_t *action = NULL;
  if (!type->info.peeks) return FAR_OK;
  if (mdp == NULL)
    return far__fail(error, FAR_STATUS_CONFLICT, -1,
                     "%s peeks at the model, and a simulator has none", type->info.name);
  const far__known_key key = {FAR__KNOWN_ACTIONS, type->peek_discount(agent)};
  const uint32_t *known = p->try ? NULL : far__known_get(mdp, key);
  if (known != NULL) {
    type->set_policy(agent, known);
    return FAR_OK;
  }
  const far_status status = best_actions(&action, mdp, key.gamma, p, error);
  if (status == FAR_OK) type->set_policy(agent, action);
  if (!p->try) {
    far__known_set(mdp, key, action);
    return status;
  }
  free(action);
  return status == FAR_STATUS_CANCELLED ? FAR_OK : status;
}

static far_status create(far_agent **out, const far_cell *cell, effort p, far_error *error) {
  far_status status = FAR_OK;
  if (cell->spec != NULL) {
    status = far__agent_from(out, cell->spec, error);
  } else {
    const far_shape shape = far_cell_shape(cell);
    status = far__agent_create(out, cell->agent, &shape, 0, 0, error);
  }
  if (status != FAR_OK) return status;
  status = give_policy(*out, cell->mdp, &p, error);
  if (status == FAR_OK) return FAR_OK;
  far_agent_free(*out);
  *out = NULL;
  return status;
}

far_status far__agent_create_on(far_agent **out, const far_cell *cell, far__stop *stop,
                                far_error *error) {
  return create(out, cell, (effort){stop, false}, error);
}

far_status far__agent_try_on(far_agent **out, const far_cell *cell, far_error *error) {
  return create(out, cell, (effort){NULL, true}, error);
}

far_status far_agent_create_on(far_agent **out, const char *spec, const far_mdp *mdp, int64_t steps,
                               uint64_t seed, uint64_t replicate, far_error *error) {
  const far_cell cell = {.mdp = mdp, .agent = spec, .steps = steps};
  const far_status status = far__agent_create_on(out, &cell, NULL, error);
  if (status == FAR_OK) far_agent_reset(*out, seed, replicate);
  return status;
}

far_status far_agent_from(far_agent **out, const far_spec *spec, const far_mdp *mdp, uint64_t seed,
                          uint64_t replicate, far_error *error) {
  const far_cell cell = {.mdp = mdp, .spec = spec};
  const far_status status = far__agent_create_on(out, &cell, NULL, error);
  if (status == FAR_OK) far_agent_reset(*out, seed, replicate);
  return status;
}
