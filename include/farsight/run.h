/* Runs: cells of (model or simulator, agent, steps), each repeated over many replicates on several threads or a device.
 *
 *     far_mdp *mdp;
 *     far_batch *batch;
 *     if (far_mdp_create(&mdp, "chain:n=10", &error)) return puts(error.message);
 *     const far_cell cells[] = {{.mdp = mdp, .agent = "directed-delayed-q", .steps = 1000},
 *                               {.mdp = mdp, .agent = "q-learning", .steps = 1000}};
 *     far_batch_def def = far_batch_def_default(); // set only what differs
 *     def.cells = cells;
 *     def.n_cells = 2;
 *     def.runs = 20;
 *     if (far_batch_run(&batch, &def, &error)) return puts(error.message);
 *     for (size_t i = 0; i < 2; ++i)
 *       printf("%s: %.4g +- %.2g\n", cells[i].agent, far_batch_result(batch, i)->mean, far_batch_result(batch, i)->ci95);
 *     far_batch_free(batch);
 *     far_mdp_free(mdp);
 *
 * Replicate k of any cell uses the random streams (seed, k, purpose), so all agents see the same
 * random numbers, and the results do not depend on the number of threads, to the last bit.
 */
#ifndef FARSIGHT_RUN_H
#define FARSIGHT_RUN_H

#include "farsight/agent.h"
#include "farsight/base.h"
#include "farsight/mdp.h"
#include "farsight/worlds.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Creates an agent for a run of so many steps (0: not known) on a model: as far_agent_create does with the model's
 * shape, and one that peeks (far_type_info.peeks) is told what it wants to know, for which the model is solved. All loops of
 * the library make their agents so. The model is only read and need not outlive the agent. Fails
 * as far_agent_create does; also with CONFLICT if the model has no policy of the kind that is wanted
 * (average reward, where the model is multichain) and with RANGE if doubles cannot certify it. */
FAR_API far_status far_agent_create_on(far_agent **out, const char *spec, const far_mdp *mdp,
                                       int64_t steps, uint64_t seed, uint64_t replicate,
                                       far_error *error);

/* far_agent_create_on with the text read already; `mdp` may be NULL unless the agent peeks. */
FAR_API far_status far_agent_from(far_agent **out, const far_spec *spec, const far_mdp *mdp,
                                  uint64_t seed, uint64_t replicate, far_error *error);

typedef struct far_cell {
  const far_mdp *mdp; /* NULL if there is a simulator */
  const char *agent;  /* spec */
  int64_t steps;      /* of a run, at least 1; where it ends by episodes, the most there may be */
  /* a run ends after so many episodes (done or cut), or after `steps`; 0: after `steps` */
  int64_t episodes;
  /* Ascending, each in 1 ... steps: after so many steps the total so far is noted, and of the metrics that have
   * one their number so far; may be NULL. Where a run ends by episodes they are episodes, and a run that reached
   * its last step before has the numbers of its end there. */
  const int64_t *checkpoints;
  size_t n_checkpoints;
  int64_t runs;                       /* replicates of this cell; 0: as many as the batch says */
  const far_simulator_def *simulator; /* in place of a model; else NULL */
  const char *name; /* for a model without a spec, in stores and reports; may be NULL */
  const char *env_label, *agent_label; /* what a store remembers that these are called, as typed or
                                        * by a name; NULL: nothing */
  /* `agent`, read already for this problem and these steps; it must outlive the batch. NULL: the batch
   * reads it */
  const far_spec *spec;
} far_cell;

/* What stores and reports call the environment of a cell: the canonical spec of its model, or if that has
 * none the cell's `name`, or the name of its simulator; never NULL. */
FAR_API const char *far_cell_env(const far_cell *cell);

/* The shape of the cell's problem, as it is given to the agent: with the number of steps. */
FAR_API far_shape far_cell_shape(const far_cell *cell);

typedef struct far_progress {
  int64_t cells_done, cells;
  int64_t runs_done, runs; /* over all cells */
  double steps_done, steps;
  double steps_known;  /* of those done: known before, and not counted in the speed */
  double seconds;      /* since the start */
  double seconds_left; /* about; NAN while there is nothing to judge by */
} far_progress;

/* Called about ten times a second from the calling thread; false stops the batch. */
typedef bool far_progress_fn(void *user, const far_progress *progress);

/* A metric computes one number for each run. The library's own are created by far_metric_create
 * (below); this struct defines the interface, so that programs can add their own. A
 * watcher belongs to one thread, which uses it for many runs, one after the other. */
