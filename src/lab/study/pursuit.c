#include "lab/study/pursuit.h"

#include <stdlib.h>

#include "base/error.h"
#include "run/blocks.h"

far_status far__pursuit_begin(far__pursuit *p, const far_batch_def *def, far_store *store,
                              far_error *error) {
  *p = (far__pursuit){.def = *def, .store = store};
  p->cells = malloc((def->n_cells + 1) * sizeof *p->cells);
  p->known = malloc((def->n_cells + 1) * sizeof *p->known);
  p->computed = calloc(def->n_cells + 1, sizeof *p->computed);
  if (p->cells == NULL || p->known == NULL || p->computed == NULL)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the cells");
  for (size_t i = 0; i < def->n_cells; ++i) p->cells[i] = def->cells[i];
  p->def.cells = p->cells;
  p->def.done = p->known;
  return FAR_OK;
}

static far_status run_batch(far_batch **out, far__pursuit *p, far_error *error) {
  p->def.n_done = 0;
  if (p->store != NULL) return far_store_run(out, p->store, &p->def, error);
  for (size_t i = 0; p->batch != NULL && i < p->def.n_cells; ++i)
    p->known[p->def.n_done++] = far__batch_block(p->batch, i);
  return far_batch_run(out, &p->def, error);
}

far_status far__pursuit_run(far__pursuit *p, far_error *error) {
  far_batch *batch = NULL;
  const far_status status = run_batch(&batch, p, error);
  far_batch_free(p->batch);
  p->batch = batch;
  for (size_t i = 0; batch != NULL && i < p->def.n_cells; ++i) {
    const far_result *r = far_batch_result(batch, i);
    p->computed[i] += r->runs - r->known;
  }
  return status;
}

far_status far__pursuit_end(far_batch **out, far__pursuit *p, far_status status) {
  if (status == FAR_OK || status == FAR_STATUS_CANCELLED)
    *out = p->batch;
  else
    far_batch_free(p->batch);
  free(p->computed);
  free(p->cells);
  free(p->known);
  return status;
}
