/* The library while memory runs out: of every call here each allocation fails once, alone, and once
 * with all that follow. The call then gives the same result as ever, or MEMORY with a message; the address
 * sanitizer sees what it leaks. Only allocations of our own code fail; the command's tests
 * (cli/test_memory.py) add those of other libraries. */
#include <errno.h>
#include <stdatomic.h>

#include "figure/figure.h"
#include "horizons.h"
#include "plain-q.h"
#include "stores.h"

/* ---- the allocations ---- */

#ifdef FARSIGHT_WRAPPED_MALLOC
static atomic_long count, fails_at;
static atomic_bool goes_on;

static bool fails(void) {
  const long n = atomic_fetch_add(&count, 1) + 1, at = atomic_load(&fails_at);
  if (at == 0 || !(n == at || (n > at && atomic_load(&goes_on)))) return false;
  errno = ENOMEM;
  return true;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t number, size_t size);
void *__real_realloc(void *old, size_t size);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t number, size_t size);
void *__wrap_realloc(void *old, size_t size);
char *__wrap_strdup(const char *text);

void *__wrap_malloc(size_t size) {
  return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t number, size_t size) {
  return fails() ? NULL : __real_calloc(number, size);
}

void *__wrap_realloc(void *old, size_t size) {
  return fails() ? NULL : __real_realloc(old, size);
}

char *__wrap_strdup(const char *text) {
  return fails() ? NULL : __real_strdup(text);
}

/* ---- the calls ---- */

/* A number that stands for the result; `what` is the spec that the call is about. */
typedef far_status call(double *out, const char *what, far_error *error);

static double digest(const void *data, size_t length) {
  uint8_t hash[FAR_HASH_BYTES];
  far_hash(hash, data, length);
  double out = 0;
  for (int i = 0; i < 6; ++i) out = out * 256 + hash[i];
  return out;
}

static far_status make_model(double *out, const char *what, far_error *error) {
  far_mdp *mdp;
  char hash[FAR_HASH_TEXT];
  uint32_t unreached = 0, first;
  far_status status = far_mdp_create(&mdp, what, error);
  if (status != FAR_OK) return status;
  far_mdp_hash(hash, mdp);
  status = far_mdp_unreachable(mdp, &unreached, &first, error);
  const far_layout layout = far_mdp_layout(mdp);
  *out = digest(hash, strlen(hash)) + unreached + layout.width + (double)layout.n_walls;
  far_mdp_free(mdp);
  return status;
}

static far_status write_and_read(double *out, const far_mdp *mdp, far_format format,
                                 far_error *error) {
  char *text;
  size_t length;
  far_mdp *again = NULL;
  far_status status = far_mdp_print(&text, &length, mdp, format, 0.9, error);
  if (status != FAR_OK) return status;
  *out += digest(text, length);
  status = far_mdp_read(&again, text, length, format, error);
  far_mdp_free(again);
  free(text);
  if (status == FAR_OK) status = far_mdp_save(mdp, store_path("model"), format, 0.9, error);
  if (status == FAR_OK) status = far_mdp_load(&again, store_path("model"), format, error);
  if (status == FAR_OK) far_mdp_free(again);
  return status;
}

static far_status convert(double *out, const char *what, far_error *error) {
  far_mdp *mdp;
  far_status status = far_mdp_create(&mdp, what, error);
  for (int f = FAR_FORMAT_AUTO + 1; status == FAR_OK && far_format_name((far_format)f); ++f)
    status = write_and_read(out, mdp, (far_format)f, error);
  far_mdp_free(mdp);
  return status;
}

static far_status solve_discounted(double *out, const far_solver *solver, far_error *error) {
  far_solve_def def = far_solve_def_default();
  far_status status = FAR_OK;
  for (size_t m = 0; status == FAR_OK && far_method_name(m) != NULL; ++m) {
    far_solution x;
    def.method = (far_method)m;
    status = far_solver_discounted(&x, solver, &def, error);
    if (status != FAR_OK) break;
    *out += x.v[0];
    const far_policy policy = {.action = x.policy};
    far_solution y;
    status = far_solver_evaluate(&y, solver, &def, &policy, error);
    if (status == FAR_OK) *out += y.v[0];
    if (status == FAR_OK) far_solution_free(&y);
    far_effective ahead;
    if (status == FAR_OK && m == 0) status = far_solver_effective(&ahead, solver, &def, &x, error);
    if (status == FAR_OK && m == 0) *out += ahead.horizon;
    far_solution_free(&x);
  }
  return status;
}

/* The chains are those of the uniform policy, as episodes of a horizon, too. */
static far_status solve_measures(double *out, const far_mdp *mdp, const far_solver *solver,
                                 far_error *error) {
  const far_solve_def def = far_solve_def_default();
  far_mixing mixing;
  far_cover cover;
  far_norm norm;
  far_reciprocals gaps;
  far_horizon horizon;
  far_effective finite;
  far_mdp *unrolled = NULL;
  far_status status = far_solver_mixing(&mixing, solver, &def, NULL, error);
  if (status == FAR_OK) status = far_solver_cover(&cover, solver, &def, error);
  if (status == FAR_OK) status = far_mdp_unroll(&unrolled, mdp, 3, error);
  far_mdp_free(unrolled);
  if (status == FAR_OK) status = far_solver_horizon(&horizon, solver, 5, 1, error);
  if (status != FAR_OK) return status;
  status = far_horizon_norm(&norm, &horizon, mdp, error);
  if (status == FAR_OK) status = far_horizon_reciprocals(&gaps, &horizon, mdp, error);
  if (status == FAR_OK)
    status = far_solver_effective_finite(&finite, solver, &def, &horizon, error);
  far_horizon_free(&horizon);
  if (status == FAR_OK)
    *out += mixing.time + cover.hitting + norm.value + gaps.sum + finite.horizon;
  return status;
}

