/* Batches of more and more runs, as stopping rules ask for them. */
#ifndef FAR_LAB_STUDY_PURSUIT_H
#define FAR_LAB_STUDY_PURSUIT_H

#include "farsight/store.h"

typedef struct far__pursuit {
  far_batch_def def; /* with cells of its own: */
  far_cell *cells;   /* the rule sets their numbers of runs */
  far_block *known;  /* all of the look before */
  int64_t
      *computed; /* runs of each cell, over all looks: a look knows the runs of those before it */
  far_store *store;
  far_batch *batch; /* of the last look; or NULL */
} far__pursuit;

/* Free it in any case. MEMORY. */
far_status far__pursuit_begin(far__pursuit *pursuit, const far_batch_def *def, far_store *store,
                              far_error *error);

/* Computes what the cells lack; `batch` has it, also after CANCELLED. */
far_status far__pursuit_run(far__pursuit *pursuit, far_error *error);

/* Moves the batch to *out, or frees it where `status` is a failure other than CANCELLED. Returns `status`. */
far_status far__pursuit_end(far_batch **out, far__pursuit *pursuit, far_status status);

#endif
