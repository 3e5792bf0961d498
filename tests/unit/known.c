/* Results that belong to a model: found once, whoever asks, and again where they could not be found. */
#include <farsight/farsight.h>
#include <pthread.h>
#include <stdlib.h>

#include "check.h"
#include "model/known.h"

static const far__known_key actions = {FAR__KNOWN_ACTIONS, 0.95};

static far_mdp *model(void) {
  far_mdp *mdp;
  CHECK(far_mdp_create(&mdp, "garnet:states=20,actions=3", NULL) == FAR_OK);
  return mdp;
}

static void test_entries(void) {
  far_mdp *mdp = model();
  int *value = calloc(1, sizeof *value);
  CHECK(far__known_get(mdp, actions) == NULL);
  far__known_set(mdp, actions, NULL); /* not found */
  CHECK(far__known_get(mdp, actions) == NULL);
  far__known_set(mdp, actions, value);
  CHECK(far__known_get(mdp, actions) == value);
  far__known_set(mdp, actions, calloc(1, 1)); /* one too many is freed */
  CHECK(far__known_get(mdp, actions) == value);
  const far__known_key others[] = {{FAR__KNOWN_VALUES, 0.95}, {FAR__KNOWN_ACTIONS, 1}};
  for (int i = 0; i < 2; ++i) {
    CHECK(far__known_get(mdp, others[i]) == NULL);
    far__known_set(mdp, others[i], NULL);
  }
  far_mdp_free(mdp);
}

/* ---- threads ---- */

static void *ask(void *mdp) {
  return (void *)far__known_get(mdp, actions);
}

/* Who waits gets what is found. */
static void test_waiting(void) {
  far_mdp *mdp = model();
  int *value = calloc(1, sizeof *value);
  pthread_t thread[3];
  CHECK(far__known_get(mdp, actions) == NULL);
  for (int i = 0; i < 3; ++i) CHECK(pthread_create(&thread[i], NULL, ask, mdp) == 0);
  far__known_set(mdp, actions, value);
  for (int i = 0; i < 3; ++i) {
    void *found = NULL;
    pthread_join(thread[i], &found);
    CHECK(found == value);
  }
  far_mdp_free(mdp);
}

/* ---- who tells and asks ---- */

/* A wrong policy that is known before shows that an agent does not solve the model again. */
static void test_optimal(void) {
  far_mdp *mdp = model();
  far_agent *agent;
  uint32_t *wrong = calloc(20, sizeof *wrong);
  CHECK(far_agent_create_on(&agent, "optimal:gamma=0.5,criterion=discounted", mdp, 0, 1, 0, NULL) ==
        FAR_OK);
  far_agent_free(agent);
  const uint32_t *best = far__known_get(mdp, (far__known_key){FAR__KNOWN_ACTIONS, 0.5});
  CHECK(best != NULL);
  for (int s = 0; s < 20; ++s) wrong[s] = best != NULL ? (best[s] + 1) % 3 : 0;
  CHECK(far__known_get(mdp, (far__known_key){FAR__KNOWN_ACTIONS, 0.25}) == NULL);
  far__known_set(mdp, (far__known_key){FAR__KNOWN_ACTIONS, 0.25}, wrong);
  CHECK(far_agent_create_on(&agent, "optimal:gamma=0.25,criterion=discounted", mdp, 0, 1, 0,
                            NULL) == FAR_OK);
  for (uint32_t s = 0; s < 20; ++s) CHECK(far_agent_act(agent, s) == wrong[s]);
  far_agent_free(agent);
  far_mdp_free(mdp);
}

/* All cells of a batch compare with the same values, and find what they find alone. */
static void test_metrics(void) {
  far_mdp *mdp = model();
  far_metric *metric;
  far_batch *batch;
  CHECK(far_metric_create(&metric, "regret:gamma=0.9", NULL) == FAR_OK);
  const far_metric *const metrics[] = {metric};
  const far_cell cells[] = {{.mdp = mdp, .agent = "q-learning", .steps = 50},
                            {.mdp = mdp, .agent = "optimal", .steps = 50}};
  far_batch_def def = far_batch_def_default();
  def.cells = cells;
  def.n_cells = 2;
  def.runs = 8;
  def.threads = 3;
  def.metrics = metrics;
  def.n_metrics = 1;
  CHECK(far_batch_run(&batch, &def, NULL) == FAR_OK);
  far_batch_free(batch);
  const double *v = far__known_get(mdp, (far__known_key){FAR__KNOWN_VALUES, 0.9});
  far_solve_def how = far_solve_def_default();
  far_solver *solver;
  far_solution exact;
  how.gamma = 0.9;
  CHECK(far_solver_create(&solver, mdp, NULL) == FAR_OK);
  CHECK(far_solver_discounted(&exact, solver, &how, NULL) == FAR_OK);
  CHECK(v != NULL);
  for (uint32_t s = 0; v != NULL && s < 20; ++s) CHECK_NEAR(v[s], exact.v[s], 1e-6);
  far_solution_free(&exact);
  far_solver_free(solver);
  far_metric_free(metric);
  far_mdp_free(mdp);
}

int main(void) {
  test_entries();
  test_waiting();
  test_optimal();
  test_metrics();
  return check_report();
}
