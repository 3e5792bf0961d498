/* Means with their intervals, and the runs as dots: a row an agent, a panel an environment. */
#include <math.h>

#include "base/text.h"
#include "questions/comparison/rows.h"

static far__row_mark mark_of(far_figure *f, const far_comparison_group *g, size_t e, size_t j) {
  const far_comparison_cell *cell = &g->cells[e * g->n_agents + j];
  const far_summary *s = &cell->summary;
  if (cell->runs == 0) return (far__row_mark){.exists = false};
  const far_times *x = &cell->times;
  const char *text = far__interval_text(f, s->mean, s->low, s->high);
  if (x->runs > 0)
    text = far__figure_print(f, "%s (%lld of %lld)", text, (long long)(x->runs - x->censored),
                             (long long)x->runs);
  return (far__row_mark){.exists = true,
                         .value = s->mean,
                         .low = s->low,
                         .high = s->high,
                         .text = text,
                         .tip = far__figure_print(f, "%s on %s: %s (%lld run%s)",
                                                  g->agents[j].label, g->envs[e].label, text,
                                                  (long long)cell->runs, far__plural(cell->runs))};
}

static bool has_intervals(const far__row_mark *marks, size_t n) {
  for (size_t i = 0; i < n; ++i)
    if (marks[i].exists && isfinite(marks[i].high - marks[i].low)) return true;
  return false;
}

static void draw_rows(far_figure *f, const far_comparison *comparison,
                      const far_comparison_group *g, const far__shown *shown) {
  const char **titles = far__figure_room(f, g->n_envs, sizeof *titles);
  size_t *series = far__figure_room(f, shown->n, sizeof *series);
  far_sample *dots = far__figure_room(f, g->n_envs * shown->n, sizeof *dots);
  far__row_mark *marks = far__row_marks(f, g->n_envs, shown->n);
  const char **names = far__shown_labels(f, g, shown);
  if (f->kept.failed) return;
  for (size_t i = 0; i < g->n_envs * shown->n; ++i) {
    const size_t e = i / shown->n, j = shown->agents[i % shown->n];
    const far_comparison_cell *cell = &g->cells[e * g->n_agents + j];
    marks[i] = mark_of(f, g, e, j);
    dots[i] = (far_sample){cell->values, cell->runs};
    titles[e] = g->n_envs > 1 ? g->envs[e].label : NULL;
    series[i % shown->n] = i % shown->n;
  }
  const far__rows rows = {.f = f,
                          .n = shown->n,
                          .names = names,
                          .series = series,
                          .n_panels = g->n_envs,
                          .titles = titles,
                          .marks = marks,
                          .dots = dots,
                          .reference = NAN,
                          .least = NAN,
                          .most = NAN};
  const char *series_name = far__series_title(f, comparison->series);
  const char *mean = comparison->event != NULL ? "Restricted mean" : "Mean";
  const char *counts =
      comparison->event == NULL
          ? ""
          : far__figure_print(f, "; in brackets: runs that had %s by their end", comparison->event);
  const char *line = far__figure_print(f, "%s%s", far__results_line(f, g, shown), counts);
  far__figure_name(
      f,
      has_intervals(marks, g->n_envs * shown->n)
          ? far__figure_print(f, "%s %s with %g%% intervals", mean, series_name,
                              100 * comparison->bootstrap.level)
          : far__figure_print(f, "%s %s", mean, series_name),
      "Means of the runs with their intervals; each dot is a run, or stands for several%s.%s",
      counts, far__rows_describe(&rows));
  far__rows_draw(&rows, far__heading(f, f->title, line));
}

static far_status draw(far_figure **out, const far_comparison *comparison,
                       const far_comparison_group *group, const far_plot_def *def,
                       far_error *error) {
  return far__draw_shown(out, "intervals", comparison, group, def->width, def->most_series,
                         draw_rows, error);
}

const far__plot far__plot_intervals = {
    .name = "intervals",
    .summary = "means with their intervals, and the runs as dots",
    .of_comparison = draw,
    .numbers_of_comparison = far__numbers_of_comparison,
    .table = "cells",
};
