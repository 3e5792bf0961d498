/* Means with their intervals, and the runs as dots: a row an agent, a column an environment. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "plots/plot.h"

enum { MOST_DOTS = 80 };
#define ROW 30.0
#define LEAST_PANEL 190.0

typedef struct drawing {
  far_figure *f;
  const far_comparison *comparison;
  const far_comparison_group *group;
  far__shown shown;
  double left;  /* where the names of agents end */
  double value; /* room for the numbers at the right of a panel */
} drawing;

/* ---- one cell ---- */

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

/* Of many runs some quantiles, evenly: their dots are as dense as all would be. */
static size_t thin(double out[MOST_DOTS], const far_comparison_cell *cell) {
  const size_t n = (size_t)cell->runs;
  if (n <= MOST_DOTS) {
    memcpy(out, cell->values, n * sizeof *out);
    return n;
  }
  double *sorted = malloc(n * sizeof *sorted);
  if (sorted == NULL) return 0;
  memcpy(sorted, cell->values, n * sizeof *sorted);
  qsort(sorted, n, sizeof *sorted, by_size);
  for (size_t i = 0; i < MOST_DOTS; ++i)
    out[i] = sorted[(size_t)(((double)i + 0.5) * (double)n / MOST_DOTS)];
  free(sorted);
  return MOST_DOTS;
}

/* Dots beside each other by a sequence that fills evenly, the same in every drawing. */
static void draw_runs(far_figure *f, const far__panel *p, const far_comparison_cell *cell,
                      size_t series, double y) {
  double values[MOST_DOTS];
  const size_t n = thin(values, cell);
  for (size_t i = 0; i < n; ++i) {
    const double turn = (double)(i + 1) * 0.6180339887498949;
    const double offset = (turn - floor(turn) - 0.5) * 0.62 * ROW;
    if (!isfinite(values[i])) continue;
    far__figure_circle(f, far__panel_x(p, values[i]), y + offset, 1.8,
                       (far__paint){.fill = far__ink_of(series), .opacity = 0.35});
  }
}

static void draw_mean(far_figure *f, const far__panel *p, const far_summary *s, size_t series,
                      double y) {
  const far__paint line = {.stroke = far__ink_of(series), .width = 2.5};
  const double x = far__panel_x(p, s->mean);
  if (s->low == s->low && isfinite(s->high - s->low)) {
    const double low = far__panel_x(p, s->low), high = far__panel_x(p, s->high);
    far__figure_line(f, low, y, high, y, line);
    far__figure_line(f, low, y - 5, low, y + 5, line);
    far__figure_line(f, high, y - 5, high, y + 5, line);
  }
  far__figure_marker(
      f, series, x, y, 4.5,
      (far__paint){.fill = far__ink_of(series), .stroke = FAR__INK_PAPER, .width = 1.2});
}

static void draw_cell(drawing *d, const far__panel *p, size_t e, size_t row) {
  far_figure *f = d->f;
  const far_comparison_group *g = d->group;
  const size_t j = d->shown.agents[row];
  const far_comparison_cell *cell = &g->cells[e * g->n_agents + j];
  const double y = p->y + ((double)row + 0.5) * ROW;
  if (cell->runs == 0) return;
  far__figure_series(f, row, g->agents[j].label);
  draw_runs(f, p, cell, row, y);
  const char *text =
      far__interval_text(f, cell->summary.mean, cell->summary.low, cell->summary.high);
  far__figure_tip(f, "%s on %s: %s (%lld run%s)", g->agents[j].label, g->envs[e].label, text,
                  (long long)cell->runs, far__plural(cell->runs));
  if (isfinite(cell->summary.mean)) draw_mean(f, p, &cell->summary, row, y);
  far__figure_write(f, p->x + p->width + 8, y + 4, (far__font){.size = FAR__SMALL}, text);
  far__figure_end(f);
}

/* ---- one environment ---- */

static far__range range_of(const drawing *d, size_t e) {
  far__range range = FAR__NO_RANGE;
  for (size_t i = 0; i < d->shown.n; ++i) {
    const far_comparison_cell *cell = &d->group->cells[e * d->group->n_agents + d->shown.agents[i]];
    for (int64_t k = 0; k < cell->runs; ++k) far__range_add(&range, cell->values[k]);
    if (cell->runs == 0) continue;
    far__range_add(&range, cell->summary.low);
    far__range_add(&range, cell->summary.high);
  }
  return far__range_widened(range, 0.03);
}