static far_status solve_others(double *out, const far_solver *solver, far_error *error) {
  const far_solve_def def = far_solve_def_default();
  far_average average;
  far_horizon horizon;
  far_structure structure;
  far_diameter diameter;
  far_status status = far_solver_average(&average, solver, &def, error);
  if (status != FAR_OK) return status;
  *out += average.gain;
  far_average_free(&average);
  if ((status = far_solver_horizon(&horizon, solver, 5, 1, error)) != FAR_OK) return status;
  *out += horizon.v[0];
  far_horizon_free(&horizon);
  if ((status = far_solver_structure(&structure, solver, error)) != FAR_OK) return status;
  *out += structure.n_classes;
  far_structure_free(&structure);
  status = far_solver_diameter(&diameter, solver, &def, error);
  if (status == FAR_OK && diameter.value < INFINITY) *out += diameter.value;
  return status;
}

/* A model as arrays, and back. */
static far_status copy_arrays(double *out, const char *what, far_error *error) {
  far_mdp *mdp, *copy = NULL;
  far_csr csr = far_csr_default(0, 0);
  char hash[FAR_HASH_TEXT];
  far_status status = far_mdp_create(&mdp, what, error);
  if (status == FAR_OK) status = far_mdp_to_csr(&csr, mdp, error);
  if (status == FAR_OK) status = far_mdp_from_csr(&copy, &csr, error);
  if (status == FAR_OK) far_mdp_hash(hash, copy);
  if (status == FAR_OK) *out = digest(hash, sizeof hash);
  far_csr_free(&csr);
  far_mdp_free(copy);
  far_mdp_free(mdp);
  return status;
}

static far_status solve(double *out, const char *what, far_error *error) {
  far_mdp *mdp;
  far_solver *solver = NULL;
  far_status status = far_mdp_create(&mdp, what, error);
  if (status == FAR_OK) status = far_solver_create(&solver, mdp, error);
  if (status == FAR_OK) status = solve_discounted(out, solver, error);
  if (status == FAR_OK) status = solve_others(out, solver, error);
  if (status == FAR_OK) status = solve_measures(out, mdp, solver, error);
  far_solver_free(solver);
  far_mdp_free(mdp);
  return status;
}

/* What takes many sweeps is solved by elimination. */
static far_status solve_slow(double *out, const char *what, far_error *error) {
  far_mdp *mdp;
  far_solver *solver = NULL;
  far_solution x = {0}, y = {0};
  far_diameter diameter = {0};
  far_solve_def def = far_solve_def_default();
  def.gamma = 0.999;
  far_status status = far_mdp_create(&mdp, what, error);
  if (status == FAR_OK) status = far_solver_create(&solver, mdp, error);
  if (status == FAR_OK) status = far_solver_discounted(&x, solver, &def, error);
  const far_policy policy = {.action = x.policy};
  if (status == FAR_OK) status = far_solver_evaluate(&y, solver, &def, &policy, error);
  if (status == FAR_OK) status = far_solver_diameter(&diameter, solver, &def, error);
  if (status == FAR_OK) *out = x.v[0] + y.v[0] + diameter.value;
  far_solution_free(&x);
  far_solution_free(&y);
  far_solver_free(solver);
  far_mdp_free(mdp);
  return status;
}

/* Against the current: three states back for one ahead, so that the diameter is for elimination. */
static far_status build_walk(far_mdp **out, uint32_t n, far_error *error) {
  far_mdp_builder *b;
  *out = NULL;
  far_status status = far_mdp_builder_create(&b, n, 1, error);
  if (status != FAR_OK) return status;
  for (uint32_t s = 0; s < n && status == FAR_OK; ++s) {
    status = far_mdp_builder_outcome(b, s, 0, 0.25, s + 1 < n ? s + 1 : s, 0, error);
    if (status == FAR_OK)
      status = far_mdp_builder_outcome(b, s, 0, 0.75, s > 0 ? s - 1 : 0, 1, error);
  }
  if (status == FAR_OK) status = far_mdp_builder_start(b, 0, 1, error);
  if (status == FAR_OK) return far_mdp_builder_finish(out, b, error);
  far_mdp_builder_free(b);
  return status;
}

static far_status solve_walk(double *out, const char *what, far_error *error) {
  far_mdp *mdp;
  far_solver *solver = NULL;
  far_diameter diameter = {0};
  const far_solve_def def = far_solve_def_default();
  (void)what;
  far_status status = build_walk(&mdp, 10, error);
  if (status == FAR_OK) status = far_solver_create(&solver, mdp, error);
  if (status == FAR_OK) status = far_solver_diameter(&diameter, solver, &def, error);
  *out = diameter.value;
  far_solver_free(solver);
  far_mdp_free(mdp);
  return status;
}

/* A model that is large enough to be shared by threads. */
static far_status solve_shared(double *out, const char *what, far_error *error) {
  far_mdp *mdp;
  far_solver *solver = NULL;
  far_solution x = {0};
  far_average average = {0};
  far_solve_def def = far_solve_def_default();
  def.max_sweeps = 2;
  def.threads = 2;
  far_status status = far_mdp_create(&mdp, what, error);
  if (status == FAR_OK) status = far_solver_create(&solver, mdp, error);
  if (status == FAR_OK) status = far_solver_discounted(&x, solver, &def, error);
  if (status == FAR_OK) status = far_solver_average(&average, solver, &def, error);
  if (status == FAR_OK) *out = x.v[0] + average.gain;
  far_solution_free(&x);
  far_average_free(&average);
  far_solver_free(solver);
  far_mdp_free(mdp);
  return status;
}

static far_status totals(double *out, const char *what, far_error *error) {
  far_mdp *mdp;
  double best = 0, random = 0;
  far_status status = far_mdp_create(&mdp, what, error);
  if (status == FAR_OK) status = far_solve_best_total(&best, mdp, 100, NULL, error);
  if (status == FAR_OK) status = far_solve_random_total(&random, mdp, 100, NULL, error);
  *out = best + random;
  far_mdp_free(mdp);
  return status;
}

