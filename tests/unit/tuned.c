/* The comparison of tuned agents: the table to fit, the scales, the choice, pairs, and the report. */
#include <farsight/lab.h>
#include <stdlib.h>

#include "check.h"
#include "questions/sensitivity/sensitivity.h"
#include "questions/tuning/tuned-comparison.h"
#include "statistics/sample.h"

/* ---- the table to fit ---- */

static const char *fit_error(const char *text) {
  static far_error error;
  far__fit_table *table;
  error = (far_error){.message = ""};
  const far_status status = far__fit_table_read(&table, text, strlen(text), "f", &error);
  CHECK(status == FAR_STATUS_FORMAT && table == NULL && error.code == status);
  return error.message;
}

static void test_fit_table(void) {
  far__fit_table *table;
  static const char text[] =
      "# a remark\nenv,q0,mean,ci95,clamp\r\n\n\"chain:n=5,slip=0.1\",3,7089.5,1,on\n"
      "# another\nloop,,-2,,";
  CHECK(far__fit_table_read(&table, text, strlen(text), "f", NULL) == FAR_OK);
  CHECK(table->n_targets == 2);
  CHECK_TEXT(table->targets[0].env, "chain:n=5,slip=0.1");
  CHECK_TEXT(table->targets[0].with, "q0=3,clamp=on");
  CHECK(table->targets[0].mean == 7089.5);
  CHECK_TEXT(table->targets[1].env, "loop");
  CHECK_TEXT(table->targets[1].with, "");
  CHECK(table->targets[1].mean == -2);
  CHECK(table->targets[0].unit == 0 && table->targets[0].std == 0);
  far__fit_table_free(table);
  far__fit_table_free(NULL);
  static const char spreads[] = "env,std,q0,unit,mean\nloop,2.5,3,4,1\nchain,,,,2\n";
  CHECK(far__fit_table_read(&table, spreads, strlen(spreads), "f", NULL) == FAR_OK);
  CHECK_TEXT(table->targets[0].with, "q0=3");
  CHECK(table->targets[0].unit == 4 && table->targets[0].std == 2.5);
  CHECK(table->targets[1].unit == 0 && table->targets[1].std == 0);
  far__fit_table_free(table);
}

static void test_wrong_fit_tables(void) {
  far__fit_table *table;
  far_error error;
  CHECK_CONTAINS(fit_error(""), "f: the file is empty");
  CHECK_CONTAINS(fit_error("# only\n"), "f: the file is empty");
  CHECK_CONTAINS(fit_error("env,mean\n"), "f: the file has no means");
  CHECK_CONTAINS(fit_error("env,value\nloop,1\n"), "f:1:1: there is no column 'mean'");
  CHECK_CONTAINS(fit_error("#\nmean\n1\n"), "f:2:1: there is no column 'env'");
  CHECK_CONTAINS(fit_error("env,mean,env\n"), "f:1:10: a second column 'env'");
  CHECK_CONTAINS(fit_error("env,mean\nloop,x\n"), "f:2:6: mean must be a number, not 'x'");
  CHECK_CONTAINS(fit_error("env,mean\nloop,inf\n"), "f:2:6: mean must be");
  CHECK_CONTAINS(fit_error("env,mean,std\nloop,1,2\n"), "f:1:10: std needs a column 'unit'");
  CHECK_CONTAINS(fit_error("env,mean,unit\nloop,1,0\n"), "f:2:8: unit must be a number above 0");
  CHECK_CONTAINS(fit_error("env,mean,unit,std\nloop,1,2,-3\n"),
                 "f:2:10: std must be a number above 0");
  CHECK_CONTAINS(fit_error("env,mean\nloop\n"), "f:2:1: 1 fields; the first line has 2");
  CHECK_CONTAINS(fit_error("env,mean\n\"loop,1\n"), "f:2:1: a quoted field does not end");
  CHECK(far__fit_table_load(&table, "/no/such/file", &error) == FAR_STATUS_IO && table == NULL);
  CHECK_CONTAINS(error.message, "cannot read");
}

/* ---- the comparison ---- */

