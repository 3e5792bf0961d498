/* The tables of learning curves. */
#include <stdio.h>
#include <string.h>

#include "questions/comparison/comparison.h"
#include "questions/comparison/times.h"
#include "questions/curves/curves.h"
#include "report/build.h"
#include "run/series.h"

static void add_curve(far_table *t, const far__curves_group *g, size_t e, size_t j) {
  const far__curve *curve = far__curve_of(g, e, j);
  const far__curves_agent *agent = &g->agents[j];
  for (size_t k = 0; k < curve->n; ++k) {
    far__table_row(t);
    far__table_text_as(t, g->envs[e].label, "%s", k == 0 ? g->envs[e].label : "");
    far__length_entries(t, g->steps, g->episodes);
    far__table_text(t, "%llu", (unsigned long long)g->seed);
    far__table_text_as(t, agent->label, "%s", k == 0 ? agent->label : "");
    far__table_text(t, "%s", far__origin_name(agent->origin));
    far__table_count(t, curve->steps[k]);
    far__table_count(t, curve->runs[k]);
    far__table_interval_of(t, curve->mean[k], curve->low[k], curve->high[k]);
    far__table_count_if(t, curve->censored != NULL,
                        curve->censored != NULL ? curve->censored[k] : 0);
  }
}

static void report_curves(far_report *r, const far__curves_group *g, double level, bool time) {
  char title[48];
  far_table *t = far__report_table(r, "curves");
  snprintf(title, sizeof title, "%smean ± %g%%", time ? "restricted " : "", 100 * level);
  far__table_column(t, "env", "environment", FAR__COLUMN_TEXT);
  far__length_columns(t);
  far__table_column(t, "seed", NULL, FAR__COLUMN_TEXT);
  far__table_column(t, "agent", "agent", FAR__COLUMN_TEXT);
  far__table_column(t, "origin", NULL, FAR__COLUMN_TEXT);
  far__table_column(t, "step", g->episodes > 0 ? "episode" : "step", FAR__COLUMN_COUNT);
  far__table_column(t, "runs", "runs", FAR__COLUMN_COUNT);
  far__table_column(t, "mean", title, FAR__COLUMN_INTERVAL);
  far__table_column(t, "censored", time ? "censored" : NULL, FAR__COLUMN_COUNT);
  for (size_t e = 0; e < g->n_envs; ++e)
    for (size_t j = 0; j < g->n_agents; ++j) add_curve(t, g, e, j);
}

static void report_lines(far_report *r, const far__curves_group *g) {
  bool any = false;
  for (size_t e = 0; e < g->n_envs; ++e)
    any = any || g->envs[e].best == g->envs[e].best || g->envs[e].random == g->envs[e].random;
  if (!any) return;
  far_table *t = far__report_table(r, "lines");
  far__table_column(t, "env", "environment", FAR__COLUMN_TEXT);
  far__length_columns(t);
  const bool by_episode = g->episodes > 0;
  far__table_column(t, "best", by_episode ? "best policy, per episode" : "best policy, per step",
                    FAR__COLUMN_REAL);
  far__table_column(t, "random",
                    by_episode ? "random policy, per episode" : "random policy, per step",
                    FAR__COLUMN_REAL);
  for (size_t e = 0; e < g->n_envs; ++e) {
    far__table_row(t);
    far__table_text(t, "%s", g->envs[e].label);
    far__length_entries(t, g->steps, g->episodes);
    far__table_real(t, g->envs[e].best);
    far__table_real(t, g->envs[e].random);
  }
}

void far__curves_report(const far__curves *curves, far_report *report) {
  const bool total = strcmp(curves->series, "curve") == 0;
  for (size_t i = 0; i < curves->n_groups; ++i) {
    const far__curves_group *g = &curves->groups[i];
    const far_comparison_group of = {
        .steps = g->steps, .episodes = g->episodes, .seed = g->seed, .numerics = g->numerics};
    far__report_title(report, "Learning curves: ", total ? "total" : curves->series, &of,
                      curves->lower);
    report_curves(report, g, curves->level, far__series_event(curves->series) != NULL);
    report_lines(report, g);
  }
  const bool by_episode = curves->n_groups > 0 && curves->groups[0].episodes > 0;
  if (curves->n_without > 0)
    far__report_note(report, FAR__NOTE_CAVEAT, "%zu %s no curve of '%s'.", curves->n_without,
                     curves->n_without == 1 ? "cell has" : "cells have",
                     total ? "total" : curves->series);
  far__report_methods(
      report,
      "mean over the runs at each checkpoint%s, with Student's %g%% interval, which "
      "holds at each checkpoint by itself. Farsight %s.",
      !curves->per_step ? ""
      : by_episode      ? ", of the change per episode since the checkpoint before"
                        : ", of the change per step since the checkpoint before",
      100 * curves->level, far_version());
}
