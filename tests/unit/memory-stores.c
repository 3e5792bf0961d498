/* The store, and what is computed and drawn from it, while memory runs out: failing-memory.h says what is tested. */
#include "failing-memory.h"
#include "lab/store/access.h"
#include "questions/changes/changes.h"
#include "questions/comparison/pairwise.h"
#include "questions/comparison/profiles.h"
#include "questions/curves/curves.h"
#include "questions/growth/growth-curves.h"
#include "questions/hardness/hardness.h"
#include "questions/learning/learning.h"
#include "questions/page/page.h"
#include "questions/sensitivity/sensitivity.h"
#include "questions/store/store-progress.h"
#include "questions/store/store-report.h"

static bool take_bytes(void *user, const char *bytes, size_t length) {
  *(double *)user += digest(bytes, length);
  return true;
}

static void take_fault(void *user, const char *sentence) {
  (void)user;
  CHECK_TEXT(sentence, "");
}

static far_status look_into(double *out, far_store *store, far_error *error) {
  far_store_report report;
  far_record record;
  bool found;
  double *values;
  int64_t *replicates, n;
  far_status status = far_store_check(&report, store, take_fault, NULL, error);
  if (status == FAR_OK) *out += digest(report.hash, strlen(report.hash));
  if (status == FAR_OK)
    status = far_store_export(store, FAR_EXPORT_CSV, NULL, 0, take_bytes, out, error);
  if (status == FAR_OK) status = far_store_export_snapshots(store, take_bytes, out, error);
  if (status == FAR_OK) status = far_store_record(&record, &found, store, 0, error);
  if (status != FAR_OK) return status;
  CHECK(found);
  char key[FAR_HASH_TEXT];
  snprintf(key, sizeof key, "%s", record.key);
  const char *name;
  bool exact;
  status = far_store_series_nearest(&name, &exact, store, "curve@6", error);
  if (status != FAR_OK) return status;
  *out += digest(name, strlen(name));
  status = far__store_values(&values, &replicates, &n, store, key, "curve@5", error);
  if (status == FAR_STATUS_UNKNOWN) return FAR_OK; /* the other cell has no curve */
  if (status != FAR_OK) return status;
  for (int64_t i = 0; i < n; ++i) *out += values[i];
  free(values);
  free(replicates);
  far_columns columns;
  status =
      far_store_columns(&columns, store, key, (const char *const[]){"curve@5", "total"}, 2, error);
  for (int64_t i = 0; i < 2 * columns.count; ++i) *out += columns.values[i];
  far_columns_free(&columns);
  return status;
}

static far_status keep(double *out, const char *what, far_error *error) {
  far_mdp *mdp;
  far_store *store = NULL, *other = NULL;
  int64_t added;
  remove_store("a.db");
  remove_store("b.db");
  far_status status = far_mdp_create(&mdp, what, error);
  if (status == FAR_OK) status = far_store_open(&store, store_path("a.db"), FAR_STORE_WRITE, error);
  if (status == FAR_OK) status = run_cells(out, mdp, NULL, 1, store, error);
  if (status == FAR_OK) status = look_into(out, store, error);
  if (status == FAR_OK) status = far_store_open(&other, store_path("b.db"), FAR_STORE_WRITE, error);
  const char *const from[] = {store_path("a.db")};
  if (status == FAR_OK) status = far_store_merge(&added, other, from, 1, error);
  if (status == FAR_OK) *out += (double)added;
  far_store_close(other);
  far_store_close(store);
  far_mdp_free(mdp);
  return status;
}

static far_status import(double *out, const char *what, far_error *error) {
  far_store *store = NULL;
  far_import_report report;
  remove_store("c.db");
  far_status status = far_store_open(&store, store_path("c.db"), FAR_STORE_WRITE, error);
  if (status == FAR_OK) status = far_store_import(&report, store, what, error);
  if (status == FAR_OK) *out = (double)report.added;
  if (status == FAR_OK) status = look_into(out, store, error);
  far_store_close(store);
  return status;
}

