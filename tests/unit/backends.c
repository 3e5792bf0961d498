/* Devices by a backend of the test's own, which computes what the processors compute, at a speed and with faults that
 * are told to it, and by a clock of the test's own: what is estimated and chosen is then computed by hand. */
#include <farsight/farsight.h>
#include <stdlib.h>

#include "base/backend-file.h"
#include "base/clock.h"
#include "batches.h"
#include "check.h"
#include "run/backend.h"
#include "run/blocks.h"
#include "run/device-pool.h"
#include "run/device.h"
#include "solve/backend.h"
#include "solve/parts.h"
#include "solve/sliced.h"
#include "solve/sweep.h"

/* ---- the clocks ---- */

static double now, thread_tick; /* so many seconds of a thread pass whenever it asks */

double far__clock_seconds(void) {
  return now;
}

double far__clock_thread(void) {
  static _Thread_local double own;
  return own += thread_tick;
}

/* ---- runs ---- */

static const far_batch_def *batch; /* that the device computes, cell 0 */
static int64_t room;               /* lanes */
static double begin_seconds, launch_seconds, step_seconds;
static int64_t trial_steps[64];
static size_t n_trials, begun, ended;
static far__device_task task;
static bool begin_fails, lies;
static size_t run_fails; /* counted from 1 */

static int run_open(void **device, int number, far__device_traits *traits, char why[FAR__WHY]) {
  *device = NULL;
  snprintf(traits->name, sizeof traits->name, "number %d", number);
  snprintf(why, FAR__WHY, "it is asleep");
  return number == 9;
}

static void run_close(void *device) {
  (void)device;
}

static int64_t run_lanes(void *device, const far__device_task *of) {
  (void)device, (void)of;
  return room;
}

static int run_begin(void *device, const far__device_task *of, int64_t lanes, char why[FAR__WHY]) {
  (void)device;
  CHECK(lanes >= 1 && lanes <= room);
  task = *of;
  now += begin_seconds;
  begun += 1;
  snprintf(why, FAR__WHY, "it does not begin");
  return begin_fails;
}

/* A trial of other than all steps has values that nobody reads. */
static int run_run(void *device, uint64_t first, int64_t runs, double *values,
                   bool (*stop)(void *user), void *user, bool *stopped, char why[FAR__WHY]) {
  (void)device, (void)stop, (void)user;
  const size_t width = far__batch_width(batch, 0);
  *stopped = false;
  now += launch_seconds + step_seconds * (double)task.steps;
  trial_steps[n_trials++ % 64] = task.steps;
  snprintf(why, FAR__WHY, "it broke");
  if (n_trials == run_fails) return 1;
  if (task.steps != batch->cells[0].steps || task.n_checkpoints == 0) return 0;
  far_block block = {.first = (int64_t)(first - batch->first_replicate), .runs = runs};
  far_worker *worker;
  CHECK(far_worker_create(&worker, batch, NULL, NULL, NULL) == FAR_OK);
  CHECK(far_worker_run(worker, &block, NULL) == FAR_OK && block.runs == runs);
  memcpy(values, block.values, (size_t)runs * width * sizeof *values);
  for (int64_t i = 0; lies && i < runs; ++i) values[i] += 1;
  free((double *)block.values);
  far_worker_free(worker);
  return 0;
}

static void run_end(void *device) {
  (void)device;
  ended += 1;
}

static far__backend for_runs;
static bool no_backend;

static const far__backend *get_runs(void) {
  return no_backend ? NULL : &for_runs;
}

/* ---- sweeps ---- */

typedef struct swept {
  far__sliced rows;
  far__bounding bounding;
  double tolerance, *v, *w;
} swept;

static bool sweep_begin_fails, before_fails, arrives, differs;
static int64_t most_asked, sweep_calls;

static int sweep_open(void **device, char name[FAR__DEVICE_NAME], const far__sweeps_task *of,
                      char why[FAR__WHY]) {
  swept *x = malloc(sizeof *x);
  (void)why;
  *x = (swept){.rows = *of->rows, .bounding = of->bounding, .tolerance = of->tolerance};
  x->v = calloc(of->rows->n_states, sizeof *x->v);
  x->w = calloc(of->rows->n_states, sizeof *x->w);
  snprintf(name, FAR__DEVICE_NAME, "sweeper");
  *device = x;
  return 0;
}

