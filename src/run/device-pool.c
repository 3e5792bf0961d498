/* The pool of a device and processors: one thread drives the device, block after block, while the processors compute
 * the cells that the device does not take, and the blocks of a device that failed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/clock.h"
#include "base/error.h"
#include "run/blocks.h"
#include "run/device-pool.h"
#include "run/pool.h"

/* While both have blocks, how long the pool waits for one before it looks at the other. */
static const double GLANCE_SECONDS = 2e-3;

far_device_def far_device_def_default(void) {
  return (far_device_def){.device = FAR_DEVICE_AUTO};
}

bool far__device_parse(far_device *out, const char *text) {
  static const char *const names[] = {"cpu", "gpu", "auto"};
  for (int i = 0; i < 3; ++i) {
    if (strcmp(text, names[i]) != 0) continue;
    *out = (far_device)i;
    return true;
  }
  return false;
}

/* ---- failures ---- */

void far__device_give_up(far__device_pool *p, const char *what, const char *why) {
  snprintf(p->info.failure, sizeof p->info.failure, "%s%.200s", what, why);
  atomic_store(&p->failed, true);
}

bool far__device_has_failed(const far__device_pool *p) {
  return atomic_load(&((far__device_pool *)p)->failed);
}

/* Reports the failure once, in the thread that runs the batch. */
static void note_failure(far__device_pool *p) {
  char text[FAR_DEVICE_TEXT + 64];
  if (p->noted || !far__device_has_failed(p)) return;
  p->noted = true;
  snprintf(text, sizeof text, "%s; the processors compute what is missing", p->info.failure);
  if (p->def.note != NULL) p->def.note(p->def.user, text);
}

/* ---- the thread that drives the device ---- */

typedef struct driver {
  far__device_pool *pool;
  far_stop_fn *stop;
  void *user;
  size_t cell;         /* for which the device is prepared; SIZE_MAX: none */
  far_worker *witness; /* repeats one run of every block on the processor */
} driver;

static void driver_free(void *worker) {
  driver *d = worker;
  if (d == NULL) return;
  if (d->cell != SIZE_MAX) d->pool->device.backend->end(d->pool->device.state);
  far_worker_free(d->witness);
  free(d);
}

