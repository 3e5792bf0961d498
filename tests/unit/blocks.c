/* Blocks: curves at checkpoints, results known already, results kept, other pools, stopping. */
#include <farsight/farsight.h>
#include <stdlib.h>

#include "batches.h"
#include "check.h"
#include "run/blocks.h"

enum { RUNS = 23, STEPS = 900, N_CELLS = 4, N_POINTS = 3, WIDTH = 2 + 2 * N_POINTS };

static const int64_t points[N_POINTS] = {1, 257, 900};
static const char *const agents[N_CELLS] = {"directed-delayed-q:steps=900", "q-learning",
                                            "r-max:m=3", "psrl"};

/* A batch of four agents with a metric and a curve. */
typedef struct bench {
  far_mdp *mdp;
  far_metric *metric;
  const far_metric *metrics[1];
  far_cell cells[N_CELLS];
  far_batch_def def;
} bench;

static void set_up(bench *b) {
  *b = (bench){.def = far_batch_def_default()};
  CHECK(far_mdp_create(&b->mdp, "chain:n=6", NULL) == FAR_OK);
  CHECK(far_metric_create(&b->metric, "coverage:what=pairs", NULL) == FAR_OK);
  b->metrics[0] = b->metric;
  for (int i = 0; i < N_CELLS; ++i)
    b->cells[i] = (far_cell){.mdp = b->mdp,
                             .agent = agents[i],
                             .steps = STEPS,
                             .checkpoints = points,
                             .n_checkpoints = N_POINTS};
  b->def.cells = b->cells;
  b->def.n_cells = N_CELLS;
  b->def.runs = RUNS;
  b->def.seed = 3;
  b->def.metrics = b->metrics;
  b->def.n_metrics = 1;
}

static void tear_down(bench *b) {
  far_metric_free(b->metric);
  far_mdp_free(b->mdp);
}

static void same_batch(const far_batch *x, const far_batch *y) {
  for (int i = 0; i < N_CELLS; ++i) {
    CHECK_TEXT(far_batch_result(x, i)->hash, far_batch_result(y, i)->hash);
    CHECK_TEXT(far_batch_metric(x, i, 0)->hash, far_batch_metric(y, i, 0)->hash);
    for (int k = 0; k < N_POINTS; ++k)
      CHECK(memcmp(far_batch_point(x, i, k)->totals, far_batch_point(y, i, k)->totals,
                   RUNS * sizeof(double)) == 0);
    for (int k = 0; k < N_POINTS; ++k)
      CHECK(memcmp(far_batch_metric_point(x, i, 0, k)->totals,
                   far_batch_metric_point(y, i, 0, k)->totals, RUNS * sizeof(double)) == 0);
  }
}

/* A checkpoint says what a run of so many steps says; with the fused loops and with the hooks. */
static void test_curve(bool watched) {
  bench b;
  set_up(&b);
  if (!watched) b.def.n_metrics = 0;
  far_batch *long_runs = run(&b.def);
  for (int k = 0; k < N_POINTS; ++k) {
    for (int i = 0; i < N_CELLS; ++i)
      b.cells[i] = (far_cell){.mdp = b.mdp, .agent = agents[i], .steps = points[k]};
    far_batch *short_runs = run(&b.def);
    for (int i = 0; i < N_CELLS; ++i) {
      const far_point *p = far_batch_point(long_runs, i, k);
      const far_result *r = far_batch_result(short_runs, i);
      CHECK(p->step == points[k]);
      CHECK(memcmp(p->totals, r->totals, RUNS * sizeof(double)) == 0);
      CHECK(p->mean == r->mean && p->std == r->std && p->ci95 == r->ci95);
      CHECK(far_batch_point(short_runs, i, 0) == NULL);
    }
    far_batch_free(short_runs);
  }
  CHECK(far_batch_point(long_runs, 0, N_POINTS) == NULL);
  CHECK(far_batch_point(long_runs, N_CELLS, 0) == NULL);
  far_batch_free(long_runs);
  tear_down(&b);
}

