/* The batch: checks its definition, makes room for its numbers, and summarises them. Runs are scheduled by
 * schedule.c and computed by the workers of a pool. */
#include "run/batch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agents/guest.h"
#include "base/available.h"
#include "base/bytes.h"
#include "base/error.h"
#include "run/blocks.h"
#include "run/lanes.h"
#include "run/peek.h"
#include "run/snapshot.h"
#include "statistics/sample.h"

/* To be raised when the same spec and seed give other bits than in an earlier release: tests/golden shows
 * when. Stored results of other numerics are never mixed with new ones. */
int far_numerics(void) {
  return 3;
}

far_batch_def far_batch_def_default(void) {
  return (far_batch_def){.runs = 300, .seed = 1};
}

size_t far__batch_width(const far_batch_def *def, size_t cell) {
  size_t curves = 1; /* that of the rewards, and of every metric that has a number before the end */
  for (size_t k = 0; k < def->n_metrics; ++k) curves += def->metrics[k]->sofar != NULL;
  return 1 + def->n_metrics + curves * def->cells[cell].n_checkpoints;
}

int64_t far__batch_runs(const far_batch_def *def, size_t cell) {
  return def->cells[cell].runs > 0 ? def->cells[cell].runs : def->runs;
}

far_shape far_cell_shape(const far_cell *cell) {
  return far_shape_for(cell->mdp != NULL ? far_mdp_shape(cell->mdp) : cell->simulator->shape,
                       cell->steps, cell->episodes);
}

const char *far_cell_env(const far_cell *cell) {
  const char *spec = cell->mdp != NULL ? far_mdp_spec(cell->mdp) : cell->simulator->name;
  const char *name = spec != NULL && spec[0] != '\0' ? spec : cell->name;
  return name != NULL ? name : "";
}

/* ---- checks and memory ---- */

static far_status check_checkpoints(const far_cell *c, far_error *error) {
  const int64_t length = far__cell_length(c);
  int64_t last = 0;
  for (size_t k = 0; k < c->n_checkpoints; ++k) {
    if (c->checkpoints[k] <= last || c->checkpoints[k] > length)
      return far__fail(error, FAR_STATUS_RANGE, -1,
                       "checkpoint %lld: they must ascend from 1 to the %lld %s of the run",
                       (long long)c->checkpoints[k], (long long)length,
                       c->episodes > 0 ? "episodes" : "steps");
    last = c->checkpoints[k];
  }
  return FAR_OK;
}

/* A cell has a model, or a simulator and metrics that need no model. */
static far_status check_world(const far_cell *c, const far_batch_def *def, far_error *error) {
  if ((c->mdp != NULL) == (c->simulator != NULL))
    return far__fail(error, FAR_STATUS_RANGE, -1, "a cell needs either a model or a simulator");
  if (c->mdp != NULL) return FAR_OK;
  for (size_t k = 0; k < def->n_metrics; ++k)
    if (!def->metrics[k]->without_model)
      return far__fail(error, FAR_STATUS_CONFLICT, -1,
                       "the metric %.100s needs the model, and the simulator %.100s has none",
                       def->metrics[k]->name, c->simulator->name != NULL ? c->simulator->name : "");
  return far_simulator_check(c->simulator, error);
}

static far_status check_snapshots(const far_batch_def *def, const far_cell *c, far_error *error) {
  const far_shape shape = far_cell_shape(c);
  const double pairs = (double)shape.n_states * shape.n_actions * (double)c->n_checkpoints;
  if (def->snapshots < 0)
    return far__fail(error, FAR_STATUS_RANGE, -1, "snapshots must be 0 or more");
  if (def->snapshots == 0 || pairs <= FAR__SNAPSHOT_PAIRS) return FAR_OK;
  return far__fail(error, FAR_STATUS_RANGE, -1,
                   "snapshots of %.3g pairs of a state and an action in each run are too many; at "
                   "most %d are possible: fewer checkpoints, or a smaller model",
                   pairs, FAR__SNAPSHOT_PAIRS);
}

