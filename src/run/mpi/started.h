#ifndef FARSIGHT_MPI_STARTED_H
#define FARSIGHT_MPI_STARTED_H

#include <stdbool.h>

/* Did an MPI launcher (mpirun, or srun with --mpi) start this process, so that MPI can find the others? */
bool far__started_by_mpi(void);

/* The number of processes started together, by an MPI launcher or by srun without MPI; 1: alone, or not known. */
int far__started_with(void);

#endif
