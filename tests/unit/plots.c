/* Plots of stored results: every kind draws, the same bytes each time, with the numbers of the store. */
#include "questions/curves/curves.h"
#include "questions/plots/plot.h"
#include "report/build.h"
#include "stores.h"

static far_plot_def small_def(void) {
  far_plot_def def = far_plot_def_default();
  def.results.bootstrap.resamples = 200;
  return def;
}

static far_buffer drawn(const char *kind, far_store *store, const far_plot_def *def) {
  far_figure *figure;
  far_error error = {.message = ""};
  far_buffer out = {0};
  const far_figure_def how = far_figure_def_default();
  CHECK(far_plot_create(&figure, kind, store, def, &error) == FAR_OK);
  if (figure == NULL) {
    printf("  %s: %s\n", kind, error.message);
    return out;
  }
  CHECK(far_figure_render(figure, &how, far_sink_buffer(&out), NULL) == FAR_OK);
  far_figure_free(figure);
  return out;
}

/* ---- all kinds ---- */

/* A store that has something for every kind: sizes, a grid of parameters, a curve, exploration values. */
static void make_rich_store(void) {
  const char *const envs[] = {"chain:n=[3,4,6]"};
  const char *const agents[] = {"q-learning:alpha=[0.1,0.5]", "directed-delayed-q:m=2"};
  far_study_def what = far_study_def_default();
  far_study_run_def how = {.store = open_store("rich.db", FAR_STORE_WRITE)};
  far_study *study;
  far_results *results;
  what.envs = envs;
  what.n_envs = 1;
  what.agents = agents;
  what.n_agents = 2;
  what.steps = 200;
  what.runs = 6;
  what.curve = "log 5";
  CHECK(far_study_create(&study, &what, NULL) == FAR_OK);
  CHECK(far_study_run(&results, study, &how, NULL) == FAR_OK);
  far_results_free(results);
  far_study_free(study);
  far_store_close(how.store);
}

static void test_every_kind(void) {
  const far_plot_def def = small_def();
  far_plot_info info;
  make_rich_store();
  far_store *store = open_store("rich.db", FAR_STORE_READ);
  size_t kinds = 0;
  for (; far_plot_info_at(&info, kinds); ++kinds) {
    far_buffer one = drawn(info.name, store, &def), two = drawn(info.name, store, &def);
    CHECK(info.summary[0] != '\0');
    CHECK(one.length > 0 && one.length == two.length && strcmp(one.bytes, two.bytes) == 0);
    far_buffer_free(&one);
    far_buffer_free(&two);
  }
  CHECK(kinds > 0 && !far_plot_info_at(&info, kinds));
  far_store_close(store);
}

static void test_refusals(void) {
  const far_plot_def def = small_def();
  far_figure *figure;
  far_error error;
  far_comparison *comparison;
  far_store *store = open_store("small.db", FAR_STORE_READ);
  CHECK(far_plot_create(&figure, "pie", store, &def, &error) == FAR_STATUS_UNKNOWN);
  CHECK_CONTAINS(error.message, "no plot 'pie'; there are: ");
  CHECK_CONTAINS(error.message, "intervals");
  CHECK(figure == NULL);
  CHECK(far_comparison_create(&comparison, store, &def.results, &error) == FAR_OK);
  CHECK(far__plot_comparison(&figure, "intervals", comparison, 9, &def, &error) ==
        FAR_STATUS_RANGE);
  CHECK(far__plot_comparison(&figure, "intervals", comparison, 0, &def, &error) == FAR_OK);
  far_figure_free(figure);
  far_comparison_free(comparison);
  far_store_close(store);
}

/* ---- numbers ---- */

static void test_intervals(void) {
  far_plot_def def = small_def();
  far_comparison *comparison;
  far_store *store = open_store("small.db", FAR_STORE_READ);
  far_buffer svg = drawn("intervals", store, &def);
  CHECK(far_comparison_create(&comparison, store, &def.results, NULL) == FAR_OK);
  const far_comparison_group *g = &comparison->groups[0];
  for (size_t e = 0; e < g->n_envs; ++e)
    for (size_t j = 0; j < g->n_agents; ++j) {
      const far_comparison_cell *cell = &g->cells[e * g->n_agents + j];
      char tip[400];
      snprintf(tip, sizeof tip, "%s on %s: %s", g->agents[j].label, g->envs[e].label,
               far__brief_interval(cell->summary.mean, (cell->summary.high - cell->summary.low) / 2)
                   .text);
      CHECK_CONTAINS(svg.bytes, tip);
    }
  def.most_series = 1;
  far_buffer few = drawn("intervals", store, &def);
  CHECK_CONTAINS(few.bytes, "the best 1 of 2 agents");
  far_buffer_free(&few);
  far_buffer_free(&svg);
  far_comparison_free(comparison);
  far_store_close(store);
}

/* The curves as they are draw the same as by their kind. */
static void test_curves(void) {
  const far_plot_def def = small_def();
  const far_figure_def how = far_figure_def_default();
  far__curves_def choice = far__curves_def_default();
  far__curves *curves;
  far_figure *figure;
  far_buffer out = {0};
  far_store *store = open_store("rich.db", FAR_STORE_READ);
  far_buffer svg = drawn("curves", store, &def);
  choice.choice = def.results;
  CHECK(far__curves_create(&curves, store, &choice, NULL) == FAR_OK);
  CHECK(far__curves_figure(&figure, curves, 0, &def, NULL) == FAR_OK);
  CHECK(far_figure_render(figure, &how, far_sink_buffer(&out), NULL) == FAR_OK);
  CHECK_TEXT(out.bytes, svg.bytes);
  far_buffer_free(&out);
  far_buffer_free(&svg);
  far_figure_free(figure);
  far__curves_free(curves);
  far_store_close(store);
}

int main(void) {
  small_batch batch;
  if (!stores_begin()) return stores_end();
  small_make(&batch, 12);
  run_through("small.db", &batch.def);
  test_every_kind();
  test_curves();
  test_refusals();
  test_intervals();
  small_free(&batch);
  return stores_end();
}
