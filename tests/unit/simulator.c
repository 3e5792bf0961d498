/* Worlds of others: one that wraps a model gives the model's results to the last bit; what does not
 * fit is refused; what goes wrong is named. */
#include <farsight/farsight.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "check.h"
#include "stores.h"

enum { STEPS = 500, RUNS = 25 };

static const int64_t points[] = {1, 77, 500};

/* ---- a wrapper around a model ---- */

typedef struct wrapper {
  const far_mdp *mdp;
  atomic_int alive, made;
} wrapper;

typedef struct wrapped {
  wrapper *of;
} wrapped;

static far_status wrap_create(void **out, void *user, far_error *error) {
  wrapped *x = malloc(sizeof *x);
  (void)error;
  *out = x;
  if (x == NULL) return FAR_STATUS_MEMORY;
  x->of = user;
  atomic_fetch_add(&x->of->alive, 1);
  atomic_fetch_add(&x->of->made, 1);
  return FAR_OK;
}

static void wrap_free(void *instance) {
  atomic_fetch_sub(&((wrapped *)instance)->of->alive, 1);
  free(instance);
}

static far_status wrap_reset(void *instance, far_rng *rng, uint32_t *s, far_error *error) {
  (void)error;
  *s = far_mdp_start(((wrapped *)instance)->of->mdp, rng);
  return FAR_OK;
}

static far_status wrap_step(void *instance, far_rng *rng, far_transition *step, far_error *error) {
  (void)error;
  const far_outcome *o = far_mdp_step(((wrapped *)instance)->of->mdp, step->s, step->a, rng);
  step->r = o->reward;
  step->next = o->next;
  step->done = o->done;
  return FAR_OK;
}

static far_simulator_def wrap(wrapper *of) {
  return (far_simulator_def){.size = sizeof(far_simulator_def),
                             .name = "wrapper",
                             .shape = far_mdp_shape(of->mdp),
                             .user = of,
                             .create = wrap_create,
                             .free = wrap_free,
                             .reset = wrap_reset,
                             .step = wrap_step};
}

/* ---- a metric that does without a model: the steps that it saw ---- */

static far_status count_create(void **out, const far_metric *metric, const far_mdp *mdp,
                               const far_agent *agent, int64_t steps, far_error *error) {
  (void)metric, (void)agent, (void)steps, (void)error;
  CHECK(mdp == NULL);
  *out = calloc(1, sizeof(double));
  return *out != NULL ? FAR_OK : FAR_STATUS_MEMORY;
}

static far_status count_begin(void *of, const far_agent *agent, uint32_t s, far_error *error) {
  (void)agent, (void)s, (void)error;
  *(double *)of = 0;
  return FAR_OK;
}

static far_status count_step(void *of, const far_agent *agent, const far_transition *step,
                             uint32_t next, far_error *error) {
  (void)agent, (void)step, (void)next, (void)error;
  *(double *)of += 1;
  return FAR_OK;
}

static double count_end(void *of, const far_agent *agent) {
  (void)agent;
  return *(double *)of;
}

static const far_metric counter = {.name = "counter",
                                   .create = count_create,
                                   .begin = count_begin,
                                   .step = count_step,
                                   .end = count_end,
                                   .free = free,
                                   .without_model = true};

static far_batch *run(const far_cell *cells, size_t n, unsigned threads, const far_metric *metric,
                      far_error *error) {
  far_batch *batch;
  far_batch_def def = far_batch_def_default();
  def.cells = cells;
  def.n_cells = n;
  def.runs = RUNS;
  def.threads = threads;
  def.metrics = &metric;
  def.n_metrics = metric != NULL;
  const far_status status = far_batch_run(&batch, &def, error);
  CHECK((status == FAR_OK) == (batch != NULL));
  return batch;
}

