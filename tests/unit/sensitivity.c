/* Parameter sensitivity: a grid in a store against sums over its cells, which lines are kept, words and
 * scales, imported names, the profiles of a search, and the report. */
#include "base/number.h"
#include "questions/sensitivity/sensitivity.h"
#include "questions/tuning/tuned-comparison.h"
#include "stores.h"

static const char *const grid[] = {
    "r-max:m=1",           "r-max:m=2",           "r-max:m=8",           "r-max:m=1,gamma=0.9",
    "r-max:m=2,gamma=0.9", "r-max:m=8,gamma=0.9", "r-max:m=2,gamma=0.5", "q-learning",
    "psrl:ties=lowest",    "psrl:ties=random",    "psrl:ties=highest"};
enum { N_GRID = sizeof grid / sizeof *grid, RUNS = 5 };

static void make_store(const char *name) {
  static const char *const envs[] = {"chain:n=4", "riverswim"};
  far_mdp *mdps[2];
  far_cell cells[2 * N_GRID];
  far_batch_def def = far_batch_def_default();
  for (int e = 0; e < 2; ++e) CHECK(far_mdp_create(&mdps[e], envs[e], NULL) == FAR_OK);
  for (int i = 0; i < 2 * N_GRID; ++i)
    cells[i] = (far_cell){.mdp = mdps[i / N_GRID], .agent = grid[i % N_GRID], .steps = 200};
  def.cells = cells;
  def.n_cells = 2 * N_GRID;
  def.runs = RUNS;
  def.threads = 1;
  run_through(name, &def);
  for (int e = 0; e < 2; ++e) far_mdp_free(mdps[e]);
}

static far_comparison *compare(const char *name) {
  far_comparison_def def = far_comparison_def_default();
  far_comparison *out = NULL;
  def.bootstrap.resamples = 100;
  far_store *store = open_store(name, FAR_STORE_READ);
  CHECK(far_comparison_create(&out, store, &def, NULL) == FAR_OK);
  far_store_close(store);
  return out;
}

static far__sensitivity *sensitivity_of(const far_comparison *c, const far__sensitivity_def *def) {
  far__sensitivity *out = NULL;
  far_error error = {.message = ""};
  CHECK(far__sensitivity_create(&out, c, def, &error) == FAR_OK);
  CHECK_TEXT(error.message, "");
  return out;
}

/* ---- the grid ---- */

/* The mean of the stored runs of a spec on an environment, from the canonical spec. */
static double stored_mean(const far_comparison_group *g, size_t e, const char *m,
                          const char *gamma) {
  for (size_t j = 0; j < g->n_agents; ++j) {
    const far_comparison_cell *cell = &g->cells[e * g->n_agents + j];
    char key[32], other[32];
    double sum = 0;
    snprintf(key, sizeof key, ",m=%s,", m);
    snprintf(other, sizeof other, ":gamma=%s,", gamma);
    if (strncmp(cell->spec, "r-max:", 6) != 0) continue;
    if (strstr(cell->spec, key) == NULL || strstr(cell->spec, other) == NULL) continue;
    for (int64_t i = 0; i < cell->runs; ++i) sum += cell->values[i];
    return sum / (double)cell->runs;
  }
  return NAN;
}

