/* The schedule, by a pool and a clock of the test's own: which blocks are cut, in which order, what is done with what
 * comes back, and what is said of the time that is left. All of it is computed by hand. */
#include <farsight/farsight.h>
#include <stdlib.h>

#include "base/clock.h"
#include "check.h"
#include "run/blocks.h"
#include "run/lanes.h"

/* ---- a clock that stands still, and lanes of any number ---- */

static double now;
static size_t lanes = 1; /* of every cell */

double far__clock_seconds(void) {
  return now;
}

double far__clock_thread(void) {
  return 0;
}

static void never(const far_mdp *mdp, const far__body *body, far__lane *lane, size_t n,
                  int64_t steps) {
  (void)mdp, (void)body, (void)lane, (void)n, (void)steps;
  CHECK(false); /* the pool computes nothing */
}

far__lanes_loop *far__lanes_for(const far_agent *agent, const far_mdp *mdp, size_t *width) {
  (void)agent, (void)mdp;
  *width = lanes;
  return never;
}

/* ---- a pool that makes numbers up: run i of cell c has the total 100 c + i ---- */

enum { MOST = 1024 };

typedef struct fake {
  far_pool base;
  size_t n_workers, most, most_on_device; /* blocks at once */
  double seconds[2];                      /* that a run of each cell takes */
  int64_t takes[2];                       /* runs of a device's block; 0: none */
  far_block given[MOST], waiting[MOST];   /* all that were given; those that are not taken back */
  size_t n_given, n_waiting;
  size_t give_fails, take_fails, dies; /* the block, counted from 1; after `dies` no other comes */
  bool whole;                          /* it gives back what fails, with one run less */
  bool stopped;
  bool lazy;    /* the device's first block comes back without runs, and no other is taken */
  bool patient; /* nothing was taken that is to be kept with the next */
  size_t offered, taken, begun, ended;
} fake;

static size_t count_waiting(const fake *f, bool on_device) {
  size_t n = 0;
  for (size_t i = 0; i < f->n_waiting; ++i) n += f->waiting[i].on_device == on_device;
  return n;
}

static far_status fake_begin(far_pool *pool, const far_batch_def *def, far_error *error) {
  (void)def, (void)error;
  ((fake *)pool)->begun += 1;
  return FAR_OK;
}

static size_t fake_workers(const far_pool *pool) {
  return ((const fake *)pool)->n_workers;
}

static size_t fake_room(const far_pool *pool) {
  const fake *f = (const fake *)pool;
  return f->most - count_waiting(f, false);
}

static size_t fake_device_room(const far_pool *pool) {
  const fake *f = (const fake *)pool;
  return f->most_on_device - count_waiting(f, true);
}

static int64_t fake_takes(const far_pool *pool, size_t cell) {
  return ((const fake *)pool)->takes[cell];
}

static far_status fail(far_error *error, const char *why) {
  if (error != NULL) {
    error->code = FAR_STATUS_IO;
    snprintf(error->message, sizeof error->message, "%s", why);
  }
  return FAR_STATUS_IO;
}

static far_status fake_give(far_pool *pool, const far_block *block, far_error *error) {
  fake *f = (fake *)pool;
  f->offered += 1;
  CHECK(f->n_given < MOST && !f->stopped && block->values == NULL && block->runs > 0);
  CHECK(block->on_device ? fake_device_room(pool) > 0 : fake_room(pool) > 0);
  if (f->n_given + 1 == f->give_fails) return fail(error, "it takes no more");
  f->given[f->n_given++] = *block;
  f->waiting[f->n_waiting++] = *block;
  return FAR_OK;
}

/* In the order in which they were given. There is always one when it is asked; it is asked to wait for the first
 * of those that are kept together, and for no other. */
