/* The pool of threads, by workers of the test's own: who computes, how many blocks are out, what comes back, and what is
 * said of failures. */
#include <farsight/farsight.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "check.h"
#include "run/pool.h"
#include "run/snapshot.h"

enum { SOON = 600 }; /* seconds, for what comes at once */

static pthread_t asking; /* the thread of the test */

/* ---- workers: block i has the number i as its only value, and says where it was computed by its seconds ---- */

enum { HERE = 1, ELSEWHERE };

typedef struct trial {
  far_status created;     /* what comes of making a worker */
  bool patient;           /* a worker does nothing until it is told to stop */
  atomic_int made, freed; /* workers */
  atomic_int runs;        /* blocks that were begun */
} trial;

typedef struct fake_worker {
  trial *t;
  far_stop_fn *stop;
  void *stop_user;
} fake_worker;

static far_status make(void **out, void *user, const far_batch_def *def, far_stop_fn *stop,
                       void *stop_user, far_error *error) {
  trial *t = user;
  (void)def;
  *out = NULL;
  if (t->created != FAR_OK) {
    if (error != NULL) *error = (far_error){.code = t->created, .message = "none can be made"};
    return t->created;
  }
  fake_worker *w = malloc(sizeof *w);
  *w = (fake_worker){t, stop, stop_user};
  *out = w;
  t->made += 1;
  return FAR_OK;
}

/* Block 7 fails with what it has, and so does block 8, in another way. */
static far_status compute(void *worker, far_block *block, far_error *error) {
  fake_worker *w = worker;
  w->t->runs += 1;
  while (w->t->patient && !w->stop(w->stop_user)) sched_yield();
  double *value = malloc(sizeof *value);
  *value = (double)block->first;
  block->values = value;
  block->seconds = pthread_equal(pthread_self(), asking) ? HERE : ELSEWHERE;
  if (block->first != 7 && block->first != 8) return FAR_OK;
  *error = (far_error){.code = block->first == 7 ? FAR_STATUS_IO : FAR_STATUS_RANGE};
  snprintf(error->message, sizeof error->message, "block %d fails", (int)block->first);
  return error->code;
}

static void drop(void *worker) {
  if (worker != NULL) ((fake_worker *)worker)->t->freed += 1;
  free(worker);
}

static const far__worker_type TYPE = {make, compute, drop, false},
                              APART = {make, compute, drop, true};

/* ---- the pool ---- */

static bool go_on(void *user, const far_progress *p) {
  (void)user, (void)p;
  return true;
}

static far_pool *begin(const far__worker_type *type, trial *t, unsigned threads, int64_t runs,
                       bool progress, far_status expected) {
  static far_cell cell;
  static far_batch_def def;
  far_pool *pool = NULL;
  far_error error = {0};
  CHECK(far__pool_create(&pool, threads, type, t, &error) == FAR_OK);
  cell = (far_cell){.agent = "random", .steps = 1, .runs = runs};
  def = far_batch_def_default();
  def.cells = &cell;
  def.n_cells = 1;
  def.progress = progress ? go_on : NULL;
  CHECK(pool->begin(pool, &def, &error) == expected);
  CHECK_TEXT(error.message, expected == FAR_OK ? "" : "none can be made");
  return pool;
}

static void finish(far_pool *pool, const trial *t) {
  pool->end(pool);
  CHECK(t->made == t->freed);
  far_pool_free(pool);
}

static void give(far_pool *pool, int64_t first) {
  const far_block block = {.first = first, .runs = 1};
  CHECK(pool->give(pool, &block, NULL) == FAR_OK);
}

/* The number of the block that comes back; -1: none. */
static int64_t take(far_pool *pool, double seconds, double where) {
  far_block block = {0};
  bool got = false;
  CHECK(pool->take(pool, &block, &got, seconds, NULL) == FAR_OK);
  if (!got) return -1;
  const int64_t number = (int64_t)block.values[0];
  CHECK(block.first == number && block.runs == 1 && block.seconds == where);
  far__block_free(&block);
  return number;
}

static bool take_failure(far_pool *pool, far_status status, const char *why) {
  far_block block = {0};
  far_error error = {0};
  bool got = false;
  CHECK(pool->take(pool, &block, &got, SOON, &error) == status && error.code == status);
  CHECK_TEXT(error.message, why);
  const bool has_runs = got && block.runs > 0;
  CHECK(has_runs == (block.values != NULL));
  far__block_free(&block);
  return has_runs;
}

/* ---- who computes ---- */