static far_mdp *chains[2];

static const char *const two_agents[] = {"delayed-q:m=[1..5],eps1=0.3",
                                         "q-learning:epsilon=[0.1..0.3]"};

static far__tuned_comparison_def small_def(far_tune_cell cells[2]) {
  far__tuned_comparison_def def = far__tuned_comparison_def_default();
  for (int i = 0; i < 2; ++i) cells[i] = (far_tune_cell){.mdp = chains[i], .target = NAN};
  CHECK(far__tune_cells_scale(cells, 2, 100, NULL, NULL) == FAR_OK);
  def.agents = two_agents;
  def.n_agents = 2;
  def.tune.cells = cells;
  def.tune.n_cells = 2;
  def.tune.steps = 100;
  def.tune.runs = 3;
  def.tune.budget = 10000;
  def.tune.evaluation = 10;
  def.tune.profile = 3;
  def.tune.threads = 1;
  return def;
}

static void test_scales(void) {
  double low, high;
  far_tune_cell cells[] = {{.mdp = chains[0]}, {.mdp = chains[1]}, {.mdp = chains[0]}};
  CHECK(far__tune_cells_scale(cells, 3, 100, NULL, NULL) == FAR_OK);
  CHECK(far_solve_random_total(&low, chains[1], 100, NULL, NULL) == FAR_OK);
  CHECK(far_solve_best_total(&high, chains[1], 100, NULL, NULL) == FAR_OK);
  CHECK(cells[1].low == low && cells[1].high == high && low < high);
  CHECK(cells[2].low == cells[0].low && cells[2].high == cells[0].high);
  CHECK(cells[0].low != cells[1].low);
}

static bool never(void *user, int64_t sweeps, double error) {
  (void)user, (void)sweeps, (void)error;
  return false;
}

static void test_scales_are_cancelled(void) {
  far_tune_cell cell = {.mdp = chains[1]};
  far_solve_def def = far_solve_def_default();
  def.progress = never;
  CHECK(far__tune_cells_scale(&cell, 1, 100, &def, NULL) == FAR_STATUS_CANCELLED);
}

/* In pairs, from the runs' own scores. */
static double paired_half_width(const far_tune_score *x, const far_tune_score *y) {
  const int n = (int)x->runs;
  double mean = 0, squares = 0;
  for (int i = 0; i < n; ++i) mean += (x->values[i] - y->values[i]) / n;
  for (int i = 0; i < n; ++i) squares += pow(x->values[i] - y->values[i] - mean, 2);
  return far__student_975(n - 1) * sqrt(squares / (n - 1) / n);
}

static void test_comparison(void) {
  far_tune_cell cells[2];
  far__tuned_comparison_def def = small_def(cells);
  far__tuned_comparison *c;
  CHECK(far__tuned_comparison_run(&c, &def, NULL) == FAR_OK);
  cells[0] = cells[1] = (far_tune_cell){0}; /* they are copied */
  const far__tuned_comparison_info info = far__tuned_comparison_info_of(c);
  CHECK(info.n_agents == 2 && info.chosen < 2 && !info.stopped && info.plain_reason == NULL);
  CHECK_TEXT(info.envs[0], far_mdp_spec(chains[0]));
  CHECK(info.tune->cells[0].mdp == chains[0] && info.tune->n_cells == 2);
  const far__tuned_agent *best = &info.agents[info.chosen], *other = &info.agents[1 - info.chosen];
  CHECK(best->result->tuned >= other->result->tuned);
  CHECK(best->chosen && best->difference == 0 && best->ci95 != best->ci95 && !other->chosen);
  CHECK(other->difference == other->result->score.mean - best->result->score.mean);
  CHECK_NEAR(other->ci95, paired_half_width(&other->result->score, &best->result->score), 1e-12);
  far__tuned_comparison_free(c);
  far__tuned_comparison_free(NULL);
}