static far_status fake_take(far_pool *pool, far_block *block, bool *got, double seconds,
                            far_error *error) {
  fake *f = (fake *)pool;
  CHECK(f->n_waiting > 0);
  CHECK(seconds == (f->patient ? 0.1 : 0));
  *got = f->n_waiting > 0;
  if (!*got) return FAR_OK;
  *block = f->waiting[0];
  memmove(f->waiting, f->waiting + 1, --f->n_waiting * sizeof *f->waiting);
  const bool fails = ++f->taken == f->take_fails;
  if (fails || f->stopped) block->runs -= 1;
  if (block->on_device && f->lazy) block->runs = f->takes[block->cell] = 0;
  f->patient = f->patient && block->runs == 0; /* which is not kept */
  if ((fails && !f->whole) || f->taken == f->dies) {
    *got = false;
    return fail(error, "all is lost");
  }
  double *values = malloc(2 * ((size_t)block->runs + 1) * sizeof *values);
  for (int64_t i = 0; i < block->runs; ++i)
    values[i] = values[block->runs + i] = 100.0 * (double)block->cell + (double)(block->first + i);
  block->values = values;
  block->seconds = f->seconds[block->cell] * (double)block->runs;
  now += 1;
  return fails ? fail(error, "a run failed") : FAR_OK;
}

static void fake_stop(far_pool *pool) {
  ((fake *)pool)->stopped = true;
}

static void fake_end(far_pool *pool) {
  ((fake *)pool)->ended += 1;
}

static fake pool_of(size_t workers, size_t most) {
  return (fake){.base = {.begin = fake_begin,
                         .workers = fake_workers,
                         .room = fake_room,
                         .give = fake_give,
                         .take = fake_take,
                         .stop = fake_stop,
                         .end = fake_end},
                .n_workers = workers,
                .most = most,
                .patient = true};
}

/* ---- batches ---- */

static far_mdp *mdp;
static int64_t kept[MOST]; /* blocks handed over at once */
static size_t n_kept;
static int64_t kept_runs;

static far_status keep(void *user, const far_block *blocks, size_t count, far_error *error) {
  (void)error;
  ((fake *)user)->patient = true;
  kept[n_kept++] = (int64_t)count;
  for (size_t i = 0; i < count; ++i) kept_runs += blocks[i].runs;
  return FAR_OK;
}

static far_status keep_nothing(void *user, const far_block *blocks, size_t count,
                               far_error *error) {
  (void)blocks, (void)count;
  ((fake *)user)->patient = true;
  return fail(error, "the shelf is full");
}

static int64_t steps_of[2] = {100, 200};

/* Two cells of these runs. */
static far_status run_on(far_batch **out, fake *f, int64_t first, int64_t second,
                         far_batch_def *def, far_error *error) {
  static far_cell cells[2];
  cells[0] = (far_cell){.mdp = mdp, .agent = "q-learning", .steps = steps_of[0], .runs = first};
  cells[1] = (far_cell){.mdp = mdp, .agent = "q-learning", .steps = steps_of[1], .runs = second};
  def->cells = cells;
  def->n_cells = second > 0 ? 2 : 1;
  def->pool = &f->base;
  def->keep_user = f;
  if (def->keep == NULL) def->keep = keep;
  now = 1000;
  n_kept = 0;
  kept_runs = 0;
  const far_status status = far_batch_run(out, def, error);
  CHECK(f->begun == f->ended);
  return status;
}

/* Every number is in its place. */
static void check_totals(const far_batch *batch, size_t cell, int64_t runs) {
  const far_result *r = far_batch_result(batch, cell);
  CHECK(r->runs == runs);
  int64_t wrong = 0;
  for (int64_t i = 0; i < r->runs; ++i) wrong += r->totals[i] != 100.0 * (double)cell + (double)i;
  CHECK(wrong == 0);
}

/* ---- blocks ---- */

/* One worker, one block at a time, runs of 100: how many are in each. */
static void check_sizes(fake *f, int64_t runs, const int64_t *sizes, size_t n) {
  far_batch_def def = far_batch_def_default();
  far_batch *batch;
  CHECK(run_on(&batch, f, runs, 0, &def, NULL) == FAR_OK);
  int64_t next = 0;
  for (size_t i = 0; i < f->n_given; ++i) {
    CHECK(f->given[i].first == next && f->given[i].cell == 0);
    if (i < n) CHECK(f->given[i].runs == sizes[i]);
    next += f->given[i].runs;
  }
  CHECK(next == runs && (f->n_given == n || n < 4));
  check_totals(batch, 0, runs);
  far_batch_free(batch);
}

