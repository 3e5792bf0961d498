/* What rank 0 knows about the devices of all ranks: the cells that they take, the blocks that they have, their
 * results and failures. A cell runs on devices if all ranks that have a device take it. */
#ifndef FARSIGHT_MPI_DEVICES_H
#define FARSIGHT_MPI_DEVICES_H

#include "farsight/farsight.h"
#include "least-busy.h"

typedef struct far__devices {
  far_device wanted;
  far_device_note_fn *note; /* may be NULL */
  void *user;
  int ranks;
  int64_t **lanes; /* runs of a block of each cell, by rank; NULL: no device, or it is lost */
  far_device_info *infos; /* of each rank, after its last batch */
  char (*told)[FAR_DEVICE_TEXT];
  far__least_busy by_load;
} far__devices;

/* Makes an empty table, without any device; false without memory. */
bool far__devices_make(far__devices *devices, int ranks);
void far__devices_free(far__devices *devices); /* also of one that is all 0 */

/* The runs of a block of each cell on a pool's device, limited so that a block fits into an MPI message; NULL if the
 * device takes no cell, or without memory. Allocated by malloc. */
int64_t *far__devices_lanes(const far_pool *pool, const far_batch_def *def);

/* far__devices_begin: a batch begins; false without memory. far__devices_open: the device of this rank takes up to
 * `room` blocks at a time. It takes ownership of `lanes` (from malloc), the runs of a block of each cell. */
bool far__devices_begin(far__devices *devices);
void far__devices_open(far__devices *devices, int rank, int64_t *lanes, size_t room);

/* As far_pool.takes. */
int64_t far__devices_take(const far__devices *devices, size_t cell);

/* The device of this rank has failed and gets no more blocks. */
void far__devices_lose(far__devices *devices, int rank);

/* The batch is over and all infos are set: reports each failure once. */
void far__devices_end(far__devices *devices);

/* The work of all devices together. */
far_device_info far__devices_info(const far__devices *devices);

#endif
