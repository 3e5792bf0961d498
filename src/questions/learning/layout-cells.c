/* A state as a square: its colours, its number, its label; and grids of these. */
#include <math.h>
#include <string.h>

#include "questions/learning/layout-figure.h"
#include "questions/learning/layout.h"

#define SEAM 0.3 /* by which neighbours overlap, so that no paper shows between them */

/* ---- texts ---- */

static double fitting(const char *text, double most, double room, bool bold) {
  const double length = far__text_length(text, 1, bold);
  return fmin(most, length > 0 ? room / length : most);
}

/* Centred about (x, y), if it can be read. */
static void write_centred(far_figure *f, double x, double y, double size, bool bold, far__ink ink,
                          const char *text) {
  if (size >= 5.5)
    far__figure_write(f, x, y + 0.36 * size,
                      (far__font){.size = size, .anchor = FAR__MIDDLE, .bold = bold, .ink = ink},
                      text);
}

static const char *label_of(const far__board *b, uint32_t s) {
  return b->layout.label != NULL ? b->layout.label[s] : "";
}

static void write_label(far_figure *f, const far__board *b, uint32_t s, double x, double y,
                        double cell, far__ink ink) {
  const char *label = label_of(b, s);
  write_centred(f, x, y, fitting(label, fmin(12, 0.5 * cell), 0.84 * cell, true), true, ink, label);
}

/* In the corner, where the centre has a number or an arrow. */
static void write_corner(far_figure *f, const far__board *b, uint32_t s, double x, double y,
                         double cell, far__ink ink) {
  const char *label = label_of(b, s);
  const double size = fitting(label, fmin(10, 0.26 * cell), 0.5 * cell, true);
  if (size >= 6)
    far__figure_write(f, x - 0.45 * cell, y - 0.45 * cell + 0.78 * size,
                      (far__font){.size = size, .bold = true, .ink = ink}, label);
}

/* ---- what is not a number ---- */

static void fill_square(far_figure *f, double x, double y, double cell, far__paint paint) {
  const double gap = cell >= 12 ? 0.5 : 0, side = cell >= 12 ? cell - 1 : cell + SEAM;
  far__figure_rectangle(f, x - cell / 2 + gap, y - cell / 2 + gap, side, side, paint);
}

static void draw_terminal(far_figure *f, const far__board *b, uint32_t s, double x, double y,
                          double cell) {
  const char *label = label_of(b, s);
  if (b->tips) far__figure_tip(f, "%s: terminal", far__board_state_name(f, b, s));
  fill_square(f, x, y, cell, (far__paint){.fill = FAR__INK_EMPTY});
  if (*label != '\0')
    write_label(f, b, s, x, y, cell, FAR__INK_MUTED);
  else if (cell >= 9)
    write_centred(f, x, y, fmin(12, 0.6 * cell), false, FAR__INK_MUTED, "×");
}

/* Where zero is in the middle of the colours, it is nearly white: the empty cell is struck out. */
void far__draw_empty(far_figure *f, const far__board *b, double x, double y, double width,
                     double height) {
  const far__paint line = {.fill = FAR__INK_PAPER, .stroke = FAR__INK_GRID, .width = 1};
  const double gap = fmin(width, height) >= 12 ? 0.5 : 0;
  if (fmin(width, height) < 6) return;
  far__figure_rectangle(f, x + gap, y + gap, width - 2 * gap, height - 2 * gap, line);
  if (b->tint.sign) far__figure_line(f, x + gap, y + height - gap, x + width - gap, y + gap, line);
}

static void draw_unvisited(far_figure *f, const far__board *b, uint32_t s, double x, double y,
                           double cell) {
  if (b->tips) far__figure_tip(f, "%s: not visited", far__board_state_name(f, b, s));
  far__draw_empty(f, b, x - cell / 2, y - cell / 2, cell, cell);
  write_label(f, b, s, x, y, cell, FAR__INK_MUTED);
}

