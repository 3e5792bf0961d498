/* Models that are larger than a processor's cache, and whose steps lead anywhere: sweeps and runs have loops of their
 * own for them, which ask the memory early for what they will read. They give what the plain ones give, and are
 * chosen where they should be. */
#include <farsight/farsight.h>
#include <stdlib.h>

#include "agents/facts.h"
#include "base/available.h"
#include "batches.h"
#include "check.h"
#include "run/interleave.h"
#include "run/loop.h"
#include "run/pool.h"
#include "run/vectors.h"
#include "solve/sliced.h"
#include "solve/sweep.h"
#include "worlds.h"

/* ---- memory as large as a test wants it ---- */

static uint64_t available = (uint64_t)1 << 40;

uint64_t far__memory_available(void) {
  return available;
}

far_status far__check_memory(double bytes, const char *what, far_error *error) {
  (void)bytes, (void)what, (void)error;
  return FAR_OK;
}

far_status far__check_states(uint64_t states, const char *what, far_error *error) {
  (void)states, (void)what, (void)error;
  return FAR_OK;
}

/* ---- sweeps ---- */

/* Expected reward and what follows, of a pair. */
static double backup(const far_mdp *mdp, uint32_t s, uint32_t a, double gamma, const double *v) {
  size_t n;
  const far_outcome *o = far_mdp_outcomes(mdp, s, a, &n);
  double sum = 0;
  for (size_t k = 0; k < n; ++k) sum += o[k].probability * (o[k].reward + gamma * v[o[k].next]);
  return sum;
}

/* Values are what a plain backup of them is, wherever it is made: with 65,536 states, which is not large yet, and with
 * one more; the number of states is odd, so that one stands alone. */
static void test_sweeps(uint32_t n, uint32_t successors) {
  enum { STEPS = 2, A = 2 };
  far_mdp *mdp = random_world(n, n, A, successors);
  far_solver *solver;
  far_horizon x;
  far_solution y;
  far_solve_def def = far_solve_def_default();
  def.gamma = 0.5;
  def.tolerance = 1e-9;
  CHECK(far_solver_create(&solver, mdp, NULL) == FAR_OK);
  CHECK(far_solver_horizon(&x, solver, STEPS, 0.5, NULL) == FAR_OK);
  CHECK(far_solver_discounted(&y, solver, &def, NULL) == FAR_OK && y.converged);
  double worst = 0, worst_v = 0, worst_q = 0;
  size_t wrong = 0;
  for (uint32_t s = 0; s < n; ++s) {
    for (int t = 0; t < STEPS; ++t) {
      double best = -INFINITY;
      uint32_t choice = 0;
      for (uint32_t a = 0; a < A; ++a) {
        const double q = backup(mdp, s, a, 0.5, x.v + (size_t)(t + 1) * n);
        choice = q > best + 1e-12 ? a : choice;
        best = fmax(best, q);
      }
      worst = fmax(worst, fabs(best - x.v[(size_t)t * n + s]));
      wrong += choice != x.policy[(size_t)t * n + s];
    }
    for (uint32_t a = 0; a < A; ++a)
      worst_q = fmax(worst_q, fabs(backup(mdp, s, a, 0.5, y.v) - y.q[(size_t)s * A + a]));
    worst_v = fmax(worst_v, fabs(fmax(y.q[(size_t)s * A], y.q[(size_t)s * A + 1]) - y.v[s]));
  }
  CHECK_NEAR(worst, 0, 1e-12);
  CHECK(wrong == 0);
  CHECK_NEAR(worst_q, 0, 2e-9);
  CHECK(worst_v == 0);
  far_horizon_free(&x);
  far_solution_free(&y);
  far_solver_free(solver);
  far_mdp_free(mdp);
}

/* ---- runs ---- */