static void check_m(const far__sensitivity_parameter *p, const far_comparison_group *g) {
  static const char *const m[] = {"1", "2", "8"}, *const gamma[] = {"0.5", "0.9", "0.95"};
  CHECK_TEXT(p->agent, "r-max");
  CHECK_TEXT(p->key, "m");
  CHECK(p->n_values == 3 && p->scale == FAR__VALUES_LOG && p->chosen == NULL);
  CHECK(p->n_lines == 2 && p->n_left_out == 1 && p->n_without == 0 && p->n_panels == 2);
  CHECK_TEXT(p->lines[0], "gamma=0.9");
  CHECK_TEXT(p->lines[1], "gamma=0.95");
  for (size_t v = 0; v < 3; ++v) CHECK_TEXT(p->values[v].text, m[v]);
  CHECK(p->values[0].place == 0 && p->values[2].place == 1);
  CHECK_NEAR(p->values[1].place, 1.0 / 3, 1e-12);
  for (size_t e = 0; e < 2; ++e)
    for (size_t v = 0; v < 3; ++v) {
      const far__sensitivity_panel *panel = &p->panels[e];
      double best = NAN;
      for (size_t k = 0; k < 3; ++k) best = fmax(best, stored_mean(g, e, m[v], gamma[k]));
      CHECK_NEAR(panel->points[v].mean, stored_mean(g, e, m[v], "0.9"), 1e-9);
      CHECK_NEAR(panel->points[3 + v].mean, stored_mean(g, e, m[v], "0.95"), 1e-9);
      CHECK_NEAR(panel->best[v].mean, best, 1e-9);
      CHECK(panel->points[v].runs == RUNS && panel->best[v].runs == RUNS);
      CHECK(!(panel->points[v].low > panel->points[v].mean));
      CHECK(strncmp(panel->best[v].other, "gamma=0.", 8) == 0);
    }
}

/* Along gamma, the value 0.5 is there with m=2 alone. */
static void check_gamma(const far__sensitivity_parameter *p) {
  CHECK_TEXT(p->key, "gamma");
  CHECK(p->n_values == 3 && p->n_lines == 3 && p->n_left_out == 0);
  CHECK(p->values[0].number == 0.5 && p->values[2].number == 0.95);
  for (size_t k = 0; k < 3; ++k) {
    const bool two = strcmp(p->lines[k], "m=2") == 0;
    CHECK((p->panels[0].points[3 * k].runs > 0) == two);
    CHECK(two || p->panels[0].points[3 * k].mean != p->panels[0].points[3 * k].mean);
  }
  CHECK_TEXT(p->panels[1].best[0].other, "m=2");
}

static void test_grid(const far_comparison *c) {
  const far__sensitivity_def def = far__sensitivity_def_default();
  far__sensitivity *x = sensitivity_of(c, &def);
  CHECK(x->n_parameters == 3 && !x->search && !x->lower && x->level == 0.95);
  CHECK_TEXT(x->series, "total");
  CHECK_TEXT(x->parameters[0].agent, "psrl");
  check_gamma(&x->parameters[1]);
  check_m(&x->parameters[2], &c->groups[0]);
  CHECK_TEXT(x->parameters[2].panels[0].env, "chain:n=4");
  far__sensitivity_free(x);
  far__sensitivity_free(NULL);
}

/* Words are in the order of the choices and stand side by side. */
static void test_words(const far_comparison *c) {
  far__sensitivity_def def = far__sensitivity_def_default();
  def.agent = "psrl";
  far__sensitivity *x = sensitivity_of(c, &def);
  const far__sensitivity_parameter *p = &x->parameters[0];
  CHECK(x->n_parameters == 1 && p->n_values == 3 && p->n_lines == 1);
  CHECK(p->scale == FAR__VALUES_EVEN && p->values[1].place == 0.5);
  CHECK_TEXT(p->lines[0], "");
  const far_type_info *type = far_spec_type(far_agent_type, "psrl");
  const char *at = far_type_param(type, "ties", 4)->choices;
  for (size_t v = 0; v < 3; ++v) {
    const char *found = strstr(at, p->values[v].text);
    CHECK(found != NULL);
    if (found != NULL) at = found;
    CHECK(p->values[v].number != p->values[v].number);
  }
  far__sensitivity_free(x);
}

