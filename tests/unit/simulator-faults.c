/* Worlds of others with agents of others: what one of them does wrong ends the batch with a message that says who,
 * what, in which step and replicate. And episodes of a fixed length, which the agent's horizon ends. */
#include <farsight/farsight.h>
#include <stdlib.h>

#include "check.h"
#include "plain-q.h"

/* ---- a world: a ring of three states; what it is told to do wrong, it does ---- */

typedef struct ring {
  far_status made; /* what `create` says, ... */
  const char *why; /* ... and why; NULL: nothing */
  uint32_t start;
  int starts, steps;
} ring;

static far_status ring_create(void **instance, void *user, far_error *error) {
  const ring *x = user;
  *instance = user;
  if (x->why != NULL) snprintf(error->message, sizeof error->message, "%s", x->why);
  return x->made;
}

static int freed;

static void ring_free(void *instance) {
  CHECK(instance != NULL);
  freed += 1;
}

static far_status ring_reset(void *of, far_rng *rng, uint32_t *s, far_error *error) {
  ring *x = of;
  (void)rng, (void)error;
  x->starts += 1;
  *s = x->start;
  return FAR_OK;
}

static far_status ring_step(void *of, far_rng *rng, far_transition *step, far_error *error) {
  (void)rng, (void)error;
  ((ring *)of)->steps += 1;
  step->r = 0.5;
  step->next = (step->s + 1) % 3;
  return FAR_OK;
}

static far_simulator_def ring_def(ring *x) {
  return (far_simulator_def){.size = sizeof(far_simulator_def),
                             .name = "ring",
                             .shape = SHAPE(3, 2, 0, 1, false, NULL, 0),
                             .user = x,
                             .create = ring_create,
                             .free = ring_free,
                             .reset = ring_reset,
                             .step = ring_step};
}

static far_status run(far_batch **out, const far_simulator_def *def, const char *agent,
                      far_error *error) {
  const far_cell cell = {.simulator = def, .agent = agent, .steps = 20};
  far_batch_def batch = far_batch_def_default();
  batch.cells = &cell;
  batch.n_cells = 1;
  batch.runs = 2;
  batch.threads = 1;
  return far_batch_run(out, &batch, error);
}

static void fails(const far_simulator_def *def, const char *agent, far_status as, const char *why) {
  far_batch *batch;
  far_error error = {.code = FAR_OK};
  CHECK(run(&batch, def, agent, &error) == as && batch == NULL);
  CHECK(error.code == as);
  CHECK_TEXT(error.message, why);
  CHECK(run(&batch, def, agent, NULL) == as); /* nobody wants to know why */
}

/* ---- what is no simulator ---- */

