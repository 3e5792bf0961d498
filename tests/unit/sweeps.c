/* Sweeps of value iteration on a device, by the backend whose threads are the processor's: the same bits as the
 * processors' sweeps, what a device does not do, and failures at every point. Where FARSIGHT_GPU_LIBRARY names a
 * backend, the bits of that one. */
#include <farsight/farsight.h>
#include <stdlib.h>

#include "check.h"
#include "solve/parts.h"
#include "told.h"

/* Rows of 1 to `most` outcomes; every fifth state is terminal, if some are; all rewards are below 0 if the number of
 * states is odd. */
static far_mdp *random_model(uint32_t n_states, uint32_t n_actions, uint32_t most, bool ends) {
  far_mdp_builder *b;
  far_mdp *mdp;
  far_rng rng;
  CHECK(far_mdp_builder_create(&b, n_states, n_actions, NULL) == FAR_OK);
  far_rng_init(&rng, n_states, n_actions + most, FAR_PURPOSE_SEARCH);
  for (uint32_t s = 0; s < n_states; ++s) {
    if (ends && s % 5 == 4) {
      far_mdp_builder_terminal(b, s, NULL);
      continue;
    }
    for (uint32_t a = 0; a < n_actions; ++a) {
      const uint32_t n = 1 + far_rng_below(&rng, most);
      double weight[64], all = 0;
      for (uint32_t k = 0; k < n; ++k) all += weight[k] = 0.1 + far_rng_uniform(&rng);
      for (uint32_t k = 0; k < n; ++k)
        far_mdp_builder_outcome(b, s, a, weight[k] / all, far_rng_below(&rng, n_states),
                                far_rng_uniform(&rng) * 3 - (n_states % 2 == 1 ? 5 : 1), NULL);
    }
  }
  far_mdp_builder_start(b, 0, 1, NULL);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  return mdp;
}

static far_solve_def def_of(far_method method, far_device device) {
  far_solve_def def = far_solve_def_default();
  def.gamma = 0.9;
  def.method = method;
  def.device = device;
  def.library = library;
  def.note = tell;
  return def;
}

static bool same(const far_solution *x, const far_solution *y) {
  const size_t n = x->n_states, pairs = n * x->n_actions;
  return memcmp(x->v, y->v, n * sizeof *x->v) == 0 && memcmp(x->q, y->q, pairs * 8) == 0 &&
         memcmp(x->policy, y->policy, n * sizeof *x->policy) == 0 && x->error == y->error &&
         x->residual == y->residual && x->sweeps == y->sweeps && x->method == y->method &&
         x->converged == y->converged;
}

/* Solves by the processors and with the device, which makes so many sweeps (-1: any number above 0). */
static void compare_sweeps(const far_mdp *mdp, far_solve_def def, int64_t sweeps) {
  far_solver *solver;
  far_solution expected = {0}, found = {0};
  const far_device device = def.device;
  told[0] = '\0';
  n_told = 0;
  CHECK(far_solver_create(&solver, mdp, NULL) == FAR_OK);
  def.device = FAR_DEVICE_CPU;
  CHECK(far_solver_discounted(&expected, solver, &def, NULL) == FAR_OK);
  CHECK(expected.device_sweeps == 0 && expected.device[0] == '\0');
  def.device = device;
  CHECK(far_solver_discounted(&found, solver, &def, NULL) == FAR_OK);
  CHECK(same(&expected, &found));
  CHECK(sweeps < 0 ? found.device_sweeps > 0 : found.device_sweeps == sweeps);
  far_solution_free(&expected);
  far_solution_free(&found);
  far_solver_free(solver);
}

static void test_model(uint32_t n_states, uint32_t n_actions, uint32_t most, bool ends) {
  far_mdp *mdp = random_model(n_states, n_actions, most, ends);
  compare_sweeps(mdp, def_of(FAR_METHOD_VALUE, FAR_DEVICE_GPU), -1);
  CHECK_TEXT(told, "");
  far_mdp_free(mdp);
}

