/* Finite horizon: models, agents that count steps, exact values, what the best and the random policy
 * earn. */
#include <farsight/farsight.h>
#include <math.h>
#include <stdlib.h>

#include "agents/facts.h"
#include "check.h"
#include "run/series.h"

/* ---- models ---- */

static void test_models(void) {
  far_mdp *plain, *timed, *built;
  far_mdp_builder *b;
  char hash[2][FAR_HASH_TEXT];
  far_error error;
  CHECK(far_mdp_create(&plain, "chain:n=9", NULL) == FAR_OK);
  CHECK(far_mdp_create(&timed, "chain:n=9,horizon=4", NULL) == FAR_OK);
  CHECK(far_mdp_horizon(plain) == 0 && far_mdp_horizon(timed) == 4);
  CHECK_TEXT(far_mdp_spec(plain), "chain:n=9,slip=0.2,left=0.001,right=1");
  CHECK_TEXT(far_mdp_spec(timed), "chain:n=9,slip=0.2,left=0.001,right=1,horizon=4");
  far_mdp_hash(hash[0], plain);
  far_mdp_hash(hash[1], timed);
  CHECK(strcmp(hash[0], hash[1]) != 0);
  const far_shape shape = far_mdp_shape(timed); /* four steps lead as far as state 4 */
  CHECK(shape.horizon == 4 && far_shape_live(&shape) == 5);
  CHECK(far_shape_is_live(&shape, 4) && !far_shape_is_live(&shape, 5));
  far_mdp_free(plain);
  far_mdp_free(timed);
  CHECK(far_mdp_create(&plain, "chain:horizon=0", &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "horizon");
  CHECK(far_mdp_builder_create(&b, 1, 1, NULL) == FAR_OK);
  CHECK(far_mdp_builder_horizon(b, -1, &error) == FAR_STATUS_RANGE);
  CHECK(far_mdp_builder_horizon(b, 3, NULL) == FAR_OK);
  CHECK(far_mdp_builder_outcome(b, 0, 0, 1, 0, 1, NULL) == FAR_OK);
  CHECK(far_mdp_builder_start(b, 0, 1, NULL) == FAR_OK);
  CHECK(far_mdp_builder_finish(&built, b, NULL) == FAR_OK);
  CHECK(far_mdp_horizon(built) == 3);
  far_mdp_free(built);
}

/* ---- agents ---- */

static bool observed(far_agent *agent, bool done, bool cut) {
  const far_transition step = {.s = 0, .a = 0, .r = 0, .next = 1, .done = done, .cut = cut};
  return far_agent_observe(agent, &step, NULL) == FAR_OK;
}

/* An agent counts the steps of an episode; the last is cut whether it says so or not. */
static void test_steps(void) {
  far_shape shape = far_shape_default(2, 2);
  far_agent *agent, *copy;
  far_error error;
  void *data;
  size_t size;
  double x, p[2];
  shape.horizon = 3;
  CHECK(far_agent_create(&agent, "q-learning", &shape, 1, 0, NULL) == FAR_OK);
  CHECK(far_agent_episode_step(agent) == 0 && !far__agent_by_step(agent));
  CHECK(observed(agent, false, false) && far_agent_episode_step(agent) == 1);
  CHECK(observed(agent, false, false) && far_agent_episode_step(agent) == 2);
  CHECK(far_agent_save_memory(&data, &size, agent, NULL) == FAR_OK);
  CHECK(far_agent_load_memory(&copy, data, size, NULL) == FAR_OK);
  CHECK(far_agent_episode_step(copy) == 2 && far_agent_shape(copy)->horizon == 3);
  far_free(data);
  far_agent_free(copy);
  CHECK(observed(agent, false, false) && far_agent_episode_step(agent) == 0);
  CHECK(observed(agent, false, false) && observed(agent, true, false));
  CHECK(far_agent_episode_step(agent) == 0);
  CHECK(observed(agent, false, false) && observed(agent, false, true));
  CHECK(far_agent_episode_step(agent) == 0);
  CHECK(far_agent_value_at(agent, FAR_VALUE_Q, 2, 0, 0, &x));
  CHECK(!far_agent_value_at(agent, FAR_VALUE_Q, 3, 0, 0, &x));
  CHECK(far_agent_policy_at(agent, 0, 1, p) && !far_agent_policy_at(agent, -1, 1, p));
  CHECK(!far_agent_certificate(agent, &x) && !far_agent_stopped(agent));
  far_agent_free(agent);
  shape.horizon = -1;
  CHECK(far_agent_create(&agent, "q-learning", &shape, 1, 0, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "horizon");
}

/* A stationary agent learns from the last step of an episode as from any other. */
static void test_cut(void) {
  far_shape shape = far_shape_default(2, 1);
  far_agent *agent;
  double x;
  shape.horizon = 1;
  CHECK(far_agent_create(&agent, "q-learning:gamma=0.5,alpha=1,q0=4", &shape, 1, 0, NULL) ==
        FAR_OK);
  CHECK(observed(agent, false, false));
  CHECK(far_agent_value(agent, FAR_VALUE_Q, 0, 0, &x) && x == 2);
  far_agent_free(agent);
}

/* ---- values ---- */

/* State 0: action 0 pays 1 and stays, action 1 pays 0 and leads to state 1, which pays 3 for ever. */
static far_mdp *choice(int64_t horizon) {
  far_mdp_builder *b;
  far_mdp *mdp = NULL;
  far_mdp_builder_create(&b, 2, 2, NULL);
  far_mdp_builder_outcome(b, 0, 0, 1, 0, 1, NULL);
  far_mdp_builder_outcome(b, 0, 1, 1, 1, 0, NULL);
  for (uint32_t a = 0; a < 2; ++a) far_mdp_builder_outcome(b, 1, a, 1, 1, 3, NULL);
  far_mdp_builder_start(b, 0, 1, NULL);
  far_mdp_builder_horizon(b, horizon, NULL);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  return mdp;
}

static void test_values(void) {
  far_mdp *mdp = choice(3);
  far_solver *solver;
  far_horizon best, x;
  double q[4], total;
  const uint32_t stay[6] = {0};
  const double half[12] = {.5, .5, .5, .5, .5, .5, .5, .5, .5, .5, .5, .5};
  const uint32_t wrong[6] = {0, 0, 0, 0, 2, 0};
  CHECK(far_solver_create(&solver, mdp, NULL) == FAR_OK);
  CHECK(far_solver_horizon(&best, solver, 3, 1, NULL) == FAR_OK);
  CHECK(best.v[0] == 6 && best.v[2] == 3 && best.v[4] == 1 && best.v[6] == 0); /* of state 0 */
  CHECK(best.policy[0] == 1 && best.policy[2] == 1 && best.policy[4] == 0);
  CHECK(far_horizon_pairs(q, &best, solver, 0, NULL) == FAR_OK);
  CHECK(q[0] == 4 && q[1] == 6 && q[2] == 9 && q[3] == 9);
  CHECK(far_horizon_pairs(q, &best, solver, 3, NULL) == FAR_STATUS_RANGE);
  far_horizon_free(&best);
  CHECK(far_solver_horizon_evaluate(&x, solver, 3, 1, &(far_policy){.action = stay}, NULL) ==
        FAR_OK);
  CHECK(x.v[0] == 3 && x.v[1] == 9 && x.policy[0] == 1);
  far_horizon_free(&x);
  CHECK(far_solver_horizon_evaluate(&x, solver, 3, 1, &(far_policy){.probability = half}, NULL) ==
        FAR_OK);
  CHECK(x.v[4] == 0.5 && x.v[2] == 0.5 * 1.5 + 0.5 * 3 && x.v[0] == 0.5 * 3.25 + 0.5 * 6);
  far_horizon_free(&x);
  CHECK(far_solver_horizon_evaluate(&x, solver, 3, 1, &(far_policy){.action = wrong}, NULL) ==
        FAR_STATUS_RANGE);
  CHECK(far_solve_best_total(&total, mdp, 30, NULL, NULL) == FAR_OK && fabs(total - 60) < 1e-12);
  CHECK(far_solve_random_total(&total, mdp, 3, NULL, NULL) == FAR_OK);
  CHECK(fabs(total - 4.625) < 1e-12);
  far_solver_free(solver);
  far_mdp_free(mdp);
}

/* ---- runs ---- */

/* Only one who knows the step goes to state 1 and takes the last reward of state 0 as well: 6 in each
 * episode of 3 steps, and 7 in one of 2 + 2 steps is not. */
static void test_runs(void) {
  far_mdp *mdp = choice(3);
  const far_cell cells[] = {{.mdp = mdp, .agent = "optimal", .steps = 30}};
  far_batch_def def = far_batch_def_default();
  far_batch *batch;
  def.cells = cells;
  def.n_cells = 1;
  def.runs = 2;
  CHECK(far_batch_run(&batch, &def, NULL) == FAR_OK);
  CHECK(far_batch_result(batch, 0)->mean == 60);
  far_batch_free(batch);
  far_agent *agent;
  double p[2];
  CHECK(far_agent_create_on(&agent, "optimal", mdp, 0, 1, 0, NULL) == FAR_OK);
  CHECK(far__agent_by_step(agent));
  CHECK(far_agent_policy_at(agent, 0, 0, p) && p[1] == 1);
  CHECK(far_agent_policy_at(agent, 2, 0, p) && p[0] == 1);
  far_agent_free(agent);
  far_mdp_free(mdp);
}

/* ---- metrics ---- */

/* The random policy is worth 4.625 in each episode, the best one 6. */
static void test_metrics(void) {
  static const struct {
    const char *spec;
    int64_t steps;
    double random, optimal;
  } rows[] = {{"episodic-regret", 30, 13.75, 0},
              {"episodic-regret", 31, 15.125, 0},
              {"episode-mistakes:eps=1", 30, 10, 0},
              {"episode-mistakes:eps=1.375", 30, 0, 0},
              {"shortfall", 30, 1.375, 0},
              {"promise", 30, 1, 1},
              {"stopping", 30, 30, 30}};
  far_mdp *mdp = choice(3);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    const far_cell cells[] = {{.mdp = mdp, .agent = "random", .steps = rows[i].steps},
                              {.mdp = mdp, .agent = "optimal", .steps = rows[i].steps}};
    far_metric *metric;
    far_batch *batch;
    CHECK(far_metric_create(&metric, rows[i].spec, NULL) == FAR_OK);
    far_batch_def def = far_batch_def_default();
    def.cells = cells;
    def.n_cells = 2;
    def.runs = 2;
    def.metrics = (const far_metric *const *)&metric;
    def.n_metrics = 1;
    CHECK(far_batch_run(&batch, &def, NULL) == FAR_OK);
    CHECK_NEAR(far_batch_metric(batch, 0, 0)->mean, rows[i].random, 1e-12);
    CHECK_NEAR(far_batch_metric(batch, 1, 0)->mean, rows[i].optimal, 1e-12);
    far_batch_free(batch);
    far_metric_free(metric);
  }
  far_mdp_free(mdp);
}

/* Metrics of one setting are refused in the other. */
static void test_settings(void) {
  static const char *const specs[][2] = {{"episodic-regret", "chain"},
                                         {"shortfall", "chain"},
                                         {"mistakes", "chain:horizon=9"},
                                         {"learned", "chain:horizon=9"},
                                         {"regret:against=gain", "chain:horizon=9"}};
  for (size_t i = 0; i < sizeof specs / sizeof *specs; ++i) {
    far_metric *metric;
    far_mdp *mdp;
    far_error error;
    CHECK(far_metric_create(&metric, specs[i][0], NULL) == FAR_OK);
    CHECK(far_mdp_create(&mdp, specs[i][1], NULL) == FAR_OK);
    const far_cell cell = {.mdp = mdp, .agent = "q-learning", .steps = 10};
    CHECK(far__metric_check(metric, &cell, NULL, NULL, &error) == FAR_STATUS_CONFLICT);
    CHECK_CONTAINS(error.message, "horizon");
    far_metric_free(metric);
    far_mdp_free(mdp);
  }
}

int main(void) {
  test_models();
  test_steps();
  test_cut();
  test_values();
  test_runs();
  test_metrics();
  test_settings();
  return check_report();
}