static void sweep_close(void *device) {
  swept *x = device;
  free(x->v);
  free(x->w);
  free(x);
}

static int sweep_begin(void *device, const double *v, char why[FAR__WHY]) {
  swept *x = device;
  memcpy(x->v, v, x->rows.n_states * sizeof *v);
  snprintf(why, FAR__WHY, "the values are lost");
  return sweep_begin_fails;
}

/* After it x->w has the values before the last sweep. */
static int sweep_sweep(void *device, int count, far__extent *extents, int *made, double *seconds,
                       char why[FAR__WHY]) {
  swept *x = device;
  (void)why;
  CHECK(count >= 1 && count <= FAR__SWEEPS_AHEAD);
  most_asked = count > most_asked ? count : most_asked;
  sweep_calls += 1;
  *made = 0;
  for (bool over = arrives && sweep_calls == 2; *made < count && !over;) {
    double *swap = x->v;
    x->v = x->w;
    x->w = swap;
    extents[*made] = far__sweep(&x->rows, NULL, x->bounding.gamma, x->w, x->v);
    over = far__bounds_after(x->bounding, extents[(*made)++]).error <= x->tolerance;
  }
  if (differs) extents[*made - 1].low = nextafter(extents[*made - 1].low, INFINITY);
  *seconds += 0.5;
  return 0;
}

static int sweep_before(void *device, double *v, char why[FAR__WHY]) {
  const swept *x = device;
  memcpy(v, x->w, x->rows.n_states * sizeof *v);
  snprintf(why, FAR__WHY, "the values are gone");
  return before_fails;
}

static int sweep_copy(double *rate, char name[FAR__DEVICE_NAME], size_t bytes, char why[FAR__WHY]) {
  *rate = 2 * (double)bytes;
  snprintf(name, FAR__DEVICE_NAME, "sweeper");
  snprintf(why, FAR__WHY, "nothing is copied");
  return bytes == 0;
}

static far__sweeps_backend for_sweeps;

static const far__sweeps_backend *get_sweeps(void) {
  return no_backend ? NULL : &for_sweeps;
}

/* ---- the file ---- */

static bool no_file, no_symbol;

far_status far__backend_symbol(void **out, const char *library, const char *symbol,
                               far_error *error) {
  far__backend_fn *const runs = get_runs;
  far__sweeps_backend_fn *const sweeps = get_sweeps;
  (void)library;
  *out = NULL;
  if (no_file) {
    *error = (far_error){FAR_STATUS_CONFLICT, -1, "there is no file"};
    return FAR_STATUS_CONFLICT;
  }
  const bool of_runs = strcmp(symbol, FAR__BACKEND_SYMBOL) == 0;
  if (!no_symbol) memcpy(out, of_runs ? (const void *)&runs : (const void *)&sweeps, sizeof *out);
  return FAR_OK;
}

far_status far__backend_mismatch(far_error *error) {
  *error = (far_error){FAR_STATUS_CONFLICT, -1, "it is of another build"};
  return FAR_STATUS_CONFLICT;
}

static void set_up(void) {
  for_runs = (far__backend){.version = FAR__BACKEND_VERSION,
                            .task_size = sizeof(far__device_task),
                            .mdp_size = sizeof(far_mdp),
                            .lane_size = sizeof(far__lane),
                            .open = run_open,
                            .close = run_close,
                            .lanes = run_lanes,
                            .begin = run_begin,
                            .run = run_run,
                            .end = run_end};
  for_sweeps = (far__sweeps_backend){.version = FAR__SWEEPS_VERSION,
                                     .task_size = sizeof(far__sweeps_task),
                                     .rows_size = sizeof(far__sliced),
                                     .open = sweep_open,
                                     .close = sweep_close,
                                     .begin = sweep_begin,
                                     .sweep = sweep_sweep,
                                     .before = sweep_before,
                                     .copy = sweep_copy};
  room = 4;
  begin_seconds = launch_seconds = step_seconds = thread_tick = 0;
  n_trials = begun = ended = run_fails = 0;
  begin_fails = lies = no_backend = no_file = no_symbol = false;
  sweep_begin_fails = before_fails = arrives = differs = false;
  most_asked = sweep_calls = 0;
}

