/* Growth with size from a store and from a scaling study: the numbers against functions of statistics.h and
 * statistics/growth.h called directly, which environments are a family, censored times, and the report. */
#include "base/number.h"
#include "questions/growth/growth-curves.h"
#include "questions/growth/scaling.h"
#include "statistics/growth.h"
#include "stores.h"

static const char *const envs[] = {"chain:n=3",          "chain:n=6",          "chain:n=4",
                                   "chain:n=4,slip=0.1", "chain:n=8,slip=0.1", "garnet:seed=1",
                                   "garnet:seed=2",      "riverswim"};
static const char *const agents[] = {"q-learning", "delayed-q:m=2"};
enum { N_ENVS = sizeof envs / sizeof *envs, RUNS = 8, STEPS = 400 };

static void make_store(const char *name) {
  far_mdp *mdps[N_ENVS];
  far_metric *metric;
  far_cell cells[2 * N_ENVS];
  far_batch_def def = far_batch_def_default();
  CHECK(far_metric_create(&metric, "earned:fraction=0.5", NULL) == FAR_OK);
  for (int e = 0; e < N_ENVS; ++e) CHECK(far_mdp_create(&mdps[e], envs[e], NULL) == FAR_OK);
  for (int i = 0; i < 2 * N_ENVS; ++i)
    cells[i] = (far_cell){.mdp = mdps[i / 2], .agent = agents[i % 2], .steps = STEPS};
  def.cells = cells;
  def.n_cells = 2 * N_ENVS;
  def.metrics = (const far_metric *const *)&metric;
  def.n_metrics = 1;
  def.runs = RUNS;
  def.threads = 1;
  run_through(name, &def);
  for (int e = 0; e < N_ENVS; ++e) far_mdp_free(mdps[e]);
  far_metric_free(metric);
}

static far_comparison *compare(const char *name, const char *series) {
  far_comparison_def def = far_comparison_def_default();
  far_comparison *out = NULL;
  def.bootstrap.resamples = 100;
  def.series = series;
  far_store *store = open_store(name, FAR_STORE_READ);
  CHECK(far_comparison_create(&out, store, &def, NULL) == FAR_OK);
  far_store_close(store);
  return out;
}

static const far_comparison_cell *cell_of(const far_comparison *c, const char *env,
                                          const char *agent) {
  const far_comparison_group *g = &c->groups[0];
  for (size_t i = 0; i < g->n_envs * g->n_agents; ++i)
    if (strcmp(g->envs[i / g->n_agents].label, env) == 0 &&
        strcmp(g->agents[i % g->n_agents].label, agent) == 0)
      return &g->cells[i];
  printf("  no %s on %s\n", agent, env);
  return NULL;
}

static bool same_fit(const far__fit *a, const far__fit *b) {
  return a->fitted == b->fitted && (!a->fitted || (a->scale == b->scale && a->power == b->power &&
                                                   a->rate == b->rate && a->spread == b->spread));
}

static const far__growth_family *family_of(const far__growth_curves *x, const char *env) {
  for (size_t i = 0; i < x->n_families; ++i)
    if (strcmp(x->families[i].env, env) == 0) return &x->families[i];
  return NULL;
}

/* ---- means ---- */

static void check_curve(const far__growth_curve *curve, const far_comparison *c) {
  static const double sizes[] = {3, 4, 6};
  double values[3];
  far__growth fit;
  for (size_t i = 0; i < 3; ++i) {
    char env[40];
    double sum = 0;
    snprintf(env, sizeof env, "chain:n=%g", sizes[i]);
    /* beside chains that slip, those that do not are said to */
    const far_comparison_cell *cell = NULL;
    const far_comparison_group *g = &c->groups[0];
    for (size_t k = 0; k < g->n_envs * g->n_agents && cell == NULL; ++k)
      if (strncmp(g->envs[k / g->n_agents].label, env, strlen(env)) == 0 &&
          strstr(g->envs[k / g->n_agents].label, "slip=0.1") == NULL &&
          strcmp(g->agents[k % g->n_agents].label, curve->agent) == 0)
        cell = &g->cells[k];
    CHECK(cell != NULL);
    if (cell == NULL) return;
    for (int64_t k = 0; k < cell->runs; ++k) sum += cell->values[k];
    values[i] = sum / RUNS;
    CHECK_NEAR(curve->points[i].value, values[i], 1e-9);
    CHECK(curve->points[i].low == cell->summary.low && curve->points[i].runs == RUNS);
    values[i] = curve->points[i].value;
  }
  CHECK(curve->fit.fitted && curve->fit.growth.points == 3);
  CHECK(far__growth_fit(&fit, sizes, values, 3, NULL) == FAR_OK);
  CHECK(same_fit(&fit.laws[0], &curve->fit.growth.laws[0]));
  CHECK(same_fit(&fit.laws[1], &curve->fit.growth.laws[1]));
  const far__fit *law = &fit.laws[FAR__LAW_POLYNOMIAL];
  CHECK_NEAR(far__law_at(law, 5) / (law->scale * pow(5, law->power)), 1, 1e-12);
}

