/* The batch of runs over a pool of threads. Work is handed out run by run (in small blocks) in a
 * fixed order; every result has its own slot, so that nothing depends on who computed it. */
#include "farsight/run.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "run/loop.h"
#include "run/statistics.h"

enum { CHUNK = 1 << 18, CHUNK_GENERIC = 1 << 8 }; /* steps between looks at the stop flag */

typedef struct cell_state {
  far_result result;
  far_result *metrics; /* as many as the batch has */
  char *spec;
  double *totals; /* NAN until the run is finished; then the metrics' numbers, metric by metric */
  int64_t runs_done;
  double seconds; /* of those */
} cell_state;

struct far_batch {
  size_t n_cells, n_metrics;
  uint8_t *bytes; /* room for the totals of one cell, to be hashed */
  cell_state cells[];
};

typedef struct pool {
  const far_batch_def *def;
  far_batch *batch;
  int64_t block; /* runs handed out at once */
  int64_t blocks_in_cell;
  atomic_llong next; /* block to be handed out */
  atomic_bool stop;
  pthread_mutex_t lock; /* guards what follows and the cells' seconds */
  pthread_cond_t changed;
  unsigned working;
  int64_t runs_done;
  double steps_done;
  far_status status;
  far_error error;
} pool;

far_batch_def far_batch_def_default(void) {
  return (far_batch_def){.runs = 300, .seed = 1};
}

