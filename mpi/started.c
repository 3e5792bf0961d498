/* What the environment says of who started us. Asking MPI would mean to start it. */
#include "started.h"

#include <stdlib.h>

bool far__started_by_mpi(void) {
  static const char *const marks[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"};
  for (size_t i = 0; i < sizeof marks / sizeof *marks; ++i)
    if (getenv(marks[i]) != NULL) return true;
  return false;
}

static int number_in(const char *name) {
  const char *text = getenv(name);
  const long x = text != NULL ? strtol(text, NULL, 10) : 1;
  return x > 1 && x < 1000000000 ? (int)x : 1;
}

/* Slurm counts the tasks of a step in SLURM_STEP_NUM_TASKS; the batch script itself has none. */
int far__started_with(void) {
  static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"};
  int most = 1;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
    if (number_in(sizes[i]) > most) most = number_in(sizes[i]);
  return most;
}