static void test_means(void) {
  const far__growth_curves_def def = far__growth_curves_def_default();
  far_comparison *c = compare("sizes.db", "total");
  far__growth_curves *x;
  CHECK(far__growth_curves_create(&x, c, &def, NULL) == FAR_OK);
  CHECK(x->n_families == 2 && !x->times && !x->lower && x->level == 0.95);
  CHECK_TEXT(x->quantity, "total");
  const far__growth_family *slips = family_of(x, "chain:slip=0.1"), *plain = &x->families[0];
  if (plain == slips) plain = &x->families[1];
  CHECK(slips != NULL && slips->n_sizes == 2 && slips->sizes[0] == 4 && slips->sizes[1] == 8);
  CHECK(slips->n_curves == 2 && !slips->curves[0].fit.fitted);
  CHECK(plain->n_sizes == 3 && plain->sizes[0] == 3 && plain->sizes[2] == 6);
  CHECK(plain->n_curves == 2);
  CHECK_TEXT(plain->key, "n");
  for (size_t j = 0; j < 2; ++j) check_curve(&plain->curves[j], c);
  far_comparison_free(c);
  CHECK(strlen(plain->curves[1].agent) > 0); /* its own copy */
  far__growth_curves_free(x);
  far__growth_curves_free(NULL);
}

/* A seed is no size, unless one asks for it. */
static void test_keys(void) {
  far__growth_curves_def def = far__growth_curves_def_default();
  far_comparison *c = compare("sizes.db", "total");
  far__growth_curves *x;
  far_error error;
  def.key = "seed";
  CHECK(far__growth_curves_create(&x, c, &def, NULL) == FAR_OK);
  CHECK(x->n_families == 1 && x->families[0].n_sizes == 2);
  CHECK_TEXT(x->families[0].env, "garnet");
  far__growth_curves_free(x);
  def.key = "width";
  CHECK(far__growth_curves_create(&x, c, &def, &error) == FAR_STATUS_UNKNOWN && x == NULL);
  CHECK_CONTAINS(error.message, "'width'");
  def.key = NULL;
  def.group = 1;
  CHECK(far__growth_curves_create(&x, c, &def, &error) == FAR_STATUS_RANGE && x == NULL);
  far_comparison_free(c);
}

/* ---- times ---- */

static void test_times(void) {
  const far__growth_curves_def def = far__growth_curves_def_default();
  far_comparison *c = compare("sizes.db", "earned:fraction=0.5");
  far__growth_curves *x;
  size_t censored = 0;
  CHECK(far__growth_curves_create(&x, c, &def, NULL) == FAR_OK);
  CHECK(x->times && x->lower && x->n_families == 2);
  const far__growth_family *f = family_of(x, "chain:slip=0.1");
  for (size_t j = 0; j < f->n_curves; ++j)
    for (size_t i = 0; i < 2; ++i) {
      const far__growth_point *p = &f->curves[j].points[i];
      const char *env = i == 0 ? "chain:n=4,slip=0.1" : "chain:n=8,slip=0.1";
      const far_comparison_cell *cell = cell_of(c, env, f->curves[j].agent);
      far_times times;
      CHECK(cell != NULL);
      if (cell == NULL) continue;
      CHECK(far_times_summarise(&times, cell->values, RUNS, STEPS / 2, NULL) == FAR_OK);
      CHECK(p->limit == STEPS / 2 && p->value == times.median && p->censored == times.censored);
      CHECK(p->low == times.low && p->high == times.high);
      censored += (size_t)p->censored;
    }
  CHECK(censored > 0);
  far__growth_curves_free(x);
  far_comparison_free(c);
}

