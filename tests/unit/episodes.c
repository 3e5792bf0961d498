/* Runs that end by episodes: the same steps as a run that ends by steps, checkpoints by episodes, the most steps, what
 * agents are told, stores, scales, and one run computed again. */
#include <farsight/farsight.h>

#include "lab/store/access.h"
#include "questions/learning/learning.h"
#include "report/build.h"
#include "stores.h"
#include "worlds.h"

enum { K = 12, RUNS = 7 };

static const char *const agents[] = {"q-learning", "delayed-q-ie:m=3", "psrl", "random"};
enum { N_AGENTS = sizeof agents / sizeof *agents };

static far_mdp *model(const char *spec) {
  far_mdp *mdp = NULL;
  CHECK(far_mdp_create(&mdp, spec, NULL) == FAR_OK);
  return mdp;
}

static far_batch *run_cell(const far_cell *cell, const far_metric *const *metrics, size_t n_metrics,
                           unsigned threads) {
  far_batch_def def = far_batch_def_default();
  far_batch *batch = NULL;
  def.cells = cell;
  def.n_cells = 1;
  def.runs = RUNS;
  def.seed = 3;
  def.threads = threads;
  def.metrics = metrics;
  def.n_metrics = n_metrics;
  CHECK(far_batch_run(&batch, &def, NULL) == FAR_OK);
  return batch;
}

/* Step by step through the public calls: the total after each episode. The agent is told nothing of the length. */
static void follow(double totals[K], const far_mdp *mdp, const char *spec, uint64_t replicate,
                   int64_t *steps) {
  far_agent *agent;
  far_rng transition, start;
  const far_shape shape = far_mdp_shape(mdp);
  CHECK(far_agent_create(&agent, spec, &shape, 3, replicate, NULL) == FAR_OK);
  far_rng_init(&transition, 3, replicate, FAR_PURPOSE_TRANSITION);
  far_rng_init(&start, 3, replicate, FAR_PURPOSE_START);
  uint32_t s = far_mdp_start(mdp, &start);
  double total = 0;
  for (int k = 0, h = 0; k < K; ++*steps) {
    const uint32_t a = far_agent_act(agent, s);
    const far_outcome *o = far_mdp_step(mdp, s, a, &transition);
    const bool last = ++h == far_mdp_horizon(mdp);
    const far_transition step = {s, a, o->reward, o->next, o->done, last && !o->done};
    CHECK(far_agent_observe(agent, &step, NULL) == FAR_OK);
    total += o->reward;
    s = o->next;
    if (!o->done && !last) continue;
    totals[k++] = total;
    s = far_mdp_start(mdp, &start);
    h = 0;
  }
  far_agent_free(agent);
}

/* Against the steps taken by hand, for one thread and three; metrics and no metrics take different loops. */
static void test_by_hand(const char *env, const char *agent) {
  const int64_t points[] = {1, 5, K};
  far_mdp *mdp = model(env);
  far_metric *episodes, *length;
  CHECK(far_metric_create(&episodes, "episodes", NULL) == FAR_OK);
  CHECK(far_metric_create(&length, "length", NULL) == FAR_OK);
  const far_metric *const metrics[] = {episodes, length};
  const far_cell cell = {.mdp = mdp,
                         .agent = agent,
                         .steps = 100000,
                         .episodes = K,
                         .checkpoints = points,
                         .n_checkpoints = 3};
  far_batch *plain = run_cell(&cell, NULL, 0, 1), *seen = run_cell(&cell, metrics, 2, 3);
  CHECK_TEXT(far_batch_result(plain, 0)->hash, far_batch_result(seen, 0)->hash);
  for (int64_t i = 0; i < RUNS; ++i) {
    double totals[K];
    int64_t steps = 0;
    follow(totals, mdp, agent, (uint64_t)i, &steps);
    CHECK(far_batch_result(plain, 0)->totals[i] == totals[K - 1]);
    for (size_t k = 0; k < 3; ++k) {
      CHECK(far_batch_point(plain, 0, k)->step == points[k]);
      CHECK(far_batch_point(plain, 0, k)->totals[i] == totals[points[k] - 1]);
    }
    CHECK(far_batch_metric(seen, 0, 0)->totals[i] == K);
    CHECK(far_batch_metric(seen, 0, 1)->totals[i] == (double)steps / K);
  }
  far_batch_free(plain);
  far_batch_free(seen);
  far_metric_free(episodes);
  far_metric_free(length);
  far_mdp_free(mdp);
}

