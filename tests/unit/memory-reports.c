/* Reports and figures of models, agents and theorems while memory runs out: failing-memory.h says what is tested. */
#include "failing-memory.h"
#include "questions/audit/audit-report.h"
#include "questions/guarantees/guarantees.h"
#include "questions/learning/layout-figure.h"
#include "questions/learning/learning.h"
#include "questions/listing/listing.h"
#include "questions/model/model-solution.h"
#include "questions/tuning/tuned-comparison.h"
#include "report/build.h"

/* One of every block that only pages need. */
static far_status render_page(double *out, const char *what, far_error *error) {
  far_report *report;
  far_figure *figure;
  far_status status = far_report_create(&report, "report", error);
  if (status != FAR_OK) return status;
  far__report_heading(report, 1, "%s", what);
  far__report_verdict(report, "term", "%s", what);
  far__report_environment(report, "a");
  far__report_heading(report, 2, "%s", what);
  far__report_command(report, "one\ntwo");
  far__report_environment(report, "b");
  far_table *t = far__report_table(report, "t");
  far__table_caption(t, "%s", what);
  far__table_column(t, "k", "k", FAR__COLUMN_INTERVAL);
  far__table_row(t);
  far__table_interval(t, 1, 2);
  far__report_figure(report, "f", "%s", what);
  for (int i = 0; i < 2 && status == FAR_OK; ++i) {
    status = far__figure_create(&figure, "test", 100, error);
    if (status == FAR_OK) far__figure_name(figure, what, "%s", what);
    if (status == FAR_OK) status = far__figure_finish(&figure, error);
    if (status == FAR_OK) far__report_view(report, figure, "view");
  }
  if (status == FAR_OK) return finish(out, report, error);
  far_report_free(report);
  return status;
}

/* A model solved as one question, and its report. */
static far_status answer_one(double *out, const far__model_solution_def *def, far_error *error) {
  far__model_solution *x = NULL;
  far_report *report = NULL;
  far_status status = far__model_solve(&x, def, error);
  if (status == FAR_OK) status = far_report_create(&report, "solve", error);
  if (status == FAR_OK) {
    far__model_solution_report(x, 4, report);
    status = finish(out, report, error);
  }
  far__model_solution_free(x);
  return status;
}

static far_status answer(double *out, const char *what, far_error *error) {
  far__model_solution_def def = far__model_solution_def_default();
  far_mdp *mdp = NULL;
  far_status status = far_mdp_create(&mdp, what, error);
  *out = 0;
  def.mdp = mdp;
  def.structure = true;
  def.horizon = 3;
  for (int kind = FAR__SOLVE_DISCOUNTED; kind <= FAR__SOLVE_AVERAGE && status == FAR_OK; ++kind) {
    if (kind == FAR__SOLVE_POLICY) continue; /* as the first */
    def.kind = (far__solve_kind)kind;
    status = answer_one(out, &def, error);
  }
  far_mdp_free(mdp);
  return status;
}

static far_status audit(double *out, const char *what, far_error *error) {
  far_audit_def def = far_audit_def_default();
  far_audit *found;
  far_mdp *mdp;
  far_status status = far_mdp_create(&mdp, "chain:n=3", error);
  def.mdp = mdp;
  def.agent = what;
  def.steps = 100;
  def.runs = 2;
  def.threads = 1;
  if (status == FAR_OK) status = far_audit_run(&found, &def, error);
  if (status == FAR_OK) {
    far_report *report;
    for (size_t i = 0; i < found->n_claims; ++i) *out += (double)found->claims[i].checked;
    status = far_report_create(&report, "audit", error);
    if (status == FAR_OK) far__audit_report(found, &def, "chain:n=3", report);
    if (status == FAR_OK) status = finish(out, report, error);
    far_audit_free(found);
  }
  far_mdp_free(mdp);
  return status;
}

/* Guarantees on the environment `what`: all in a table, and each explained. */
static far_status guarantee(double *out, const char *what, far_error *error) {
  far__guarantees_def def = far__guarantees_def_default();
  far__guarantees *g = NULL;
  far_report *report;
  far_mdp *mdp;
  far_status status = far_mdp_create(&mdp, what, error);
  if (status == FAR_OK) {
    far__problem_from_model(&def.problem, mdp);
    def.mdp = mdp;
    def.steps = 1e15;
    status = far__guarantees_create(&g, &def, error);
  }
  for (int d = 0; status == FAR_OK && d <= FAR__GUARANTEES_EXPLAIN; ++d) {
    status = far_report_create(&report, "pac", error);
    if (status == FAR_OK) far__guarantees_report(g, (far__guarantees_detail)d, report);
    if (status == FAR_OK) status = finish(out, report, error);
  }
  far__guarantees_free(g);
  far_mdp_free(mdp);
  return status;
}