static far_status add_run(double *out, const char *what, far_error *error) {
  static const int64_t steps[] = {5, 10};
  static const double curve[] = {0.5, 1.5};
  far_store *store = NULL;
  far_mdp *mdp = NULL;
  bool added = false;
  remove_store("d.db");
  far_status status = far_mdp_create(&mdp, what, error);
  if (status == FAR_OK) status = far_store_open(&store, store_path("d.db"), FAR_STORE_WRITE, error);
  const far_imported_run run = {mdp, "mine", 10, 1, 3, 1.5, steps, curve, 2};
  if (status == FAR_OK) status = far_store_add(&added, store, &run, error);
  *out = added;
  if (status == FAR_OK) status = look_into(out, store, error);
  far_store_close(store);
  far_mdp_free(mdp);
  return status;
}

/* The store `what` compared, and its report. */
static far_status compare(double *out, const char *what, far_error *error) {
  const char *const agents[] = {"psrl", "d*", "mine"};
  far_store *store = NULL;
  far_comparison *comparison = NULL;
  far_report *report = NULL;
  far_comparison_def def = far_comparison_def_default();
  def.bootstrap.resamples = 100;
  def.agents = agents;
  def.n_agents = 3;
  def.baseline = "psrl";
  far_status status = far_store_open(&store, what, FAR_STORE_READ, error);
  if (status == FAR_OK) status = far_comparison_create(&comparison, store, &def, error);
  if (status == FAR_OK) status = far_report_create(&report, "stats", error);
  if (status == FAR_OK) far_comparison_report(comparison, report);
  if (status == FAR_OK) status = render(out, report, error);
  far_report_free(report);
  far_comparison_free(comparison);
  far_store_close(store);
  return status;
}

/* Learning curves of the store `what`, and their report. */
static far_status read_curves(double *out, const char *what, far_error *error) {
  const char *const agents[] = {"d*"}, *const names[] = {"mine & yours"};
  far_store *store = NULL;
  far__curves *curves = NULL;
  far_report *report = NULL;
  far__curves_def def = far__curves_def_default();
  def.per_step = true;
  def.choice.agents = agents;
  def.choice.agent_names = names;
  def.choice.n_agents = 1;
  far_status status = far_store_open(&store, what, FAR_STORE_READ, error);
  if (status == FAR_OK) status = far__curves_create(&curves, store, &def, error);
  if (status == FAR_OK) status = far_report_create(&report, "plot", error);
  if (status == FAR_OK) far__curves_report(curves, report);
  if (status == FAR_OK) status = render(out, report, error);
  far_report_free(report);
  far__curves_free(curves);
  far_store_close(store);
  return status;
}

/* Pairs of agents and profiles of the store `what`, and their report. */
static far_status compare_pairs(double *out, const char *what, far_error *error) {
  far_store *store = NULL;
  far_comparison *comparison = NULL;
  far__pairwise *pairs = NULL;
  far__profiles *profiles = NULL;
  far_report *report = NULL;
  far_comparison_def def = far_comparison_def_default();
  far__profiles_def how = far__profiles_def_default();
  def.quick = true;
  how.bootstrap.resamples = 100;
  how.n_scores = 5;
  far_status status = far_store_open(&store, what, FAR_STORE_READ, error);
  if (status == FAR_OK) status = far_comparison_create(&comparison, store, &def, error);
  if (status == FAR_OK) status = far__pairwise_create(&pairs, comparison, 0, error);
  if (status == FAR_OK) status = far__profiles_create(&profiles, comparison, 0, &how, error);
  if (status == FAR_OK) status = far_report_create(&report, "plot", error);
  if (status == FAR_OK) far__pairwise_report(pairs, report);
  if (status == FAR_OK) far__profiles_report(profiles, report);
  if (status == FAR_OK) status = render(out, report, error);
  far_report_free(report);
  far__profiles_free(profiles);
  far__pairwise_free(pairs);
  far_comparison_free(comparison);
  far_store_close(store);
  return status;
}