/* Metrics that do without a model, and visits, are the same in a simulator. */
static void same_metrics(const far_cell *cells) {
  static const char *const specs[] = {"return", "episodes", "length", "success:at_least=0.5"};
  for (size_t i = 0; i < 4; ++i) {
    far_metric *metric;
    CHECK(far_metric_create(&metric, specs[i], NULL) == FAR_OK);
    far_batch *batch = run(cells, 2, 2, metric, NULL);
    CHECK_TEXT(far_batch_metric(batch, 0, 0)->hash, far_batch_metric(batch, 1, 0)->hash);
    CHECK(far_batch_metric_point(batch, 0, 0, 1)->mean ==
          far_batch_metric_point(batch, 1, 0, 1)->mean);
    far_batch_free(batch);
    far_metric_free(metric);
  }
}

static far_status add_visits(void *user, const far_block *blocks, size_t count, far_error *error) {
  double *sums = user;
  (void)error;
  for (size_t i = 0; i < count; ++i)
    for (size_t j = 0; j < blocks[i].n_snapshots; ++j) {
      const far_snapshot *x = &blocks[i].snapshots[j];
      for (size_t k = 0; k < (size_t)x->n_states * x->n_actions; ++k)
        sums[blocks[i].cell] += (double)(k + 1) * x->visits[k];
    }
  return FAR_OK;
}

static void same_visits(const far_cell *cells) {
  far_batch *batch;
  far_batch_def def = far_batch_def_default();
  double sums[2] = {0};
  def.cells = cells;
  def.n_cells = 2;
  def.runs = def.snapshots = 2;
  def.keep = add_visits;
  def.keep_user = sums;
  CHECK(far_batch_run(&batch, &def, NULL) == FAR_OK);
  CHECK(sums[0] == sums[1] && sums[0] > 0);
  far_batch_free(batch);
}

static void test_same(const char *env, const char *agent) {
  far_mdp *mdp;
  CHECK(far_mdp_create(&mdp, env, NULL) == FAR_OK);
  wrapper w = {.mdp = mdp};
  const far_simulator_def def = wrap(&w);
  const far_cell cells[] = {
      {.mdp = mdp, .agent = agent, .steps = STEPS, .checkpoints = points, .n_checkpoints = 3},
      {.simulator = &def,
       .agent = agent,
       .steps = STEPS,
       .checkpoints = points,
       .n_checkpoints = 3}};
  for (unsigned threads = 1; threads <= 3; threads += 2) {
    far_batch *batch = run(cells, 2, threads, NULL, NULL);
    CHECK_TEXT(far_batch_result(batch, 0)->hash, far_batch_result(batch, 1)->hash);
    for (size_t k = 0; k < 3; ++k)
      CHECK(memcmp(far_batch_point(batch, 0, k)->totals, far_batch_point(batch, 1, k)->totals,
                   RUNS * sizeof(double)) == 0);
    far_batch_free(batch);
  }
  CHECK(atomic_load(&w.alive) == 0 && atomic_load(&w.made) >= 2);
  far_batch *batch = run(cells + 1, 1, 2, &counter, NULL);
  CHECK(far_batch_metric(batch, 0, 0)->mean == STEPS);
  far_batch_free(batch);
  same_metrics(cells);
  same_visits(cells);
  far_mdp_free(mdp);
}

/* ---- what is refused ---- */

static void refused(const far_cell *cell, const far_metric *metric, const char *why) {
  far_error error = {.message = ""};
  CHECK(run(cell, 1, 1, metric, &error) == NULL);
  CHECK_CONTAINS(error.message, why);
}

