/* Differences from the baseline: pairs of runs as dots, means with simultaneous intervals, adjusted p-values. */
#include <math.h>

#include "base/text.h"
#include "questions/comparison/rows.h"
#include "statistics/sample.h"

typedef struct drawing {
  far_figure *f;
  const far_comparison *comparison;
  const far_comparison_group *g;
  const far__shown *shown;
  size_t *rows; /* indices of `shown`, without the baseline */
  size_t n;
} drawing;

/* Differences of pairs; none where runs are no pairs. */
static far_sample pairs_of(const drawing *d, size_t e, size_t j) {
  const far_comparison_cell *x = &d->g->cells[e * d->g->n_agents + j],
                            *y = &d->g->cells[e * d->g->n_agents + d->g->baseline];
  const int64_t most = x->runs < y->runs ? x->runs : y->runs;
  if (!x->difference.paired) return (far_sample){NULL, 0};
  double *px = far__figure_room(d->f, (size_t)most, sizeof *px);
  double *py = far__figure_room(d->f, (size_t)most, sizeof *py);
  if (px == NULL || py == NULL) return (far_sample){NULL, 0};
  const int64_t n = far__pairs_match(px, py, x->values, x->replicates, x->runs, y->values,
                                     y->replicates, y->runs);
  for (int64_t i = 0; i < n; ++i) px[i] -= py[i];
  return (far_sample){px, n};
}

static far__row_mark mark_of(const drawing *d, size_t e, size_t j) {
  const far_comparison_difference *x = &d->g->cells[e * d->g->n_agents + j].difference;
  if (!x->exists) return (far__row_mark){.exists = false};
  const char *interval = far__interval_text(d->f, x->mean, x->low, x->high);
  const char *p = far__p_text(d->f, x->p_adjusted), *comma = *p != '\0' ? ", " : "";
  const char *pairs = x->paired ? far__figure_print(d->f, ", %lld pair%s", (long long)x->pairs,
                                                    far__plural(x->pairs))
                                : ", no pairs";
  return (far__row_mark){.exists = true,
                         .value = x->mean,
                         .low = x->low,
                         .high = x->high,
                         .open = !(x->p_adjusted <= 1 - d->comparison->bootstrap.level),
                         .text = interval,
                         .more = p,
                         .tip = far__figure_print(d->f, "%s less %s on %s: %s%s%s%s",
                                                  d->g->agents[j].label,
                                                  d->g->agents[d->g->baseline].label,
                                                  d->g->envs[e].label, interval, comma, p, pairs)};
}

static const char *subtitle_of(const drawing *d) {
  const char *all = d->g->n_differences > 1 ? "simultaneous " : "";
  return far__figure_print(
      d->f, "%s; %s%g%% intervals, filled: %s ≤ %s", far__results_line(d->f, d->g, d->shown), all,
      100 * d->comparison->bootstrap.level, far__correction_text(d->f, d->comparison),
      far__alpha_text(d->f, d->comparison));
}

static void draw_rows(drawing *d) {
  const far_comparison_group *g = d->g;
  const char **titles = far__figure_room(d->f, g->n_envs, sizeof *titles);
  const char **names = far__figure_room(d->f, d->n, sizeof *names);
  far_sample *dots = far__figure_room(d->f, g->n_envs * d->n, sizeof *dots);
  far__row_mark *marks = far__row_marks(d->f, g->n_envs, d->n);
  if (d->f->kept.failed) return;
  for (size_t i = 0; i < g->n_envs * d->n; ++i) {
    const size_t e = i / d->n, j = d->shown->agents[d->rows[i % d->n]];
    marks[i] = mark_of(d, e, j);
    dots[i] = pairs_of(d, e, j);
    titles[e] = g->n_envs > 1 ? g->envs[e].label : NULL;
    names[i % d->n] = g->agents[j].label;
  }
  const far__rows rows = {.f = d->f,
                          .n = d->n,
                          .names = names,
                          .series = d->rows,
                          .n_panels = g->n_envs,
                          .titles = titles,
                          .marks = marks,
                          .dots = dots,
                          .reference = 0,
                          .least = NAN,
                          .most = NAN};
  const char *series = far__capital(d->f, far__series_title(d->f, d->comparison->series));
  far__figure_name(
      d->f,
      far__figure_print(d->f, "%s: difference %sfrom %s", series,
                        d->comparison->event != NULL ? "of restricted means " : "",
                        g->agents[g->baseline].label),
      "Differences of the means from that of the baseline, with intervals; each dot is a pair of "
      "runs with the same random numbers, or stands for several.%s",
      far__rows_describe(&rows));
  far__rows_draw(&rows, far__heading(d->f, d->f->title, subtitle_of(d)));
}

static void draw_shown(far_figure *f, const far_comparison *comparison,
                       const far_comparison_group *group, const far__shown *shown) {
  drawing d = {.f = f, .comparison = comparison, .g = group, .shown = shown};
  d.rows = far__figure_room(d.f, d.shown->n, sizeof *d.rows);
  for (size_t i = 0; i < d.shown->n && d.rows != NULL; ++i)
    if (d.shown->agents[i] != d.g->baseline) d.rows[d.n++] = i;
  draw_rows(&d);
}

static far_status draw(far_figure **out, const far_comparison *comparison,
                       const far_comparison_group *group, const far_plot_def *def,
                       far_error *error) {
  return far__draw_beside_baseline(out, "differences", comparison, group, def, draw_shown, error);
}

const far__plot far__plot_differences = {
    .name = "differences",
    .summary = "differences from the baseline, pair by pair, with simultaneous intervals",
    .of_comparison = draw,
    .numbers_of_comparison = far__numbers_of_comparison,
    .table = "comparisons",
};
