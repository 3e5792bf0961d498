/* Lanes: replicates side by side give the bits of one after the other, through the worker and the schedule. The
 * program decides itself which cells have lanes, and how many. */
#include "run/lanes.h"

#include <farsight/farsight.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "batches.h"
#include "check.h"
#include "run/interleave.h"
#include "run/loop.h"
#include "suite.h"

enum { RUNS = 23, STEPS = 300, N_POINTS = 3, WIDTH = 5 };

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

/* ---- the choice ---- */

static _Thread_local far__lanes_loop *loop; /* of the cell that the worker is in */
static _Atomic int64_t together;            /* steps of lanes */

static void counted(const far_mdp *mdp, const far__body *body, far__lane *lane, size_t n,
                    int64_t steps) {
  together += (int64_t)n * steps;
  loop(mdp, body, lane, n, steps);
}

far__lanes_loop *far__lanes_for(const far_agent *agent, const far_mdp *mdp, size_t *width) {
  CHECK(mdp != NULL);
  *width = WIDTH;
  loop = far__interleave(far__fused_of(agent), agent->shape.n_actions);
  return loop != NULL ? counted : NULL;
}

/* ---- the same state, to the last bit ---- */

typedef struct group {
  far__body body[FAR__INTERLEAVED];
  far__lane lane[FAR__INTERLEAVED];
  unsigned char *states;
  size_t bytes; /* of a state */
} group;

static void begin(group *g, const far_mdp *mdp, far_agent *agent) {
  g->bytes = far__lane_bytes(agent);
  g->states = malloc(FAR__INTERLEAVED * g->bytes);
  for (size_t i = 0; i < FAR__INTERLEAVED; ++i) {
    g->body[i] = far__agent_body(agent);
    g->body[i].state = g->states + i * g->bytes;
    memcpy(g->body[i].state, far__agent_state(agent), g->bytes);
    g->lane[i] = far__lane_begin(mdp, 7, i);
  }
}

static void one_by_one(far__fused which, const far_mdp *mdp, group *g, size_t n, int64_t steps) {
  for (size_t i = 0; i < n; ++i) switch (which) {
#define FAR_FUSED(NAME)                                                                            \
  case FAR__FUSED_##NAME: {                                                                        \
    const NAME##_fused_view v = NAME##_fused_lane_on(g->body[i]);                                  \
    NAME##_steps(&v, mdp, g->body[i].n_actions, &g->lane[i], steps);                               \
    break;                                                                                         \
  }
#include "run/fused.def"
#undef FAR_FUSED
    case FAR__FUSED_NONE: CHECK(false);
    }
}

static bool same_group(const group *x, const group *y) {
  return memcmp(x->lane, y->lane, sizeof x->lane) == 0 &&
         memcmp(x->states, y->states, FAR__INTERLEAVED * x->bytes) == 0;
}

/* Any number of lanes, for any number of steps; those beyond stay as they are. */
static void compare_states(const far_mdp *mdp, const char *spec) {
  static const size_t lanes[] = {1, 7, FAR__INTERLEAVED, 3};
  far_agent *agent;
  group x, y;
  CHECK(far_agent_create_on(&agent, spec, mdp, 0, 7, 0, NULL) == FAR_OK);
  const far__fused which = far__fused_of(agent);
  far__lanes_loop *interleaved = far__interleave(which, agent->shape.n_actions);
  CHECK((which == FAR__FUSED_NONE) == (interleaved == NULL));
  if (interleaved != NULL) {
    begin(&x, mdp, agent);
    begin(&y, mdp, agent);
    for (size_t k = 0; k < sizeof lanes / sizeof *lanes; ++k) {
      one_by_one(which, mdp, &x, lanes[k], 50 * (int64_t)k);
      interleaved(mdp, y.body, y.lane, lanes[k], 50 * (int64_t)k);
      check_agent(same_group(&x, &y), spec, "lanes have the same state");
    }
    free(x.states);
    free(y.states);
  }
  far_agent_free(agent);
}

