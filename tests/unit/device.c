/* Devices, by the backend whose lanes are the processor's: the same bits as threads for every agent and model that
 * it takes, what it does not take, and failures at every point. Where FARSIGHT_GPU_LIBRARY names a backend, the bits
 * of that one. */
#include <dlfcn.h>
#include <farsight/farsight.h>
#include <stdlib.h>

#include "batches.h"
#include "check.h"
#include "run/device-pool.h"
#include "suite.h"
#include "told.h"

enum { RUNS = 10, STEPS = 150, N_POINTS = 3 };

static const int64_t points[N_POINTS] = {1, 64, STEPS};

static far_cell cell_of(far_mdp *mdp, const char *agent) {
  return (far_cell){
      .mdp = mdp, .agent = agent, .steps = STEPS, .checkpoints = points, .n_checkpoints = N_POINTS};
}

/* Two and more actions, rows with alias tables, terminal states, several starts, rewards below 0. */
static const char *const models[] = {"chain:n=5,left=-0.5",
                                     "garnet:states=30,actions=3,branching=12", "frozen-lake",
                                     "dirichlet:states=4,actions=2"};
enum { N_MODELS = sizeof models / sizeof *models };

static far_mdp *mdps[N_MODELS];

static far_pool *device(far_device which, const char *lanes) {
  far_device_def def = far_device_def_default();
  far_pool *pool;
  def.device = which;
  def.library = library;
  def.note = tell;
  told[0] = '\0';
  n_told = 0;
  setenv("FARSIGHT_LANES", lanes, 1);
  CHECK(far_device_pool_create(&pool, &def, NULL) == FAR_OK);
  return pool;
}

/* Runs the batch by threads and with the pool. */
static void compare(far_batch_def *def, far_pool *pool) {
  def->pool = NULL;
  far_batch *expected = run(def);
  def->pool = pool;
  far_batch *found = run(def);
  for (size_t i = 0; i < def->n_cells; ++i) {
    const bool same = same_cell(expected, found, i, N_POINTS);
    CHECK(same);
    if (!same) printf("  %s\n", def->cells[i].agent);
  }
  far_batch_free(expected);
  far_batch_free(found);
}

/* ---- the same bits ---- */

static const char *const taken[] = {"directed-delayed-q", "delayed-q", "delayed-q-ie",
                                    "q-learning",         "count-q",   "ucb-q",
                                    "speedy-q",           "dora"};

static bool is_taken(const char *name) {
  for (size_t i = 0; i < sizeof taken / sizeof *taken; ++i)
    if (strcmp(taken[i], name) == 0) return true;
  return false;
}

/* On all models; 7 lanes leave a block of 3. */
static void test_spec(const far_type_info *type, const char *spec) {
  far_cell cells[N_MODELS];
  if (!is_taken(type->name)) return;
  for (size_t i = 0; i < N_MODELS; ++i) cells[i] = cell_of(mdps[i], spec);
  far_batch_def def = batch_of(cells, N_MODELS, RUNS);
  far_pool *pool = device(FAR_DEVICE_GPU, "lanes=7");
  compare(&def, pool);
  const far_device_info info = far_device_pool_info(pool);
  CHECK(info.runs == RUNS * N_MODELS);
  CHECK_TEXT(info.failure, "");
  CHECK_TEXT(told, "");
  far_device_pool_free(pool);
}

/* ---- what is taken ---- */

static void test_places(void) {
  const far_cell cells[] = {cell_of(mdps[0], "q-learning"), cell_of(mdps[0], "r-max"),
                            cell_of(mdps[1], "delayed-q")};
  far_batch_def def = batch_of(cells, 3, RUNS);
  far__placement places[3];
  far_pool *pool = device(FAR_DEVICE_GPU, "lanes=4");
  CHECK(far__device_place(places, NULL, pool, &def, NULL) == FAR_OK);
  CHECK(places[0].on_device && !places[1].on_device && places[2].on_device);
  CHECK_CONTAINS(places[1].why, "this agent");
  compare(&def, pool); /* in one batch */
  CHECK(far_device_pool_info(pool).runs == 2 * RUNS);
  def.generic = true;
  CHECK(far__device_place(places, NULL, pool, &def, NULL) == FAR_OK);
  CHECK(!places[0].on_device);
  far_device_pool_free(pool);
}