/* ---- batches on the device ---- */

static char note[512];
static int notes;

static void hear(void *user, const char *text) {
  (void)user;
  snprintf(note, sizeof note, "%s", text);
  notes += 1;
}

static far_mdp *mdp;
static const int64_t points[] = {20};
static far_cell cell;
static far_batch_def def;

static far_pool *pool_of(far_device which, int number) {
  far_device_def device = {.device = which, .number = number, .note = hear};
  far_pool *pool;
  cell = (far_cell){
      .mdp = mdp, .agent = "q-learning", .steps = 50, .checkpoints = points, .n_checkpoints = 1};
  def = batch_of(&cell, 1, 10);
  def.lanes = 1;
  batch = &def;
  note[0] = '\0';
  notes = 0;
  CHECK(far_device_pool_create(&pool, &device, NULL) == FAR_OK);
  return pool;
}

/* Runs so many on the device, and says why not all; the results are those of the processors. */
static void check_runs(int number, int64_t runs, const char *why) {
  far_pool *pool = pool_of(FAR_DEVICE_GPU, number);
  far_batch *expected = run(&def);
  def.pool = pool;
  far_batch *found = run(&def);
  CHECK(same_cell(expected, found, 0, 1));
  CHECK(far_device_pool_info(pool).runs == runs);
  CHECK(notes == (why[0] != '\0'));
  CHECK_CONTAINS(note, why);
  CHECK(begun == ended || begin_fails);
  far_batch_free(expected);
  far_batch_free(found);
  far_device_pool_free(pool);
  set_up();
}

/* The whole batch; what has another version or size is not used, nor what is not there. */
static void test_backends(void) {
  static const char other[] = "no device: it is of another build; the processors compute";
  check_runs(0, 10, "");
  check_runs(9, 0, "no device: it is asleep");
  for_runs.version += 1;
  check_runs(0, 0, other);
  for_runs.task_size += 1;
  check_runs(0, 0, other);
  for_runs.mdp_size += 1;
  check_runs(0, 0, other);
  for_runs.lane_size += 1;
  check_runs(0, 0, other);
  no_backend = true;
  check_runs(0, 0, other);
  no_symbol = true;
  check_runs(0, 0, other);
  no_file = true;
  check_runs(0, 0, "no device: there is no file; the processors compute");
}

static void test_run_faults(void) {
  begin_fails = true;
  check_runs(0, 0, "the device failed: it does not begin");
  run_fails = 1;
  check_runs(0, 0, "the device failed: it broke");
  run_fails = 2;
  check_runs(0, 4, "the device failed: it broke");
  lies = true;
  check_runs(0, 0, "it computes other numbers than the processor");
  room = 0;
  far_pool *pool = pool_of(FAR_DEVICE_GPU, 0);
  far__placement place;
  CHECK(far__device_place(&place, NULL, pool, &def, NULL) == FAR_OK && !place.on_device);
  CHECK_TEXT(place.why, "the device has too little memory for one run");
  far_device_pool_free(pool);
  set_up();
}

/* What stays on the processors whatever the device. */
static void test_refused(void) {
  far__placement place;
  far_pool *pool = pool_of(FAR_DEVICE_GPU, 0);
  far_metric *metric;
  def.snapshots = 1;
  CHECK(far__device_place(&place, NULL, pool, &def, NULL) == FAR_OK && !place.on_device);
  CHECK_CONTAINS(place.why, "snapshots");
  room = 0; /* which is then of no interest */
  CHECK(far__device_place(&place, NULL, pool, &def, NULL) == FAR_OK);
  CHECK_CONTAINS(place.why, "snapshots");
  room = 4;
  cell.n_checkpoints = 0; /* of nothing */
  CHECK(far__device_place(&place, NULL, pool, &def, NULL) == FAR_OK && place.on_device);
  def.snapshots = 0;
  cell.n_checkpoints = 1;
  CHECK(far_metric_create(&metric, "mistakes:gamma=0.95", NULL) == FAR_OK);
  const far_metric *const metrics[] = {metric};
  def.metrics = metrics;
  def.n_metrics = 1;
  CHECK(far__device_place(&place, NULL, pool, &def, NULL) == FAR_OK && !place.on_device);
  CHECK_CONTAINS(place.why, "metrics of policies");
  def.n_metrics = 0;
  cell.agent = "no-such-agent";
  CHECK(far__device_place(&place, NULL, pool, &def, NULL) != FAR_OK);
  far_metric_free(metric);
  far_device_pool_free(pool);
}