/* One alone computes when it is asked, and has one block at a time. */
static void test_solo(void) {
  trial t = {0};
  far_pool *pool = begin(&TYPE, &t, 1, 100, false, FAR_OK);
  CHECK(pool->workers(pool) == 1 && t.made == 1);
  CHECK(take(pool, SOON, HERE) == -1); /* none was given: there is nothing to wait for */
  for (int64_t i = 0; i < 3; ++i) {
    CHECK(pool->room(pool) == 1);
    give(pool, i);
    CHECK(pool->room(pool) == 0 && t.runs == i);
    CHECK(take(pool, 0, HERE) == i && t.runs == i + 1);
  }
  finish(pool, &t);
}

/* Threads have one block in work and one that waits, each. */
static void check_threads(const far__worker_type *type, unsigned wanted, int64_t runs,
                          bool progress, size_t threads) {
  trial t = {0};
  far_pool *pool = begin(type, &t, wanted, runs, progress, FAR_OK);
  CHECK(pool->workers(pool) == threads && pool->room(pool) == 2 * threads);
  for (int round = 0; round < 3; ++round) { /* the queues are rings */
    int64_t sum = 0;
    for (size_t i = 0; i < 2 * threads; ++i) give(pool, (int64_t)(10 + i));
    CHECK(pool->room(pool) == 0);
    for (size_t i = 0; i < 2 * threads; ++i) {
      sum += take(pool, SOON, ELSEWHERE) - 10;
      CHECK(pool->room(pool) == i + 1);
    }
    CHECK(sum == (int64_t)(threads * (2 * threads - 1)) && take(pool, 0, ELSEWHERE) == -1);
  }
  finish(pool, &t);
  CHECK(t.runs == (int)(6 * threads) && t.made == (int)threads);
}

static void test_threads(void) {
  check_threads(&TYPE, 3, 100, false, 3);
  check_threads(&TYPE, 3, 2, false, 2); /* a third would have nothing to do */
  check_threads(&TYPE, 3, 3, false, 3);
  check_threads(&TYPE, 1, 100, true, 1); /* somebody has to look */
  check_threads(&APART, 1, 100, false, 1);
}

/* ---- how many there are ---- */

#ifdef FARSIGHT_WRAPPED_SYSCONF
static long processors; /* that the system tells of; 0: the truth */

long __real_sysconf(int name);

long __wrap_sysconf(int name) {
  return name == _SC_NPROCESSORS_ONLN && processors != 0 ? processors : __real_sysconf(name);
}

/* A system that does not know has one. */
static void test_processors(void) {
  static const long cases[][2] = {{-1, 1}, {1, 1}, {7, 7}, {5000, 1024}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    processors = cases[i][0];
    CHECK(far__pool_threads(0) == (unsigned)cases[i][1] && far__pool_threads(3) == 3);
  }
  processors = 0;
}
#else
static void test_processors(void) {
  printf("skipped: what the system tells cannot be replaced here\n");
}
#endif

static void test_counts(void) {
  CHECK(far__pool_threads(1) == 1 && far__pool_threads(5) == 5);
  CHECK(far__pool_threads(1024) == 1024 && far__pool_threads(1025) == 1024);
  CHECK(far__pool_threads(0) >= 1 && far__pool_threads(0) <= 1024);
}

/* ---- failures ---- */

/* Of several failures the first is told, and all come back with their runs. What is computed after them is as good as
 * before, and the next batch has failures of its own. */
static void test_failures(void) {
  trial t = {0};
  far_pool *pool = begin(&APART, &t, 1, 100, false, FAR_OK);
  give(pool, 7);
  give(pool, 8);
  CHECK(take_failure(pool, FAR_STATUS_IO, "block 7 fails"));
  CHECK(take_failure(pool, FAR_STATUS_IO, "block 7 fails"));
  give(pool, 9);
  CHECK(take(pool, SOON, ELSEWHERE) == 9);
  pool->end(pool);
  far_cell cell = {.agent = "random", .steps = 1, .runs = 2};
  far_batch_def def = far_batch_def_default();
  def.cells = &cell;
  def.n_cells = 1;
  CHECK(pool->begin(pool, &def, NULL) == FAR_OK && pool->room(pool) == 2);
  give(pool, 8);
  CHECK(take_failure(pool, FAR_STATUS_RANGE, "block 8 fails"));
  finish(pool, &t);
}

/* A thread without a worker says so for every block. A pool of one does not begin. */
static void test_no_workers(void) {
  trial t = {.created = FAR_STATUS_IO};
  far_pool *pool = begin(&TYPE, &t, 2, 100, false, FAR_OK);
  for (int i = 0; i < 2; ++i) {
    give(pool, i);
    CHECK(!take_failure(pool, FAR_STATUS_MEMORY, "no memory for a thread's state"));
  }
  finish(pool, &t);
  pool = begin(&TYPE, &t, 1, 100, false, FAR_STATUS_IO);
  far_pool_free(pool);
}

/* ---- stopping ---- */

static void wait_for_run(trial *t) {
  while (t->runs == 0) sched_yield();
}

