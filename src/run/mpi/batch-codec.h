/* A batch as bytes: what rank 0 sends to the other ranks, which make models and metrics from their specs. */
#ifndef FARSIGHT_MPI_BATCH_CODEC_H
#define FARSIGHT_MPI_BATCH_CODEC_H

#include "farsight/farsight.h"

/* Describes the batch, with the number of threads that each rank shall use and the choice of devices. CONFLICT if a
 * model has no spec because it was built in memory. *bytes is allocated by malloc. */
far_status far__batch_pack(void **bytes, size_t *size, const far_batch_def *def, unsigned threads,
                           far_device device, far_error *error);

/* The batch on another rank. Models are made when they are first needed: cells have none until then. */
typedef struct far__remote_batch {
  far_batch_def def;
  far_device device;
  void *bytes; /* the description, into which specs point */
  far_cell *cells;
  size_t *model_of; /* the index of each cell's model */
  size_t n_models;
  const char **specs; /* of models; `hashes` where a spec does not determine the content */
  const char **hashes;
  far_mdp **mdps;
  far_metric **metrics;
} far__remote_batch;

/* Reads a description and takes ownership of `bytes` (from malloc), also on failure. MISMATCH if another version
 * made it. */
far_status far__batch_unpack(far__remote_batch *plan, void *bytes, size_t size, far_error *error);

/* Moves the models that this plan needs and an earlier plan has made into this plan. */
void far__remote_batch_adopt(far__remote_batch *plan, far__remote_batch *earlier);

/* Makes the model of a cell, unless it exists. MISMATCH if it differs from rank 0's. */
far_status far__remote_batch_model(far__remote_batch *plan, size_t cell, far_error *error);

void far__remote_batch_free(far__remote_batch *plan); /* also of one that is all 0 */

#endif
