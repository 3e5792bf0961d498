/* Runs while memory runs out, where unit/memory does not come: on a device (which then leaves the work to the
 * processors), in a simulator, and when they are stopped. */
#include "failing-memory.h"

#include "told.h"

/* ---- devices ---- */

/* A cell that the device takes, with metrics that it counts, and one that it does not take. */
static far_status run_device(double *out, const char *what, far_error *error) {
  static const int64_t points[] = {3, 20};
  far_mdp *mdp = NULL;
  far_metric *metric = NULL;
  far_pool *pool = NULL;
  far_batch *batch = NULL;
  far_device_def device = far_device_def_default();
  far_batch_def def = far_batch_def_default();
  device.library = library;
  device.note = tell;
  device.device = strcmp(what, "auto") == 0 ? FAR_DEVICE_AUTO : FAR_DEVICE_GPU;
  far_status status = far_mdp_create(&mdp, "chain:n=4", error);
  if (status == FAR_OK) status = far_metric_create(&metric, "episodes", error);
  if (status == FAR_OK) status = far_device_pool_create(&pool, &device, error);
  const far_metric *const metrics[] = {metric};
  const far_cell cells[] = {
      {.mdp = mdp, .agent = "q-learning", .steps = 20, .checkpoints = points, .n_checkpoints = 2},
      {.mdp = mdp, .agent = "r-max", .steps = 20}};
  def.cells = cells;
  def.n_cells = 2;
  def.runs = 5;
  def.threads = 1;
  def.pool = pool;
  def.metrics = metrics;
  def.n_metrics = 1;
  if (status == FAR_OK) status = far_batch_run(&batch, &def, error);
  for (size_t i = 0; status == FAR_OK && i < 2; ++i)
    *out += digest(far_batch_result(batch, i)->hash, FAR_HASH_TEXT);
  far_batch_free(batch);
  far_device_pool_free(pool);
  far_metric_free(metric);
  far_mdp_free(mdp);
  return status;
}

/* Exact values, by sweeps of the device. */
static far_status solve_device(double *out, const char *what, far_error *error) {
  far_mdp *mdp = NULL;
  far_solver *solver = NULL;
  far_solution x = {0};
  far_solve_def def = far_solve_def_default();
  def.device = FAR_DEVICE_GPU;
  def.library = library;
  far_status status = far_mdp_create(&mdp, what, error);
  if (status == FAR_OK) status = far_solver_create(&solver, mdp, error);
  if (status == FAR_OK) status = far_solver_discounted(&x, solver, &def, error);
  if (status == FAR_OK) *out = x.v[0] + (double)x.sweeps;
  far_solution_free(&x);
  far_solver_free(solver);
  far_mdp_free(mdp);
  return status;
}

/* ---- simulators ---- */

static far_status begin(void *of, far_rng *rng, uint32_t *s, far_error *error) {
  (void)of, (void)error;
  *s = far_rng_below(rng, 3);
  return FAR_OK;
}

static far_status step(void *of, far_rng *rng, far_transition *x, far_error *error) {
  (void)of, (void)error;
  x->next = (x->s + x->a) % 3;
  x->r = x->next == 2;
  x->done = far_rng_below(rng, 4) == 0;
  return FAR_OK;
}

static far_status run_simulator(double *out, const char *what, far_error *error) {
  const far_simulator_def world = {.size = sizeof world,
                                   .name = "world",
                                   .shape = SHAPE(3, 2, 0, 1, true, NULL, 0),
                                   .reset = begin,
                                   .step = step};
  static const int64_t points[] = {9};
  const far_cell cell = {
      .simulator = &world, .agent = what, .steps = 20, .checkpoints = points, .n_checkpoints = 1};
  far_batch *batch = NULL;
  far_batch_def def = far_batch_def_default();
  def.cells = &cell;
  def.n_cells = 1;
  def.runs = 4;
  def.threads = 1;
  def.snapshots = 2;
  const far_status status = far_batch_run(&batch, &def, error);
  if (status == FAR_OK) *out = digest(far_batch_result(batch, 0)->hash, FAR_HASH_TEXT);
  far_batch_free(batch);
  return status;
}

/* ---- stops ---- */

static bool stop(void *user, const far_progress *progress) {
  (void)user, (void)progress;
  return false;
}

/* Stopped at the first run: that one is there, and room to say which it is; else there is no batch. */
static far_status run_some(double *out, const char *what, far_error *error) {
  far_mdp *mdp;
  far_batch *batch = NULL;
  far_batch_def def = far_batch_def_default();
  far_status status = far_mdp_create(&mdp, "chain:n=4", error);
  const far_cell cell = {.mdp = mdp, .agent = what, .steps = 20};
  def.cells = &cell;
  def.n_cells = 1;
  def.runs = 50;
  def.threads = 1;
  def.progress = stop;
  if (status == FAR_OK) status = far_batch_run(&batch, &def, error);
  CHECK((batch != NULL) == (status == FAR_STATUS_CANCELLED));
  if (batch != NULL) {
    CHECK(far_batch_result(batch, 0)->runs < 50 && far_batch_finished(batch, 0)[0] == 0);
    *out = far_batch_result(batch, 0)->totals[0]; /* how many more there are depends on threads */
    status = FAR_OK;
  }
  far_batch_free(batch);
  far_mdp_free(mdp);
  return status;
}

/* ---- worlds ---- */

static far_status copy_worlds(double *out, const char *what, far_error *error) {
  far_mdp *mdp;
  far_worlds *worlds = NULL, *copy = NULL;
  uint32_t states[3];
  far_status status = far_mdp_create(&mdp, what, error);
  if (status == FAR_OK) status = far_worlds_create(&worlds, mdp, 3, NULL, error);
  if (status == FAR_OK) status = far_worlds_clone(&copy, worlds, error);
  if (status == FAR_OK) status = far_worlds_reset(copy, NULL, states, error);
  if (status == FAR_OK) *out = 1 + states[0] + states[1] + states[2];
  far_worlds_free(worlds);
  far_worlds_free(copy);
  far_mdp_free(mdp);
  return status;
}

static void sweep_all(bool stores) {
  (void)stores;
  setenv("FARSIGHT_LANES", "lanes=3", 1);
  sweep(run_device, "gpu");
  sweep(run_device, "auto");
  sweep(solve_device, "chain:n=9");
  sweep(run_simulator, "q-learning");
  sweep(run_simulator, "plain-q");
  sweep(run_some, "r-max");
  sweep(copy_worlds, "frozen-lake");
}

int main(void) {
  return sweep_memory(sweep_all);
}
