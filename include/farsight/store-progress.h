/* The progress of a study, seen from its store: what is finished, how narrow the intervals are, how fast it
 * goes and how long it will take. A follower polls a store that other processes write to; each poll reads
 * only what was committed since the last.
 *
 *     far_follower_def def = far_follower_def_default();
 *     def.plan = far_study_batch(study);                       or NULL where no plan is known
 *     far_follower *follower;
 *     far_status status = far_follower_create(&follower, &def, &error);
 *     while (status == FAR_OK && !far_follower_seen(follower)->finished) {
 *       status = far_follower_poll(follower, store, now, &error);
 *       ... far_follower_seen(follower)->cells[i].mean ...
 *     }
 *     far_follower_free(follower);
 */
#ifndef FARSIGHT_STORE_PROGRESS_H
#define FARSIGHT_STORE_PROGRESS_H

#include "farsight/ranking.h"
#include "farsight/statistics.h"
#include "farsight/store.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct far_follower_def {
  /* What the study will run, with its number of runs, metrics and curves: must outlive the follower. NULL,
   * the default: not known; then nothing is known of what is left. Simulators without a version are refused,
   * as stores refuse them. */
  const far_batch_def *plan;
  /* The stopping rule of the plan, whose runs are then ignored; copied. NULL, the default: none. */
  const far_until *until;
  /* Or the plan runs until its agents are ranked: cell i * n_agents + j is agent j on environment i. Copied.
   * NULL, the default: it does not. */
  const far_ranking_def *ranking;
  size_t n_agents;
  bool (*proceeds)(void *user); /* is asked now and then; false ends with CANCELLED. May be NULL */
  void *user;
} far_follower_def;

FAR_API far_follower_def far_follower_def_default(void);

/* ---- what is seen ---- */

/* The half-width of the 95% interval of the mean (Student) after so many runs. */
typedef struct far_store_width {
  int64_t runs;
  double ci95;
} far_store_width;

typedef struct far_store_progress_cell {
  const char *key;         /* as in far_record */
  const char *env, *agent; /* labels, as one would type them */
  int64_t steps;           /* 0: not known (imported) */
  uint64_t seed;
  int numerics;
  bool is_planned;
  int64_t runs; /* whose totals the store has */
  /* Of planned cells: runs that it will have, with a stopping rule as estimated at the last look; those of
   * them that have all series of the plan; and whether there is nothing left to do. Others: runs, runs,
   * true. Snapshots are not counted. */
  int64_t planned, done;
  bool finished;
  double mean, ci95; /* of the totals of all `runs`, as far_sample_moments has them; or NAN */
  /* The interval as the runs came, in the order of replicates: after 2, 4, 8, ... runs, and last after
   * all of them. Empty below 2 runs. */
  const far_store_width *widths;
  size_t n_widths;
  double seconds; /* of processor time that its runs took */
} far_store_progress_cell;

/* One command that wrote to the store. */
typedef struct far_store_progress_session {
  const char *machine, *command, *version; /* as in far_session */
  const char *started, *last;
  int processors;
  int ranks;  /* of an MPI job, as its command says; 1 otherwise */
  double age; /* seconds since its last commit, at the last poll; NAN if its time cannot be read */
  int64_t runs; /* totals that it has added */
  double steps; /* of these runs, as far as their number is known */
  double seconds;
} far_store_progress_session;

typedef struct far_store_progress {
  bool has_plan;
  bool finished; /* nothing of the plan is left; false without a plan */
  /* The cells of the plan in its order, then the others in the order of their first commit. */
  const far_store_progress_cell *cells;
  size_t n_cells, n_planned;
  size_t n_finished; /* of the planned cells */
  /* In the order of their first commit. */
  const far_store_progress_session *sessions;
  size_t n_sessions;
  int64_t runs;          /* in the store */
  int64_t planned, done; /* of planned cells; done is at most planned */
  /* Of the planned work that is done, by its time as far as known; NAN without a plan. */
  double share;
  double seconds;          /* of processor time, of all runs in the store */
  double steps_per_second; /* lately; 0: nothing was committed lately; NAN: not known yet */
  double busy;         /* processors that compute, lately: processor time a second; NAN likewise */
  double seconds_left; /* about; NAN: not known */
  double quiet;        /* seconds since something was committed; NAN: nothing was */
} far_store_progress;

/* ---- following ---- */

typedef struct far_follower far_follower;

/* Names the cells of the plan. Fails with MEMORY, CANCELLED, and as far_keeper_create does. */
FAR_API far_status far_follower_create(far_follower **out, const far_follower_def *def,
                                       far_error *error);
FAR_API void far_follower_free(far_follower *follower); /* NULL is fine */

/* Reads what was committed since the last poll. The store may be closed between polls; it must be the same
 * file. `now` is the time in seconds since 1970, by which speed and ages are told; where it goes back, the
 * speed is measured anew. Fails as the calls that read a store do, with MEMORY or CANCELLED; the next poll
 * continues where this one failed. */
FAR_API far_status far_follower_poll(far_follower *follower, far_store *store, double now,
                                     far_error *error);

/* What it has seen; owned by the follower, and valid until the next poll. */
FAR_API const far_store_progress *far_follower_seen(const far_follower *follower);

#ifdef __cplusplus
}
#endif

#endif
