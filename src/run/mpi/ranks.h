/* Many machines: the processes ("ranks") of one MPI job compute one batch together.
 *
 * Rank 0 runs the command as it would alone, and computes as well; the others serve it: they take
 * blocks of runs and send back their numbers. A process that no MPI starter started is alone, and MPI
 * is never touched. The results do not depend on the number of ranks, to the last bit.
 *
 * This header knows no MPI; a build without MPI has the same functions (ranks-absent.c).
 */
#ifndef FARSIGHT_MPI_RANKS_H
#define FARSIGHT_MPI_RANKS_H

#include "farsight/farsight.h"

typedef struct far_ranks far_ranks;

/* Joins the other processes of the job; *out is NULL if this process is alone. If it was started as one of several:
 * MISMATCH if MPI sees only one, ABSENT if this build has no MPI. */
far_status far_ranks_join(far_ranks **out, far_error *error);

/* Ends the other ranks (if this is rank 0) and leaves MPI; NULL is fine. */
void far_ranks_leave(far_ranks *ranks);

/* Does this process serve rank 0? False for NULL. */
bool far_ranks_serves(const far_ranks *ranks);

/* Serves rank 0 until rank 0 ends it; failures are reported to rank 0. */
void far_ranks_serve(far_ranks *ranks);

/* The pool that computes batches on rank 0: all ranks, each with as many threads as the batch says (1 if it says
 * none). NULL if this process is alone. */
far_pool *far_ranks_pool(far_ranks *ranks);

/* far_ranks_use_device: from the next batch on each rank uses its device, if it has one: rank k of a machine uses
 * device k. `note` is as in far_device_def and may be NULL. far_ranks_device_info: the work of all devices. */
void far_ranks_use_device(far_ranks *ranks, far_device device, far_device_note_fn *note,
                          void *user);
far_device_info far_ranks_device_info(const far_ranks *ranks);

/* The version of MPI that was built with, and the one that is loaded; "" if there is none. Both have room for `size`
 * bytes. */
void far_ranks_version(char *built, char *running, size_t size);

/* The number of ranks; 1 if this process is alone. */
int far_ranks_count(const far_ranks *ranks);

/* What the other ranks and rank 0 sent each other so far. */
typedef struct far_traffic {
  uint64_t sent, received; /* messages */
  uint64_t bytes_sent, bytes_received;
  uint64_t naps;  /* how often rank 0 had nothing to do and slept a little */
  double seconds; /* that rank 0 was at work on messages */
} far_traffic;
far_traffic far_ranks_traffic(const far_ranks *ranks);

#endif
