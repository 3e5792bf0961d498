/* What policies that need no learning earn: the ends of a scale for agents. */
#include <math.h> /* NAN */

#include "farsight/solve.h"

/* Failures of the caller's machine or wish; any other says that there is no such number. */
static bool is_failure(far_status status) {
  return status == FAR_STATUS_MEMORY || status == FAR_STATUS_CANCELLED;
}

far_status far_solve_best_total(double *out, const far_mdp *mdp, int64_t steps,
                                const far_solve_def *def, far_error *error) {
  const far_solve_def standard = far_solve_def_default();
  far_solver *solver;
  far_average best;
  *out = NAN;
  far_status status = far_solver_create(&solver, mdp, error);
  if (status != FAR_OK) return status;
  status = far_solver_average(&best, solver, def != NULL ? def : &standard, error);
  if (status == FAR_OK) {
    *out = best.gain * (double)steps;
    far_average_free(&best);
  }
  far_solver_free(solver);
  return is_failure(status) ? status : FAR_OK;
}

/* The outcomes of all actions of s, as those of one. */
static far_status mix_actions(far_mdp_builder *b, const far_mdp *mdp, uint32_t s,
                              uint32_t n_actions, far_error *error) {
  far_status status = FAR_OK;
  for (uint32_t a = 0; status == FAR_OK && a < n_actions; ++a) {
    size_t count;
    const far_outcome *o = far_mdp_outcomes(mdp, s, a, &count);
    for (size_t i = 0; status == FAR_OK && i < count; ++i)
      status = far_mdp_builder_outcome(b, s, 0, o[i].probability / n_actions, o[i].next,
                                       o[i].reward, error);
  }
  return status;
}

/* The model with one action, which is to take any of all with the same probability. */
static far_status mix(far_mdp **out, const far_mdp *mdp, far_error *error) {
  const far_shape shape = far_mdp_shape(mdp);
  size_t n_starts;
  const far_outcome *starts = far_mdp_starts(mdp, &n_starts);
  far_mdp_builder *b;
  *out = NULL;
  far_status status = far_mdp_builder_create(&b, shape.n_states, 1, error);
  if (status != FAR_OK) return status;
  for (uint32_t s = 0; status == FAR_OK && s < shape.n_states; ++s)
    status = far_mdp_terminal(mdp, s) ? far_mdp_builder_terminal(b, s, error)
                                      : mix_actions(b, mdp, s, shape.n_actions, error);
  for (size_t i = 0; status == FAR_OK && i < n_starts; ++i)
    status = far_mdp_builder_start(b, starts[i].next, starts[i].probability, error);
  if (status == FAR_OK) return far_mdp_builder_finish(out, b, error);
  far_mdp_builder_free(b);
  return status;
}

far_status far_solve_random_total(double *out, const far_mdp *mdp, int64_t steps,
                                  const far_solve_def *def, far_error *error) {
  far_mdp *mixed;
  *out = NAN;
  far_status status = mix(&mixed, mdp, error);
  if (status != FAR_OK) return is_failure(status) ? status : FAR_OK;
  status = far_solve_best_total(out, mixed, steps, def, error);
  far_mdp_free(mixed);
  return status;
}