/* One that peeks is made on a model. */
static far_status begin_walk(far_agent **out, const char *what, const far_shape *shape,
                             far_error *error) {
  far_mdp *mdp;
  const far_status status = far_agent_create(out, what, shape, 1, 0, error);
  if (status != FAR_STATUS_CONFLICT) return status;
  const far_status made = far_mdp_create(&mdp, "chain:n=7", error);
  if (made != FAR_OK) return made;
  const far_status told = far_agent_create_on(out, what, mdp, 1, 0, error);
  far_mdp_free(mdp);
  return told;
}

/* An agent that walks, is saved, loaded and restored. */
static far_status walk(double *out, const char *what, far_error *error) {
  const far_shape shape = shape_for(what, far_shape_default(7, 2));
  far_agent *agent, *other = NULL;
  const char *path = store_path("agent");
  far_status status = far_agent_check(what, &shape, NULL, NULL, error);
  if (status == FAR_OK) status = begin_walk(&agent, what, &shape, error);
  if (status != FAR_OK) return status;
  for (uint32_t t = 0; status == FAR_OK && t < 60; ++t) {
    const uint32_t s = t * 5 % 7, a = far_agent_act(agent, s);
    const bool done = t % 11 == 10 && far_agent_shape(agent)->episodic;
    const far_transition step = {s, a, (s + a) % 3 / 2.0, (s * 3 + a + t) % 7, done, false};
    status = far_agent_observe(agent, &step, error);
    *out += a;
  }
  if (status == FAR_OK) status = far_agent_save(agent, path, error);
  if (status == FAR_OK) status = far_agent_restore(agent, path, error);
  if (status == FAR_OK) status = far_agent_load(&other, path, error);
  if (status == FAR_OK) far_agent_free(other);
  if (status == FAR_OK) status = far_agent_clone(&other, agent, error);
  if (status == FAR_OK) far_agent_free(other);
  void *data = NULL;
  size_t size;
  if (status == FAR_OK) status = far_agent_save_memory(&data, &size, agent, error);
  if (status == FAR_OK) status = far_agent_load_memory(&other, data, size, error);
  if (status == FAR_OK) far_agent_free(other);
  far_free(data);
  far_agent_free(agent);
  return status;
}

/* Worlds are made once; nothing is allocated while they step. */
static far_status step_worlds(double *out, const char *what, far_error *error) {
  far_mdp *mdp;
  far_worlds *worlds = NULL;
  uint32_t actions[5] = {0}, states[5];
  far_status status = far_mdp_create(&mdp, what, error);
  if (status == FAR_OK) status = far_worlds_create(&worlds, mdp, 5, NULL, error);
  const long before = atomic_load(&count);
  if (status == FAR_OK) status = far_worlds_reset(worlds, NULL, states, error);
  for (int t = 0; status == FAR_OK && t < 50; ++t) {
    status = far_worlds_step(worlds, actions, states, NULL, NULL, NULL, NULL, error);
    *out += states[t % 5];
  }
  CHECK(atomic_load(&count) == before);
  far_worlds_free(worlds);
  far_mdp_free(mdp);
  return status;
}

/* A batch of three cells with this metric. */
static far_status run_cells(double *out, const far_mdp *mdp, const far_metric *metric,
                            unsigned threads, far_store *store, far_error *error) {
  const int64_t steps[] = {5, 20};
  const far_cell cells[] = {
      {.mdp = mdp, .agent = "delayed-q:m=2", .steps = 20, .checkpoints = steps, .n_checkpoints = 2},
      {.mdp = mdp, .agent = "psrl", .steps = 20},
      {.mdp = mdp, .agent = "plain-q", .steps = 20}};
  far_batch_def def = far_batch_def_default();
  far_batch *batch;
  def.cells = cells;
  def.n_cells = 3;
  def.runs = 3 * threads;
  def.threads = threads;
  def.metrics = &metric;
  def.n_metrics = metric != NULL;
  def.snapshots = 1;
  const far_status status = store != NULL ? far_store_run(&batch, store, &def, error)
                                          : far_batch_run(&batch, &def, error);
  if (status != FAR_OK) {
    CHECK(batch == NULL);
    return status;
  }
  for (size_t i = 0; i < 2; ++i) {
    const far_result *r = far_batch_result(batch, i);
    *out += r->mean + (double)r->runs;
    if (metric != NULL) *out += far_batch_metric(batch, i, 0)->mean;
  }
  far_batch_free(batch);
  return FAR_OK;
}

static far_status measure(double *out, const char *what, far_error *error) {
  far_mdp *mdp;
  far_metric *metric = NULL;
  const bool timed = far_spec_type(far_metric_type, what)->finite_horizon;
  far_status status = far_mdp_create(&mdp, timed ? "chain:n=4,horizon=5" : "chain:n=4", error);
  if (status == FAR_OK) status = far_metric_create(&metric, what, error);
  if (status == FAR_OK) status = run_cells(out, mdp, metric, 1, NULL, error);
  far_metric_free(metric);
  far_mdp_free(mdp);
  return status;
}

static far_status run_threads(double *out, const char *what, far_error *error) {
  far_mdp *mdp;
  far_status status = far_mdp_create(&mdp, what, error);
  if (status == FAR_OK) status = run_cells(out, mdp, NULL, 3, NULL, error);
  far_mdp_free(mdp);
  return status;
}

static far_status enlist(double *out, const char *what, far_error *error) {
  static int number;
  char name[24];
  far_agent_def def = plain_q_def();
  (void)what;
  snprintf(name, sizeof name, "swept-%d", number++);
  def.name = name;
  *out = 1;
  return far_agent_register(&def, error);
}

/* A report in every format, added to *out. The buffer that it goes to may run out of memory, too; to the
 * report that is any sink that fails. */