static void test_bad_checkpoints(void) {
  static const int64_t bad[][2] = {{0, 5}, {5, 5}, {7, 6}, {5, STEPS + 1}};
  bench b;
  far_error error;
  far_batch *batch;
  set_up(&b);
  for (int i = 0; i < 4; ++i) {
    b.cells[1].checkpoints = bad[i];
    b.cells[1].n_checkpoints = 2;
    CHECK(far_batch_run(&batch, &b.def, &error) == FAR_STATUS_RANGE);
    CHECK_CONTAINS(error.message, "they must ascend from 1 to the 900 steps");
  }
  tear_down(&b);
}

/* ---- keeping ---- */

typedef struct shelf {
  far_block blocks[N_CELLS * RUNS];
  size_t count, most; /* fails when there are more */
  int64_t runs;
} shelf;

static far_status keep(void *user, const far_block *blocks, size_t count, far_error *error) {
  shelf *s = user;
  for (size_t i = 0; i < count; ++i) {
    if (s->count == s->most) {
      error->code = FAR_STATUS_IO;
      snprintf(error->message, sizeof error->message, "the shelf is full");
      return FAR_STATUS_IO;
    }
    const size_t bytes = (size_t)blocks[i].runs * WIDTH * sizeof(double);
    double *copy = malloc(bytes);
    memcpy(copy, blocks[i].values, bytes);
    s->blocks[s->count] = blocks[i];
    s->blocks[s->count++].values = copy;
    s->runs += blocks[i].runs;
  }
  return FAR_OK;
}

static void empty(shelf *s) {
  for (size_t i = 0; i < s->count; ++i) free((double *)s->blocks[i].values);
  s->count = 0;
  s->runs = 0;
}

/* Everything is kept once; from any part of it the rest is computed, and nothing else. */
static void test_keep_and_resume(unsigned threads) {
  bench b;
  shelf all = {.most = SIZE_MAX}, rest = {.most = SIZE_MAX};
  set_up(&b);
  b.def.threads = threads;
  far_batch *undisturbed = run(&b.def);
  b.def.keep = keep;
  b.def.keep_user = &all;
  far_batch *kept = run(&b.def);
  same_batch(undisturbed, kept);
  CHECK(all.runs == N_CELLS * RUNS);
  b.def.done = all.blocks;
  b.def.keep_user = &rest;
  for (size_t n = 0; n <= all.count; n += 1 + all.count / 7) {
    int64_t known = 0;
    for (size_t i = 0; i < n; ++i) known += all.blocks[i].runs;
    b.def.n_done = n;
    far_batch *resumed = run(&b.def);
    same_batch(undisturbed, resumed);
    CHECK(rest.runs == N_CELLS * RUNS - known);
    far_batch_free(resumed);
    empty(&rest);
  }
  empty(&all);
  far_batch_free(undisturbed);
  far_batch_free(kept);
  tear_down(&b);
}

/* Known results may overlap where they agree, and not where they do not. */
static void test_overlap(void) {
  bench b;
  shelf all = {.most = SIZE_MAX};
  far_error error;
  far_batch *batch;
  set_up(&b);
  b.def.keep = keep;
  b.def.keep_user = &all;
  far_batch_free(run(&b.def));
  const far_block twice[] = {all.blocks[0], all.blocks[1], all.blocks[0]};
  b.def.keep = NULL;
  b.def.done = twice;
  b.def.n_done = 3;
  far_batch_free(run(&b.def));
  double *wrong = malloc((size_t)twice[0].runs * WIDTH * sizeof(double));
  memcpy(wrong, twice[0].values, (size_t)twice[0].runs * WIDTH * sizeof(double));
  wrong[(WIDTH - 1) * twice[0].runs] += 1;
  far_block other[] = {twice[0], twice[0]};
  other[1].values = wrong;
  b.def.done = other;
  b.def.n_done = 2;
  CHECK(far_batch_run(&batch, &b.def, &error) == FAR_STATUS_CONFLICT);
  CHECK_CONTAINS(error.message, "two computations of run");
  other[0].first = RUNS;
  b.def.n_done = 1;
  CHECK(far_batch_run(&batch, &b.def, &error) == FAR_STATUS_RANGE);
  free(wrong);
  empty(&all);
  tear_down(&b);
}

/* Where results cannot be kept the batch ends with that error. */
static void test_keep_fails(unsigned threads) {
  bench b;
  shelf small = {.most = 5};
  far_error error;
  far_batch *batch;
  set_up(&b);
  b.def.threads = threads;
  b.def.keep = keep;
  b.def.keep_user = &small;
  CHECK(far_batch_run(&batch, &b.def, &error) == FAR_STATUS_IO);
  CHECK_TEXT(error.message, "the shelf is full");
  CHECK(batch == NULL && small.count == 5);
  empty(&small);
  tear_down(&b);
}