/* ---- metrics ---- */

/* Those that follow from transitions; what can be earned or gained differs between the models. */
static const char *const tallies[] = {"episodes",
                                      "return",
                                      "success",
                                      "success:at_least=0.5",
                                      "regret:against=gain",
                                      "coverage",
                                      "coverage:what=pairs"};
enum { N_TALLIES = sizeof tallies / sizeof *tallies };

static bool same_metrics(const far_batch *x, const far_batch *y, size_t i) {
  bool same = true;
  for (size_t m = 0; m < N_TALLIES; ++m) {
    same &= strcmp(far_batch_metric(x, i, m)->hash, far_batch_metric(y, i, m)->hash) == 0;
    for (size_t k = 0; k < N_POINTS; ++k)
      same &= memcmp(far_batch_metric_point(x, i, m, k)->totals,
                     far_batch_metric_point(y, i, m, k)->totals, RUNS * sizeof(double)) == 0;
  }
  return same;
}

static void make_metrics(far_metric **out, const char *const *names, size_t n) {
  for (size_t i = 0; i < n; ++i) CHECK(far_metric_create(&out[i], names[i], NULL) == FAR_OK);
}

static void test_tallies(void) {
  enum { N_TAKEN = sizeof taken / sizeof *taken, N = N_TAKEN * N_MODELS };
  far_metric *metrics[N_TALLIES];
  far_cell cells[N];
  make_metrics(metrics, tallies, N_TALLIES);
  for (size_t i = 0; i < N; ++i) cells[i] = cell_of(mdps[i % N_MODELS], taken[i / N_MODELS]);
  far_batch_def def = batch_of(cells, N, RUNS);
  def.metrics = (const far_metric *const *)metrics;
  def.n_metrics = N_TALLIES;
  far_pool *pool = device(FAR_DEVICE_GPU, "lanes=7");
  far_batch *expected = run(&def);
  def.pool = pool;
  far_batch *found = run(&def);
  for (size_t i = 0; i < N; ++i) {
    const bool same = same_cell(expected, found, i, N_POINTS) && same_metrics(expected, found, i);
    CHECK(same);
    if (!same) printf("  %s\n", cells[i].agent);
  }
  CHECK(far_device_pool_info(pool).runs == N * RUNS);
  CHECK_TEXT(told, "");
  far_batch_free(expected);
  far_batch_free(found);
  far_device_pool_free(pool);
  for (size_t i = 0; i < N_TALLIES; ++i) far_metric_free(metrics[i]);
}

/* Failures with metrics: at each allocation, and a number that is wrong. */
static void test_tally_failures(void) {
  const char *const names[] = {"earned", "coverage"};
  const far_cell cells[] = {cell_of(mdps[1], "q-learning")};
  far_metric *metrics[2];
  make_metrics(metrics, names, 2);
  far_batch_def def = batch_of(cells, 1, RUNS);
  def.metrics = (const far_metric *const *)metrics;
  def.n_metrics = 2;
  for (int n = 1; n <= 14; ++n) {
    char lanes[64];
    const char *how = n <= 12 ? "lost" : n == 13 ? "fail" : "wrong";
    snprintf(lanes, sizeof lanes, "lanes=4 %s=%d", how, n <= 12 ? n : 2);
    far_pool *pool = device(FAR_DEVICE_GPU, lanes);
    compare(&def, pool);
    CHECK(n_told == 1 && far_device_pool_info(pool).runs == (n <= 12 ? 0 : 4));
    far_device_pool_free(pool);
  }
  far_metric_free(metrics[0]);
  far_metric_free(metrics[1]);
}

static void test_metrics_and_horizon(void) {
  far_mdp *timed;
  far_metric *metric;
  CHECK(far_mdp_create(&timed, "chain:n=5,horizon=7", NULL) == FAR_OK);
  CHECK(far_metric_create(&metric, "regret", NULL) == FAR_OK);
  const far_metric *const metrics[] = {metric};
  const far_cell cells[] = {cell_of(timed, "q-learning"), cell_of(mdps[0], "q-learning")};
  far_batch_def def = batch_of(cells, 2, RUNS);
  far__placement places[2];
  far_pool *pool = device(FAR_DEVICE_GPU, "");
  CHECK(far__device_place(places, NULL, pool, &def, NULL) == FAR_OK);
  CHECK_CONTAINS(places[0].why, "fixed length");
  compare(&def, pool);
  def.metrics = metrics;
  def.n_metrics = 1;
  def.cells = &cells[1];
  def.n_cells = 1;
  CHECK(far__device_place(places, NULL, pool, &def, NULL) == FAR_OK);
  CHECK_CONTAINS(places[0].why, "metrics of policies");
  compare(&def, pool);
  CHECK(far_device_pool_info(pool).runs == RUNS);
  far_device_pool_free(pool);
  far_metric_free(metric);
  far_mdp_free(timed);
}