/* The best line of every environment is kept; the best over all is the same. */
static void test_few_lines(const far_comparison *c) {
  far__sensitivity_def def = far__sensitivity_def_default();
  def.parameter = "m";
  far__sensitivity *all = sensitivity_of(c, &def);
  def.most_lines = 1;
  far__sensitivity *one = sensitivity_of(c, &def);
  const far__sensitivity_parameter *p = &all->parameters[0], *q = &one->parameters[0];
  CHECK(all->n_parameters == 1 && q->n_lines == 1 && q->n_left_out == 2);
  double best = -INFINITY, kept = -INFINITY;
  for (size_t i = 0; i < 6; ++i) best = fmax(best, p->panels[0].points[i].mean);
  for (size_t v = 0; v < 3; ++v) kept = fmax(kept, q->panels[0].points[v].mean);
  const double here = kept / best;
  best = kept = -INFINITY;
  for (size_t i = 0; i < 6; ++i) best = fmax(best, p->panels[1].points[i].mean);
  for (size_t v = 0; v < 3; ++v) kept = fmax(kept, q->panels[1].points[v].mean);
  CHECK(here == 1 || kept == best);
  for (size_t v = 0; v < 3; ++v) CHECK(p->panels[1].best[v].mean == q->panels[1].best[v].mean);
  far__sensitivity_free(all);
  far__sensitivity_free(one);
}

static void test_refusals(const far_comparison *c) {
  far__sensitivity_def def = far__sensitivity_def_default();
  far__sensitivity *x = (far__sensitivity *)&def;
  far_error error;
  def.group = 7;
  CHECK(far__sensitivity_create(&x, c, &def, &error) == FAR_STATUS_RANGE && x == NULL);
  CHECK_CONTAINS(error.message, "no group 7");
  def = far__sensitivity_def_default();
  def.parameter = "alpha";
  CHECK(far__sensitivity_create(&x, c, &def, &error) == FAR_STATUS_UNKNOWN && x == NULL);
  CHECK_CONTAINS(error.message, "psrl:ties, r-max:gamma, r-max:m");
  def.parameter = NULL;
  def.agent = "nobody";
  CHECK(far__sensitivity_create(&x, c, &def, &error) == FAR_STATUS_UNKNOWN);
  CHECK_CONTAINS(error.message, "no agent 'nobody'");
  def.agent = "q-learning";
  CHECK(far__sensitivity_create(&x, c, &def, &error) == FAR_STATUS_UNKNOWN);
  CHECK_CONTAINS(error.message, "'q-learning' does not vary");
}

/* ---- scales and hostile names, by imported results ---- */

/* A field of CSV. */
static void put_field(FILE *file, const char *text) {
  fputc('"', file);
  for (; *text != '\0'; ++text) {
    if (*text == '"') fputc('"', file);
    fputc(*text, file);
  }
  fputs("\",", file);
}

static void import_agents(const char *name, const char *const *agents, size_t n) {
  FILE *file = fopen(store_path("runs.csv"), "w");
  far_import_report report;
  fputs("env,agent,steps,seed,value\n", file);
  for (size_t i = 0; i < 3 * n; ++i) {
    put_field(file, "<b>&\"x");
    put_field(file, agents[i / 3]);
    fprintf(file, "10,%d,%d\n", (int)(i % 3), (int)(10 * (i / 3) + i % 3));
  }
  fclose(file);
  far_store *store = open_store(name, FAR_STORE_WRITE);
  far_error error = {.message = ""};
  CHECK(far_store_import(&report, store, store_path("runs.csv"), &error) == FAR_OK);
  CHECK_TEXT(error.message, "");
  far_store_close(store);
}

/* The parameter of an agent that has one. */
static const far__sensitivity_parameter *of(const far__sensitivity *x, const char *agent) {
  for (size_t i = 0; i < x->n_parameters; ++i)
    if (strcmp(x->parameters[i].agent, agent) == 0) return &x->parameters[i];
  return NULL;
}