static bool stop_soon(void *user,
                      const far_progress *p) { /* the first look is at the first block */
  *(int *)user += 1;
  CHECK(p->runs_done <= p->runs && p->cells == N_CELLS && p->cells_done <= N_CELLS);
  return false;
}

/* What a stopped batch says of its runs is what a whole one says of the same. */
static void check_finished(const far_batch *stopped, const far_batch *whole) {
  for (size_t i = 0; i < N_CELLS; ++i) {
    const far_result *some = far_batch_result(stopped, i), *all = far_batch_result(whole, i);
    const int64_t *runs = far_batch_finished(stopped, i);
    CHECK((runs == NULL) == (some->runs == RUNS));
    for (int64_t k = 0; k < some->runs; ++k) {
      const int64_t run = runs != NULL ? runs[k] : k;
      CHECK(run >= k && run < RUNS && some->totals[k] == all->totals[run]);
      CHECK(far_batch_point(stopped, i, 0)->totals[k] == far_batch_point(whole, i, 0)->totals[run]);
    }
    CHECK(far_batch_finished(whole, i) == NULL);
  }
  CHECK(far_batch_finished(stopped, N_CELLS) == NULL);
}

/* A stopped batch has kept just what it reports, and goes on from there. */
static void test_stop(void) {
  bench b;
  shelf all = {.most = SIZE_MAX};
  far_error error;
  far_batch *batch;
  int looks = 0;
  set_up(&b);
  for (int i = 0; i < N_CELLS; ++i) b.cells[i].steps = 60000;
  b.def.keep = keep;
  b.def.keep_user = &all;
  b.def.progress = stop_soon;
  b.def.user = &looks;
  CHECK(far_batch_run(&batch, &b.def, &error) == FAR_STATUS_CANCELLED);
  int64_t runs = 0;
  for (int i = 0; i < N_CELLS; ++i) runs += far_batch_result(batch, i)->runs;
  CHECK(runs == all.runs && runs < N_CELLS * RUNS && looks > 0);
  far_batch *whole;
  b.def.keep = NULL;
  b.def.progress = NULL;
  CHECK(far_batch_run(&whole, &b.def, &error) == FAR_OK);
  check_finished(batch, whole);
  far_batch_free(whole);
  far_batch_free(batch);
  empty(&all);
  tear_down(&b);
}

/* ---- failing ---- */

/* A metric that fails in the runs of one cell. */
static far_status fail_create(void **watcher, const far_metric *metric, const far_mdp *mdp,
                              const far_agent *agent, int64_t steps, far_error *error) {
  (void)metric, (void)mdp, (void)steps, (void)error;
  *watcher = strncmp(far_agent_spec(agent), "r-max", 5) == 0 ? (void *)agent : NULL;
  return FAR_OK;
}

static far_status fail_begin(void *watcher, const far_agent *agent, uint32_t s, far_error *error) {
  (void)agent, (void)s;
  if (watcher == NULL) return FAR_OK;
  error->code = FAR_STATUS_RANGE;
  snprintf(error->message, sizeof error->message, "r-max is out of the question");
  return FAR_STATUS_RANGE;
}

static far_status fail_step(void *watcher, const far_agent *agent, const far_transition *step,
                            uint32_t next, far_error *error) {
  (void)watcher, (void)agent, (void)step, (void)next, (void)error;
  return FAR_OK;
}

static double fail_end(void *watcher, const far_agent *agent) {
  (void)watcher, (void)agent;
  return 0;
}

static void fail_free(void *watcher) {
  (void)watcher;
}

/* The failure of one run is the batch's, and what was finished before it is kept. */
static void test_run_fails(unsigned threads) {
  const far_metric metric = {.name = "failing",
                             .create = fail_create,
                             .begin = fail_begin,
                             .step = fail_step,
                             .end = fail_end,
                             .sofar = fail_end, /* a block is as wide as all others here */
                             .free = fail_free};
  bench b;
  shelf all = {.most = SIZE_MAX};
  far_error error;
  far_batch *batch;
  set_up(&b);
  b.metrics[0] = &metric;
  b.def.threads = threads;
  b.def.keep = keep;
  b.def.keep_user = &all;
  CHECK(far_batch_run(&batch, &b.def, &error) == FAR_STATUS_RANGE && batch == NULL);
  CHECK_TEXT(error.message, "r-max is out of the question");
  CHECK(all.runs > 0);
  empty(&all);
  tear_down(&b);
}