typedef struct far_metric far_metric;
struct far_tally; /* the library's */
struct far_metric {
  const char *name; /* for tables and JSON */
  /* Makes a watcher for a cell; `agent` is a fresh one of the cell's. */
  far_status (*create)(void **watcher, const far_metric *metric, const far_mdp *mdp,
                       const far_agent *agent, int64_t steps, far_error *error);
  /* A run begins in state s. */
  far_status (*begin)(void *watcher, const far_agent *agent, uint32_t s, far_error *error);
  /* The agent has learned from this step and continues from `next`: the step's own successor, or a
   * new start after the end of an episode. */
  far_status (*step)(void *watcher, const far_agent *agent, const far_transition *step,
                     uint32_t next, far_error *error);
  /* The run is over; its number, never NaN. */
  double (*end)(void *watcher, const far_agent *agent);
  void (*free)(void *watcher); /* NULL is fine */
  bool higher_is_better;       /* a larger number is a better run */
  /* What `end` would return if the run had only the steps up to now. The run continues, and this
   * call must not change its later numbers. Called at checkpoints, after `step`. Never NaN. NULL:
   * the metric has no number before the end. */
  double (*sofar)(void *watcher, const far_agent *agent);
  bool without_model; /* may watch runs in a simulator: `create` is then given NULL as the model */
  /* the number is the same whatever counts in the problem: a store takes it from runs under another
   * discount. false: it may depend on that */
  bool any_criterion;
  /* Of the library's own metrics that follow from the transitions alone: can a device compute it, and by which
   * numbers (`watcher` and `out` may be NULL)? NULL: processors compute it. */
  bool (*tally)(const far_metric *metric, const void *watcher, struct far_tally *out);
  /* as in far_type_info: the number is a time, and all of the steps is censored; or NULL */
  const char *event;
};

/* What an agent knows at a checkpoint of a run (`step`, or episode): arrays of n_states x n_actions numbers, state by state,
 * 0 in states that are not live. An array that the algorithm does not have is NULL. Where there is a
 * horizon, q, bonus and policy are those of the first step of an episode, whatever step the run is at;
 * visits are over all steps. */
typedef struct far_snapshot {
  int64_t replicate, step;
  uint32_t n_states, n_actions;
  double *visits; /* how often the run has taken the action in the state; never NULL */
  double *q;      /* FAR_VALUE_Q */
  double *bonus;  /* FAR_VALUE_BONUS */
  double *policy; /* probabilities of actions, as from far_agent_policy_at */
} far_snapshot;

/* Frees the arrays of one that the library made, and leaves an empty snapshot. */
FAR_API void far_snapshot_free(far_snapshot *snapshot);

/* ---- blocks: the parts of a batch, for programs that store or distribute them ---- */

/* Successive runs of one cell. Its numbers stand column by column: `runs` totals, then as many of
 * each metric, then as many totals of each checkpoint, then for each metric that has `sofar`, in the
 * order of metrics, as many of its numbers of each checkpoint. */
typedef struct far_block {
  size_t cell;
  int64_t first, runs; /* replicates first_replicate + first + 0 ... runs-1 of the batch */
  double seconds;      /* of processor time that they took */
  const double *values;
  const far_snapshot *snapshots; /* of these runs, if the batch requests them; NULL in `done` */
  size_t n_snapshots;
  bool on_device; /* a device of the pool computes it */
} far_block;

/* Is handed finished blocks, several at once, in the calling thread and in no particular order. They are
 * the batch's and live until it returns. A failure stops the batch and is its failure. */
typedef far_status far_keep_fn(void *user, const far_block *blocks, size_t count, far_error *error);

/* Who computes blocks: the threads of this process, unless the definition names another, such as the
 * ranks of an MPI job. All functions are called by the thread that runs the batch. */
typedef struct far_batch_def far_batch_def;
typedef struct far_pool far_pool;
struct far_pool {
  /* Gets ready for the batch. After a failure nothing else is called. */
  far_status (*begin)(far_pool *pool, const far_batch_def *def, far_error *error);
  /* How many workers there are, and how many more blocks they would take now. */
  size_t (*workers)(const far_pool *pool);
  size_t (*room)(const far_pool *pool);
  /* Hands out a block (without values); only where there is room. */
  far_status (*give)(far_pool *pool, const far_block *block, far_error *error);
  /* Takes back a block, waiting up to so many seconds; *got is false if there was none. Its values
   * (malloc) become the caller's. Fails if a block could not be computed: the block is still
   * returned, with the runs that it has finished, or *got is false and no other block will be
   * returned. */
  far_status (*take)(far_pool *pool, far_block *block, bool *got, double seconds, far_error *error);
  /* Requests early return of outstanding blocks: each returns with the runs that it has finished,
   * perhaps none. */
  void (*stop)(far_pool *pool);
  /* The batch is over. Blocks that are still outstanding, after a failure, are lost. */
  void (*end)(far_pool *pool);
  /* For a pool with devices (far_device_pool_create), else NULL: how many runs a block of this cell has that a
   * device computes. 0: the processors compute the cell. Devices and processors work at the same time, on
   * different cells. A device's block may come back without runs if `takes` says less from then on; then
   * others compute them. */
  int64_t (*takes)(const far_pool *pool, size_t cell);
  /* How many more blocks of devices there is room for; `workers` and `room` are of the processors. */
  size_t (*device_room)(const far_pool *pool);
};

