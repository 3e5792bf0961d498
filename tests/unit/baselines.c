/* The agents that do not learn: they earn what the solver says their policies earn, and one that peeks
 * is told the policy by whoever makes it and keeps it. */
#include <farsight/farsight.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "worlds.h"

static far_mdp *model(const char *spec) {
  far_mdp *mdp = NULL;
  CHECK(far_mdp_create(&mdp, spec, NULL) == FAR_OK);
  return mdp;
}

static far_agent *make(const char *spec, const far_mdp *mdp) {
  far_agent *agent = NULL;
  CHECK(far_agent_create_on(&agent, spec, mdp, 0, 1, 0, NULL) == FAR_OK);
  return agent;
}

/* ---- traces by hand ---- */

/* One draw a choice, an index below the number of actions. */
static void test_random_trace(void) {
  far_mdp *mdp = model("taxi");
  far_agent *agent = make("random", mdp);
  far_rng rng;
  double p[6];
  far_rng_init(&rng, 1, 0, FAR_PURPOSE_AGENT);
  for (int t = 0; t < 100; ++t) CHECK(far_agent_act(agent, 1) == far_rng_below(&rng, 6));
  CHECK(far_agent_policy(agent, 1, p));
  for (int a = 0; a < 6; ++a) CHECK(p[a] == 1.0 / 6);
  CHECK_TEXT(far_agent_spec(agent), "random");
  CHECK(!far_agent_value(agent, FAR_VALUE_Q, 1, 0, p));
  far_agent_free(agent);
  far_mdp_free(mdp);
}

/* In the detour's state 0 staying is best, unless gamma is below 1/9 (worlds.h). */
static void test_optimal_trace(void) {
  static const struct {
    const char *spec;
    uint32_t action;
  } rows[] = {{"optimal", 1},
              {"optimal:criterion=average", 1},
              {"optimal:criterion=discounted", 1},
              {"optimal:criterion=discounted,gamma=0.12", 1},
              {"optimal:criterion=discounted,gamma=0.1", 0},
              {"optimal:criterion=discounted,gamma=0", 0}};
  far_mdp *mdp = detour_world();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    far_agent *agent = make(rows[i].spec, mdp);
    double p[2];
    CHECK(far_agent_act(agent, 0) == rows[i].action);
    CHECK(far_agent_policy(agent, 0, p) && p[rows[i].action] == 1 && p[!rows[i].action] == 0);
    CHECK(!far_agent_value(agent, FAR_VALUE_Q, 0, 0, p));
    far_agent_free(agent);
  }
  far_mdp_free(mdp);
}

/* ---- what they earn ---- */

/* The gain of a model and the span of its bias. Over n steps from anywhere the policy earns n gains
 * within one span. */
static void solve_average(const far_mdp *mdp, double *gain, double *span) {
  far_solver *solver = NULL;
  far_average best;
  far_solve_def def = far_solve_def_default();
  CHECK(far_solver_create(&solver, mdp, NULL) == FAR_OK);
  CHECK(far_solver_average(&best, solver, &def, NULL) == FAR_OK);
  *gain = best.gain;
  *span = best.span;
  far_average_free(&best);
  far_solver_free(solver);
}

static void add_mixed(far_mdp_builder *b, const far_mdp *mdp, uint32_t s, uint32_t n_actions) {
  size_t count;
  for (uint32_t a = 0; a < n_actions; ++a) {
    const far_outcome *o = far_mdp_outcomes(mdp, s, a, &count);
    for (size_t i = 0; i < count; ++i)
      far_mdp_builder_outcome(b, s, 0, o[i].probability / n_actions, o[i].next, o[i].reward, NULL);
  }
}

/* The model with one action, which takes any of all. */
static far_mdp *mixed(const far_mdp *mdp) {
  const far_shape shape = far_mdp_shape(mdp);
  far_mdp_builder *b;
  far_mdp *out = NULL;
  size_t count;
  const far_outcome *starts = far_mdp_starts(mdp, &count);
  far_mdp_builder_create(&b, shape.n_states, 1, NULL);
  for (uint32_t s = 0; s < shape.n_states; ++s)
    if (far_mdp_terminal(mdp, s))
      far_mdp_builder_terminal(b, s, NULL);
    else
      add_mixed(b, mdp, s, shape.n_actions);
  for (size_t i = 0; i < count; ++i)
    far_mdp_builder_start(b, starts[i].next, starts[i].probability, NULL);
  CHECK(far_mdp_builder_finish(&out, b, NULL) == FAR_OK);
  return out;
}

enum { STEPS = 4000, RUNS = 40 };

