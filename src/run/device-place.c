/* Who computes which cell of a batch: the device those that it takes and has room for, and with AUTO those that it
 * computes in less time than the processors. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "run/device-pool.h"
#include "run/pool.h"

enum { TRIAL_STEPS = 2000 };

/* AUTO does not look for a device for less than so many seconds of the processors, which is what it takes to
 * find one; a cell's model must be brought there. */
static const double WORTH_SECONDS = 1, BRING_SECONDS = 0.01;

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
static far_status sort_out(far_placement *out, const far__device_pool *p, const far_batch_def *def,
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
static void look_for_device(far__device_pool *p, const far_placement *cells, size_t n) {
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
    far__device_give_up(p, "no device: ", error.message);
}

/* By what the device has room for, and with AUTO by what it takes. */
static int64_t settle(far_placement *out, const far__device_pool *p, const far_batch_def *def,
                      size_t cell) {
  far__device_cell ready;
  char text[FAR_DEVICE_TEXT];
  if (!out->on_device) return 0;
  if (p->device.backend == NULL || far__device_has_failed(p)) {
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

far_status far__device_place(far_placement *out, int64_t *lanes, far__device_pool *p,
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
  return far__device_place(out, NULL, (far__device_pool *)pool, def, error);
}