/* One run, then 20 ms of them, and in the end half of what is left. */
static void test_sizes(void) {
  static const int64_t sizes[] = {1, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5,
                                  5, 5, 5, 5, 5, 5, 5, 4, 2, 1, 1, 1};
  fake f = pool_of(1, 1);
  f.seconds[0] = 0.0035;
  check_sizes(&f, 100, sizes, sizeof sizes / sizeof *sizes);
  static const int64_t few[] = {1, 25}; /* 40 workers: 0.1 s, of which they need 400 a second */
  f = pool_of(40, 1);
  f.seconds[0] = 0.0039;
  check_sizes(&f, 10000, few, 2);
  static const int64_t no_time[] = {1, 1000000}; /* a clock may not see them */
  f = pool_of(1, 1);
  check_sizes(&f, 4000000, no_time, 2);
}

/* Where all runs are known already, the pool has nothing to begin. */
static void test_all_known(void) {
  far_batch_def def = far_batch_def_default();
  far_batch *batch, *again;
  fake f = pool_of(1, 1);
  CHECK(run_on(&batch, &f, 6, 0, &def, NULL) == FAR_OK && f.begun == 1);
  const far_block known = far__batch_block(batch, 0);
  def.done = &known;
  def.n_done = 1;
  f = pool_of(1, 1);
  CHECK(run_on(&again, &f, 6, 0, &def, NULL) == FAR_OK && f.begun == 0);
  check_totals(again, 0, 6);
  far_batch_free(again);
  far_batch_free(batch);
}

/* Eight that go side by side stay together, until there is less. */
static void test_lanes(void) {
  static const int64_t sizes[] = {8, 16, 16, 16, 16, 8, 8, 8, 4}, shared[] = {6, 6};
  lanes = 8;
  fake f = pool_of(1, 1);
  f.seconds[0] = 0.001;
  check_sizes(&f, 100, sizes, sizeof sizes / sizeof *sizes);
  f = pool_of(2, 1); /* of 12 runs each worker has 6; what is left then is shared again */
  f.seconds[0] = 1;
  check_sizes(&f, 12, shared, 1);
  lanes = 1;
}

/* At most 256 blocks are kept at once, and all of them: 600 that are ready are three times. */
static void test_gathered(void) {
  far_batch_def def = far_batch_def_default();
  far_batch *batch;
  fake f = pool_of(600, 600);
  CHECK(run_on(&batch, &f, 600, 0, &def, NULL) == FAR_OK);
  CHECK(n_kept == 3 && kept[0] == 256 && kept[1] == 256 && kept[2] == 88);
  CHECK(kept_runs == 600 && f.n_given == 600);
  check_totals(batch, 0, 600);
  far_batch_free(batch);
}

/* ---- failures ---- */

/* A block that nobody takes ends the batch. */
static void test_give_fails(void) {
  far_batch_def def = far_batch_def_default();
  far_batch *batch;
  far_error error;
  for (size_t at = 1; at < 4; ++at) {
    fake f = pool_of(2, 2);
    f.give_fails = at;
    CHECK(run_on(&batch, &f, 5, 0, &def, &error) == FAR_STATUS_IO && batch == NULL);
    CHECK_TEXT(error.message, "it takes no more");
    CHECK(f.n_given == at - 1 && f.offered == at && f.ended == 1);
  }
  fake f = pool_of(2, 2); /* the device's are handed out first: none of the others follows */
  f.base.takes = fake_takes;
  f.base.device_room = fake_device_room;
  f.most_on_device = 1;
  f.takes[1] = 3;
  f.give_fails = 1;
  CHECK(run_on(&batch, &f, 5, 5, &def, &error) == FAR_STATUS_IO && f.offered == 1);
}

