/* Backward induction. */
#include <stdlib.h>

#include "base/error.h"
#include "base/text.h"
#include "solve/sweep.h"

static far_status allocate(far_horizon *out, far_error *error) {
  const size_t n = out->n_states, steps = (size_t)out->horizon;
  if (steps < SIZE_MAX / 16 / n) {
    out->v = calloc((steps + 1) * n, sizeof *out->v);
    out->policy = calloc(steps * n, sizeof *out->policy);
  }
  if (out->v != NULL && out->policy != NULL) return FAR_OK;
  far_horizon_free(out);
  return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for %zu states at %zu times", n,
                   steps + 1);
}

/* As in iteration.h: each of the backups is wrong by at most (2n + 16) u times the greatest value,
 * and passes on what it was given, discounted. */
static double rounding(const far__sliced *rows, int64_t horizon, double gamma) {
  const double steps = (double)horizon, limit = gamma < 1 ? 1 / (1 - gamma) : steps;
  const double most = limit < steps ? limit : steps;
  return (2 * (double)rows->longest + 16) * 0x1p-53 * rows->most_reward * most * most;
}

far_status far_solver_horizon(far_horizon *out, const far_solver *solver, int64_t horizon,
                              double gamma, far_error *error) {
  const far__sliced *rows = &solver->rows;
  *out = (far_horizon){
      .n_states = rows->n_states, .n_actions = rows->n_actions, .horizon = horizon, .gamma = gamma};
  if (horizon < 1) return far__fail(error, FAR_STATUS_RANGE, -1, "a horizon must be at least 1");
  if (!(gamma >= 0 && gamma <= 1))
    return far__fail(error, FAR_STATUS_RANGE, -1, "gamma %s must be in [0, 1]",
                     far__shortest(gamma).text);
  const far_status status = allocate(out, error);
  if (status != FAR_OK) return status;
  for (size_t t = (size_t)horizon; t-- > 0;)
    far__sweep_greedy(rows, gamma, out->v + (t + 1) * out->n_states, out->v + t * out->n_states,
                      out->policy + t * out->n_states);
  out->error = rounding(rows, horizon, gamma);
  return FAR_OK;
}

void far_horizon_free(far_horizon *horizon) {
  free(horizon->v);
  free(horizon->policy);
  *horizon = (far_horizon){0};
}
