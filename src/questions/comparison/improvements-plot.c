/* The probability of improvement over the baseline, with simultaneous intervals. */
#include <math.h>

#include "base/text.h"
#include "questions/comparison/rows.h"

static far__row_mark mark_of(far_figure *f, const far_comparison_group *g, size_t j) {
  const far_comparison_improvement *i = &g->agents[j].improvement;
  const far_estimate *e = i->paired.value == i->paired.value ? &i->paired : &i->any;
  if (i->n_envs == 0) return (far__row_mark){.exists = false};
  const char *text = far__estimate_text(f, e);
  return (far__row_mark){
      .exists = true,
      .value = e->value,
      .low = e->low,
      .high = e->high,
      .open = !(e->low > 0.5 || e->high < 0.5),
      .text = text,
      .tip = far__figure_print(f, "%s is better than %s with probability %s, %s, %zu environment%s",
                               g->agents[j].label, g->agents[g->baseline].label, text,
                               e == &i->paired ? "paired runs" : "any two runs", i->n_envs,
                               far__plural((int64_t)i->n_envs))};
}

static void draw_rows(far_figure *f, const far_comparison *comparison,
                      const far_comparison_group *g, const far__shown *shown) {
  const char **names = far__figure_room(f, shown->n, sizeof *names);
  size_t *series = far__figure_room(f, shown->n, sizeof *series), n = 0;
  far__row_mark *marks = far__row_marks(f, 1, shown->n);
  if (f->kept.failed) return;
  for (size_t i = 0; i < shown->n; ++i) {
    const size_t j = shown->agents[i];
    if (j == g->baseline) continue;
    marks[n] = mark_of(f, g, j);
    names[n] = g->agents[j].label;
    series[n++] = i;
  }
  const far__rows rows = {.f = f,
                          .n = n,
                          .names = names,
                          .series = series,
                          .n_panels = 1,
                          .marks = marks,
                          .reference = 0.5,
                          .least = 0,
                          .most = 1,
                          .x_title = "probability of being better"};
  const char *title = far__figure_print(f, "%s: probability of improvement over %s",
                                        far__capital(f, far__series_title(f, comparison->series)),
                                        g->agents[g->baseline].label);
  far__figure_name(f, title,
                   "The probability that a run is better than one of the baseline, ties counting "
                   "half, in the mean over environments.%s",
                   far__rows_describe(&rows));
  far__rows_draw(&rows,
                 far__heading(f, f->title,
                              far__figure_print(f, "%s; %s%g%% intervals, filled: 0.5 is outside",
                                                far__results_line(f, g, shown),
                                                g->n_improvements > 1 ? "simultaneous " : "",
                                                100 * comparison->bootstrap.level)));
}

static far_status draw(far_figure **out, const far_comparison *comparison,
                       const far_comparison_group *group, const far_plot_def *def,
                       far_error *error) {
  return far__draw_beside_baseline(out, "improvements", comparison, group, def, draw_rows, error);
}

const far__plot far__plot_improvements = {
    .name = "improvements",
    .summary = "the probability of improvement over the baseline",
    .bootstrap = true,
    .of_comparison = draw,
    .numbers_of_comparison = far__numbers_of_comparison,
    .table = "improvements",
};