static void check_earned(const far_result *r, const char *env, double gain, double span) {
  const int failed = check_failed;
  const double width = 2 * r->ci95 + span, expected = gain * STEPS; /* four standard errors */
  CHECK_NEAR(r->mean, expected, width + 1e-9 * STEPS);
  CHECK(width < 0.5 * fabs(expected)); /* it says something */
  if (check_failed > failed) printf("  %s on %s\n", r->agent, env);
}

static void test_earned(const char *env) {
  far_mdp *mdp = model(env), *uniform = mixed(mdp);
  const far_cell cells[] = {{.mdp = mdp, .agent = "random", .steps = STEPS},
                            {.mdp = mdp, .agent = "optimal", .steps = STEPS}};
  far_batch_def def = far_batch_def_default();
  far_batch *batch = NULL;
  double gain, span;
  def.cells = cells;
  def.n_cells = 2;
  def.runs = RUNS;
  CHECK(far_batch_run(&batch, &def, NULL) == FAR_OK);
  solve_average(uniform, &gain, &span);
  check_earned(far_batch_result(batch, 0), env, gain, span);
  solve_average(mdp, &gain, &span);
  check_earned(far_batch_result(batch, 1), env, gain, span);
  far_batch_free(batch);
  far_mdp_free(uniform);
  far_mdp_free(mdp);
}

/* ---- keeping what was told ---- */

static bool plays(far_agent *agent, const uint32_t *action) {
  bool same = agent != NULL;
  for (uint32_t s = 0; same && s < far_agent_shape(agent)->n_states; ++s)
    same = !far_shape_is_live(far_agent_shape(agent), s) || far_agent_act(agent, s) == action[s];
  return same;
}

static void test_kept(void) {
  char path[] = "/tmp/farsight-baselines-XXXXXX";
  const int fd = mkstemp(path);
  if (fd >= 0) close(fd);
  far_mdp *mdp = model("four-rooms");
  far_solver *solver;
  far_solution best;
  far_solve_def def = far_solve_def_default();
  CHECK(far_solver_create(&solver, mdp, NULL) == FAR_OK);
  CHECK(far_solver_discounted(&best, solver, &def, NULL) == FAR_OK);
  far_agent *agent = make("optimal:criterion=discounted", mdp), *copy, *loaded;
  far_mdp_free(mdp); /* it does not need it any more */
  CHECK(plays(agent, best.policy));
  far_agent_reset(agent, 3, 4);
  CHECK(plays(agent, best.policy) && far_agent_steps(agent) == 0);
  CHECK(far_agent_clone(&copy, agent, NULL) == FAR_OK && plays(copy, best.policy));
  CHECK(far_agent_save(agent, path, NULL) == FAR_OK);
  CHECK(far_agent_load(&loaded, path, NULL) == FAR_OK && plays(loaded, best.policy));
  CHECK(far_agent_restore(copy, path, NULL) == FAR_OK && plays(copy, best.policy));
  far_agent_reset(loaded, 3, 4);
  CHECK(plays(loaded, best.policy));
  far_agent *all[] = {agent, copy, loaded};
  for (int i = 0; i < 3; ++i) far_agent_free(all[i]);
  far_solution_free(&best);
  far_solver_free(solver);
  remove(path);
}

/* ---- refusals ---- */

static void test_without_model(void) {
  far_shape shape = far_shape_default(3, 2);
  far_agent *agent;
  far_error error;
  char spec[FAR_SPEC_SIZE];
  CHECK(far_agent_create(&agent, "optimal", &shape, 1, 0, &error) == FAR_STATUS_CONFLICT);
  CHECK(agent == NULL);
  CHECK_CONTAINS(error.message, "far_agent_create_on");
  CHECK(far_agent_check("optimal", &shape, NULL, NULL, &error) == FAR_OK);
  CHECK(far_agent_resolve(spec, "optimal", &shape, &error) == FAR_OK);
  CHECK_TEXT(spec, "optimal:criterion=discounted,gamma=0.95");
  CHECK(far_agent_resolve(spec, "optimal:gamma=0.9", &shape, &error) == FAR_OK);
  CHECK_TEXT(spec, "optimal:criterion=discounted,gamma=0.9");
  const char *const both = "optimal:criterion=average,gamma=0.9";
  CHECK(far_agent_check(both, &shape, NULL, NULL, &error) == FAR_STATUS_CONFLICT);
  CHECK_CONTAINS(error.message, "criterion=discounted");
  shape.average = true;
  CHECK(far_agent_resolve(spec, "optimal", &shape, &error) == FAR_OK);
  CHECK_TEXT(spec, "optimal:criterion=average");
  CHECK(far_agent_check("random:x=1", &shape, NULL, NULL, &error) == FAR_STATUS_UNKNOWN);
}

