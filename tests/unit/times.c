/* Metrics whose number is a time that the end of a run cuts off: which they are, how many runs are censored, and
 * that every document says so instead of a mean of what is not known. */
#include "lab/study/parts.h"
#include "questions/changes/changes.h"
#include "questions/curves/curves.h"
#include "questions/sensitivity/sensitivity.h"
#include "run/series.h"
#include "stores.h"

/* ---- which series are times ---- */

static void series(void) {
  static const struct {
    const char *series, *event;
    int64_t limit; /* of 100 steps */
  } all[] = {
      {"learned", "learned", 100},
      {"learned:eps=0.1@40", "learned", 40},
      {"earned:fraction=0.5", "earned enough", 100},
      {"stopping@7", "stopped", 7},
      {"last-mistake:eps=0.1,estimator=frozen", "settled", 100},
      {"last-mistake:eps=0.1,estimator=trajectory", NULL, 0}, /* its last steps are not judged */
      {"mistakes:eps=0.1", NULL, 0},
      {"total", NULL, 0},
      {"learnedly", NULL, 0}};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
    const char *event = far__series_event(all[i].series);
    CHECK(event == NULL ? all[i].event == NULL : strcmp(event, all[i].event) == 0);
    CHECK(far__series_limit(all[i].series, 100) == all[i].limit);
  }
  CHECK(far__series_limit("learned", 0) == 0);
  for (size_t i = 0; far_metric_type(i) != NULL; ++i) {
    far_metric *metric;
    CHECK(far_metric_create(&metric, far_metric_type(i)->name, NULL) == FAR_OK);
    CHECK(metric->event == far_metric_type(i)->event);
    far_metric_free(metric);
  }
}

/* ---- documents ---- */

/* With spaces and line ends as one space; `table` of CSV, or NULL for text. */
static char *render(const far_report *report, const char *table) {
  far_render_def how = far_render_def_default();
  far_buffer out = {0};
  how.format = table != NULL ? FAR_REPORT_CSV : FAR_REPORT_TEXT;
  how.table = table;
  CHECK(far_report_render(report, &how, far_sink_buffer(&out), NULL) == FAR_OK);
  if (table != NULL) return out.bytes;
  size_t n = 0;
  for (size_t i = 0; i < out.length; ++i) {
    const bool space = out.bytes[i] == '\n' || out.bytes[i] == ' ';
    if (!space || (n > 0 && out.bytes[n - 1] != ' ')) out.bytes[n++] = space ? ' ' : out.bytes[i];
  }
  out.bytes[n] = '\0';
  return out.bytes;
}

static void check_document(const far_report *report, const char *table, const char *const *words) {
  char *text = render(report, table);
  for (; *words != NULL; ++words) CHECK_CONTAINS(text, *words);
  free(text);
}

static far_report *document(void) {
  far_report *out = NULL;
  CHECK(far_report_create(&out, "stats", NULL) == FAR_OK);
  return out;
}

/* Of 100 steps: an agent that learned in 6 of 8 runs, the same with another parameter in none; and at step 10. */
static far_store *times_store(const char *last) {
  static const char *const values[] = {"10", "20", "30", "40", "50", "60", "100"};
  far_store *store = NULL;
  far_import_report report;
  FILE *file = fopen(store_path("times.csv"), "w");
  CHECK(file != NULL);
  fprintf(file, "env,agent,steps,seed,series,step,value\n");
  for (int i = 0; i < 8; ++i) {
    const char *value = i < 7 ? values[i] : last;
    fprintf(file, "toy,\"mine:m=1\",100,%d,learned,,%s\ntoy,\"mine:m=2\",100,%d,learned,,100\n", i,
            value, i);
    fprintf(file, "toy,\"mine:m=1\",100,%d,learned,10,%d\ntoy,\"mine:m=2\",100,%d,learned,10,10\n",
            i, i < 3 ? 5 + i : 10, i);
  }
  fclose(file);
  CHECK(far_store_open(&store, "", FAR_STORE_MEMORY, NULL) == FAR_OK);
  CHECK(far_store_import(&report, store, store_path("times.csv"), NULL) == FAR_OK);
  return store;
}