/* After a failure of a run the others are stopped, and what they have is kept; after one of the pool nothing is. */
static void test_take_fails(void) {
  far_batch_def def = far_batch_def_default();
  far_batch *batch;
  far_error error;
  fake f = pool_of(4, 4);
  f.whole = true;
  f.take_fails = 1;
  f.seconds[0] = 1;
  CHECK(run_on(&batch, &f, 40, 0, &def, &error) == FAR_STATUS_IO && batch == NULL);
  CHECK_TEXT(error.message, "a run failed");
  CHECK(f.stopped && f.n_waiting == 0 && f.n_given == 4 && kept_runs == 0); /* of one run each */
  f = pool_of(4, 4);
  f.whole = true;
  f.take_fails = 5;
  CHECK(run_on(&batch, &f, 4000, 0, &def, &error) == FAR_STATUS_IO);
  int64_t given = 0;
  for (size_t i = 0; i < f.n_given; ++i) given += f.given[i].runs;
  CHECK(f.stopped && f.n_waiting == 0 && f.n_given == 8);
  CHECK(given > 8 && kept_runs == given - 4); /* four of them came back with a run less */
  f = pool_of(4, 4);
  f.take_fails = 2;
  CHECK(run_on(&batch, &f, 40, 0, &def, &error) == FAR_STATUS_IO);
  CHECK_TEXT(error.message, "all is lost");
  CHECK(!f.stopped && f.n_waiting == 2 && kept_runs == 1);
  f = pool_of(4, 4); /* a run fails, and then the pool: nobody waits for the rest */
  f.whole = true;
  f.take_fails = 1;
  f.dies = 2;
  CHECK(run_on(&batch, &f, 40, 0, &def, &error) == FAR_STATUS_IO);
  CHECK_TEXT(error.message, "a run failed");
  CHECK(f.stopped && f.n_waiting == 2);
}

/* Runs that cannot be kept end the batch, and the failure of a run is told before that. */
static void test_keep_fails(void) {
  far_batch_def def = far_batch_def_default();
  far_batch *batch;
  far_error error;
  def.keep = keep_nothing;
  fake f = pool_of(2, 2);
  CHECK(run_on(&batch, &f, 9, 0, &def, &error) == FAR_STATUS_IO && batch == NULL);
  CHECK_TEXT(error.message, "the shelf is full");
  CHECK(!f.stopped);
  f = pool_of(2, 2);
  CHECK(run_on(&batch, &f, 9, 0, &def, NULL) == FAR_STATUS_IO && batch == NULL);
  lanes = 8; /* a block of more than one run, so that there is something to keep */
  f = pool_of(1, 1);
  f.whole = true;
  f.take_fails = 1;
  CHECK(run_on(&batch, &f, 90, 0, &def, &error) == FAR_STATUS_IO);
  CHECK_TEXT(error.message, "a run failed");
  CHECK(f.n_given == 1 && f.given[0].runs == 8);
  lanes = 1;
}

/* ---- devices ---- */

static fake device_pool(void) {
  fake f = pool_of(1, 1);
  f.base.takes = fake_takes;
  f.base.device_room = fake_device_room;
  f.most_on_device = 1;
  f.takes[1] = 7;
  f.seconds[0] = f.seconds[1] = 1;
  return f;
}

/* The device has blocks of its own size of its own cell; the processors have the others. */
static void test_devices(void) {
  far_batch_def def = far_batch_def_default();
  far_batch *batch;
  fake f = device_pool();
  CHECK(run_on(&batch, &f, 5, 20, &def, NULL) == FAR_OK);
  int64_t next = 0;
  for (size_t i = 0; i < f.n_given; ++i) {
    CHECK(f.given[i].on_device == (f.given[i].cell == 1));
    if (!f.given[i].on_device) continue;
    CHECK(f.given[i].runs == (next < 14 ? 7 : 6) && f.given[i].first == next);
    next += f.given[i].runs;
  }
  CHECK(next == 20);
  check_totals(batch, 0, 5);
  check_totals(batch, 1, 20);
  far_batch_free(batch);
}