/* Slices of eight and of one, tiles that are not full, several turns of actions. */
static void test_models(void) {
  test_model(1, 1, 1, false);
  test_model(7, 2, 3, false);
  test_model(8, 1, 40, false);
  test_model(9, 3, 1, false);
  test_model(257, 2, 1, true);
  test_model(300, 3, 4, true);
  test_model(301, 1, 40, true);
  test_model(513, 4, 2, false);
  test_model(64, 33, 3, true);
  test_model(41, 300, 2, false);
  test_model(1003, 5, 5, true);
}

/* The sweeps stop with the same one, whatever stops them. A device makes 8 sweeps ahead, then up to 32. */
static void test_stops(void) {
  far_mdp *mdp = random_model(50, 2, 2, false);
  far_solve_def def = def_of(FAR_METHOD_VALUE, FAR_DEVICE_GPU);
  for (int64_t most = 1; most <= 65; most += most < 3 || most > 30 ? 1 : 9) {
    def.gamma = 0.999;
    def.tolerance = 1e-7;
    def.max_sweeps = most;
    compare_sweeps(mdp, def, -1);
  }
  def.max_sweeps = 0;
  for (def.tolerance = 1; def.tolerance > 1e-7; def.tolerance *= 0.3) compare_sweeps(mdp, def, -1);
  far_mdp_free(mdp);
}

/* Values that come and go: sweeps of auto, then elimination by the processors, then sweeps that prove it. */
static void test_methods(void) {
  far_mdp *chain, *garnet;
  CHECK(far_mdp_create(&chain, "chain:n=300", NULL) == FAR_OK);
  CHECK(far_mdp_create(&garnet, "garnet:states=500,actions=2,branching=3", NULL) == FAR_OK);
  for (int i = 0; i < 2; ++i) {
    const far_mdp *mdp = i == 0 ? chain : garnet;
    far_solve_def def = def_of(FAR_METHOD_AUTO, FAR_DEVICE_GPU);
    def.gamma = 0.9999;
    compare_sweeps(mdp, def, -1);
    def.method = FAR_METHOD_TOPOLOGICAL;
    compare_sweeps(mdp, def, -1);
    CHECK(n_told == 0);
    def.method = FAR_METHOD_MODIFIED;
    compare_sweeps(mdp, def, 0);
    CHECK_TEXT(told, "a device has no method modified; the processors sweep instead");
  }
  far_mdp_free(chain);
  far_mdp_free(garnet);
}

static void test_policy(void) {
  far_mdp *mdp = random_model(100, 3, 4, true);
  const uint32_t action[100] = {2, 1, 0, 1};
  const far_policy policy = {.action = action};
  far_solve_def def = def_of(FAR_METHOD_VALUE, FAR_DEVICE_CPU);
  far_solver *solver;
  far_solution expected, found;
  CHECK(far_solver_create(&solver, mdp, NULL) == FAR_OK);
  CHECK(far_solver_evaluate(&expected, solver, &def, &policy, NULL) == FAR_OK);
  def.device = FAR_DEVICE_GPU;
  CHECK(far_solver_evaluate(&found, solver, &def, &policy, NULL) == FAR_OK);
  CHECK(same(&expected, &found) && found.device_sweeps == found.sweeps);
  far_solution_free(&expected);
  far_solution_free(&found);
  far_solver_free(solver);
  far_mdp_free(mdp);
}

/* ---- failures ---- */

/* The values are right, and the note says why the device did not find them. */
static void fails(const far_mdp *mdp, const char *lanes, const char *why) {
  far_solve_def def = def_of(FAR_METHOD_VALUE, FAR_DEVICE_GPU);
  def.gamma = 0.99;
  def.tolerance = 1e-9; /* more than a batch of sweeps */
  setenv("FARSIGHT_LANES", lanes, 1);
  compare_sweeps(mdp, def, 0);
  CHECK_CONTAINS(told, why);
  CHECK_CONTAINS(told, "; the processors sweep instead");
  CHECK(n_told == 1);
  setenv("FARSIGHT_LANES", "", 1);
}

