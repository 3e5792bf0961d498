/* Snapshots of agents, and the memory of blocks. */
#ifndef FAR_RUN_SNAPSHOT_H
#define FAR_RUN_SNAPSHOT_H

#include "farsight/run.h"

/* The most pairs of one run, over all checkpoints: 128 MiB. */
enum { FAR__SNAPSHOT_PAIRS = 1 << 22 };

/* Copies what the agent has learned. `row` has room for its actions. */
far_status far__snapshot_take(far_snapshot *out, const far_agent *agent, const double *visits,
                              double *row, far_error *error);

void far__snapshots_free(far_snapshot *list, size_t count);

/* Frees the values and snapshots of a block. */
void far__block_free(far_block *block);

#endif
