#ifndef FARSIGHT_MPI_STARTED_H
#define FARSIGHT_MPI_STARTED_H

#include <stdbool.h>

/* Did an MPI starter (mpirun, or srun with its --mpi) start this process, and does it so tell it how to
 * find the others? */
bool far__started_by_mpi(void);

/* As one of how many it was started, by MPI or by srun without it; 1: alone, or not known. */
int far__started_with(void);

#endif
