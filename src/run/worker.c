/* One worker: computes blocks of runs, one after the other, on the thread that calls it. */
#include <stdlib.h>
#include <time.h>

#include "base/error.h"
#include "run/batch.h"
#include "run/loop.h"
#include "run/peek.h"

/* Steps between looks at the stop flag, of two actions; more actions make a step dearer. */
enum { CHUNK = 1 << 18, CHUNK_SLOW = 1 << 8, CHUNK_PLAN = 1 << 4, CHUNK_WATCHED = 1 << 3 };

struct far_worker {
  const far_batch_def *def;
  far__stop stop; /* the agent and its metrics look at it, too */
  size_t cell;    /* that it is ready for; SIZE_MAX: none */
  far_agent *agent;
  void **watchers; /* one for each metric */
};

far_status far_worker_create(far_worker **out, const far_batch_def *def, far_stop_fn *stop,
                             void *user, far_error *error) {
  *out = malloc(sizeof **out);
  if (*out == NULL)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a thread's state");
  **out = (far_worker){.def = def, .stop = {stop, user, false}, .cell = SIZE_MAX};
  return FAR_OK;
}

static void leave_cell(far_worker *h) {
  for (size_t k = 0; h->watchers != NULL && k < h->def->n_metrics; ++k)
    h->def->metrics[k]->free(h->watchers[k]);
  free(h->watchers);
  far_agent_free(h->agent);
  h->watchers = NULL;
  h->agent = NULL;
  h->cell = SIZE_MAX;
}

void far_worker_free(far_worker *worker) {
  if (worker != NULL) leave_cell(worker);
  free(worker);
}

