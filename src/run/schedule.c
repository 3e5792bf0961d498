/* The scheduler: hands out blocks of runs that are not known yet, in the order of the cells, takes
 * them back, passes them to `keep` and reports progress. Devices and processors work side by side, each on cells of
 * their own; what a device has not computed is scheduled in another round. Every number has its own place, so
 * that nothing depends on who computed it, or when. */
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "run/batch.h"
#include "run/blocks.h"
#include "run/snapshot.h"

enum { GATHER = 256 }; /* the most blocks passed to `keep` at once */

/* A block should take so long that handing it out costs nothing in comparison, and so little that a
 * crash loses little: 20 ms, and with many workers so long that the calling thread handles BLOCKS_A_SECOND. */
static const double BLOCK_SECONDS = 0.02, BLOCKS_A_SECOND = 400, LOOK_SECONDS = 0.1;

/* The next run to be handed out, if it is not known. */
typedef struct place {
  size_t cell;
  int64_t run;
} place;

typedef enum who { PROCESSORS, DEVICES } who;

typedef struct schedule {
  const far_batch_def *def;
  far_batch *batch;
  far_pool *pool;
  who *by;       /* who computes each cell in this round */
  place next[2]; /* of processors and devices */
  size_t out;    /* blocks handed out */
  bool stopping;
  bool failed; /* the last block taken back was not computed to its end */
  int64_t all, known,
      left; /* runs of all cells; `left`: of the processors' cells neither known nor handed out */
  double begun, last_look;
  double steps, steps_done, steps_known;
} schedule;

/* ---- handing out ---- */

static bool is_known(const schedule *s, const place *p) {
  const double total = s->batch->cells[p->cell].values[p->run];
  return total == total;
}

/* Advances to the next run that is not known; false past the last. */
static bool find_work(schedule *s, who by) {
  place *p = &s->next[by];
  for (; p->cell < s->def->n_cells; ++p->cell, p->run = 0)
    for (; s->by[p->cell] == by && p->run < s->batch->cells[p->cell].runs; ++p->run)
      if (!is_known(s, p)) return true;
  return false;
}

static double block_seconds(double workers) {
  return fmax(BLOCK_SECONDS, workers / BLOCKS_A_SECOND);
}

/* First blocks have one run: the speed of the cell is not known then. */
double far__schedule_blocks(double runs, double seconds, unsigned workers) {
  return fmin(runs, workers + seconds / block_seconds(workers));
}

/* By the second bound in size_by_speed each worker's last blocks are half as large as those before. */
double far__schedule_last_blocks(double runs, unsigned workers) {
  return fmin(runs, 2.0 * workers * log2(1 + runs / workers));
}

/* The device may have failed since the cell was placed: then the block comes back empty. */
static int64_t device_block_size(const schedule *s) {
  const int64_t runs = s->pool->takes(s->pool, s->next[DEVICES].cell);
  return runs > 1 ? runs : 1;
}

/* One run while the cell's speed is not known; towards the end less for each worker. */
static double size_by_speed(const schedule *s, const far__batch_cell *c, double workers) {
  if (c->fresh == 0) return 1;
  return fmin(block_seconds(workers) * (double)c->fresh / fmax(c->seconds, 1e-9),
              (double)s->left / (2 * workers));
}

/* Runs that are computed side by side stay together: a multiple of the lanes or, towards the end, each worker's
 * share. */
static int64_t block_size(const schedule *s) {
  const far__batch_cell *c = &s->batch->cells[s->next[PROCESSORS].cell];
  const double workers = (double)s->pool->workers(s->pool);
  const double lanes = (double)c->lanes, size = size_by_speed(s, c, workers);
  const double whole =
      size > lanes ? floor(size / lanes) * lanes : fmin(lanes, (double)s->left / workers);
  return whole > 1 ? (int64_t)fmin(whole, 1e6) : 1;
}

/* The next run and those after it that are not known either; only one run if it has snapshots, which are
 * large. */
static far_block cut_block(schedule *s, who by) {
  place *p = &s->next[by];
  const int64_t own = by == DEVICES ? device_block_size(s) : block_size(s);
  const bool large = s->def->first_replicate + (uint64_t)p->run < (uint64_t)s->def->snapshots;
  const int64_t most = large ? 1 : own;
  far_block block = {.cell = p->cell, .first = p->run, .on_device = by == DEVICES};
  const int64_t runs = s->batch->cells[p->cell].runs;
  while (block.runs < most && p->run < runs && !is_known(s, p)) {
    block.runs += 1;
    p->run += 1;
  }
  if (by == PROCESSORS) s->left -= block.runs;
  return block;
}

