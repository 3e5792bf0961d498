/* The pool of a device: one thread drives it, a block after the other. What the device does not take, or has lost
 * by a failure, is left to the pool's rest. */
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/error.h"
#include "farsight/clock.h"
#include "farsight/device.h"
#include "run/device.h"
#include "run/pool.h"

enum { TRIAL_STEPS = 2000 };

/* AUTO does not look for a device for less than so many seconds of the processors, which is what it takes to
 * find one; a cell's model must be brought there. */
static const double WORTH_SECONDS = 1, BRING_SECONDS = 0.01;

typedef struct device_pool {
  far_pool base;
  far_device_def def;
  char *library;
  bool tried, told; /* the device was looked for; the failure was told */
  far__device device;
  far_pool *driver;           /* one thread; NULL while the device has nothing to do */
  const far_batch_def *batch; /* the present one */
  int64_t *lanes;             /* of each of its cells, 0: not taken */
  atomic_bool failed;         /* set by the driver, after the text */
  far_device_info info;
} device_pool;

far_device_def far_device_def_default(void) {
  return (far_device_def){.device = FAR_DEVICE_AUTO};
}

bool far_device_parse(far_device *out, const char *text) {
  static const char *const names[] = {"cpu", "gpu", "auto"};
  for (int i = 0; i < 3; ++i) {
    if (strcmp(text, names[i]) != 0) continue;
    *out = (far_device)i;
    return true;
  }
  return false;
}

/* ---- failures ---- */

static void give_up(device_pool *p, const char *what, const char *why) {
  snprintf(p->info.failure, sizeof p->info.failure, "%s%.200s", what, why);
  atomic_store(&p->failed, true);
}

static bool has_failed(const device_pool *p) {
  return atomic_load(&((device_pool *)p)->failed);
}

/* In the thread that runs the batch. */
static void tell_failure(device_pool *p) {
  char text[FAR_DEVICE_TEXT + 64];
  if (p->told || !has_failed(p)) return;
  p->told = true;
  snprintf(text, sizeof text, "%s; the processors compute what is missing", p->info.failure);
  if (p->def.note != NULL) p->def.note(p->def.user, text);
}

/* ---- the thread that drives the device ---- */

