/* The tables of Oh & Iyengar 2018: a row for each method, our mean and the paper's with their 95%
 * intervals, a column for each table. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "farsight/report.h"
#include "questions/paper/paper-tables.h"
#include "questions/plots/plot.h"
#include "report/build.h"

#define ROW 33.0
#define NUMBERS 92.0 /* room for the numbers at the right of a panel */
#define LEAST_PANEL 190.0

typedef struct drawing {
  far_figure *f;
  const far_batch *batch;
  size_t n_rows;
  double left; /* where the names of methods end */
  far__range range;
} drawing;

typedef struct mean {
  double value, ci95;
} mean;

/* ---- numbers ---- */

static mean paper_mean(size_t table, size_t i) {
  const far__paper_row *row = far__paper_row_at(i);
  return (mean){row->mean[table], row->ci95[table]};
}

static mean our_mean(const drawing *d, size_t table, size_t i) {
  const far_result *r = far_batch_result(d->batch, table * d->n_rows + i);
  return (mean){r->mean, r->ci95};
}

static const char *text_of(far_figure *f, mean m) {
  return far__interval_text(f, m.value, m.value - m.ci95, m.value + m.ci95);
}

/* "Directed Delayed QL, γ_E = 0.99" */
static const char *name_of(far_figure *f, size_t i) {
  const far__paper_row *row = far__paper_row_at(i);
  if (row->gamma_e != row->gamma_e) return row->method;
  return far__figure_print(f, "%s, γ_E = %.2f", row->method, row->gamma_e);
}

static bool in_paper(size_t i) {
  const far__paper_row *row = far__paper_row_at(i);
  return row->mean[0] == row->mean[0];
}

/* ---- marks ---- */

static void draw_mark(far_figure *f, bool ours, double x, double y) {
  if (ours)
    far__figure_circle(f, x, y, 4.2,
                       (far__paint){.fill = far__ink_of(0), .stroke = FAR__INK_PAPER, .width = 1});
  else
    far__figure_marker(
        f, 3, x, y, 4.2,
        (far__paint){.fill = FAR__INK_PAPER, .stroke = FAR__INK_MUTED, .width = 1.7});
}

static void draw_mean(drawing *d, const far__panel *p, size_t table, size_t i, bool ours, mean m) {
  const double middle = p->y + ((double)i + 0.5) * ROW, y = middle + (!in_paper(i) ? 0
                                                                      : ours       ? -6
                                                                                   : 7);
  const far__ink ink = ours ? far__ink_of(0) : FAR__INK_MUTED;
  if (!isfinite(m.value)) return;
  const char *text = text_of(d->f, m), *who = ours ? "ours" : "the paper";
  far__figure_series(d->f, ours ? 0 : 1, who);
  far__draw_lying(d->f, p, y, m.value - m.ci95, m.value + m.ci95, ink);
  far__figure_tip(d->f, "%s on %s, %s: %s", name_of(d->f, i), far__paper_env(table), who, text);
  draw_mark(d->f, ours, far__panel_x(p, m.value), y);
  far__figure_write(d->f, p->x + p->width + NUMBERS, y + 4,
                    (far__font){.size = FAR__SMALL,
                                .anchor = FAR__RIGHT,
                                .ink = ours ? FAR__INK_TEXT : FAR__INK_MUTED},
                    text);
  far__figure_end(d->f);
}

static void draw_table(drawing *d, size_t table, double x, double y, double width) {
  far__panel p = {.x = x, .y = y, .width = width - NUMBERS - 26, .height = ROW * (double)d->n_rows};
  p.h = far__axis_create(0, d->range.high, false, p.width, 48);
  p.v = (far__axis){.low = 0, .high = 1};
  far__figure_panel(d->f, far__paper_env(table));
  far__panel_draw(d->f, &p,
                  &(far__panel_look){.title = far__figure_print(d->f, "Table %zu: %s", table + 1,
                                                                far__paper_env(table)),
                                     .no_y_labels = true});
  for (size_t i = 0; i < d->n_rows; ++i) {
    draw_mean(d, &p, table, i, false, paper_mean(table, i));
    draw_mean(d, &p, table, i, true, our_mean(d, table, i));
  }
  far__figure_end(d->f);
}

/* ---- the figure ---- */

