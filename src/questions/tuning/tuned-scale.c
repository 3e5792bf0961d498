/* The scales of rewards on which agents are tuned: from the random policy's to the best policy's. */
#include <math.h> /* only for NAN */

#include "questions/tuning/tuned-comparison.h"

static far_status scale(far_tune_cell *cell, int64_t steps, const far_solve_def *def,
                        far_error *error) {
  cell->low = cell->high = NAN;
  if (cell->mdp == NULL) return FAR_OK;
  const far_status status = far_solve_random_total(&cell->low, cell->mdp, steps, def, error);
  if (status != FAR_OK) return status;
  return far_solve_best_total(&cell->high, cell->mdp, steps, def, error);
}

far_status far__tune_cells_scale(far_tune_cell *cells, size_t n_cells, int64_t steps,
                                 const far_solve_def *def, far_error *error) {
  far_status status = FAR_OK;
  for (size_t i = 0; status == FAR_OK && i < n_cells; ++i) {
    size_t k = 0; /* the first cell of this model */
    while (cells[k].mdp != cells[i].mdp) ++k;
    cells[i].low = cells[k].low;
    cells[i].high = cells[k].high;
    if (k == i) status = scale(&cells[i], steps, def, error);
  }
  return status;
}