/* ---- estimates ---- */

static far__placement estimate(int64_t steps, int64_t runs, const far_block *done) {
  far_pool *pool = pool_of(FAR_DEVICE_AUTO, 0);
  far__placement place;
  cell.steps = steps;
  def.runs = runs;
  def.done = done;
  def.n_done = done != NULL;
  CHECK(far__device_place(&place, NULL, pool, &def, NULL) == FAR_OK);
  far_device_pool_free(pool);
  return place;
}

/* A thread takes 1/4 s for a trial of one run of 1,000 steps. The device takes 2 s to begin, 1/8 s for a launch, and 1/64 s
 * for a step of all four lanes. */
static void test_estimates(void) {
  thread_tick = 0.25;
  begin_seconds = 2;
  launch_seconds = 0.125;
  step_seconds = 1.0 / 64;
  far__placement x = estimate(10000, 6, NULL);
  CHECK_NEAR(x.cpu_seconds, 0.25 / 1000 * 60000, 1e-12);
  CHECK_NEAR(x.device_seconds, 2 + 2 * (0.125 + 10000.0 / 64), 1e-9); /* two blocks */
  CHECK(!x.on_device);
  CHECK_TEXT(x.why, "the processors take about 15 s, the device 3.1e+02 s");
  CHECK(n_trials == 3 && trial_steps[0] == 1 && trial_steps[1] == 64 && trial_steps[2] == 320);
  set_up();
  thread_tick = 0.25; /* a step is so short that more of them have to be made */
  step_seconds = 1e-6;
  x = estimate(10000, 6, NULL);
  CHECK_NEAR(x.device_seconds, 2 * 10000e-6, 1e-9);
  CHECK(x.on_device && n_trials == 5 && trial_steps[3] == 1280 && trial_steps[4] == 5120);
  set_up();
  thread_tick = 0.25; /* no more steps than a run has */
  step_seconds = 1e-6;
  x = estimate(700, 4, NULL);
  CHECK_NEAR(x.device_seconds, 700e-6, 1e-12);
  CHECK(n_trials == 4 && trial_steps[3] == 700);
  set_up();
  thread_tick = 0.25; /* fewer than the first trial, and no time at all */
  x = estimate(50, 4, NULL);
  CHECK(x.device_seconds == 0 && x.on_device && n_trials == 2 && trial_steps[1] == 50);
  CHECK_NEAR(x.cpu_seconds, 0.25 / 50 * 200, 1e-12);
  set_up();
}

/* Less than a second of the processors is not worth looking for a device; nor is less than 50 ms of a cell worth
 * measuring it. What is known is not counted. */
static void test_worth(void) {
  const far_block all = {.runs = 6}, some = {.runs = 4}, other = {.cell = 1, .runs = 6};
  thread_tick = 0.25;
  CHECK(estimate(600, 6, NULL).cpu_seconds == 1.5 && n_trials == 4);
  set_up();
  thread_tick = 0.25;
  far__placement x = estimate(600, 6, &some);
  CHECK(x.cpu_seconds == 0.5 && n_trials == 0 && !x.on_device);
  CHECK_TEXT(x.why, "the processors take about 0.5 s");
  CHECK(estimate(600, 6, &all).cpu_seconds == 0 && n_trials == 0);
  CHECK(estimate(600, 6, &other).cpu_seconds == 1.5);
  set_up();
}

