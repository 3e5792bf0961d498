/* A section for each environment: the finding, curves, intervals, differences, and the tables. */
#include <stdio.h>

#include "questions/comparison/comparison.h"
#include "questions/page/page.h"
#include "report/build.h"

static void add_heading(far__page *page, const far_comparison_group *g, size_t e) {
  const far_comparison_scale *s = &g->envs[e].scale;
  far__report_heading(page->report, page->level, "%s", far__say_name(g->envs[e].brief).text);
  if (s->kind != FAR_SCALE_POLICIES) return;
  far__report_paragraph(page->report,
                        g->episodes > 0
                            ? "In so many episodes the best policy is expected to earn %s, and the "
                              "random policy %s."
                            : "At their long-run averages the best policy would earn %s in so many "
                              "steps, and the random policy %s.",
                        far__brief_real(s->high).text, far__brief_real(s->low).text);
}

static void add_sentence(far__page *page, size_t group, size_t e) {
  far__text text = {0};
  far__page_sentence(page, group, e, &text);
  if (text.failed) far__page_check(page, FAR_STATUS_MEMORY);
  if (!text.failed) far__report_paragraph(page->report, "%s", text.bytes);
  far_buffer_free(&text);
}

/* "; the best 10 of 18 agents are shown" */
static far__words say_shown(const far__page *page, const far_comparison_group *g) {
  far__words out = {"."};
  if (g->n_agents > page->def->most_series)
    snprintf(out.text, sizeof out.text, "; the best %zu of %zu agents.", page->def->most_series,
             g->n_agents);
  return out;
}

static void add_curves(far__page *page, size_t group, size_t e) {
  const far_comparison_group *g = far__page_group(page, group);
  const far__view_of views[] = {
      {far__page_curves(page, group, e, FAR_PLOT_SCALE_LINEAR), "linear time"},
      {far__page_curves(page, group, e, FAR_PLOT_SCALE_LOG), "logarithmic time"},
  };
  far__page_figure(page, "curves", views, 2, "Learning curves on %s: means with %g%% bands%s",
                   far__say_name(g->envs[e].brief).text, 100 * page->comparison->bootstrap.level,
                   say_shown(page, g).text);
}

static void add_intervals(far__page *page, size_t group, size_t e) {
  const far_comparison_group *g = far__page_group(page, group);
  const far__view_of view = {far__page_plot(page, "intervals", group, e, FAR_PLOT_SCALE_AUTO),
                             NULL};
  far__page_figure(page, "intervals", &view, 1,
                   "Means with %g%% intervals; dots are runs, or stand for several%s",
                   100 * page->comparison->bootstrap.level, say_shown(page, g).text);
}

static void add_differences(far__page *page, size_t group, size_t e) {
  const far_comparison_group *g = far__page_group(page, group);
  if (g->baseline >= g->n_agents) return;
  const far__view_of view = {far__page_plot(page, "differences", group, e, FAR_PLOT_SCALE_AUTO),
                             NULL};
  far__page_figure(page, "differences", &view, 1,
                   "Differences from %s on the same random numbers, with simultaneous %g%% "
                   "intervals%s",
                   far__say_name(g->agents[g->baseline].brief).text,
                   100 * page->comparison->bootstrap.level, say_shown(page, g).text);
}

static void add_tables(far__page *page, size_t group, size_t e) {
  const far_comparison_group *g = far__page_group(page, group);
  const size_t most = page->def->most_agents;
  const far__comparison_rows rows = {.group = group,
                                     .agents = page->findings[group]->order,
                                     .n_agents = g->n_agents < most ? g->n_agents : most,
                                     .captions = true};
  far__comparison_report_env(page->comparison, e, &rows, page->report);
  if (g->n_agents > most)
    far__report_note(page->report, FAR__NOTE_REMARK,
                     "The best %zu of %zu agents; the table of all agents has the others.", most,
                     g->n_agents);
}

void far__page_envs(far__page *page, size_t group) {
  const far_comparison_group *g = far__page_group(page, group);
  for (size_t e = 0; e < g->n_envs && far__page_progress(page, "figure", e, g->n_envs); ++e) {
    far__report_environment(page->report, g->envs[e].label);
    add_heading(page, g, e);
    if (g->n_envs > 1 || page->comparison->n_groups > 1) add_sentence(page, group, e);
    add_curves(page, group, e);
    add_intervals(page, group, e);
    add_differences(page, group, e);
    add_tables(page, group, e);
  }
  far__report_environment(page->report, NULL);
}