/* The same as each search alone. */
static void test_same_searches(void) {
  far_tune_cell cells[2];
  far__tuned_comparison_def def = small_def(cells);
  far__tuned_comparison *c;
  far_tune *tune;
  CHECK(far__tuned_comparison_run(&c, &def, NULL) == FAR_OK);
  const far__tuned_comparison_info info = far__tuned_comparison_info_of(c);
  for (int i = 0; i < 2; ++i) {
    far_tune_def one = def.tune;
    one.agent = two_agents[i];
    CHECK(far_tune_run(&tune, &one, NULL) == FAR_OK);
    CHECK(far_tune_result_of(tune)->score.mean == info.agents[i].result->score.mean);
    CHECK_TEXT(far_tune_result_of(tune)->best, info.agents[i].result->best);
    far_tune_free(tune);
  }
  far__tuned_comparison_free(c);
}

static void test_not_evaluated(void) {
  far_tune_cell cells[2];
  far__tuned_comparison_def def = small_def(cells);
  far__tuned_comparison *c;
  def.tune.evaluation = 0;
  CHECK(far__tuned_comparison_run(&c, &def, NULL) == FAR_OK);
  const far__tuned_comparison_info info = far__tuned_comparison_info_of(c);
  CHECK(info.chosen == 2 && !info.agents[0].chosen && !info.agents[1].chosen);
  CHECK(info.agents[0].difference != info.agents[0].difference);
  far__tuned_comparison_free(c);
}

static void test_wrong_definitions(void) {
  far_tune_cell cells[2];
  far__tuned_comparison_def def = small_def(cells);
  far__tuned_comparison *c;
  far_error error;
  const char *wrong = NULL;
  const char *const agents[] = {"delayed-q:m=[1..5]", "delayed-q:mm=[1..5]"};
  def.agents = agents;
  def.wrong = &wrong;
  CHECK(far__tuned_comparison_run(&c, &def, &error) == FAR_STATUS_UNKNOWN && c == NULL);
  CHECK(wrong == agents[1] && error.position == 10);
  wrong = NULL;
  CHECK(far__tuned_comparison_check(&def, &error) == FAR_STATUS_UNKNOWN && wrong == agents[1]);
  CHECK(far__tuned_comparison_check(&def, NULL) == FAR_STATUS_UNKNOWN);
  def = small_def(cells);
  def.wrong = &wrong;
  def.tune.budget = 100; /* whatever the agent: its name is in the message */
  CHECK(far__tuned_comparison_run(&c, &def, &error) == FAR_STATUS_RANGE && c == NULL);
  CHECK(wrong == NULL && far__tuned_comparison_check(&def, NULL) == FAR_OK);
  CHECK_CONTAINS(error.message, "delayed-q:m=[1..5],eps1=0.3: ");
  CHECK(far__tuned_comparison_run(&c, &def, NULL) == FAR_STATUS_RANGE && c == NULL);
  def = small_def(cells);
  def.n_agents = 0;
  CHECK(far__tuned_comparison_run(&c, &def, &error) == FAR_STATUS_CONFLICT);
  def = small_def(cells);
  def.tune.n_cells = 0;
  CHECK(far__tuned_comparison_run(&c, &def, &error) == FAR_STATUS_CONFLICT);
}

/* Stops when agent 1 begins. */
static bool stop_second(void *user, size_t agent, const far_tune_progress *progress) {
  size_t *seen = user;
  CHECK(progress->steps_done <= progress->steps);
  *seen = agent;
  return agent == 0;
}

static far_buffer rendered(const far__tuned_comparison *c, far_report_format format,
                           const char *table) {
  far_report *report;
  far_buffer out = {0};
  far_render_def how = far_render_def_default();
  how.format = format;
  how.table = table;
  CHECK(far_report_create(&report, "tune", NULL) == FAR_OK);
  far__tuned_comparison_report(c, report);
  CHECK(far_report_render(report, &how, far_sink_buffer(&out), NULL) == FAR_OK);
  far_report_free(report);
  return out;
}

