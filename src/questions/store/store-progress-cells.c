/* The cells of a store that is followed, and their numbers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "lab/store/access.h"
#include "questions/store/store-progress.h"
#include "run/blocks.h"

void far__followed_cell_free(far__followed_cell *cell) {
  free(cell->key);
  free(cell->spec);
  free(cell->env_text);
  free(cell->agent_text);
  free(cell->totals);
  free(cell->replicates);
  free(cell->have);
  free(cell->widths);
}

/* ---- by their keys ---- */

/* FNV-1a, over a key that is a hash itself. */
static size_t slot_of(const far__follower *f, const char *key) {
  uint64_t h = 14695981039346656037u;
  for (const char *p = key; *p != '\0'; ++p) h = (h ^ (unsigned char)*p) * 1099511628211u;
  return (size_t)(h % f->n_slots);
}

static void fill_slot(far__follower *f, size_t cell) {
  size_t at = slot_of(f, f->cells[cell].key);
  while (f->slots[at] != 0) at = (at + 1) % f->n_slots;
  f->slots[at] = (uint32_t)cell + 1;
}

/* Room for one more, with half of the slots free. */
static bool reserve_slot(far__follower *f) {
  if (2 * (f->seen.n_cells + 1) <= f->n_slots) return true;
  uint32_t *old = f->slots;
  const size_t before = f->n_slots;
  f->n_slots = before > 0 ? 2 * before : 64;
  f->slots = calloc(f->n_slots, sizeof *f->slots);
  if (f->slots == NULL) {
    f->slots = old;
    f->n_slots = before;
    return false;
  }
  free(old);
  for (size_t i = 0; i < f->seen.n_cells; ++i) fill_slot(f, i);
  return true;
}

size_t far__followed_find(const far__follower *f, const char *key) {
  if (f->n_slots == 0) return f->seen.n_cells;
  for (size_t at = slot_of(f, key); f->slots[at] != 0; at = (at + 1) % f->n_slots)
    if (strcmp(f->cells[f->slots[at] - 1].key, key) == 0) return f->slots[at] - 1;
  return f->seen.n_cells;
}

/* ---- new ones ---- */

static bool reserve_cell(far__follower *f) {
  return f->seen.n_cells < UINT32_MAX / 4 && reserve_slot(f) &&
         far__grow((void **)&f->cells, f->seen.n_cells, &f->cells_capacity, sizeof *f->cells) &&
         far__grow((void **)&f->shown, f->seen.n_cells, &f->shown_capacity, sizeof *f->shown);
}

far_status far__followed_add(far__follower *f, const far_record *record, const far_shape *shape,
                             far_error *error) {
  far__followed_cell cell = {.changed = true};
  if (!reserve_cell(f)) return far__follow_memory(error);
  f->seen.cells = f->shown;
  cell.key = strdup(record->key);
  cell.spec = strdup(record->agent);
  const far_status status = cell.key != NULL && cell.spec != NULL
                                ? far__followed_name(&cell, f, record, shape, error)
                                : far__follow_memory(error);
  if (status != FAR_OK) {
    far__followed_cell_free(&cell);
    return status;
  }
  f->relabel = true;
  f->cells[f->seen.n_cells] = cell;
  f->shown[f->seen.n_cells] = (far__store_progress_cell){.key = cell.key,
                                                         .env = "",
                                                         .agent = "",
                                                         .steps = record->steps,
                                                         .seed = record->seed,
                                                         .numerics = record->numerics,
                                                         .finished = true,
                                                         .mean = NAN,
                                                         .ci95 = NAN};
  fill_slot(f, f->seen.n_cells++);
  return FAR_OK;
}

/* Makes the cell that was added last the plan's cell i. */
static far_status plan_cell(far__follower *f, size_t i, far_error *error) {
  far__followed_cell *cell = &f->cells[f->seen.n_cells - 1];
  while (far__keeper_series(f->keeper, i, cell->n_series) != NULL) ++cell->n_series;
  cell->have = calloc(cell->n_series + 1, sizeof *cell->have);
  cell->plan = i;
  if (cell->have == NULL) return far__follow_memory(error);
  f->shown[f->seen.n_cells - 1].is_planned = true;
  f->seen.n_planned = f->seen.n_cells;
  return FAR_OK;
}

