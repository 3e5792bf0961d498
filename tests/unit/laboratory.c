/* The laboratory's files and watchers: public functions that no other test calls by name. */
#include "lab/store/access.h"
#include "lab/study/parts.h"
#include "stores.h"

static const char a_study[] = "name: small\nsteps: 30\nruns: 3\n"
                              "environments: [{chain: {n: [3, 4]}}]\nagents: [r-max]\n";
static const char a_search[] = "name: search\nsteps: 40\nruns: 2\nseed: 7\n"
                               "environments: [{chain: {n: [3, 4]}}]\n"
                               "agents: [{delayed-q: {m: 1..9}}, psrl]\n"
                               "tune: {method: random, budget: 1000, evaluate: 5, profile: 0}\n";

static void write_file(const char *name, const char *text) {
  FILE *f = fopen(store_path(name), "w");
  CHECK(f != NULL && fputs(text, f) >= 0 && fclose(f) == 0);
}

/* From a file as from memory; the error names the file. */
static void test_study(void) {
  far_study *study = NULL;
  far_error error = {0};
  write_file("study.yaml", a_study);
  const far_status status = far_study_load(&study, store_path("study.yaml"), NULL, 0, &error);
  if (status == FAR_STATUS_ABSENT) return;
  CHECK(status == FAR_OK && far_study_info_of(study).n_envs == 2);
  CHECK(far_study_batch(study)->n_cells == 2);
  far_study_free(study);
  write_file("wrong.yaml", "name: small\nstops: 30\n");
  CHECK(far_study_load(&study, store_path("wrong.yaml"), NULL, 0, &error) != FAR_OK);
  CHECK_CONTAINS(error.message, "wrong.yaml:2: ");
  CHECK(study == NULL);
  CHECK(far_study_load(&study, store_path("none.yaml"), NULL, 0, &error) == FAR_STATUS_IO);
}

static void check_plan(const far_tune_plan *plan) {
  CHECK_TEXT(plan->name, "search");
  CHECK(plan->n_envs == 2 && plan->n_agents == 2 && plan->envs[2] == NULL && plan->fit == NULL);
  CHECK_TEXT(plan->envs[1], "chain:n=4");
  CHECK_TEXT(plan->def.method, "random");
  CHECK(plan->def.budget == 1000 && plan->def.steps == 40 && plan->def.runs == 2);
  CHECK(plan->def.seed == 7 && plan->def.evaluation == 5 && plan->def.profile == 0);
}

static void test_plan(void) {
  far_tune_plan *plan = NULL;
  far_error error = {0};
  const far_status status = far_tune_read(&plan, a_search, strlen(a_search), "search.yaml", &error);
  if (status == FAR_STATUS_ABSENT) return;
  CHECK(status == FAR_OK);
  if (plan == NULL) printf("  %s\n", error.message);
  if (plan == NULL) return;
  check_plan(plan);
  far_tune_plan_free(plan);
  far_tune_plan_free(NULL);
  write_file("search.yaml", a_search);
  CHECK(far_tune_load(&plan, store_path("search.yaml"), NULL) == FAR_OK);
  check_plan(plan);
  far_tune_plan_free(plan);
  CHECK(far_tune_read(&plan, "tune: 3\n", 8, "here.yaml", &error) != FAR_OK && plan == NULL);
  CHECK_CONTAINS(error.message, "here.yaml:");
  static const char wrong[] = "environments: [chain]\ntune:\n  metod: random\n";
  CHECK(far_tune_read(&plan, wrong, strlen(wrong), "a.yaml", &error) == FAR_STATUS_UNKNOWN);
  CHECK_CONTAINS(error.message, "a.yaml:3: unknown key 'metod'; did you mean 'method'?");
  CHECK(far_tune_load(&plan, store_path("none.yaml"), &error) == FAR_STATUS_IO);
}

static void test_methods(void) {
  bool found = false;
  size_t n = 0;
  for (; far__tune_method(n) != NULL; ++n)
    found = found || strcmp(far__tune_method(n)->name, far_tune_def_default().method) == 0;
  CHECK(found && n >= 2);
}