/* ---- the same totals ---- */

/* One after the other and with lanes; how many steps lanes made. */
static int64_t compare(far_batch_def *def) {
  together = 0;
  def->lanes = 1;
  far_batch *expected = run(def);
  CHECK(together == 0);
  def->lanes = 0;
  far_batch *found = run(def);
  for (size_t i = 0; i < def->n_cells; ++i)
    check_agent(same_cell(expected, found, i, N_POINTS), def->cells[i].agent,
                "lanes give the same bits");
  far_batch_free(expected);
  far_batch_free(found);
  return together;
}

/* On all models. */
static void test_spec(const far_type_info *type, const char *spec) {
  far_cell cells[N_MODELS];
  if (type->model_based || needs_horizon(spec)) return;
  for (size_t i = 0; i < N_MODELS; ++i) cells[i] = cell_of(mdps[i], spec);
  far_batch_def def = batch_of(cells, N_MODELS, RUNS);
  compare(&def);
  for (size_t i = 0; i < N_MODELS; ++i) compare_states(mdps[i], spec);
}

/* What the lanes do not show goes one after the other: metrics, hooks, a horizon; of the runs with snapshots
 * only these. */
static void test_refused(void) {
  far_mdp *timed;
  far_metric *metric;
  CHECK(far_mdp_create(&timed, "chain:n=5,horizon=7", NULL) == FAR_OK);
  CHECK(far_metric_create(&metric, "coverage", NULL) == FAR_OK);
  const far_metric *const metrics[] = {metric};
  const far_cell cells[] = {cell_of(timed, "q-learning"), cell_of(mdps[0], "delayed-q")};
  far_batch_def def = batch_of(cells, 2, RUNS);
  far_batch_def with_metric = def, hooks = def, snapshots = def;
  with_metric.metrics = metrics;
  with_metric.n_metrics = 1;
  hooks.generic = true;
  snapshots.snapshots = (int64_t)def.first_replicate + 2;
  CHECK(compare(&def) >= (RUNS - WIDTH) * STEPS);
  CHECK(compare(&with_metric) == 0);
  CHECK(compare(&hooks) == 0);
  const int64_t beside = compare(&snapshots);
  CHECK(beside > 0 && beside <= (RUNS - 2) * STEPS);
  far_metric_free(metric);
  far_mdp_free(timed);
}

/* ---- blocks ---- */

/* The first block is as wide as the lanes, and no worker waits while another has more than its share. */
static far_status keep(void *user, const far_block *blocks, size_t count, far_error *error) {
  int64_t *largest = user;
  (void)error;
  for (size_t i = 0; i < count; ++i)
    if (blocks[i].runs > *largest) *largest = blocks[i].runs;
  return FAR_OK;
}

static int64_t largest_block(unsigned threads, int64_t runs) {
  const far_cell cells[] = {
      {.mdp = mdps[0], .agent = "q-learning", .steps = 1000000, .runs = runs}};
  far_batch_def def = batch_of(cells, 1, RUNS);
  int64_t largest = 0;
  def.threads = threads;
  def.keep = keep;
  def.keep_user = &largest;
  far_batch_free(run(&def));
  return largest;
}

static void test_blocks(void) {
  CHECK(largest_block(1, 7) == WIDTH);
  CHECK(largest_block(2, 7) == 3);
}

/* ---- stopping ---- */

static bool soon(void *user) {
  return --*(int *)user < 0;
}

/* A block of 12 that is stopped at any look: whole groups of lanes are left, with the numbers of one after the
 * other, and nothing of the group that was under way. */
