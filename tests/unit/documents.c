/* Guarantees, listings, audits and stores as documents: what the command prints, without the command. */
#include "stores.h"

#include "base/json.h"
#include "farsight/lab.h"
#include "questions/audit/audit-report.h"
#include "questions/guarantees/guarantees.h"
#include "questions/listing/dependencies.h"
#include "questions/listing/listing.h"
#include "questions/store/store-report.h"

static far_report *new_report(void) {
  far_report *report;
  CHECK(far_report_create(&report, "test", NULL) == FAR_OK);
  return report;
}

/* Renders and frees a report. */
static far_buffer finish(far_report *report, far_report_format format, const char *table) {
  far_buffer out = {0};
  far_render_def def = far_render_def_default();
  def.format = format;
  def.table = table;
  CHECK(far_report_render(report, &def, far_sink_buffer(&out), NULL) == FAR_OK);
  far_report_free(report);
  return out;
}

static void check_has(far_report *report, far_report_format format, const char *table,
                      const char *part) {
  far_buffer out = finish(report, format, table);
  CHECK_CONTAINS(out.bytes, part);
  far_buffer_free(&out);
}

/* ---- guarantees ---- */

static void test_problem(void) {
  far_mdp *mdp;
  far_problem p = far_problem_default(1, 1);
  CHECK(far_mdp_create(&mdp, "cliff-walking", NULL) == FAR_OK);
  far__problem_from_model(&p, mdp);
  CHECK(p.episodic && p.actions == 4 && p.range == 100); /* -100 to 0, which an end is worth */
  CHECK(p.gamma == 0.95);
  far_mdp_free(mdp);
  p.episodic = false;
  far__problem_set_range(&p, 2, 5);
  CHECK(p.range == 3);
  p.episodic = true;
  far__problem_set_range(&p, 2, 5);
  CHECK(p.range == 5);
}

static void test_guarantees(void) {
  far__guarantees_def def = far__guarantees_def_default();
  far__guarantees *g;
  far_error error;
  CHECK(far__guarantees_create(&g, &def, &error) == FAR_STATUS_RANGE && g == NULL); /* no states */
  def.problem.states = 10;
  def.problem.actions = 2;
  def.steps = 1e15;
  CHECK(far__guarantees_create(&g, &def, &error) == FAR_OK);
  CHECK(g->all && !g->computed && g->env == NULL && g->at_steps != NULL);
  CHECK_NEAR(g->problem.eps, 2, 1e-12); /* 0.1 Vmax */
  far_report *report = new_report();
  far__guarantees_report(g, FAR__GUARANTEES_TABLE, report);
  check_has(report, FAR_REPORT_TEXT, NULL, "least eps");
  report = new_report();
  far__guarantees_report(g, FAR__GUARANTEES_TABLE, report);
  check_has(report, FAR_REPORT_CSV, "quantities",
            "theorem,quantity,value,unit,meaning,log10,formula");
  report = new_report();
  far__guarantees_report(g, FAR__GUARANTEES_TABLE, report);
  check_has(report, FAR_REPORT_JSON, NULL, "\"diameter\":");
  report = new_report();
  far__guarantees_report(g, FAR__GUARANTEES_EXPLAIN, report);
  check_has(report, FAR_REPORT_TEXT, NULL, "Where print and proof disagree");
  far__guarantees_free(g);
}

static bool count_calls(void *user, int64_t sweeps, double error) {
  (void)sweeps, (void)error;
  return ++*(int *)user < 2;
}

static void test_diameter(void) {
  far__guarantees_def def = far__guarantees_def_default();
  const far_theorem *ucrl2;
  far__guarantees *g;
  far_error error;
  far_mdp *mdp;
  CHECK(far_mdp_create(&mdp, "chain:n=5", NULL) == FAR_OK);
  CHECK(far__theorem_named(&ucrl2, "ucrl2", &error) == FAR_OK);
  far__problem_from_model(&def.problem, mdp);
  def.mdp = mdp;
  CHECK(far__guarantees_create(&g, &def, &error) == FAR_OK);
  CHECK(g->computed && g->problem.diameter > 1);
  far__guarantees_free(g);
  int calls = 0; /* the second stops the work */
  def.progress = count_calls;
  def.user = &calls;
  CHECK(far__guarantees_create(&g, &def, &error) == FAR_STATUS_CANCELLED && g == NULL &&
        calls == 2);
  def.progress = NULL;
  def.most_states = 4; /* too many to compute it: a gap among all, an error if it is asked for */
  CHECK(far__guarantees_create(&g, &def, &error) == FAR_OK && !g->computed);
  far__guarantees_free(g);
  def.theorems = &ucrl2;
  def.n_theorems = 1;
  CHECK(far__guarantees_create(&g, &def, &error) == FAR_STATUS_CONFLICT && g == NULL);
  def.problem.diameter = 7;
  CHECK(far__guarantees_create(&g, &def, &error) == FAR_OK && g->count == 1 && !g->all);
  CHECK(g->at_eps[0].applies && !g->computed);
  far__guarantees_free(g);
  far_mdp_free(mdp);
}