/* The page of the store `what`: failures while figures are made are not taken for figures that do not apply. */
static far_status write_page(double *out, const char *what, far_error *error) {
  static const char *const envs[] = {"chain:n=4"};
  far_store *store = NULL;
  far_report *report = NULL;
  far__page_def def = far__page_def_default();
  def.results.quick = true;
  def.results.envs = envs;
  def.results.n_envs = 1;
  def.most_series = 2;
  def.audit = true;
  def.audit_runs = 1;
  def.audit_steps = 3;
  def.threads = 1;
  far_status status = far_store_open(&store, what, FAR_STORE_READ, error);
  if (status == FAR_OK) status = far_report_create(&report, "report", error);
  if (status == FAR_OK) status = far__store_page(report, store, &def, error);
  if (status == FAR_OK) status = render(out, report, error);
  far_report_free(report);
  far_store_close(store);
  return status;
}

/* What changed since another store. */
static far_status write_changes(double *out, const char *what, far_error *error) {
  far_store *before = NULL, *after = NULL;
  far__changes *changes = NULL;
  far_report *report = NULL;
  const far__changes_def def = far__changes_def_default();
  far_status status = far_store_open(&before, store_path("grid.db"), FAR_STORE_READ, error);
  if (status == FAR_OK) status = far_store_open(&after, what, FAR_STORE_READ, error);
  if (status == FAR_OK) status = far__changes_create(&changes, before, after, &def, error);
  if (status == FAR_OK) status = far_report_create(&report, "report", error);
  if (status == FAR_OK) status = far__changes_page(report, changes, error);
  if (status == FAR_OK) status = render(out, report, error);
  far_report_free(report);
  far__changes_free(changes);
  far_store_close(before);
  far_store_close(after);
  return status;
}

/* How the results in the store `what` depend on parameters, sizes and hardness, and the reports. */
static far_status relate(double *out, const far_comparison *c, far_report *report,
                         far_error *error) {
  const far__sensitivity_def parameters = far__sensitivity_def_default();
  const far__growth_curves_def sizes = far__growth_curves_def_default();
  const far__hardness_def models = far__hardness_def_default();
  const far_plot_def how = far_plot_def_default();
  far_figure *figure = NULL;
  far__sensitivity *sensitivity;
  far__growth_curves *growth;
  far__hardness *hardness;
  far_status status = far__sensitivity_create(&sensitivity, c, &parameters, error);
  if (status != FAR_OK) return status;
  far__sensitivity_report(sensitivity, report);
  status = far__sensitivity_figure(&figure, sensitivity, &how, error);
  status = draw(out, status, figure, error);
  far__sensitivity_free(sensitivity);
  if (status != FAR_OK) return status;
  if ((status = far__growth_curves_create(&growth, c, &sizes, error)) != FAR_OK) return status;
  far__growth_curves_report(growth, report);
  status = far__growth_curves_figure(&figure, growth, &how, error);
  status = draw(out, status, figure, error);
  far__growth_curves_free(growth);
  if (status != FAR_OK) return status;
  if ((status = far__hardness_create(&hardness, c, &models, error)) != FAR_OK) return status;
  far__hardness_report(hardness, report);
  status = far__hardness_figure(&figure, hardness, &how, error);
  status = draw(out, status, figure, error);
  far__hardness_free(hardness);
  return status == FAR_OK ? render(out, report, error) : status;
}

static far_status relate_all(double *out, const char *what, far_error *error) {
  far_store *store = NULL;
  far_comparison *comparison = NULL;
  far_report *report = NULL;
  far_comparison_def def = far_comparison_def_default();
  def.bootstrap.resamples = 100;
  far_status status = far_store_open(&store, what, FAR_STORE_READ, error);
  if (status == FAR_OK) status = far_comparison_create(&comparison, store, &def, error);
  if (status == FAR_OK) status = far_report_create(&report, "plot", error);
  if (status == FAR_OK) status = relate(out, comparison, report, error);
  far_report_free(report);
  far_comparison_free(comparison);
  far_store_close(store);
  return status;
}