/* What AUTO says of its choice: the sums over the cells that it could estimate, of this batch and those before. */
static void check_choice(far_device which, int64_t steps, int64_t first, int64_t last,
                         const char *once, const char *twice) {
  far_pool *pool = pool_of(which, 0);
  const far_cell cells[] = {{.mdp = mdp, .agent = "q-learning", .steps = steps, .runs = first},
                            {.mdp = mdp, .agent = "r-max", .steps = steps}, /* never on a device */
                            {.mdp = mdp, .agent = "q-learning", .steps = steps, .runs = last}};
  def.cells = cells;
  def.n_cells = 3;
  for (int i = 0; i < 2; ++i) {
    CHECK(pool->begin(pool, &def, NULL) == FAR_OK);
    CHECK_TEXT(far_device_pool_info(pool).choice, i == 0 ? once : twice);
    pool->end(pool);
  }
  CHECK(far_device_pool_info(pool).batches == 2 && notes == 0);
  far_device_pool_free(pool);
  set_up();
}

static void test_choice(void) {
  thread_tick = 0.25; /* 15 s and 10 s; 2 + 2 (1/8 + 10000/64) s and 2 + 1/8 + 10000/64 s */
  begin_seconds = 2;
  launch_seconds = 0.125;
  step_seconds = 1.0 / 64;
  check_choice(FAR_DEVICE_AUTO, 10000, 6, 4,
               "estimated: 4.7e+02 s on the device, 25 s on the processors",
               "estimated: 9.5e+02 s on the device, 50 s on the processors");
  thread_tick = 0.25; /* 20 ms and 10 ms */
  step_seconds = 1e-6;
  check_choice(FAR_DEVICE_AUTO, 10000, 6, 4,
               "estimated: 0.03 s on the device, 25 s on the processors",
               "estimated: 0.06 s on the device, 50 s on the processors");
  thread_tick = 0.25; /* 1/2 s and 1/4 s: nobody looks for a device */
  check_choice(FAR_DEVICE_AUTO, 100, 2, 1, "estimated: 0.75 s on the processors",
               "estimated: 1.5 s on the processors");
  check_choice(FAR_DEVICE_GPU, 100, 2, 1, "", "");
}

/* Whoever asks for a backend is told in which way it is missing. */
static void test_open(void) {
  far__device device;
  far_error error = {0};
  no_file = true;
  const far_status missing = far__device_open(&device, NULL, 0, &error);
  CHECK(missing != FAR_OK && missing == error.code && device.backend == NULL);
  set_up();
  CHECK(far__device_open(&device, NULL, 9, &error) == FAR_STATUS_CONFLICT);
  CHECK(error.code == FAR_STATUS_CONFLICT && error.position == -1 && device.backend == NULL);
  CHECK_TEXT(error.message, "it is asleep");
  CHECK(far__device_open(&device, NULL, 3, &error) == FAR_OK && device.backend == &for_runs);
  CHECK_TEXT(device.traits.name, "number 3");
  far__device_close(&device);
  CHECK(device.backend == NULL);
}

/* ---- exact values ---- */

static void check_values(int64_t least, const char *why) {
  far_solver *solver;
  far_solution here, there;
  far_solve_def how = far_solve_def_default();
  CHECK(far_solver_create(&solver, mdp, NULL) == FAR_OK);
  how.method = FAR_METHOD_VALUE;
  how.gamma = 0.99;
  CHECK(far_solver_discounted(&here, solver, &how, NULL) == FAR_OK);
  how.device = FAR_DEVICE_GPU;
  CHECK(far_solver_discounted(&there, solver, &how, NULL) == FAR_OK); /* nobody hears */
  far_solution_free(&there);
  most_asked = sweep_calls = 0;
  how.note = hear;
  note[0] = '\0';
  notes = 0;
  CHECK(far_solver_discounted(&there, solver, &how, NULL) == FAR_OK);
  CHECK(there.sweeps == here.sweeps && there.error == here.error);
  CHECK(memcmp(there.v, here.v, here.n_states * sizeof *here.v) == 0);
  CHECK(least == 0 ? there.device_sweeps == 0 : there.device_sweeps >= least);
  CHECK_TEXT(there.device, least == 0 ? "" : "sweeper");
  CHECK(notes == (why[0] != '\0'));
  CHECK_CONTAINS(note, why);
  CHECK(least == 0 || (most_asked == FAR__SWEEPS_AHEAD && there.device_sweeps == here.sweeps));
  CHECK(least == 0 || there.device_seconds == 0.5 * (double)sweep_calls);
  far_solution_free(&here);
  far_solution_free(&there);
  far_solver_free(solver);
  set_up();
}

