/* Rows of marks with intervals and dots: a row an agent. */
#include "questions/comparison/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DOTS = 80, MOST_WORDS = 60 };
#define LEAST_PANEL 140.0

typedef struct drawing {
  const far__rows *rows;
  far_figure *f;
  const char **names;  /* as they are shown */
  double row;          /* height of one */
  double left;         /* where the names end */
  double text;         /* room for the numbers at the right of a panel */
  double above, below; /* room of a panel */
  size_t columns;
} drawing;

far__row_mark *far__row_marks(far_figure *f, size_t n_panels, size_t n) {
  return far__figure_room(f, n_panels * n, sizeof(far__row_mark));
}

/* ---- one cell ---- */

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

/* Of many runs some quantiles, evenly: their dots are as dense as all would be. */
static size_t thin(far_figure *f, double out[MOST_DOTS], const far_sample *runs) {
  const size_t n = (size_t)runs->n;
  if (n <= MOST_DOTS) {
    if (n > 0) memcpy(out, runs->x, n * sizeof *out);
    return n;
  }
  double *sorted = malloc(n * sizeof *sorted);
  if (sorted == NULL) f->kept.failed = true;
  if (sorted == NULL) return 0;
  memcpy(sorted, runs->x, n * sizeof *sorted);
  qsort(sorted, n, sizeof *sorted, by_size);
  for (size_t i = 0; i < MOST_DOTS; ++i)
    out[i] = sorted[(size_t)(((double)i + 0.5) * (double)n / MOST_DOTS)];
  free(sorted);
  return MOST_DOTS;
}

/* Dots beside each other by a sequence that fills evenly, the same in every drawing. */
static void draw_dots(const drawing *d, const far__panel *p, const far_sample *runs, size_t series,
                      double y) {
  double values[MOST_DOTS];
  const size_t n = thin(d->f, values, runs);
  for (size_t i = 0; i < n; ++i) {
    const double turn = (double)(i + 1) * 0.6180339887498949;
    const double offset = (turn - floor(turn) - 0.5) * 0.62 * d->row;
    if (!isfinite(values[i])) continue;
    far__figure_circle(d->f, far__panel_x(p, values[i]), y + offset, 1.8,
                       (far__paint){.fill = far__ink_of(series), .opacity = 0.35});
  }
}

static void draw_mark(const drawing *d, const far__panel *p, const far__row_mark *m, size_t series,
                      double y) {
  const far__ink ink = far__ink_of(series);
  const far__paint full = {.fill = ink, .stroke = FAR__INK_PAPER, .width = 1.2};
  const far__paint open = {.fill = FAR__INK_PAPER, .stroke = ink, .width = 1.8};
  if (!isfinite(m->value)) return;
  if (isfinite(m->high - m->low)) {
    const far__paint line = {.stroke = far__ink_of(series), .width = 2.5};
    const double low = far__panel_x(p, fmax(m->low, p->h.low)),
                 high = far__panel_x(p, fmin(m->high, p->h.high));
    far__figure_line(d->f, low, y, high, y, line);
    far__figure_line(d->f, low, y - 5, low, y + 5, line);
    far__figure_line(d->f, high, y - 5, high, y + 5, line);
  }
  if (m->tip != NULL) far__figure_tip(d->f, "%s", m->tip);
  far__figure_marker(d->f, series, far__panel_x(p, m->value), y, m->open ? 4.2 : 4.5,
                     m->open ? open : full);
}

/* Two lines where there are two texts and room for them. */
static void write_beside(const drawing *d, const far__row_mark *m, double x, double y) {
  const bool two = m->more != NULL && *m->more != '\0' && d->row >= 24;
  if (m->text == NULL) return;
  far__figure_write(d->f, x, y + (two ? -1.5 : 4), (far__font){.size = FAR__SMALL}, m->text);
  if (two)
    far__figure_write(d->f, x, y + 10.5, (far__font){.size = 10, .ink = FAR__INK_MUTED}, m->more);
}

static void draw_cell(const drawing *d, const far__panel *p, size_t panel, size_t row) {
  const far__rows *r = d->rows;
  const far__row_mark *m = &r->marks[panel * r->n + row];
  const double y = p->y + ((double)row + 0.5) * d->row;
  if (!m->exists) {
    far__figure_write(d->f, p->x + p->width + 8, y + 4,
                      (far__font){.size = FAR__SMALL, .ink = FAR__INK_MUTED}, "–");
    return;
  }
  far__figure_series(d->f, r->series[row], r->names[row]);
  if (r->dots != NULL) draw_dots(d, p, &r->dots[panel * r->n + row], r->series[row], y);
  draw_mark(d, p, m, r->series[row], y);
  write_beside(d, m, p->x + p->width + 8, y);
  far__figure_end(d->f);
}

/* ---- one panel ---- */