static void test_stopped(void) {
  far_tune_cell cells[2];
  far__tuned_comparison_def def = small_def(cells);
  far__tuned_comparison *c;
  size_t seen = 9;
  const char *const agents[] = {two_agents[0], two_agents[1], two_agents[0]};
  def.agents = agents;
  def.n_agents = 3;
  def.progress = stop_second;
  def.user = &seen;
  def.tune.steps = 20000;
  def.tune.budget = 6000000;
  CHECK(far__tuned_comparison_run(&c, &def, NULL) == FAR_STATUS_CANCELLED);
  const far__tuned_comparison_info info = far__tuned_comparison_info_of(c);
  CHECK(seen == 1 && info.stopped && info.chosen == 0 && info.agents[0].chosen);
  CHECK(info.agents[0].result->score.runs == 10);
  CHECK(info.agents[1].result != NULL && info.agents[1].result->score.runs == 0);
  CHECK(info.agents[2].result == NULL);
  far_buffer out = rendered(c, FAR_REPORT_JSON, NULL);
  CHECK_CONTAINS(out.bytes, "\"stopped\":true");
  far_buffer_free(&out);
  far__tuned_comparison_free(c);
}

/* ---- the report ---- */

static void check_report_part(const far__tuned_comparison *c, far_report_format format,
                              const char *table, const char *part) {
  far_buffer out = rendered(c, format, table);
  CHECK_CONTAINS(out.bytes, part);
  far_buffer_free(&out);
}

static void test_report(void) {
  far_tune_cell cells[2];
  far__tuned_comparison_def def = small_def(cells);
  const char *const names[] = {"short", "long"};
  far__tuned_comparison *c;
  def.envs = names;
  CHECK(far__tuned_comparison_run(&c, &def, NULL) == FAR_OK);
  check_report_part(c, FAR_REPORT_TEXT, NULL,
                    "Reward, 100 steps per run, 3 runs per parameter setting, seed 1\n");
  check_report_part(c, FAR_REPORT_TEXT, NULL, "halving: all 5 parameter settings in ");
  check_report_part(c, FAR_REPORT_TEXT, NULL, "\n  short");
  check_report_part(c, FAR_REPORT_MARKDOWN, NULL, "| tuned agent | in the search |");
  check_report_part(c, FAR_REPORT_MARKDOWN, NULL, "% of the parameter settings came within 1% of ");
  check_report_part(c, FAR_REPORT_LATEX, NULL, "\\toprule\nparameter & best & within 1\\%");
  check_report_part(c, FAR_REPORT_JSON, NULL, "\"plain_because\":null,\"steps\":100");
  check_report_part(c, FAR_REPORT_JSON, NULL, "\"kind\":\"remark\"");
  check_report_part(c, FAR_REPORT_CSV, NULL,
                    "space,measured,score,score_low,score_high,runs,remark\n\"delayed-q:m=[1..5],"
                    "eps1=0.3\",in the search,");
  check_report_part(c, FAR_REPORT_CSV, "cells", "space,env,with,mean,mean_low,mean_high,random,");
  check_report_part(c, FAR_REPORT_CSV, "profiles", "\"delayed-q:m=[1..5],eps1=0.3\",m,");
  check_report_part(c, FAR_REPORT_CSV, "points", "space,parameter,value,loss,loss_low,loss_high,");
  check_report_part(
      c, FAR_REPORT_CSV, "trials",
      "space,candidate,agent,agent_spec,agent.m,agent.eps1,agent.epsilon,runs,score\n");
  check_report_part(c, FAR_REPORT_CSV, "comparison", "difference,difference_low,difference_high\n");
  far__tuned_comparison_free(c);
}