/* The first run of the store `what` again. */
static far_status learn_again(double *out, const char *what, far_error *error) {
  const far__learning_def def = far__learning_def_default();
  far_store *store = NULL;
  far__learning *x = NULL;
  far_record record;
  char key[FAR_HASH_TEXT];
  bool found = true;
  far_status status = far_store_open(&store, what, FAR_STORE_READ, error);
  for (size_t i = 0; status == FAR_OK && found; ++i) {
    status = far_store_record(&record, &found, store, i, error);
    if (status == FAR_OK && found && strncmp(record.agent, "delayed-q", 9) == 0) break;
  }
  if (status == FAR_OK) {
    CHECK(found);
    snprintf(key, sizeof key, "%s", record.key);
    status = far__learning_from_store(&x, store, key, &def, error);
  }
  if (status == FAR_OK) *out = x->total;
  far__learning_free(x);
  far__learning_cell cell;
  const far_comparison_def choice = far_comparison_def_default();
  if (status == FAR_OK) status = far__learning_find(&cell, store, &choice, 0, error);
  if (status == FAR_OK) *out += digest(cell.key, sizeof cell.key);
  far_store_close(store);
  return status;
}

/* The kinds of plots of comparisons and curves, and the numbers behind two of them, of the store `what`. */
static far_status draw_kinds(double *out, const char *what, far_error *error) {
  static const char *const kinds[] = {"curves",       "intervals", "differences",
                                      "improvements", "matrix",    "profiles"};
  far_plot_def def = far_plot_def_default();
  far_store *store = NULL;
  far_report *report = NULL;
  const char *table;
  def.results.bootstrap.resamples = 100;
  def.results.steps = 20;
  def.most_series = 3;
  far_status status = far_store_open(&store, what, FAR_STORE_READ, error);
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds && status == FAR_OK; ++k) {
    far_figure *figure = NULL;
    const far_status drawn = far_plot_create(&figure, kinds[k], store, &def, error);
    status = draw(out, drawn, figure, error);
  }
  if (status == FAR_OK) status = far_report_create(&report, "plot", error);
  if (status == FAR_OK) status = far_plot_report(report, &table, "curves", store, &def, error);
  if (status == FAR_OK) status = far_plot_report(report, &table, "matrix", store, &def, error);
  if (status == FAR_OK) status = render(out, report, error);
  far_report_free(report);
  far_store_close(store);
  return status;
}

/* What the store `what` has, and that it is sound. */
static far_status describe(double *out, const char *what, far_error *error) {
  const far__store_contents_def def = {.name = "e.db", .most_rows = 2};
  far_store *store;
  far_store_report found;
  far_report *report = NULL;
  far_status status = far_store_open(&store, what, FAR_STORE_READ, error);
  for (int k = 0; k < 2 && status == FAR_OK; ++k) {
    status = far_report_create(&report, "store", error);
    if (status != FAR_OK) break;
    status = k == 0 ? far__store_contents_report(store, &def, report, error)
                    : far__store_check_report(&found, store, "e.db", report, error);
    if (status == FAR_OK)
      status = finish(out, report, error);
    else
      far_report_free(report);
  }
  far_store_close(store);
  return status;
}

