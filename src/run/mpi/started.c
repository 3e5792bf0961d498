/* What the environment says of who started us. Asking MPI would mean to start it. */
#include "started.h"

#include <stdlib.h>

bool far__started_by_mpi(void) {
  static const char *const marks[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"};
  for (size_t i = 0; i < sizeof marks / sizeof *marks; ++i)
    if (getenv(marks[i]) != NULL) return true;
  return false;
}

/* mpirun may itself be the task of a Slurm step, so that its own number counts before the step's. The
 * batch script has no number of a step; SLURM_NTASKS, which it has, is what it may start. */
int far__started_with(void) {
  static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    const char *text = getenv(sizes[i]);
    const long x = text != NULL ? strtol(text, NULL, 10) : 0;
    if (x > 0) return x < 1000000000 ? (int)x : 1;
  }
  return 1;
}
