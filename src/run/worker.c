/* A worker computes blocks of runs on the thread that calls it, one run after the other, or several side by side
 * where that is faster (run/lanes.h). */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "run/batch.h"
#include "run/blocks.h"
#include "run/lanes.h"
#include "run/loop.h"
#include "run/peek.h"
#include "run/snapshot.h"

/* Steps between looks at the stop flag, for two actions; steps with more actions take longer. */
enum { CHUNK = 1 << 18, CHUNK_SLOW = 1 << 8, CHUNK_PLAN = 1 << 4, CHUNK_WATCHED = 1 << 3 };

struct far_worker {
  const far_batch_def *def;
  far__stop stop; /* also used by the agent and the metrics */
  size_t cell;    /* for which the worker is prepared; SIZE_MAX: none */
  far_agent *agent;
  far__lanes lanes;
  const far_simulator_def *simulator; /* of the last cell; NULL: it has a model */
  void *instance;                     /* of the simulator */
  void **watchers;                    /* one for each metric */
  double *visits; /* of each pair, if there are snapshots; a row of actions follows, as scratch */
  size_t n_pairs;
  far_snapshot *taken; /* of the block's runs */
  size_t n_taken, room;
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
  free(h->visits);
  if (h->instance != NULL) far__simulator_leave(h->instance, h->simulator);
  far__lanes_leave(&h->lanes);
  far_agent_free(h->agent);
  h->instance = NULL;
  h->watchers = NULL;
  h->visits = NULL;
  h->agent = NULL;
  h->cell = SIZE_MAX;
}

void far_worker_free(far_worker *worker) {
  if (worker != NULL) {
    leave_cell(worker);
    far__snapshots_free(worker->taken, worker->n_taken);
  }
  free(worker);
}

