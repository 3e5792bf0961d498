/* Runs: cells of (model, agent, steps), each repeated over many replicates on several threads.
 *
 * Replicate k of any cell uses the random streams (seed, k, purpose), so all agents meet the same
 * luck, and the results do not depend on the number of threads, to the last bit.
 */
#ifndef FARSIGHT_RUN_H
#define FARSIGHT_RUN_H

#include "farsight/hash.h"
#include "farsight/mdp.h"

typedef struct far_cell {
  const far_mdp *mdp;
  const char *agent; /* spec */
  int64_t steps;     /* at least 1 */
} far_cell;

typedef struct far_progress {
  int64_t runs_done, runs; /* over all cells */
  double steps_done, steps;
  double seconds; /* since the start */
} far_progress;

/* Called about ten times a second from the calling thread; false stops the batch. */
typedef bool far_progress_fn(void *user, const far_progress *progress);

typedef struct far_batch_def {
  const far_cell *cells;
  size_t n_cells;
  int64_t runs; /* replicates of each cell, at least 1 */
  uint64_t seed;
  uint64_t first_replicate;  /* replicates are first_replicate + 0 ... runs-1 */
  unsigned threads;          /* 0: one for each processor */
  bool generic;              /* use the agents' hooks even where a fused loop exists; same bits */
  far_progress_fn *progress; /* may be NULL */
  void *user;
} far_batch_def;

/* No cells yet; 300 runs, seed 1, all processors. */
FAR_API far_batch_def far_batch_def_default(void);

/* The outcome of a cell, over the replicates that finished. */
typedef struct far_result {
  const char *agent; /* canonical spec */
  int64_t runs;      /* finished */
  double mean, std;  /* of the undiscounted total reward; n - 1 in the standard deviation */
  double ci95;       /* half-width of the 95% confidence interval of the mean (Student) */
  double min, max;
  double seconds;           /* of processor time, summed over threads */
  const double *totals;     /* one for each finished run, in order of replicates */
  char hash[FAR_HASH_TEXT]; /* SHA-256 of the totals as little-endian doubles */
} far_result;

typedef struct far_batch far_batch;

/* Runs all cells. On CANCELLED *out holds what is finished and must be freed as well; on any other
 * error it is NULL. Specs are checked before anything runs, and fail as in far_agent_create. */
FAR_API far_status far_batch_run(far_batch **out, const far_batch_def *def, far_error *error);
FAR_API void far_batch_free(far_batch *batch);

/* The result of cell i; owned by the batch. */
FAR_API const far_result *far_batch_result(const far_batch *batch, size_t i);

/* The 97.5% quantile of Student's t with a whole number of degrees of freedom; NaN below 1. */
FAR_API double far_student_975(int64_t degrees);

#endif