/* ---- numbers ---- */

static void draw_part(far_figure *f, const far__board *b, const far__layout_panel *p, uint32_t s,
                      uint32_t a, double x, double y, double cell) {
  far__part part = far__part_of(b, a);
  const double value = far__board_pair(b, p, s, a), side = cell >= 12 ? cell - 1 : cell;
  const far__ink ink = far__tint_ink(&b->tint, value);
  double cx, cy;
  char text[FAR__TICK_TEXT];
  far__part_centre(&part, &cx, &cy);
  for (size_t i = 0; i < part.n; ++i) {
    part.x[i] = x + side * part.x[i];
    part.y[i] = y + side * part.y[i];
  }
  far__board_tip(f, b, s, a, value);
  far__figure_polygon(f, part.x, part.y, part.n,
                      (far__paint){.fill = ink != FAR__NO_INK ? ink : FAR__INK_PAPER,
                                   .stroke = FAR__INK_PAPER,
                                   .width = cell >= 24 ? 0.8 : 0.4});
  far__tint_number(text, value);
  if (b->number > 0 && ink != FAR__NO_INK)
    write_centred(f, x + side * cx, y + side * cy, b->number, false, far__ink_on(ink), text);
}

/* Parts in the centre are drawn last. */
static void draw_parts(far_figure *f, const far__board *b, const far__layout_panel *p, uint32_t s,
                       double x, double y, double cell) {
  for (int centre = 0; centre < 2; ++centre)
    for (uint32_t a = 0; a < b->shape.n_actions; ++a) {
      if (far__board_directed(b, a) == (centre == 0)) draw_part(f, b, p, s, a, x, y, cell);
    }
  const char *label = label_of(b, s);
  const double size = fitting(label, fmin(11, 0.28 * cell), 0.44 * cell, true);
  if (*label == '\0' || size < 6 || b->kind == FAR__BOARD_GRAPH) return;
  if (b->number > 0 && !far__parts_point(b)) y -= 0.33 * cell; /* above the numbers */
  far__figure_circle(f, x, y, fmax(0.72 * size, 0.56 * far__text_length(label, size, true)),
                     (far__paint){.fill = FAR__INK_PAPER, .opacity = 0.85});
  write_centred(f, x, y, size, true, FAR__INK_TEXT, label);
}

static void draw_whole(far_figure *f, const far__board *b, const far__layout_panel *p, uint32_t s,
                       double x, double y, double cell) {
  const double value = far__board_state(b, p, s);
  const far__ink ink = far__tint_ink(&b->tint, value);
  const bool label = *label_of(b, s) != '\0';
  const far__ink on = ink != FAR__NO_INK ? far__ink_on(ink) : FAR__INK_TEXT;
  char text[FAR__TICK_TEXT];
  if (cell >= 12 || b->tips) {
    far__board_tip(f, b, s, UINT32_MAX, value);
    fill_square(f, x, y, cell,
                ink != FAR__NO_INK
                    ? (far__paint){.fill = ink}
                    : (far__paint){.fill = FAR__INK_PAPER, .stroke = FAR__INK_GRID, .width = 1});
  }
  far__tint_number(text, value);
  if (b->number > 0) write_centred(f, x, y + (label ? 0.13 * cell : 0), b->number, false, on, text);
  if (p->policy != NULL) far__draw_policy(f, b, p, s, x, y, cell, on);
  if (b->number > 0 || p->policy != NULL)
    write_corner(f, b, s, x, y, cell, on);
  else
    write_label(f, b, s, x, y, cell, on);
}