/* ---- failures ---- */

/* The batch is right, and the note says why; so many runs came from the device. */
static void fails(const char *lanes, const char *why, int64_t runs) {
  const far_cell cells[] = {cell_of(mdps[0], "directed-delayed-q"), cell_of(mdps[3], "r-max"),
                            cell_of(mdps[2], "q-learning")};
  far_batch_def def = batch_of(cells, 3, RUNS);
  far_pool *pool = device(FAR_DEVICE_GPU, lanes);
  compare(&def, pool);
  CHECK_CONTAINS(told, why);
  CHECK(n_told == 1);
  CHECK(far_device_pool_info(pool).runs == runs);
  compare(&def, pool); /* it is not tried again */
  CHECK(n_told == 1);
  CHECK(far_device_pool_info(pool).runs == runs);
  far_device_pool_free(pool);
}

static void test_failures(void) {
  char lanes[64];
  fails("absent", "no device: no device; the processors compute", 0);
  fails("lanes=4 fail=1", "the device failed: the launch failed", 0);
  fails("lanes=4 fail=2", "the launch failed", 4);
  fails("lanes=4 fail=4", "the launch failed", RUNS);
  fails("lanes=4 wrong=2", "other numbers than the processor", 4);
  for (int n = 1; n <= 8; ++n) {
    snprintf(lanes, sizeof lanes, "lanes=4 lost=%d", n);
    fails(lanes, "out of memory", 0);
  }
  fails("lanes=4 lost=15", "out of memory", RUNS); /* with the second cell */
}

static void test_too_small(void) {
  const far_cell cells[] = {cell_of(mdps[0], "q-learning"), cell_of(mdps[1], "q-learning")};
  far_batch_def def = batch_of(cells, 2, RUNS);
  far__placement places[2];
  far_pool *pool = device(FAR_DEVICE_GPU, "room=5000"); /* the second model alone is larger */
  CHECK(far__device_place(places, NULL, pool, &def, NULL) == FAR_OK);
  CHECK(places[0].on_device && !places[1].on_device);
  CHECK_CONTAINS(places[1].why, "too little memory");
  compare(&def, pool);
  far_device_pool_free(pool);
}

static void test_no_backend(void) {
  const far_cell cells[] = {cell_of(mdps[0], "q-learning")};
  far_batch_def def = batch_of(cells, 1, RUNS);
  far_device_def what = {.device = FAR_DEVICE_GPU, .library = "/no/such/file.so", .note = tell};
  far_pool *pool;
  CHECK(far_device_pool_create(&pool, &what, NULL) == FAR_OK);
  compare(&def, pool);
  CHECK_CONTAINS(told, "no device: the backend cannot be loaded");
  far_device_pool_free(pool);
  far_device_pool_free(NULL);
}

/* ---- the choice ---- */

/* Work of minutes, which is not done here. */
static far__placement place_much(far_pool *pool) {
  far_cell cells[] = {cell_of(mdps[0], "q-learning"), cell_of(mdps[0], "r-max")};
  far_batch_def def = batch_of(cells, 2, RUNS);
  far__placement places[2];
  cells[0].steps = 1000000000;
  CHECK(far__device_place(places, NULL, pool, &def, NULL) == FAR_OK);
  CHECK(!places[1].on_device);
  return places[0];
}

/* What is known costs nothing. */
static void test_known(void) {
  far_cell cells[] = {cell_of(mdps[0], "q-learning")};
  const far_block done = {.runs = RUNS};
  far_batch_def def = batch_of(cells, 1, RUNS);
  far__placement place;
  far_pool *pool = device(FAR_DEVICE_AUTO, "skip=1000000");
  cells[0].steps = 1000000000;
  def.done = &done;
  def.n_done = 1;
  CHECK(far__device_place(&place, NULL, pool, &def, NULL) == FAR_OK);
  CHECK(!place.on_device && place.cpu_seconds == 0);
  far_device_pool_free(pool);
}

