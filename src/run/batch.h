/* The batch, as the scheduler and the results share it. */
#ifndef FAR_RUN_BATCH_H
#define FAR_RUN_BATCH_H

#include "farsight/run.h"

typedef struct far__batch_cell {
  far_cell cell; /* with a spec: its own unless it was given one */
  far_spec *own;
  far_result result;
  far_result *metrics; /* as many as the batch has */
  far_point *points;   /* n_points of the rewards, then of each metric; those without stay 0 */
  size_t n_points;     /* the cell's checkpoints */
  char *spec;          /* canonical */
  size_t width;        /* columns of `values` */
  int64_t runs;        /* rows */
  size_t lanes;        /* runs that a worker computes side by side */
  double *values;      /* column by column; the first is NAN until the run is known */
  int64_t known;       /* runs */
  int64_t fresh;       /* of these, computed in this batch, in so many ... */
  double seconds;      /* ... of processor time */
  double before;       /* what the others took when they were computed */
  int64_t *finished;   /* the runs that are, after a stop; NULL: all are */
} far__batch_cell;

struct far_batch {
  size_t n_cells, n_metrics;
  uint8_t *bytes; /* room for the totals of any cell, to be hashed */
  far__batch_cell cells[];
};

/* The length of a run, in the unit of its checkpoints. */
static inline int64_t far__cell_length(const far_cell *cell) {
  return cell->episodes > 0 ? cell->episodes : cell->steps;
}

/* Does the batch have these runs? */
bool far__block_fits(const far_batch_def *def, const far_block *block);

/* Takes in what a block says; how many of its runs were not known before. CONFLICT if it says
 * something else of a run that is. */
far_status far__batch_absorb(far_batch *batch, const far_batch_def *def, const far_block *block,
                             int64_t *fresh, far_error *error);

/* Computes all runs that are not known, with the definition's pool. CANCELLED if it was stopped. */
far_status far__schedule(far_batch *batch, const far_batch_def *def, far_error *error);

#endif
