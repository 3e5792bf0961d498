/* Lines and models without a layout: a column for each state and a row for each action, in one band or
 * several. */
#include <math.h>
#include <stdio.h>

#include "questions/learning/layout-figure.h"
#include "questions/learning/layout.h"

typedef struct band {
  far_figure *f;
  const far__board *b;
  const far__layout_panel *p;
  uint32_t first, last; /* states */
  double x, y;          /* of the first cell */
} band;

static double left_of(const band *d, uint32_t s) {
  return d->x + d->b->cell * (s - d->first);
}

static double height_of(const band *d) {
  return d->b->rows * d->b->tall;
}

/* ---- columns that are not numbers ---- */

static void draw_other(const band *d, uint32_t s, far__look look) {
  const double gap = d->b->cell >= 8 ? 0.5 : 0, cell = d->b->cell;
  const double x = left_of(d, s) + gap, width = cell - 2 * gap, height = height_of(d) - 2 * gap;
  const char *name = far__board_state_name(d->f, d->b, s);
  if (look == FAR__LOOK_TERMINAL) {
    if (d->b->tips) far__figure_tip(d->f, "%s: terminal", name);
    far__figure_rectangle(d->f, x, d->y + gap, width, height, (far__paint){.fill = FAR__INK_EMPTY});
    if (cell >= 9)
      far__figure_write(d->f, x + width / 2, d->y + height_of(d) / 2 + 4,
                        (far__font){.anchor = FAR__MIDDLE, .ink = FAR__INK_MUTED}, "×");
  } else if (look == FAR__LOOK_UNVISITED && cell >= 6) {
    if (d->b->tips) far__figure_tip(d->f, "%s: not visited", name);
    far__draw_empty(d->f, d->b, left_of(d, s), d->y, cell, height_of(d));
  } else if (look == FAR__LOOK_UNREACHED && cell >= 8) {
    far__figure_circle(d->f, x + width / 2, d->y + height_of(d) / 2, 1.2,
                       (far__paint){.fill = FAR__INK_GRID});
  }
}

/* ---- numbers ---- */

static double value_at(const band *d, uint32_t s, uint32_t row) {
  if (far__board_look(d->b, d->p, s) != FAR__LOOK_SHOWN) return NAN;
  return d->b->split ? far__board_pair(d->b, d->p, s, row) : far__board_state(d->b, d->p, s);
}

static void write_number(const band *d, double x, double y, double value, far__ink ink) {
  char text[FAR__TICK_TEXT];
  if (d->b->number <= 0 || ink == FAR__NO_INK) return;
  far__tint_number(text, value);
  far__figure_write(
      d->f, x, y + 0.36 * d->b->number,
      (far__font){.size = d->b->number, .anchor = FAR__MIDDLE, .ink = far__ink_on(ink)}, text);
}

/* Without tips, neighbours of the same colour are one shape. */
static uint32_t draw_cells(const band *d, uint32_t s, uint32_t row) {
  const far__board *b = d->b;
  const double value = value_at(d, s, row), y = d->y + row * b->tall;
  const far__ink ink = far__tint_ink(&b->tint, value);
  const double gap = b->cell >= 8 ? 0.5 : 0, above = b->tall >= 8 ? 0.5 : 0;
  uint32_t to = s + 1;
  while (!b->tips && b->number == 0 && b->cell < 8 && to < d->last &&
         far__tint_ink(&b->tint, value_at(d, to, row)) == ink)
    ++to;
  if (ink == FAR__NO_INK) return to;
  far__board_tip(d->f, b, s, b->split ? row : UINT32_MAX, value);
  far__figure_rectangle(d->f, left_of(d, s) + gap, y + above,
                        b->cell * (to - s) - 2 * gap + (gap == 0 && to < d->last ? 0.3 : 0),
                        b->tall - 2 * above, (far__paint){.fill = ink});
  write_number(d, left_of(d, s) + b->cell / 2, y + b->tall / 2, value, ink);
  return to;
}