static far__range range_of(const far__rows *r, size_t panel) {
  far__range range = FAR__NO_RANGE;
  far__range_add(&range, r->reference);
  for (size_t i = panel * r->n; i < (panel + 1) * r->n; ++i) {
    const far__row_mark *m = &r->marks[i];
    if (!m->exists) continue;
    far__range_add(&range, m->value);
    far__range_add(&range, m->low);
    far__range_add(&range, m->high);
    for (int64_t k = 0; r->dots != NULL && k < r->dots[i].n; ++k)
      far__range_add(&range, r->dots[i].x[k]);
  }
  range = far__range_widened(range, 0.04);
  if (r->least == r->least) range.low = r->least;
  if (r->most == r->most) range.high = r->most;
  return range;
}

static const char *title_of(const far__rows *r, size_t panel) {
  return r->titles != NULL ? r->titles[panel] : NULL;
}

static void draw_panel(const drawing *d, size_t panel, double x, double y, double width) {
  const far__rows *r = d->rows;
  const far__range range = range_of(r, panel);
  const char *title = title_of(r, panel);
  far__panel p = {.x = x, .y = y, .width = width - d->text, .height = d->row * (double)r->n};
  p.h = far__axis_create(range.low, range.high, false, p.width, 42);
  p.v = (far__axis){.low = 0, .high = 1};
  far__figure_panel(d->f, title != NULL ? title : "");
  far__panel_draw(
      d->f, &p,
      &(far__panel_look){.x_title = r->x_titles != NULL ? r->x_titles[panel] : r->x_title,
                         .no_y_labels = true});
  if (title != NULL)
    far__figure_write_within(d->f, x, y - 10, width - 14, (far__font){.bold = true}, title);
  if (r->reference == r->reference) {
    const double at = far__panel_x(&p, r->reference);
    far__figure_line(d->f, at, p.y, at, p.y + p.height,
                     (far__paint){.stroke = FAR__INK_TEXT, .width = 1.2});
  }
  for (size_t i = 0; i < r->n; ++i) draw_cell(d, &p, panel, i);
  far__figure_end(d->f);
}

static void draw_names(const drawing *d, double y) {
  const far__rows *r = d->rows;
  for (size_t i = 0; d->names != NULL && i < r->n; ++i) {
    far__figure_series(d->f, r->series[i], r->names[i]);
    far__figure_write_as(d->f, d->left - 10, y + ((double)i + 0.5) * d->row + 4,
                         (far__font){.anchor = FAR__RIGHT}, d->names[i], r->names[i]);
    far__figure_end(d->f);
  }
}

/* ---- the whole ---- */

static void measure(drawing *d) {
  const far__rows *r = d->rows;
  double names = 0, texts = 0;
  bool titles = false, x_titles = r->x_title != NULL || r->x_titles != NULL;
  for (size_t i = 0; i < r->n; ++i)
    names = fmax(names, far__text_length(r->names[i], FAR__SIZE, false));
  for (size_t i = 0; i < r->n_panels * r->n; ++i) {
    const far__row_mark *m = &r->marks[i];
    if (m->exists && m->text != NULL)
      texts = fmax(texts, far__text_length(m->text, FAR__SMALL, false));
    if (m->exists && m->more != NULL) texts = fmax(texts, far__text_length(m->more, 10, false));
  }
  for (size_t i = 0; i < r->n_panels; ++i) titles = titles || title_of(r, i) != NULL;
  d->row = r->n <= 12 ? 30 : r->n <= 24 ? 24 : 20;
  d->left = fmin(names, 0.36 * d->f->width) + 26;
  d->names = far__figure_distinct(d->f, r->names, r->n, (far__font){0}, d->left - 24);
  d->text = texts + 22;
  d->above = titles ? 26 : 6;
  d->below = x_titles ? 46 : 30;
  d->columns = far__columns(r->n_panels, d->f->width - d->left - 6, LEAST_PANEL + d->text);
}

void far__rows_draw(const far__rows *rows, double top) {
  drawing d = {.rows = rows, .f = rows->f};
  if (rows->f->kept.failed) return;
  measure(&d);
  const size_t lines = (rows->n_panels + d.columns - 1) / d.columns;
  const double width = (d.f->width - d.left - 6) / (double)d.columns;
  const double height = d.above + d.row * (double)rows->n + d.below;
  for (size_t i = 0; i < lines; ++i) draw_names(&d, top + (double)i * height + d.above);
  for (size_t i = 0; i < rows->n_panels; ++i)
    draw_panel(&d, i, d.left + (double)(i % d.columns) * width,
               top + far__row_of(i, d.columns) * height + d.above, width);
  far__figure_height(d.f, top + (double)lines * height + 4);
}

const char *far__rows_describe(const far__rows *rows) {
  const char *text = "";
  size_t words = 0;
  for (size_t i = 0; i < rows->n_panels * rows->n && words < MOST_WORDS; ++i) {
    if (!rows->marks[i].exists || rows->marks[i].tip == NULL) continue;
    text = far__figure_print(rows->f, "%s %s.", text, rows->marks[i].tip);
    ++words;
  }
  return text;
}