typedef struct driver {
  device_pool *pool;
  far_stop_fn *stop;
  void *user;
  size_t cell;         /* that the device is ready for; SIZE_MAX: none */
  far_worker *witness; /* computes one run of every block again */
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

/* Brings the cell to the device. */
static bool move_to(driver *d, size_t cell) {
  device_pool *p = d->pool;
  far__device_cell ready;
  far_error error;
  char why[FAR__WHY] = "";
  if (d->cell == cell) return true;
  d->cell = SIZE_MAX;
  if (far__device_cell_make(&ready, p->batch, cell, &error) != FAR_OK) {
    give_up(p, "the device is not used: ", error.message);
    return false;
  }
  const int64_t runs = far_batch_runs(p->batch, cell), most = p->lanes[cell];
  const bool good =
      p->device.backend->begin(p->device.state, &ready.task, runs < most ? runs : most, why) == 0;
  if (good) d->cell = cell;
  if (!good) give_up(p, "the device failed: ", why);
  far__device_cell_free(&ready);
  return good;
}

/* Does a thread compute the same for run i of the block? The answer is yes if it was stopped. */
static bool agrees(driver *d, const far_block *block, int64_t runs, const double *values,
                   int64_t i) {
  const size_t width = far_batch_width(d->pool->batch, block->cell);
  far_block one = {.cell = block->cell, .first = block->first + i, .runs = 1};
  far_error error;
  if (far_worker_run(d->witness, &one, &error) != FAR_OK) return false;
  bool same = true;
  for (size_t k = 0; one.runs == 1 && k < width; ++k)
    same &= far__bits(one.values[k]) == far__bits(values[(int64_t)k * runs + i]);
  free((void *)one.values);
  return same;
}

/* The values of the block (malloc); NULL if it was stopped, or the device failed. */
static double *compute(driver *d, const far_block *block, int64_t runs) {
  device_pool *p = d->pool;
  const far_batch_def *def = p->batch;
  const size_t width = far_batch_width(def, block->cell);
  const uint64_t first = def->first_replicate + (uint64_t)block->first;
  char why[FAR__WHY] = "";
  bool stopped = false;
  double *values = malloc((size_t)runs * width * sizeof *values);
  if (values == NULL)
    give_up(p, "the device is not used: ", "no memory for a block");
  else if (p->device.backend->run(p->device.state, first, runs, values, d->stop, d->user, &stopped,
                                  why) != 0)
    give_up(p, "the device failed: ", why);
  else if (!stopped && !agrees(d, block, runs, values, block->first % runs))
    give_up(p, "the device is not used: ", "it computes other numbers than the processor");
  else if (!stopped)
    return values;
  free(values);
  return NULL;
}

/* Never fails: a block that the device cannot compute comes back without runs. */
static far_status driver_run(void *worker, far_block *block, far_error *error) {
  driver *d = worker;
  const double begun = far_clock_seconds();
  const int64_t runs = block->runs;
  (void)error;
  *block = (far_block){.cell = block->cell, .first = block->first};
  if (has_failed(d->pool) || !move_to(d, block->cell)) return FAR_OK;
  double *values = compute(d, block, runs);
  if (values == NULL) return FAR_OK;
  block->values = values;
  block->runs = runs;
  block->seconds = far_clock_seconds() - begun;
  d->pool->info.runs += runs;
  d->pool->info.seconds += block->seconds;
  return FAR_OK;
}

/* ---- where cells run ---- */

/* Processor time of the cell's runs, from a few steps; the second of two trials, since the first builds the agent. */
static double measure(const far_batch_def *def, size_t cell) {
  far_cell c = def->cells[cell];
  const double steps = (double)c.steps * (double)far_batch_runs(def, cell);
  far_batch_def trial = far_batch_def_default();
  far_worker *worker;
  double seconds = NAN;
  c.steps = c.steps < TRIAL_STEPS ? c.steps : TRIAL_STEPS;
  c.n_checkpoints = 0;
  c.runs = 0;
  trial.cells = &c;
  trial.n_cells = 1;
  trial.runs = 2;
  if (far_worker_create(&worker, &trial, NULL, NULL, NULL) != FAR_OK) return NAN;
  for (int64_t i = 0; i < 2; ++i) {
    far_block block = {.first = i, .runs = 1};
    if (far_worker_run(worker, &block, NULL) == FAR_OK)
      seconds = block.seconds / (double)c.steps * steps;
    free((void *)block.values);
  }
  far_worker_free(worker);
  return seconds / far__pool_threads(def->threads);
}

static double estimate(const far__device *device, const far_batch_def *def, size_t cell) {
  const double runs = (double)far_batch_runs(def, cell);
  return BRING_SECONDS +
         (double)def->cells[cell].steps * (device->traits.latency + runs / device->traits.rate);
}

static void refuse(far_placement *out, const char *why) {
  out->on_device = false;
  snprintf(out->why, sizeof out->why, "%s", why);
}

/* By what the agent and the batch are. */
static far_status sort_out(far_placement *out, const device_pool *p, const far_batch_def *def,
                           size_t cell, far_error *error) {
  far__device_cell ready;
  const far_status status = far__device_cell_make(&ready, def, cell, error);
  if (status != FAR_OK) return status;
  *out = (far_placement){.on_device = true, .cpu_seconds = NAN, .device_seconds = NAN};
  const char *why = far__device_refuses(def, &def->cells[cell], ready.agent);
  if (why != NULL) refuse(out, why);
  far__device_cell_free(&ready);
  if (out->on_device && p->def.device == FAR_DEVICE_AUTO) out->cpu_seconds = measure(def, cell);
  return FAR_OK;
}

/* The device, where there is enough to do for it. */
static void look_for_device(device_pool *p, const far_placement *cells, size_t n) {
  far_error error;
  double seconds = 0;
  bool any = false;
  for (size_t i = 0; i < n; ++i) {
    any |= cells[i].on_device;
    if (cells[i].cpu_seconds > 0) seconds += cells[i].cpu_seconds;
  }
  if (!any || p->tried || (p->def.device == FAR_DEVICE_AUTO && seconds < WORTH_SECONDS)) return;
  p->tried = true;
  if (far__device_open(&p->device, p->library, &error) == FAR_OK)
    snprintf(p->info.name, sizeof p->info.name, "%s", p->device.traits.name);
  else
    give_up(p, "no device: ", error.message);
}

/* By what the device has room for, and with AUTO by what it takes. */
static int64_t settle(far_placement *out, const device_pool *p, const far_batch_def *def,
                      size_t cell) {
  far__device_cell ready;
  char text[FAR_DEVICE_TEXT];
  if (!out->on_device) return 0;
  if (p->device.backend == NULL || has_failed(p)) {
    snprintf(text, sizeof text, "the processors take about %.2g s", out->cpu_seconds);
    refuse(out, p->tried ? p->info.failure : text);
    return 0;
  }
  if (far__device_cell_make(&ready, def, cell, NULL) != FAR_OK) return 0;
  const int64_t lanes = p->device.backend->lanes(p->device.state, &ready.task);
  far__device_cell_free(&ready);
  if (lanes == 0) refuse(out, "the device has too little memory for one run");
  if (lanes == 0 || p->def.device != FAR_DEVICE_AUTO) return lanes;
  out->device_seconds = estimate(&p->device, def, cell);
  if (!(out->device_seconds >= out->cpu_seconds)) return lanes;
  snprintf(text, sizeof text, "the processors take about %.2g s, the device %.2g s",
           out->cpu_seconds, out->device_seconds);
  refuse(out, text);
  return 0;
}

/* `lanes` may be NULL. */
static far_status place(far_placement *out, int64_t *lanes, device_pool *p,
                        const far_batch_def *def, far_error *error) {
  far_status status = FAR_OK;
  for (size_t i = 0; status == FAR_OK && i < def->n_cells; ++i)
    status = sort_out(&out[i], p, def, i, error);
  if (status != FAR_OK) return status;
  look_for_device(p, out, def->n_cells);
  for (size_t i = 0; i < def->n_cells; ++i) {
    const int64_t room = settle(&out[i], p, def, i);
    if (lanes != NULL) lanes[i] = room;
  }
  return FAR_OK;
}

far_status far_device_place(far_placement *out, far_pool *pool, const far_batch_def *def,
                            far_error *error) {
  return place(out, NULL, (device_pool *)pool, def, error);
}

/* ---- what the batch calls ---- */

static void pool_end(far_pool *pool) {
  device_pool *p = (device_pool *)pool;
  if (p->driver != NULL) p->driver->end(p->driver);
  far_pool_free(p->driver);
  free(p->lanes);
  p->driver = NULL;
  p->lanes = NULL;
  tell_failure(p);
}

static far_status start_driver(device_pool *p, far_error *error) {
  static const far__worker_type type = {driver_create, driver_run, driver_free};
  far_status status = far__pool_create(&p->driver, 1, &type, p, error);
  if (status != FAR_OK) return status;
  status = p->driver->begin(p->driver, p->batch, error);
  if (status == FAR_OK) return FAR_OK;
  far_pool_free(p->driver);
  p->driver = NULL;
  return status;
}

static far_status pool_begin(far_pool *pool, const far_batch_def *def, far_error *error) {
  device_pool *p = (device_pool *)pool;
  far_placement *cells = malloc(def->n_cells * sizeof *cells);
  p->batch = def;
  p->info.batches += 1;
  p->lanes = calloc(def->n_cells, sizeof *p->lanes);
  far_status status = FAR_OK;
  if (cells == NULL || p->lanes == NULL)
    status = far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the cells");
  if (status == FAR_OK) status = place(cells, p->lanes, p, def, error);
  bool any = false;
  for (size_t i = 0; status == FAR_OK && i < def->n_cells; ++i) any |= cells[i].on_device;
  free(cells);
  if (any) status = start_driver(p, error);
  if (status == FAR_OK) return FAR_OK;
  free(p->lanes);
  p->lanes = NULL;
  return status;
}

static size_t pool_workers(const far_pool *pool) {
  (void)pool;
  return 1;
}

static size_t pool_room(const far_pool *pool) {
  const device_pool *p = (const device_pool *)pool;
  return p->driver != NULL ? p->driver->room(p->driver) : 0;
}

static far_status pool_give(far_pool *pool, const far_block *block, far_error *error) {
  device_pool *p = (device_pool *)pool;
  return p->driver->give(p->driver, block, error);
}

static far_status pool_take(far_pool *pool, far_block *block, bool *got, double seconds,
                            far_error *error) {
  device_pool *p = (device_pool *)pool;
  return p->driver->take(p->driver, block, got, seconds, error);
}

static void pool_stop(far_pool *pool) {
  device_pool *p = (device_pool *)pool;
  if (p->driver != NULL) p->driver->stop(p->driver);
}

static int64_t pool_takes(const far_pool *pool, size_t cell) {
  const device_pool *p = (const device_pool *)pool;
  return has_failed(p) ? 0 : p->lanes[cell];
}

/* ---- the pool ---- */

far_status far_device_pool_create(far_pool **out, const far_device_def *def, far_error *error) {
  *out = NULL;
  device_pool *p = calloc(1, sizeof *p);
  if (p == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a device");
  p->base = (far_pool){.begin = pool_begin,
                       .workers = pool_workers,
                       .room = pool_room,
                       .give = pool_give,
                       .take = pool_take,
                       .stop = pool_stop,
                       .end = pool_end,
                       .takes = pool_takes,
                       .rest = def->rest};
  p->def = *def;
  atomic_init(&p->failed, false);
  if (def->device == FAR_DEVICE_CPU) give_up(p, "", "the processors were asked for");
  p->told = def->device == FAR_DEVICE_CPU;
  p->tried = p->told;
  p->library = def->library != NULL ? strdup(def->library) : NULL;
  *out = &p->base;
  if (def->library == NULL || p->library != NULL) return FAR_OK;
  far_device_pool_free(*out);
  *out = NULL;
  return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a device");
}

void far_device_pool_free(far_pool *pool) {
  device_pool *p = (device_pool *)pool;
  if (p == NULL) return;
  far__device_close(&p->device);
  free(p->library);
  free(p);
}

far_device_info far_device_pool_info(const far_pool *pool) {
  return ((const device_pool *)pool)->info;
}