static far_status render(double *out, const far_report *report, far_error *error) {
  far_status status = FAR_OK;
  for (int f = 0; status == FAR_OK && far_report_format_name((far_report_format)f) != NULL; ++f) {
    far_buffer text = {0};
    far_render_def how = far_render_def_default();
    how.format = (far_report_format)f;
    how.ascii = true; /* which takes memory */
    status = far_report_render(report, &how, far_sink_buffer(&text), error);
    if (text.failed) status = error->code = FAR_STATUS_MEMORY;
    if (status == FAR_OK) *out += digest(text.bytes, text.length);
    far_buffer_free(&text);
  }
  return status;
}

/* The same of a report that is freed. */
static far_status finish(double *out, far_report *report, far_error *error) {
  const far_status status = render(out, report, error);
  far_report_free(report);
  return status;
}

/* One of every block that only pages need. */
static far_status render_page(double *out, const char *what, far_error *error) {
  far_report *report;
  far_figure *figure;
  far_status status = far_report_create(&report, "report", error);
  if (status != FAR_OK) return status;
  far_report_heading(report, 1, "%s", what);
  far_report_verdict(report, "term", "%s", what);
  far_report_environment(report, "a");
  far_report_heading(report, 2, "%s", what);
  far_report_command(report, "one\ntwo");
  far_report_environment(report, "b");
  far_table *t = far_report_table(report, "t");
  far_table_caption(t, "%s", what);
  far_table_column(t, "k", "k", FAR_COLUMN_INTERVAL);
  far_table_row(t);
  far_table_interval(t, 1, 2);
  far_report_figure(report, "f", "%s", what);
  for (int i = 0; i < 2 && status == FAR_OK; ++i) {
    status = far__figure_create(&figure, "test", 100, error);
    if (status == FAR_OK) far__figure_name(figure, what, "%s", what);
    if (status == FAR_OK) status = far__figure_finish(&figure, error);
    if (status == FAR_OK) far_report_view(report, figure, "view");
  }
  if (status == FAR_OK) return finish(out, report, error);
  far_report_free(report);
  return status;
}

/* A model solved as one question, and its report. */
static far_status answer_one(double *out, const far_model_solution_def *def, far_error *error) {
  far_model_solution *x = NULL;
  far_report *report = NULL;
  far_status status = far_model_solve(&x, def, error);
  if (status == FAR_OK) status = far_report_create(&report, "solve", error);
  if (status == FAR_OK) {
    far_model_solution_report(x, 4, report);
    status = finish(out, report, error);
  }
  far_model_solution_free(x);
  return status;
}

static far_status answer(double *out, const char *what, far_error *error) {
  far_model_solution_def def = far_model_solution_def_default();
  far_mdp *mdp = NULL;
  far_status status = far_mdp_create(&mdp, what, error);
  *out = 0;
  def.mdp = mdp;
  def.structure = true;
  def.horizon = 3;
  for (int kind = FAR_SOLVE_DISCOUNTED; kind <= FAR_SOLVE_AVERAGE && status == FAR_OK; ++kind) {
    if (kind == FAR_SOLVE_POLICY) continue; /* as the first */
    def.kind = (far_solve_kind)kind;
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
    if (status == FAR_OK) far_audit_report(found, &def, "chain:n=3", report);
    if (status == FAR_OK) status = finish(out, report, error);
    far_audit_free(found);
  }
  far_mdp_free(mdp);
  return status;
}

/* Guarantees on the environment `what`: all in a table, and each explained. */
static far_status guarantee(double *out, const char *what, far_error *error) {
  far_guarantees_def def = far_guarantees_def_default();
  far_guarantees *g = NULL;
  far_report *report;
  far_mdp *mdp;
  far_status status = far_mdp_create(&mdp, what, error);
  if (status == FAR_OK) {
    far_problem_from_model(&def.problem, mdp);
    def.mdp = mdp;
    def.steps = 1e15;
    status = far_guarantees_create(&g, &def, error);
  }
  for (int d = 0; status == FAR_OK && d <= FAR_GUARANTEES_EXPLAIN; ++d) {
    status = far_report_create(&report, "pac", error);
    if (status == FAR_OK) far_guarantees_report(g, (far_guarantees_detail)d, report);
    if (status == FAR_OK) status = finish(out, report, error);
  }
  far_guarantees_free(g);
  far_mdp_free(mdp);
  return status;
}

static far_status list_types(double *out, const char *what, far_error *error) {
  far_report *report;
  far_status status = far_report_create(&report, "list", error);
  if (status != FAR_OK) return status;
  far_types_report(far_agent_type, what[0] != '\0' ? far_spec_type(far_agent_type, what) : NULL,
                   report);
  return finish(out, report, error);
}

static far_status list_theorems(double *out, const char *what, far_error *error) {
  far_report *report;
  far_status status = far_report_create(&report, "list", error);
  if (status != FAR_OK) return status;
  far_theorems_report(far_theorem_find(what), report);
  return finish(out, report, error);
}

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
  status = far_store_values(&values, &replicates, &n, store, key, "curve@5", error);
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

static far_status study(double *out, const char *what, far_error *error) {
  far_study *s;
  char *text;
  far_status status = far_study_read(&s, what, strlen(what), NULL, 0, error);
  if (status != FAR_OK) return status;
  status = far_study_print(&text, s, error);
  if (status == FAR_OK) *out = digest(text, strlen(text));
  if (status == FAR_OK) free(text);
  far_study_free(s);
  return status;
}

static far_status scale(double *out, const char *what, far_error *error) {
  static const int64_t sizes[] = {3, 4, 5};
  const char *const agents[] = {"delayed-q:m=2", what};
  far_scaling_def def = far_scaling_def_default();
  far_scaling *s;
  far_report *report;
  def.env = "chain";
  def.sizes = sizes, def.n_sizes = 3;
  def.agents = agents, def.n_agents = 2;
  def.measure = FAR_SCALING_EARNED;
  def.runs = 3, def.max_steps = 1500, def.threads = 1;
  far_status status = far_scaling_create(&s, &def, error);
  if (status != FAR_OK) return status;
  status = far_scaling_run(s, error);
  if (status == FAR_OK) status = far_report_create(&report, "growth", error);
  if (status == FAR_OK) {
    far_scaling_report(s, report);
    status = render(out, report, error);
    *out = 1; /* the text has times, and so may take one allocation more or less */
    far_report_free(report);
  }
  far_scaling_free(s);
  return status;
}

