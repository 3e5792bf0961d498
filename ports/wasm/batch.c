/* Many runs, a few at a time on the thread of the page. Computed runs are kept as blocks. The results come from a
 * batch (farsight/run.h) that is given all these blocks as already done. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "web.h"

enum { MOST_POINTS = 1000 };

struct web_batch {
  far_batch_def def;
  far_cell cells[WEB_AGENTS];
  char *agents; /* the text of the agents, into which the cells point */
  int64_t *checkpoints;
  far_worker *worker;
  int64_t done[WEB_AGENTS];  /* finished runs of each cell */
  int64_t share[WEB_AGENTS]; /* runs in a block of each cell: a small part of a slice of time */
  far_block *blocks;
  size_t n_blocks, room;
};

/* ---- creation ---- */

void web_batch_free(web_batch *batch) {
  if (batch == NULL) return;
  for (size_t i = 0; i < batch->n_blocks; ++i) far_free((void *)batch->blocks[i].values);
  free(batch->blocks);
  far_worker_free(batch->worker);
  free(batch->checkpoints);
  free(batch->agents);
  free(batch);
}

/* steps k / n, rounded down, without a product that overflows. */
static int64_t part_of(int64_t steps, int64_t k, int64_t n) {
  return steps / n * k + steps % n * k / n;
}

/* n checkpoints at about equal distances, the last at the end; fewer where there are fewer steps. */
static bool make_checkpoints(web_batch *b, int64_t steps, uint32_t n) {
  const int64_t count = n < steps ? n : steps;
  if (n > MOST_POINTS) return web__refuse(FAR_STATUS_RANGE, "a curve has 1000 points at most");
  b->checkpoints = web_alloc((size_t)(count + 1) * sizeof *b->checkpoints);
  if (b->checkpoints == NULL) return false;
  for (int64_t k = 0; k < count; ++k) b->checkpoints[k] = part_of(steps, k + 1, count);
  for (size_t i = 0; i < b->def.n_cells; ++i) {
    b->cells[i].checkpoints = b->checkpoints;
    b->cells[i].n_checkpoints = (size_t)count;
  }
  return true;
}

static bool make_cells(web_batch *b, const far_mdp *mdp, const char *agents, int64_t steps) {
  const char *lines[WEB_AGENTS];
  b->agents = web_alloc(strlen(agents) + 1);
  if (b->agents == NULL) return false;
  strcpy(b->agents, agents);
  b->def.n_cells = web__lines(b->agents, lines, WEB_AGENTS);
  if (b->def.n_cells == 0) return web__refuse(FAR_STATUS_RANGE, "a batch has 1 to 16 agents");
  for (size_t i = 0; i < b->def.n_cells; ++i)
    b->cells[i] = (far_cell){.mdp = mdp, .agent = lines[i], .steps = steps, .name = "model"};
  return true;
}

/* Specs and models are checked before anything runs, as by a batch. */
static bool check_agents(const web_batch *b) {
  for (size_t i = 0; i < b->def.n_cells; ++i) {
    const far_shape shape = far_cell_shape(&b->cells[i]);
    if (far_agent_check(b->cells[i].agent, &shape, NULL, NULL, web__error()) != FAR_OK)
      return false;
  }
  return true;
}

web_batch *web_batch_create(const far_mdp *mdp, const char *agents, int64_t steps, int64_t runs,
                            uint64_t seed, uint32_t n_points) {
  web_batch *b = calloc(1, sizeof *b);
  if (b == NULL) {
    web__refuse(FAR_STATUS_MEMORY, "no memory");
    return NULL;
  }
  b->def = far_batch_def_default();
  b->def.cells = b->cells;
  b->def.runs = runs;
  b->def.seed = seed;
  b->def.threads = 1;
  for (size_t i = 0; i < WEB_AGENTS; ++i) b->share[i] = 1;
  const bool good = (steps >= 1 && runs >= 1) ||
                    web__refuse(FAR_STATUS_RANGE, "a batch needs at least 1 step and 1 run");
  if (good && make_cells(b, mdp, agents, steps) && check_agents(b) &&
      make_checkpoints(b, steps, n_points) &&
      far_worker_create(&b->worker, &b->def, NULL, NULL, web__error()) == FAR_OK)
    return b;
  web_batch_free(b);
  return NULL;
}

/* ---- work ---- */

/* The cell with the fewest finished runs, which is computed next; false if all runs are finished. */
static bool next_cell(const web_batch *b, size_t *cell) {
  *cell = 0;
  for (size_t i = 1; i < b->def.n_cells; ++i)
    if (b->done[i] < b->done[*cell]) *cell = i;
  return b->done[*cell] < b->def.runs;
}

static bool keep(web_batch *b, const far_block *block) {
  if (b->n_blocks == b->room) {
    const size_t room = 2 * b->room + 16;
    far_block *more = realloc(b->blocks, room * sizeof *more);
    if (more == NULL) return web__refuse(FAR_STATUS_MEMORY, "no memory");
    b->blocks = more;
    b->room = room;
  }
  b->blocks[b->n_blocks++] = *block;
  b->done[block->cell] += block->runs;
  return true;
}

