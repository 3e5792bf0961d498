/* Normalised scores over environments: interquartile mean, mean, median and optimality gap, with intervals. */
#include <math.h>

#include "base/error.h"
#include "questions/comparison/rows.h"

enum { AGGREGATES = 4 };
static const char *const titles[AGGREGATES] = {"IQM", "mean", "median", "optimality gap"};

static far__row_mark mark_of(far_figure *f, const far_comparison_agent *agent, size_t k) {
  if (!agent->scores.exists) return (far__row_mark){.exists = false};
  const far_aggregate *a = &agent->scores.aggregate;
  const far_estimate *const all[AGGREGATES] = {&a->iqm, &a->mean, &a->median, &a->gap};
  const far_estimate *e = all[k];
  const char *text = far__estimate_text(f, e);
  return (far__row_mark){.exists = true,
                         .value = e->value,
                         .low = e->low,
                         .high = e->high,
                         .text = text,
                         .tip = far__figure_print(f, "%s, %s: %s", agent->label, titles[k], text)};
}

static const char *scale_of(const far_comparison_group *g) {
  size_t observed = 0;
  for (size_t e = 0; e < g->n_envs; ++e)
    observed += g->envs[e].scale.used && g->envs[e].scale.kind == FAR_SCALE_OBSERVED;
  return observed == 0             ? "0: random policy, 1: best policy"
         : observed == g->n_scales ? "0: worst run, 1: best run"
                                   : "0: random policy or worst run, 1: best policy or run";
}

static void draw_rows(far_figure *f, const far_comparison *comparison,
                      const far_comparison_group *g, const far__shown *shown) {
  static const char *const below[AGGREGATES] = {"score", "score", "score", "less is better"};
  const char **names = far__shown_labels(f, g, shown);
  size_t *series = far__figure_room(f, shown->n, sizeof *series);
  far__row_mark *marks = far__row_marks(f, AGGREGATES, shown->n);
  if (f->kept.failed) return;
  for (size_t i = 0; i < AGGREGATES * shown->n; ++i) {
    marks[i] = mark_of(f, &g->agents[shown->agents[i % shown->n]], i / shown->n);
    series[i % shown->n] = i % shown->n;
  }
  const far__rows rows = {.f = f,
                          .n = shown->n,
                          .names = names,
                          .series = series,
                          .n_panels = AGGREGATES,
                          .titles = titles,
                          .marks = marks,
                          .reference = NAN,
                          .least = NAN,
                          .most = NAN,
                          .x_titles = below};
  const char *title = far__figure_print(f, "%s: scores over %zu environments, %g%% intervals",
                                        far__capital(f, far__series_title(f, comparison->series)),
                                        g->n_scales, 100 * comparison->bootstrap.level);
  const char *line = far__figure_print(f, "%s; %s", far__results_line(f, g, shown), scale_of(g));
  far__figure_name(f, title, "Aggregates of the normalised scores (%s).%s", scale_of(g),
                   far__rows_describe(&rows));
  far__rows_draw(&rows, far__heading(f, f->title, line));
}

static far_status draw(far_figure **out, const far_comparison *comparison,
                       const far_comparison_group *group, const far_plot_def *def,
                       far_error *error) {
  bool any = false;
  for (size_t j = 0; j < group->n_agents; ++j) any = any || group->agents[j].scores.exists;
  if (!any)
    return far__fail(error, FAR_STATUS_UNKNOWN, -1,
                     "scores need two environments on which runs vary and are finite, and an agent "
                     "that is on all of them");
  return far__draw_shown(out, "scores", comparison, group, def->width, def->most_series, draw_rows,
                         error);
}

const far__plot far__plot_scores = {
    .name = "scores",
    .summary = "normalised scores over environments: IQM, mean, median, optimality gap",
    .bootstrap = true,
    .of_comparison = draw,
    .numbers_of_comparison = far__numbers_of_comparison,
    .table = "scores",
};