/* One action everywhere: no policy is better than the random one. */
static void test_plain_reason(void) {
  far_mdp_builder *b;
  far_mdp *mdp;
  CHECK(far_mdp_builder_create(&b, 1, 1, NULL) == FAR_OK);
  for (int reward = 0; reward < 2; ++reward)
    CHECK(far_mdp_builder_outcome(b, 0, 0, 0.5, 0, reward, NULL) == FAR_OK);
  CHECK(far_mdp_builder_start(b, 0, 1, NULL) == FAR_OK);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  far_tune_cell cells[2];
  far__tuned_comparison_def def = small_def(cells);
  const char *const names[] = {"many", "one"};
  far__tuned_comparison *c;
  cells[1].mdp = mdp;
  CHECK(far__tune_cells_scale(cells, 2, 100, NULL, NULL) == FAR_OK);
  def.envs = names;
  CHECK(far__tuned_comparison_run(&c, &def, NULL) == FAR_OK);
  CHECK_TEXT(far__tuned_comparison_info_of(c).plain_reason,
             "in one no policy earns more than the random one");
  check_report_part(c, FAR_REPORT_TEXT, NULL, "Scores are plain reward: in one no policy");
  check_report_part(c, FAR_REPORT_JSON, NULL, "\"kind\":\"caveat\"");
  far__tuned_comparison_free(c);
  far_mdp_free(mdp);
}

static void test_fit(void) {
  far_tune_cell cells[2];
  far__tuned_comparison_def def = small_def(cells);
  far__tuned_comparison *c;
  def.tune.goal = FAR_GOAL_FIT_RELATIVE;
  cells[0].target = 40;
  cells[1].target = 20;
  cells[0].with = "gamma=0.9";
  CHECK(far__tuned_comparison_run(&c, &def, NULL) == FAR_OK);
  CHECK(far__tuned_comparison_info_of(c).plain_reason == NULL);
  check_report_part(c, FAR_REPORT_TEXT, NULL, "Distances are in per cent of the means to be met.");
  check_report_part(c, FAR_REPORT_TEXT, NULL, "to be met  deviation\n");
  check_report_part(c, FAR_REPORT_JSON, NULL, "\"goal\":\"fit-relative\",\"steps\"");
  check_report_part(c, FAR_REPORT_CSV, NULL, "space,measured,distance,");
  check_report_part(c, FAR_REPORT_CSV, "cells", ",gamma=0.9,");
  far__tuned_comparison_free(c);
}

static void test_metric(void) {
  far_tune_cell cells[2];
  far__tuned_comparison_def def = small_def(cells);
  far__tuned_comparison *c;
  far__sensitivity *x;
  far_error error;
  def.tune.score = "regret";
  def.tune.profile = 5;
  CHECK(far__tuned_comparison_run(&c, &def, NULL) == FAR_OK);
  const far__tuned_comparison_info info = far__tuned_comparison_info_of(c);
  const far_tune_result *r = info.agents[0].result;
  CHECK_TEXT(info.tune->score, "regret:against=value");
  CHECK(info.plain_reason == NULL && !r->normalised);
  CHECK_NEAR(r->score.mean, -(r->means[0] + r->means[1]) / 2, 1e-9);
  for (size_t i = 0; i < r->n_trials; ++i) CHECK(r->trials[i].score < 0);
  check_report_part(c, FAR_REPORT_TEXT, NULL, "Metric regret:against=value, ");
  check_report_part(c, FAR_REPORT_TEXT, NULL, "environments; less is better.");
  check_report_part(c, FAR_REPORT_JSON, NULL, "\"metric\":\"regret:against=value\"");
  CHECK(far__sensitivity_from_tuned(&x, c, NULL) == FAR_OK);
  CHECK(x->lower);
  CHECK_TEXT(x->series, "regret:against=value");
  far__sensitivity_free(x);
  far__tuned_comparison_free(c);
  def.tune.score = "regrat";
  CHECK(far__tuned_comparison_check(&def, &error) == FAR_STATUS_UNKNOWN);
  CHECK_CONTAINS(error.message, "the score regrat: unknown metric");
}

int main(void) {
  test_fit_table();
  test_wrong_fit_tables();
  CHECK(far_mdp_create(&chains[0], "chain:n=4", NULL) == FAR_OK);
  CHECK(far_mdp_create(&chains[1], "chain:n=6", NULL) == FAR_OK);
  test_scales();
  test_scales_are_cancelled();
  test_comparison();
  test_same_searches();
  test_not_evaluated();
  test_wrong_definitions();
  test_stopped();
  test_report();
  test_plain_reason();
  test_fit();
  test_metric();
  far_mdp_free(chains[0]);
  far_mdp_free(chains[1]);
  return check_report();
}
