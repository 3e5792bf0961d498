#include "ranks.h"

#include <signal.h>
#include <stdlib.h>

#include "pool.h"
#include "fail.h"
#include "rank-worker.h"
#include "started.h"

struct far_ranks {
  far__transport transport;
  far_pool *pool; /* of rank 0 */
};

/* Ranks other than 0 ignore signals: rank 0 handles them and stops the others. */
static void leave_signals_to_rank_0(void) {
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, SIG_IGN);
  signal(SIGUSR1, SIG_IGN);
}

static far_status check_size(const far_ranks *ranks, far_error *error) {
  const int expected = far__started_with();
  if (ranks->transport.size > 1 || expected == 1) return FAR_OK;
  return far__rank_fail(error, FAR_STATUS_MISMATCH,
                        "this is one of %d processes, but MPI does not connect them, so that each "
                        "would do all the work; start them with mpirun, or with srun --mpi=pmix",
                        expected);
}

far_status far_ranks_join(far_ranks **out, far_error *error) {
  *out = NULL;
  far_ranks alone = {.transport.size = 1};
  if (!far__started_by_mpi()) return check_size(&alone, error);
  far_ranks *ranks = calloc(1, sizeof *ranks);
  if (ranks == NULL) return far__rank_fail(error, FAR_STATUS_MEMORY, "no memory for the ranks");
  far_status status = far__transport_open(&ranks->transport, error);
  if (status != FAR_OK) {
    free(ranks);
    return status;
  }
  status = check_size(ranks, error);
  if (ranks->transport.rank > 0) leave_signals_to_rank_0();
  if (status == FAR_OK && ranks->transport.rank == 0)
    status = far__ranks_pool_create(&ranks->pool, &ranks->transport, error);
  *out = ranks;
  if (status == FAR_OK) return FAR_OK;
  far_ranks_leave(ranks);
  *out = NULL;
  return status;
}

void far_ranks_leave(far_ranks *ranks) {
  if (ranks == NULL) return;
  for (int rank = 1; ranks->transport.rank == 0 && rank < ranks->transport.size; ++rank)
    (void)far__transport_send(&ranks->transport, rank, FAR__TAG_BYE, NULL, 0, NULL);
  far__transport_close(&ranks->transport);
  far__ranks_pool_free(ranks->pool);
  free(ranks);
}

bool far_ranks_serves(const far_ranks *ranks) {
  return ranks != NULL && ranks->transport.rank > 0;
}

void far_ranks_serve(far_ranks *ranks) {
  far__rank_work(&ranks->transport);
}

far_pool *far_ranks_pool(far_ranks *ranks) {
  return ranks != NULL ? ranks->pool : NULL;
}

void far_ranks_use_device(far_ranks *ranks, far_device device, far_device_note_fn *note,
                          void *user) {
  if (ranks != NULL) far__ranks_pool_use(ranks->pool, device, note, user);
}

far_device_info far_ranks_device_info(const far_ranks *ranks) {
  return ranks != NULL ? far__ranks_pool_info(ranks->pool) : (far_device_info){0};
}

int far_ranks_count(const far_ranks *ranks) {
  return ranks != NULL ? ranks->transport.size : 1;
}

far_traffic far_ranks_traffic(const far_ranks *ranks) {
  return ranks != NULL ? ranks->transport.traffic : (far_traffic){0};
}