/* ---- another pool: one worker that gives back what it got last first ---- */

typedef struct stack_pool {
  far_pool base;
  far_worker *worker;
  far_block stack[5];
  size_t count, given;
} stack_pool;

static far_status stack_begin(far_pool *pool, const far_batch_def *def, far_error *error) {
  return far_worker_create(&((stack_pool *)pool)->worker, def, NULL, NULL, error);
}

static size_t stack_workers(const far_pool *pool) {
  (void)pool;
  return 3;
}

static size_t stack_room(const far_pool *pool) {
  return 5 - ((const stack_pool *)pool)->count;
}

static far_status stack_give(far_pool *pool, const far_block *block, far_error *error) {
  stack_pool *c = (stack_pool *)pool;
  (void)error;
  c->stack[c->count++] = *block;
  c->given += 1;
  return FAR_OK;
}

static far_status stack_take(far_pool *pool, far_block *block, bool *got, double seconds,
                             far_error *error) {
  stack_pool *c = (stack_pool *)pool;
  (void)seconds;
  *got = c->count > 0;
  if (!*got) return FAR_OK;
  *block = c->stack[--c->count];
  return far_worker_run(c->worker, block, error);
}

static void stack_end(far_pool *pool) {
  far_worker_free(((stack_pool *)pool)->worker);
}

static void test_other_pool(void) {
  bench b;
  stack_pool pool = {.base = {.begin = stack_begin,
                              .workers = stack_workers,
                              .room = stack_room,
                              .give = stack_give,
                              .take = stack_take,
                              .end = stack_end}};
  set_up(&b);
  far_batch *threads = run(&b.def);
  b.def.pool = &pool.base;
  far_batch *stack = run(&b.def);
  same_batch(threads, stack);
  CHECK(pool.given >= 5 && pool.count == 0);
  far_batch_free(threads);
  far_batch_free(stack);
  tear_down(&b);
}

/* A cell with a number of runs of its own has the first so many of the others' luck. */
static void test_own_runs(void) {
  bench b;
  set_up(&b);
  far_batch *all = run(&b.def);
  b.cells[1].runs = 5;
  b.cells[2].runs = 2 * RUNS;
  far_batch *own = run(&b.def);
  CHECK(far_batch_result(own, 0)->runs == RUNS);
  CHECK(far_batch_result(own, 1)->runs == 5);
  CHECK(far_batch_result(own, 2)->runs == 2 * RUNS);
  CHECK_TEXT(far_batch_result(own, 3)->hash, far_batch_result(all, 3)->hash);
  for (int k = 0; k < N_POINTS; ++k) {
    const double *some = far_batch_point(own, 1, k)->totals,
                 *more = far_batch_point(own, 2, k)->totals;
    CHECK(memcmp(some, far_batch_point(all, 1, k)->totals, 5 * sizeof(double)) == 0);
    CHECK(memcmp(more, far_batch_point(all, 2, k)->totals, RUNS * sizeof(double)) == 0);
  }
  far_block known[N_CELLS]; /* more runs of a batch that is finished */
  for (size_t i = 0; i < N_CELLS; ++i) known[i] = far__batch_block(all, i);
  shelf rest = {.most = SIZE_MAX};
  b.cells[1].runs = 0;
  b.def.done = known;
  b.def.n_done = N_CELLS;
  b.def.keep = keep;
  b.def.keep_user = &rest;
  far_batch *more = run(&b.def);
  CHECK_TEXT(far_batch_result(more, 2)->hash, far_batch_result(own, 2)->hash);
  CHECK(rest.runs == RUNS);
  CHECK(far__batch_block(all, N_CELLS).values == NULL);
  empty(&rest);
  far_batch_free(more);
  far_batch_free(all);
  far_batch_free(own);
  tear_down(&b);
}

