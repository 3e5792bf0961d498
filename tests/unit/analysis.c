/* Public functions of results, the paper's tables, reports and simulators that no other test calls. */
#include <farsight/lab.h>

#include "base/spec.h"
#include "check.h"
#include "lab/study/parts.h"
#include "questions/paper/paper-tables.h"
#include "questions/results/results.h"
#include "report/build.h"

static far_buffer rendered(const far_report *report, far_report_format format) {
  far_render_def how = far_render_def_default();
  far_buffer out = {0};
  how.format = format;
  CHECK(far_report_render(report, &how, far_sink_buffer(&out), NULL) == FAR_OK);
  return out;
}

static bool fails(void *user, const char *bytes, size_t length) {
  (void)user;
  (void)bytes;
  (void)length;
  return false;
}

static void test_report(void) {
  far_report *report;
  far_error error = {0};
  CHECK(far_report_create(&report, "test", NULL) == FAR_OK);
  far_table *table = far__report_table(report, "rows");
  far__table_column(table, "x", "number", FAR__COLUMN_REAL);
  far__table_column(table, "y", "interval", FAR__COLUMN_INTERVAL);
  far__table_row(table);
  far__table_real_as(table, 0.25, "a %s", "quarter");
  far__table_interval_as(table, 2, 1, 4, "about %d", 2);
  far__table_rule(table);
  far__table_row(table);
  far__table_real(table, 1);
  far__report_figure(report, "curve", "Reward over %d steps", 10);
  far_buffer text = rendered(report, FAR_REPORT_TEXT), csv = rendered(report, FAR_REPORT_CSV);
  CHECK_CONTAINS(text.bytes, "a quarter");
  CHECK_CONTAINS(text.bytes, "about 2");
  CHECK_CONTAINS(text.bytes, "Reward over 10 steps");
  CHECK_CONTAINS(csv.bytes, "0.25,2,1,4");
  far_buffer_free(&text);
  far_buffer_free(&csv);
  const far_render_def how = far_render_def_default();
  CHECK(far_report_render(report, &how, (far_sink){fails, NULL}, &error) == FAR_STATUS_IO);
  CHECK_CONTAINS(error.message, "could not be written");
  far_buffer full = {.failed = true};
  CHECK(far_report_render(report, &how, far_sink_buffer(&full), &error) == FAR_STATUS_MEMORY);
  CHECK_CONTAINS(error.message, "no memory");
  far_report_free(report);
}

static void test_buffer(void) {
  far_buffer b = {0};
  CHECK(far_buffer_add(&b, "far", 3) && far_buffer_add(&b, "", 0) &&
        far_buffer_add(&b, "sight", 5));
  CHECK(b.length == 8);
  CHECK_TEXT(b.bytes, "farsight");
  for (int i = 0; i < 1000; ++i) CHECK(far_buffer_add(&b, "0123456789", 10));
  CHECK(b.length == 10008 && b.bytes[10007] == '9');
  far_buffer_free(&b);
  CHECK(b.bytes == NULL && b.length == 0);
}

/* ---- the results of a study ---- */

static void check_results(const far_results *results) {
  far_report *report;
  double best[2];
  const far_result *first = far_batch_result(results->batch, 0);
  CHECK(results->info.n_envs == 2 && results->info.n_agents == 1 && !results->stopped);
  CHECK(far__results_half_width(results, 0) == first->ci95);
  CHECK(far__results_best(best, results, NULL, NULL) == FAR_OK);
  CHECK(best[0] >= first->mean && best[1] >= far_batch_result(results->batch, 1)->mean);
  CHECK(far_report_create(&report, "run", NULL) == FAR_OK);
  far_results_report(results, report);
  far_buffer out = rendered(report, FAR_REPORT_JSON);
  CHECK_CONTAINS(out.bytes, "\"cells\"");
  CHECK_CONTAINS(out.bytes, first->hash);
  far_buffer_free(&out);
  far_report_free(report);
  CHECK(far_report_create(&report, "compare", NULL) == FAR_OK);
  far__results_matrix(results, best, report);
  out = rendered(report, FAR_REPORT_JSON);
  CHECK_CONTAINS(out.bytes, "\"best\"");
  far_buffer_free(&out);
  far_report_free(report);
}

static bool stop_at_once(void *user, const far_progress *progress) {
  (void)user;
  (void)progress;
  return false;
}

