#ifndef FARSIGHT_MPI_POOL_H
#define FARSIGHT_MPI_POOL_H

#include "transport.h"

/* The pool of all ranks, for rank 0. The transport must outlive it. */
far_status far__ranks_pool_create(far_pool **out, far__transport *transport, far_error *error);
void far__ranks_pool_free(far_pool *pool); /* NULL is fine */

/* far__ranks_pool_use: from the next batch on each rank uses its device, if it has one; `note` as in far_device_def.
 * far__ranks_pool_info: the work of all devices. */
void far__ranks_pool_use(far_pool *pool, far_device device, far_device_note_fn *note, void *user);
far_device_info far__ranks_pool_info(const far_pool *pool);

/* The pool of one rank: `threads` threads and the rank's device. */
far_status far__rank_device_create(far_pool **out, const far__transport *transport,
                                   far_device device, unsigned threads, far_error *error);

/* A far_progress_fn that does nothing. With a progress function, a pool of one thread starts that thread instead of
 * computing in the thread that calls. */
bool far__never(void *user, const far_progress *progress);

#endif