static void test_names(void) {
  CHECK_TEXT(far_correction_name(FAR_CORRECTION_HOLM), "holm");
  CHECK_TEXT(far_correction_name(FAR_CORRECTION_FDR), "fdr");
  CHECK_TEXT(far_correction_name(FAR_CORRECTION_BONFERRONI), "bonferroni");
  CHECK(far_correction_name((far_correction)3) == NULL);
}

static void test_checkpoints(void) {
  int64_t *at = NULL;
  size_t n = 0;
  CHECK(far__curve_checkpoints(&at, &n, "10,100", 1000, NULL) == FAR_OK);
  CHECK(n == 3 && at[0] == 10 && at[1] == 100 && at[2] == 1000);
  far_free(at);
  CHECK(far__curve_checkpoints(&at, &n, "4", 100, NULL) == FAR_OK);
  CHECK(n == 4 && at[0] == 25 && at[3] == 100);
  far_free(at);
  CHECK(far__curve_checkpoints(&at, &n, "many", 100, NULL) != FAR_OK);
}

/* The model of a spec, and of a file that may have become another. */
static void test_record_model(void) {
  static const char text[] = "{\"0\": {\"0\": [[1, 0, 1, false]]}}";
  far_mdp *mdp = NULL;
  far_error error = {0};
  char spec[700], hash[FAR_HASH_TEXT];
  CHECK(far_record_model(&mdp, "chain:n=3", "", NULL) == FAR_OK);
  CHECK(far_mdp_shape(mdp).n_states == 3);
  far_mdp_free(mdp);
  write_file("one.json", text);
  snprintf(spec, sizeof spec, "file:%s", store_path("one.json"));
  CHECK(far_mdp_create(&mdp, spec, NULL) == FAR_OK);
  far_mdp_hash(hash, mdp);
  far_mdp_free(mdp);
  CHECK(far_record_model(&mdp, spec, hash, NULL) == FAR_OK);
  far_mdp_free(mdp);
  write_file("one.json", "{\"0\": {\"0\": [[1, 0, 0.5, false]]}}");
  CHECK(far_record_model(&mdp, spec, hash, &error) == FAR_STATUS_MISMATCH && mdp == NULL);
  CHECK(unlink(store_path("one.json")) == 0);
  CHECK(far_record_model(&mdp, spec, hash, &error) == FAR_STATUS_IO && mdp == NULL);
}

/* ---- watchers ---- */

static bool count_and_go(void *user, double waited) {
  (void)waited;
  *(int *)user += 1;
  return true;
}

static bool stop(void *user, double waited) {
  (void)waited;
  *(int *)user += 1;
  return false;
}

static void test_watch(void) {
  far_mdp *mdp;
  far_store *store = NULL;
  far_batch *batch;
  far_store_report report;
  far_batch_def def = far_batch_def_default();
  int asked = 0, stopped = 0;
  CHECK(far__store_open_watched(&store, store_path("watched.db"), FAR_STORE_WRITE, count_and_go,
                                &asked, NULL) == FAR_OK);
  CHECK(far_mdp_create(&mdp, "chain:n=3", NULL) == FAR_OK);
  const far_cell cell = {.mdp = mdp, .agent = "r-max", .steps = 20};
  def.cells = &cell;
  def.n_cells = 1;
  def.runs = 5;
  CHECK(far_store_run(&batch, store, &def, NULL) == FAR_OK);
  far_batch_free(batch);
  CHECK(far_store_check(&report, store, NULL, NULL, NULL) == FAR_OK && asked > 0);
  far__store_watch(store, stop, &stopped);
  CHECK(far_store_check(&report, store, NULL, NULL, NULL) == FAR_STATUS_CANCELLED && stopped > 0);
  far__store_watch(store, NULL, NULL);
  CHECK(far_store_check(&report, store, NULL, NULL, NULL) == FAR_OK);
  far_store_close(store);
  far_mdp_free(mdp);
}

int main(void) {
  const bool stores = stores_begin();
  test_study();
  test_plan();
  test_methods();
  test_names();
  test_checkpoints();
  test_record_model();
  if (stores) test_watch();
  return stores_end();
}