static void test_study(void) {
  static const char *const envs[] = {"chain:n=3", "chain:n=4"}, *const agents[] = {"r-max"};
  far_study_def def = far_study_def_default();
  far_study_run_def how = {.threads = 1};
  far_study *study;
  far_results *results = NULL;
  def.envs = envs, def.n_envs = 2;
  def.agents = agents, def.n_agents = 1;
  def.steps = 50, def.runs = 5;
  CHECK(far_study_create(&study, &def, NULL) == FAR_OK);
  CHECK(far_study_run(&results, study, &how, NULL) == FAR_OK);
  if (results != NULL) check_results(results);
  far_results_free(results);
  far_results_free(NULL);
  how.progress = stop_at_once;
  CHECK(far_study_run(&results, study, &how, NULL) == FAR_STATUS_CANCELLED);
  CHECK(results == NULL || results->stopped);
  far_results_free(results);
  far_study_free(study);
}

/* Every standard problem is one that there is. */
static void test_standard(void) {
  char spec[FAR_SPEC_SIZE];
  size_t n = 0;
  for (; far__standard_problem(n) != NULL; ++n)
    CHECK(far_mdp_resolve(spec, far__standard_problem(n), NULL) == FAR_OK);
  CHECK(n >= 3);
}

/* ---- the paper's tables ---- */

/* By hand: 48.98 sqrt(300)/1.96 = 432.84; an error of 6% + 100 or a factor of exp(0.35) is 1. */
static void check_fit(const far__paper_tables *tables) {
  const far__paper_row *first = far__paper_row_at(0);
  size_t n_cells;
  CHECK_NEAR(far__paper_std(first, 0), 432.84, 0.01);
  const far_batch *batch = far__paper_tables_batch(tables, &n_cells);
  const size_t n_rows = n_cells / FAR__PAPER_TABLES;
  double sum = 0, others = 0, means = 0;
  for (size_t t = 0; t < FAR__PAPER_TABLES; ++t)
    for (size_t i = 0; i < 5; ++i) {
      const far__paper_row *row = far__paper_row_at(i);
      const far_result *found[2] = {far_batch_result(batch, t * n_rows + i),
                                    far__paper_tables_alternative(tables, t, i)};
      double terms[2];
      for (int k = 0; k < 2; ++k) {
        const double d = (found[k]->mean - row->mean[t]) / (0.06 * row->mean[t] + 100);
        const double std = fmax(found[k]->std, 0.01 * far__paper_std(row, t));
        const double e = log(std / far__paper_std(row, t)) / 0.35;
        terms[k] = d * d + e * e;
      }
      sum += terms[0];
      others += terms[1];
      means += pow(found[1]->mean - row->mean[t], 2);
    }
  const far__paper_fit fit = far__paper_tables_fit(tables);
  CHECK_NEAR(fit.directed, sqrt(sum / 10), 1e-9);
  CHECK_NEAR(fit.alternative, sqrt(others / 10), 1e-9);
  CHECK_NEAR(fit.alternative_means, sqrt(means / 10), 1e-9);
}

/* Every alternative is compared with a row of the paper, and those with gamma_E with that of theirs. */
static void check_alternatives(const far__paper_tables *tables) {
  size_t n = 0, directed = 0;
  char spec[FAR_SPEC_SIZE];
  for (const far__paper_alternative *a; (a = far__paper_alternative_at(n)) != NULL; ++n) {
    const far__paper_row *row = far__paper_row_at(a->row);
    CHECK(row != NULL && row->mean[0] == row->mean[0]);
    if (a->gamma_e == a->gamma_e) CHECK(row->gamma_e == a->gamma_e && ++directed > 0);
    for (size_t t = 0; t < FAR__PAPER_TABLES; ++t) {
      CHECK(far_mdp_resolve(spec, a->env[t], NULL) == FAR_OK);
      CHECK(strncmp(spec, far__paper_env(t), strlen(far__paper_env(t))) == 0);
      CHECK(far__spec_same_type(far__paper_tables_alternative(tables, t, n)->agent, a->agent));
      CHECK(far__paper_tables_alternative(tables, t, n)->runs == 2);
    }
  }
  CHECK(n >= 8 && directed == 5);
}

