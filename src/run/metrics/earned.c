/* earned: after how many steps the total reward stays at or above a fraction of what the best policy
 * earns in the long run. After t steps it is short if the total is below fraction x gain x t, where
 * gain is the best average reward (after a terminal state the run continues from a start). The number is the last
 * t at which it is short: 0 if it never is, and the number of steps if it is short on the last.
 *
 * It needs neither a discount nor a frozen policy, so it judges every agent alike, and counts what
 * happens rather than what would. An agent that earns nothing until it knows the best policy, after
 * T steps, and then follows it has the number T / (1 - fraction), or 2T with a half. */
#include "run/metrics/tallied.h"
#include "base/error.h"

typedef struct FAR__PARAMS earned_params {
  double fraction;
} earned_params;

static const far_param params[] = {
    {.name = "fraction",
     .kind = FAR_PARAM_REAL,
     .fallback = "0.5",
     .min = 0,
     .min_open = true,
     .max = 1,
     .max_open = true,
     .offset = offsetof(earned_params, fraction),
     .help = "of the best average reward"},
};

static far_status best_average(double *out, const far__scene *scene, far_error *error) {
  far_solver *solver;
  far_average best;
  const far_solve_def def = far__scene_solve_def(scene);
  far_status status = far_solver_create(&solver, scene->mdp, error);
  if (status != FAR_OK) return status;
  status = far_solver_average(&best, solver, &def, error);
  far_solver_free(solver);
  if (status != FAR_OK) return status;
  const double gain = best.gain, off = best.error;
  far_average_free(&best);
  /* less the solver's error, and less rounding: what equals the fraction is enough */
  *out = gain - off - 1e-9 * gain;
  if (gain > 100 * off) return FAR_OK;
  return far__fail(error, FAR_STATUS_CONFLICT, -1,
                   "the best average reward is %g, of which there is no fraction to earn", gain);
}

/* The level of the tally is the reward a step. */
static far_status create(void **out, const far__scene *scene, far_error *error) {
  const earned_params *p = scene->params;
  double best;
  const far_status status = best_average(&best, scene, error);
  if (status != FAR_OK) return status;
  const far_tally tally = {.kind = FAR__TALLY_EARNED, .level = best * p->fraction};
  return far__tallied_create(out, scene, tally, error);
}

const far__metric_type far__metric_earned = {
    .range = FAR__STEPS,
    .info = {.name = "earned",
             .summary =
                 "Steps after which the reward so far stays above a fraction of the best average",
             .reference = "none: the total reward against the best policy's",
             .params = params,
             .n_params = sizeof params / sizeof *params,
             .event = "earned enough"},
    .create = create,
    FAR__TALLIED,
};