static void test_little(void) {
  const far_cell cells[] = {cell_of(mdps[0], "q-learning")};
  far_batch_def def = batch_of(cells, 1, RUNS);
  far__placement place;
  far_pool *pool = device(FAR_DEVICE_AUTO, "");
  CHECK(far__device_place(&place, NULL, pool, &def, NULL) == FAR_OK);
  CHECK(!place.on_device && place.cpu_seconds > 0);
  CHECK_CONTAINS(place.why, "the processors take about");
  compare(&def, pool);
  CHECK_TEXT(far_device_pool_info(pool).name, ""); /* not even looked for */
  CHECK_CONTAINS(far_device_pool_info(pool).choice, "estimated: ");
  CHECK_TEXT(told, "");
  far_device_pool_free(pool);
}

/* Times are measured, and other programs may disturb that: a choice is wrong if it is wrong many times in a row. */
static bool chooses(const char *lanes, bool on_device, double least_seconds) {
  bool good = false;
  for (int i = 0; i < 50 && !good; ++i) {
    far_pool *pool = device(FAR_DEVICE_AUTO, lanes);
    const far__placement place = place_much(pool);
    good = place.on_device == on_device && place.device_seconds > least_seconds;
    CHECK_TEXT(far_device_pool_info(pool).name, "lanes of the processor");
    CHECK((place.device_seconds < place.cpu_seconds) == place.on_device);
    CHECK_CONTAINS(place.why, "the device");
    far_device_pool_free(pool);
  }
  return good;
}

static void test_auto(void) {
  CHECK(chooses("skip=1000000", true, 0));
  CHECK(chooses("wait=5", false, 1e9 / 256 * 0.005 / 10)); /* 5 ms for 256 steps, but for noise */
  far_pool *pool = device(FAR_DEVICE_CPU, "");
  CHECK(!place_much(pool).on_device);
  CHECK_TEXT(far_device_pool_info(pool).failure, "the processors were asked for");
  CHECK_TEXT(far_device_pool_info(pool).name, ""); /* not even looked for */
  far_device_pool_free(pool);
}

/* By allocations and launches of trials: the processors are chosen, and the reason is told. */
static void test_auto_failures(void) {
  enum {
    PIECES = 8,
    LOST = 3 * PIECES,
    FAIL = 4
  }; /* at least three trials, and two launches in the last */
  char lanes[64];
  for (int n = 1; n <= LOST + FAIL; ++n) {
    const bool lost = n <= LOST;
    snprintf(lanes, sizeof lanes, "%s=%d", lost ? "lost" : "fail", lost ? n : n - LOST);
    far_pool *pool = device(FAR_DEVICE_AUTO, lanes);
    const far__placement place = place_much(pool);
    CHECK(!place.on_device);
    CHECK_CONTAINS(place.why, lost ? "out of memory" : "the launch failed");
    far_device_pool_free(pool);
  }
}

static void test_parse(void) {
  far_device found = FAR_DEVICE_CPU;
  CHECK(far__device_parse(&found, "auto") && found == FAR_DEVICE_AUTO);
  CHECK(far__device_parse(&found, "gpu") && found == FAR_DEVICE_GPU);
  CHECK(far__device_parse(&found, "cpu") && found == FAR_DEVICE_CPU);
  CHECK(!far__device_parse(&found, "tpu") && !far__device_parse(&found, ""));
}

/* ---- side by side ---- */

typedef struct order {
  int64_t kept[2]; /* runs of each cell */
  bool beside;     /* the processors' came before the last of the device */
} order;

static far_status note_order(void *user, const far_block *blocks, size_t count, far_error *error) {
  order *o = user;
  (void)error;
  for (size_t i = 0; i < count; ++i) {
    CHECK(blocks[i].on_device == (blocks[i].cell == 0));
    o->kept[blocks[i].cell] += blocks[i].runs;
    o->beside |= blocks[i].cell == 1 && o->kept[0] < RUNS;
  }
  return FAR_OK;
}