void far__draw_cell(far_figure *f, const far__board *b, const far__layout_panel *p, uint32_t s,
                    double x, double y, double cell) {
  switch (far__board_look(b, p, s)) {
  case FAR__LOOK_TERMINAL: draw_terminal(f, b, s, x, y, cell); break;
  case FAR__LOOK_UNVISITED: draw_unvisited(f, b, s, x, y, cell); break;
  case FAR__LOOK_UNREACHED:
    if (cell >= 12) far__figure_circle(f, x, y, 1.2, (far__paint){.fill = FAR__INK_GRID});
    break;
  default:
    if (b->split)
      draw_parts(f, b, p, s, x, y, cell);
    else
      draw_whole(f, b, p, s, x, y, cell);
  }
}

/* ---- grids ---- */

static far__ink ink_at(const far__board *b, const far__layout_panel *p, size_t row, size_t column) {
  const uint32_t s = b->at[row * (size_t)b->layout.width + column];
  if (s == UINT32_MAX) return FAR__NO_INK;
  const far__look look = far__board_look(b, p, s);
  if (look == FAR__LOOK_TERMINAL) return FAR__INK_EMPTY;
  return look == FAR__LOOK_SHOWN ? far__tint_ink(&b->tint, far__board_state(b, p, s)) : FAR__NO_INK;
}

/* Small cells: neighbours of the same colour are one shape. */
static void draw_runs(far_figure *f, const far__board *b, const far__layout_panel *p, double x,
                      double y) {
  const size_t columns = (size_t)b->layout.width, rows = (size_t)b->layout.height;
  for (size_t row = 0; row < rows; ++row)
    for (size_t from = 0, to; from < columns; from = to) {
      const far__ink ink = ink_at(b, p, row, from);
      for (to = from + 1; to < columns && ink_at(b, p, row, to) == ink;) ++to;
      if (ink != FAR__NO_INK)
        far__figure_rectangle(f, x + (double)from * b->cell, y + (double)row * b->cell,
                              (double)(to - from) * b->cell + (to < columns ? SEAM : 0),
                              b->cell + (row + 1 < rows ? SEAM : 0), (far__paint){.fill = ink});
    }
}

static bool is_line(const far_wall *w) {
  return w->x0 == w->x1 || w->y0 == w->y1;
}

static void draw_walls(far_figure *f, const far__board *b, double x, double y, bool lines) {
  const double c = b->cell;
  for (size_t i = 0; i < b->layout.n_walls; ++i) {
    const far_wall *w = &b->layout.walls[i];
    if (is_line(w) != lines) continue;
    if (lines)
      far__figure_line(f, x + c * w->x0, y + c * w->y0, x + c * w->x1, y + c * w->y1,
                       (far__paint){.stroke = FAR__INK_TEXT, .width = c >= 16 ? 2 : 1});
    else
      far__figure_rectangle(
          f, x + c * w->x0, y + c * w->y0, c * (w->x1 - w->x0), c * (w->y1 - w->y0),
          (far__paint){.fill = FAR__INK_WALL, .stroke = FAR__INK_WALL, .width = 0.5});
  }
}

/* A frame, unless walls make one. */
static void draw_frame(far_figure *f, const far__board *b, double x, double y) {
  for (size_t i = 0; i < b->layout.n_walls; ++i)
    if (is_line(&b->layout.walls[i])) return;
  far__figure_rectangle(f, x, y, b->width, b->height,
                        (far__paint){.stroke = FAR__INK_GRID, .width = 1});
}

void far__draw_grid(far_figure *f, const far__board *b, const far__layout_panel *p, double x,
                    double y) {
  const bool runs = b->cell < 12 && !b->tips && !b->split;
  draw_frame(f, b, x, y);
  draw_walls(f, b, x, y, false);
  if (runs) draw_runs(f, b, p, x, y);
  for (uint32_t s = 0; s < b->shape.n_states; ++s) {
    const double cx = x + b->cell * b->layout.x[s], cy = y + b->cell * b->layout.y[s];
    if (!runs || b->cell >= 8 || *label_of(b, s) != '\0' || p->policy != NULL)
      far__draw_cell(f, b, p, s, cx, cy, b->cell);
  }
  draw_walls(f, b, x, y, true);
}