static void test_failures(void) {
  far_mdp *mdp;
  char lanes[64];
  CHECK(far_mdp_create(&mdp, "chain:n=40", NULL) == FAR_OK);
  fails(mdp, "absent", "no device: no device");
  for (int n = 1; n <= 8; ++n) {
    snprintf(lanes, sizeof lanes, "lost=%d", n);
    fails(mdp, lanes, "no device: out of memory");
  }
  for (int n = 1; n <= 3; ++n) {
    snprintf(lanes, sizeof lanes, "fail=%d", n);
    fails(mdp, lanes, "the device failed: the launch failed");
    snprintf(lanes, sizeof lanes, "wrong=%d", n);
    fails(mdp, lanes, "it computes other numbers than the processors");
  }
  library = "/no/such/file.so";
  fails(mdp, "", "no device: the backend cannot be loaded");
  library = FARSIGHT_LANES_LIBRARY;
  far_mdp_free(mdp);
}

static bool stop_after(void *user, int64_t sweeps, double error) {
  (void)error;
  return sweeps < *(const int64_t *)user;
}

/* Also in the middle of a batch, and while the processors make failed sweeps again. */
static void test_cancel(void) {
  far_mdp *mdp;
  far_solver *solver;
  far_solution x;
  far_solve_def def = def_of(FAR_METHOD_VALUE, FAR_DEVICE_GPU);
  int64_t last = 40;
  CHECK(far_mdp_create(&mdp, "chain:n=40", NULL) == FAR_OK);
  CHECK(far_solver_create(&solver, mdp, NULL) == FAR_OK);
  def.gamma = 0.99;
  def.tolerance = 1e-9;
  def.progress = stop_after;
  def.user = &last;
  CHECK(far_solver_discounted(&x, solver, &def, NULL) == FAR_STATUS_CANCELLED);
  setenv("FARSIGHT_LANES", "fail=2", 1);
  last = 33;
  CHECK(far_solver_discounted(&x, solver, &def, NULL) == FAR_STATUS_CANCELLED);
  setenv("FARSIGHT_LANES", "", 1);
  far_solver_free(solver);
  far_mdp_free(mdp);
}

/* ---- the choice ---- */

static bool until_told(void *user, int64_t sweeps, double error) {
  (void)user;
  (void)error;
  return n_told == 0 && sweeps < 1000;
}

/* A small model is not worth a device; one that would be swept for minutes is, after a few sweeps. */
static void test_auto(void) {
  far_mdp *mdp = random_model(300, 3, 4, true);
  far_solver *solver;
  far_solution x;
  far_solve_def def = def_of(FAR_METHOD_VALUE, FAR_DEVICE_AUTO);
  setenv("FARSIGHT_LANES", "absent", 1);
  compare_sweeps(mdp, def, 0);
  CHECK(n_told == 0);
  far_mdp_free(mdp);
  CHECK(far_mdp_create(&mdp, "chain:n=60000", NULL) == FAR_OK);
  CHECK(far_solver_create(&solver, mdp, NULL) == FAR_OK);
  def.gamma = 0.9999;
  def.tolerance = 1e-3;
  def.progress = until_told;
  CHECK(far_solver_discounted(&x, solver, &def, NULL) == FAR_STATUS_CANCELLED);
  CHECK_CONTAINS(told, "no device");
  far_solver_free(solver);
  far_mdp_free(mdp);
  setenv("FARSIGHT_LANES", "", 1);
}

static void test_copy(void) {
  double rate = 0;
  char name[FAR_DEVICE_TEXT];
  far_error error;
  CHECK(far__solve_device_copy(&rate, name, library, 1 << 16, NULL) == FAR_OK && rate > 0);
  CHECK_TEXT(name, "lanes of the processor");
  setenv("FARSIGHT_LANES", "lost=2", 1);
  CHECK(far__solve_device_copy(&rate, name, library, 1 << 16, &error) == FAR_STATUS_CONFLICT);
  CHECK_CONTAINS(error.message, "out of memory");
  setenv("FARSIGHT_LANES", "", 1);
}

int main(void) {
  const char *other = getenv("FARSIGHT_GPU_LIBRARY");
  if (other != NULL) library = other;
  test_models();
  test_stops();
  test_methods();
  test_policy();
  if (other != NULL) return check_report();
  test_failures();
  test_cancel();
  test_auto();
  test_copy();
  return check_report();
}