static far_status move_to(far_worker *h, size_t cell, far_error *error) {
  const far_batch_def *def = h->def;
  const far_cell *c = &def->cells[cell];
  const far_shape shape = far_cell_shape(c);
  leave_cell(h);
  h->simulator = c->simulator;
  h->watchers = calloc(def->n_metrics + 1, sizeof *h->watchers);
  if (h->watchers == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for metrics");
  far_status status = far__agent_create_on(&h->agent, c, &h->stop, error);
  if (status == FAR_OK) h->agent->stop = &h->stop;
  if (status == FAR_OK && h->simulator != NULL)
    status = far__simulator_enter(&h->instance, h->simulator, error);
  for (size_t k = 0; status == FAR_OK && k < def->n_metrics; ++k)
    status = def->metrics[k]->create(&h->watchers[k], def->metrics[k], c->mdp, h->agent, c->steps,
                                     error);
  if (status == FAR_OK && def->snapshots > 0 && c->n_checkpoints > 0) {
    h->n_pairs = (size_t)shape.n_states * shape.n_actions;
    h->visits = malloc((h->n_pairs + shape.n_actions) * sizeof *h->visits);
    if (h->visits == NULL)
      status = far__fail(error, FAR_STATUS_MEMORY, -1, "no memory to count the visits of %zu pairs",
                         h->n_pairs);
  }
  if (status != FAR_OK) return status;
  far__lanes_enter(&h->lanes, def, c, h->agent);
  h->cell = cell;
  return FAR_OK;
}

static int64_t chunk_for(const far_agent *agent, int64_t chunk) {
  return 1 + chunk / (1 + agent->shape.n_actions / 2);
}

/* Planning, metrics and user hooks make some steps thousands of times slower: then the stop flag is checked
 * more often. */
static int64_t chunk_of(const far_agent *agent, const far__run *run) {
  const far__agent_type *type = far__agent_type_of(agent);
  const bool plans = type->info.model_based || type->def != NULL || run->simulator != NULL;
  return chunk_for(agent, far__run_is_watched(run) ? CHUNK_WATCHED
                          : plans                  ? CHUNK_PLAN
                                                   : CHUNK_SLOW);
}

static int64_t least(int64_t a, int64_t b) {
  return a < b ? a : b;
}

/* Checkpoint k, or the end of the run: in steps, or in episodes for runs that end by them. */
static int64_t next_point(const far_cell *c, size_t k) {
  return k < c->n_checkpoints ? c->checkpoints[k] : far__cell_length(c);
}

/* The step at which the loop stops next: for the stop flag, checkpoint k or the end. */
static int64_t next_halt(const far_cell *c, int64_t t, int64_t chunk, size_t k) {
  return least(t + chunk, c->episodes > 0 ? c->steps : next_point(c, k));
}

/* The number of metric m for the run so far. If the run ended by episodes before its last possible step, a time that was
 * not reached is the number of possible steps. */
static double number_now(const far_worker *h, size_t m) {
  const far_metric *metric = h->def->metrics[m];
  const far_cell *c = &h->def->cells[h->cell];
  const double x = metric->sofar(h->watchers[m], h->agent);
  const bool absent = metric->event != NULL && x == (double)h->agent->t;
  return c->episodes > 0 && absent ? (double)c->steps : x;
}

/* Records the numbers at checkpoint k: those of the rewards are columns 0 ... n_checkpoints-1 of `curve`, followed
 * by the same for each metric that has a curve. */
static void note_point(const far_worker *h, const far__run *run, size_t k, double *curve,
                       int64_t stride) {
  const int64_t n = (int64_t)h->def->cells[h->cell].n_checkpoints;
  curve += (int64_t)k * stride;
  *curve = run->total;
  for (size_t m = 0; m < h->def->n_metrics; ++m)
    if (h->def->metrics[m]->sofar != NULL) *(curve += n * stride) = number_now(h, m);
}

/* Takes a snapshot, if the run has any. */
static far_status take_snapshot(far_worker *h, const far__run *run, int64_t replicate, int64_t step,
                                far_error *error) {
  if (run->visits == NULL) return FAR_OK;
  if (h->n_taken == h->room) {
    const size_t room = 2 * h->room + 8;
    far_snapshot *more = realloc(h->taken, room * sizeof *more);
    if (more == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for snapshots");
    h->taken = more;
    h->room = room;
  }
  far_snapshot *out = &h->taken[h->n_taken];
  const far_status status =
      far__snapshot_take(out, h->agent, run->visits, h->visits + h->n_pairs, error);
  out->replicate = replicate;
  out->step = step;
  h->n_taken += status == FAR_OK;
  return status;
}

/* Makes the steps of one run, and records its numbers at checkpoints in `curve`. CANCELLED, without a message, if it
 * was stopped. */
static far_status run_steps(far_worker *h, far__run *run, int64_t replicate, double *curve,
                            int64_t stride, far_error *error) {
  const far_cell *c = &h->def->cells[h->cell];
  const bool plain =
      h->simulator != NULL || far__run_is_watched(run) || h->def->generic || c->episodes > 0;
  far__loop *loop = plain ? far__loop_plain : far__loop_fused(h->agent);
  const int64_t chunk =
      loop == far__loop_plain ? chunk_of(h->agent, run) : chunk_for(h->agent, CHUNK);
  far_status status = FAR_OK;
  bool over = false;
  for (size_t k = 0; status == FAR_OK && !over;) {
    if (far__stopped(&h->stop)) return FAR_STATUS_CANCELLED;
    const int64_t t = run->agent->t, point = next_point(c, k);
    if (c->episodes > 0) run->most_episodes = point;
    status = loop(run, next_halt(c, t, chunk, k) - t, error);
    const int64_t at = c->episodes > 0 ? run->episodes : run->agent->t;
    over = run->agent->t == c->steps || at == far__cell_length(c);
    /* the last step may come before the last episode: the remaining checkpoints have the numbers of the end */
    for (; status == FAR_OK && k < c->n_checkpoints && (over || at == c->checkpoints[k]); ++k) {
      note_point(h, run, k, curve, stride);
      status = take_snapshot(h, run, replicate, c->checkpoints[k], error);
    }
  }
  return status;
}

static far_status begin(far_worker *h, far__run *run, uint64_t replicate, far_error *error) {
  const far_batch_def *def = h->def;
  *run = (far__run){.mdp = def->cells[h->cell].mdp,
                    .simulator = h->simulator,
                    .instance = h->instance,
                    .agent = h->agent,
                    .replicate = replicate,
                    .most_episodes = INT64_MAX,
                    .metrics = def->metrics,
                    .watchers = h->watchers,
                    .n_metrics = def->n_metrics};
  if (h->visits != NULL && replicate < (uint64_t)def->snapshots) {
    run->visits = h->visits;
    memset(h->visits, 0, h->n_pairs * sizeof *h->visits);
  }
  return far__run_begin(run, def->seed, def->agent_seed != 0 ? def->agent_seed : def->seed, error);
}

/* Computes run i of the batch into column 0 of `row` and so on, `stride` apart. A plan or a metric that was
 * stopped midway has left wrong numbers: a stop counts up to the last moment. */
static far_status run_once(far_worker *h, int64_t i, double *row, int64_t stride,
                           far_error *error) {
  const far_batch_def *def = h->def;
  const int64_t n_metrics = (int64_t)def->n_metrics;
  const uint64_t replicate = def->first_replicate + (uint64_t)i;
  far__run run;
  far_status status = begin(h, &run, replicate, error);
  for (size_t k = 0; status == FAR_OK && k < def->n_metrics; ++k)
    status = def->metrics[k]->begin(h->watchers[k], h->agent, run.s, error);
  double *curve = row + (1 + n_metrics) * stride;
  if (status == FAR_OK) status = run_steps(h, &run, (int64_t)replicate, curve, stride, error);
  for (int64_t k = 0; status == FAR_OK && k < n_metrics; ++k) {
    const far_metric *metric = def->metrics[k];
    const bool early = metric->sofar != NULL && h->agent->t < def->cells[h->cell].steps;
    row[(1 + k) * stride] =
        early ? number_now(h, (size_t)k) : metric->end(h->watchers[k], h->agent);
  }
  if (status == FAR_OK) status = far__agent_failure(h->agent, error);
  row[0] = run.total;
  return status == FAR_OK && h->stop.fired ? FAR_STATUS_CANCELLED : status;
}

/* ---- lanes ---- */

static void note_totals(const far__lanes *lanes, int64_t n, double *column) {
  for (int64_t i = 0; i < n; ++i) column[i] = lanes->lane[i].total;
}

/* As run_once, for the runs i ... i+n-1. If they are stopped, none is finished. */
static far_status run_lanes(far_worker *h, int64_t i, int64_t n, double *row, int64_t stride) {
  const far_batch_def *def = h->def;
  const far_cell *c = &def->cells[h->cell];
  const int64_t chunk = 1 + chunk_for(h->agent, CHUNK) / n;
  size_t k = 0;
  far__lanes_begin(&h->lanes, def, c->mdp, h->agent, def->first_replicate + (uint64_t)i, (size_t)n);
  for (int64_t t = 0; t < c->steps;) {
    if (far__stopped(&h->stop)) return FAR_STATUS_CANCELLED;
    const int64_t until = next_halt(c, t, chunk, k);
    h->lanes.loop(c->mdp, h->lanes.body, h->lanes.lane, (size_t)n, until - t);
    t = until;
    if (k < c->n_checkpoints && t == c->checkpoints[k])
      note_totals(&h->lanes, n, row + (int64_t)++k * stride);
  }
  note_totals(&h->lanes, n, row);
  return FAR_OK;
}

/* ---- blocks ---- */

bool far__block_fits(const far_batch_def *def, const far_block *b) {
  if (b->cell >= def->n_cells) return false;
  const int64_t runs = far__batch_runs(def, b->cell);
  return b->first >= 0 && b->first < runs && b->runs >= 1 && b->runs <= runs - b->first;
}

/* Prepares for the block's cell. CANCELLED, without a message, if it was stopped. */
static far_status prepare(far_worker *h, const far_block *block, int64_t wanted, far_error *error) {
  const far_block whole = {.cell = block->cell, .first = block->first, .runs = wanted};
  if (!far__block_fits(h->def, &whole))
    return far__fail(error, FAR_STATUS_RANGE, -1, "the batch has no such block");
  h->stop.fired = false;
  if (far__stopped(&h->stop)) return FAR_STATUS_CANCELLED;
  return h->cell == block->cell ? FAR_OK : move_to(h, block->cell, error);
}

/* Computes the `wanted` runs of the block into `values`, until a failure or a stop; *finished: how many are done. */
static far_status run_block(far_worker *h, const far_block *block, int64_t wanted, double *values,
                            int64_t *finished, far_error *error) {
  far_status status = FAR_OK;
  int64_t i = 0;
  while (i < wanted && status == FAR_OK) {
    const size_t before = h->n_taken;
    const int64_t first = block->first + i;
    const uint64_t replicate = h->def->first_replicate + (uint64_t)first;
    const bool alone = h->visits != NULL && replicate < (uint64_t)h->def->snapshots;
    const int64_t n = alone ? 1 : least(wanted - i, (int64_t)h->lanes.width);
    status = n > 1 ? run_lanes(h, first, n, values + i, wanted)
                   : run_once(h, first, values + i, wanted, error);
    if (status == FAR_OK)
      i += n;
    else
      while (h->n_taken > before) far_snapshot_free(&h->taken[--h->n_taken]);
  }
  *finished = i;
  return status;
}

far_status far_worker_run(far_worker *worker, far_block *block, far_error *error) {
  const double begun = far__clock_thread();
  const int64_t wanted = block->runs;
  int64_t finished;
  *block = (far_block){.cell = block->cell, .first = block->first};
  far_status status = prepare(worker, block, wanted, error);
  if (status != FAR_OK) return status == FAR_STATUS_CANCELLED ? FAR_OK : status;
  const size_t width = far__batch_width(worker->def, block->cell);
  const uint64_t most = SIZE_MAX / sizeof(double) / width;
  double *values =
      (uint64_t)wanted <= most ? malloc((size_t)wanted * width * sizeof *values) : NULL;
  if (values == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a block");
  status = run_block(worker, block, wanted, values, &finished, error);
  /* keeps the finished rows of all columns */
  for (size_t k = 0; finished < wanted && k < width; ++k)
    for (int64_t i = 0; i < finished; ++i)
      values[(int64_t)k * finished + i] = values[(int64_t)k * wanted + i];
  if (finished == 0) {
    free(values);
    values = NULL;
  }
  block->snapshots = worker->taken;
  block->n_snapshots = worker->n_taken;
  worker->taken = NULL;
  worker->n_taken = worker->room = 0;
  block->runs = finished;
  block->values = values;
  block->seconds = far__clock_thread() - begun;
  return status == FAR_STATUS_CANCELLED ? FAR_OK : status;
}
