/* What is asked of the results of a study: times, and what the best policy would earn. */
#include "questions/results/results.h"

#include <math.h>

#include "farsight/solve.h"

const far_times *far__times_at(const far_results *r, size_t i, size_t k) {
  return &r->times[i * r->def.n_metrics + k];
}

const char *far__standard_problem(size_t index) {
  static const char *const specs[] = {"chain:n=10", "chain:n=50", "riverswim", "sixarms",
                                      "loop",       "deepsea",    "bridge",    "frozen-lake"};
  return index < sizeof specs / sizeof *specs ? specs[index] : NULL;
}

/* What the best policy is expected to earn in a run; NAN where that is not known. */
static far_status best_of(double *out, const far_cell *cell, const far_solve_def *how,
                          far_error *error) {
  if (cell->episodes == 0) return far_solve_best_total(out, cell->mdp, cell->steps, how, error);
  const far_status status = far_solve_best_return(out, cell->mdp, error);
  *out *= (double)cell->episodes;
  return status;
}

far_status far__results_best(double *out, const far_results *r, const far_solve_def *how,
                             far_error *error) {
  far_status status = FAR_OK;
  for (size_t i = 0; i < r->info.n_envs; ++i) {
    const far_cell *cell = &r->def.cells[i * r->info.n_agents];
    out[i] = NAN;
    if (status != FAR_OK) continue;
    if (cell->mdp != NULL) status = best_of(&out[i], cell, how, error);
    if (status == FAR_STATUS_MEMORY) return status;
  }
  return FAR_OK;
}