static double clock_seconds(clockid_t id) {
  struct timespec now;
  clock_gettime(id, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- one worker ---- */

static void worker_failed(pool *p, const far_error *error) {
  pthread_mutex_lock(&p->lock);
  if (p->status == FAR_OK) {
    p->status = error->code;
    p->error = *error;
  }
  pthread_mutex_unlock(&p->lock);
  atomic_store(&p->stop, true);
}

/* Planning makes some agents' steps thousands of times dearer: they look at the flag more often. */
static bool loop_is_slow(far__loop *loop) {
  return loop == far__loop_generic || loop == far__loop_watched;
}

static bool run_once(pool *p, far__run *run, far__loop *loop, int64_t steps) {
  const int64_t chunk = loop_is_slow(loop) ? CHUNK_GENERIC : CHUNK;
  far_error error;
  for (int64_t left = steps; left > 0; left -= chunk) {
    if (atomic_load_explicit(&p->stop, memory_order_relaxed)) return false;
    if (loop(run, left < chunk ? left : chunk, &error) == FAR_OK) continue;
    worker_failed(p, &error);
    return false;
  }
  return true;
}

static void report_runs(pool *p, size_t cell, int64_t runs, double seconds) {
  pthread_mutex_lock(&p->lock);
  p->runs_done += runs;
  p->steps_done += (double)runs * (double)p->def->cells[cell].steps;
  p->batch->cells[cell].runs_done += runs;
  p->batch->cells[cell].seconds += seconds;
  pthread_mutex_unlock(&p->lock);
}

/* What a worker holds for the cell that it is at. */
typedef struct station {
  size_t cell; /* SIZE_MAX: none */
  far_agent *agent;
  void **watchers; /* one for each metric */
} station;

static far__loop *loop_for(const far_batch_def *def, const far_agent *agent) {
  if (def->n_metrics > 0) return far__loop_watched;
  return def->generic ? far__loop_generic : far__loop_fused(agent);
}

static bool begin_watching(pool *p, const far__run *run) {
  far_error error;
  for (size_t k = 0; k < run->n_metrics; ++k) {
    if (run->metrics[k]->begin(run->watchers[k], run->agent, run->s, &error) == FAR_OK) continue;
    worker_failed(p, &error);
    return false;
  }
  return true;
}

static void run_block(pool *p, int64_t first, const station *at) {
  const far_batch_def *def = p->def;
  const far_cell *c = &def->cells[at->cell];
  double *totals = p->batch->cells[at->cell].totals;
  far__loop *loop = loop_for(def, at->agent);
  const int64_t end = first + p->block < def->runs ? first + p->block : def->runs;
  double begun = clock_seconds(CLOCK_THREAD_CPUTIME_ID);
  int64_t i = first, reported = first;
  for (; i < end; ++i) {
    far__run run;
    far__run_begin(&run, c->mdp, at->agent, def->seed, def->first_replicate + (uint64_t)i);
    run.metrics = def->metrics;
    run.watchers = at->watchers;
    run.n_metrics = def->n_metrics;
    if (!begin_watching(p, &run) || !run_once(p, &run, loop, c->steps)) break;
    for (size_t k = 0; k < def->n_metrics; ++k)
      totals[(int64_t)(k + 1) * def->runs + i] = def->metrics[k]->end(at->watchers[k], at->agent);
    totals[i] = run.total;
    const double now = loop_is_slow(loop) ? clock_seconds(CLOCK_THREAD_CPUTIME_ID) : begun;
    if (now - begun > 0.05) { /* progress need not wait for the block's end */
      report_runs(p, at->cell, i + 1 - reported, now - begun);
      reported = i + 1;
      begun = now;
    }
  }
  report_runs(p, at->cell, i - reported, clock_seconds(CLOCK_THREAD_CPUTIME_ID) - begun);
}

static void leave(const far_batch_def *def, station *at) {
  for (size_t k = 0; at->watchers != NULL && k < def->n_metrics; ++k)
    def->metrics[k]->free(at->watchers[k]);
  free(at->watchers);
  far_agent_free(at->agent);
  *at = (station){.cell = SIZE_MAX};
}

static far_status move_to(const far_batch_def *def, station *at, size_t cell, far_error *error) {
  const far_cell *c = &def->cells[cell];
  const far_shape shape = far_mdp_shape(c->mdp);
  leave(def, at);
  at->watchers = calloc(def->n_metrics + 1, sizeof *at->watchers);
  if (at->watchers == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for metrics");
  far_status status = far_agent_create(&at->agent, c->agent, &shape, 0, 0, error);
  for (size_t k = 0; status == FAR_OK && k < def->n_metrics; ++k)
    status = def->metrics[k]->create(&at->watchers[k], def->metrics[k], c->mdp, at->agent, c->steps,
                                     error);
  at->cell = cell;
  return status;
}

static void *work(void *argument) {
  pool *p = argument;
  station at = {.cell = SIZE_MAX};
  const int64_t blocks = (int64_t)p->batch->n_cells * p->blocks_in_cell;
  while (!atomic_load(&p->stop)) {
    const int64_t block = atomic_fetch_add(&p->next, 1);
    if (block >= blocks) break;
    const size_t cell = (size_t)(block / p->blocks_in_cell);
    far_error error;
    const bool here = at.watchers != NULL && at.cell == cell;
    if (!here && move_to(p->def, &at, cell, &error) != FAR_OK) {
      worker_failed(p, &error);
      break;
    }
    run_block(p, block % p->blocks_in_cell * p->block, &at);
  }
  leave(p->def, &at);
  pthread_mutex_lock(&p->lock);
  p->working -= 1;
  pthread_cond_signal(&p->changed);
  pthread_mutex_unlock(&p->lock);
  return NULL;
}

/* ---- the calling thread ---- */

/* Each cell goes on as its finished runs went, one that is not begun as the mean of the others. A cell
 * that is begun and has no finished run may take any time. Holds the lock. */
static double seconds_left(pool *p) {
  const far_batch_def *def = p->def;
  const int64_t handed_out = atomic_load(&p->next);
  double seconds = 0, spent = 0, spent_steps = 0, new_steps = 0;
  for (size_t i = 0; i < def->n_cells; ++i) {
    const cell_state *c = &p->batch->cells[i];
    const double done = (double)c->runs_done, left = (double)def->runs - done;
    spent += c->seconds;
    spent_steps += done * (double)def->cells[i].steps;
    if (done > 0)
      seconds += c->seconds / done * left;
    else if ((int64_t)i * p->blocks_in_cell < handed_out)
      return NAN;
    else
      new_steps += left * (double)def->cells[i].steps;
  }
  if (new_steps > 0) seconds += spent_steps > 0 ? spent / spent_steps * new_steps : NAN;
  return p->working > 0 ? seconds / p->working : 0;
}

static void wait_with_progress(pool *p, double total_steps) {
  const far_batch_def *def = p->def;
  const double begun = clock_seconds(CLOCK_MONOTONIC);
  pthread_mutex_lock(&p->lock);
  while (p->working > 0) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 100000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&p->changed, &p->lock, &until);
    if (def->progress == NULL) continue;
    const far_progress now = {.runs_done = p->runs_done,
                              .runs = (int64_t)def->n_cells * def->runs,
                              .steps_done = p->steps_done,
                              .steps = total_steps,
                              .seconds = clock_seconds(CLOCK_MONOTONIC) - begun,
                              .seconds_left = seconds_left(p)};
    pthread_mutex_unlock(&p->lock);
    if (!def->progress(def->user, &now)) atomic_store(&p->stop, true);
    pthread_mutex_lock(&p->lock);
  }
  pthread_mutex_unlock(&p->lock);
}

static unsigned thread_count(const far_batch_def *def, int64_t blocks) {
  long n = def->threads > 0 ? (long)def->threads : sysconf(_SC_NPROCESSORS_ONLN);
  if (n > 1024) n = 1024;
  if (n > blocks) n = (long)blocks;
  return n < 1 ? 1 : (unsigned)n;
}

/* Runs the pool on threads of its own while this one shows progress. */
static far_status run_threads(pool *p, unsigned wanted, double total_steps, far_error *error) {
  pthread_t *threads = malloc(wanted * sizeof *threads);
  if (threads == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for threads");
  unsigned started = 0;
  p->working = wanted;
  while (started < wanted && pthread_create(&threads[started], NULL, work, p) == 0) ++started;
  pthread_mutex_lock(&p->lock);
  p->working -= wanted - started;
  pthread_mutex_unlock(&p->lock);
  if (started > 0) wait_with_progress(p, total_steps);
  for (unsigned i = 0; i < started; ++i) pthread_join(threads[i], NULL);
  free(threads);
  return started > 0 ? FAR_OK : far__fail(error, FAR_STATUS_MEMORY, -1, "cannot start a thread");
}

static far_status run_pool(pool *p, double total_steps, far_error *error) {
  const unsigned wanted = thread_count(p->def, (int64_t)p->def->n_cells * p->blocks_in_cell);
  if (wanted > 1 || p->def->progress != NULL) {
    const far_status status = run_threads(p, wanted, total_steps, error);
    if (status != FAR_OK) return status;
  } else { /* nothing to do meanwhile: this thread does the work */
    p->working = 1;
    work(p);
  }
  if (p->status != FAR_OK && error != NULL) *error = p->error;
  return p->status;
}

static far_status check_def(const far_batch_def *def, far_error *error) {
  if (def->n_cells < 1 || def->runs < 1)
    return far__fail(error, FAR_STATUS_RANGE, -1, "there must be at least 1 cell and 1 run");
  if (def->runs > INT64_MAX / 16 / (int64_t)def->n_cells)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "%lld runs are too many", (long long)def->runs);
  for (size_t i = 0; i < def->n_cells; ++i)
    if (def->cells[i].mdp == NULL || def->cells[i].agent == NULL || def->cells[i].steps < 1)
      return far__fail(error, FAR_STATUS_RANGE, -1,
                       "a cell needs a model, an agent and at least 1 step");
  return FAR_OK;
}

/* Resolves the agent of one cell and makes room for its results. */
static far_status prepare_cell(cell_state *state, const far_cell *cell, int64_t runs,
                               size_t n_metrics, far_error *error) {
  far_agent *agent;
  const far_shape shape = far_mdp_shape(cell->mdp);
  const far_status status = far_agent_create(&agent, cell->agent, &shape, 0, 0, error);
  if (status != FAR_OK) return status;
  state->spec = strdup(far_agent_spec(agent));
  far_agent_free(agent);
  state->totals = malloc((size_t)runs * (n_metrics + 1) * sizeof *state->totals);
  state->metrics = calloc(n_metrics + 1, sizeof *state->metrics);
  if (state->spec == NULL || state->totals == NULL || state->metrics == NULL)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for %lld results", (long long)runs);
  for (int64_t i = 0; i < runs; ++i) state->totals[i] = NAN;
  return FAR_OK;
}

/* A stopped batch may have gaps: closes them, in order, in the totals and then in every metric. */
static int64_t close_gaps(double *totals, int64_t runs, size_t n_metrics) {
  int64_t finished = 0;
  for (int64_t i = 0; i < runs; ++i) {
    if (totals[i] != totals[i]) continue;
    for (size_t k = 0; k <= n_metrics; ++k)
      totals[(int64_t)k * runs + finished] = totals[(int64_t)k * runs + i];
    finished += 1;
  }
  return finished;
}

static void finish_cell(cell_state *state, int64_t runs, size_t n_metrics, uint8_t *bytes) {
  const int64_t finished = close_gaps(state->totals, runs, n_metrics);
  for (size_t k = 0; k <= n_metrics; ++k) {
    far_result *result = k == 0 ? &state->result : &state->metrics[k - 1];
    result->agent = state->spec;
    result->totals = state->totals + (int64_t)k * runs;
    result->seconds = state->seconds;
    far__summarise(result, result->totals, finished, bytes);
  }
}

static far_status prepare_batch(far_batch **out, const far_batch_def *def, double *total_steps,
                                far_error *error) {
  far_status status = check_def(def, error);
  if (status != FAR_OK) return status;
  far_batch *batch = calloc(1, sizeof *batch + def->n_cells * sizeof *batch->cells);
  if (batch == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the cells");
  *out = batch;
  batch->n_cells = def->n_cells;
  batch->n_metrics = def->n_metrics;
  batch->bytes = malloc((size_t)def->runs * 8);
  if (batch->bytes == NULL)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for %lld results",
                     (long long)def->runs);
  for (size_t i = 0; status == FAR_OK && i < def->n_cells; ++i) {
    status = prepare_cell(&batch->cells[i], &def->cells[i], def->runs, def->n_metrics, error);
    *total_steps += (double)def->cells[i].steps * (double)def->runs;
  }
  return status;
}

/* Runs the prepared cells; CANCELLED if not all runs were finished. */
static far_status run_cells(far_batch *batch, const far_batch_def *def, double total_steps,
                            far_error *error) {
  const double mean_steps = total_steps / (double)def->runs / (double)def->n_cells;
  pool p = {.def = def, .batch = batch, .block = 1 + (int64_t)(1e5 / mean_steps)};
  if (p.block > 64) p.block = 64;
  p.blocks_in_cell = (def->runs + p.block - 1) / p.block;
  pthread_mutex_init(&p.lock, NULL);
  pthread_cond_init(&p.changed, NULL);
  const far_status status = run_pool(&p, total_steps, error);
  pthread_cond_destroy(&p.changed);
  pthread_mutex_destroy(&p.lock);
  const int64_t all = (int64_t)def->n_cells * def->runs;
  if (status != FAR_OK || p.runs_done == all) return status;
  return far__fail(error, FAR_STATUS_CANCELLED, -1, "stopped after %lld of %lld runs",
                   (long long)p.runs_done, (long long)all);
}

far_status far_batch_run(far_batch **out, const far_batch_def *def, far_error *error) {
  *out = NULL;
  double total_steps = 0;
  const far_status prepared = prepare_batch(out, def, &total_steps, error);
  const far_status status =
      prepared == FAR_OK ? run_cells(*out, def, total_steps, error) : prepared;
  if (prepared == FAR_OK && (status == FAR_OK || status == FAR_STATUS_CANCELLED)) {
    for (size_t i = 0; i < def->n_cells; ++i)
      finish_cell(&(*out)->cells[i], def->runs, def->n_metrics, (*out)->bytes);
    return status;
  }
  far_batch_free(*out);
  *out = NULL;
  return status;
}

void far_batch_free(far_batch *batch) {
  if (batch == NULL) return;
  for (size_t i = 0; i < batch->n_cells; ++i) {
    free(batch->cells[i].spec);
    free(batch->cells[i].totals);
    free(batch->cells[i].metrics);
  }
  free(batch->bytes);
  free(batch);
}

const far_result *far_batch_result(const far_batch *batch, size_t i) {
  return i < batch->n_cells ? &batch->cells[i].result : NULL;
}

const far_result *far_batch_metric(const far_batch *batch, size_t i, size_t k) {
  return i < batch->n_cells && k < batch->n_metrics ? &batch->cells[i].metrics[k] : NULL;
}
