/* Compiled in place of ranks.c if the build finds no MPI. */
#include "fail.h"
#include "ranks.h"
#include "started.h"

/* Without this check each of the processes would do all the work. */
far_status far_ranks_join(far_ranks **out, far_error *error) {
  *out = NULL;
  if (far__started_with() == 1) return FAR_OK;
  return far__rank_fail(
      error, FAR_STATUS_ABSENT,
      "this is one of %d processes, but this farsight was built without MPI; build "
      "it where Open MPI is (libopenmpi-dev), or start one process",
      far__started_with());
}

void far_ranks_leave(far_ranks *ranks) {
  (void)ranks;
}

bool far_ranks_serves(const far_ranks *ranks) {
  (void)ranks;
  return false;
}

void far_ranks_serve(far_ranks *ranks) {
  (void)ranks;
}

far_pool *far_ranks_pool(far_ranks *ranks) {
  (void)ranks;
  return NULL;
}

void far_ranks_use_device(far_ranks *ranks, far_device device, far_device_note_fn *note,
                          void *user) {
  (void)ranks, (void)device, (void)note, (void)user;
}

far_device_info far_ranks_device_info(const far_ranks *ranks) {
  (void)ranks;
  return (far_device_info){0};
}

void far_ranks_version(char *built, char *running, size_t size) {
  (void)size;
  built[0] = running[0] = '\0';
}

int far_ranks_count(const far_ranks *ranks) {
  (void)ranks;
  return 1;
}

far_traffic far_ranks_traffic(const far_ranks *ranks) {
  (void)ranks;
  return (far_traffic){0};
}