/* What it gives back undone the processors do, in another round; where all is known there is none. */
static void test_device_gives_up(void) {
  far_batch_def def = far_batch_def_default();
  far_batch *batch;
  fake f = device_pool();
  f.lazy = true;
  CHECK(run_on(&batch, &f, 5, 20, &def, NULL) == FAR_OK);
  int64_t again = 0;
  for (size_t i = 0; i < f.n_given; ++i)
    if (f.given[i].cell == 1 && !f.given[i].on_device) again += f.given[i].runs;
  CHECK(again == 20 && kept_runs == 25);
  check_totals(batch, 0, 5);
  check_totals(batch, 1, 20);
  const far_block known = far__batch_block(batch, 1);
  f = device_pool();
  def.done = &known;
  def.n_done = 1;
  far_batch *rest;
  CHECK(run_on(&rest, &f, 5, 20, &def, NULL) == FAR_OK);
  for (size_t i = 0; i < f.n_given; ++i) CHECK(f.given[i].cell == 0);
  CHECK(kept_runs == 5 && far_batch_result(rest, 1)->known == 20);
  check_totals(rest, 1, 20);
  far_batch_free(rest);
  far_batch_free(batch);
}

/* ---- progress ---- */

static far_progress looks[MOST];
static size_t n_looks, stop_at;

static bool note(void *user, const far_progress *p) {
  (void)user;
  looks[n_looks++] = *p;
  return n_looks != stop_at;
}

/* Three runs of half a second and two of twice the steps, by one worker, one at a time. */
static void test_progress(void) {
  static const double left[] = {
      0.5 * 2 + 0.5 / 100 * 400, /* two more of the first cell, and 400 steps of unknown speed */
      0.5 + 0.5 / 100 * 400,     /* one more */
      NAN,                       /* the second cell is begun, and nobody knows how fast it is */
      2,                         /* now it is: one more of two seconds */
      0};
  far_batch_def def = far_batch_def_default();
  far_batch *batch;
  def.progress = note;
  fake f = pool_of(1, 1);
  f.seconds[0] = 0.5;
  f.seconds[1] = 2;
  n_looks = stop_at = 0;
  CHECK(run_on(&batch, &f, 3, 2, &def, NULL) == FAR_OK);
  CHECK(n_looks == 5);
  for (size_t i = 0; i < 5; ++i) {
    const far_progress *p = &looks[i];
    const int64_t runs = (int64_t)i + 1;
    CHECK(p->runs_done == runs && p->runs == 5 && p->cells == 2);
    CHECK(p->cells_done == (runs >= 3) + (runs == 5));
    CHECK(p->steps == 700 && p->steps_known == 0 && p->seconds == (double)runs);
    CHECK(p->steps_done == (runs <= 3 ? 100.0 * (double)runs : 300 + 200.0 * (double)(runs - 3)));
    CHECK(p->seconds_left == left[i] || (left[i] != left[i] && p->seconds_left != p->seconds_left));
  }
  CHECK(far_batch_result(batch, 0)->seconds == 1.5 && far_batch_result(batch, 1)->seconds == 4);
  far_batch_free(batch);
}

/* A step of unknown speed is as long as one that was made. */
static void test_progress_of_steps(void) {
  far_batch_def def = far_batch_def_default();
  far_batch *batch;
  def.progress = note;
  fake f = pool_of(1, 1);
  f.seconds[0] = 0.5;
  n_looks = 0;
  steps_of[0] = steps_of[1] = 1;
  CHECK(run_on(&batch, &f, 2, 1, &def, NULL) == FAR_OK);
  CHECK(n_looks == 3 && looks[0].seconds_left == 0.5 + 0.5 && looks[0].steps == 3);
  far_batch_free(batch);
  steps_of[0] = 100, steps_of[1] = 200;
}

