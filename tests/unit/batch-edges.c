/* Batches at their edges: definitions that are refused, cells and metrics that do not exist, and stops in which some
 * cells are complete. Failures say no position: there is no text to point into. */
#include <farsight/farsight.h>

#include "base/clock.h"
#include "batches.h"
#include "check.h"
#include "run/blocks.h"

static far_mdp *mdp;

static far_cell good_cell(void) {
  return (far_cell){.mdp = mdp, .agent = "q-learning", .steps = 10};
}

static void refuses(const far_batch_def *def, far_status as, const char *why) {
  far_batch *batch = (far_batch *)1;
  far_error error = {.code = FAR_OK};
  CHECK(far_batch_run(&batch, def, &error) == as && batch == NULL);
  CHECK(error.code == as && error.position == -1);
  CHECK_CONTAINS(error.message, why);
}

/* ---- definitions ---- */

/* A cell has its own number of runs, or that of the batch. */
static void test_defaults(void) {
  const far_batch_def def = far_batch_def_default();
  CHECK(def.runs == 300 && def.seed == 1 && def.threads == 0 && def.first_replicate == 0);
  CHECK(def.cells == NULL && def.n_cells == 0 && def.n_metrics == 0 && def.snapshots == 0);
  far_cell cells[] = {good_cell(), good_cell(), good_cell()};
  cells[1].runs = 1;
  cells[2].runs = 9;
  const far_batch_def three = batch_of(cells, 3, 5);
  CHECK(far__batch_runs(&three, 0) == 5);
  CHECK(far__batch_runs(&three, 1) == 1);
  CHECK(far__batch_runs(&three, 2) == 9);
}

static void test_definitions(void) {
  far_cell cell = good_cell();
  far_batch_def def = batch_of(&cell, 1, 2);
  def.n_cells = 0;
  refuses(&def, FAR_STATUS_RANGE, "at least 1 cell and 1 run");
  def.n_cells = 1;
  def.runs = 0;
  refuses(&def, FAR_STATUS_RANGE, "at least 1 cell and 1 run");
  def.runs = 1;
  cell.agent = NULL;
  refuses(&def, FAR_STATUS_RANGE, "a cell needs an agent and at least 1 step");
  cell = good_cell();
  cell.steps = 0;
  refuses(&def, FAR_STATUS_RANGE, "a cell needs an agent and at least 1 step");
  cell = good_cell();
  cell.runs = -1;
  refuses(&def, FAR_STATUS_RANGE, "a cell needs an agent and at least 1 step");
  cell = good_cell();
  cell.mdp = NULL;
  refuses(&def, FAR_STATUS_RANGE, "a cell needs either a model or a simulator");
  cell = good_cell();
  cell.runs = INT64_MAX / 16 + 1;
  refuses(&def, FAR_STATUS_MEMORY, "runs are too many");
  cell.runs = 1000000000000000; /* of one number each */
  refuses(&def, FAR_STATUS_MEMORY, "a batch of 1e+15 results needs about 8000000000000000 bytes");
  cell = good_cell();
  def.snapshots = -1;
  refuses(&def, FAR_STATUS_RANGE, "snapshots must be 0 or more");
  def.snapshots = 0;
  cell.agent = "q-learning:alpha=2";
  far_batch *batch;
  CHECK(far_batch_run(&batch, &def, NULL) != FAR_OK && batch == NULL);
}

/* 2^22 pairs of a run are possible, over all of its checkpoints. */
static void test_snapshots(void) {
  enum { STATES = 1 << 19 };
  static const int64_t points[] = {1, 2, 3, 4, 5};
  far_mdp *large;
  far_batch *batch;
  CHECK(far_mdp_create(&large, "chain:n=524288", NULL) == FAR_OK);
  far_cell cell = {
      .mdp = large, .agent = "random", .steps = 5, .checkpoints = points, .n_checkpoints = 5};
  far_batch_def def = batch_of(&cell, 1, 1);
  CHECK(far_mdp_shape(large).n_states == STATES && far_mdp_shape(large).n_actions == 2);
  CHECK(far_batch_run(&batch, &def, NULL) == FAR_OK); /* without snapshots */
  far_batch_free(batch);
  def.snapshots = 1;
  refuses(&def, FAR_STATUS_RANGE, "are too many; at most 4194304 are possible");
  cell.n_checkpoints = 4; /* 4 * 2^20 pairs */
  CHECK(far_batch_run(&batch, &def, NULL) == FAR_OK);
  far_batch_free(batch);
  far_mdp_free(large);
}