static size_t room(const schedule *s, who by) {
  if (by == PROCESSORS) return s->pool->room(s->pool);
  return s->pool->takes != NULL ? s->pool->device_room(s->pool) : 0;
}

static far_status hand_out_to(schedule *s, who by, far_error *error) {
  far_status status = FAR_OK;
  while (status == FAR_OK && !s->stopping && room(s, by) > 0 && find_work(s, by)) {
    const far_block block = cut_block(s, by);
    status = s->pool->give(s->pool, &block, error);
    if (status == FAR_OK) s->out += 1;
  }
  return status;
}

static far_status hand_out(schedule *s, far_error *error) {
  const far_status status = hand_out_to(s, DEVICES, error);
  return status == FAR_OK ? hand_out_to(s, PROCESSORS, error) : status;
}

/* ---- taking back ---- */

static far_status absorb(schedule *s, const far_block *block, bool computed, far_error *error) {
  int64_t fresh = 0;
  const far_status status = far__batch_absorb(s->batch, s->def, block, &fresh, error);
  if (status != FAR_OK) return status;
  far__batch_cell *c = &s->batch->cells[block->cell];
  const double steps = (double)fresh * (double)s->def->cells[block->cell].steps;
  s->known += fresh;
  s->steps_done += steps;
  if (!computed) {
    c->before += block->seconds;
    s->steps_known += steps;
    return FAR_OK;
  }
  c->fresh += fresh;
  c->seconds += block->seconds;
  return FAR_OK;
}

/* Takes finished blocks back, waiting a while for the first; their values become ours. */
static far_status gather(schedule *s, far_block *blocks, size_t *count, far_error *error) {
  far_status status = FAR_OK;
  *count = 0;
  s->failed = false;
  while (status == FAR_OK && *count < GATHER && s->out > 0) {
    far_block block = {0};
    bool got;
    status = s->pool->take(s->pool, &block, &got, *count == 0 ? LOOK_SECONDS : 0, error);
    if (!got) break;
    s->out -= 1;
    s->failed = status != FAR_OK;
    if (block.runs > 0)
      blocks[(*count)++] = block;
    else
      far__block_free(&block);
  }
  return status;
}

/* Collects finished blocks. They are kept even if something else failed meanwhile. */
static far_status collect(schedule *s, far_error *error) {
  far_block blocks[GATHER];
  size_t count;
  far_error other;
  const far_status gathered = gather(s, blocks, &count, error);
  far_status status = FAR_OK;
  for (size_t i = 0; status == FAR_OK && i < count; ++i)
    status = absorb(s, &blocks[i], true, &other);
  if (status == FAR_OK && count > 0 && s->def->keep != NULL)
    status = s->def->keep(s->def->keep_user, blocks, count, &other);
  for (size_t i = 0; i < count; ++i) far__block_free(&blocks[i]);
  if (gathered != FAR_OK || status == FAR_OK) return gathered;
  if (error != NULL) *error = other;
  return status;
}

/* ---- progress ---- */

/* Seconds that a kind of processor still needs: each cell continues at the speed of its finished runs, a cell that has not
 * begun at the mean of the others. A cell that has begun and has no finished run may take any time (NAN). */
static double seconds_of(const schedule *s, who by) {
  const far_batch_def *def = s->def;
  double seconds = 0, spent = 0, spent_steps = 0, new_steps = 0;
  for (size_t i = 0; i < def->n_cells; ++i) {
    const far__batch_cell *c = &s->batch->cells[i];
    if (s->by[i] != by) continue;
    const double left = (double)(c->runs - c->known), steps = (double)def->cells[i].steps;
    spent += c->seconds;
    spent_steps += (double)c->fresh * steps;
    if (left == 0) continue;
    if (c->fresh > 0)
      seconds += c->seconds / (double)c->fresh * left;
    else if (i <= s->next[by].cell && s->steps_done > s->steps_known)
      return NAN;
    else
      new_steps += left * steps;
  }
  if (new_steps > 0) seconds += spent_steps > 0 ? spent / spent_steps * new_steps : NAN;
  return seconds;
}