/* Fewer steps than the episodes want: the run ends with them, and what is left has the numbers of its end. */
static void test_most_steps(void) {
  const int64_t points[] = {2, 4, K}, same[] = {20, 23};
  far_mdp *mdp = model("chain:n=5,horizon=10");
  far_cell cell = {.mdp = mdp,
                   .agent = "q-learning",
                   .steps = 23,
                   .episodes = K,
                   .checkpoints = points,
                   .n_checkpoints = 3};
  far_batch *x = run_cell(&cell, NULL, 0, 2);
  cell.episodes = 0;
  cell.checkpoints = same;
  cell.n_checkpoints = 2;
  far_batch *y = run_cell(&cell, NULL, 0, 1);
  CHECK_TEXT(far_batch_result(x, 0)->hash, far_batch_result(y, 0)->hash);
  for (int64_t i = 0; i < RUNS; ++i) {
    CHECK(far_batch_point(x, 0, 0)->totals[i] == far_batch_point(y, 0, 0)->totals[i]);
    CHECK(far_batch_point(x, 0, 1)->totals[i] == far_batch_result(y, 0)->totals[i]);
    CHECK(far_batch_point(x, 0, 2)->totals[i] == far_batch_result(y, 0)->totals[i]);
  }
  far_batch_free(x);
  far_batch_free(y);
  far_mdp_free(mdp);
}

/* ---- studies ---- */

static far_status plan(far_study **out, const char *env, int64_t episodes, int64_t steps,
                       far_error *error) {
  static const char *const two[] = {"q-learning", "ucbvi:preset=theory"};
  far_study_def def = far_study_def_default();
  def.envs = &env;
  def.n_envs = 1;
  def.agents = two;
  def.n_agents = strstr(env, "horizon") != NULL ? 2 : 1;
  def.episodes = episodes;
  def.steps = steps;
  def.runs = 3;
  def.curve = "2";
  *out = NULL;
  return far_study_create(out, &def, error);
}

static void check_refused(const char *env, int64_t episodes, int64_t steps, far_status expected,
                          const char *says) {
  far_study *study;
  far_error error;
  CHECK(plan(&study, env, episodes, steps, &error) == expected);
  CHECK_CONTAINS(error.message, says);
}

static void test_studies(void) {
  far_study *study;
  CHECK(plan(&study, "frozen-lake:horizon=20", 50, 0, NULL) == FAR_OK);
  const far_batch_def *def = far_study_batch(study);
  CHECK(def->cells[0].steps == 1000 && def->cells[0].episodes == 50);
  CHECK(def->cells[0].n_checkpoints == 2 && def->cells[0].checkpoints[0] == 25);
  far_study_free(study);
  CHECK(plan(&study, "frozen-lake:horizon=20", 50, 300, NULL) == FAR_OK);
  CHECK(far_study_batch(study)->cells[0].steps == 300);
  far_study_free(study);
  CHECK(plan(&study, "frozen-lake", 50, 4000, NULL) == FAR_OK);
  CHECK(far_study_info_of(study).episodes == 50 && far_study_info_of(study).steps == 4000);
  far_study_free(study);
  check_refused("riverswim", 50, 0, FAR_STATUS_CONFLICT, "(riverswim:horizon=20)");
  check_refused("riverswim:n=4", 50, 0, FAR_STATUS_CONFLICT, "(riverswim:n=4,horizon=20)");
  check_refused("frozen-lake", 50, 0, FAR_STATUS_CONFLICT, "the most steps of a run");
  check_refused("chain:horizon=1000", INT64_MAX / 1000, 0, FAR_STATUS_RANGE, "too many steps");
  check_refused("chain:horizon=5", -1, 0, FAR_STATUS_RANGE, "episodes");
}

/* ---- what agents are told ---- */

static void check_told(const char *env, int64_t steps, int64_t episodes, const char *spec,
                       const char *same) {
  char x[FAR_SPEC_SIZE], y[FAR_SPEC_SIZE];
  far_mdp *mdp = model(env);
  const far_shape told = far_shape_for(far_mdp_shape(mdp), steps, episodes),
                  silent = far_mdp_shape(mdp);
  CHECK(far_agent_resolve(x, spec, &told, NULL) == FAR_OK);
  CHECK(far_agent_resolve(y, same, &silent, NULL) == FAR_OK);
  CHECK_TEXT(x, y);
  far_mdp_free(mdp);
}