static far_status driver_create(void **out, void *user, const far_batch_def *def, far_stop_fn *stop,
                                void *stop_user, far_error *error) {
  driver *d = malloc(sizeof *d);
  *out = d;
  if (d == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a thread's state");
  *d = (driver){.pool = user, .stop = stop, .user = stop_user, .cell = SIZE_MAX};
  const far_status status = far_worker_create(&d->witness, def, stop, stop_user, error);
  if (status == FAR_OK) return FAR_OK;
  driver_free(d);
  *out = NULL;
  return status;
}

/* Prepares the device for a cell. */
static bool move_to(driver *d, size_t cell) {
  far__device_pool *p = d->pool;
  far__device_cell ready;
  far_error error;
  char why[FAR__WHY] = "";
  if (d->cell == cell) return true;
  d->cell = SIZE_MAX;
  if (far__device_cell_make(&ready, p->batch, cell, &error) != FAR_OK) {
    far__device_give_up(p, "the device is not used: ", error.message);
    return false;
  }
  const int64_t runs = far__batch_runs(p->batch, cell), most = p->lanes[cell];
  const bool good =
      p->device.backend->begin(p->device.state, &ready.task, runs < most ? runs : most, why) == 0;
  if (good) d->cell = cell;
  if (!good) far__device_give_up(p, "the device failed: ", why);
  far__device_cell_free(&ready);
  return good;
}

/* Does the processor compute the same values for run i of the block? True if it was stopped. */
static bool agrees(driver *d, const far_block *block, int64_t runs, const double *values,
                   int64_t i) {
  const size_t width = far__batch_width(d->pool->batch, block->cell);
  far_block one = {.cell = block->cell, .first = block->first + i, .runs = 1};
  far_error error;
  if (far_worker_run(d->witness, &one, &error) != FAR_OK) return false;
  bool same = true;
  for (size_t k = 0; one.runs == 1 && k < width; ++k)
    same &= far__bits(one.values[k]) == far__bits(values[(int64_t)k * runs + i]);
  free((void *)one.values);
  return same;
}

/* Computes a block; its values (malloc), or NULL if it was stopped or the device failed. */
static double *compute(driver *d, const far_block *block, int64_t runs) {
  far__device_pool *p = d->pool;
  const far_batch_def *def = p->batch;
  const size_t width = far__batch_width(def, block->cell);
  const uint64_t first = def->first_replicate + (uint64_t)block->first;
  char why[FAR__WHY] = "";
  bool stopped = false;
  double *values = malloc((size_t)runs * width * sizeof *values);
  if (values == NULL)
    far__device_give_up(p, "the device is not used: ", "no memory for a block");
  else if (p->device.backend->run(p->device.state, first, runs, values, d->stop, d->user, &stopped,
                                  why) != 0)
    far__device_give_up(p, "the device failed: ", why);
  else if (!stopped && !agrees(d, block, runs, values, block->first % runs))
    far__device_give_up(p,
                        "the device is not used: ", "it computes other numbers than the processor");
  else if (!stopped)
    return values;
  free(values);
  return NULL;
}

/* Never fails: a block that the device cannot compute is returned without runs. */
static far_status driver_run(void *worker, far_block *block, far_error *error) {
  driver *d = worker;
  const double begun = far__clock_seconds();
  const int64_t runs = block->runs;
  (void)error;
  *block = (far_block){.cell = block->cell, .first = block->first, .on_device = true};
  if (far__device_has_failed(d->pool) || !move_to(d, block->cell)) return FAR_OK;
  double *values = compute(d, block, runs);
  if (values == NULL) return FAR_OK;
  block->values = values;
  block->runs = runs;
  block->seconds = far__clock_seconds() - begun;
  d->pool->info.runs += runs;
  d->pool->info.seconds += block->seconds;
  return FAR_OK;
}

/* ---- the pool's functions for the batch ---- */

static void end_part(far_pool **part, bool own) {
  if (*part != NULL) (*part)->end(*part);
  if (own) far_pool_free(*part);
  *part = NULL;
}

static void pool_end(far_pool *pool) {
  far__device_pool *p = (far__device_pool *)pool;
  end_part(&p->driver, true);
  end_part(&p->rest, p->def.rest == NULL);
  free(p->lanes);
  p->lanes = NULL;
  note_failure(p);
}

/* Begins the batch in a part; on failure frees it if it is our own. */
static far_status begin_part(far_pool **part, const far__device_pool *p, bool own,
                             far_error *error) {
  const far_status status = (*part)->begin(*part, p->batch, error);
  if (status == FAR_OK) return FAR_OK;
  if (own) far_pool_free(*part);
  *part = NULL;
  return status;
}

/* Adds up AUTO's estimates, and describes them in p->info.choice. */
static void explain(far__device_pool *p, const far__placement *cells, size_t n) {
  double *sums;
  for (size_t i = 0; i < n; ++i) {
    sums = cells[i].on_device ? p->there : p->here;
    if (cells[i].cpu_seconds > 0) sums[0] += cells[i].cpu_seconds;
    if (cells[i].device_seconds > 0) sums[1] += cells[i].device_seconds;
  }
  sums = p->there[1] > 0 ? p->there : p->here;
  if (p->def.device != FAR_DEVICE_AUTO)
    return;
  else if (sums[1] > 0)
    snprintf(p->info.choice, sizeof p->info.choice,
             "estimated: %.2g s on the device, %.2g s on the processors", sums[1], sums[0]);
  else
    snprintf(p->info.choice, sizeof p->info.choice, "estimated: %.2g s on the processors", sums[0]);
}

static far_status pool_begin(far_pool *pool, const far_batch_def *def, far_error *error) {
  far__device_pool *p = (far__device_pool *)pool;
  far__placement *cells = malloc(def->n_cells * sizeof *cells);
  p->batch = def;
  p->info.batches += 1;
  p->out = p->rest_out = 0;
  p->lanes = calloc(def->n_cells, sizeof *p->lanes);
  far_status status = FAR_OK;
  if (cells == NULL || p->lanes == NULL)
    status = far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the cells");
  if (status == FAR_OK) status = far__device_place(cells, p->lanes, pool, def, error);
  bool any = false;
  for (size_t i = 0; status == FAR_OK && i < def->n_cells; ++i) any |= cells[i].on_device;
  if (status == FAR_OK) explain(p, cells, def->n_cells);
  free(cells);
  if (status == FAR_OK && any) {
    static const far__worker_type type = {driver_create, driver_run, driver_free, true};
    status = far__pool_create(&p->driver, 1, &type, p, error);
    if (status == FAR_OK) status = begin_part(&p->driver, p, true, error);
  }
  if (status == FAR_OK) {
    const bool own = p->def.rest == NULL;
    p->rest = p->def.rest;
    if (own) status = far_pool_create(&p->rest, def->threads, error);
    if (status == FAR_OK) status = begin_part(&p->rest, p, own, error);
  }
  if (status != FAR_OK) pool_end(pool);
  return status;
}

static size_t pool_workers(const far_pool *pool) {
  const far__device_pool *p = (const far__device_pool *)pool;
  return p->rest->workers(p->rest);
}

static size_t pool_room(const far_pool *pool) {
  const far__device_pool *p = (const far__device_pool *)pool;
  return p->rest->room(p->rest);
}

static size_t pool_device_room(const far_pool *pool) {
  const far__device_pool *p = (const far__device_pool *)pool;
  return p->driver != NULL ? p->driver->room(p->driver) : 0;
}

static far_status pool_give(far_pool *pool, const far_block *block, far_error *error) {
  far__device_pool *p = (far__device_pool *)pool;
  far_pool *part = block->on_device ? p->driver : p->rest;
  const far_status status = part->give(part, block, error);
  if (status == FAR_OK) *(block->on_device ? &p->out : &p->rest_out) += 1;
  return status;
}

static far_status take_from(far_pool *part, size_t *out, far_block *block, bool *got,
                            double seconds, far_error *error) {
  *got = false;
  if (*out == 0) return FAR_OK;
  const far_status status = part->take(part, block, got, seconds, error);
  if (*got) *out -= 1;
  return status;
}

/* Looks at both parts in turn while both have blocks. */
static far_status pool_take(far_pool *pool, far_block *block, bool *got, double seconds,
                            far_error *error) {
  far__device_pool *p = (far__device_pool *)pool;
  const double until = far__clock_seconds() + seconds;
  double left = seconds;
  do {
    far_status status =
        take_from(p->driver, &p->out, block, got, p->rest_out > 0 ? 0 : left, error);
    if (status != FAR_OK || *got) return status;
    const double wait = p->out > 0 && left > GLANCE_SECONDS ? GLANCE_SECONDS : left;
    status = take_from(p->rest, &p->rest_out, block, got, wait, error);
    if (status != FAR_OK || *got) return status;
    left = until - far__clock_seconds();
  } while (left > 0);
  return FAR_OK;
}

static void pool_stop(far_pool *pool) {
  far__device_pool *p = (far__device_pool *)pool;
  if (p->driver != NULL) p->driver->stop(p->driver);
  p->rest->stop(p->rest);
}

static int64_t pool_takes(const far_pool *pool, size_t cell) {
  const far__device_pool *p = (const far__device_pool *)pool;
  return far__device_has_failed(p) ? 0 : p->lanes[cell];
}

/* ---- creation ---- */

far_status far_device_pool_create(far_pool **out, const far_device_def *def, far_error *error) {
  *out = NULL;
  far__device_pool *p = calloc(1, sizeof *p);
  if (p == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a device");
  p->base = (far_pool){.begin = pool_begin,
                       .workers = pool_workers,
                       .room = pool_room,
                       .give = pool_give,
                       .take = pool_take,
                       .stop = pool_stop,
                       .end = pool_end,
                       .takes = pool_takes,
                       .device_room = pool_device_room};
  p->def = *def;
  atomic_init(&p->failed, false);
  if (def->device == FAR_DEVICE_CPU) far__device_give_up(p, "", "the processors were asked for");
  p->noted = def->device == FAR_DEVICE_CPU;
  p->tried = p->noted;
  p->library = def->library != NULL ? strdup(def->library) : NULL;
  *out = &p->base;
  if (def->library == NULL || p->library != NULL) return FAR_OK;
  far_device_pool_free(*out);
  *out = NULL;
  return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a device");
}

void far_device_pool_free(far_pool *pool) {
  far__device_pool *p = (far__device_pool *)pool;
  if (p == NULL) return;
  far__device_close(&p->device);
  free(p->library);
  free(p);
}

far_device_info far_device_pool_info(const far_pool *pool) {
  return ((const far__device_pool *)pool)->info;
}