/* Processors and devices work at the same time. */
static double seconds_left(const schedule *s) {
  const double here = seconds_of(s, PROCESSORS) / (double)s->pool->workers(s->pool);
  const double there = seconds_of(s, DEVICES);
  return here >= there || here != here ? here : there;
}

static int64_t cells_done(const schedule *s) {
  int64_t done = 0;
  for (size_t i = 0; i < s->def->n_cells; ++i)
    done += s->batch->cells[i].known == s->batch->cells[i].runs;
  return done;
}

static void report(schedule *s) {
  const double now = far__clock_seconds();
  const bool over = s->out == 0;
  if (s->def->progress == NULL || (!over && now - s->last_look < LOOK_SECONDS)) return;
  s->last_look = now;
  const far_progress progress = {.cells_done = cells_done(s),
                                 .cells = (int64_t)s->def->n_cells,
                                 .runs_done = s->known,
                                 .runs = s->all,
                                 .steps_done = s->steps_done,
                                 .steps = s->steps,
                                 .steps_known = s->steps_known,
                                 .seconds = now - s->begun,
                                 .seconds_left = seconds_left(s)};
  if (s->def->progress(s->def->user, &progress) || s->stopping) return;
  s->stopping = true;
  s->pool->stop(s->pool);
}

/* ---- rounds ---- */

/* Decides who computes each cell; false if processors compute all. */
static bool divide(schedule *s) {
  bool any = false;
  s->left = 0;
  s->next[PROCESSORS] = s->next[DEVICES] = (place){0};
  for (size_t i = 0; i < s->def->n_cells; ++i) {
    const far__batch_cell *c = &s->batch->cells[i];
    const bool taken = s->pool->takes != NULL && s->pool->takes(s->pool, i) > 0;
    s->by[i] = taken ? DEVICES : PROCESSORS;
    any |= taken && c->known < c->runs;
    if (!taken) s->left += c->runs - c->known;
  }
  return any;
}

static far_status work_round(schedule *s, far_error *error) {
  far_status status = hand_out(s, error);
  while (status == FAR_OK && s->out > 0) {
    status = collect(s, error);
    if (status == FAR_OK) status = hand_out(s, error);
    if (status == FAR_OK) report(s);
  }
  if (status == FAR_OK || !s->failed) return status;
  s->stopping = true; /* a block has failed: the finished runs of the others are kept */
  s->pool->stop(s->pool);
  while (s->out > 0 && (collect(s, NULL) == FAR_OK || s->failed)) continue;
  return status;
}

/* Computes all runs that are not known, in rounds until nothing is left that a device was to compute. */
static far_status run_rounds(schedule *s, far_error *error) {
  far_status status = s->pool->begin(s->pool, s->def, error);
  if (status != FAR_OK) return status;
  bool again = true;
  while (status == FAR_OK && again && !s->stopping && s->known < s->all) {
    again = divide(s);
    status = work_round(s, error);
  }
  s->pool->end(s->pool);
  return status;
}

/* With the definition's pool, or with one of threads. */
static far_status run_pool(schedule *s, far_error *error) {
  far_pool *own = NULL;
  far_status status = FAR_OK;
  s->by = calloc(s->def->n_cells, sizeof *s->by);
  if (s->by == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the cells");
  if (s->def->pool == NULL) status = far_pool_create(&own, s->def->threads, error);
  s->pool = own != NULL ? own : s->def->pool;
  if (status == FAR_OK) status = run_rounds(s, error);
  far_pool_free(own);
  free(s->by);
  return status;
}

far_status far__schedule(far_batch *batch, const far_batch_def *def, far_error *error) {
  schedule s = {.def = def, .batch = batch, .begun = far__clock_seconds()};
  for (size_t i = 0; i < def->n_cells; ++i) {
    s.all += batch->cells[i].runs;
    s.steps += (double)def->cells[i].steps * (double)batch->cells[i].runs;
  }
  far_status status = FAR_OK;
  for (size_t i = 0; status == FAR_OK && i < def->n_done; ++i)
    status = absorb(&s, &def->done[i], false, error);
  if (status == FAR_OK && s.known < s.all) status = run_pool(&s, error);
  if (status != FAR_OK || s.known == s.all) return status;
  return far__fail(error, FAR_STATUS_CANCELLED, -1, "stopped after %lld of %lld runs",
                   (long long)s.known, (long long)s.all);
}