static far_status check_def(const far_batch_def *def, far_error *error) {
  far_status status = FAR_OK;
  if (def->n_cells < 1 || def->runs < 1)
    return far__fail(error, FAR_STATUS_RANGE, -1, "there must be at least 1 cell and 1 run");
  for (size_t i = 0; status == FAR_OK && i < def->n_cells; ++i) {
    const far_cell *c = &def->cells[i];
    if (c->agent == NULL || c->steps < 1 || c->episodes < 0 || c->runs < 0)
      return far__fail(error, FAR_STATUS_RANGE, -1, "a cell needs an agent and at least 1 step");
    if (far__batch_runs(def, i) > INT64_MAX / 16 / (int64_t)def->n_cells)
      return far__fail(error, FAR_STATUS_MEMORY, -1, "%lld runs are too many",
                       (long long)far__batch_runs(def, i));
    status = check_world(c, def, error);
    if (status == FAR_OK) status = check_checkpoints(c, error);
    if (status == FAR_OK) status = check_snapshots(def, c, error);
  }
  return status;
}

/* Tries the agent of one cell, and allocates room for its results. */
static far_status prepare_cell(far__batch_cell *state, const far_batch_def *def, size_t i,
                               far_error *error) {
  far_agent *agent;
  const far_cell *cell = &state->cell;
  const far_status status = far__agent_try_on(&agent, cell, error);
  if (status != FAR_OK) return status;
  state->spec = strdup(far_agent_spec(agent));
  state->lanes = far__lanes_width(def, cell, agent);
  far_agent_free(agent);
  state->width = far__batch_width(def, i);
  state->runs = far__batch_runs(def, i);
  if ((uint64_t)state->runs < SIZE_MAX / 8 / state->width)
    state->values = malloc((size_t)state->runs * state->width * sizeof *state->values);
  state->metrics = calloc(def->n_metrics + 1, sizeof *state->metrics);
  state->n_points = cell->n_checkpoints;
  state->points = calloc((1 + def->n_metrics) * cell->n_checkpoints + 1, sizeof *state->points);
  if (state->spec == NULL || state->values == NULL || state->metrics == NULL ||
      state->points == NULL)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for %lld results",
                     (long long)state->runs);
  for (int64_t k = 0; k < state->runs; ++k) state->values[k] = NAN;
  return FAR_OK;
}