/* A worker refuses what the batch does not have. */
static void test_hand(void) {
  static const far_block bad[] = {{.cell = N_CELLS, .first = 0, .runs = 1},
                                  {.cell = 0, .first = -1, .runs = 1},
                                  {.cell = 0, .first = RUNS, .runs = 1},
                                  {.cell = 0, .first = 0, .runs = 0},
                                  {.cell = 0, .first = 1, .runs = RUNS}};
  bench b;
  far_worker *worker;
  set_up(&b);
  CHECK(far_worker_create(&worker, &b.def, NULL, NULL, NULL) == FAR_OK);
  for (int i = 0; i < 5; ++i) {
    far_block block = bad[i];
    CHECK(far_worker_run(worker, &block, NULL) == FAR_STATUS_RANGE);
  }
  far_worker_free(worker);
  tear_down(&b);
}

/* ---- stopped in the midst of a plan or a metric ---- */

static bool count_down(void *user) {
  int64_t *left = user;
  return --*left < 0;
}

/* Runs a block of a cell that is told to stop when it asks for the `asks`-th time; true if it was. */
static bool stopped_block(const bench *b, size_t cell, int64_t asks, far_block *block) {
  far_worker *worker;
  *block = (far_block){.cell = cell, .runs = 3};
  CHECK(far_worker_create(&worker, &b->def, count_down, &asks, NULL) == FAR_OK);
  CHECK(far_worker_run(worker, block, NULL) == FAR_OK);
  far_worker_free(worker);
  return asks < 0;
}

/* Whenever it is told, what it calls finished is what the whole block has there: a plan that was cut
 * short never counts, not even in the last steps of a run. */
static void test_stop_anywhere(const char *agent, const char *metric) {
  bench b;
  far_block whole, part;
  far_metric *watch;
  int64_t asks = 1;
  set_up(&b);
  CHECK(far_metric_create(&watch, metric, NULL) == FAR_OK);
  b.metrics[0] = watch;
  b.cells[0].agent = agent;
  b.cells[0].steps = 40;
  b.cells[0].n_checkpoints = 0;
  CHECK(!stopped_block(&b, 0, INT64_MAX, &whole) && whole.runs == 3);
  for (; stopped_block(&b, 0, asks, &part); asks += 1 + asks / 4) {
    CHECK(part.runs < 3 && (part.runs > 0) == (part.values != NULL));
    for (int64_t k = 0; k < 2; ++k)
      for (int64_t i = 0; i < part.runs; ++i)
        CHECK(part.values[k * part.runs + i] == whole.values[k * 3 + i]);
    free((double *)part.values);
  }
  CHECK(asks > 15); /* it does ask on its way */
  free((double *)part.values);
  free((double *)whole.values);
  far_metric_free(watch);
  tear_down(&b);
}

/* Plans that would sweep for years; the first one begins within some hundred steps. */
static void test_stop_endless(void) {
  static const char *const endless[] = {"r-max:m=1",  "v-max:m=1",  "mbie", "mbie-eb",
                                        "mormax:m=1", "ucrl-gamma", "beb",  "oim"};
  for (size_t i = 0; i < sizeof endless / sizeof *endless; ++i) {
    char spec[96];
    bench b;
    far_block block;
    set_up(&b);
    snprintf(spec, sizeof spec, "%s%cgamma=0.999999999999,tol=1e-9", endless[i],
             strchr(endless[i], ':') != NULL ? ',' : ':');
    b.cells[0].agent = spec;
    b.def.n_metrics = 0;
    CHECK(stopped_block(&b, 0, 300, &block));
    CHECK(block.runs == 0 && block.values == NULL);
    tear_down(&b);
  }
}

int main(void) {
  test_curve(false);
  test_curve(true);
  test_bad_checkpoints();
  test_keep_and_resume(1);
  test_keep_and_resume(3);
  test_overlap();
  test_keep_fails(1);
  test_keep_fails(4);
  test_stop();
  test_run_fails(1);
  test_run_fails(3);
  test_other_pool();
  test_own_runs();
  test_hand();
  test_stop_anywhere("r-max:m=2,gamma=0.99", "coverage");
  test_stop_anywhere("oim:gamma=0.99", "regret:gamma=0.99");
  test_stop_anywhere("ucrl2", "earned");
  test_stop_anywhere("e3:m=2,gamma=0.99", "mistakes:eps=1");
  test_stop_anywhere("q-learning", "mistakes:eps=1,estimator=rollout,every=10,rollouts=2");
  test_stop_endless();
  return check_report();
}
