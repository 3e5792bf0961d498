/* Decides where each cell of a batch is computed: on the device, if it can compute the cell and has room; with AUTO, if
 * it also takes less time than the processors. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "run/blocks.h"
#include "run/device-pool.h"
#include "run/lanes.h"
#include "run/pool.h"

enum { TRIAL_STEPS = 1000 };

/* AUTO looks for a device only if the processors would take WORTH_SECONDS, which is the time to find one, and
 * measures it only for cells of WORTH_MEASURING. */
static const double WORTH_SECONDS = 1, WORTH_MEASURING = 0.05;

/* Runs of a cell that are not known. Blocks of known runs may overlap: then there are more. */
static int64_t runs_left(const far_batch_def *def, size_t cell) {
  int64_t left = far__batch_runs(def, cell);
  for (size_t i = 0; i < def->n_done; ++i)
    if (def->done[i].cell == cell) left -= def->done[i].runs;
  return left > 0 ? left : 0;
}

/* Estimates the processor time of the cell's runs, from a few steps of runs side by side; by the second of two
 * trials, since the first builds the agent. */
static double measure(const far_batch_def *def, size_t cell, const far_agent *agent) {
  far_cell c = def->cells[cell];
  const int64_t runs = runs_left(def, cell);
  if (runs == 0) return 0;
  const int64_t width = (int64_t)far__lanes_width(def, &c, agent), n = width < runs ? width : runs;
  const double steps = (double)c.steps * (double)runs;
  far_batch_def trial = *def;
  far_worker *worker;
  double seconds = NAN;
  c.steps = c.steps < TRIAL_STEPS ? c.steps : TRIAL_STEPS;
  c.n_checkpoints = 0;
  c.runs = n;
  trial.cells = &c;
  trial.n_cells = 1;
  if (far_worker_create(&worker, &trial, NULL, NULL, NULL) != FAR_OK) return NAN;
  for (int i = 0; i < 2; ++i) {
    far_block block = {.runs = n};
    if (far_worker_run(worker, &block, NULL) == FAR_OK)
      seconds = block.seconds / (double)(n * c.steps) * steps;
    free((void *)block.values);
  }
  far_worker_free(worker);
  return seconds;
}

static void refuse(far__placement *out, const char *why) {
  out->on_device = false;
  snprintf(out->why, sizeof out->why, "%.*s", FAR_DEVICE_TEXT - 1, why);
}

/* Places a cell by the kind of its agent and batch; AUTO also estimates its processor time. */
static far_status sort_out(far__placement *out, const far__device_pool *p, const far_batch_def *def,
                           size_t cell, far_error *error) {
  far__device_cell ready;
  const far_status status = far__device_cell_make(&ready, def, cell, error);
  if (status != FAR_OK) return status;
  *out = (far__placement){.on_device = true, .cpu_seconds = NAN, .device_seconds = NAN};
  const char *why = far__device_refuses(def, &def->cells[cell], ready.agent);
  const unsigned threads = p->def.workers > 0 ? p->def.workers : far__pool_threads(def->threads);
  if (why != NULL)
    refuse(out, why);
  else if (p->def.device == FAR_DEVICE_AUTO)
    out->cpu_seconds = measure(def, cell, ready.agent) / threads;
  far__device_cell_free(&ready);
  return FAR_OK;
}

/* Opens the device, if a cell can use it and (AUTO) there is enough to compute. */
static void look_for_device(far__device_pool *p, const far__placement *cells, size_t n) {
  far_error error;
  double seconds = 0;
  bool any = false;
  for (size_t i = 0; i < n; ++i) {
    any |= cells[i].on_device;
    if (cells[i].cpu_seconds > 0) seconds += cells[i].cpu_seconds;
  }
  if (!any || p->tried || (p->def.device == FAR_DEVICE_AUTO && seconds < WORTH_SECONDS)) return;
  p->tried = true;
  if (far__device_open(&p->device, p->library, p->def.number, &error) == FAR_OK)
    snprintf(p->info.name, sizeof p->info.name, "%s", p->device.traits.name);
  else
    far__device_give_up(p, "no device: ", error.message);
}

/* AUTO: places a cell by the estimated times. */
static void choose(far__placement *out, far__device_pool *p, const far_batch_def *def, size_t cell,
                   const far__device_task *task, int64_t lanes) {
  char text[FAR_DEVICE_TEXT];
  if (out->cpu_seconds >= WORTH_MEASURING)
    out->device_seconds = far__device_measure(p, task, runs_left(def, cell), lanes);
  if (far__device_has_failed(p)) {
    refuse(out, p->info.failure);
    return;
  }
  const bool both = out->device_seconds >= 0;
  if (both)
    snprintf(text, sizeof text, "the processors take about %.2g s, the device %.2g s",
             out->cpu_seconds, out->device_seconds);
  else
    snprintf(text, sizeof text, "the processors take about %.2g s", out->cpu_seconds);
  refuse(out, text);
  out->on_device = both && !(out->device_seconds >= out->cpu_seconds);
}

/* Places a cell that can run on the device; returns its lanes there, or 0 if the processors compute it. */
static int64_t settle(far__placement *out, far__device_pool *p, const far_batch_def *def,
                      size_t cell) {
  far__device_cell ready;
  char text[FAR_DEVICE_TEXT];
  if (!out->on_device) return 0;
  if (p->device.backend == NULL || far__device_has_failed(p)) {
    snprintf(text, sizeof text, "the processors take about %.2g s", out->cpu_seconds);
    refuse(out, p->tried ? p->info.failure : text);
    return 0;
  }
  far_error error;
  if (far__device_cell_make(&ready, def, cell, &error) != FAR_OK) {
    refuse(out, error.message); /* the processors will report the same failure */
    return 0;
  }
  const int64_t lanes = p->device.backend->lanes(p->device.state, &ready.task);
  if (lanes == 0) refuse(out, "the device has too little memory for one run");
  if (lanes > 0 && p->def.device == FAR_DEVICE_AUTO) choose(out, p, def, cell, &ready.task, lanes);
  far__device_cell_free(&ready);
  return out->on_device ? lanes : 0;
}

far_status far__device_place(far__placement *out, int64_t *lanes, far_pool *pool,
                             const far_batch_def *def, far_error *error) {
  far__device_pool *p = (far__device_pool *)pool;
  far_status status = FAR_OK;
  for (size_t i = 0; status == FAR_OK && i < def->n_cells; ++i)
    status = sort_out(&out[i], p, def, i, error);
  if (status != FAR_OK) return status;
  look_for_device(p, out, def->n_cells);
  for (size_t i = 0; i < def->n_cells; ++i) {
    const int64_t room = settle(&out[i], p, def, i);
    if (lanes != NULL) lanes[i] = room;
  }
  for (size_t i = 0; far__device_has_failed(p) && i < def->n_cells; ++i)
    if (out[i].on_device)
      refuse(&out[i], p->info.failure); /* the device failed while another cell was measured */
  return FAR_OK;
}