/* What does not depend on the time that trials take. */
static far_status estimate(double *out, const char *what, far_error *error) {
  far_study *s;
  far_cost_def def = far_cost_def_default();
  far_cost *cost;
  far_status status = far_study_read(&s, what, strlen(what), NULL, 0, error);
  if (status != FAR_OK) return status;
  def.study = s;
  def.seconds = 0; /* no trial is begun, so that as much is allocated every time */
  status = far_cost_estimate(&cost, &def, error);
  if (status == FAR_OK) *out = cost->steps + (double)cost->runs;
  if (status == FAR_OK) far_cost_free(cost);
  far_study_free(s);
  return status;
}

/* There and back: copies are made and restored. */
static far_status play(double *out, const char *what, far_error *error) {
  far_mdp *mdp;
  far_player *player = NULL;
  far_player_def def = far_player_def_default();
  far_player_update update;
  bool found;
  const char *const agents[] = {what, "delayed-q:m=2"};
  far_status status = far_mdp_create(&mdp, "chain:n=3", error);
  if (status != FAR_OK) return status;
  def.mdp = mdp, def.agents = agents, def.n_agents = 2, def.steps = 100;
  status = far_player_create(&player, &def, error);
  if (status == FAR_OK) status = far_player_advance(player, 80, error);
  if (status == FAR_OK) status = far_player_seek(player, 40, error);
  if (status == FAR_OK) status = far_player_next_update(player, &update, &found, error);
  if (status == FAR_OK)
    *out = far_player_lane_of(player, 0)->total + far_player_lane_of(player, 1)->total +
           (double)far_player_t(player);
  far_player_free(player);
  far_mdp_free(mdp);
  return status;
}

static far_status tune_by(double *out, const char *method, const char *what, far_error *error) {
  far_mdp *mdp;
  far_tune *t;
  far_tune_def def = far_tune_def_default();
  far_status status = far_mdp_create(&mdp, "chain:n=3", error);
  const far_tune_cell cell = {.mdp = mdp, .low = 0, .high = 10};
  def.agent = what;
  def.cells = &cell;
  def.n_cells = 1;
  def.method = method;
  def.budget = 300;
  def.steps = 10;
  def.runs = def.evaluation = def.profile = 2;
  def.threads = 1;
  if (status == FAR_OK) status = far_tune_run(&t, &def, error);
  if (status == FAR_OK) {
    const far_tune_result *r = far_tune_result_of(t);
    *out = r->score.mean + r->gain + (double)r->candidates + digest(r->best, strlen(r->best));
    far_tune_free(t);
  }
  far_mdp_free(mdp);
  return status;
}

static far_status fit_table(double *out, const char *what, far_error *error) {
  far_fit_table *table;
  const far_status status = far_fit_table_read(&table, what, strlen(what), "f", error);
  if (status != FAR_OK) return status;
  for (size_t i = 0; i < table->n_targets; ++i)
    *out += table->targets[i].mean + digest(table->targets[i].with, strlen(table->targets[i].with));
  far_fit_table_free(table);
  return FAR_OK;
}

/* All formats of the report of a comparison. */
static far_status render_tuned(double *out, const far_tuned_comparison *c, far_error *error) {
  far_report *report;
  far_status status = far_report_create(&report, "tune", error);
  if (status != FAR_OK) return status;
  far_tuned_comparison_report(c, report);
  status = render(out, report, error);
  far_report_free(report);
  return status;
}

/* A figure as SVG, freed; `drawn` is what drawing it came to. */
static far_status draw(double *out, far_status drawn, far_figure *figure, far_error *error) {
  const far_figure_def def = far_figure_def_default();
  far_buffer text = {0};
  if (drawn != FAR_OK) return drawn;
  far_status status = far_figure_render(figure, &def, far_sink_buffer(&text), error);
  if (text.failed) status = error->code = FAR_STATUS_MEMORY;
  if (status == FAR_OK) *out += digest(text.bytes, text.length);
  far_buffer_free(&text);
  far_figure_free(figure);
  return status;
}

static far_status compare_tuned(double *out, const char *what, far_error *error) {
  const char *const agents[] = {what, "q-learning:epsilon=[0.1,0.3]"};
  far_mdp *mdp;
  far_tuned_comparison *c;
  far_tuned_comparison_def def = far_tuned_comparison_def_default();
  far_status status = far_mdp_create(&mdp, "chain:n=3", error);
  far_tune_cell cell = {.mdp = mdp};
  def.agents = agents;
  def.n_agents = 2;
  def.tune.cells = &cell;
  def.tune.n_cells = 1;
  def.tune.budget = 200;
  def.tune.steps = 10;
  def.tune.runs = def.tune.evaluation = def.tune.profile = 2;
  def.tune.threads = 1;
  if (status == FAR_OK) status = far_tune_cells_scale(&cell, 1, 10, NULL, error);
  if (status == FAR_OK) status = far_tuned_comparison_run(&c, &def, error);
  if (status == FAR_OK) {
    const far_plot_def how = far_plot_def_default();
    far_figure *figure = NULL;
    status = render_tuned(out, c, error);
    if (status == FAR_OK) status = far_tuned_comparison_figure(&figure, c, &how, error);
    status = draw(out, status, figure, error);
    far_tuned_comparison_free(c);
  }
  far_mdp_free(mdp);
  return status;
}

static far_status tune(double *out, const char *what, far_error *error) {
  return tune_by(out, "halving", what, error);
}

static far_status tune_by_nlopt(double *out, const char *what, far_error *error) {
  return tune_by(out, "crs", what, error);
}