/* The store `what` followed, with a plan that has cells which it lacks. A poll that fails is tried again. */
static far_status follow(double *out, const char *what, far_error *error) {
  static const char *const envs[] = {"chain:n=4", "frozen-lake"}, *const agents[] = {"psrl",
                                                                                     "random"};
  const far_ranking_def ranking = far_ranking_def_default();
  far_study_def study_def = far_study_def_default();
  far__follower_def def = far__follower_def_default();
  far_study *study = NULL;
  far__follower *follower = NULL;
  far_store *store = NULL;
  study_def.envs = envs;
  study_def.agents = agents;
  study_def.n_envs = 2;
  study_def.n_agents = 2;
  study_def.steps = 20;
  def.ranking = &ranking;
  def.n_agents = 2;
  far_status status = far_study_create(&study, &study_def, error);
  if (status == FAR_OK) def.plan = far_study_batch(study);
  if (status == FAR_OK) status = far_store_open(&store, what, FAR_STORE_READ, error);
  if (status == FAR_OK) status = far__follower_create(&follower, &def, error);
  if (status == FAR_OK) status = far__follower_poll(follower, store, 1e9, error);
  if (follower != NULL && status == FAR_STATUS_MEMORY)
    status = far__follower_poll(follower, store, 1e9, error);
  if (status == FAR_OK) {
    const far__store_progress *seen = far__follower_seen(follower);
    *out = (double)(seen->runs + 1000 * seen->done + (int64_t)seen->n_cells) +
           seen->cells[seen->n_cells - 1].mean +
           (double)strlen(seen->cells[seen->n_cells - 1].agent);
  }
  far__follower_free(follower);
  far_store_close(store);
  far_study_free(study);
  return status;
}

/* Computed and imported results on two environments. */
static void make_store(const char *path, const char *rows) {
  static const char *const envs[] = {"chain:n=4", "loop"};
  far_store *store;
  far_import_report report;
  double out;
  CHECK(far_store_open(&store, path, FAR_STORE_WRITE, NULL) == FAR_OK);
  for (int i = 0; i < 2; ++i) {
    far_mdp *mdp;
    CHECK(far_mdp_create(&mdp, envs[i], NULL) == FAR_OK);
    CHECK(run_cells(&out, mdp, NULL, 1, store, NULL) == FAR_OK);
    far_mdp_free(mdp);
  }
  CHECK(far_store_import(&report, store, rows, NULL) == FAR_OK);
  far_store_close(store);
}

static void import_into(const char *path, const char *rows) {
  far_store *store;
  far_import_report report;
  CHECK(far_store_open(&store, path, FAR_STORE_WRITE, NULL) == FAR_OK);
  CHECK(far_store_import(&report, store, rows, NULL) == FAR_OK);
  far_store_close(store);
}

static const char theirs[] = "env,agent,steps,seed,replicate,series,step,value\n"
                             "chain:n=4,mine,30,1,0,total,,1.5\nchain:n=4,mine,30,1,0,curve,5,0.5\n"
                             "loop,mine,30,1,1,total,,3\n";

/* A grid of a parameter, on three sizes. */
static const char a_grid[] =
    "env,agent,steps,seed,value\n"
    "chain:n=3,x:a=1,30,1,1\nchain:n=4,x:a=1,30,1,2\nchain:n=5,x:a=1,30,1,4\n"
    "chain:n=3,x:a=2,30,1,2\nchain:n=4,x:a=2,30,1,2\nchain:n=5,x:a=2,30,1,2\n";

static void sweep_all(bool stores) {
  if (!stores) return;
  sweep(keep, "chain:n=3");
  FILE *file = fopen(store_path("theirs.csv"), "w");
  CHECK(file != NULL && fputs(theirs, file) >= 0 && fclose(file) == 0);
  char path[600];
  snprintf(path, sizeof path, "%s", store_path("theirs.csv"));
  sweep(import, path);
  char store[600];
  snprintf(store, sizeof store, "%s", store_path("e.db"));
  make_store(store, path);
  sweep(compare, store);
  sweep(read_curves, store);
  sweep(compare_pairs, store);
  sweep(draw_kinds, store);
  sweep(describe, store);
  sweep(learn_again, store);
  sweep(follow, store);
  file = fopen(store_path("grid.csv"), "w");
  CHECK(file != NULL && fputs(a_grid, file) >= 0 && fclose(file) == 0);
  snprintf(path, sizeof path, "%s", store_path("grid.csv"));
  snprintf(store, sizeof store, "%s", store_path("grid.db"));
  import_into(store, path);
  sweep(relate_all, store);
  snprintf(store, sizeof store, "%s", store_path("e.db"));
  sweep(write_page, store);
  sweep(write_changes, store);
  sweep(add_run, "chain:n=3");
}

int main(void) {
  return sweep_memory(sweep_all);
}
