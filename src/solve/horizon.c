/* Finite horizons: backward induction. */
#include <stdlib.h>

#include "base/error.h"
#include "base/text.h"
#include "solve/evaluate.h"
#include "solve/sweep.h"

static far_status allocate(far_horizon *out, far_error *error) {
  const size_t n = out->n_states;
  const uint64_t times = (uint64_t)out->horizon + 1; /* may exceed size_t */
  if (times <= SIZE_MAX / 16 / n) {
    out->v = calloc((size_t)times * n, sizeof *out->v);
    out->policy = calloc((size_t)(times - 1) * n, sizeof *out->policy);
  }
  if (out->v != NULL && out->policy != NULL) return FAR_OK;
  far_horizon_free(out);
  return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for %zu states at %llu times", n,
                   (unsigned long long)times);
}

/* As in iteration.h: each backup has an error of at most (2n + 16) u times the greatest value (n + A
 * where the actions of a policy are mixed), and passes on the error of its input, discounted. */
static double rounding(const far__sliced *rows, uint32_t mixed, int64_t horizon, double gamma) {
  const double steps = (double)horizon, limit = gamma < 1 ? 1 / (1 - gamma) : steps;
  const double most = limit < steps ? limit : steps;
  return (2 * ((double)rows->longest + mixed) + 16) * 0x1p-53 * rows->most_reward * most * most;
}

static far_status begin(far_horizon *out, const far_solver *solver, int64_t horizon, double gamma,
                        far_error *error) {
  const far__sliced *rows = &solver->rows;
  *out = (far_horizon){
      .n_states = rows->n_states, .n_actions = rows->n_actions, .horizon = horizon, .gamma = gamma};
  if (horizon < 1) return far__fail(error, FAR_STATUS_RANGE, -1, "a horizon must be at least 1");
  if (!(gamma >= 0 && gamma <= 1))
    return far__fail(error, FAR_STATUS_RANGE, -1, "gamma %s must be in [0, 1]",
                     far__shortest(gamma).text);
  return allocate(out, error);
}

far_status far_solver_horizon(far_horizon *out, const far_solver *solver, int64_t horizon,
                              double gamma, far_error *error) {
  const far_status status = begin(out, solver, horizon, gamma, error);
  if (status != FAR_OK) return status;
  for (size_t t = (size_t)horizon; t-- > 0;)
    far__sweep_greedy(&solver->rows, NULL, gamma, out->v + (t + 1) * out->n_states,
                      out->v + t * out->n_states, out->policy + t * out->n_states);
  out->error = rounding(&solver->rows, 0, horizon, gamma);
  return FAR_OK;
}

/* ---- a given policy ---- */

static far_status evaluate(far_horizon *x, const far_solver *solver, const far_policy *policy,
                           double *q, far_error *error) {
  const size_t n = x->n_states;
  for (size_t t = (size_t)x->horizon; t-- > 0;) {
    const uint32_t *action = policy->action;
    const double *p = policy->probability;
    const far_policy here = {.action = action != NULL ? action + t * n : NULL,
                             .probability = p != NULL ? p + t * n * x->n_actions : NULL};
    const far_status status = far__policy_check(solver->mdp, &here, error);
    if (status != FAR_OK) return status;
    double *v = x->v + t * n;
    far__sweep_pairs(&solver->rows, NULL, x->gamma, v + n, v, x->policy + t * n, q);
    far__policy_mix(solver->mdp, &here, q, v);
  }
  return FAR_OK;
}

far_status far_solver_horizon_evaluate(far_horizon *out, const far_solver *solver, int64_t horizon,
                                       double gamma, const far_policy *policy, far_error *error) {
  far_status status = begin(out, solver, horizon, gamma, error);
  if (status != FAR_OK) return status;
  double *q = calloc((size_t)out->n_states * out->n_actions, sizeof *q);
  status = q != NULL ? evaluate(out, solver, policy, q, error)
                     : far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for values");
  free(q);
  out->error = rounding(&solver->rows, out->n_actions, horizon, gamma);
  if (status != FAR_OK) far_horizon_free(out);
  return status;
}

far_status far_horizon_pairs(double *q, const far_horizon *x, const far_solver *solver, int64_t t,
                             far_error *error) {
  const size_t n = x->n_states;
  if (t < 0 || t >= x->horizon)
    return far__fail(error, FAR_STATUS_RANGE, -1, "step %lld is outside 0 ... %lld", (long long)t,
                     (long long)x->horizon - 1);
  double *w = calloc(n, sizeof *w);
  uint32_t *policy = calloc(n, sizeof *policy);
  const bool ready = w != NULL && policy != NULL;
  if (ready)
    far__sweep_pairs(&solver->rows, NULL, x->gamma, x->v + ((size_t)t + 1) * n, w, policy, q);
  for (uint32_t s = 0; ready && s < n; ++s)
    for (uint32_t a = 0; far_mdp_terminal(solver->mdp, s) && a < x->n_actions; ++a)
      q[(size_t)s * x->n_actions + a] = 0;
  free(w);
  free(policy);
  return ready ? FAR_OK : far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for values");
}

void far_horizon_free(far_horizon *horizon) {
  free(horizon->v);
  free(horizon->policy);
  *horizon = (far_horizon){0};
}