static void test_sweeps(void) {
  static const char other[] = "no device: it is of another build; the processors sweep instead";
  check_values(30, "");
  for_sweeps.version += 1;
  check_values(0, other);
  for_sweeps.task_size += 1;
  check_values(0, other);
  for_sweeps.rows_size += 1;
  check_values(0, other);
  no_backend = true;
  check_values(0, other);
  no_symbol = true;
  check_values(0, other);
  sweep_begin_fails = true;
  check_values(0, "the device failed: the values are lost; the processors sweep instead");
  before_fails = true;
  check_values(0, "the device failed: the values are gone; the processors sweep instead");
  arrives = true;
  check_values(0, "it computes other numbers than the processors; the processors sweep instead");
  differs = true;
  check_values(0, "it computes other numbers than the processors; the processors sweep instead");
}

/* A second passes with every sweep of the processors, and none with those of the device. */
static bool wait_a_second(void *user, int64_t sweeps, double error) {
  (void)user, (void)sweeps, (void)error;
  now += sweep_calls == 0;
  return true;
}

/* After eight sweeps, the time that is left is known: most of a hundred seconds. A small model is never worth it. */
static void test_auto(void) {
  far_mdp *large;
  far_solver *solver;
  far_solution x;
  far_solve_def how = far_solve_def_default();
  how.method = FAR_METHOD_VALUE;
  how.device = FAR_DEVICE_AUTO;
  how.gamma = 0.9;
  how.progress = wait_a_second;
  CHECK(far_mdp_create(&large, "chain:n=60000", NULL) == FAR_OK);
  CHECK(far_solver_create(&solver, large, NULL) == FAR_OK);
  CHECK(far_solver_discounted(&x, solver, &how, NULL) == FAR_OK);
  CHECK(x.sweeps > 50 && x.device_sweeps == x.sweeps - 8);
  const int64_t sweeps = x.sweeps;
  far_solution_free(&x);
  sweep_calls = 0;
  how.max_sweeps = 9; /* one is left, of a second: not worth it */
  CHECK(far_solver_discounted(&x, solver, &how, NULL) == FAR_OK);
  CHECK(x.device_sweeps == 0 && sweeps > 9);
  far_solution_free(&x);
  far_solver_free(solver);
  far_mdp_free(large);
  how.max_sweeps = 0;
  CHECK(far_solver_create(&solver, mdp, NULL) == FAR_OK);
  CHECK(far_solver_discounted(&x, solver, &how, NULL) == FAR_OK && x.device_sweeps == 0);
  far_solution_free(&x);
  far_solver_free(solver);
  set_up();
}

static void test_copy(void) {
  double rate;
  char name[FAR_DEVICE_TEXT];
  far_error error;
  CHECK(far__solve_device_copy(&rate, name, NULL, 50, NULL) == FAR_OK && rate == 100);
  CHECK_TEXT(name, "sweeper");
  CHECK(far__solve_device_copy(&rate, name, NULL, 0, &error) == FAR_STATUS_CONFLICT);
  CHECK_TEXT(error.message, "nothing is copied");
  CHECK(error.position == -1);
  no_file = true;
  rate = 7;
  CHECK(far__solve_device_copy(&rate, name, NULL, 50, &error) == FAR_STATUS_CONFLICT && rate == 0);
  CHECK_TEXT(error.message, "there is no file");
  set_up();
}

int main(void) {
  CHECK(far_mdp_create(&mdp, "chain:n=40", NULL) == FAR_OK);
  set_up();
  test_backends();
  test_run_faults();
  test_refused();
  test_estimates();
  test_worth();
  test_choice();
  test_open();
  test_sweeps();
  test_auto();
  test_copy();
  far_mdp_free(mdp);
  return check_report();
}