static far_agent *agent_of(const char *spec, const far_mdp *mdp) {
  const far_shape shape = far_mdp_shape(mdp);
  far_agent *agent = NULL;
  CHECK(far_agent_create(&agent, spec, &shape, 1, 0, NULL) == FAR_OK);
  return agent;
}

/* The lanes that an agent has on a model of n states, each of which leads anywhere; 0: none. */
static size_t width_of(const char *spec, uint32_t n, bool *turns) {
  far_mdp *mdp = random_world(1, n, 2, 1);
  far_agent *agent = agent_of(spec, mdp);
  size_t width;
  far__lanes_loop *loop = far__lanes_for(agent, mdp, &width);
  *turns = loop != NULL && loop == far__interleave(far__fused_of(agent), 2);
  far_agent_free(agent);
  far_mdp_free(mdp);
  return loop != NULL ? width : 0;
}

/* Beyond a megabyte lanes take turns, 8 of them, and beyond 8 megabytes 16; DORA's only there. */
static void test_turns(void) {
  bool turns;
  CHECK(width_of("q-learning", 20000, &turns) == 8 && turns);
  CHECK(width_of("q-learning", 120000, &turns) == 16 && turns);
  CHECK(width_of("delayed-q", 20000, &turns) == 8 && turns);
  CHECK(width_of("dora", 20000, &turns) == 0);
  CHECK(width_of("dora", 120000, &turns) == 16 && turns);
  CHECK(width_of("r-max", 20000, &turns) == 0); /* it has no loop of its own */
}

/* A state that is larger than the cache itself, of so many actions, is the only one that it holds. */
static void test_wide(void) {
  far_mdp *mdp = random_world(1, 5, 40000, 1);
  far_agent *agent = agent_of("q-learning", mdp);
  size_t width;
  CHECK(far__lanes_for(agent, mdp, &width) == far__interleave(FAR__FUSED_q, 40000));
  far_agent_free(agent);
  far_mdp_free(mdp);
}

/* Tables of all lanes within half a megabyte: all of the width. A Q-table of two actions has 16 bytes a state. */
static void test_vectors(void) {
  const far__vectors *vectors = far__vectors_at(0);
  bool turns;
  if (vectors == NULL) {
    CHECK(width_of("q-learning", 100, &turns) == 0);
    return;
  }
  const size_t w = vectors->width;
  const uint32_t n = (uint32_t)((1 << 19) / w / 16);
  CHECK(width_of("q-learning", n, &turns) == w && !turns);
  CHECK(width_of("q-learning", n + 1, &turns) == w / 2 && !turns);
  CHECK(width_of("q-learning:step=polynomial", 100, &turns) == 0);
  CHECK(width_of("delayed-q", (uint32_t)((2 << 20) / w / 64), &turns) == w / 2 && !turns);
  if (w >= 32) CHECK(width_of("delayed-q", (8 << 20) / 32 / 64, &turns) == 0);
}

/* However large the model: one that is walked slowly stays in the cache. */
static void test_near(void) {
  far_mdp *mdp;
  size_t width;
  CHECK(far_mdp_create(&mdp, "chain:n=40000", NULL) == FAR_OK);
  far_agent *agent = agent_of("q-learning", mdp);
  CHECK(far__lanes_for(agent, mdp, &width) == NULL);
  far_agent_free(agent);
  far_mdp_free(mdp);
}

/* Lanes that are large have an eighth of the memory that is free, shared by the threads; none of them, or fewer
 * than two, are one run after the other. */