static far_status statistics(double *out, const char *what, far_error *error) {
  const double x[] = {1, 4, 2, 8, 5, 7}, y[] = {3, 1, 4, 1, 5, 9}, p[] = {0.01, 0.3, 0.02};
  const far_sample both[] = {{x, 6}, {y, 6}};
  far_bootstrap_def def = far_bootstrap_def_default();
  far_estimate e;
  far_paired pairs;
  far_aggregate a;
  far_summary summary;
  double adjusted[3];
  (void)what;
  def.resamples = 100;
  far_status status = far_sample_summarise(&summary, x, 6, 0.95, error);
  if (status == FAR_OK) status = far_pairs_compare(&pairs, x, y, 6, &def, error);
  if (status == FAR_OK) status = far_improvement(&e, both, both + 1, 1, &def, error);
  if (status == FAR_OK) status = far_scores_aggregate(&a, both, 2, &def, error);
  if (status == FAR_OK) status = far_p_adjust(adjusted, p, 3, FAR_CORRECTION_HOLM, error);
  if (status != FAR_OK) return status;
  *out = summary.median + pairs.bootstrap.low + e.value + a.iqm.value + adjusted[0];
  return FAR_OK;
}

static far_status rank_samples(double *out, const char *what, far_error *error) {
  double x[45], y[45];
  const far_sample cells[] = {{x, 45}, {y, 45}, {x, 45}};
  far_ranking_def def = far_ranking_def_default();
  far_ranking *r;
  (void)what;
  def.first = 30;
  for (int i = 0; i < 45; ++i) x[i] = i % 4, y[i] = 1 - i % 3;
  far_status status = far_ranking_create(&r, &def, 1, 3, error);
  if (status == FAR_OK) status = far_ranking_look(r, cells, NULL, error);
  if (r != NULL && status == FAR_STATUS_MEMORY) status = far_ranking_look(r, cells, NULL, error);
  if (status == FAR_OK) status = far_ranking_compute(r, cells, error);
  if (status == FAR_OK)
    *out = far_ranking_pair_at(r, 0)->p + far_ranking_pair_at(r, 1)->p_adjusted +
           far_ranking_info_of(r).looks;
  far_ranking_free(r);
  return status;
}

/* The study `what` run until its agents are ranked, and its report. */
static far_status rank_study(double *out, const char *what, far_error *error) {
  const far_study_run_def def = {.threads = 1};
  far_study *s = NULL;
  far_results *results = NULL;
  far_report *report = NULL;
  far_status status = far_study_read(&s, what, strlen(what), NULL, 0, error);
  if (status == FAR_OK) status = far_study_run(&results, s, &def, error);
  if (status == FAR_OK) status = far_report_create(&report, "run", error);
  if (status == FAR_OK) far_results_report(results, report);
  if (status == FAR_OK) status = render(out, report, error);
  if (status == FAR_OK) *out = far_ranking_pair_at(results->ranking, 0)->p; /* the text has times */
  far_report_free(report);
  far_results_free(results);
  far_study_free(s);
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
  far_curves *curves = NULL;
  far_report *report = NULL;
  far_curves_def def = far_curves_def_default();
  def.per_step = true;
  def.choice.agents = agents;
  def.choice.agent_names = names;
  def.choice.n_agents = 1;
  far_status status = far_store_open(&store, what, FAR_STORE_READ, error);
  if (status == FAR_OK) status = far_curves_create(&curves, store, &def, error);
  if (status == FAR_OK) status = far_report_create(&report, "plot", error);
  if (status == FAR_OK) far_curves_report(curves, report);
  if (status == FAR_OK) status = render(out, report, error);
  far_report_free(report);
  far_curves_free(curves);
  far_store_close(store);
  return status;
}

/* Pairs of agents and profiles of the store `what`, and their report. */
static far_status compare_pairs(double *out, const char *what, far_error *error) {
  far_store *store = NULL;
  far_comparison *comparison = NULL;
  far_pairwise *pairs = NULL;
  far_profiles *profiles = NULL;
  far_report *report = NULL;
  far_comparison_def def = far_comparison_def_default();
  far_profiles_def how = far_profiles_def_default();
  def.quick = true;
  how.bootstrap.resamples = 100;
  how.n_scores = 5;
  far_status status = far_store_open(&store, what, FAR_STORE_READ, error);
  if (status == FAR_OK) status = far_comparison_create(&comparison, store, &def, error);
  if (status == FAR_OK) status = far_pairwise_create(&pairs, comparison, 0, error);
  if (status == FAR_OK) status = far_profiles_create(&profiles, comparison, 0, &how, error);
  if (status == FAR_OK) status = far_report_create(&report, "plot", error);
  if (status == FAR_OK) far_pairwise_report(pairs, report);
  if (status == FAR_OK) far_profiles_report(profiles, report);
  if (status == FAR_OK) status = render(out, report, error);
  far_report_free(report);
  far_profiles_free(profiles);
  far_pairwise_free(pairs);
  far_comparison_free(comparison);
  far_store_close(store);
  return status;
}

/* The page of the store `what`: failures while figures are made are not taken for figures that do not apply. */
static far_status write_page(double *out, const char *what, far_error *error) {
  static const char *const envs[] = {"chain:n=4"};
  far_store *store = NULL;
  far_report *report = NULL;
  far_page_def def = far_page_def_default();
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
  if (status == FAR_OK) status = far_store_page(report, store, &def, error);
  if (status == FAR_OK) status = render(out, report, error);
  far_report_free(report);
  far_store_close(store);
  return status;
}