/* Two workers take half of the time; a device beside them is waited for if it takes longer. */
static void test_progress_of_both(void) {
  far_batch_def def = far_batch_def_default();
  far_batch *batch;
  def.progress = note;
  fake f = pool_of(2, 1);
  f.seconds[0] = 3;
  n_looks = 0;
  CHECK(run_on(&batch, &f, 5, 0, &def, NULL) == FAR_OK);
  CHECK(n_looks == 5 && looks[0].seconds_left == 6 && looks[3].seconds_left == 1.5);
  far_batch_free(batch);
  for (int slow = 0; slow < 2; ++slow) {
    f = device_pool();
    f.seconds[0] = slow == 0 ? 8 : 0.5;
    f.takes[1] = 1;
    n_looks = 0;
    CHECK(run_on(&batch, &f, 4, 4, &def, NULL) == FAR_OK);
    /* both have one run behind them, and three more */
    CHECK(looks[0].runs_done == 2 && looks[0].seconds_left == (slow == 0 ? 24 : 3));
    far_batch_free(batch);
  }
}

/* A block that was known says nothing of the speed, and no time has to pass for it. A look is every tenth of a second. */
static void test_known(void) {
  static const double values[] = {0, 1};
  const far_block known = {.first = 0, .runs = 2, .values = values, .seconds = 9};
  far_batch_def def = far_batch_def_default();
  far_batch *batch;
  def.progress = note;
  def.done = &known;
  def.n_done = 1;
  fake f = pool_of(1, 1);
  f.seconds[0] = 0.5;
  n_looks = 0;
  CHECK(run_on(&batch, &f, 4, 0, &def, NULL) == FAR_OK);
  CHECK(n_looks == 2 && looks[0].runs_done == 3 && looks[0].steps_known == 200);
  CHECK(looks[0].seconds_left == 0.5 && f.given[0].first == 2);
  CHECK(far_batch_result(batch, 0)->seconds == 10 && far_batch_result(batch, 0)->known == 2);
  check_totals(batch, 0, 4);
  far_batch_free(batch);
  f = pool_of(1, 1); /* a cell that is known from the beginning takes no time, known or not */
  f.seconds[1] = 2;
  n_looks = 0;
  CHECK(run_on(&batch, &f, 2, 3, &def, NULL) == FAR_OK);
  CHECK(n_looks == 3 && looks[0].seconds_left == 4 && looks[0].cells_done == 1);
  far_batch_free(batch);
}

/* A number that is none stands where the second column begins: the first ends there all the same. */
static void test_columns(void) {
  static const double values[] = {0, NAN};
  static const int64_t points[] = {50};
  const far_block known = {.first = 0, .runs = 1, .values = values};
  const far_cell cell = {.mdp = mdp,
                         .agent = "q-learning",
                         .steps = 100,
                         .checkpoints = points,
                         .n_checkpoints = 1,
                         .runs = 3};
  far_batch_def def = far_batch_def_default();
  far_batch *batch;
  fake f = pool_of(1, 1);
  def.cells = &cell;
  def.n_cells = 1;
  def.pool = &f.base;
  def.done = &known;
  def.n_done = 1;
  def.keep = keep;
  def.keep_user = &f;
  n_kept = 0;
  CHECK(far_batch_run(&batch, &def, NULL) == FAR_OK && f.n_given == 2);
  check_totals(batch, 0, 3);
  far_batch_free(batch);
}

/* Two cells with lanes of eight and a checkpoint, of 4 and 100 runs: the sizes of the first blocks. */
static void check_cuts(far_batch_def def, const far_block *known, const int64_t *sizes, size_t n) {
  static const int64_t points[] = {50};
  far_cell cells[2];
  far_batch *batch;
  fake f = pool_of(1, 1);
  for (int i = 0; i < 2; ++i)
    cells[i] = (far_cell){.mdp = mdp,
                          .agent = "q-learning",
                          .steps = 100,
                          .checkpoints = points,
                          .n_checkpoints = 1,
                          .runs = i == 0 ? 4 : 100};
  def.cells = cells;
  def.n_cells = 2;
  def.pool = &f.base;
  def.done = known;
  def.n_done = known != NULL;
  def.keep = keep;
  def.keep_user = &f;
  n_kept = 0;
  lanes = 8;
  CHECK(far_batch_run(&batch, &def, NULL) == FAR_OK && f.n_given > n);
  for (size_t i = 0; i < n; ++i) CHECK(f.given[i].runs == sizes[i]);
  far_batch_free(batch);
  lanes = 1;
}