static void test_refused(void) {
  far_mdp *mdp;
  CHECK(far_mdp_create(&mdp, "chain", NULL) == FAR_OK);
  wrapper w = {.mdp = mdp};
  const far_simulator_def good = wrap(&w);
  far_simulator_def def = good;
  far_cell cell = {.simulator = &def, .agent = "q-learning", .steps = 10};
  def.size = 8;
  refused(&cell, NULL, "size");
  def = good;
  def.name = NULL;
  refused(&cell, NULL, "name");
  def = good;
  def.step = NULL;
  refused(&cell, NULL, "`step`");
  def = good;
  def.free = NULL;
  refused(&cell, NULL, "`create` and `free`");
  def = good;
  def.shape.n_actions = 0;
  refused(&cell, NULL, "number of actions");
  def = good;
  cell.mdp = mdp;
  refused(&cell, NULL, "either a model or a simulator");
  cell.mdp = NULL;
  cell.simulator = NULL;
  refused(&cell, NULL, "either a model or a simulator");
  cell.simulator = &def;
  far_metric *metric;
  CHECK(far_metric_create(&metric, "coverage", NULL) == FAR_OK);
  refused(&cell, metric, "coverage:what=states needs the model");
  far_metric_free(metric);
  if (stores_begin()) {
    far_store *store = open_store("none.db", FAR_STORE_WRITE);
    far_batch_def batch = far_batch_def_default();
    far_batch *out;
    far_error error;
    batch.cells = &cell;
    batch.n_cells = 1;
    CHECK(far_store_run(&out, store, &batch, &error) == FAR_STATUS_CONFLICT);
    CHECK_CONTAINS(error.message, "the simulator wrapper has no version");
    far_store_close(store);
  }
  far_mdp_free(mdp);
}

/* ---- what goes wrong on the way; without `create` the user pointer is the instance ---- */

typedef enum fault { START, START_STATUS, REWARD, NEXT, DONE, STATUS, FAULTS } fault;

static far_status bad_reset(void *of, far_rng *rng, uint32_t *s, far_error *error) {
  (void)rng, (void)error;
  *s = *(fault *)of == START ? 3 : 0;
  return *(fault *)of == START_STATUS ? FAR_STATUS_IO : FAR_OK;
}

static far_status bad_step(void *of, far_rng *rng, far_transition *step, far_error *error) {
  const fault f = *(fault *)of;
  const bool now = far_rng_below(rng, 5) == 0;
  step->next = now && f == NEXT ? 7 : 1;
  step->r = now && f == REWARD ? NAN : 0;
  step->done = now && f == DONE;
  if (!now || f != STATUS) return FAR_OK;
  *error = (far_error){FAR_STATUS_IO, -1, "the sky fell"};
  return FAR_STATUS_IO;
}

static void test_faults(void) {
  static const char *const why[FAULTS] = {"of replicate 0: the start is not a live state",
                                          "could not read",
                                          "reward",
                                          "state 7 is outside 0 ... 2",
                                          "declared continuing",
                                          "the sky fell"};
  for (int f = 0; f < FAULTS; ++f) {
    fault which = (fault)f;
    const far_simulator_def def = {.size = sizeof def,
                                   .name = "faulty",
                                   .shape = SHAPE(3, 2, 0, 1, false, NULL, 0),
                                   .user = &which,
                                   .reset = bad_reset,
                                   .step = bad_step};
    const far_cell cell = {.simulator = &def, .agent = "q-learning", .steps = 1000};
    refused(&cell, NULL, why[f]);
    refused(&cell, NULL, "faulty, step ");
  }
}

/* The third step goes wrong, by its status or by its reward. */
static far_status third_step(void *of, far_rng *rng, far_transition *step, far_error *error) {
  const bool now = ++((int *)of)[1] == 3;
  (void)rng, (void)error;
  step->r = now && ((int *)of)[0] == 0 ? 2 : 0;
  return now && ((int *)of)[0] == 1 ? FAR_STATUS_IO : FAR_OK;
}

static far_status begin_at_0(void *of, far_rng *rng, uint32_t *s, far_error *error) {
  (void)of, (void)rng, (void)error;
  *s = 0;
  return FAR_OK;
}

static far_status make_nothing(void **instance, void *user, far_error *error) {
  (void)instance, (void)user, (void)error;
  return FAR_OK;
}