/* What is in work is told to stop, and comes back. Nobody waits longer than he said, or less. */
static void test_stop(void) {
  trial t = {.patient = true};
  far_pool *pool = begin(&APART, &t, 1, 100, false, FAR_OK);
  give(pool, 3);
  wait_for_run(&t);
  CHECK(take(pool, 0, ELSEWHERE) == -1);
  const double begun = far__clock_seconds();
  CHECK(take(pool, 0.0625, ELSEWHERE) == -1);
  CHECK(far__clock_seconds() - begun >= 0.0624);
  pool->stop(pool);
  CHECK(take(pool, SOON, ELSEWHERE) == 3);
  finish(pool, &t);
}

/* In the end what is at work is told to stop, and what nobody has taken back is freed. */
static void test_end(void) {
  trial t = {.patient = true};
  far_pool *pool = begin(&APART, &t, 1, 100, false, FAR_OK);
  give(pool, 1);
  give(pool, 2);
  wait_for_run(&t);
  finish(pool, &t);
}

/* ---- the processors of a device ---- */

/* A pool that hands back what it was given, at once. */
typedef struct shelf {
  far_pool base;
  far_block block; /* that it has */
  bool full;
  int begun, ended, asked, stopped;
} shelf;

static far_status shelf_begin(far_pool *pool, const far_batch_def *def, far_error *error) {
  (void)def, (void)error;
  ((shelf *)pool)->begun += 1;
  ((shelf *)pool)->full = false;
  return FAR_OK;
}

static size_t shelf_workers(const far_pool *pool) {
  (void)pool;
  return 3;
}

static size_t shelf_room(const far_pool *pool) {
  return ((const shelf *)pool)->full ? 0 : 1;
}

static far_status shelf_give(far_pool *pool, const far_block *block, far_error *error) {
  (void)error;
  ((shelf *)pool)->block = *block;
  ((shelf *)pool)->full = true;
  return FAR_OK;
}

static far_status shelf_take(far_pool *pool, far_block *block, bool *got, double seconds,
                             far_error *error) {
  shelf *x = (shelf *)pool;
  (void)seconds, (void)error;
  x->asked += 1;
  *got = x->full;
  *block = x->block;
  x->full = false;
  return FAR_OK;
}

static void shelf_stop(far_pool *pool) {
  ((shelf *)pool)->stopped += 1;
}

static void shelf_end(far_pool *pool) {
  ((shelf *)pool)->ended += 1;
}

/* Where the device does nothing, its pool is that of the processors, and nobody is asked for what he does not have. Another
 * batch begins anew, and the pool that was lent stays its owner's. */
static void test_lent(void) {
  shelf rest = {.base = {.begin = shelf_begin,
                         .workers = shelf_workers,
                         .room = shelf_room,
                         .give = shelf_give,
                         .take = shelf_take,
                         .stop = shelf_stop,
                         .end = shelf_end}};
  const far_device_def device = {.device = FAR_DEVICE_CPU, .rest = &rest.base};
  far_mdp *mdp;
  far_pool *pool;
  far_block block = {0};
  bool got = true;
  CHECK(far_mdp_create(&mdp, "chain:n=3", NULL) == FAR_OK);
  const far_cell cell = {.mdp = mdp, .agent = "random", .steps = 1, .runs = 9};
  far_batch_def def = far_batch_def_default();
  def.cells = &cell;
  def.n_cells = 1;
  CHECK(far_device_pool_create(&pool, &device, NULL) == FAR_OK);
  CHECK(pool->begin(pool, &def, NULL) == FAR_OK && rest.begun == 1);
  CHECK(pool->workers(pool) == 3 && pool->room(pool) == 1);
  CHECK(pool->device_room(pool) == 0 && pool->takes(pool, 0) == 0);
  CHECK(pool->take(pool, &block, &got, 0, NULL) == FAR_OK && !got && rest.asked == 0);
  give(pool, 5);
  CHECK(pool->room(pool) == 0);
  CHECK(pool->take(pool, &block, &got, SOON, NULL) == FAR_OK && got && block.first == 5);
  CHECK(pool->take(pool, &block, &got, 0, NULL) == FAR_OK && !got && rest.asked == 1);
  give(pool, 6);
  pool->stop(pool);
  pool->end(pool);
  CHECK(rest.stopped == 1 && rest.ended == 1);
  CHECK(pool->begin(pool, &def, NULL) == FAR_OK && rest.begun == 2);
  CHECK(pool->take(pool, &block, &got, 0, NULL) == FAR_OK && !got && rest.asked == 1);
  pool->end(pool);
  CHECK(rest.ended == 2);
  far_device_pool_free(pool);
  far_mdp_free(mdp);
}

int main(void) {
  asking = pthread_self();
  test_solo();
  test_threads();
  test_processors();
  test_counts();
  test_failures();
  test_no_workers();
  test_stop();
  test_end();
  test_lent();
  return check_report();
}