static far_status list_types(double *out, const char *what, far_error *error) {
  far_report *report;
  far_status status = far_report_create(&report, "list", error);
  if (status != FAR_OK) return status;
  far__types_report(far_agent_type, what[0] != '\0' ? far_spec_type(far_agent_type, what) : NULL,
                    report);
  return finish(out, report, error);
}

static far_status list_theorems(double *out, const char *what, far_error *error) {
  far_report *report;
  far_status status = far_report_create(&report, "list", error);
  if (status != FAR_OK) return status;
  far__theorems_report(far_theorem_find(what), report);
  return finish(out, report, error);
}

static far_status fit_table(double *out, const char *what, far_error *error) {
  far__fit_table *table;
  const far_status status = far__fit_table_read(&table, what, strlen(what), "f", error);
  if (status != FAR_OK) return status;
  for (size_t i = 0; i < table->n_targets; ++i)
    *out += table->targets[i].mean + digest(table->targets[i].with, strlen(table->targets[i].with));
  far__fit_table_free(table);
  return FAR_OK;
}

/* An agent as it is; `what` is its spec. */
static far_status learn_live(double *out, const char *what, far_error *error) {
  far__learning_def def = far__learning_def_default();
  far__learning *x = NULL;
  far_agent *agent = NULL;
  far_mdp *mdp;
  far_status status = far_mdp_create(&mdp, "chain:n=4", error);
  def.mdp = mdp;
  if (status == FAR_OK) status = far_agent_create_on(&agent, what, mdp, 0, 1, 0, error);
  if (status == FAR_OK) status = far__learning_from_agent(&x, agent, NULL, &def, error);
  if (status == FAR_OK) *out = x->exact.v[0] + x->frames[0].q[0];
  far__learning_free(x);
  far_agent_free(agent);
  far_mdp_free(mdp);
  return status;
}

/* A run with what the agent knows on its way, and its report; `what` is the agent. */
static far_status learn(double *out, const char *what, far_error *error) {
  far__learning_def def = far__learning_def_default();
  far__learning *x = NULL;
  far_report *report = NULL;
  far_mdp *mdp;
  far_status status = far_mdp_create(&mdp, "chain:n=4", error);
  def.mdp = mdp;
  def.agent = what;
  def.steps = 20;
  if (status == FAR_OK) status = far__learning_create(&x, &def, error);
  if (status == FAR_OK) status = far_report_create(&report, "learning", error);
  if (status == FAR_OK) {
    far__learning_report(x, report);
    status = finish(out, report, error);
  }
  far__learning_free(x);
  far_mdp_free(mdp);
  return status;
}

/* All figures of a run in the environment `what`. */
static far_status draw_learning(double *out, const char *what, far_error *error) {
  const far__learning_figure_def how = far__learning_figure_def_default();
  const far_figure_def format = far_figure_def_default();
  far__learning_def def = far__learning_def_default();
  far__learning *x = NULL;
  far_mdp *mdp;
  far_status status = far_mdp_create(&mdp, what, error);
  def.mdp = mdp;
  def.agent = "directed-delayed-q:m=2";
  def.steps = 20;
  if (status == FAR_OK) status = far__learning_create(&x, &def, error);
  for (int q = 0; status == FAR_OK && q < FAR__LEARNED_COUNT; q += 3) {
    far_figure *figure = NULL;
    far_buffer text = {0};
    status = far__learning_figure(&figure, x, (far__learned)q, &how, error);
    if (status == FAR_OK)
      status = far_figure_render(figure, &format, far_sink_buffer(&text), error);
    if (text.failed) status = error->code = FAR_STATUS_MEMORY;
    if (status == FAR_OK) *out += digest(text.bytes, text.length);
    far_buffer_free(&text);
    far_figure_free(figure);
  }
  far__learning_free(x);
  far_mdp_free(mdp);
  return status;
}

static void sweep_all(bool stores) {
  (void)stores;
  sweep(answer, "chain:n=3");
  sweep(answer, "frozen-lake");
  sweep(audit, "directed-delayed-q");
  sweep(audit, "r-max");
  sweep(guarantee, "chain:n=3");
  sweep(learn, "directed-delayed-q:m=2");
  sweep(learn_live, "delayed-q:m=2");
  sweep(draw_learning, "chain:n=3");
  sweep(draw_learning, "frozen-lake");
  sweep(draw_learning, "threearms");
  sweep(list_types, "");
  sweep(list_types, "r-max");
  sweep(list_theorems, "");
  sweep(list_theorems, "directed-delayed-q");
  sweep(render_page, "a <page>");
  sweep(fit_table, "env,q0,mean\nloop,3,1\nchain:n=4,,2\n");
}

int main(void) {
  return sweep_memory(sweep_all);
}