far_status far__followed_plan(far__follower *f, far_error *error) {
  far_status status = FAR_OK;
  for (size_t i = 0; status == FAR_OK && i < f->def.plan->n_cells; ++i) {
    const far_record record = far__keeper_record(f->keeper, i);
    const far_shape shape = far_cell_shape(&f->def.plan->cells[i]);
    if (f->def.proceeds != NULL && !f->def.proceeds(f->def.user))
      return far__fail(error, FAR_STATUS_CANCELLED, -1, "stopped on request");
    if (far__followed_find(f, record.key) < f->seen.n_cells) continue; /* the same once more */
    status = far__followed_add(f, &record, &shape, error);
    if (status == FAR_OK) status = plan_cell(f, i, error);
  }
  return status;
}

/* ---- their runs ---- */

static bool reserve_runs(far__followed_cell *cell, size_t wanted) {
  if (wanted <= cell->capacity) return true;
  const size_t capacity = 2 * wanted;
  double *totals = realloc(cell->totals, capacity * sizeof *totals);
  if (totals != NULL) cell->totals = totals;
  int64_t *replicates = realloc(cell->replicates, capacity * sizeof *replicates);
  if (replicates != NULL) cell->replicates = replicates;
  if (totals == NULL || replicates == NULL) return false;
  cell->capacity = capacity;
  return true;
}