static far_status prepare_batch(far_batch **out, const far_batch_def *def, far_error *error) {
  far_status status = check_def(def, error);
  if (status != FAR_OK) return status;
  char what[64];
  double numbers = 0; /* all results are allocated at the beginning */
  for (size_t i = 0; i < def->n_cells; ++i)
    numbers += (double)far__batch_runs(def, i) * (double)far__batch_width(def, i);
  snprintf(what, sizeof what, "a batch of %.3g results", numbers);
  status = far__check_memory(numbers * sizeof(double), what, error);
  if (status != FAR_OK) return status;
  far_batch *batch = calloc(1, sizeof *batch + def->n_cells * sizeof *batch->cells);
  if (batch == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the cells");
  *out = batch;
  batch->n_cells = def->n_cells;
  batch->n_metrics = def->n_metrics;
  int64_t most = 1;
  for (size_t i = 0; status == FAR_OK && i < def->n_cells; ++i) {
    far__batch_cell *cell = &batch->cells[i];
    cell->cell = def->cells[i];
    if (cell->cell.spec == NULL) {
      const far_shape shape = far_cell_shape(&cell->cell);
      status = far_spec_of_agent(&cell->own, cell->cell.agent, &shape, error);
      cell->cell.spec = cell->own;
    }
    if (status == FAR_OK) status = prepare_cell(cell, def, i, error);
    if (cell->runs > most) most = cell->runs;
  }
  if (status == FAR_OK && (batch->bytes = malloc((size_t)most * 8)) == NULL)
    status = far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for %lld results", (long long)most);
  return status;
}

/* ---- blocks ---- */

far_status far__batch_absorb(far_batch *batch, const far_batch_def *def, const far_block *b,
                             int64_t *fresh, far_error *error) {
  if (!far__block_fits(def, b))
    return far__fail(error, FAR_STATUS_RANGE, -1, "the batch has no such block");
  if (b->values == NULL)
    return far__fail(error, FAR_STATUS_RANGE, -1, "a block of known runs has no values");
  far__batch_cell *c = &batch->cells[b->cell];
  *fresh = 0;
  for (int64_t i = 0; i < b->runs; ++i) {
    double *row = c->values + b->first + i;
    const bool known = row[0] == row[0];
    for (size_t k = 0; k < c->width; ++k) {
      const double value = b->values[(int64_t)k * b->runs + i];
      if (known && far__bits(row[(int64_t)k * c->runs]) != far__bits(value))
        return far__fail(error, FAR_STATUS_CONFLICT, -1,
                         "two computations of run %lld of %s disagree: %.17g and %.17g",
                         (long long)(def->first_replicate + (uint64_t)(b->first + i)), c->spec,
                         c->values[b->first + i], b->values[i]);
      row[(int64_t)k * c->runs] = value;
    }
    *fresh += !known;
  }
  c->known += *fresh;
  return FAR_OK;
}

/* ---- results ---- */

/* A stopped batch may have gaps: closes them, in order, in every column, and records which runs are left. */
static int64_t close_gaps(far__batch_cell *c) {
  int64_t finished = 0;
  for (int64_t i = 0; i < c->runs; ++i) {
    if (c->values[i] != c->values[i]) continue;
    for (size_t k = 0; k < c->width; ++k)
      c->values[(int64_t)k * c->runs + finished] = c->values[(int64_t)k * c->runs + i];
    if (c->finished != NULL) c->finished[finished] = i;
    finished += 1;
  }
  return finished;
}

/* Fills runs, mean, std, ci95, min and max from totals[0..n); n may be 0 (all NaN). `t` is
 * far__student_975(n - 1), which takes longer than the rest and is the same for a whole curve. */
static void summarise(far_result *out, const double *totals, int64_t n, double t) {
  out->runs = n;
  out->mean = out->std = out->ci95 = out->min = out->max = NAN;
  if (n < 1) return;
  out->min = out->max = totals[0];
  for (int64_t i = 0; i < n; ++i) {
    out->min = totals[i] < out->min ? totals[i] : out->min;
    out->max = totals[i] > out->max ? totals[i] : out->max;
  }
  const far__mean_std m = far__mean_std_of(totals, n);
  out->mean = m.mean;
  out->std = m.std;
  if (n > 1) out->ci95 = far__half_width(t, out->std, n);
}

static void finish_cell(far__batch_cell *state, const far_cell *cell, const far_batch_def *def,
                        uint8_t *bytes) {
  const int64_t finished = close_gaps(state);
  const double t = far__student_975(finished - 1);
  for (size_t k = 0; k <= def->n_metrics; ++k) {
    far_result *result = k == 0 ? &state->result : &state->metrics[k - 1];
    result->agent = state->spec;
    result->known = state->known - state->fresh;
    result->totals = state->values + (int64_t)k * state->runs;
    result->seconds = state->seconds + state->before;
    summarise(result, result->totals, finished, t);
    uint8_t digest[FAR_HASH_BYTES];
    for (int64_t i = 0; i < finished; ++i) far__put_f64(bytes + 8 * i, result->totals[i]);
    far_hash(digest, bytes, (size_t)finished * 8);
    far_hash_text(result->hash, digest);
  }
  const double *column = state->values + (int64_t)(1 + def->n_metrics) * state->runs;
  for (size_t m = 0; m <= def->n_metrics; ++m) {
    if (m > 0 && def->metrics[m - 1]->sofar == NULL) continue;
    for (size_t k = 0; k < cell->n_checkpoints; ++k, column += state->runs) {
      far_result r;
      summarise(&r, column, finished, t);
      state->points[m * cell->n_checkpoints + k] =
          (far_point){cell->checkpoints[k], r.mean, r.std, r.ci95, column};
    }
  }
}

/* Computes the runs. Registered agents are passed on by their canonical specs, which other ranks of a job have to read:
 * the meaning of a short one can change meanwhile, if another definition takes over the name (farsight/agent.h). The
 * library's own agents keep the spec as typed, since an audit reads the preset, which a canonical spec does not have. */
static far_status schedule(far_batch *batch, const far_batch_def *def, far_error *error) {
  far_cell *cells = malloc((def->n_cells + 1) * sizeof *cells);
  if (cells == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the cells");
  for (size_t i = 0; i < def->n_cells; ++i) {
    cells[i] = batch->cells[i].cell;
    if (far__is_registered(cells[i].agent)) cells[i].agent = batch->cells[i].spec;
  }
  far_batch_def fixed = *def;
  fixed.cells = cells;
  const far_status status = far__schedule(batch, &fixed, error);
  free(cells);
  return status;
}

static far_status run_prepared(far_batch *batch, const far_batch_def *def, far_error *error) {
  const far_status status = schedule(batch, def, error);
  for (size_t i = 0; status == FAR_STATUS_CANCELLED && i < batch->n_cells;
       ++i) { /* for close_gaps */
    far__batch_cell *c = &batch->cells[i];
    if (c->known == c->runs) continue;
    c->finished = malloc(((size_t)c->known + 1) * sizeof *c->finished);
    if (c->finished == NULL)
      return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the finished runs");
  }
  if (status != FAR_OK && status != FAR_STATUS_CANCELLED) return status;
  for (size_t i = 0; i < def->n_cells; ++i)
    finish_cell(&batch->cells[i], &def->cells[i], def, batch->bytes);
  return status;
}

far_status far_batch_run(far_batch **out, const far_batch_def *def, far_error *error) {
  *out = NULL;
  far_status status = prepare_batch(out, def, error);
  if (status == FAR_OK) {
    status = run_prepared(*out, def, error);
    if (status == FAR_OK || status == FAR_STATUS_CANCELLED) return status;
  }
  far_batch_free(*out);
  *out = NULL;
  return status;
}

void far_batch_free(far_batch *batch) {
  if (batch == NULL) return;
  for (size_t i = 0; i < batch->n_cells; ++i) {
    far_spec_free(batch->cells[i].own);
    free(batch->cells[i].spec);
    free(batch->cells[i].values);
    free(batch->cells[i].metrics);
    free(batch->cells[i].points);
    free(batch->cells[i].finished);
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

const int64_t *far_batch_finished(const far_batch *batch, size_t i) {
  return i < batch->n_cells ? batch->cells[i].finished : NULL;
}

/* Curve 0 is that of the rewards. */
static const far_point *point_at(const far_batch *batch, size_t i, size_t curve, size_t k) {
  if (i >= batch->n_cells || k >= batch->cells[i].n_points) return NULL;
  const far_point *p = &batch->cells[i].points[curve * batch->cells[i].n_points + k];
  return p->totals != NULL ? p : NULL;
}

const far_point *far_batch_point(const far_batch *batch, size_t i, size_t k) {
  return point_at(batch, i, 0, k);
}

const far_point *far_batch_metric_point(const far_batch *batch, size_t i, size_t metric, size_t k) {
  return metric < batch->n_metrics ? point_at(batch, i, metric + 1, k) : NULL;
}

far_block far__batch_block(const far_batch *batch, size_t i) {
  if (i >= batch->n_cells) return (far_block){0};
  const far__batch_cell *c = &batch->cells[i];
  return (far_block){.cell = i,
                     .runs = c->known,
                     .seconds = c->seconds + c->before,
                     .values = c->known == c->runs ? c->values : NULL};
}