/* From the start to one of two states, of which one pays 1 and the other 0, for ever. */
static far_mdp *fork_world(void) {
  far_mdp_builder *b;
  far_mdp *mdp = NULL;
  far_mdp_builder_create(&b, 3, 2, NULL);
  for (uint32_t s = 0; s < 3; ++s)
    for (uint32_t a = 0; a < 2; ++a)
      far_mdp_builder_outcome(b, s, a, 1, s == 0 ? a + 1 : s, s == 2, NULL);
  far_mdp_builder_start(b, 0, 1, NULL);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  return mdp;
}

static bool never(void *user, const far_progress *progress) {
  (void)user;
  CHECK(progress->runs_done == 0);
  return true;
}

/* Refused before anything runs, although another cell comes first. */
static void test_multichain(void) {
  far_mdp *mdp = fork_world();
  const far_cell cells[] = {{.mdp = mdp, .agent = "random", .steps = 10},
                            {.mdp = mdp, .agent = "optimal:criterion=average", .steps = 10}};
  far_batch_def def = far_batch_def_default();
  far_batch *batch;
  far_agent *agent;
  far_error error;
  def.cells = cells;
  def.n_cells = 2;
  def.progress = never;
  CHECK(far_batch_run(&batch, &def, &error) == FAR_STATUS_CONFLICT);
  CHECK_CONTAINS(error.message, "multichain");
  CHECK_CONTAINS(error.message, "criterion=discounted");
  CHECK(far_agent_create_on(&agent, cells[1].agent, mdp, 0, 1, 0, NULL) == FAR_STATUS_CONFLICT);
  CHECK(agent == NULL);
  agent = make("optimal", mdp);
  CHECK(far_agent_act(agent, 0) == 1);
  far_agent_free(agent);
  far_mdp_free(mdp);
}

static far_status stay(void *instance, far_rng *rng, uint32_t *s, far_error *error) {
  (void)instance, (void)rng, (void)error;
  *s = 0;
  return FAR_OK;
}

static far_status pay(void *instance, far_rng *rng, far_transition *step, far_error *error) {
  (void)instance, (void)rng, (void)error;
  step->r = step->a;
  step->next = 0;
  return FAR_OK;
}

/* A simulator has no model to peek at; to act at random none is needed. */
static void test_simulator(void) {
  const far_simulator_def sim = {.size = sizeof sim,
                                 .name = "lever",
                                 .shape = far_shape_default(1, 2),
                                 .reset = stay,
                                 .step = pay};
  far_cell cell = {.simulator = &sim, .agent = "optimal", .steps = 10};
  far_batch_def def = far_batch_def_default();
  far_batch *batch;
  far_error error;
  def.cells = &cell;
  def.n_cells = 1;
  def.runs = 2;
  CHECK(far_batch_run(&batch, &def, &error) == FAR_STATUS_CONFLICT);
  CHECK_CONTAINS(error.message, "a simulator has none");
  cell.agent = "random";
  CHECK(far_batch_run(&batch, &def, &error) == FAR_OK);
  far_batch_free(batch);
}

/* True from the second time on, so that the stop comes while the model is solved. */
static bool soon(void *user) {
  return ++*(int *)user > 1;
}

static void test_stopped(void) {
  far_mdp *mdp = model("riverswim:n=20");
  const far_cell cell = {.mdp = mdp, .agent = "optimal:criterion=average", .steps = 10};
  far_batch_def def = far_batch_def_default();
  far_block block = {.cell = 0, .first = 0, .runs = 5};
  far_worker *worker;
  int asked = 0;
  def.cells = &cell;
  def.n_cells = 1;
  CHECK(far_worker_create(&worker, &def, soon, &asked, NULL) == FAR_OK);
  CHECK(far_worker_run(worker, &block, NULL) == FAR_OK);
  CHECK(block.runs == 0 && block.values == NULL && asked == 2);
  far_worker_free(worker);
  far_mdp_free(mdp);
}

int main(void) {
  static const char *const envs[] = {"chain:n=5", "sixarms", "frozen-lake", "taxi",
                                     "garnet:states=12"};
  test_random_trace();
  test_optimal_trace();
  for (size_t i = 0; i < sizeof envs / sizeof *envs; ++i) test_earned(envs[i]);
  test_kept();
  test_without_model();
  test_multichain();
  test_simulator();
  test_stopped();
  return check_report();
}