/* Checkpoints ascend from 1 to the steps. */
static void test_checkpoints(void) {
  static const int64_t good[] = {1, 2, 10}, late[] = {11}, none[] = {0}, same[] = {3, 3};
  far_cell cell = good_cell();
  far_batch_def def = batch_of(&cell, 1, 2);
  cell.checkpoints = late;
  cell.n_checkpoints = 1;
  refuses(&def, FAR_STATUS_RANGE, "checkpoint 11: ");
  cell.checkpoints = none;
  refuses(&def, FAR_STATUS_RANGE, "checkpoint 0: ");
  cell.checkpoints = same;
  cell.n_checkpoints = 2;
  refuses(&def, FAR_STATUS_RANGE, "checkpoint 3: they must ascend from 1 to the 10 steps");
  cell.checkpoints = good;
  cell.n_checkpoints = 3;
  far_batch *batch = run(&def);
  CHECK(far_batch_point(batch, 0, 2)->mean == far_batch_result(batch, 0)->mean);
  far_batch_free(batch);
}

/* ---- what is asked of a batch ---- */

static double nothing(void *of, const far_agent *agent) {
  (void)of, (void)agent;
  return 3;
}

static far_status create_nothing(void **out, const far_metric *metric, const far_mdp *model,
                                 const far_agent *agent, int64_t steps, far_error *error) {
  (void)metric, (void)model, (void)agent, (void)steps, (void)error;
  *out = NULL;
  return FAR_OK;
}

static far_status begin_nothing(void *of, const far_agent *agent, uint32_t s, far_error *error) {
  (void)of, (void)agent, (void)s, (void)error;
  return FAR_OK;
}

static far_status see_nothing(void *of, const far_agent *agent, const far_transition *step,
                              uint32_t next, far_error *error) {
  (void)of, (void)agent, (void)step, (void)next, (void)error;
  return FAR_OK;
}

static void free_nothing(void *of) {
  (void)of;
}

/* One metric that has no number before the end, and one that has: the columns of the second are its own. */
static void test_questions(void) {
  static const int64_t points[] = {4, 9};
  far_metric silent = {.name = "silent",
                       .create = create_nothing,
                       .begin = begin_nothing,
                       .step = see_nothing,
                       .end = nothing,
                       .free = free_nothing};
  far_metric loud = silent;
  loud.name = "loud";
  loud.sofar = nothing;
  const far_metric *const metrics[] = {&silent, &loud};
  far_cell cell = good_cell();
  cell.checkpoints = points;
  cell.n_checkpoints = 2;
  far_batch_def def = batch_of(&cell, 1, 3);
  def.metrics = metrics;
  def.n_metrics = 2;
  CHECK(far__batch_width(&def, 0) == 1 + 2 + 2 * 2);
  far_batch *batch = run(&def);
  CHECK(far_batch_result(batch, 0) != NULL && far_batch_result(batch, 1) == NULL);
  CHECK(far_batch_metric(batch, 0, 1)->mean == 3 && far_batch_metric(batch, 0, 2) == NULL);
  CHECK(far_batch_metric(batch, 1, 0) == NULL);
  CHECK(far_batch_point(batch, 0, 1)->step == 9 && far_batch_point(batch, 0, 2) == NULL);
  CHECK(far_batch_point(batch, 1, 0) == NULL);
  CHECK(far_batch_metric_point(batch, 0, 0, 0) == NULL);
  CHECK(far_batch_metric_point(batch, 0, 0, 2) == NULL); /* where that of the other begins */
  CHECK(far_batch_metric_point(batch, 0, 1, 0)->mean == 3);
  CHECK(far_batch_metric_point(batch, 0, 1, 1)->step == 9);
  CHECK(far_batch_metric_point(batch, 0, 1, 2) == NULL);
  CHECK(far_batch_metric_point(batch, 0, 2, 0) == NULL);
  CHECK(far_batch_metric_point(batch, 0, 2, 1) == NULL);
  CHECK(far_batch_metric_point(batch, 1, 1, 0) == NULL);
  CHECK(far_batch_finished(batch, 0) == NULL && far_batch_finished(batch, 1) == NULL);
  CHECK(far__batch_block(batch, 0).runs == 3 && far__batch_block(batch, 0).values != NULL);
  CHECK(far__batch_block(batch, 1).values == NULL && far__batch_block(batch, 1).runs == 0);
  far_batch_free(batch);
  far_batch_free(NULL);
}