static void measure(drawing *d) {
  double names = 0;
  d->range = FAR__NO_RANGE;
  while (far__paper_row_at(d->n_rows) != NULL) d->n_rows += 1;
  for (size_t i = 0; i < d->n_rows; ++i) {
    names = fmax(names, far__text_length(name_of(d->f, i), FAR__SIZE, false));
    for (size_t t = 0; t < FAR__PAPER_TABLES; ++t) {
      const mean ours = our_mean(d, t, i), theirs = paper_mean(t, i);
      far__range_add(&d->range, ours.value);
      far__range_add(&d->range, ours.value + ours.ci95);
      far__range_add(&d->range, theirs.value + theirs.ci95);
    }
  }
  d->range = far__range_widened(d->range, 0.03);
  d->left = fmin(names, 0.36 * d->f->width) + 28;
}

/* Rows that the paper lacks stand below a line. */
static void draw_names(drawing *d, double y) {
  for (size_t i = 0; i < d->n_rows; ++i) {
    const double top = y + (double)i * ROW;
    if (i > 0 && in_paper(i - 1) && !in_paper(i))
      far__figure_line(d->f, 16, top, d->f->width - 10, top,
                       (far__paint){.stroke = FAR__INK_MUTED, .dash = 2, .opacity = 0.7});
    far__figure_write_within(d->f, d->left - 12, top + ROW / 2 + 4, d->left - 24,
                             (far__font){.anchor = FAR__RIGHT}, name_of(d->f, i));
  }
}

static double draw_legend(drawing *d, double y) {
  double x = 22;
  for (int ours = 1; ours >= 0; --ours) {
    const char *text = ours ? "ours" : "the paper";
    far__figure_series(d->f, ours ? 0 : 1, text);
    draw_mark(d->f, ours, x, y + 6);
    far__figure_write(d->f, x + 10, y + 10, (far__font){.size = FAR__SMALL}, text);
    far__figure_end(d->f);
    x += 10 + far__text_length(text, FAR__SMALL, false) + 26;
  }
  return 18;
}

static const char *findings(drawing *d) {
  const char *out = "";
  for (size_t t = 0; t < FAR__PAPER_TABLES; ++t)
    for (size_t i = 0; i < d->n_rows; ++i) {
      const mean ours = our_mean(d, t, i), theirs = paper_mean(t, i);
      if (ours.value != ours.value) continue;
      out = far__figure_print(d->f, "%s %s on %s: ours %s, the paper %s.", out, name_of(d->f, i),
                              far__paper_env(t), text_of(d->f, ours),
                              in_paper(i) ? text_of(d->f, theirs) : "none");
    }
  return out;
}

static void draw_all(drawing *d) {
  measure(d);
  const far_result *first = far_batch_result(d->batch, 0);
  far__figure_name(d->f, "Reward in 10,000 steps: the paper's tables and ours",
                   "Means with 95%% intervals.%s", findings(d));
  double y = far__heading(
      d->f, d->f->title,
      far__figure_print(
          d->f, "means with 95%% intervals, ours of %s run%s; below the line: not in the paper",
          far__brief_count(first->runs).text, far__plural(first->runs)));
  y += draw_legend(d, y);
  const double room = d->f->width - d->left - 8;
  const size_t columns = far__columns(FAR__PAPER_TABLES, room, LEAST_PANEL + NUMBERS);
  const double width = room / (double)columns, height = 26 + ROW * (double)d->n_rows + 32;
  for (size_t r = 0; r < FAR__PAPER_TABLES / columns; ++r)
    draw_names(d, y + 26 + height * (double)r);
  for (size_t t = 0; t < FAR__PAPER_TABLES; ++t)
    draw_table(d, t, d->left + width * (double)(t % columns),
               y + 26 + height * far__row_of(t, columns), width);
  far__figure_height(d->f, y + height * far__row_of(FAR__PAPER_TABLES, columns) + 2);
}

far_status far__paper_tables_figure(far_figure **out, const far__paper_tables *tables,
                                    const far_plot_def *def, far_error *error) {
  size_t n_cells;
  drawing d = {.batch = far__paper_tables_batch(tables, &n_cells)};
  *out = NULL;
  far_status status = far__figure_create(&d.f, "paper", def->width, error);
  if (status != FAR_OK) return status;
  draw_all(&d);
  status = far__figure_finish(&d.f, error);
  *out = d.f;
  return status;
}
