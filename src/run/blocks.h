/* The parts of a batch, for what stores or distributes them. */
#ifndef FAR_RUN_BLOCKS_H
#define FAR_RUN_BLOCKS_H

#include "base/export.h"
#include "farsight/run.h"

/* A snapshot whose arrays are zeros: visits, and those requested. MEMORY. */
FAR_LAB far_status far__snapshot_create(far_snapshot *out, uint32_t n_states, uint32_t n_actions,
                                        bool q, bool bonus, bool policy, far_error *error);

/* The replicates of a cell, its own or the batch's. */
FAR_LAB int64_t far__batch_runs(const far_batch_def *def, size_t cell);

/* The numbers of one run: 1 + n_metrics + (1 + metrics with `sofar`) times the cell's n_checkpoints. */
FAR_LAB size_t far__batch_width(const far_batch_def *def, size_t cell);

/* All numbers of a cell whose runs are all finished, as one block (owned by the batch): what a later
 * batch may take as `done`. Without values if some are missing. */
FAR_LAB far_block far__batch_block(const far_batch *batch, size_t i);

/* About how many blocks the runs of a cell are divided into that take so many seconds together, with so
 * many workers, and how many more the end of a batch adds, where blocks become smaller so that all
 * workers end together. For estimates of what a store would hold. */
FAR_LAB double far__schedule_blocks(double runs, double seconds, unsigned workers);
FAR_LAB double far__schedule_last_blocks(double runs, unsigned workers);

#endif
