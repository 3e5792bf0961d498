#include "policies.h"

#include <math.h>

#include "cli.h"
#include "memory.h"

/* Where a batch was interrupted, what takes longer is left out. */
static bool goes_on(void *user, int64_t sweeps, double error) {
  (void)user, (void)sweeps, (void)error;
  return !out_of_time();
}

double best_total(const far_mdp *mdp, int64_t steps) {
  far_solver *solver = NULL;
  far_average best = {0};
  far_solve_def def = far_solve_def_default();
  def.progress = goes_on;
  double out = NAN;
  if (need_memory(far_solver_create(&solver, mdp, NULL)) == FAR_OK &&
      need_memory(far_solver_average(&best, solver, &def, NULL)) == FAR_OK) {
    out = best.gain * (double)steps;
    far_average_free(&best);
  }
  far_solver_free(solver);
  return out;
}

/* The outcomes of all actions of s, as those of one. */
static far_status mix_actions(far_mdp_builder *b, const far_mdp *mdp, uint32_t s,
                              uint32_t n_actions) {
  far_status status = FAR_OK;
  for (uint32_t a = 0; status == FAR_OK && a < n_actions; ++a) {
    size_t count;
    const far_outcome *o = far_mdp_outcomes(mdp, s, a, &count);
    for (size_t i = 0; status == FAR_OK && i < count; ++i)
      status = far_mdp_builder_outcome(b, s, 0, o[i].probability / n_actions, o[i].next,
                                       o[i].reward, NULL);
  }
  return status;
}

/* The model with one action, which is to take any of all. */
static far_status mix(far_mdp **out, const far_mdp *mdp) {
  const far_shape shape = far_mdp_shape(mdp);
  size_t n_starts;
  const far_outcome *starts = far_mdp_starts(mdp, &n_starts);
  far_mdp_builder *b;
  *out = NULL;
  far_status status = far_mdp_builder_create(&b, shape.n_states, 1, NULL);
  if (status != FAR_OK) return status;
  for (uint32_t s = 0; status == FAR_OK && s < shape.n_states; ++s)
    status = far_mdp_terminal(mdp, s) ? far_mdp_builder_terminal(b, s, NULL)
                                      : mix_actions(b, mdp, s, shape.n_actions);
  for (size_t i = 0; status == FAR_OK && i < n_starts; ++i)
    status = far_mdp_builder_start(b, starts[i].next, starts[i].probability, NULL);
  if (status == FAR_OK) return far_mdp_builder_finish(out, b, NULL);
  far_mdp_builder_free(b);
  return status;
}

double random_total(const far_mdp *mdp, int64_t steps) {
  far_mdp *mixed;
  if (need_memory(mix(&mixed, mdp)) != FAR_OK) return NAN;
  const double out = best_total(mixed, steps);
  far_mdp_free(mixed);
  return out;
}
