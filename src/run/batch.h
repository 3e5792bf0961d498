/* The batch, as its scheduler and its results see it. */
#ifndef FAR_RUN_BATCH_H
#define FAR_RUN_BATCH_H

#include "farsight/run.h"

typedef struct far__batch_cell {
  far_cell cell; /* as given, with a spec */
  far_spec *own; /* the spec, unless it was given */
  far_result result;
  far_result *metrics; /* one for each metric of the batch */
  far_point *points;   /* n_points of the rewards, then of each metric (0: it has no curve) */
  size_t n_points;     /* the cell's checkpoints */
  char *spec;          /* canonical */
  size_t width;        /* columns of `values` */
  int64_t runs;        /* rows */
  size_t lanes;        /* runs that a worker computes side by side */
  double *values;      /* column by column; the first is NAN until the run is known */
  int64_t known;       /* runs whose values are known */
  int64_t fresh;       /* of these, runs computed in this batch ... */
  double seconds;      /* ... and the processor time that they took */
  double before;       /* processor time of the other known runs, when they were computed */
  int64_t *finished;   /* the finished runs, after a stop; NULL: all are */
} far__batch_cell;

struct far_batch {
  size_t n_cells, n_metrics;
  uint8_t *bytes; /* scratch: the totals of any cell, to be hashed */
  far__batch_cell cells[];
};

/* The length of a run, in the unit of its checkpoints. */
static inline int64_t far__cell_length(const far_cell *cell) {
  return cell->episodes > 0 ? cell->episodes : cell->steps;
}

/* Does the batch have the runs of this block? */
bool far__block_fits(const far_batch_def *def, const far_block *block);

/* Adds the values of a block; *fresh: how many of its runs were not known before. CONFLICT if it has other
 * values for a known run. */
far_status far__batch_absorb(far_batch *batch, const far_batch_def *def, const far_block *block,
                             int64_t *fresh, far_error *error);

/* Computes all runs that are not known, with the definition's pool. CANCELLED if it was stopped. */
far_status far__schedule(far_batch *batch, const far_batch_def *def, far_error *error);

#endif
