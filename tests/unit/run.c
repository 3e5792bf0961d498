/* Batches: the same bits for any number of threads and either loop, statistics, cancelling. */
#include <farsight/farsight.h>

#include "statistics/sample.h"

#include "check.h"
#include "worlds.h"

static const char *const agents[] = {
    "directed-delayed-q",
    "directed-delayed-q:clamp=off,learn=printed,lambda=5,m=3",
    "directed-delayed-q:delay=full,m=3",
    "directed-delayed-q:e_rule=visit,m=3",
    "directed-delayed-q:bonus=sqrt,threshold=0.1,clamp=off",
    "delayed-q",
    "delayed-q:form=2006,m=2",
    "delayed-q-ie",
    "q-learning",
    "q-learning:temperature=0.3,step=polynomial",
    "q-learning:decay=state,q0=20,ties=highest",
};

enum { N_AGENTS = sizeof agents / sizeof *agents };

static far_batch *run(const far_mdp *mdp, unsigned threads, bool generic, int64_t runs) {
  far_cell cells[N_AGENTS];
  for (int i = 0; i < N_AGENTS; ++i)
    cells[i] = (far_cell){.mdp = mdp, .agent = agents[i], .steps = 700};
  far_batch_def def = far_batch_def_default();
  def.cells = cells;
  def.n_cells = N_AGENTS;
  def.runs = runs;
  def.seed = 5;
  def.threads = threads;
  def.generic = generic;
  far_batch *batch = NULL;
  CHECK(far_batch_run(&batch, &def, NULL) == FAR_OK);
  return batch;
}

static void same_hashes(const far_batch *x, const far_batch *y) {
  for (int i = 0; i < N_AGENTS; ++i)
    CHECK_TEXT(far_batch_result(x, i)->hash, far_batch_result(y, i)->hash);
}

static void test_same_bits(far_mdp *mdp) {
  far_batch *one = run(mdp, 1, false, 21), *two = run(mdp, 2, false, 21);
  far_batch *seven = run(mdp, 7, false, 21), *hooks = run(mdp, 3, true, 21);
  same_hashes(one, two);
  same_hashes(one, seven);
  same_hashes(one, hooks);
  for (int i = 0; i < N_AGENTS; ++i) CHECK(far_batch_result(one, i)->runs == 21);
  far_batch *batches[] = {one, two, seven, hooks};
  for (int i = 0; i < 4; ++i) far_batch_free(batches[i]);
  far_mdp_free(mdp);
}

static far_mdp *chain(const char *spec) {
  far_mdp *mdp = NULL;
  CHECK(far_mdp_create(&mdp, spec, NULL) == FAR_OK);
  return mdp;
}

/* A model with ends, three actions and rewards of either sign. */
static far_mdp *episodic_world(void) {
  far_mdp_builder *b;
  far_mdp *mdp = NULL;
  far_mdp_builder_create(&b, 4, 3, NULL);
  for (uint32_t s = 0; s < 3; ++s)
    for (uint32_t a = 0; a < 3; ++a) {
      far_mdp_builder_outcome(b, s, a, 0.6, (s + a) % 3, a == 1 ? -1 : 0.25, NULL);
      far_mdp_builder_outcome(b, s, a, 0.4, s == 2 ? 3 : s + 1, 0.5 * a, NULL);
    }
  far_mdp_builder_terminal(b, 3, NULL);
  far_mdp_builder_start(b, 0, 0.5, NULL);
  far_mdp_builder_start(b, 1, 0.5, NULL);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  return mdp;
}

