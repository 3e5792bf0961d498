/* What rank 0 knows of the devices of all ranks: which cells they take, which of them have blocks, and what became of
 * them. A cell runs on devices if all ranks that have one take it. */
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

/* False without memory. Nobody has a device yet. */
bool far__devices_make(far__devices *devices, int ranks);
void far__devices_free(far__devices *devices); /* also of one that is all 0 */

/* The runs of a block of each cell on a pool's device, so that a block is no longer than an MPI message; NULL if it takes
 * none (or there is no memory to say it). malloc. */
int64_t *far__devices_lanes(const far_pool *pool, const far_batch_def *def);

/* A batch begins: false without memory. Then the rank takes up to `room` blocks, of these lanes (malloc; kept). */
bool far__devices_begin(far__devices *devices);
void far__devices_open(far__devices *devices, int rank, int64_t *lanes, size_t room);

/* As far_pool.takes. */
int64_t far__devices_take(const far__devices *devices, size_t cell);

/* A rank's device computes nothing any more. */
void far__devices_lose(far__devices *devices, int rank);

/* The batch is over; all infos are known: failures are told, once each. */
void far__devices_end(far__devices *devices);

/* What all of them have done. */
far_device_info far__devices_info(const far__devices *devices);

#endif
