#ifndef FARSIGHT_MPI_RANK_WORKER_H
#define FARSIGHT_MPI_RANK_WORKER_H

#include "transport.h"

/* Computes blocks for rank 0, batch after batch, until rank 0 sends BYE. */
void far__rank_work(far__transport *transport);

#endif