/* One worker: computes blocks, one after the other, on the thread that calls. Pools are made of
 * these. `stop` may be NULL; it is called often, also during an agent's plan or a metric's
 * evaluation, and once it returns true the block ends early. */
typedef struct far_worker far_worker;
typedef bool far_stop_fn(void *user);
FAR_API far_status far_worker_create(far_worker **out, const far_batch_def *def, far_stop_fn *stop,
                                     void *user, far_error *error);
FAR_API void far_worker_free(far_worker *worker); /* NULL is fine */

/* Computes a block: fills in its seconds and values (the caller's, to be freed by far_free), and where the
 * definition asks for them snapshots (each by far_snapshot_free, then the list by far_free). When it was
 * stopped block->runs is the number of finished runs, perhaps 0 (and values NULL); so it is after a
 * failure of a run. RANGE if the batch has no such runs. */
FAR_API far_status far_worker_run(far_worker *worker, far_block *block, far_error *error);

/* A pool of threads in this process; 0: one for each processor. */
FAR_API far_status far_pool_create(far_pool **out, unsigned threads, far_error *error);
FAR_API void far_pool_free(far_pool *pool); /* one made by far_pool_create; NULL is fine */

/* ---- the batch ---- */

struct far_batch_def {
  const far_cell *cells;
  size_t n_cells;
  int64_t runs; /* replicates of each cell that has no number of its own, at least 1 */
  uint64_t seed;
  uint64_t first_replicate;         /* replicates are first_replicate + 0 ... runs-1 */
  unsigned threads;                 /* 0: one for each processor */
  const far_metric *const *metrics; /* each watches every run; may be NULL */
  size_t n_metrics;
  bool generic;              /* use the agents' hooks even where a fused loop exists; same bits */
  far_progress_fn *progress; /* may be NULL */
  void *user;                /* of progress */
  const far_block *done;     /* known already and not computed again; may overlap, not disagree */
  size_t n_done;
  far_keep_fn *keep; /* may be NULL; is not shown what was `done` */
  void *keep_user;
  far_pool *pool; /* NULL: one of `threads` threads */
  /* Of the replicates 0 ... snapshots-1 of every cell a snapshot at each checkpoint comes with the
   * block that goes to `keep`; runs that are known already have none. 0: none. RANGE if those of a run
   * have more than 2^22 pairs. A pool may refuse it: the ranks of an MPI job do. */
  int64_t snapshots;
  /* The seed that registered agents (far_agent_register) are told in place of `seed`, from which they could
   * compute the random numbers of the environment; 0: `seed` itself. The library's own agents draw from
   * `seed` in any case. Stores do not know it: keep runs with one apart from runs without. */
  uint64_t agent_seed;
  /* Runs of a cell that a thread computes side by side, at most; 1: one after the other. 0: as many as pay and
   * as there is memory for. Same bits. */
  unsigned lanes;
};

/* No cells yet; 300 runs, seed 1, all processors. */
FAR_API far_batch_def far_batch_def_default(void);

/* The outcome of a cell, over the replicates that finished. */
typedef struct far_result {
  const char *agent; /* canonical spec */
  int64_t runs;      /* finished */
  int64_t known;     /* of these, known before */
  double mean, std;  /* of the undiscounted total reward; n - 1 in the standard deviation */
  double ci95;       /* half-width of the 95% confidence interval of the mean (Student) */
  double min, max;
  double seconds;       /* of processor time, summed over threads; what was known before counts */
  const double *totals; /* one for each finished run, in order of replicates */
  char hash[FAR_HASH_TEXT]; /* SHA-256 of the totals as little-endian doubles */
} far_result;

typedef struct far_batch far_batch;

/* Runs all cells. On CANCELLED *out holds what is finished and must be freed as well; on any other
 * error it is NULL. Specs are checked before anything runs, and fail as in far_agent_create. */
FAR_API far_status far_batch_run(far_batch **out, const far_batch_def *def, far_error *error);
FAR_API void far_batch_free(far_batch *batch);

/* The result of cell i; owned by the batch. */
FAR_API const far_result *far_batch_result(const far_batch *batch, size_t i);

/* The result of metric k for cell i: the metric's numbers in place of the totals; `seconds` is that
 * of the cell. */
FAR_API const far_result *far_batch_metric(const far_batch *batch, size_t i, size_t k);

/* Which runs of cell i are finished, ascending (run k is replicate first_replicate + k): as many as its result
 * has. NULL if all of them are, or there is no such cell. Owned by the batch. */