/* What changed since another store. */
static far_status write_changes(double *out, const char *what, far_error *error) {
  far_store *before = NULL, *after = NULL;
  far_changes *changes = NULL;
  far_report *report = NULL;
  const far_changes_def def = far_changes_def_default();
  far_status status = far_store_open(&before, store_path("grid.db"), FAR_STORE_READ, error);
  if (status == FAR_OK) status = far_store_open(&after, what, FAR_STORE_READ, error);
  if (status == FAR_OK) status = far_changes_create(&changes, before, after, &def, error);
  if (status == FAR_OK) status = far_report_create(&report, "report", error);
  if (status == FAR_OK) status = far_changes_page(report, changes, error);
  if (status == FAR_OK) status = render(out, report, error);
  far_report_free(report);
  far_changes_free(changes);
  far_store_close(before);
  far_store_close(after);
  return status;
}

/* How the results in the store `what` depend on parameters, sizes and hardness, and the reports. */
static far_status relate(double *out, const far_comparison *c, far_report *report,
                         far_error *error) {
  const far_sensitivity_def parameters = far_sensitivity_def_default();
  const far_growth_curves_def sizes = far_growth_curves_def_default();
  const far_hardness_def models = far_hardness_def_default();
  const far_plot_def how = far_plot_def_default();
  far_figure *figure = NULL;
  far_sensitivity *sensitivity;
  far_growth_curves *growth;
  far_hardness *hardness;
  far_status status = far_sensitivity_create(&sensitivity, c, &parameters, error);
  if (status != FAR_OK) return status;
  far_sensitivity_report(sensitivity, report);
  status = far_sensitivity_figure(&figure, sensitivity, &how, error);
  status = draw(out, status, figure, error);
  far_sensitivity_free(sensitivity);
  if (status != FAR_OK) return status;
  if ((status = far_growth_curves_create(&growth, c, &sizes, error)) != FAR_OK) return status;
  far_growth_curves_report(growth, report);
  status = far_growth_curves_figure(&figure, growth, &how, error);
  status = draw(out, status, figure, error);
  far_growth_curves_free(growth);
  if (status != FAR_OK) return status;
  if ((status = far_hardness_create(&hardness, c, &models, error)) != FAR_OK) return status;
  far_hardness_report(hardness, report);
  status = far_hardness_figure(&figure, hardness, &how, error);
  status = draw(out, status, figure, error);
  far_hardness_free(hardness);
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

/* An agent as it is; `what` is its spec. */
static far_status learn_live(double *out, const char *what, far_error *error) {
  far_learning_def def = far_learning_def_default();
  far_learning *x = NULL;
  far_agent *agent = NULL;
  far_mdp *mdp;
  far_status status = far_mdp_create(&mdp, "chain:n=4", error);
  def.mdp = mdp;
  if (status == FAR_OK) status = far_agent_create_on(&agent, what, mdp, 1, 0, error);
  if (status == FAR_OK) status = far_learning_from_agent(&x, agent, NULL, &def, error);
  if (status == FAR_OK) *out = x->exact.v[0] + x->frames[0].q[0];
  far_learning_free(x);
  far_agent_free(agent);
  far_mdp_free(mdp);
  return status;
}

/* A run with what the agent knows on its way, and its report; `what` is the agent. */
static far_status learn(double *out, const char *what, far_error *error) {
  far_learning_def def = far_learning_def_default();
  far_learning *x = NULL;
  far_report *report = NULL;
  far_mdp *mdp;
  far_status status = far_mdp_create(&mdp, "chain:n=4", error);
  def.mdp = mdp;
  def.agent = what;
  def.steps = 20;
  if (status == FAR_OK) status = far_learning_create(&x, &def, error);
  if (status == FAR_OK) status = far_report_create(&report, "learning", error);
  if (status == FAR_OK) {
    far_learning_report(x, report);
    status = finish(out, report, error);
  }
  far_learning_free(x);
  far_mdp_free(mdp);
  return status;
}

/* All figures of a run in the environment `what`. */
static far_status draw_learning(double *out, const char *what, far_error *error) {
  const far_learning_figure_def how = far_learning_figure_def_default();
  const far_figure_def format = far_figure_def_default();
  far_learning_def def = far_learning_def_default();
  far_learning *x = NULL;
  far_mdp *mdp;
  far_status status = far_mdp_create(&mdp, what, error);
  def.mdp = mdp;
  def.agent = "directed-delayed-q:m=2";
  def.steps = 20;
  if (status == FAR_OK) status = far_learning_create(&x, &def, error);
  for (int q = 0; status == FAR_OK && q < FAR_LEARNED_COUNT; q += 3) {
    far_figure *figure = NULL;
    far_buffer text = {0};
    status = far_learning_figure(&figure, x, (far_learned)q, &how, error);
    if (status == FAR_OK)
      status = far_figure_render(figure, &format, far_sink_buffer(&text), error);
    if (text.failed) status = error->code = FAR_STATUS_MEMORY;
    if (status == FAR_OK) *out += digest(text.bytes, text.length);
    far_buffer_free(&text);
    far_figure_free(figure);
  }
  far_learning_free(x);
  far_mdp_free(mdp);
  return status;
}

/* The first run of the store `what` again. */
static far_status learn_again(double *out, const char *what, far_error *error) {
  const far_learning_def def = far_learning_def_default();
  far_store *store = NULL;
  far_learning *x = NULL;
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
    status = far_learning_from_store(&x, store, key, &def, error);
  }
  if (status == FAR_OK) *out = x->total;
  far_learning_free(x);
  far_learning_cell cell;
  const far_comparison_def choice = far_comparison_def_default();
  if (status == FAR_OK) status = far_learning_find(&cell, store, &choice, 0, error);
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
  const far_store_contents_def def = {.name = "e.db", .most_rows = 2};
  far_store *store;
  far_store_report found;
  far_report *report = NULL;
  far_status status = far_store_open(&store, what, FAR_STORE_READ, error);
  for (int k = 0; k < 2 && status == FAR_OK; ++k) {
    status = far_report_create(&report, "store", error);
    if (status != FAR_OK) break;
    status = k == 0 ? far_store_contents_report(store, &def, report, error)
                    : far_store_check_report(&found, store, "e.db", report, error);
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
  far_follower_def def = far_follower_def_default();
  far_study *study = NULL;
  far_follower *follower = NULL;
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
  if (status == FAR_OK) status = far_follower_create(&follower, &def, error);
  if (status == FAR_OK) status = far_follower_poll(follower, store, 1e9, error);
  if (follower != NULL && status == FAR_STATUS_MEMORY)
    status = far_follower_poll(follower, store, 1e9, error);
  if (status == FAR_OK) {
    const far_store_progress *seen = far_follower_seen(follower);
    *out = (double)(seen->runs + 1000 * seen->done + (int64_t)seen->n_cells) +
           seen->cells[seen->n_cells - 1].mean +
           (double)strlen(seen->cells[seen->n_cells - 1].agent);
  }
  far_follower_free(follower);
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

/* ---- the sweep ---- */

static void try_once(call *f, const char *what, long at, bool on, double right) {
  far_error error = {.code = FAR_OK};
  double out = 0;
  atomic_store(&count, 0);
  atomic_store(&goes_on, on);
  atomic_store(&fails_at, at);
  const far_status status = f(&out, what, &error);
  atomic_store(&fails_at, 0);
  const bool good = status == FAR_OK
                        ? out == right
                        : status == FAR_STATUS_MEMORY && error.code == FAR_STATUS_MEMORY &&
                              error.message[0] != '\0';
  CHECK(good);
  if (!good)
    printf("  %s, allocation %ld%s: status %d, %s, %.17g, expected %.17g\n", what, at,
           on ? " and on" : "", (int)status, error.message, out, right);
}

enum { MOST_POINTS = 100 };

/* Some points, always the same, where there are many. */
static void sweep(call *f, const char *what) {
  far_error error;
  double right = 0;
  atomic_store(&count, 0);
  const far_status status = f(&right, what, &error);
  if (status == FAR_STATUS_ABSENT) return;
  CHECK(status == FAR_OK && right == right);
  if (status != FAR_OK) printf("  %s: %s\n", what, error.message);
  const long all = atomic_load(&count), stride = (all + MOST_POINTS - 1) / MOST_POINTS;
  CHECK(all > 0);
  for (long at = 1; status == FAR_OK && at <= all; at += stride) {
    try_once(f, what, at, false, right);
    try_once(f, what, at, true, right);
  }
}

static const char theirs[] = "env,agent,steps,seed,replicate,series,step,value\n"
                             "chain:n=4,mine,30,1,0,total,,1.5\nchain:n=4,mine,30,1,0,curve,5,0.5\n"
                             "loop,mine,30,1,1,total,,3\n";

/* A grid of a parameter, on three sizes. */
static const char a_grid[] =
    "env,agent,steps,seed,value\n"
    "chain:n=3,x:a=1,30,1,1\nchain:n=4,x:a=1,30,1,2\nchain:n=5,x:a=1,30,1,4\n"
    "chain:n=3,x:a=2,30,1,2\nchain:n=4,x:a=2,30,1,2\nchain:n=5,x:a=2,30,1,2\n";

static const char a_study[] = "name: short\nsteps: 30\nruns: 3\nenvironments:\n"
                              "  - chain: {n: [3, 4], slip: 0.1..0.3 step 0.1}\n  - loop\n"
                              "agents:\n  - delayed-q: {m: [2, 3]}\n  - psrl\n"
                              "metrics: [coverage]\ncurve: log 3\nuntil: ci=10%\n";

static void sweep_all(bool stores) {
  const far_agent_def guest = plain_q_def();
  CHECK(far_agent_register(&guest, NULL) == FAR_OK);
  for (size_t i = 0; far_mdp_family(i) != NULL; ++i)
    if (!far_mdp_family(i)->bare) sweep(make_model, far_mdp_family(i)->name);
  sweep(convert, "chain:n=3");
  sweep(convert, "frozen-lake");
  sweep(copy_arrays, "frozen-lake");
  sweep(solve, "chain:n=4");
  sweep(solve, "frozen-lake");
  sweep(solve_slow, "chain:n=40");
  sweep(solve_walk, "");
  sweep(solve_shared, "chain:n=16500");
  sweep(answer, "chain:n=6");
  sweep(answer, "frozen-lake");
  sweep(totals, "chain:n=4");
  for (size_t i = 0; far_agent_type(i) != NULL; ++i) sweep(walk, far_agent_type(i)->name);
  sweep(step_worlds, "frozen-lake");
  for (size_t i = 0; far_metric_type(i) != NULL; ++i) {
    const char *name = far_metric_type(i)->name;
    sweep(measure,
          strcmp(name, "loss") == 0 ? "loss:gamma=0.5" : name); /* whose returns are short */
  }
  sweep(run_threads, "chain:n=4");
  sweep(enlist, "");
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
  sweep(statistics, "");
  sweep(rank_samples, "");
  sweep(study, a_study);
  sweep(rank_study,
        "steps: 20\nruns: 45\nenvironments: [loop]\nagents: [psrl, delayed-q]\nuntil: rank=5%\n");
  sweep(scale, "psrl");
  sweep(estimate, a_study);
  sweep(play, "r-max");
  sweep(tune, "delayed-q:m=[1..3],eps1=[0.1,0.2]");
  sweep(tune, "q-learning:explore=[epsilon,softmax],epsilon=[0.1..0.5]");
  sweep(render_page, "a <page>");
  sweep(fit_table, "env,q0,mean\nloop,3,1\nchain:n=4,,2\n");
  sweep(compare_tuned, "delayed-q:m=[1..3],eps1=[0.1,0.2]");
  sweep(tune_by_nlopt, "q-learning:alpha=[0.1..1],epsilon=[0.1..0.5]");
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
#endif

int main(void) {
#ifdef FARSIGHT_WRAPPED_MALLOC
  sweep_all(stores_begin());
  return stores_end();
#else
  puts("nothing was tested: the linker cannot wrap malloc");
  return 0;
#endif
}