static void test_paper(void) {
  far__paper_def def = far__paper_def_default();
  far__paper_tables *tables = NULL;
  far_report *report;
  far_error error = {0};
  size_t rows = 0, n_cells = 0;
  char spec[FAR_SPEC_SIZE];
  CHECK(def.runs == 300 && def.seed == 1 && def.directed == NULL);
  while (far__paper_row_at(rows) != NULL) ++rows;
  for (size_t t = 0; t < FAR__PAPER_TABLES; ++t)
    CHECK(far_mdp_resolve(spec, far__paper_env(t), NULL) == FAR_OK);
  def.runs = 2;
  CHECK(far__paper_tables_run(&tables, &def, NULL) == FAR_OK);
  const far_batch *batch = far__paper_tables_batch(tables, &n_cells);
  CHECK(n_cells == FAR__PAPER_TABLES * rows && far_batch_result(batch, 0)->runs == 2);
  CHECK(far__paper_tables_distance(tables) > 0);
  check_fit(tables);
  check_alternatives(tables);
  CHECK(far_report_create(&report, "reproduce", NULL) == FAR_OK);
  far__paper_tables_report(tables, report);
  far_buffer out = rendered(report, FAR_REPORT_TEXT);
  CHECK_CONTAINS(out.bytes, far__paper_row_at(0)->method);
  far_buffer_free(&out);
  far_report_free(report);
  far__paper_tables_free(tables);
  far__paper_tables_free(NULL);
  def.directed = "directed-delayed-q:mm=3";
  CHECK(far__paper_tables_run(&tables, &def, &error) == FAR_STATUS_UNKNOWN && tables == NULL);
  CHECK(error.position >= 0);
}

/* ---- simulators and cells ---- */

static far_status reset(void *instance, far_rng *rng, uint32_t *s, far_error *error) {
  (void)instance;
  (void)rng;
  (void)error;
  *s = 0;
  return FAR_OK;
}

static far_status step(void *instance, far_rng *rng, far_transition *step, far_error *error) {
  (void)instance;
  (void)rng;
  (void)error;
  step->r = 1;
  step->next = 0;
  return FAR_OK;
}

static void test_simulator(void) {
  far_simulator_def def = {.size = sizeof def,
                           .name = "room",
                           .shape = SHAPE(1, 2, 0, 1, false, NULL, 0),
                           .reset = reset,
                           .step = step};
  far_error error = {0};
  far_mdp *mdp;
  CHECK(far_simulator_check(&def, NULL) == FAR_OK);
  const far_cell simulated = {.simulator = &def, .agent = "r-max", .steps = 5};
  CHECK(far_cell_shape(&simulated).n_actions == 2 && !far_cell_shape(&simulated).episodic);
  CHECK(far_mdp_create(&mdp, "chain:n=3", NULL) == FAR_OK);
  const far_cell modelled = {.mdp = mdp, .agent = "r-max", .steps = 5};
  CHECK(far_cell_shape(&modelled).n_states == 3);
  far_mdp_free(mdp);
  def.step = NULL;
  CHECK(far_simulator_check(&def, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "step");
  def.step = step;
  def.size = 1;
  CHECK(far_simulator_check(&def, &error) == FAR_STATUS_RANGE);
}

/* Two steps right pay 1 each; after two the episode is cut off and begins again in state 0. */
static far_status step_right(void *instance, far_rng *rng, far_transition *step, far_error *error) {
  (void)instance;
  (void)rng;
  (void)error;
  step->next = step->s + 1;
  step->r = step->s < 2;
  step->cut = step->next == 2;
  return FAR_OK;
}

static void test_cut(void) {
  const far_simulator_def def = {.size = sizeof def,
                                 .name = "corridor",
                                 .shape = SHAPE(4, 1, 0, 1, false, NULL, 0),
                                 .reset = reset,
                                 .step = step_right};
  const far_cell cell = {.simulator = &def, .agent = "q-learning", .steps = 9};
  far_batch_def batch = far_batch_def_default();
  far_batch *out;
  batch.cells = &cell;
  batch.n_cells = 1;
  batch.runs = 2;
  CHECK(far_batch_run(&out, &batch, NULL) == FAR_OK);
  CHECK(far_batch_result(out, 0)->mean == 9);
  far_batch_free(out);
}

int main(void) {
  test_report();
  test_buffer();
  test_study();
  test_standard();
  test_paper();
  test_simulator();
  test_cut();
  return check_report();
}