/* Two algorithms that must coincide, whatever their names. */
static void test_equivalent(const char *x, const char *y) {
  far_mdp *mdp = random_world(3, 6, 3, 2);
  const far_cell cells[] = {{.mdp = mdp, .agent = x, .steps = 3000},
                            {.mdp = mdp, .agent = y, .steps = 3000}};
  far_batch_def def = far_batch_def_default();
  def.cells = cells;
  def.n_cells = 2;
  def.runs = 10;
  far_batch *batch;
  CHECK(far_batch_run(&batch, &def, NULL) == FAR_OK);
  CHECK_TEXT(far_batch_result(batch, 0)->hash, far_batch_result(batch, 1)->hash);
  CHECK(far_batch_result(batch, 0)->std > 0);
  far_batch_free(batch);
  far_mdp_free(mdp);
}

/* Replicates are keyed, not counted: the second half of a batch is a batch of its own. */
static void test_first_replicate(void) {
  far_mdp *mdp = chain("chain:n=6");
  const far_cell cell = {.mdp = mdp, .agent = "q-learning", .steps = 500};
  far_batch_def def = far_batch_def_default();
  def.cells = &cell;
  def.n_cells = 1;
  def.runs = 8;
  far_batch *all, *half;
  CHECK(far_batch_run(&all, &def, NULL) == FAR_OK);
  def.runs = 4;
  def.first_replicate = 4;
  CHECK(far_batch_run(&half, &def, NULL) == FAR_OK);
  for (int i = 0; i < 4; ++i)
    CHECK(far_batch_result(all, 0)->totals[4 + i] == far_batch_result(half, 0)->totals[i]);
  far_batch_free(all);
  far_batch_free(half);
  far_mdp_free(mdp);
}

/* Quantiles from tables computed with scipy.stats.t.ppf(0.975, df). */
static void test_student(void) {
  static const struct {
    int64_t degrees;
    double quantile;
  } expected[] = {{1, 12.706204736432095},  {2, 4.302652729749464},    {3, 3.182446305284263},
                  {4, 2.7764451051977987},  {5, 2.5705818366147395},   {9, 2.2621571627409915},
                  {10, 2.2281388519649385}, {29, 2.045229642132703},   {30, 2.0422724563012373},
                  {99, 1.9842169515086827}, {299, 1.9679296690654285}, {1000, 1.9623390808264078}};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; ++i)
    CHECK_NEAR(far__student_975(expected[i].degrees), expected[i].quantile, 2e-9);
  CHECK(far__student_975(0) != far__student_975(0));
  CHECK_NEAR(far__student_975(201), 2 * far__student_975(200) - far__student_975(199),
             1e-6); /* where the methods meet */
}

static void test_statistics(void) {
  far_mdp *mdp = chain("chain:n=3");
  far_batch *batch = run(mdp, 2, false, 5);
  const far_result *r = far_batch_result(batch, 0);
  double mean = 0, squares = 0;
  for (int i = 0; i < 5; ++i) mean += r->totals[i] / 5;
  for (int i = 0; i < 5; ++i) squares += (r->totals[i] - mean) * (r->totals[i] - mean);
  CHECK_NEAR(r->mean, mean, 1e-9);
  CHECK_NEAR(r->std, sqrt(squares / 4), 1e-9);
  CHECK_NEAR(r->ci95, 2.7764451051977987 * sqrt(squares / 4) / sqrt(5), 1e-7);
  CHECK(r->min <= r->mean && r->mean <= r->max);
  far_batch_free(batch);
  batch = run(mdp, 1, false, 1);
  r = far_batch_result(batch, 0);
  CHECK(r->std != r->std && r->ci95 != r->ci95 && r->min == r->max);
  far_batch_free(batch);
  far_mdp_free(mdp);
}

static bool stop_at_once(void *user, const far_progress *p) {
  *(int *)user += 1;
  return p->runs_done > p->runs; /* never */
}