static far_comparison *compare(far_store *store) {
  far_comparison_def def = far_comparison_def_default();
  far_comparison *out = NULL;
  def.bootstrap.resamples = 100;
  def.series = "learned";
  CHECK(far_comparison_create(&out, store, &def, NULL) == FAR_OK);
  return out;
}

static void comparison(far_store *store) {
  static const char *const words[] = {"learned median, 95% restricted mean ± 95%",
                                      "6 of 8 45 [10, ≥100]",
                                      "0 of 8 ≥100 100 –",
                                      "restricted difference ± 95%",
                                      "Runs without the event by their end are censored",
                                      "Means are restricted means up to the end of the run",
                                      NULL};
  static const char *const csv[] = {",censored,time_median,time_median_low,time_median_high,",
                                    ",8,2,45,10,inf,", ",8,8,inf,inf,inf,", NULL};
  far_comparison *c = compare(store);
  const far_comparison_group *g = &c->groups[0];
  CHECK_TEXT(c->event, "learned");
  CHECK(g->timed && g->cells[0].limit == 100 && g->cells[0].times.runs == 8 &&
        g->cells[0].times.censored == 2);
  CHECK(g->cells[0].times.median == 45 && g->cells[1].times.median == INFINITY);
  far_report *report = document();
  far_comparison_report(c, report);
  check_document(report, NULL, words);
  check_document(report, "cells", csv);
  far_report_free(report);
  far_comparison_free(c);
}

/* All runs of a point censored: there is no interval of what is not known. */
static void curves(far_store *store) {
  static const char *const words[] = {"restricted mean ± 95% censored", " 8 10 8 ", NULL};
  far__curves_def def = far__curves_def_default();
  far__curves *c = NULL;
  def.choice.series = "learned";
  CHECK(far__curves_create(&c, store, &def, NULL) == FAR_OK);
  const far__curve *x = far__curve_of(&c->groups[0], 0, 0), *y = far__curve_of(&c->groups[0], 0, 1);
  CHECK(x->censored[0] == 5 && y->censored[0] == 8);
  CHECK(x->low[0] < x->mean[0] && y->mean[0] == 10 && isnan(y->low[0]) && isnan(y->high[0]));
  far_report *report = document();
  far__curves_report(c, report);
  check_document(report, NULL, words);
  far_report_free(report);
  far__curves_free(c);
}

static void sensitivity(far_store *store) {
  static const char *const words[] = {"m restricted mean runs censored", " 8 2 ", " 8 8 ",
                                      "restricted means up to the end of the run", NULL};
  const far__sensitivity_def def = far__sensitivity_def_default();
  far_comparison *c = compare(store);
  far__sensitivity *x = NULL;
  CHECK(far__sensitivity_create(&x, c, &def, NULL) == FAR_OK && x->n_parameters == 1);
  CHECK(x->parameters[0].panels[0].points[0].censored == 2);
  far_report *report = document();
  far__sensitivity_report(x, report);
  check_document(report, NULL, words);
  far_report_free(report);
  far__sensitivity_free(x);
  far_comparison_free(c);
}

static void changes(far_store *before) {
  static const char *const words[] = {"Restricted means up to the end of the run",
                                      "(2 of 8 censored)", "(1 of 8 censored)", NULL};
  far_store *after = times_store("70");
  far__changes_def def = far__changes_def_default();
  far__changes *c = NULL;
  def.series = "learned";
  CHECK(far__changes_create(&c, before, after, &def, NULL) == FAR_OK);
  far_report *report = document();
  far__changes_report(c, report);
  check_document(report, NULL, words);
  far_report_free(report);
  far__changes_free(c);
  far_store_close(after);
}

/* ---- figures and pages ---- */