static void test_imported(void) {
  static const char *const agents[] = {
      "lin:a=1",     "lin:a=2",    "lin:a=4",    "log:a=1",     "log:a=10",
      "log:a=100",   "hor:a=0.9",  "hor:a=0.99", "hor:a=0.999", "odd:a=0",
      "odd:a=1",     "odd:a=1000", "two:a=1",    "two:a=10",    "word:a=1",
      "word:a=</g>", "word:a=é",   "same:a=1",   "same:a=1.0",  "odd,x",
      "=",           "none:=,,b",  "lack:a=1",   "lack:a=2",    "lack:b=\"'<&"};
  import_agents("imported.db", agents, sizeof agents / sizeof *agents);
  far_comparison *c = compare("imported.db");
  const far__sensitivity_def def = far__sensitivity_def_default();
  far__sensitivity *x = sensitivity_of(c, &def);
  far_comparison_free(c);                        /* the sensitivity has its own copies */
  CHECK(of(x, "lin")->scale == FAR__VALUES_LOG); /* 1, 2, 4 */
  CHECK(of(x, "log")->scale == FAR__VALUES_LOG);
  CHECK(of(x, "hor")->scale == FAR__VALUES_HORIZON);
  CHECK(of(x, "odd")->scale == FAR__VALUES_EVEN);
  CHECK(of(x, "two")->scale == FAR__VALUES_LOG);
  CHECK(of(x, "word")->scale == FAR__VALUES_EVEN);
  CHECK(of(x, "same") == NULL);
  const far__sensitivity_parameter *lack = of(x, "lack");
  CHECK(lack->n_without == 1 && lack->n_values == 2 && lack->n_lines == 1);
  CHECK_TEXT(lack->panels[0].env, "<b>&\"x");
  CHECK(lack->panels[0].best[0].mean == 221 && lack->panels[0].best[1].mean == 231);
  far__sensitivity_free(x);
}

/* Best on one environment each are b=1 and b=2; over both b=1 has the better places. */
static void test_best_over_all(void) {
  static const int value[2][3] = {{30, 10, 20}, {20, 30, 10}};
  FILE *file = fopen(store_path("places.csv"), "w");
  far_import_report report;
  fputs("env,agent,steps,seed,value\n", file);
  for (int i = 0; i < 24; ++i) /* two runs of each */
    fprintf(file, "e%d,\"x:a=%d,b=%d\",10,%d,%d\n", i / 12, i / 2 % 2, i / 4 % 3 + 1, i % 2,
            value[i / 12][i / 4 % 3]);
  fclose(file);
  far_store *store = open_store("places.db", FAR_STORE_WRITE);
  CHECK(far_store_import(&report, store, store_path("places.csv"), NULL) == FAR_OK);
  far_store_close(store);
  far_comparison *c = compare("places.db");
  far__sensitivity_def def = far__sensitivity_def_default();
  def.parameter = "a";
  def.most_lines = 1;
  far__sensitivity *x = sensitivity_of(c, &def);
  CHECK(x->n_parameters == 1 && x->parameters[0].n_lines == 1 && x->parameters[0].n_left_out == 2);
  CHECK_TEXT(x->parameters[0].lines[0], "b=1");
  far__sensitivity_free(x);
  far_comparison_free(c);
}

/* ---- a search ---- */

static void check_profile(const far__sensitivity_parameter *p, const far_tune_result *r,
                          const far_tune_profile *profile) {
  CHECK_TEXT(p->key, profile->key);
  CHECK_TEXT(p->chosen, profile->value);
  CHECK(p->n_values == profile->n_points + 1 && p->n_lines == 1 && p->n_panels == 1);
  for (size_t v = 0; v < p->n_values; ++v) {
    const far__sensitivity_point *point = &p->panels[0].points[v];
    CHECK(v == 0 || p->values[v].number > p->values[v - 1].number);
    size_t k = 0;
    while (k < profile->n_points && strcmp(profile->points[k].value, p->values[v].text) != 0) ++k;
    if (k == profile->n_points) {
      CHECK_TEXT(p->values[v].text, profile->value);
      CHECK(point->mean == r->profile_score && point->low != point->low);
    } else {
      CHECK(point->mean == r->profile_score - profile->points[k].loss);
      CHECK(point->high == point->mean + profile->points[k].ci95);
    }
  }
}

