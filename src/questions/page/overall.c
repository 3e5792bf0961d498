/* All environments together: scores, profiles, who beats whom, hardness; and what depends on parameters and
 * sizes. */
#include <math.h>

#include "questions/comparison/comparison.h"
#include "questions/growth/growth-curves.h"
#include "questions/hardness/hardness.h"
#include "questions/page/page.h"
#include "questions/sensitivity/sensitivity.h"
#include "report/build.h"

static void add_plot(far__page *page, const char *kind, size_t group, const char *caption) {
  const far_comparison_group *g = far__page_group(page, group);
  const far__view_of view = {far__page_plot(page, kind, group, g->n_envs, FAR_PLOT_SCALE_AUTO),
                             NULL};
  far__page_figure(page, kind, &view, 1, "%s", caption);
}

static void add_profiles(far__page *page, size_t group) {
  const far_comparison_group *g = far__page_group(page, group);
  const size_t most = page->def->most_series;
  const far__view_of view = {far__page_plot_best(page, "profiles", group), NULL};
  if (g->n_agents > most)
    far__page_figure(page, "profiles", &view, 1,
                     "Performance profiles: the share of runs with a score above the one on the "
                     "axis; the best %zu of %zu agents.",
                     most, g->n_agents);
  else
    far__page_figure(page, "profiles", &view, 1,
                     "Performance profiles: the share of runs with a score above the one on the "
                     "axis.");
}

static void add_tables(far__page *page, size_t group) {
  const far_comparison_group *g = far__page_group(page, group);
  const size_t most = page->def->most_agents;
  const far__comparison_rows rows = {.group = group,
                                     .agents = page->findings[group]->order,
                                     .n_agents = g->n_agents < most ? g->n_agents : most,
                                     .captions = true};
  far__comparison_report_overall(page->comparison, &rows, page->report);
}

/* ---- what is computed besides ---- */

static void add_hardness(far__page *page, size_t group) {
  far__hardness_def def = far__hardness_def_default();
  const far_plot_def how = {.width = 720, .most_series = page->def->most_series};
  far__hardness *hardness = NULL;
  far_figure *figure = NULL;
  far_error why;
  if (page->status != FAR_OK || page->full || page->def->figure_bytes == 0) return;
  def.group = group;
  def.most_outcomes = 20000;
  def.most_states = 100; /* the diameter takes long */
  def.progress = page->def->results.progress;
  def.user = page->def->results.user;
  far_status status = far__hardness_create(&hardness, page->comparison, &def, &why);
  if (status == FAR_OK) status = far__hardness_figure(&figure, hardness, &how, &why);
  if (status == FAR_OK) {
    const far__view_of view = {figure, NULL};
    far__page_figure(page, "hardness", &view, 1,
                     "Scores against how hard the environments are, by exact solution of their "
                     "models.");
  } else if (status != FAR_STATUS_IO) { /* a model file that is no longer there */
    far__page_fails(page, status, &why);
  }
  far__hardness_free(hardness);
}

static void add_sensitivity(far__page *page, size_t group) {
  far__sensitivity_def def = far__sensitivity_def_default();
  const far_plot_def how = {.width = 720, .most_series = page->def->most_series};
  far__sensitivity *sensitivity = NULL;
  far_figure *figure = NULL;
  far_error why;
  if (page->status != FAR_OK || page->full || page->def->figure_bytes == 0) return;
  def.group = group;
  far_status status = far__sensitivity_create(&sensitivity, page->comparison, &def, &why);
  const bool any = status == FAR_OK && sensitivity->n_parameters > 0;
  if (any) status = far__sensitivity_figure(&figure, sensitivity, &how, &why);
  if (any && status == FAR_OK) {
    const far__view_of view = {figure, NULL};
    far__report_heading(page->report, page->level, "Sensitivity to parameters");
    far__page_figure(page, "sensitivity", &view, 1,
                     "Results against the parameters that were varied. The best over the other "
                     "parameters is chosen by its mean, and so optimistic.");
  }
  far__page_fails(page, status, &why);
  far__sensitivity_free(sensitivity);
}

static void add_growth(far__page *page, size_t group) {
  far__growth_curves_def def = far__growth_curves_def_default();
  const far_plot_def how = {.width = 720, .most_series = page->def->most_series};
  far__growth_curves *growth = NULL;
  far_figure *figure = NULL;
  far_error why;
  if (page->status != FAR_OK || page->full || page->def->figure_bytes == 0) return;
  def.group = group;
  far_status status = far__growth_curves_create(&growth, page->comparison, &def, &why);
  const bool any = status == FAR_OK && growth->n_families > 0;
  if (any) status = far__growth_curves_figure(&figure, growth, &how, &why);
  if (any && status == FAR_OK) {
    const far__view_of view = {figure, NULL};
    far__report_heading(page->report, page->level, "Growth with size");
    far__page_figure(page, "growth", &view, 1,
                     "Results on environments that differ in their size alone.");
  }
  far__page_fails(page, status, &why);
  far__growth_curves_free(growth);
}

void far__page_overall(far__page *page, size_t group) {
  const far_comparison_group *g = far__page_group(page, group);
  if (g->n_envs > 1 && g->n_agents > 1) {
    far__report_heading(page->report, page->level, "Over all environments");
    add_plot(page, "scores", group,
             "Scores over all environments: 0 is the random policy, or the "
             "worst run where that is unknown; 1 is the best.");
    add_profiles(page, group);
  }
  if (g->n_agents > 1)
    add_plot(page, "matrix", group,
             "Probability that a run of the row's agent is better than one of the column's.");
  if (g->n_envs > 2) add_hardness(page, group);
  if (g->n_agents > 1) add_tables(page, group);
  add_sensitivity(page, group);
  add_growth(page, group);
}
