/* The map: states at their places in the environment's layout, coloured by a quantity, with their likeliest actions. */
#include <math.h>
#include <string.h>

#include "questions/learning/player.h"
#include "questions/model/drawing.h"
#include "watch.h"

enum { SMALLEST = 2, MEDIUM = 3, NUMBER = 7, LARGEST = 9 };

/* The part of the layout that is drawn. */
typedef struct grid {
  far__drawing_map map;
  bool numbered; /* a last line has the numbers of the states: for layouts in a row */
} grid;

/* A map needs a layout and the numbers of all states; with very many states only some numbers are read. */
static bool has_map(const watch *w) {
  if (w->numbers[0]->count < w->shape.n_states) return false;
  return w->layout.kind == FAR_LAYOUT_GRID || w->layout.kind == FAR_LAYOUT_LINE;
}

/* The largest cells with which everything fits; the smallest, if nothing does. */
static grid fit_grid(const watch *w, int width, int height) {
  static const int widths[] = {LARGEST, NUMBER, 5, MEDIUM, SMALLEST};
  const int columns = (int)w->layout.width, rows = (int)w->layout.height;
  grid g = {.map = {.mdp = w->mdp}, .numbered = w->layout.kind == FAR_LAYOUT_LINE && height >= 2};
  const int room = height - g.numbered;
  size_t i = 0;
  while (widths[i] * columns > width && widths[i] != SMALLEST) ++i;
  int cell = widths[i], high = 1;
  if (g.numbered && columns > 10 && cell < MEDIUM) cell = MEDIUM;
  if (cell > 5 && 2 * rows > room && rows > 1) cell = 5;
  if (cell >= 5 && 2 * rows <= room) high = 2;
  if (high == 1 && cell > MEDIUM && !g.numbered) cell = MEDIUM;
  g.map.cell_width = cell;
  g.map.cell_height = high;
  g.map.columns = width / cell < columns ? width / cell : columns;
  g.map.rows = room / high < rows ? room / high : rows;
  return g;
}

void map_size(const watch *w, int width, int height, int *columns, int *rows) {
  *columns = *rows = 0;
  if (!has_map(w)) return;
  const grid g = fit_grid(w, width, height);
  *columns = g.map.columns * g.map.cell_width;
  *rows = g.map.rows * g.map.cell_height + g.numbered;
}

/* ---- cells ---- */

static look cell_look(const watch *w, size_t k, uint32_t s, const scale *range) {
  const far__player_run *run = far__player_run_of(w->player, k);
  if (run->s == s) return STYLE_MARK;
  if (!far_shape_is_live(&w->shape, s)) return STYLE_DIM;
  const double x = state_number(w->numbers[k], w->shown, s);
  return STYLE_HEAT(heat_on(range, w->shown, x));
}

/* The text of a cell: the label of its state, and the likeliest action. */
static void cell_text(char out[FAR__DRAWING_TEXT + 1], const watch *w, size_t k, uint32_t s) {
  if (far_shape_is_live(&w->shape, s))
    far__drawing_text(out, w->mdp, s, likely_action(w->numbers[k], s));
  else if (far_mdp_terminal(w->mdp, s))
    far__drawing_text(out, w->mdp, s, UINT32_MAX);
  else
    snprintf(out, FAR__DRAWING_TEXT, "%s", w->layout.label[s]); /* no run comes here */
  if (w->marked == (int)k && w->marked_s == s) strcat(out, "!");
}

/* Text in the middle of a cell; brackets mark the agent's state, since there may be no colours. */
static void put_cell(frame *f, int x, int y, int width, look style, const char *text, bool here) {
  const int used = frame_width(text) < width ? frame_width(text) : width;
  const int at = (width - used + 1) / 2;
  frame_line(f, x, y, width, style, ' ');
  frame_put(f, x + at, y, used, style, text);
  if (!here || width < MEDIUM) return;
  frame_set(f, x + (at > 0 ? at - 1 : 0), y, style, '[');
  frame_set(f, x + (at + used < width ? at + used : width - 1), y, style, ']');
}

/* The arguments of painting a map. */
typedef struct easel {
  const watch *w;
  size_t k;
  frame *f;
  grid grid;
  rectangle box;
  const scale *range;
} easel;

static void paint_state(const easel *e, uint32_t s, int x, int y) {
  const watch *w = e->w;
  const int width = e->grid.map.cell_width, height = e->grid.map.cell_height;
  const look style = cell_look(w, e->k, s, e->range);
  const bool here = far__player_run_of(w->player, e->k)->s == s;
  const double number = state_number(w->numbers[e->k], w->shown, s);
  const bool known = far_shape_is_live(&w->shape, s) && !isnan(number);
  char text[FAR__DRAWING_TEXT + 1], index[16];
  cell_text(text, w, e->k, s);
  put_cell(e->f, x, y, width, style, here && width == SMALLEST ? "@" : text, here);
  if (height >= 2)
    put_cell(e->f, x, y + 1, width, style,
             known ? fit_number(number, width - 1, e->range->decimals).text : "", false);
  snprintf(index, sizeof index, "%lu", (unsigned long)s);
  if (e->grid.numbered) put_cell(e->f, x, y + height, width, STYLE_DIM, index, false);
}

static void paint_piece(void *user, const far__drawing_piece *p) {
  const easel *e = user;
  const int x = e->box.x + p->x, y = e->box.y + p->y;
  switch (p->part) {
  case FAR__DRAWING_STATE: paint_state(e, p->s, x, y); break;
  case FAR__DRAWING_WALL: frame_line(e->f, x, y, p->width, STYLE_DIM, 0x2588); break;
  default: frame_set(e->f, x, y, STYLE_BOLD, 0x2502);
  }
}

/* ---- the whole ---- */

/* Chooses the part of a map that is shown if not all of it fits: the page with the agent. */
static void turn_page(const watch *w, size_t k, far__drawing_map *map) {
  const uint32_t s = far__player_run_of(w->player, k)->s;
  map->first_column = (int)w->layout.x[s] / map->columns * map->columns;
  map->first_row = (int)w->layout.y[s] / map->rows * map->rows;
}

void draw_map(const watch *w, size_t k, frame *f, rectangle box, const scale *range) {
  easel e = {w, k, f, fit_grid(w, box.width, box.height), box, range};
  far__drawing_map *map = &e.grid.map;
  if (map->columns < 1 || map->rows < 1) return;
  turn_page(w, k, map);
  map->put = paint_piece;
  map->user = &e;
  far__drawing_pieces(map);
}