static void test_search(void) {
  static const char *const agents[] = {"delayed-q:m=[1..5],eps1=0.3", "delayed-q:m=[1..2]"};
  far_mdp *mdp;
  far__tuned_comparison_def def = far__tuned_comparison_def_default();
  far__tuned_comparison *c;
  far__sensitivity *x;
  CHECK(far_mdp_create(&mdp, "chain:n=4", NULL) == FAR_OK);
  far_tune_cell cells[] = {{.mdp = mdp, .target = NAN}, {.mdp = mdp, .target = NAN}};
  CHECK(far__tune_cells_scale(cells, 2, 100, NULL, NULL) == FAR_OK);
  def.agents = agents;
  def.n_agents = 2;
  def.tune.cells = cells;
  def.tune.n_cells = 2;
  def.tune.steps = 100;
  def.tune.runs = def.tune.profile = 3;
  def.tune.budget = 10000;
  def.tune.evaluation = 0;
  def.tune.threads = 1;
  CHECK(far__tuned_comparison_run(&c, &def, NULL) == FAR_OK);
  CHECK(far__sensitivity_from_tuned(&x, c, NULL) == FAR_OK);
  const far__tuned_comparison_info info = far__tuned_comparison_info_of(c);
  CHECK(x->search && x->n_parameters == 2 && !x->lower);
  for (size_t i = 0; i < 2; ++i)
    check_profile(&x->parameters[i], info.agents[i].result, &info.agents[i].result->profiles[0]);
  CHECK_TEXT(x->parameters[0].agent, "delayed-q");
  CHECK_TEXT(x->parameters[1].agent, "delayed-q (2)");
  CHECK_TEXT(x->parameters[0].panels[0].env, "2 environments");
  far__sensitivity_free(x);
  far__tuned_comparison_free(c);
  far_mdp_free(mdp);
}

/* ---- the report ---- */

static void test_report(const far_comparison *c) {
  const far__sensitivity_def def = far__sensitivity_def_default();
  far__sensitivity *x = sensitivity_of(c, &def);
  far_report *report;
  far_buffer buffer = {0};
  far_render_def how = far_render_def_default();
  CHECK(far_report_create(&report, "plot", NULL) == FAR_OK);
  far__sensitivity_report(x, report);
  how.format = FAR_REPORT_CSV;
  how.table = "sensitivity";
  CHECK(far_report_render(report, &how, far_sink_buffer(&buffer), NULL) == FAR_OK);
  char row[200], mean[FAR__NUMBER_SIZE];
  far__real_format(mean, x->parameters[2].panels[1].best[2].mean);
  snprintf(row, sizeof row, "r-max,m,riverswim,best,8,%s,%s,",
           x->parameters[2].panels[1].best[2].other, mean);
  CHECK_CONTAINS(buffer.bytes, row);
  far_buffer_free(&buffer);
  how.format = FAR_REPORT_TEXT;
  CHECK(far_report_render(report, &how, far_sink_buffer(&buffer), NULL) == FAR_OK);
  CHECK_CONTAINS(buffer.bytes, "1 combination");
  far_buffer_free(&buffer);
  far_report_free(report);
  far__sensitivity_free(x);
}

int main(void) {
  test_search();
  if (!stores_begin()) return stores_end();
  make_store("grid.db");
  far_comparison *c = compare("grid.db");
  test_grid(c);
  test_words(c);
  test_few_lines(c);
  test_refusals(c);
  test_report(c);
  far_comparison_free(c);
  test_imported();
  test_best_over_all();
  return stores_end();
}
