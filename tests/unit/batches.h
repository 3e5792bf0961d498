/* Batches that must succeed, and are compared. */
#ifndef FARSIGHT_TESTS_BATCHES_H
#define FARSIGHT_TESTS_BATCHES_H

#include <farsight/farsight.h>

#include "check.h"

static inline far_batch *run(const far_batch_def *def) {
  far_batch *batch = NULL;
  far_error error;
  const far_status status = far_batch_run(&batch, def, &error);
  CHECK(status == FAR_OK);
  if (status != FAR_OK) printf("  %s\n", error.message);
  return batch;
}

/* The totals of cell i and those at its checkpoints, to the last bit. */
static inline bool same_cell(const far_batch *x, const far_batch *y, size_t i, size_t points) {
  const far_result *a = far_batch_result(x, i), *b = far_batch_result(y, i);
  bool same = a->runs == b->runs && strcmp(a->hash, b->hash) == 0;
  for (size_t k = 0; same && k < points; ++k)
    same = memcmp(far_batch_point(x, i, k)->totals, far_batch_point(y, i, k)->totals,
                  (size_t)a->runs * sizeof(double)) == 0;
  return same;
}

/* Of one thread, of other replicates than the first. */
static inline far_batch_def batch_of(const far_cell *cells, size_t n, int64_t runs) {
  far_batch_def def = far_batch_def_default();
  def.cells = cells;
  def.n_cells = n;
  def.runs = runs;
  def.seed = 11;
  def.first_replicate = 3;
  def.threads = 1;
  return def;
}

#endif