/* ---- a scaling study ---- */

static void test_scaling(far__scaling_measure measure) {
  static const int64_t sizes[] = {3, 4, 5, 9};
  far__scaling_def def = far__scaling_def_default();
  far__scaling *s;
  far__growth_curves *x;
  def.env = "chain";
  def.sizes = sizes;
  def.n_sizes = 4;
  def.agents = agents;
  def.n_agents = 2;
  def.runs = 8;
  def.max_steps = def.steps = 600;
  def.threads = 1;
  def.measure = measure;
  CHECK(far__scaling_create(&s, &def, NULL) == FAR_OK);
  CHECK(far__scaling_run(s, NULL) == FAR_OK);
  CHECK(far__growth_curves_from_scaling(&x, s, NULL) == FAR_OK);
  const far__growth_family *f = &x->families[0];
  CHECK(x->n_families == 1 && f->n_sizes == 4 && f->n_curves == 2 && f->sizes[3] == 9);
  CHECK(x->times == (measure != FAR__SCALING_REWARD) && x->lower == x->times);
  for (size_t j = 0; j < 2; ++j) {
    const far__scaling_fit fit = far__scaling_fit_of(s, j, false);
    CHECK(fit.better == f->curves[j].fit.better && fit.fitted == f->curves[j].fit.fitted);
    for (size_t i = 0; i < 4; ++i) {
      const far__growth_point *p = &f->curves[j].points[i];
      const far__scaling_cell *cell = far__scaling_cell_of(s, i, j);
      const double value = far__scaling_value(s, i, j);
      CHECK(p->left_out == cell->left_out && (p->runs > 0) == cell->known);
      CHECK(p->value == value || (p->value != p->value && value != value));
      if (cell->known && !x->times) CHECK(p->high == cell->mean + cell->ci95);
      if (cell->known && x->times) CHECK(p->censored == cell->times.censored);
    }
  }
  far__scaling_free(s);
  CHECK_TEXT(f->key, "n");
  far__growth_curves_free(x);
}

/* ---- the report ---- */

static void test_report(void) {
  const far__growth_curves_def def = far__growth_curves_def_default();
  far_comparison *c = compare("sizes.db", "total");
  far__growth_curves *x;
  far_report *report;
  far_buffer buffer = {0};
  far_render_def how = far_render_def_default();
  char mean[FAR__NUMBER_SIZE], row[200];
  CHECK(far__growth_curves_create(&x, c, &def, NULL) == FAR_OK);
  CHECK(far_report_create(&report, "plot", NULL) == FAR_OK);
  far__growth_curves_report(x, report);
  how.format = FAR_REPORT_CSV;
  how.table = "growth";
  CHECK(far_report_render(report, &how, far_sink_buffer(&buffer), NULL) == FAR_OK);
  const far__growth_family *f = family_of(x, "chain:slip=0.1");
  far__real_format(mean, f->curves[1].points[1].value);
  snprintf(row, sizeof row, "chain:slip=0.1,%s,8,%s,", f->curves[1].agent, mean);
  CHECK_CONTAINS(buffer.bytes, row);
  far_buffer_free(&buffer);
  how.table = "laws";
  CHECK(far_report_render(report, &how, far_sink_buffer(&buffer), NULL) == FAR_OK);
  CHECK_CONTAINS(buffer.bytes, "exponential");
  far_buffer_free(&buffer);
  far_report_free(report);
  far__growth_curves_free(x);
  far_comparison_free(c);
}

int main(void) {
  test_scaling(FAR__SCALING_EARNED);
  test_scaling(FAR__SCALING_REWARD);
  if (!stores_begin()) return stores_end();
  make_store("sizes.db");
  test_means();
  test_keys();
  test_times();
  test_report();
  return stores_end();
}
