/* Cells that differ only in what counts in the problem share their runs. */
#include "model/criterion.h"
#include "stores.h"

static const char *const agents[] = {"random", "q-learning:gamma=0.8", "q-learning"};

/* Computed and borrowed or known runs of a study of the three agents, under a discount, with a metric (or NULL). */
typedef struct outcome {
  int64_t known[3];
  char hash[3][FAR_HASH_TEXT];
} outcome;

static outcome run(far_store *store, const char *env, const char *metric, int64_t runs) {
  far_study_def def = far_study_def_default();
  far_study *study = NULL;
  far_batch *batch = NULL;
  far_error error = {.message = ""};
  outcome out = {0};
  def.envs = &env;
  def.n_envs = 1;
  def.agents = agents;
  def.n_agents = 3;
  def.metrics = &metric;
  def.n_metrics = metric != NULL;
  def.steps = 300;
  def.runs = runs;
  def.curve = "10,20";
  CHECK(far_study_create(&study, &def, &error) == FAR_OK);
  CHECK_TEXT(error.message, "");
  CHECK(far_store_run(&batch, store, far_study_batch(study), &error) == FAR_OK);
  CHECK_TEXT(error.message, "");
  for (size_t i = 0; i < 3; ++i) {
    out.known[i] = far_batch_result(batch, i)->known;
    snprintf(out.hash[i], FAR_HASH_TEXT, "%s", far_batch_result(batch, i)->hash);
  }
  far_batch_free(batch);
  far_study_free(study);
  return out;
}

static void check_known(const outcome *x, int64_t first, int64_t second, int64_t third) {
  CHECK(x->known[0] == first);
  CHECK(x->known[1] == second);
  CHECK(x->known[2] == third);
}

static size_t count_records(far_store *s) {
  far_record record;
  bool found = true;
  size_t n = 0;
  while (true) {
    CHECK(far_store_record(&record, &found, s, n, NULL) == FAR_OK);
    if (!found) return n;
    ++n;
  }
}

static void check_whole(far_store *s) {
  far_store_report report;
  CHECK(far_store_check(&report, s, NULL, NULL, NULL) == FAR_OK);
  CHECK(report.faults == 0);
}

/* What plans with another discount is another agent; the others' runs are there under any discount. */
static void test_shared(void) {
  far_store *s = open_store("shared.db", FAR_STORE_WRITE);
  outcome first = run(s, "chain:n=4", NULL, 5);
  check_known(&first, 0, 0, 0);
  outcome other = run(s, "chain:n=4,gamma=0.9", NULL, 5);
  check_known(&other, 5, 5, 0);
  CHECK_TEXT(other.hash[0], first.hash[0]);
  CHECK_TEXT(other.hash[1], first.hash[1]);
  CHECK(strcmp(other.hash[2], first.hash[2]) != 0);
  CHECK(count_records(s) == 6); /* each problem has all of its agents */
  outcome third = run(s, "chain:n=4,average=on", NULL, 7);
  check_known(&third, 5, 5,
              5); /* where the average reward counts, discounted agents plan with 0.95 */
  outcome again = run(s, "chain:n=4,gamma=0.9", NULL, 7);
  check_known(&again, 7, 7, 5);
  check_whole(s);
  far_store_close(s);
}

/* A number that depends on the discount is computed, and the run's total must be the same. */
static void test_metrics(void) {
  far_store *s = open_store("metrics.db", FAR_STORE_WRITE);
  run(s, "chain:n=4", "mistakes", 4);
  outcome x = run(s, "chain:n=4,gamma=0.9", "mistakes", 4);
  check_known(&x, 0, 0, 0);
  run(s, "loop", "coverage", 4);
  x = run(s, "loop:gamma=0.9", "coverage", 4);
  check_known(&x, 4, 4, 0);
  run(s, "riverswim:n=4", "mistakes:gamma=0.8", 4);
  x = run(s, "riverswim:n=4,gamma=0.9", "mistakes:gamma=0.8", 4);
  check_known(&x, 4, 4, 0);
  run(s, "threearms", "regret:against=gain", 4);
  x = run(s, "threearms:gamma=0.9", "regret:against=gain", 4);
  check_known(&x, 4, 4, 0);
  check_whole(s);
  far_store_close(s);
}

/* A horizon is part of the world: it cuts the run. */
static void test_horizon(void) {
  far_store *s = open_store("horizon.db", FAR_STORE_WRITE);
  run(s, "chain:n=4", NULL, 3);
  outcome x = run(s, "chain:n=4,horizon=5", NULL, 3);
  check_known(&x, 0, 0, 0);
  far_store_close(s);
}

/* Of a file the content decides, and in a merged store the same cells find each other. */
static void test_files(void) {
  char env[700], other[720];
  far_mdp *mdp;
  CHECK(far_mdp_create(&mdp, "chain:n=3", NULL) == FAR_OK);
  CHECK(far_mdp_save(mdp, store_path("m.json"), FAR_FORMAT_AUTO, 0.95, NULL) == FAR_OK);
  far_mdp_free(mdp);
  snprintf(env, sizeof env, "file:%s", store_path("m.json"));
  snprintf(other, sizeof other, "%s,gamma=0.5", env);
  far_store *s = open_store("files.db", FAR_STORE_WRITE);
  run(s, other, NULL, 3);
  far_store_close(s);
  s = open_store("merged.db", FAR_STORE_WRITE);
  const char *const from[] = {store_path("files.db")};
  int64_t added;
  CHECK(far_store_merge(&added, s, from, 1, NULL) == FAR_OK);
  outcome x = run(s, env, NULL, 3);
  check_known(&x, 3, 3, 0);
  check_whole(s);
  far_store_close(s);
}

static void test_worlds(void) {
  static const char *const all[][2] = {
      {"chain:n=4,gamma=0.9", "chain:n=4"},
      {"chain:average=on", "chain"},
      {"chain:n=4,horizon=5", "chain:n=4,horizon=5"},
      {"file:a.mdp,gamma=0.9", "file:a.mdp"},
      {"file:a.mdp,average=on", "file:a.mdp"},
      {"file:a.mdp,horizon=5", "file:a.mdp,horizon=5"},
      {"mine", "mine"},
  };
  char out[FAR_SPEC_SIZE], hash[2][FAR_HASH_TEXT];
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
    CHECK(far__mdp_spec_of_world(out, all[i][0], NULL) == FAR_OK);
    CHECK_TEXT(out, all[i][1]);
  }
  for (int i = 0; i < 2; ++i) {
    far_mdp *mdp;
    CHECK(far_mdp_create(&mdp, i == 0 ? "chain:gamma=0.9" : "chain:average=on", NULL) == FAR_OK);
    far__mdp_hash_world(hash[i], mdp);
    far_mdp_free(mdp);
  }
  CHECK_TEXT(hash[0], hash[1]);
}

int main(void) {
  test_worlds();
  if (!stores_begin()) return stores_end();
  test_shared();
  test_metrics();
  test_horizon();
  test_files();
  return stores_end();
}
