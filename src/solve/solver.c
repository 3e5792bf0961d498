#include <stdlib.h>

#include "base/error.h"
#include "solve/sliced.h"

far_status far_solver_create(far_solver **out, const far_mdp *mdp, far_error *error) {
  far_solver *solver = calloc(1, sizeof *solver);
  *out = NULL;
  if (solver == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a solver");
  solver->mdp = mdp;
  const far_status status = far__sliced_create(&solver->rows, mdp, NULL, error);
  if (status != FAR_OK) {
    free(solver);
    return status;
  }
  *out = solver;
  return FAR_OK;
}

void far_solver_free(far_solver *solver) {
  if (solver == NULL) return;
  far__sliced_free(&solver->rows);
  free(solver);
}

size_t far_solver_bytes(const far_solver *solver) {
  const far__sliced *r = &solver->rows;
  const size_t live = r->n_states - r->n_terminal, rows = live * r->n_actions;
  return sizeof *solver + rows * (sizeof *r->reward + sizeof *r->length) +
         r->n_states * sizeof *r->state +
         r->n_outcomes * (sizeof *r->next + sizeof *r->probability);
}