static void test_messages(void) {
  far_simulator_def def = {.size = sizeof def,
                           .name = "faulty",
                           .shape = SHAPE(3, 2, 0, 1, false, NULL, 0),
                           .reset = begin_at_0,
                           .step = third_step};
  const far_cell cell = {.simulator = &def, .agent = "q-learning", .steps = 1000};
  for (int by_status = 0; by_status < 2; ++by_status) {
    int state[2] = {by_status, 0};
    def.user = state;
    refused(&cell, NULL, "faulty, step 3 of replicate 0: ");
  }
  def.user = NULL;
  def.create = make_nothing;
  def.free = free;
  refused(&cell, NULL, "faulty made no instance");
}

/* ---- episodes that are cut off ---- */

/* A corridor in which every step earns 1/8; an episode is stopped after four. Counts its starts. */
static far_status limit_reset(void *of, far_rng *rng, uint32_t *s, far_error *error) {
  (void)rng, (void)error;
  *(int *)of += 1;
  *s = 0;
  return FAR_OK;
}

static far_status limit_step(void *of, far_rng *rng, far_transition *step, far_error *error) {
  (void)of, (void)rng, (void)error;
  step->r = 0.125;
  step->next = step->s + 1;
  step->cut = step->next == 4;
  return FAR_OK;
}

static double mean_of(const char *spec, const far_cell *cell) {
  far_metric *metric;
  CHECK(far_metric_create(&metric, spec, NULL) == FAR_OK);
  far_batch *batch = run(cell, 1, 1, metric, NULL);
  const double mean = far_batch_metric(batch, 0, 0)->mean;
  far_batch_free(batch);
  far_metric_free(metric);
  return mean;
}

static void test_cut(void) {
  int starts = 0;
  const far_simulator_def def = {.size = sizeof def,
                                 .name = "corridor",
                                 .shape = SHAPE(5, 2, 0, 1, true, NULL, 0),
                                 .user = &starts,
                                 .reset = limit_reset,
                                 .step = limit_step};
  const far_cell cell = {.simulator = &def, .agent = "q-learning", .steps = 40};
  far_batch *batch = run(&cell, 1, 1, NULL, NULL);
  CHECK(far_batch_result(batch, 0)->mean == 5);
  CHECK(starts == RUNS * 11);
  far_batch_free(batch);
  CHECK(mean_of("return", &cell) == 0.5 && mean_of("episodes", &cell) == 10);
}

/* Two kinds of episodes, in turn: from state 0 two steps that earn 1 each, and then it is cut off; from
 * state 1 one step that earns 1/2, and a terminal state. */
static far_status mixed_reset(void *of, far_rng *rng, uint32_t *s, far_error *error) {
  (void)rng, (void)error;
  *s = (uint32_t)(*(int *)of)++ % 2;
  return FAR_OK;
}

static far_status mixed_step(void *of, far_rng *rng, far_transition *step, far_error *error) {
  (void)of, (void)rng, (void)error;
  step->r = step->s == 1 ? 0.5 : 1;
  step->next = step->s == 0 ? 2 : 0;
  step->done = step->s == 1;
  step->cut = step->s == 2;
  return FAR_OK;
}

/* What a cut episode earned counts, and is not added to the next one. */
static void test_cut_metrics(void) {
  int starts = 0;
  const far_simulator_def def = {.size = sizeof def,
                                 .name = "mixed",
                                 .shape = SHAPE(3, 1, 0, 1, true, NULL, 0),
                                 .user = &starts,
                                 .reset = mixed_reset,
                                 .step = mixed_step};
  const far_cell cell = {.simulator = &def, .agent = "q-learning", .steps = 99};
  CHECK(mean_of("return", &cell) == 1.25);
  CHECK(mean_of("episodes", &cell) == 66); /* two in three steps */
}

int main(void) {
  test_same("chain", "delayed-q:m=3");
  test_same("frozen-lake", "q-learning");
  test_same("cliff-walking", "r-max:m=1");
  test_refused();
  test_faults();
  test_messages();
  test_cut();
  test_cut_metrics();
  return stores_end();
}
