/* Figures under construction: a list of shapes in the order of drawing. */
#include "report/figure/figure.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/shorten.h"
#include "base/text.h"

/* ---- memory ---- */

static const char *copy(far_figure *f, const char *text) {
  const char *out = far__kept_text(&f->kept, text);
  return out != NULL ? out : "";
}

static const double *copy_reals(far_figure *f, const double *x, size_t n) {
  if (x == NULL || n == 0) return NULL;
  double *out = far__kept_room(&f->kept, n, sizeof *out);
  return out != NULL ? memcpy(out, x, n * sizeof *out) : NULL;
}

static const char *print(far_figure *f, const char *format, va_list list) {
  const char *out = far__kept_print(&f->kept, format, list);
  return out != NULL ? out : "";
}

void *far__figure_room(far_figure *f, size_t count, size_t size) {
  return far__kept_room(&f->kept, count, size);
}

const char *far__figure_print(far_figure *f, const char *format, ...) {
  va_list list;
  va_start(list, format);
  const char *out = print(f, format, list);
  va_end(list);
  return out;
}

/* ---- the figure ---- */

far_status far__figure_create(far_figure **out, const char *kind, double width, far_error *error) {
  *out = NULL;
  if (!(width >= 100 && width <= 10000))
    return far__fail(error, FAR_STATUS_RANGE, -1,
                     "the width of a figure must be 100 to 10,000, not %g", width);
  far_figure *f = *out = calloc(1, sizeof *f);
  if (f == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a figure");
  f->kind = copy(f, kind);
  f->title = f->description = "";
  f->width = width;
  return FAR_OK;
}

void far__figure_name(far_figure *f, const char *title, const char *format, ...) {
  va_list list;
  va_start(list, format);
  f->title = copy(f, title);
  f->description = print(f, format, list);
  va_end(list);
}

void far__figure_height(far_figure *f, double height) {
  f->height = height;
}

far_status far__figure_finish(far_figure **figure, far_error *error) {
  if (!(*figure)->kept.failed) return FAR_OK;
  far_figure_free(*figure);
  *figure = NULL;
  return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a figure");
}

void far_figure_free(far_figure *f) {
  if (f == NULL) return;
  far__kept_free(&f->kept);
  free(f->items);
  free(f);
}

far_figure_info far_figure_info_of(const far_figure *f) {
  return (far_figure_info){.kind = f->kind,
                           .title = f->title,
                           .description = f->description,
                           .width = f->width,
                           .height = f->height};
}

/* ---- shapes ---- */

/* Adds an item, with the tip and the values that were set for the next item. */
static void add(far_figure *f, far__item item) {
  if (f->kept.failed) return;
  if (!far__grow((void **)&f->items, f->n_items, &f->item_room, sizeof *f->items)) {
    f->kept.failed = true;
    return;
  }
  item.tip = f->next.tip;
  item.n_values = f->next.n_values;
  memcpy(item.values, f->next.values, sizeof item.values);
  f->next = (far__item){0};
  f->items[f->n_items++] = item;
}

/* Are all coordinates finite? A shape with others is not drawn, so that no file has "inf" or "nan" for a coordinate. */
static bool has_place(const double *x, const double *y, size_t n) {
  bool out = n > 0;
  for (size_t i = 0; i < n; ++i) out = out && isfinite(x[i]) && isfinite(y[i]);
  return out;
}

static void add_points(far_figure *f, far__shape shape, const double *x, const double *y, size_t n,
                       far__paint paint) {
  far__item item = {.shape = shape, .paint = paint, .n = n};
  item.x = copy_reals(f, x, n);
  item.y = copy_reals(f, y, n);
  if (f->kept.failed) return;
  if (has_place(x, y, n))
    add(f, item);
  else
    f->next = (far__item){0};
}

void far__figure_line(far_figure *f, double x0, double y0, double x1, double y1, far__paint paint) {
  add_points(f, FAR__POLYLINE, (double[]){x0, x1}, (double[]){y0, y1}, 2, paint);
}

void far__figure_polyline(far_figure *f, const double *x, const double *y, size_t n,
                          far__paint paint) {
  add_points(f, FAR__POLYLINE, x, y, n, paint);
}

void far__figure_polygon(far_figure *f, const double *x, const double *y, size_t n,
                         far__paint paint) {
  add_points(f, FAR__POLYGON, x, y, n, paint);
}

void far__figure_rectangle(far_figure *f, double x, double y, double width, double height,
                           far__paint paint) {
  add_points(f, FAR__RECTANGLE, (double[]){x, width}, (double[]){y, height}, 2, paint);
}

void far__figure_circle(far_figure *f, double x, double y, double radius, far__paint paint) {
  add_points(f, FAR__CIRCLE, (double[]){x, radius}, (double[]){y, radius}, 2, paint);
}

/* Corners of markers on the unit square; the circle has none. */
static const struct {
  size_t n;
  double x[12], y[12];
} corners[FAR__SERIES] = {
    {0, {0}, {0}},
    {4, {-.85, .85, .85, -.85}, {-.85, -.85, .85, .85}},
    {3, {0, 1.1, -1.1}, {-1.15, .85, .85}},
    {4, {0, 1.15, 0, -1.15}, {-1.15, 0, 1.15, 0}},
    {3, {0, 1.1, -1.1}, {1.15, -.85, -.85}},
    {12,
     {-.4, .4, .4, 1.1, 1.1, .4, .4, -.4, -.4, -1.1, -1.1, -.4},
     {-1.1, -1.1, -.4, -.4, .4, .4, 1.1, 1.1, .4, .4, -.4, -.4}},
    {5, {0, 1.1, .68, -.68, -1.1}, {-1.15, -.36, .93, .93, -.36}},
    {6, {-1.15, -.58, .58, 1.15, .58, -.58}, {0, -1, -1, 0, 1, 1}},
};

void far__figure_marker(far_figure *f, size_t series, double x, double y, double radius,
                        far__paint paint) {
  double px[12], py[12];
  const size_t kind = (series + series / FAR__SERIES) % FAR__SERIES;
  if (corners[kind].n == 0) {
    far__figure_circle(f, x, y, radius, paint);
    return;
  }
  for (size_t i = 0; i < corners[kind].n; ++i) {
    px[i] = x + radius * corners[kind].x[i];
    py[i] = y + radius * corners[kind].y[i];
  }
  far__figure_polygon(f, px, py, corners[kind].n, paint);
}

void far__figure_arrow(far_figure *f, double x0, double y0, double x1, double y1,
                       far__paint paint) {
  const double length = sqrt((x1 - x0) * (x1 - x0) + (y1 - y0) * (y1 - y0));
  if (length == 0) return;
  const double dx = (x1 - x0) / length, dy = (y1 - y0) / length;
  const double head = fmin(length, 3 + 2.2 * (paint.width > 0 ? paint.width : 1));
  const double bx = x1 - head * dx, by = y1 - head * dy;
  far__figure_line(f, x0, y0, bx, by, paint);
  far__figure_polygon(f, (double[]){x1, bx - 0.55 * head * dy, bx + 0.55 * head * dy},
                      (double[]){y1, by + 0.55 * head * dx, by - 0.55 * head * dx}, 3,
                      (far__paint){.fill = paint.stroke, .opacity = paint.opacity});
}

/* ---- text ---- */

static far__font completed(far__font font) {
  if (font.size == 0) font.size = FAR__SIZE;
  if (font.ink == FAR__NO_INK) font.ink = FAR__INK_TEXT;
  return font;
}

void far__figure_write(far_figure *f, double x, double y, far__font font, const char *text) {
  if (*text == '\0') return;
  add(f, (far__item){.shape = FAR__TEXT,
                     .font = completed(font),
                     .n = 1,
                     .x = copy_reals(f, &x, 1),
                     .y = copy_reals(f, &y, 1),
                     .text = copy(f, text)});
}

/* How many bytes of the text, followed by an ellipsis, fit into `width`. */
static size_t bytes_within(const char *text, double width, far__font font) {
  const size_t length = strlen(text);
  double used = far__text_length("…", font.size, font.bold);
  size_t at = 0;
  while (at < length) {
    size_t size = far__utf8_length(text + at, length - at);
    if (size == 0) size = 1;
    char one[8] = {0};
    memcpy(one, text + at, size);
    used += far__text_length(one, font.size, font.bold);
    if (used > width) break;
    at += size;
  }
  return at;
}

const char *far__figure_shortened(far_figure *f, const char *text, far__font font, double width) {
  font = completed(font);
  if (far__text_length(text, font.size, font.bold) <= width) return text;
  return far__figure_print(f, "%.*s…", (int)bytes_within(text, width, font), text);
}

void far__figure_write_within(far_figure *f, double x, double y, double width, far__font font,
                              const char *text) {
  font = completed(font);
  if (far__text_length(text, font.size, font.bold) <= width) {
    far__figure_write(f, x, y, font, text);
    return;
  }
  const size_t n = bytes_within(text, width, font);
  if (f->next.tip == NULL) far__figure_tip(f, "%s", text);
  far__figure_write(f, x, y, font, far__figure_print(f, "%.*s…", (int)n, text));
}

/* A tolerance for rounding errors: a text exactly as wide as the room must fit. */
#define ROUNDING 0.01

static double measure(const char *text, size_t length, const void *user) {
  const far__font *font = user;
  char one[8];
  double sum = 0;
  if (text[length] == '\0') return far__text_length(text, font->size, font->bold); /* exact */
  for (size_t at = 0; at < length;) {
    size_t size = far__utf8_length(text + at, length - at);
    if (size == 0) size = 1;
    memcpy(one, text + at, size);
    one[size] = '\0';
    sum += far__text_length(one, font->size, font->bold);
    at += size;
  }
  return sum;
}

const char **far__figure_distinct(far_figure *f, const char *const *labels, size_t n,
                                  far__font font, double width) {
  const char **out = far__figure_room(f, n, sizeof *out);
  char **cut = calloc(n + 1, sizeof *cut);
  font = completed(font);
  f->kept.failed = f->kept.failed || cut == NULL ||
                   !far__shorten(cut, labels, n, width + ROUNDING, measure, &font);
  for (size_t i = 0; out != NULL && cut != NULL && i < n; ++i) {
    out[i] = cut[i] != NULL ? copy(f, cut[i]) : labels[i];
    free(cut[i]);
  }
  free(cut);
  return f->kept.failed ? NULL : out;
}

void far__figure_write_as(far_figure *f, double x, double y, far__font font, const char *shown,
                          const char *text) {
  if (strcmp(shown, text) != 0 && f->next.tip == NULL) far__figure_tip(f, "%s", text);
  far__figure_write(f, x, y, font, shown);
}

/* ---- the heading ---- */

void far__figure_heads(far_figure *f, int line) {
  f->heading[line] = f->n_items + 1;
}

/* Replaces line `line` of the heading; "" removes it. */
static void replace_line(far_figure *f, int line, const char *text) {
  if (f->heading[line] == 0) return;
  far__item *item = &f->items[f->heading[line] - 1];
  item->text = far__figure_shortened(f, copy(f, text), item->font, f->width - 2 * item->x[0]);
  item->tip = strcmp(item->text, text) != 0 ? copy(f, text) : NULL;
}

far_status far__figure_set_heading(far_figure *f, const char *title, const char *caption,
                                   far_error *error) {
  if (title != NULL) replace_line(f, 0, title);
  if (title != NULL && *title != '\0') f->title = copy(f, title);
  if (caption != NULL) replace_line(f, 1, caption);
  if (caption != NULL) replace_line(f, 2, "");
  if (!f->kept.failed) return FAR_OK;
  return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a figure");
}

/* ---- tips and values ---- */

void far__figure_tip(far_figure *f, const char *format, ...) {
  va_list list;
  va_start(list, format);
  f->next.tip = print(f, format, list);
  va_end(list);
}

void far__figure_values(far_figure *f, const double *x, const double *y, const double *low,
                        const double *high, size_t n) {
  const double *const given[] = {x, y, low, high};
  for (size_t i = 0; i < 4; ++i) f->next.values[i] = copy_reals(f, given[i], n);
  f->next.n_values = n;
}

void far__figure_series(far_figure *f, size_t series, const char *label) {
  add(f, (far__item){.shape = FAR__SERIES_BEGINS, .n = series, .text = copy(f, label)});
}

void far__figure_panel(far_figure *f, const char *label) {
  add(f, (far__item){.shape = FAR__PANEL_BEGINS, .text = copy(f, label)});
}

void far__figure_end(far_figure *f) {
  add(f, (far__item){.shape = FAR__ENDS});
}