static void test_names(void) {
  const far_theorem *t;
  far_error error;
  CHECK(far__theorem_named(&t, "rmax", &error) == FAR_STATUS_UNKNOWN && t == NULL);
  CHECK_CONTAINS(error.message, "did you mean 'r-max'?");
  CHECK(far__theorem_named(&t, "q-learning", &error) == FAR_STATUS_UNKNOWN);
  CHECK_CONTAINS(error.message, "no theorem on 'q-learning'");
}

/* ---- listings ---- */

static void test_listings(void) {
  far_report *report = new_report();
  far__types_report(far_agent_type, NULL, report);
  check_has(report, FAR_REPORT_CSV, NULL, "name,summary,learns,guarantee,reference\n");
  report = new_report();
  far__types_report(far_agent_type, NULL, report);
  far_buffer csv = finish(report, FAR_REPORT_CSV, NULL);
  CHECK_CONTAINS(csv.bytes, ",a model,");
  CHECK_CONTAINS(csv.bytes, ",values,");
  CHECK_CONTAINS(csv.bytes, ",nothing: is told the model,");
  far_buffer_free(&csv);
  report = new_report();
  far__types_report(far_metric_type, far_spec_type(far_metric_type, "regret"), report);
  check_has(report, FAR_REPORT_TEXT, NULL, "Better: lower\n\nKeys:\n");
  report = new_report();
  far__types_report(far_mdp_family, NULL, report);
  check_has(report, FAR_REPORT_JSON, NULL, "\"types\":[");
  report = new_report();
  far__theorems_report(far_theorem_find("r-max"), report);
  check_has(report, FAR_REPORT_MARKDOWN, NULL, "##### Statement\n");
}

/* ---- libraries of others ---- */

static size_t list_dependencies(far__dependency *list, size_t room) {
  size_t n = 0;
  while (n < room && far__dependency_at(&list[n], n)) ++n;
  return n;
}

static void test_dependencies(void) {
  far__dependency list[16];
  const size_t n = list_dependencies(list, 16);
  CHECK(n >= 4 && n < 16);
  for (size_t i = 0; i < n; ++i) {
    CHECK(list[i].use[0] != '\0' && list[i].licence[0] != '\0');
    CHECK((list[i].built[0] != '\0') == (list[i].running[0] != '\0'));
  }
  list[0] = (far__dependency){.name = "none", .use = "nothing", .licence = "MIT"};
  list[1] = (far__dependency){"one", "much", "ISC", "1.2", "1.3"};
  far_report *report = new_report();
  far__dependencies_report(list, 2, report);
  check_has(report, FAR_REPORT_CSV, NULL,
            "name,built,running,licence,use\nnone,,,MIT,nothing\none,1.2,1.3,ISC,much\n");
  report = new_report();
  far__dependencies_report(list, 2, report);
  check_has(report, FAR_REPORT_TEXT, NULL, "none     not in this build  –        MIT");
  far_buffer out = {0};
  far__json json;
  far__json_begin(&json, far_sink_buffer(&out));
  far__dependencies_write(list, 1, &json, NULL);
  CHECK_CONTAINS(out.bytes, "{\"name\":\"none\",\"built\":null,\"running\":null,");
  far_buffer_free(&out);
}

/* ---- audits ---- */