static void test_told(void) {
  const char *theory = "ucbvi:preset=theory";
  check_told("chain:horizon=10", 700, 60, theory, "ucbvi:preset=theory,episodes=60");
  check_told("chain:horizon=10", 701, 0, theory, "ucbvi:preset=theory,episodes=71");
  check_told("chain:horizon=10", 700, 0, theory, "ucbvi:preset=theory,episodes=70");
  check_told("chain:horizon=10", 700, 1, theory, "ucbvi:preset=theory,episodes=1");
  check_told("chain:horizon=10", 0, 0, theory, "ucbvi:preset=theory,episodes=10000");
  /* episodes that can end early: as many as there are steps */
  check_told("frozen-lake:horizon=10", 700, 0, theory, "ucbvi:preset=theory,episodes=700");
  check_told("frozen-lake:horizon=10", 700, 60, "mvp:preset=theory,episodes=9",
             "mvp:preset=theory,episodes=9");
  check_told("chain:horizon=10", 700, 60, "ucbvi", "ucbvi");
}

/* ---- stores ---- */

static void test_stores(void) {
  far_study *study;
  far_keeper *k;
  CHECK(plan(&study, "frozen-lake:horizon=20", 50, 0, NULL) == FAR_OK);
  far_store *s = open_store("e.db", FAR_STORE_WRITE);
  CHECK(far_keeper_create(&k, s, far_study_batch(study), NULL) == FAR_OK);
  far_batch *batch = NULL;
  far_batch_def def = *far_study_batch(study);
  def.keep = far_keeper_keep;
  def.keep_user = k;
  CHECK(far_batch_run(&batch, &def, NULL) == FAR_OK);
  const far_record r = far__keeper_record(k, 0);
  CHECK(r.episodes == 50 && r.steps == 1000);
  char key[FAR_HASH_TEXT];
  memcpy(key, r.key, sizeof key);
  /* computed again, to the same total, or it would be refused; the run is over before its most steps */
  far__learning_def how = far__learning_def_default();
  far__learning *learning;
  how.replicate = 2;
  CHECK(far__learning_from_store(&learning, s, key, &how, NULL) == FAR_OK);
  CHECK(learning->total == far_batch_result(batch, 0)->totals[2]);
  CHECK(learning->steps < 1000 && learning->n_frames > 0);
  CHECK(learning->frames[learning->n_frames - 1].step == learning->steps);
  far__learning_free(learning);
  far_keeper_free(k);
  far_batch_free(batch);
  far_store_close(s);
  far_study_free(study);
}

/* The best return of an episode is a sum by hand: 1 for each of the 3 last of 5 steps, from the left end of three states
 * to the right one without slips; the random policy's is less. */
static void test_scales(void) {
  far_mdp *mdp = model("chain:n=3,slip=0,left=0,horizon=5");
  double best = 0, random = 0;
  CHECK(far_solve_best_return(&best, mdp, NULL) == FAR_OK);
  CHECK(far_solve_random_return(&random, mdp, NULL) == FAR_OK);
  CHECK_NEAR(best, 4, 1e-12);
  /* of the 32 paths of 5 fair moves between two walls: 1 a step that arrives at the right end */
  double at[3] = {1, 0, 0}, sum = 0;
  for (int t = 0; t < 5; ++t) {
    const double next[3] = {(at[0] + at[1]) / 2, (at[0] + at[2]) / 2, (at[1] + at[2]) / 2};
    for (int s = 0; s < 3; ++s) at[s] = next[s];
    sum += at[2];
  }
  CHECK_NEAR(random, sum, 1e-12);
  far_mdp_free(mdp);
  mdp = model("chain:n=3");
  CHECK(far_solve_best_return(&best, mdp, NULL) == FAR_OK && best != best);
  CHECK(far_solve_random_return(&random, mdp, NULL) == FAR_OK && random != random);
  far_mdp_free(mdp);
}

static void test_words(void) {
  far__brief text;
  text = far__brief_length(10000, 0);
  CHECK_TEXT(text.text, "10,000 steps");
  text = far__brief_length(10000, 1);
  CHECK_TEXT(text.text, "1 episode");
  text = far__brief_length(0, 0);
  CHECK_TEXT(text.text, "");
}

int main(void) {
  for (size_t i = 0; i < N_AGENTS; ++i) {
    test_by_hand("chain:n=4,horizon=6", agents[i]);
    test_by_hand("frozen-lake", agents[i]);
    test_by_hand("frozen-lake:horizon=9", agents[i]);
  }
  test_most_steps();
  test_studies();
  test_told();
  test_scales();
  test_words();
  if (stores_begin()) test_stores();
  return stores_end();
}