FAR_API const int64_t *far_batch_finished(const far_batch *batch, size_t i);

/* The totals so far at checkpoint k of cell i, over the finished runs. */
typedef struct far_point {
  int64_t step; /* or episode: the checkpoint */
  double mean, std, ci95;
  const double *totals; /* one for each finished run */
} far_point;
FAR_API const far_point *far_batch_point(const far_batch *batch, size_t i, size_t k);

/* The result of metric `metric` so far at checkpoint k of cell i: its numbers in place of the
 * totals; NULL if there is no such checkpoint or metric, or the metric has no `sofar`. */
FAR_API const far_point *far_batch_metric_point(const far_batch *batch, size_t i, size_t metric,
                                                size_t k);

/* The version of all numbers: it changes when the same spec and seed would give other bits than in an
 * earlier release, and with it the key of every stored result. */
FAR_API int far_numerics(void);

/* Metrics: numbers recorded of a run besides its total reward.
 *
 *     far_metric *mistakes;
 *     far_status status = far_metric_create(&mistakes, "mistakes:eps=0.5", &error);
 *     const far_metric *metrics[] = {mistakes};
 *     def.metrics = metrics;                     of a far_batch_def
 *     def.n_metrics = 1;
 *     ... far_batch_run, far_batch_metric ...
 *     far_metric_free(mistakes);
 *
 * A metric is immutable and may be shared by any number of threads and batches. Its number of a run
 * depends on that run alone: not on threads, nor on what was run before.
 */

/* The metrics, in the order of their listing; NULL past the end. */
FAR_API const far_type_info *far_metric_type(size_t index);

/* Creates a metric from a spec; its `name` is the canonical spec. Fails with SYNTAX, UNKNOWN,
 * RANGE, CONFLICT or MEMORY. */
FAR_API far_status far_metric_create(far_metric **out, const char *spec, far_error *error);

/* Frees one made by far_metric_create; NULL is fine. */
FAR_API void far_metric_free(far_metric *metric);

/* Is a larger number of this series better? The series is named as results are stored: "total",
 * "curve@1000", a metric's spec ("mistakes:eps=0.5"), or a metric's spec with a step
 * ("regret@1000"). For metrics of the library their descriptor decides; everything else, the name
 * of an unknown metric included, counts as a reward, of which more is better. */
FAR_API bool far_series_higher_is_better(const char *series);

/* Devices: a graphics processor computes runs of a batch, with the same bits as a thread.
 *
 *     far_device_def what = far_device_def_default();
 *     what.device = FAR_DEVICE_GPU;
 *     far_pool *pool;
 *     far_device_pool_create(&pool, &what, &error);
 *     batch.pool = pool;
 *     ... far_batch_run(...) ...
 *     far_device_pool_free(pool);
 *
 * The device is driven by a backend, a shared object that is loaded when a batch needs it. It takes the
 * agents that have a fused loop, on models without a horizon, in batches without snapshots whose
 * metrics follow from the transitions alone (far_metric.tally); threads compute the other cells of the batch, at
 * the same time. One run of every block is computed by a thread as well, and
 * compared. Where there is no device, where it has too little memory or where it fails, a note says so and
 * threads compute what is missing: the results are the same.
 */

typedef struct far_device_def {
  far_device device;
  const char *library; /* the backend's file; NULL: as far_device says (base.h) */
  int number;          /* of the machine's devices, from 0 */
  unsigned workers;    /* threads of `rest` in all, for AUTO; 0: the batch's threads */
  far_pool *rest;      /* computes the other cells, at the same time; NULL: the batch's threads */
  far_device_note_fn
      *note; /* is told, once each, why there is no device and why it failed; may be NULL */
  void *user;
} far_device_def;

/* FAR_DEVICE_AUTO, and nothing else. */
FAR_API far_device_def far_device_def_default(void);

/* A pool for any number of batches, one at a time. The device is looked for by the first batch that could use
 * it. Fails with MEMORY. */
FAR_API far_status far_device_pool_create(far_pool **out, const far_device_def *def,
                                          far_error *error);
FAR_API void far_device_pool_free(far_pool *pool); /* NULL is fine */

/* What a device pool has done so far. */
typedef struct far_device_info {
  /* of the device; "" while it has not been needed, or if there is none */
  char name[FAR_DEVICE_TEXT];
  /* why there is none, or why it is not used any more; "" if it is fine */
  char failure[FAR_DEVICE_TEXT];
  char choice[FAR_DEVICE_TEXT]; /* of AUTO: the estimates by which it chose; else "" */
  int64_t batches;              /* that the pool was given */
  int64_t runs;                 /* that the device has computed */
  double seconds;               /* in so many */
} far_device_info;
FAR_API far_device_info far_device_pool_info(const far_pool *pool);

#ifdef __cplusplus
}
#endif

#endif