static void figures(far_store *store) {
  static const struct {
    const char *kind, *words[3];
  } all[] = {{"intervals",
              {"Restricted mean learned", "(6 of 8)", "in brackets: runs that had learned by"}},
             {"differences", {"difference of restricted means", "10 of 16 runs censored"}},
             {"curves", {"(restricted mean)", "13 of 16 runs censored"}},
             {"sensitivity", {"restricted mean learned", "2 of 8 runs censored"}}};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
    far_plot_def def = far_plot_def_default();
    const far_figure_def how = far_figure_def_default();
    far_figure *figure = NULL;
    far_buffer svg = {0};
    def.results.series = "learned";
    def.results.bootstrap.resamples = 100;
    CHECK(far_plot_create(&figure, all[i].kind, store, &def, NULL) == FAR_OK);
    CHECK(far_figure_render(figure, &how, far_sink_buffer(&svg), NULL) == FAR_OK);
    for (int k = 0; k < 3 && all[i].words[k] != NULL; ++k)
      CHECK_CONTAINS(svg.bytes, all[i].words[k]);
    far_buffer_free(&svg);
    far_figure_free(figure);
  }
}

/* ---- runs ---- */

/* No agent learns a long chain in 20 steps, and `mistakes` is no time. */
static void results(void) {
  static const char *const envs[] = {"chain:n=8,left=0.001"}, *const agents[] = {"q-learning"};
  static const char *const metrics[] = {"learned:eps=0.01,relative=on,gamma=0.95",
                                        "mistakes:eps=0.01,gamma=0.95"};
  static const char *const words[] = {"learned median, 95% min", " 0 of 6 ≥20 ≥20 ", NULL};
  static const char *const csv[] = {",censored,time_median,", ",6,inf,", NULL};
  far_study_def def = far_study_def_default();
  far_study *study = NULL;
  far_results *out = NULL;
  def.envs = envs, def.n_envs = 1, def.agents = agents, def.n_agents = 1;
  def.metrics = metrics, def.n_metrics = 2, def.steps = 20, def.runs = 6;
  CHECK(far_study_create(&study, &def, NULL) == FAR_OK);
  CHECK(far_study_run(&out, study, &(far_study_run_def){.threads = 1}, NULL) == FAR_OK);
  const far_times *times = far__results_times(out, 0, 0);
  CHECK(times != NULL && times->runs == 6 && times->censored == 6 && times->median == INFINITY);
  CHECK(far__results_times(out, 0, 1) == NULL);
  far_report *report = document();
  far_results_report(out, report);
  check_document(report, NULL, words);
  check_document(report, "metrics", csv);
  far_report_free(report);
  far_results_free(out);
  far_study_free(study);
}

static void bounds_are(const char *series, int64_t steps, const far_shape *shape, double least,
                       double most) {
  double low, high;
  far__series_bounds(&low, &high, series, steps, shape);
  if (low == least && high == most) {
    CHECK(true);
    return;
  }
  printf("%s: %g to %g\n", series, low, high);
  CHECK(low == least && high == most);
}

static void bounds(void) {
  const far_shape shape = {.n_states = 2, .n_actions = 1, .reward_min = -1, .reward_max = 3};
  bounds_are("coverage:what=pairs", 100, &shape, 0, 1);
  bounds_are("success", 0, NULL, 0, 1);
  bounds_are("promise@20", 100, NULL, 0, 1);
  bounds_are("learned", 100, NULL, 0, 100);
  bounds_are("mistakes:eps=0.1@20", 100, &shape, 0, 20);
  bounds_are("episodes", 0, &shape, 0, INFINITY);
  bounds_are("total", 100, &shape, -100, 300);
  bounds_are("curve@10", 100, &shape, -10, 30);
  bounds_are("total", 100, NULL, -INFINITY, INFINITY);
  bounds_are("total", 0, &shape, -INFINITY, INFINITY);
  bounds_are("totals", 100, &shape, -INFINITY, INFINITY);
  bounds_are("regret:against=gain", 100, &shape, -INFINITY, INFINITY);
  bounds_are("return", 100, &shape, -INFINITY, INFINITY);
  bounds_are("somebody's", 100, &shape, -INFINITY, INFINITY);
}

int main(void) {
  if (!stores_begin()) return 1;
  series();
  bounds();
  far_store *store = times_store("100");
  comparison(store);
  curves(store);
  sensitivity(store);
  changes(store);
  figures(store);
  far_store_close(store);
  results();
  return stores_end();
}
