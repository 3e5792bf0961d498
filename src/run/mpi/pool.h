#ifndef FARSIGHT_MPI_POOL_H
#define FARSIGHT_MPI_POOL_H

#include "transport.h"

/* The pool of all ranks, for rank 0. The transport must outlive it. */
far_status far__ranks_pool_create(far_pool **out, far__transport *transport, far_error *error);
void far__ranks_pool_free(far_pool *pool); /* NULL is fine */

/* From the next batch on each rank uses its device, if it has one; `note` as in far_device_def. What they have done. */
void far__ranks_pool_use(far_pool *pool, far_device device, far_device_note_fn *note, void *user);
far_device_info far__ranks_pool_info(const far_pool *pool);

/* The pool of one rank: its threads and its device. `workers` are those of all ranks. */
far_status far__rank_device_create(far_pool **out, const far__transport *transport,
                                   far_device device, unsigned threads, far_error *error);

/* A far_progress_fn that is never called: a pool of one thread starts that thread, rather than
 * computing in the one that calls, only where there is progress to be shown. */
bool far__never(void *user, const far_progress *progress);

#endif
