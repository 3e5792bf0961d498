/* A batch in words: what rank 0 tells the others, who make models and metrics from their specs. */
#ifndef FARSIGHT_MPI_BATCH_CODEC_H
#define FARSIGHT_MPI_BATCH_CODEC_H

#include "farsight/farsight.h"

/* Describes the batch, with the threads that each rank shall have, and whether it shall use its device. CONFLICT if a model was built by
 * hand, so that it has no spec. *bytes is malloc. */
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
  const char **specs; /* of models; with their hashes where the spec does not tell the content */
  const char **hashes;
  far_mdp **mdps;
  far_metric **metrics;
} far__remote_batch;

/* Takes over the description (malloc, aligned as such), also if it fails. MISMATCH if it was made by
 * another version. */
far_status far__batch_unpack(far__remote_batch *plan, void *bytes, size_t size, far_error *error);

/* Keeps the models that an earlier plan has made and this one needs, too. */
void far__remote_batch_adopt(far__remote_batch *plan, far__remote_batch *earlier);

/* Makes the model of a cell, unless it is made. MISMATCH if it is not the one that rank 0 has. */
far_status far__remote_batch_model(far__remote_batch *plan, size_t cell, far_error *error);

void far__remote_batch_free(far__remote_batch *plan); /* also of one that is all 0 */

#endif