/* ---- metrics that fail ---- */

static far_status see_no_more(void *of, const far_agent *agent, const far_transition *step,
                              uint32_t next, far_error *error) {
  (void)of, (void)step, (void)next;
  if (far_agent_steps(agent) < 4) return FAR_OK;
  *error = (far_error){.code = FAR_STATUS_IO, .position = -1, .message = "it saw enough"};
  return FAR_STATUS_IO;
}

/* The step at which a metric fails ends the run; those behind it are not asked any more. */
static void test_failing_metric(void) {
  far_metric failing = {.name = "failing",
                        .create = create_nothing,
                        .begin = begin_nothing,
                        .step = see_no_more,
                        .end = nothing,
                        .free = free_nothing};
  const far_metric *const metrics[] = {&failing};
  const far_cell cell = good_cell();
  far_batch_def def = batch_of(&cell, 1, 2);
  def.metrics = metrics;
  def.n_metrics = 1;
  refuses(&def, FAR_STATUS_IO, "it saw enough");
}

/* ---- what is known ---- */

/* Runs 1 and 2 are known; another block of run 2 must have the same bits. */
static void test_known_twice(void) {
  static const double known[] = {0.25, 0}, same = 0, other = 0.5, negative = -0.0;
  far_block done[] = {{.first = 1, .runs = 2, .values = known},
                      {.first = 2, .runs = 1, .values = &same}};
  const far_cell cell = good_cell();
  far_batch_def def = batch_of(&cell, 1, 4);
  def.first_replicate = 10;
  def.done = done;
  def.n_done = 2;
  far_batch *batch = run(&def);
  const far_result *r = far_batch_result(batch, 0);
  CHECK(r->known == 2 && r->runs == 4 && r->totals[1] == 0.25 && r->totals[2] == 0);
  far_batch_free(batch);
  done[1].values = &other;
  refuses(&def, FAR_STATUS_CONFLICT, "two computations of run 12 of q-learning");
  refuses(&def, FAR_STATUS_CONFLICT, "disagree: 0 and 0.5");
  done[1].values = &negative;
  refuses(&def, FAR_STATUS_CONFLICT, "disagree: 0 and -0");
  done[1].first = 4;
  refuses(&def, FAR_STATUS_RANGE, "the batch has no such block");
}

/* What a batch gives as a block, a later one takes as known: of the second cell, with the time that it took. */
static void test_known_block(void) {
  const far_cell cells[] = {good_cell(), good_cell()};
  const double totals[] = {0.25, 0.5};
  const far_block half = {.cell = 1, .first = 1, .runs = 2, .seconds = 1000, .values = totals};
  far_batch_def def = batch_of(cells, 2, 3);
  def.done = &half;
  def.n_done = 1;
  far_batch *batch = run(&def);
  const far_block whole = far__batch_block(batch, 1);
  CHECK(whole.cell == 1 && whole.first == 0 && whole.runs == 3 && !whole.on_device);
  CHECK(whole.seconds >= 1000 && whole.seconds < 2000);
  CHECK(whole.seconds == far_batch_result(batch, 1)->seconds);
  CHECK(far__batch_block(batch, 0).cell == 0 && far__batch_block(batch, 0).seconds < 1000);
  CHECK(whole.values[1] == 0.25 && whole.values[2] == 0.5);
  def.done = &whole;
  far_batch *again = run(&def);
  CHECK(far_batch_result(again, 0)->known == 0 && far_batch_result(again, 1)->known == 3);
  CHECK(far_batch_result(again, 1)->seconds == whole.seconds);
  CHECK(same_cell(batch, again, 0, 0) && same_cell(batch, again, 1, 0));
  far_batch_free(again);
  far_batch_free(batch);
}