/* The device waits for so many milliseconds in each of three blocks; what the processors do meanwhile. */
static order run_beside(unsigned threads, int wait) {
  const far_cell cells[] = {cell_of(mdps[0], "q-learning"), cell_of(mdps[0], "r-max")};
  far_batch_def def = batch_of(cells, 2, RUNS);
  order o = {0};
  char lanes[64];
  snprintf(lanes, sizeof lanes, "lanes=4 wait=%d", wait);
  far_pool *pool = device(FAR_DEVICE_GPU, lanes);
  def.threads = threads;
  def.keep = note_order;
  def.keep_user = &o;
  def.pool = pool;
  far_batch_free(run(&def));
  far_device_pool_free(pool);
  CHECK(o.kept[0] == RUNS && o.kept[1] == RUNS);
  return o;
}

/* The processors need nearly no time, but other programs may have them for a while: then the device waits longer. */
static void test_side_by_side(void) {
  for (unsigned threads = 1; threads <= 3; threads += 2) {
    bool beside = false;
    for (int wait = 30; !beside && wait < 10000; wait *= 4)
      beside = run_beside(threads, wait).beside;
    CHECK(beside);
  }
}

/* ---- stopping ---- */

static bool stop_at_once(void *user, const far_progress *progress) {
  (void)progress;
  *(int *)user += 1;
  return false;
}

static void stops(far_device which, const char *lanes, const char *why) {
  const far_cell cells[] = {
      {.mdp = mdps[0], .agent = "q-learning", .steps = 1000000000000, .runs = 1000},
      {.mdp = mdps[0], .agent = "r-max", .steps = 1000000000000, .runs = 10}};
  far_batch_def def = batch_of(cells, 2, RUNS);
  far_pool *pool = device(which, lanes);
  far_batch *batch;
  int calls = 0;
  def.pool = pool;
  def.progress = stop_at_once;
  def.user = &calls;
  CHECK(far_batch_run(&batch, &def, NULL) == FAR_STATUS_CANCELLED);
  CHECK(calls > 0 && far_batch_result(batch, 0)->runs == 0 &&
        far_batch_result(batch, 1)->runs == 0);
  CHECK_CONTAINS(told, why);
  CHECK((told[0] == '\0') == (why[0] == '\0'));
  far_batch_free(batch);
  if (which == FAR_DEVICE_AUTO) CHECK_CONTAINS(far_device_pool_info(pool).choice, "estimated: ");
  far_device_pool_free(pool);
}

static void test_stop(void) {
  stops(FAR_DEVICE_GPU, "lanes=100", "");
  stops(FAR_DEVICE_AUTO, "lanes=100 skip=81920", ""); /* the trials seem to be fast */
  stops(FAR_DEVICE_AUTO, "lanes=100 lost=20", "the device failed: out of memory; the processors");
  stops(FAR_DEVICE_AUTO, "absent", "no device: no device");
}

static void test_by_lanes(void) {
  test_places();
  test_metrics_and_horizon();
  test_tally_failures();
  test_failures();
  test_too_small();
  test_no_backend();
  test_little();
  test_known();
  test_auto();
  test_auto_failures();
  test_parse();
  test_side_by_side();
  test_stop();
}

/* The specs above launched every kernel of run/gpu/kernels.def. */
static void test_kernels(void) {
  const char *(*unused)(void);
  void *handle = dlopen(library, RTLD_NOW);
  void *symbol = handle != NULL ? dlsym(handle, "far_lanes_unused") : NULL;
  CHECK(symbol != NULL);
  if (symbol == NULL) return;
  memcpy(&unused, &symbol, sizeof unused);
  CHECK_TEXT(unused() != NULL ? unused() : "", "");
  dlclose(handle);
}

int main(int argc, char **argv) {
  const char *other = getenv("FARSIGHT_GPU_LIBRARY");
  if (other != NULL) library = other;
  for (int i = 0; i < N_MODELS; ++i) CHECK(far_mdp_create(&mdps[i], models[i], NULL) == FAR_OK);
  each_spec(test_spec, argc, argv);
  test_tallies();
  if (other == NULL && argc == 1) test_kernels();
  if (other == NULL) test_by_lanes();
  for (int i = 0; i < N_MODELS; ++i) far_mdp_free(mdps[i]);
  return check_report();
}