/* The first place whose replicate is not before this one. */
static size_t place_of(const far__followed_cell *cell, size_t count, int64_t replicate) {
  size_t low = 0, high = count;
  if (count > 0 && cell->replicates[count - 1] < replicate) return count; /* mostly */
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (cell->replicates[middle] < replicate)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Puts the totals of a block where they belong among the others. */
static far_status insert_totals(far__followed_cell *cell, size_t count,
                                const far__store_block *block, far_error *error) {
  const size_t n = (size_t)block->runs, at = place_of(cell, count, block->first);
  if (at < count && cell->replicates[at] < block->first + block->runs)
    return far__fail(error, FAR_STATUS_FORMAT, -1,
                     "the store is damaged: run %lld of '%.100s' on '%.100s' is there twice",
                     (long long)cell->replicates[at], block->cell.agent, block->cell.env);
  if (!reserve_runs(cell, count + n)) return far__follow_memory(error);
  memmove(cell->totals + at + n, cell->totals + at, (count - at) * sizeof *cell->totals);
  memmove(cell->replicates + at + n, cell->replicates + at,
          (count - at) * sizeof *cell->replicates);
  memcpy(cell->totals + at, block->totals, n * sizeof *cell->totals);
  for (size_t i = 0; i < n; ++i) cell->replicates[at + i] = block->first + (int64_t)i;
  return FAR_OK;
}

/* The most runs that a cell of the plan can have. */
static int64_t most_runs(const far__follower *f, const far__followed_cell *cell) {
  return f->def.until != NULL ? f->until.most : far__batch_runs(f->def.plan, cell->plan);
}

/* Counts those runs of a block that are planned. */
static void count_planned(const far__follower *f, far__followed_cell *cell,
                          const far__store_block *block) {
  const int64_t first = (int64_t)f->def.plan->first_replicate, end = first + most_runs(f, cell);
  const int64_t from = block->first > first ? block->first : first;
  const int64_t to = block->first + block->runs < end ? block->first + block->runs : end;
  for (size_t j = 0; to > from && j < cell->n_series; ++j)
    if (strcmp(far__keeper_series(f->keeper, cell->plan, j), block->series) == 0)
      cell->have[j] += to - from;
}

far_status far__followed_take(far__follower *f, size_t i, const far__store_block *block,
                              far_error *error) {
  far__followed_cell *cell = &f->cells[i];
  far__store_progress_cell *shown = &f->shown[i];
  if (block->totals != NULL) {
    const far_status status = insert_totals(cell, (size_t)shown->runs, block, error);
    if (status != FAR_OK) return status;
    shown->runs += block->runs;
    shown->seconds += block->seconds;
    f->agents[cell->agent].seconds += block->seconds;
    f->agents[cell->agent].steps += (double)block->runs * (double)shown->steps;
  }
  if (shown->is_planned) count_planned(f, cell, block);
  cell->changed = true;
  return FAR_OK;
}

/* ---- what they show ---- */

static far_status add_width(far__followed_cell *cell, far__store_progress_cell *shown, int64_t runs,
                            double ci95, far_error *error) {
  if (!far__grow((void **)&cell->widths, shown->n_widths, &cell->widths_capacity,
                 sizeof *cell->widths))
    return far__follow_memory(error);
  cell->widths[shown->n_widths++] = (far__store_width){runs, ci95};
  shown->widths = cell->widths;
  return FAR_OK;
}

int64_t far__followed_unbroken(const far__follower *f, const far__followed_cell *cell,
                               int64_t count, const double **x) {
  const int64_t first = (int64_t)f->def.plan->first_replicate;
  const int64_t at = (int64_t)place_of(cell, (size_t)count, first);
  int64_t low = 0,
          high = count - at; /* replicate at + k is first + k up to there, and not beyond */
  *x = cell->totals + at;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (cell->replicates[at + middle] == first + middle)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* The runs of the look at which the interval will be narrow enough, as far as this one tells: the width
 * falls with the root of the runs. */
static int64_t expected_runs(const far_until *until, int look, const far_look *last) {
  const double target = until->relative ? until->width * fabs(last->mean) : until->width;
  const double ratio = last->half_width / target;
  const double wanted = (double)last->n * ratio * ratio;
  int k = look + 1;
  if (!(wanted < (double)until->most)) return until->most; /* also where it is NaN */
  while ((double)far_until_runs(until, k) < wanted) ++k;
  return far_until_runs(until, k);
}

/* With a stopping rule: looks at the runs that are there as the study does. */
static void measure_until(const far__follower *f, const far__followed_cell *cell,
                          far__store_progress_cell *shown) {
  const double *x;
  far_look look = {0};
  const int64_t there = far__followed_unbroken(f, cell, shown->runs, &x);
  shown->planned = far_until_runs(&f->until, 1);
  shown->finished = false;
  for (int k = 1; !shown->finished && far_until_runs(&f->until, k) <= there; ++k) {
    if (far_until_look(&look, &f->until, k, x, NULL) != FAR_OK)
      look = (far_look){.n = far_until_runs(&f->until, k), .half_width = INFINITY};
    const bool ends = look.enough || look.n >= f->until.most;
    shown->finished = ends && shown->done >= look.n;
    shown->planned = ends ? look.n : expected_runs(&f->until, k, &look);
    if (ends) break;
  }
}

int64_t far__followed_done(const far__followed_cell *cell) {
  int64_t done = cell->have[0];
  for (size_t j = 1; j < cell->n_series; ++j)
    if (cell->have[j] < done) done = cell->have[j];
  return done;
}

static far_status measure_cell(far__follower *f, size_t i, far_error *error) {
  far__followed_cell *cell = &f->cells[i];
  far__store_progress_cell *shown = &f->shown[i];
  if (shown->runs > 0) {
    const far_moments m = far_sample_moments(cell->totals, shown->runs);
    shown->mean = m.mean;
    shown->ci95 = m.ci95;
  }
  shown->planned = shown->done = shown->runs;
  if (shown->is_planned) {
    shown->done = far__followed_done(cell);
    shown->planned = most_runs(f, cell);
    shown->finished = shown->done >= shown->planned;
    if (f->def.until != NULL) measure_until(f, cell, shown);
    if (shown->done > shown->planned) shown->done = shown->planned;
  }
  /* Widths after 2, 4, 8, ... runs: in all less than twice the work of all runs. */
  far_status status = FAR_OK;
  shown->n_widths = 0;
  for (int64_t n = 2; status == FAR_OK && n < shown->runs; n *= 2)
    status = add_width(cell, shown, n, far_sample_moments(cell->totals, n).ci95, error);
  if (status == FAR_OK && shown->runs >= 2)
    status = add_width(cell, shown, shown->runs, shown->ci95, error);
  return status;
}

far_status far__followed_measure(far__follower *f, far_error *error) {
  far_status status = FAR_OK;
  for (size_t i = 0; status == FAR_OK && i < f->seen.n_cells; ++i) {
    if (!f->cells[i].changed) continue;
    status = measure_cell(f, i, error);
    f->cells[i].changed = status != FAR_OK;
  }
  if (status == FAR_OK && f->ranking != NULL) status = far__followed_rank(f, error);
  return status;
}