static void test_stop(void) {
  enum { WANTED = 12, COLUMNS = 1 + N_POINTS };
  const far_cell cell = cell_of(mdps[2], "directed-delayed-q:m=2,eps1=0.03125");
  far_batch_def def = batch_of(&cell, 1, RUNS);
  far_worker *worker;
  far_block all = {.first = 1, .runs = WANTED};
  def.lanes = 1;
  CHECK(far_worker_create(&worker, &def, NULL, NULL, NULL) == FAR_OK);
  CHECK(far_worker_run(worker, &all, NULL) == FAR_OK && all.runs == WANTED);
  far_worker_free(worker);
  def.lanes = 0;
  bool some = false;
  for (int looks = 0, runs = 0; runs < WANTED; ++looks) {
    int left = looks;
    far_block part = {.first = 1, .runs = WANTED};
    CHECK(far_worker_create(&worker, &def, soon, &left, NULL) == FAR_OK);
    CHECK(far_worker_run(worker, &part, NULL) == FAR_OK);
    CHECK(part.runs == WANTED || (part.runs < WANTED && part.runs % WIDTH == 0));
    CHECK(part.runs >= runs);
    some |= part.runs == WIDTH;
    runs = (int)part.runs;
    for (int i = 0; i < COLUMNS * runs; ++i)
      CHECK(part.values[i] == all.values[i / runs * WANTED + i % runs]);
    far_worker_free(worker);
    far_free((void *)part.values);
  }
  CHECK(some);
  far_free((void *)all.values);
}

/* ---- memory ---- */

/* A Q-table of two actions has 16 bytes a state. From one lane to the next is an odd number of lines of 64 bytes. */
static void check_stride(const char *model, size_t lines) {
  far_mdp *mdp;
  far_agent *agent;
  far__lanes lanes;
  CHECK(far_mdp_create(&mdp, model, NULL) == FAR_OK);
  CHECK(far_agent_create_on(&agent, "q-learning", mdp, 0, 7, 0, NULL) == FAR_OK);
  const far_cell cell = cell_of(mdp, "q-learning");
  const far_batch_def def = batch_of(&cell, 1, RUNS);
  far__lanes_enter(&lanes, &def, &cell, agent);
  CHECK(lanes.width == WIDTH && lanes.loop == counted && lanes.memory != NULL);
  for (size_t i = 0; i < lanes.width; ++i)
    CHECK((char *)lanes.body[i].state == (char *)lanes.memory + i * lines * 64);
  CHECK((char *)lanes.body == (char *)lanes.memory + WIDTH * lines * 64);
  CHECK((void *)lanes.lane == (void *)(lanes.body + WIDTH));
  far__lanes_leave(&lanes);
  CHECK(lanes.width == 1 && lanes.memory == NULL && lanes.loop == NULL);
  far_agent_free(agent);
  far_mdp_free(mdp);
}

static void test_memory(void) {
  check_stride("chain:n=4", 1);
  check_stride("chain:n=5", 3);
  check_stride("chain:n=8", 3);
  check_stride("chain:n=12", 3);
  check_stride("chain:n=13", 5);
}

/* An agent without a loop of its own has one lane, whatever was asked for. */
static void test_none(void) {
  far_agent *agent;
  const far_cell cell = cell_of(mdps[0], "r-max");
  far_batch_def def = batch_of(&cell, 1, RUNS);
  CHECK(far_agent_create_on(&agent, "r-max", mdps[0], 0, 7, 0, NULL) == FAR_OK);
  CHECK(far__lanes_width(&def, &cell, agent) == 1);
  def.lanes = 3;
  CHECK(far__lanes_width(&def, &cell, agent) == 1);
  far_agent_free(agent);
}

int main(int argc, char **argv) {
  for (int i = 0; i < N_MODELS; ++i) CHECK(far_mdp_create(&mdps[i], models[i], NULL) == FAR_OK);
  each_spec(test_spec, argc, argv);
  test_refused();
  test_blocks();
  test_stop();
  test_memory();
  test_none();
  for (int i = 0; i < N_MODELS; ++i) far_mdp_free(mdps[i]);
  return check_report();
}
