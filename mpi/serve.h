#ifndef FARSIGHT_MPI_SERVE_H
#define FARSIGHT_MPI_SERVE_H

#include "link.h"

/* Computes blocks for rank 0, batch after batch, until it says goodbye. */
void far__serve(far__link *link);

#endif
