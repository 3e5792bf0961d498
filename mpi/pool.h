#ifndef FARSIGHT_MPI_POOL_H
#define FARSIGHT_MPI_POOL_H

#include "transport.h"

/* The pool of all ranks, for rank 0. The transport must outlive it. */
far_status far__ranks_pool_create(far_pool **out, far__transport *transport, far_error *error);
void far__ranks_pool_free(far_pool *pool); /* NULL is fine */

/* A far_progress_fn that is never called: a pool of one thread starts that thread, rather than
 * computing in the one that calls, only where there is progress to be shown. */
bool far__never(void *user, const far_progress *progress);

#endif