/* ---- workers ---- */

/* Blocks that the batch does not have are refused, those at its edges are not. */
static void test_blocks(void) {
  static const struct {
    size_t cell;
    int64_t first, runs;
    bool good;
  } cases[] = {{0, 0, 5, true},   {0, 4, 1, true},   {0, 0, 1, true},         {1, 0, 1, false},
               {0, -1, 1, false}, {0, 5, 1, false},  {0, 0, 0, false},        {0, 0, 6, false},
               {0, 4, 2, false},  {0, 0, -1, false}, {0, 1, INT64_MAX, false}};
  const far_cell cell = good_cell();
  const far_batch_def def = batch_of(&cell, 1, 5);
  far_worker *worker;
  far_batch *batch = run(&def);
  CHECK(far_worker_create(&worker, &def, NULL, NULL, NULL) == FAR_OK);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    far_block block = {.cell = cases[i].cell, .first = cases[i].first, .runs = cases[i].runs};
    far_error error = {.position = 0};
    const far_status status = far_worker_run(worker, &block, &error);
    CHECK(status == (cases[i].good ? FAR_OK : FAR_STATUS_RANGE));
    CHECK(block.cell == cases[i].cell && block.first == cases[i].first);
    if (cases[i].good) CHECK(block.runs == cases[i].runs);
    for (int64_t k = 0; cases[i].good && k < block.runs; ++k)
      CHECK(block.values[k] == far_batch_result(batch, 0)->totals[cases[i].first + k]);
    if (!cases[i].good) CHECK_TEXT(error.message, "the batch has no such block");
    if (!cases[i].good) CHECK(error.position == -1 && block.values == NULL && block.runs == 0);
    far_free((double *)block.values);
  }
  far_worker_free(worker);
  far_worker_free(NULL);
  far_batch_free(batch);
}

/* The seconds of blocks are of this thread: together not more than has passed on its clock. */
static void test_seconds(void) {
  const far_cell cell = {.mdp = mdp, .agent = "q-learning", .steps = 300000};
  const far_batch_def def = batch_of(&cell, 1, 3);
  far_worker *worker;
  double sum = 0;
  CHECK(far_worker_create(&worker, &def, NULL, NULL, NULL) == FAR_OK);
  const double begun = far__clock_thread();
  for (int64_t i = 0; i < 3; ++i) {
    far_block block = {.first = i, .runs = 1};
    CHECK(far_worker_run(worker, &block, NULL) == FAR_OK && block.seconds > 0);
    sum += block.seconds;
    far_free((double *)block.values);
  }
  CHECK(sum <= far__clock_thread() - begun);
  far_worker_free(worker);
}

/* A block whose bytes have no number of 64 bits: there is no memory for it, rather than for what is left of it. */
static void test_block_beyond_memory(void) {
  const far_cell cell = good_cell();
  const far_batch_def def = batch_of(&cell, 1, INT64_MAX);
  far_worker *worker;
  far_error error;
  CHECK(far_worker_create(&worker, &def, NULL, NULL, NULL) == FAR_OK);
  far_block block = {.runs = INT64_C(1) << 61};
  CHECK(far_worker_run(worker, &block, &error) == FAR_STATUS_MEMORY);
  CHECK_TEXT(error.message, "no memory for a block");
  CHECK(block.runs == 0 && block.values == NULL);
  far_worker_free(worker);
}

int main(void) {
  CHECK(far_mdp_create(&mdp, "chain:n=4", NULL) == FAR_OK);
  test_defaults();
  test_definitions();
  test_snapshots();
  test_checkpoints();
  test_questions();
  test_failing_metric();
  test_known_twice();
  test_known_block();
  test_blocks();
  test_seconds();
  test_block_beyond_memory();
  far_mdp_free(mdp);
  return check_report();
}