static void test_room(void) {
  far_mdp *mdp = random_world(1, 120000, 2, 1);
  far_agent *agent = agent_of("q-learning", mdp);
  const far_cell cell = {.mdp = mdp, .agent = "q-learning", .steps = 1};
  far_batch_def def = batch_of(&cell, 1, 16);
  const uint64_t each =
      (far__lane_bytes(agent) + 63) / 64 * 64 + 64; /* at most: an odd number of lines */
  static const struct {
    uint64_t lanes;
    unsigned threads;
    size_t width;
  } cases[] = {{100, 1, 16}, {16, 1, 16}, {12, 1, 12}, {12, 2, 6}, {2, 1, 2}, {1, 1, 1}, {0, 1, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    available = cases[i].lanes * 8 * each;
    def.threads = cases[i].threads;
    CHECK(far__lanes_width(&def, &cell, agent) == cases[i].width);
  }
  available = (uint64_t)1 << 40;
  def.threads = 1;
  def.lanes = 3; /* a limit of the batch's own */
  CHECK(far__lanes_width(&def, &cell, agent) == 3);
  def.lanes = 16;
  CHECK(far__lanes_width(&def, &cell, agent) == 16);
  far_agent_free(agent);
  far_mdp_free(mdp);
}

/* Lanes that take turns, few of them and one after the other: the same bits. */
static void test_runs(void) {
  static const int64_t points[] = {7, 300};
  far_mdp *mdp = random_world(1, 20000, 2, 1);
  const far_cell cells[] = {
      {.mdp = mdp, .agent = "q-learning", .steps = 300, .checkpoints = points, .n_checkpoints = 2},
      {.mdp = mdp, .agent = "delayed-q", .steps = 300, .checkpoints = points, .n_checkpoints = 2}};
  far_batch_def def = batch_of(cells, 2, 19);
  far_batch *turns = run(&def);
  def.generic = true;
  far_batch *hooks = run(&def);
  def.generic = false;
  available = 0;
  far_batch *alone = run(&def);
  available = (uint64_t)1 << 40;
  for (size_t i = 0; i < 2; ++i) {
    CHECK(same_cell(turns, hooks, i, 2));
    CHECK(same_cell(turns, alone, i, 2));
  }
  far_batch_free(turns);
  far_batch_free(hooks);
  far_batch_free(alone);
  far_mdp_free(mdp);
}

/* Threads have an agent each: there are as many as have memory for it, and at least one. */
static void test_threads(void) {
  far_mdp *mdp = random_world(1, 1 << 19, 2, 1);
  const far_cell cell = {.mdp = mdp, .agent = "q-learning", .steps = 1};
  far_batch_def def = batch_of(&cell, 1, 3);
  far_pool *pool;
  size_t bytes;
  const far_shape shape = far_mdp_shape(mdp);
  CHECK(far__agent_bytes(&bytes, cell.agent, &shape, NULL) == FAR_OK);
  CHECK(far_pool_create(&pool, 3, NULL) == FAR_OK);
  static const size_t cases[][2] = {{10, 3}, {3, 3}, {2, 2}, {1, 1}, {0, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    available = cases[i][0] * bytes;
    CHECK(pool->begin(pool, &def, NULL) == FAR_OK);
    CHECK(pool->workers(pool) == cases[i][1]);
    far_block block = {.runs = 1};
    bool got;
    if (available == 0) { /* nobody knows whether there is enough: it is tried */
      CHECK(pool->give(pool, &block, NULL) == FAR_OK);
      CHECK(pool->take(pool, &block, &got, 0, NULL) == FAR_OK && got && block.runs == 1);
      far_free((double *)block.values);
    }
    pool->end(pool);
  }
  available = (uint64_t)1 << 40;
  def.runs = 2; /* no more than runs */
  CHECK(pool->begin(pool, &def, NULL) == FAR_OK && pool->workers(pool) == 2);
  pool->end(pool);
  far_pool_free(pool);
  CHECK(far__pool_threads(3) == 3 && far__pool_threads(0) >= 1);
  CHECK(far__pool_threads(1000000) == far__pool_threads(2000000)); /* the most */
  far_mdp_free(mdp);
}

int main(void) {
  test_sweeps(65537, 2);
  test_sweeps(65536, 1);
  test_turns();
  test_wide();
  test_vectors();
  test_near();
  test_room();
  test_runs();
  test_threads();
  return check_report();
}