static void draw_arrows(const band *d, uint32_t s) {
  const far__board *b = d->b;
  const far__ink ink = far__tint_ink(&b->tint, value_at(d, s, 0));
  if (far__board_look(b, d->p, s) != FAR__LOOK_SHOWN) return;
  if (ink == FAR__NO_INK)
    far__figure_rectangle(d->f, left_of(d, s) + 0.5, d->y + 0.5, b->cell - 1, b->tall - 1,
                          (far__paint){.fill = FAR__INK_PAPER, .stroke = FAR__INK_GRID});
  far__draw_policy(d->f, b, d->p, s, left_of(d, s) + b->cell / 2, d->y + b->tall / 2,
                   fmin(b->cell, b->tall), ink != FAR__NO_INK ? far__ink_on(ink) : FAR__INK_TEXT);
}

/* ---- names ---- */

static void write_actions(const band *d) {
  const far__board *b = d->b;
  const uint32_t every = b->tall >= 11 ? 1 : (uint32_t)ceil(12 / b->tall);
  if (b->left == 0) return;
  for (uint32_t a = 0; a < b->rows; a += every)
    far__figure_write_within(
        d->f, d->x - 6, d->y + (a + 0.5) * b->tall + 0.36 * FAR__SMALL, b->left - 8,
        (far__font){.size = FAR__SMALL, .anchor = FAR__RIGHT, .ink = FAR__INK_MUTED},
        far__board_action_name(d->f, b, a));
}

/* Every so many that the numbers stand apart. */
static uint32_t every_state(const far__board *b) {
  static const uint32_t steps[] = {1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000};
  char text[16];
  snprintf(text, sizeof text, "%lu", (unsigned long)b->shown);
  const double room = far__text_length(text, FAR__SMALL, false) + 7;
  for (size_t i = 0; i < sizeof steps / sizeof *steps; ++i)
    if (steps[i] * b->cell >= room) return steps[i];
  return 5000;
}

static bool is_start(const far_mdp *mdp, uint32_t s) {
  size_t n;
  const far_outcome *start = far_mdp_starts(mdp, &n);
  for (size_t k = 0; k < n && n <= 8; ++k)
    if (start[k].next == s) return true;
  return false;
}

static void write_states(const band *d) {
  const uint32_t every = every_state(d->b);
  const double y = d->y + height_of(d);
  for (uint32_t s = d->first; s < d->last; ++s) {
    const double x = left_of(d, s) + d->b->cell / 2;
    if (is_start(d->b->def->mdp, s))
      far__figure_polygon(d->f, (double[]){x - 3, x + 3, x}, (double[]){y + 6, y + 6, y + 1}, 3,
                          (far__paint){.fill = FAR__INK_TEXT});
    if (s % every != 0) continue;
    far__figure_write(d->f, x, y + 15,
                      (far__font){.size = 10, .anchor = FAR__MIDDLE, .ink = FAR__INK_MUTED},
                      far__figure_print(d->f, "%lu", (unsigned long)s));
  }
}

/* ---- a panel ---- */

static void draw_band(const band *d) {
  far__figure_rectangle(d->f, d->x, d->y, d->b->cell * (d->last - d->first), height_of(d),
                        (far__paint){.stroke = FAR__INK_GRID, .width = 1});
  for (uint32_t s = d->first; s < d->last; ++s) {
    const far__look look = far__board_look(d->b, d->p, s);
    if (look != FAR__LOOK_SHOWN) draw_other(d, s, look);
  }
  for (uint32_t row = 0; row < d->b->rows; ++row)
    for (uint32_t s = d->first; s < d->last;) s = draw_cells(d, s, row);
  for (uint32_t s = d->first; d->p->policy != NULL && s < d->last; ++s) draw_arrows(d, s);
  write_actions(d);
  write_states(d);
}

void far__draw_table(far_figure *f, const far__board *b, const far__layout_panel *p, double x,
                     double y) {
  const double pitch = b->height / b->bands;
  for (uint32_t k = 0; k < b->bands; ++k) {
    const uint32_t first = k * b->per_band, end = first + b->per_band;
    const band d = {.f = f,
                    .b = b,
                    .p = p,
                    .first = first,
                    .last = end < b->shown ? end : b->shown,
                    .x = x + b->left,
                    .y = y + k * pitch};
    if (first < b->shown) draw_band(&d);
  }
}