static void test_audit(void) {
  far_audit_def def = far_audit_def_default();
  far_audit *audit;
  far_mdp *mdp;
  CHECK(far_mdp_create(&mdp, "chain:n=4", NULL) == FAR_OK);
  def.mdp = mdp;
  def.agent = "directed-delayed-q:clamp=off";
  def.steps = 1000;
  def.runs = 5;
  CHECK(far_audit_run(&audit, &def, NULL) == FAR_OK);
  CHECK(far__audit_violated(audit));
  far_report *report = new_report();
  far__audit_report(audit, &def, "chain:n=4", report);
  far_buffer text = finish(report, FAR_REPORT_TEXT, NULL);
  CHECK_CONTAINS(text.bytes, "again: farsight audit -e 'chain:n=4' \\\n");
  CHECK_CONTAINS(text.bytes, "         q_before 20, q_after 20.0003536\n");
  far_buffer_free(&text);
  report = new_report();
  far__audit_report(audit, &def, "chain:n=4", report);
  check_has(report, FAR_REPORT_CSV, "counts", "name,total,meaning\n");
  far_audit_free(audit);
  far_mdp_free(mdp);
}

/* ---- stores ---- */

static bool never(void *user) {
  (void)user;
  return false;
}

static void test_store(void) {
  far__store_contents_def def = {.name = "s.db", .most_rows = 1};
  far_store *store = open_store("s.db", FAR_STORE_WRITE);
  far_import_report imported;
  far_store_report found;
  far_error error;
  FILE *file = fopen(store_path("in.csv"), "w");
  CHECK(file != NULL && fputs("env,agent,seed,series,step,value\nx,a,1,total,,2\nx,b,1,total,,3\n"
                              "x,b,1,curve,5,1\nx,b,1,curve,6,1\n",
                              file) >= 0);
  CHECK(fclose(file) == 0);
  CHECK(far_store_import(&imported, store, store_path("in.csv"), NULL) == FAR_OK);
  far_report *report = new_report();
  CHECK(far__store_contents_report(store, &def, report, &error) == FAR_OK);
  far_buffer out = finish(report, FAR_REPORT_TEXT, NULL);
  CHECK_CONTAINS(out.bytes, "s.db: 2 cells, 2 runs");
  CHECK_CONTAINS(out.bytes, "... and 1 more cell; JSON lists all.");
  CHECK_CONTAINS(out.bytes, "Series: total, curve (2 steps)\n");
  far_buffer_free(&out);
  report = new_report(); /* of JSON nothing is left out */
  CHECK(far__store_contents_report(store, &def, report, &error) == FAR_OK);
  out = finish(report, FAR_REPORT_JSON, NULL);
  CHECK_CONTAINS(out.bytes, "\"agent\":\"a\"");
  CHECK_CONTAINS(out.bytes, "\"agent\":\"b\"");
  CHECK_CONTAINS(out.bytes, "\"series\":[\"total\",\"curve@5\",\"curve@6\"]");
  CHECK_CONTAINS(out.bytes, "\"sessions\":[\n {\"version\":\"" FAR_VERSION_TEXT "\"");
  far_buffer_free(&out);
  def.most_rows = 0;
  report = new_report();
  CHECK(far__store_contents_report(store, &def, report, &error) == FAR_OK);
  check_has(report, FAR_REPORT_CSV, "series", "series\ntotal\ncurve@5\ncurve@6\n");
  def.proceeds = never;
  report = new_report();
  CHECK(far__store_contents_report(store, &def, report, &error) == FAR_STATUS_CANCELLED);
  far_report_free(report);
  report = new_report();
  CHECK(far__store_check_report(&found, store, "s.db", report, &error) == FAR_OK);
  CHECK(found.faults == 0);
  check_has(report, FAR_REPORT_TEXT, NULL, "4 numbers; nothing is wrong\n  results ");
  far_store_close(store);
}

/* Lists as arrays of objects: all, or one. */
static void test_lists(void) {
  far_buffer out = {0};
  far__json j;
  far__json_begin(&j, far_sink_buffer(&out));
  far__json_object(&j, NULL);
  far__types_write(far_agent_type, far_agent_type(0), &j, "agents");
  far__theorems_write(far_theorem_at(0), &j, "theorems");
  far__json_end(&j);
  CHECK(!j.failed && out.bytes != NULL);
  if (out.bytes != NULL) {
    CHECK_CONTAINS(out.bytes, "\"agents\":[");
    CHECK_CONTAINS(out.bytes, far_agent_type(0)->name);
    CHECK_CONTAINS(out.bytes, "\"theorems\":[");
    CHECK(strstr(out.bytes, far_agent_type(3)->name) == NULL);
  }
  far_buffer_free(&out);
}

int main(void) {
  test_lists();
  test_problem();
  test_guarantees();
  test_diameter();
  test_names();
  test_listings();
  test_dependencies();
  test_audit();
  if (stores_begin()) test_store();
  return stores_end();
}
