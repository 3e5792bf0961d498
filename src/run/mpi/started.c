/* How this process was started, according to environment variables: asking MPI would mean to start it. */
#include "started.h"

#include <stdlib.h>

bool far__started_by_mpi(void) {
  static const char *const marks[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"};
  for (size_t i = 0; i < sizeof marks / sizeof *marks; ++i)
    if (getenv(marks[i]) != NULL) return true;
  return false;
}

/* mpirun may itself run as a task of a Slurm step, so its variable comes before that of the step. SLURM_NTASKS is
 * not read: a batch script has it too, as the number of tasks that the script may start. */
int far__started_with(void) {
  static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    const char *text = getenv(sizes[i]);
    const long x = text != NULL ? strtol(text, NULL, 10) : 0;
    if (x > 0) return x < 1000000000 ? (int)x : 1;
  }
  return 1;
}