static void refuses(far_simulator_def def, const char *why) {
  far_error error = {.code = FAR_OK};
  CHECK(far_simulator_check(&def, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, why);
}

static void test_checks(void) {
  ring x = {0};
  const far_simulator_def good = ring_def(&x);
  far_simulator_def def = good;
  CHECK(far_simulator_check(&good, NULL) == FAR_OK);
  def.size = sizeof def + 8; /* one of a later release */
  CHECK(far_simulator_check(&def, NULL) == FAR_OK);
  def.size = offsetof(far_simulator_def, version); /* of a release without versions */
  CHECK(far_simulator_check(&def, NULL) == FAR_OK);
  def.size -= 1;
  refuses(def, "it must be sizeof(far_simulator_def)");
  def = good;
  def.name = "";
  refuses(def, "needs a name");
  def.name = "two\nlines";
  refuses(def, "needs a name");
  def = good;
  def.reset = NULL;
  refuses(def, "ring has no hook `reset`");
  def = good;
  def.step = NULL;
  refuses(def, "ring has no hook `step`");
  def = good;
  def.create = NULL;
  refuses(def, "only one of the hooks");
}

/* ---- what the world does wrong ---- */

/* It cannot be made, and says why or not; nothing is freed then. */
static void test_create(void) {
  ring x = {.made = FAR_STATUS_IO, .why = "the forge is cold"};
  const far_simulator_def def = ring_def(&x);
  far_batch *batch;
  freed = 0;
  fails(&def, "q-learning", FAR_STATUS_IO, "ring could not be created: the forge is cold");
  x.why = "?"; /* however short */
  fails(&def, "q-learning", FAR_STATUS_IO, "ring could not be created: ?");
  x.why = NULL;
  far_error error;
  CHECK(run(&batch, &def, "q-learning", &error) == FAR_STATUS_IO);
  CHECK_CONTAINS(error.message, "ring could not be created: ");
  CHECK_CONTAINS(error.message, far_status_text(FAR_STATUS_IO));
  CHECK(freed == 0 && x.starts == 0);
  x.made = FAR_OK;
  CHECK(run(&batch, &def, "q-learning", NULL) == FAR_OK);
  CHECK(freed == 1 && x.starts == 2 && x.steps == 40);
  CHECK(far_batch_result(batch, 0)->mean == 10);
  far_batch_free(batch);
}

/* What a worker itself says of a run. */
static void check_worker(const far_simulator_def *def, far_status as) {
  const far_cell cell = {.simulator = def, .agent = "q-learning", .steps = 20};
  far_batch_def batch = far_batch_def_default();
  far_worker *worker;
  far_block block = {.runs = 1};
  batch.cells = &cell;
  batch.n_cells = 1;
  CHECK(far_worker_create(&worker, &batch, NULL, NULL, NULL) == FAR_OK);
  CHECK(far_worker_run(worker, &block, NULL) == as && block.runs == 0);
  far_worker_free(worker);
}

/* A start is a state, and one that is live. */
static void test_start(void) {
  static const bool absent[] = {false, false, true};
  ring x = {.start = 3};
  far_simulator_def def = ring_def(&x);
  fails(&def, "q-learning", FAR_STATUS_RANGE,
        "ring, step 0 of replicate 0: the start is not a live state");
  x.start = 2;
  def.shape.absent = absent;
  fails(&def, "q-learning", FAR_STATUS_RANGE,
        "ring, step 0 of replicate 0: the start is not a live state");
  x.start = 0; /* and so are the states that follow: the third is not */
  check_worker(&def, FAR_STATUS_RANGE);
  fails(&def, "q-learning", FAR_STATUS_RANGE,
        "ring, step 2 of replicate 0: state 2 was declared absent (terminal or unreachable); a "
        "step that ends in a terminal state is done");
}

/* ---- what the agent does wrong ---- */

static int acted, observed, act_fails, observe_fails;

static far_status wrong_act(void *of, uint32_t s, uint32_t *a, far_error *error) {
  (void)of, (void)s;
  *a = 0;
  if (++acted != act_fails) return FAR_OK;
  snprintf(error->message, sizeof error->message, "the muse is silent");
  return FAR_STATUS_IO;
}

static far_status wrong_observe(void *of, const far_transition *step, far_error *error) {
  (void)of, (void)step;
  if (++observed != observe_fails) return FAR_OK;
  snprintf(error->message, sizeof error->message, "it will not look");
  return FAR_STATUS_RANGE; /* which is not the world's fault */
}

static void test_agent(void) {
  ring x = {0};
  const far_simulator_def def = ring_def(&x);
  far_batch *batch;
  far_error error;
  far_agent_def agent = plain_q_def();
  agent.name = "wrong";
  agent.act = wrong_act;
  agent.observe = wrong_observe;
  CHECK(far_agent_register(&agent, NULL) == FAR_OK);
  act_fails = 7;
  CHECK(run(&batch, &def, "wrong", &error) == FAR_STATUS_IO && batch == NULL);
  CHECK_CONTAINS(error.message, "wrong");
  CHECK_CONTAINS(error.message, "the muse is silent");
  CHECK(x.steps == 6); /* the world was not asked for the seventh */
  act_fails = acted = observed = 0;
  observe_fails = 25;
  CHECK(run(&batch, &def, "wrong", &error) == FAR_STATUS_RANGE && batch == NULL);
  CHECK_CONTAINS(error.message, "step 5 of replicate 1: it will not look");
  CHECK(strstr(error.message, "ring") == NULL);
  observed = 0;
  CHECK(run(&batch, &def, "wrong", NULL) == FAR_STATUS_RANGE);
  observe_fails = 0;
  CHECK(run(&batch, &def, "wrong", NULL) == FAR_OK);
  far_batch_free(batch);
  const far_cell cell = {.simulator = &def, .agent = "wrong", .steps = 20};
  far_batch_def one = far_batch_def_default();
  far_worker *worker;
  far_block block = {.runs = 1};
  one.cells = &cell;
  one.n_cells = 1;
  CHECK(far_worker_create(&worker, &one, NULL, NULL, NULL) == FAR_OK);
  error.code = FAR_STATUS_FORMAT; /* what goes well leaves it alone */
  CHECK(far_worker_run(worker, &block, &error) == FAR_OK && error.code == FAR_STATUS_FORMAT);
  far_free((double *)block.values);
  block = (far_block){.runs = 1};
  observed = 0;
  observe_fails = 3;
  CHECK(far_worker_run(worker, &block, NULL) == FAR_STATUS_RANGE && block.runs == 0);
  far_worker_free(worker);
}

/* ---- episodes of a fixed length ---- */

/* Of 20 steps in episodes of 3: one start at the beginning, and one after each of six episodes. */
static void test_horizon(void) {
  ring x = {0};
  far_simulator_def def = ring_def(&x);
  far_batch *batch;
  def.shape.horizon = 3;
  def.shape.episodic = true;
  CHECK(run(&batch, &def, "ucb-h", NULL) == FAR_OK);
  CHECK(x.starts == 2 * 7 && x.steps == 2 * 20);
  CHECK(far_batch_result(batch, 0)->mean == 10);
  far_batch_free(batch);
}

/* ---- names ---- */

static void test_names(void) {
  ring x = {0};
  const far_simulator_def def = ring_def(&x);
  far_mdp_builder *b;
  far_mdp *mdp, *chain;
  far_mdp_builder_create(&b, 1, 1, NULL);
  far_mdp_builder_outcome(b, 0, 0, 1, 0, 1, NULL);
  far_mdp_builder_start(b, 0, 1, NULL);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  CHECK(far_mdp_create(&chain, "chain:n=4", NULL) == FAR_OK);
  CHECK_TEXT(far_cell_env(&(far_cell){.simulator = &def, .name = "other"}), "ring");
  CHECK_TEXT(far_cell_env(&(far_cell){.mdp = chain, .name = "other"}), far_mdp_spec(chain));
  CHECK_TEXT(far_cell_env(&(far_cell){.mdp = mdp, .name = "mine"}), "mine");
  CHECK_TEXT(far_cell_env(&(far_cell){.mdp = mdp}), "");
  CHECK(far_cell_shape(&(far_cell){.simulator = &def}).n_states == 3);
  far_mdp_free(mdp);
  far_mdp_free(chain);
}

int main(void) {
  test_checks();
  test_create();
  test_start();
  test_agent();
  test_horizon();
  test_names();
  return check_report();
}
