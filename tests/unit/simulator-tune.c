/* Searches in simulators: the same numbers as batches give; what needs a model is refused; stores keep the runs. */
#include <math.h>

#include "lab/study/parts.h"
#include "questions/tuning/tuned-comparison.h"
#include "stores.h"

/* Two states; action 1 earns 1 with probability 1/2 and changes the state, action 0 earns 1/4. */
static far_status coin_reset(void *of, far_rng *rng, uint32_t *s, far_error *error) {
  (void)of, (void)error;
  *s = (uint32_t)far_rng_below(rng, 2);
  return FAR_OK;
}

static far_status coin_step(void *of, far_rng *rng, far_transition *step, far_error *error) {
  (void)of, (void)error;
  step->r = step->a == 0 ? 0.25 : (double)far_rng_below(rng, 2);
  step->next = step->a == 0 ? step->s : 1 - step->s;
  step->cut = far_rng_below(rng, 10) == 0;
  return FAR_OK;
}

static far_simulator_def coin(const char *version) {
  return (far_simulator_def){.size = sizeof(far_simulator_def),
                             .name = "coin",
                             .shape = far_shape_default(2, 2),
                             .reset = coin_reset,
                             .step = coin_step,
                             .version = version};
}

enum { RUNS = 6, STEPS = 80, FRESH = 12 };

static far_tune_def search_of(const far_tune_cell *cells, size_t n) {
  far_tune_def def = far_tune_def_default();
  def.agent = "q-learning:epsilon=[0.01,0.3]";
  def.cells = cells;
  def.n_cells = n;
  def.runs = RUNS;
  def.steps = STEPS;
  def.evaluation = FRESH;
  def.profile = 0;
  def.method = "random";
  return def;
}

/* The mean of an agent's totals, or of its metric, in a batch of its own. */
static double mean_of(const far_simulator_def *sim, const char *agent, const char *stage,
                      int64_t runs, const char *metric) {
  far_metric *made = NULL;
  far_batch *batch = NULL;
  const far_cell cell = {.simulator = sim, .agent = agent, .steps = STEPS};
  far_batch_def def = far_batch_def_default();
  def.cells = &cell;
  def.n_cells = 1;
  def.runs = runs;
  def.seed = far__tune_seed(1, stage);
  if (metric != NULL) CHECK(far_metric_create(&made, metric, NULL) == FAR_OK);
  def.metrics = (const far_metric *const *)&made;
  def.n_metrics = metric != NULL;
  CHECK(far_batch_run(&batch, &def, NULL) == FAR_OK);
  const double mean =
      metric != NULL ? far_batch_metric(batch, 0, 0)->mean : far_batch_result(batch, 0)->mean;
  far_batch_free(batch);
  far_metric_free(made);
  return mean;
}

static void test_same_numbers(const char *score) {
  const far_simulator_def sim = coin(NULL);
  far_tune_cell cell = {.simulator = &sim, .target = NAN};
  CHECK(far__tune_cells_scale(&cell, 1, STEPS, NULL, NULL) == FAR_OK);
  CHECK(isnan(cell.low) && isnan(cell.high));
  far_tune_def def = search_of(&cell, 1);
  def.score = score;
  far_tune *tune = NULL;
  far_error error = {.message = ""};
  CHECK(far_tune_run(&tune, &def, &error) == FAR_OK);
  CHECK_TEXT(error.message, "");
  if (tune == NULL) return;
  const far_tune_result *r = far_tune_result_of(tune);
  CHECK(!r->normalised && r->candidates == 2);
  for (size_t i = 0; i < r->n_trials; ++i)
    CHECK(fabs(r->trials[i].score -
               mean_of(&sim, r->trials[i].agent, "tune", r->trials[i].runs, score)) < 1e-12);
  CHECK(fabs(r->score.mean - mean_of(&sim, r->best, "evaluate", FRESH, score)) < 1e-12);
  far_tune_free(tune);
}

static void refuses(const far_tune_def *def, far_status as, const char *why) {
  far_tune *tune = NULL;
  far_error error;
  CHECK(far_tune_run(&tune, def, &error) == as && tune == NULL);
  CHECK_CONTAINS(error.message, why);
}

static void test_refused(void) {
  far_simulator_def sim = coin(NULL);
  far_tune_cell cell = {.target = NAN};
  far_tune_def def = search_of(&cell, 1);
  refuses(&def, FAR_STATUS_RANGE, "cell 0 needs either a model or a simulator");
  far__tuned_comparison_def both = far__tuned_comparison_def_default();
  const char *const agents[] = {"q-learning"};
  far_error error;
  both.tune = def;
  both.agents = agents;
  both.n_agents = 1;
  CHECK(far__tuned_comparison_check(&both, &error) == FAR_STATUS_RANGE);
  cell.simulator = &sim;
  def.score = "regret";
  refuses(&def, FAR_STATUS_CONFLICT, "needs a model, and the simulator coin has none");
  def.score = NULL;
  sim.step = NULL;
  refuses(&def, FAR_STATUS_RANGE, "coin has no hook `step`");
}

static void test_report(void) {
  const far_simulator_def sim = coin(NULL);
  far_tune_cell cell = {.simulator = &sim, .target = NAN, .low = NAN, .high = NAN};
  const char *const agents[] = {"q-learning:epsilon=[0.01,0.3]"};
  far__tuned_comparison_def def = far__tuned_comparison_def_default();
  far__tuned_comparison *c = NULL;
  def.tune = search_of(&cell, 1);
  def.agents = agents;
  def.n_agents = 1;
  CHECK(far__tuned_comparison_run(&c, &def, NULL) == FAR_OK);
  const far__tuned_comparison_info info = far__tuned_comparison_info_of(c);
  CHECK_TEXT(info.envs[0], "coin");
  CHECK_CONTAINS(info.plain_reason, "of the simulator coin");
  far__tuned_comparison_free(c);
}

static void test_store(void) {
  far_simulator_def sim = coin(NULL);
  const far_tune_cell cell = {.simulator = &sim, .target = NAN};
  far_tune_def def = search_of(&cell, 1);
  far_store_info first, second;
  far_store *s = open_store("tune.db", FAR_STORE_WRITE);
  def.store = s;
  refuses(&def, FAR_STATUS_CONFLICT, "the simulator coin has no version");
  sim.version = "1";
  for (int i = 0; i < 2; ++i) {
    far_tune *tune = NULL;
    CHECK(far_tune_run(&tune, &def, NULL) == FAR_OK);
    far_tune_free(tune);
    CHECK(far_store_info_of(i == 0 ? &first : &second, s, NULL) == FAR_OK);
  }
  CHECK(first.cells >= 3 && second.runs == first.runs && second.blocks == first.blocks);
  far_store_close(s);
}

int main(void) {
  test_same_numbers(NULL);
  test_same_numbers("return");
  test_refused();
  test_report();
  if (!stores_begin()) return stores_end();
  test_store();
  return stores_end();
}
