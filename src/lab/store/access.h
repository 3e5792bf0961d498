/* What the laboratory and front ends ask of a store besides farsight/store.h: calls that can be stopped, what its keepers
 * know, labels and values, and what was committed lately. */
#ifndef FAR_LAB_STORE_ACCESS_H
#define FAR_LAB_STORE_ACCESS_H

#include "farsight/store.h"

/* ---- calls that can be stopped ---- */

/* Called now and then in check, export, import and merge, and wherever the store waits for another
 * process that writes to the file; false ends them with CANCELLED. `waited` is the number of
 * seconds waited so far; 0 if the store is not waiting. To keep finished runs the store waits for
 * up to a second even after false. NULL: no function is called. */
typedef bool far__go_fn(void *user, double waited);
void far__store_watch(far_store *store, far__go_fn *go_on, void *user);

/* The same with a watcher from the beginning: also opening may have to wait. */
far_status far__store_open_watched(far_store **out, const char *path, far_store_mode mode,
                                   far__go_fn *go_on, void *user, far_error *error);

/* ---- a batch and a store ---- */

/* How many runs of a cell of the batch the store has in full (total, metrics, curves, snapshots), out of its
 * far__batch_runs. */
far_status far__store_known(int64_t *out, far_store *store, const far_batch_def *def, size_t cell,
                            far_error *error);

/* The runs that the store has in full, as blocks for `done`; owned by the keeper. */
far_status far__keeper_done(const far_block **blocks, size_t *count, far_keeper *keeper,
                            far_error *error);

/* How the store would call a cell of the batch, and its series: "total", the metrics, the curves; NULL
 * past the end. A record's `runs` are those of the batch. Owned by the keeper, which for these two may
 * have been made without a store (NULL). */
far_record far__keeper_record(const far_keeper *keeper, size_t cell);
const char *far__keeper_series(const far_keeper *keeper, size_t cell, size_t index);

/* ---- records ---- */

/* What the environment and the agent of a record were called where it was run, as typed or by a name; with another
 * index on other occasions. False past the end: imported results, and those of version 1.0, have none. The texts live
 * until the next call. */
far_status far__store_label(const char **env, const char **agent, bool *found, far_store *store,
                            const char *key, size_t index, far_error *error);

/* A column of a record (far_store_series): values, and the replicates that they are of, ascending (both the caller's, to
 * be freed by far_free). UNKNOWN if there is no such record or column. */
far_status far__store_values(double **values, int64_t **replicates, int64_t *count,
                             far_store *store, const char *key, const char *series,
                             far_error *error);

/* ---- what was committed ---- */

/* Successive runs of a cell in one series, as they were committed together. */
typedef struct far__store_block {
  int64_t id;      /* ascends in the order of commits */
  int64_t session; /* whose they are: far__store_origin */
  far_record cell; /* its `runs` are not counted: 0 */
  const char *series;
  int64_t first, runs;  /* replicates first ... first + runs - 1 */
  double seconds;       /* of processor time */
  const double *totals; /* one a run, of the series "total"; NULL of others, which are not read */
} far__store_block;

/* Is shown a block, which lives until it returns, and may not call the store. A failure ends the call. */
typedef far_status far__store_block_fn(void *user, const far__store_block *block, far_error *error);

/* All blocks that were committed after block `after` (0: all), in the order of commits. Costs what these
 * blocks cost, not the store: a follower passes the last id that it was shown. */
far_status far__store_blocks_after(far_store *store, int64_t after, far__store_block_fn *take,
                                   void *user, far_error *error);

/* The session of a block; its `runs` are not counted: 0. *found is false if there is none. */
far_status far__store_origin(far_session *out, bool *found, far_store *store, int64_t session,
                             far_error *error);

#endif