/* A block ends where its cell does, at a run that is known, and after one that has snapshots. */
static void test_cuts(void) {
  static const double first[] = {0, NAN}, third[] = {2, 2};
  const far_block begins = {.first = 0, .runs = 1, .values = first},
                  amid = {.first = 2, .runs = 1, .values = third};
  far_batch_def def = far_batch_def_default();
  check_cuts(def, NULL, (int64_t[]){4, 8}, 2);
  check_cuts(def, &begins, (int64_t[]){3, 8}, 2);
  check_cuts(def, &amid, (int64_t[]){2, 1, 8}, 3);
  def.snapshots = 2;
  check_cuts(def, NULL, (int64_t[]){1, 1, 2, 1, 1}, 5);
  def.first_replicate = 1;
  check_cuts(def, NULL, (int64_t[]){1, 3, 1}, 3);
}

/* What the device has is no work that is left for the processors, whose first block is four of five runs. */
static void test_shares(void) {
  far_batch_def def = far_batch_def_default();
  far_batch *batch;
  fake f = device_pool();
  lanes = 4;
  CHECK(run_on(&batch, &f, 5, 20, &def, NULL) == FAR_OK);
  CHECK(f.given[0].on_device && f.given[0].runs == 7);
  CHECK(!f.given[1].on_device && f.given[1].runs == 4);
  far_batch_free(batch);
  lanes = 1;
}

/* Stopped at the third look: of the two runs that are out one comes back; one cell is complete. */
static void test_stop(void) {
  far_batch_def def = far_batch_def_default();
  far_batch *batch;
  far_error error;
  def.progress = note;
  fake f = pool_of(1, 1);
  n_looks = 0;
  stop_at = 3;
  CHECK(run_on(&batch, &f, 2, 5, &def, &error) == FAR_STATUS_CANCELLED);
  stop_at = 0;
  CHECK_TEXT(error.message, "stopped after 4 of 7 runs");
  CHECK(f.stopped && n_looks >= 3);
  check_totals(batch, 0, 2);
  check_totals(batch, 1, 2);
  CHECK(far_batch_finished(batch, 0) == NULL && far_batch_finished(batch, 1)[1] == 1);
  CHECK(far__batch_block(batch, 0).values != NULL && far__batch_block(batch, 1).values == NULL);
  CHECK(far__batch_block(batch, 1).runs == 2);
  const far_block missing = far__batch_block(batch, 1);
  far_batch *again;
  def.done = &missing; /* which says how many runs there are, and not what they gave */
  def.n_done = 1;
  CHECK(far_batch_run(&again, &def, &error) == FAR_STATUS_RANGE && again == NULL);
  CHECK_TEXT(error.message, "a block of known runs has no values");
  far_batch_free(batch);
}

/* ---- estimates ---- */

/* Of 1,000 runs in 10 s by 2 workers: one of each worker, and 20 ms each; by 80 workers 0.2 s. In the end each worker's
 * blocks are half as large as those before, twice. */
static void test_estimates(void) {
  CHECK_NEAR(far__schedule_blocks(1000, 10, 2), 2 + 500, 1e-9);
  CHECK_NEAR(far__schedule_blocks(1000, 10, 80), 80 + 50, 1e-9);
  CHECK(far__schedule_blocks(100, 10, 2) == 100);
  CHECK_NEAR(far__schedule_last_blocks(60, 4), 2 * 4 * 4, 1e-9); /* 1 + 60 / 4 = 2^4 */
  CHECK(far__schedule_last_blocks(3, 4) == 3);
}

int main(void) {
  CHECK(far_mdp_create(&mdp, "chain:n=5", NULL) == FAR_OK);
  test_sizes();
  test_all_known();
  test_lanes();
  test_gathered();
  test_give_fails();
  test_take_fails();
  test_keep_fails();
  test_devices();
  test_device_gives_up();
  test_progress();
  test_progress_of_steps();
  test_progress_of_both();
  test_known();
  test_columns();
  test_cuts();
  test_shares();
  test_stop();
  test_estimates();
  far_mdp_free(mdp);
  return check_report();
}
