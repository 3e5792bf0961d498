/* What a study would cost: what a store has of it, and sums. */
#include "questions/cost/cost.h"

#include <math.h> /* fmin */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "lab/store/access.h"
#include "run/blocks.h"
#include "run/device-pool.h"

/* What a store takes beside the numbers, as measured: when it is empty, for a cell, and for a block of
 * one series. */
static const double EMPTY_BYTES = 37000, CELL_BYTES = 1024, BLOCK_BYTES = 100;

far__cost_def far__cost_def_default(void) {
  return (far__cost_def){.seconds = 1};
}

static far_status no_memory(far_error *error) {
  return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for an estimate of the cost");
}

static unsigned count_processors(void) {
  const long n = sysconf(_SC_NPROCESSORS_ONLN);
  return n > 0 ? (unsigned)n : 1;
}

static far_status name_agents(far__cost *cost, const far_batch_def *def, far_error *error) {
  for (size_t i = 0; i < def->n_cells; ++i) {
    const far_shape shape = far_cell_shape(&def->cells[i]);
    char agent[FAR_SPEC_SIZE];
    const far_status status = far_agent_resolve(agent, def->cells[i].agent, &shape, error);
    if (status != FAR_OK) return status;
    cost->cells[i].agent = strdup(agent);
    if (cost->cells[i].agent == NULL) return no_memory(error);
  }
  return FAR_OK;
}

static far_status read_known(far__cost *cost, const far_batch_def *def, far_error *error) {
  far_status status = FAR_OK;
  for (size_t i = 0; i < def->n_cells; ++i) cost->cells[i].runs = far__batch_runs(def, i);
  for (size_t i = 0; cost->def.store != NULL && status == FAR_OK && i < def->n_cells; ++i)
    status = far__store_known(&cost->cells[i].known, cost->def.store, def, i, error);
  return status;
}

/* At most: an agent may have fewer arrays. */
static double snapshot_bytes(const far_batch_def *def, size_t cell, double left) {
  const far_shape shape = far_cell_shape(&def->cells[cell]);
  const double runs = fmin(left, (double)def->snapshots);
  return runs * (double)def->cells[cell].n_checkpoints * 32 * (double)shape.n_states *
         shape.n_actions;
}

static void add_up(far__cost *cost, const far_batch_def *def) {
  const unsigned workers = cost->def.workers;
  double blocks = 0, runs = 0;
  for (size_t i = 0; i < def->n_cells; ++i) {
    far__cost_cell *cell = &cost->cells[i];
    const double left = (double)(cell->runs - cell->known), steps = (double)def->cells[i].steps;
    cell->seconds = left * steps * cell->rate;
    cost->runs += cell->runs;
    cost->known += cell->known;
    cost->steps += left * steps;
    cost->seconds += cell->seconds / workers;
    cost->bytes +=
        left * 8 * (double)far__batch_width(def, i) + (cell->known == 0 ? CELL_BYTES : 0);
    cost->bytes += snapshot_bytes(def, i, left);
    blocks += far__schedule_blocks(left, cell->seconds, workers);
    runs += left;
  }
  blocks = fmin(runs, blocks + far__schedule_last_blocks(runs, workers));
  /* Total, metrics, and their curves. */
  const size_t points = def->cells[0].n_checkpoints;
  const size_t curves = points > 0 ? (far__batch_width(def, 0) - 1 - def->n_metrics) / points : 0;
  cost->bytes += BLOCK_BYTES * blocks * (double)(1 + def->n_metrics + curves);
  if (cost->def.store == NULL) cost->bytes += EMPTY_BYTES;
}

/* Asks the device which cells it takes. */
static far_status find_places(far__cost *cost, const far_batch_def *batch, far_error *error) {
  if (cost->def.device == NULL) return FAR_OK;
  cost->places = calloc(batch->n_cells, sizeof *cost->places);
  if (cost->places == NULL) return no_memory(error);
  return far__device_place(cost->places, NULL, cost->def.device, batch, error);
}

far_status far__cost_estimate(far__cost **out, const far__cost_def *def, far_error *error) {
  const far_batch_def *batch = far_study_batch(def->study);
  far__cost *cost = calloc(1, sizeof *cost);
  *out = NULL;
  if (cost != NULL) cost->cells = calloc(batch->n_cells, sizeof *cost->cells);
  if (cost == NULL || cost->cells == NULL) {
    far__cost_free(cost);
    return no_memory(error);
  }
  cost->def = *def;
  cost->n_cells = batch->n_cells;
  if (cost->def.workers == 0) cost->def.workers = count_processors();
  far_status status = name_agents(cost, batch, error);
  if (status == FAR_OK) status = far__cost_trials(cost, error);
  if (status == FAR_OK) status = read_known(cost, batch, error);
  if (status == FAR_OK) status = find_places(cost, batch, error);
  if (status != FAR_OK) {
    far__cost_free(cost);
    return status;
  }
  add_up(cost, batch);
  *out = cost;
  return FAR_OK;
}

void far__cost_free(far__cost *cost) {
  if (cost == NULL) return;
  for (size_t i = 0; i < cost->n_cells; ++i) free((char *)cost->cells[i].agent);
  free(cost->cells);
  free(cost->places);
  free(cost);
}