static far_status move_to(far_worker *h, size_t cell, far_error *error) {
  const far_batch_def *def = h->def;
  const far_cell *c = &def->cells[cell];
  leave_cell(h);
  h->watchers = calloc(def->n_metrics + 1, sizeof *h->watchers);
  if (h->watchers == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for metrics");
  far_status status = far__agent_create_on(&h->agent, c->agent, c->mdp, &h->stop, error);
  if (status == FAR_OK) h->agent->stop = &h->stop;
  for (size_t k = 0; status == FAR_OK && k < def->n_metrics; ++k)
    status = def->metrics[k]->create(&h->watchers[k], def->metrics[k], c->mdp, h->agent, c->steps,
                                     error);
  if (status == FAR_OK) h->cell = cell;
  return status;
}

static far__loop *loop_for(const far_worker *h) {
  if (h->def->n_metrics > 0) return far__loop_watched;
  return h->def->generic ? far__loop_generic : far__loop_fused(h->agent);
}

/* Planning and metrics make some steps thousands of times dearer: then there are more looks. */
static int64_t chunk_of(const far_agent *agent, far__loop *loop) {
  const bool plans = far__agent_type_of(agent)->info.model_based;
  const int64_t chunk = loop == far__loop_watched   ? CHUNK_WATCHED
                        : loop != far__loop_generic ? CHUNK
                        : plans                     ? CHUNK_PLAN
                                                    : CHUNK_SLOW;
  return 1 + chunk / (1 + agent->shape.n_actions / 2);
}

static int64_t least(int64_t a, int64_t b) {
  return a < b ? a : b;
}

/* The steps of one run; its number at checkpoint k goes to curve[k * stride]. CANCELLED, without a
 * message, when it was stopped. */
static far_status run_steps(far_worker *h, far__run *run, double *curve, int64_t stride,
                            far_error *error) {
  const far_cell *c = &h->def->cells[h->cell];
  far__loop *loop = loop_for(h);
  const int64_t chunk = chunk_of(h->agent, loop);
  size_t k = 0;
  for (int64_t t = 0; t < c->steps;) {
    if (far__stopped(&h->stop)) return FAR_STATUS_CANCELLED;
    int64_t until = least(t + chunk, c->steps);
    if (k < c->n_checkpoints) until = least(until, c->checkpoints[k]);
    const far_status status = loop(run, until - t, error);
    if (status != FAR_OK) return status;
    t = until;
    if (k < c->n_checkpoints && t == c->checkpoints[k]) curve[(int64_t)k++ * stride] = run->total;
  }
  return FAR_OK;
}

/* Run i of the batch into column 0 of `row` and so on, `stride` apart. A plan or a metric that was
 * stopped on its way has left wrong numbers, so that a stop counts up to the last moment. */
static far_status run_once(far_worker *h, int64_t i, double *row, int64_t stride,
                           far_error *error) {
  const far_batch_def *def = h->def;
  const int64_t n_metrics = (int64_t)def->n_metrics;
  far__run run;
  far__run_begin(&run, def->cells[h->cell].mdp, h->agent, def->seed,
                 def->first_replicate + (uint64_t)i);
  run.metrics = def->metrics;
  run.watchers = h->watchers;
  run.n_metrics = def->n_metrics;
  far_status status = FAR_OK;
  for (size_t k = 0; status == FAR_OK && k < def->n_metrics; ++k)
    status = def->metrics[k]->begin(h->watchers[k], h->agent, run.s, error);
  if (status == FAR_OK) status = run_steps(h, &run, row + (1 + n_metrics) * stride, stride, error);
  for (int64_t k = 0; status == FAR_OK && k < n_metrics; ++k)
    row[(1 + k) * stride] = def->metrics[k]->end(h->watchers[k], h->agent);
  row[0] = run.total;
  return status == FAR_OK && h->stop.fired ? FAR_STATUS_CANCELLED : status;
}

/* The first `kept` rows of all columns, closed up. */
static void shorten(double *values, size_t width, int64_t rows, int64_t kept) {
  for (size_t k = 0; k < width; ++k)
    for (int64_t i = 0; i < kept; ++i)
      values[(int64_t)k * kept + i] = values[(int64_t)k * rows + i];
}

static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool far__block_fits(const far_batch_def *def, const far_block *b) {
  if (b->cell >= def->n_cells) return false;
  const int64_t runs = far_batch_runs(def, b->cell);
  return b->first >= 0 && b->first < runs && b->runs >= 1 && b->runs <= runs - b->first;
}

/* Gets ready for the block's cell. CANCELLED, without a message, when it was stopped. */
static far_status prepare(far_worker *h, const far_block *block, far_error *error) {
  h->stop.fired = false;
  if (far__stopped(&h->stop)) return FAR_STATUS_CANCELLED;
  return h->cell == block->cell ? FAR_OK : move_to(h, block->cell, error);
}

far_status far_worker_run(far_worker *worker, far_block *block, far_error *error) {
  const double begun = cpu_seconds();
  block->values = NULL;
  if (!far__block_fits(worker->def, block))
    return far__fail(error, FAR_STATUS_RANGE, -1, "the batch has no such block");
  far_status status = prepare(worker, block, error);
  if (status == FAR_STATUS_CANCELLED) block->runs = 0;
  if (status != FAR_OK) return status == FAR_STATUS_CANCELLED ? FAR_OK : status;
  const size_t width = far_batch_width(worker->def, block->cell);
  double *values = malloc((size_t)block->runs * width * sizeof *values);
  if (values == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a block");
  int64_t i = 0;
  while (i < block->runs && status == FAR_OK) {
    status = run_once(worker, block->first + i, values + i, block->runs, error);
    if (status == FAR_OK) ++i;
  }
  if (status != FAR_OK && status != FAR_STATUS_CANCELLED) {
    free(values);
    return status;
  }
  if (i < block->runs) shorten(values, width, block->runs, i);
  if (i == 0) {
    free(values);
    values = NULL;
  }
  block->runs = i;
  block->values = values;
  block->seconds = cpu_seconds() - begun;
  return FAR_OK;
}