static void draw_env(drawing *d, size_t e, double x, double y, double width) {
  const far__range range = range_of(d, e);
  far__panel p = {.x = x, .y = y, .width = width - d->value, .height = ROW * (double)d->shown.n};
  p.h = far__axis_create(range.low, range.high, false, p.width, 70);
  p.v = (far__axis){.low = 0, .high = 1};
  far__figure_panel(d->f, d->group->envs[e].label);
  far__panel_draw(d->f, &p,
                  &(far__panel_look){.title = d->group->n_envs > 1 ? d->group->envs[e].label : NULL,
                                     .no_y_labels = true});
  for (size_t i = 0; i < d->shown.n; ++i) draw_cell(d, &p, e, i);
  far__figure_end(d->f);
}

static void draw_names(drawing *d, double y) {
  for (size_t i = 0; i < d->shown.n; ++i) {
    const char *label = d->group->agents[d->shown.agents[i]].label;
    far__figure_series(d->f, i, label);
    far__figure_write_within(d->f, d->left - 10, y + ((double)i + 0.5) * ROW + 4, d->left - 24,
                             (far__font){.anchor = FAR__RIGHT}, label);
    far__figure_end(d->f);
  }
}

/* ---- the figure ---- */

static void measure(drawing *d) {
  double names = 0, values = 0;
  for (size_t i = 0; i < d->shown.n; ++i) {
    const size_t j = d->shown.agents[i];
    names = fmax(names, far__text_length(d->group->agents[j].label, FAR__SIZE, false));
    for (size_t e = 0; e < d->group->n_envs; ++e) {
      const far_comparison_cell *cell = &d->group->cells[e * d->group->n_agents + j];
      const far_summary *s = &cell->summary;
      if (cell->runs > 0)
        values = fmax(values, far__text_length(far__interval_text(d->f, s->mean, s->low, s->high),
                                               FAR__SMALL, false));
    }
  }
  d->left = fmin(names, 0.3 * d->f->width) + 26;
  d->value = values + 22;
}

static void draw_all(drawing *d) {
  const size_t n = d->group->n_envs;
  const double room = d->f->width - d->left - 6;
  const size_t columns = far__columns(n, room, LEAST_PANEL + d->value),
               rows = (n + columns - 1) / columns;
  const double width = room / (double)columns, title = n > 1 ? 26 : 6;
  const double height = title + ROW * (double)d->shown.n + 30;
  const double top =
      far__heading(d->f, d->f->title, far__results_line(d->f, d->comparison, d->group, &d->shown));
  for (size_t r = 0; r < rows; ++r) draw_names(d, top + (double)r * height + title);
  for (size_t e = 0; e < n; ++e)
    draw_env(d, e, d->left + (double)(e % columns) * width,
             top + (double)(e / columns) * height + title, width);
  far__figure_height(d->f, top + (double)rows * height + 4);
}

static void describe(drawing *d) {
  const far_comparison_group *g = d->group;
  const char *series = far__series_title(d->f, d->comparison->series);
  const char *text = "";
  for (size_t e = 0; e < g->n_envs && e < 8; ++e)
    for (size_t i = 0; i < d->shown.n; ++i) {
      const far_comparison_cell *cell = &g->cells[e * g->n_agents + d->shown.agents[i]];
      if (cell->runs == 0) continue;
      text = far__figure_print(
          d->f, "%s %s on %s: %s.", text, g->agents[d->shown.agents[i]].label, g->envs[e].label,
          far__interval_text(d->f, cell->summary.mean, cell->summary.low, cell->summary.high));
    }
  far__figure_name(
      d->f,
      far__figure_print(d->f, "Mean %s with %g%% intervals", series,
                        100 * d->comparison->bootstrap.level),
      "Means of the runs with their intervals; each dot is a run, or stands for several.%s", text);
}

static far_status draw(far_figure **out, const far_comparison *comparison,
                       const far_comparison_group *group, const far_plot_def *def,
                       far_error *error) {
  drawing d = {.comparison = comparison, .group = group};
  far_status status = far__shown_create(&d.shown, comparison, group, def->most_series, error);
  if (status != FAR_OK) return status;
  status = far__figure_create(&d.f, "intervals", def->width, error);
  if (status == FAR_OK) {
    describe(&d);
    measure(&d);
    draw_all(&d);
    status = far__figure_finish(&d.f, error);
  }
  far__shown_free(&d.shown);
  *out = d.f;
  return status;
}

const far__plot far__plot_intervals = {
    .name = "intervals",
    .summary = "means with their intervals, and the runs as dots",
    .of_comparison = draw,
};