static void test_cancel(void) {
  far_mdp *mdp = chain("chain:n=10");
  const far_cell cell = {.mdp = mdp, .agent = "delayed-q", .steps = 100000000};
  far_batch_def def = far_batch_def_default();
  int calls = 0;
  def.cells = &cell;
  def.n_cells = 1;
  def.runs = 1000;
  def.threads = 2;
  def.progress = stop_at_once;
  def.user = &calls;
  far_batch *batch;
  far_error error;
  CHECK(far_batch_run(&batch, &def, &error) == FAR_STATUS_CANCELLED);
  CHECK(batch != NULL && calls >= 1);
  CHECK(far_batch_result(batch, 0)->runs < 1000);
  far_batch_free(batch);
  far_mdp_free(mdp);
}

/* The estimate needs a finished run of every cell that is begun, and is never negative. */
static bool watch_left(void *user, const far_progress *p) {
  bool *good = user;
  const bool told = p->seconds_left == p->seconds_left;
  *good = *good && (told ? p->runs_done > 0 && p->seconds_left >= 0 : p->runs_done < p->runs);
  return true;
}

static void test_time_left(void) {
  far_mdp *mdp = chain("chain:n=10");
  const far_cell cells[] = {{.mdp = mdp, .agent = "psrl", .steps = 20000},
                            {.mdp = mdp, .agent = "q-learning", .steps = 20000}};
  far_batch_def def = far_batch_def_default();
  bool good = true;
  def.cells = cells;
  def.n_cells = 2;
  def.runs = 20;
  def.threads = 1;
  def.progress = watch_left;
  def.user = &good;
  far_batch *batch;
  CHECK(far_batch_run(&batch, &def, NULL) == FAR_OK);
  CHECK(good);
  far_batch_free(batch);
  far_mdp_free(mdp);
}

static void test_refusals(void) {
  far_mdp *mdp = chain("chain:n=3"), *empty = chain("chain:n=3,left=0,right=0");
  far_cell cell = {.mdp = mdp, .agent = "delayed-q", .steps = 0};
  far_batch_def def = far_batch_def_default();
  far_batch *batch;
  far_error error;
  CHECK(far_batch_run(&batch, &def, &error) == FAR_STATUS_RANGE && batch == NULL);
  def.cells = &cell;
  def.n_cells = 1;
  CHECK(far_batch_run(&batch, &def, &error) == FAR_STATUS_RANGE);
  cell.steps = 10;
  def.runs = 0;
  CHECK(far_batch_run(&batch, &def, &error) == FAR_STATUS_RANGE);
  def.runs = INT64_MAX;
  CHECK(far_batch_run(&batch, &def, &error) == FAR_STATUS_MEMORY);
  def.runs = 3;
  cell.agent = "delayed-q:m=0";
  CHECK(far_batch_run(&batch, &def, &error) == FAR_STATUS_RANGE && error.position == 12);
  cell = (far_cell){.mdp = empty, .agent = "delayed-q", .steps = 10};
  CHECK(far_batch_run(&batch, &def, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "reward range [0, 0]");
  far_mdp_free(mdp);
  far_mdp_free(empty);
}

int main(void) {
  test_same_bits(chain("chain:n=10"));
  test_same_bits(random_world(4, 7, 4, 12)); /* more than two actions, alias tables */
  test_same_bits(episodic_world());
  test_equivalent("directed-delayed-q:gamma=0.9,lambda=0,m=7,eps1=0.05,rho=0.4",
                  "delayed-q-ie:gamma=0.9,m=7,eps1=0.05,rho=0.4");
  test_equivalent(
      "directed-delayed-q:gamma=0.9,lambda=0,m=7,eps1=0.05,rho=0.4,learn=printed,clamp=off",
      "delayed-q-ie:gamma=0.9,m=7,eps1=0.05,rho=0.4,learn=printed");
  test_equivalent("directed-delayed-q:gamma=0.9,lambda=0,m=7,eps1=0.05,delay=full,rho=5",
                  "delayed-q:gamma=0.9,m=7,eps1=0.05");
  test_first_replicate();
  test_student();
  test_statistics();
  test_cancel();
  test_time_left();
  test_refusals();
  return check_report();
}