static bool compute(web_batch *b, size_t cell) {
  const int64_t left = b->def.runs - b->done[cell];
  far_block block = {
      .cell = cell, .first = b->done[cell], .runs = b->share[cell] < left ? b->share[cell] : left};
  if (far_worker_run(b->worker, &block, web__error()) == FAR_OK && keep(b, &block)) return true;
  far_free((void *)block.values);
  return false;
}

int web_batch_work(web_batch *batch, double seconds) {
  const double begun = far__clock_seconds();
  double now = begun;
  size_t cell;
  while (next_cell(batch, &cell)) {
    const double before = now;
    if (before > begun && before - begun >= seconds) return 1;
    if (!compute(batch, cell)) return 0;
    now = far__clock_seconds();
    if (now - before < seconds / 16) batch->share[cell] *= 2;
    if (now - before > seconds / 4 && batch->share[cell] > 1) batch->share[cell] /= 2;
  }
  return 2;
}

/* ---- results ---- */

const far_batch_def *web__batch_def(const web_batch *batch) {
  return &batch->def;
}

/* A batch of the runs so far, for which nothing is computed. Cells without runs are left out; cells[0..*n) are the
 * others. NULL on failure. */
far_batch *web__batch_so_far(const web_batch *b, size_t cells[WEB_AGENTS], size_t *n) {
  far_batch_def def = b->def;
  far_cell some[WEB_AGENTS];
  far_batch *out = NULL;
  *n = 0;
  far_block *blocks = web_alloc((b->n_blocks + 1) * sizeof *blocks);
  if (blocks == NULL) return NULL;
  if (b->n_blocks > 0) memcpy(blocks, b->blocks, b->n_blocks * sizeof *blocks);
  for (size_t i = 0; i < def.n_cells; ++i) {
    if (b->done[i] == 0) continue;
    some[*n] = b->cells[i];
    some[*n].runs = b->done[i];
    for (size_t k = 0; k < b->n_blocks; ++k)
      if (b->blocks[k].cell == i) blocks[k].cell = *n;
    cells[(*n)++] = i;
  }
  def.cells = some;
  def.n_cells = *n;
  def.done = blocks;
  def.n_done = b->n_blocks;
  if (*n == 0)
    web__refuse(FAR_STATUS_RANGE, "no run is finished yet");
  else
    (void)far_batch_run(&out, &def, web__error());
  free(blocks);
  return out;
}

static void write_points(far__json *json, const far_batch *all, size_t i) {
  const far_point *point;
  far__json_array(json, "points");
  for (size_t k = 0; (point = far_batch_point(all, i, k)) != NULL; ++k) {
    far__json_array(json, NULL);
    far__json_real(json, NULL, (double)point->step);
    far__json_real(json, NULL, point->mean);
    far__json_real(json, NULL, point->ci95);
    far__json_end(json);
  }
  far__json_end(json);
}

static void write_cell(far__json *json, const far_batch *all, size_t i, size_t index) {
  const far_result *r = far_batch_result(all, i);
  far__json_object(json, NULL);
  far__json_integer(json, "index", index);
  far__json_text(json, "agent", r->agent);
  far__json_integer(json, "runs", (uint64_t)r->runs);
  far__json_real(json, "mean", r->mean);
  far__json_real(json, "std", r->std);
  far__json_real(json, "ci95", r->ci95);
  far__json_real(json, "min", r->min);
  far__json_real(json, "max", r->max);
  far__json_real(json, "seconds", r->seconds);
  far__json_text(json, "hash", r->hash);
  write_points(json, all, i);
  far__json_end(json);
}

const char *web_batch_results(web_batch *batch) {
  size_t cells[WEB_AGENTS], n;
  far_batch *all = web__batch_so_far(batch, cells, &n);
  far__json json;
  if (all == NULL) return NULL;
  far__json_begin(&json, far_sink_buffer(web__text()));
  far__json_object(&json, NULL);
  far__json_integer(&json, "runs", (uint64_t)batch->def.runs);
  far__json_array(&json, "cells");
  for (size_t i = 0; i < n; ++i) write_cell(&json, all, i, cells[i]);
  far__json_end(&json);
  far__json_end(&json);
  far_batch_free(all);
  return web__text_end();
}

const double *web_batch_totals(web_batch *batch, uint32_t agent) {
  const bool there = agent < batch->def.n_cells;
  double *out = web__numbers(there ? (size_t)batch->done[agent] : 0);
  for (size_t k = 0; out != NULL && k < batch->n_blocks; ++k) {
    const far_block *b = &batch->blocks[k];
    if (b->cell == agent) memcpy(out + b->first, b->values, (size_t)b->runs * sizeof *out);
  }
  return out;
}
