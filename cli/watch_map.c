/* The states where the environment's layout has them: a heat map with the likeliest action of each. */
#include <math.h>

#include "watch.h"

enum { SMALLEST = 2, MEDIUM = 3, NUMBER = 7, LARGEST = 9 };

/* The part of the layout that is drawn: cells of a size in characters, from a first column and row on. */
typedef struct grid {
  int columns, rows; /* of the layout */
  int cell_width, cell_height;
  int first_column, first_row, shown_columns, shown_rows;
  bool numbered; /* a last line with the numbers of the states: a layout in a row */
} grid;

/* All numbers must have been read: not so of a million states. */
static bool has_map(const watch *w) {
  if (w->numbers[0]->count < w->shape.n_states) return false;
  return w->layout.kind == FAR_LAYOUT_GRID || w->layout.kind == FAR_LAYOUT_LINE;
}

/* The largest cells with which everything fits; the smallest, if nothing does. */
static grid fit_grid(const watch *w, int width, int height) {
  static const int widths[] = {LARGEST, NUMBER, 5, MEDIUM, SMALLEST};
  grid g = {.columns = (int)w->layout.width,
            .rows = (int)w->layout.height,
            .numbered = w->layout.kind == FAR_LAYOUT_LINE};
  g.cell_width = SMALLEST;
  for (size_t i = 0; i < sizeof widths / sizeof *widths; ++i)
    if (widths[i] * g.columns <= width) {
      g.cell_width = widths[i];
      break;
    }
  if (height < 2) g.numbered = false;
  if (g.numbered && g.columns > 10 && g.cell_width < MEDIUM) g.cell_width = MEDIUM;
  const int room = height - g.numbered;
  if (g.cell_width > 5 && 2 * g.rows > room && g.rows > 1) g.cell_width = 5;
  g.cell_height = g.cell_width >= 5 && 2 * g.rows <= room ? 2 : 1;
  if (g.cell_height == 1 && g.cell_width > MEDIUM && !g.numbered) g.cell_width = MEDIUM;
  g.shown_columns = width / g.cell_width < g.columns ? width / g.cell_width : g.columns;
  g.shown_rows = room / g.cell_height < g.rows ? room / g.cell_height : g.rows;
  return g;
}

void map_size(const watch *w, int width, int height, int *columns, int *rows) {
  *columns = *rows = 0;
  if (!has_map(w)) return;
  const grid g = fit_grid(w, width, height);
  *columns = g.shown_columns * g.cell_width;
  *rows = g.shown_rows * g.cell_height + g.numbered;
}

/* ---- cells ---- */

static look cell_look(const watch *w, size_t k, uint32_t s, const scale *range) {
  const far_player_run *run = far_player_run_of(w->player, k);
  if (run->s == s) return STYLE_MARK;
  if (!far_shape_is_live(&w->shape, s)) return STYLE_DIM;
  const double x = state_number(w->numbers[k], w->shown, s);
  return STYLE_HEAT(heat_on(range, w->shown, x));
}

/* What stands in a cell: its label, and the action. */
static void cell_text(char out[32], const watch *w, size_t k, uint32_t s) {
  const char *label = w->layout.label[s];
  char mark[16] = "·";
  const bool live = far_shape_is_live(&w->shape, s);
  const uint32_t a = live ? likely_action(w->numbers[k], s) : UINT32_MAX;
  if (a != UINT32_MAX) action_mark(mark, w, a);
  const bool marked = w->marked == (int)k && w->marked_s == s;
  const char *end = label[0] == '\0' && far_mdp_terminal(w->mdp, s) ? "×" : "";
  snprintf(out, 32, "%s%.15s%s", label, live ? mark : end, marked ? "!" : "");
}

/* Text in the middle of a cell; the agent's own place in brackets, which can be seen without colours. */
static void put_cell(frame *f, int x, int y, int width, look style, const char *text, bool here) {
  const int used = frame_width(text) < width ? frame_width(text) : width;
  const int at = (width - used + 1) / 2;
  frame_line(f, x, y, width, style, ' ');
  frame_put(f, x + at, y, used, style, text);
  if (!here || width < MEDIUM) return;
  frame_set(f, x + (at > 0 ? at - 1 : 0), y, style, '[');
  frame_set(f, x + (at + used < width ? at + used : width - 1), y, style, ']');
}

static void draw_state(const watch *w, size_t k, frame *f, const grid *g, int x, int y, uint32_t s,
                       const scale *range) {
  const look style = cell_look(w, k, s, range);
  const bool here = far_player_run_of(w->player, k)->s == s;
  char text[32];
  cell_text(text, w, k, s);
  put_cell(f, x, y, g->cell_width, style, here && g->cell_width == SMALLEST ? "@" : text, here);
  if (g->cell_height < 2) return;
  const double number = state_number(w->numbers[k], w->shown, s);
  const bool shown = far_shape_is_live(&w->shape, s) && !isnan(number);
  put_cell(f, x, y + 1, g->cell_width, style,
           shown ? fit_number(number, g->cell_width - 1, range->decimals).text : "", false);
}

/* ---- walls ---- */

static bool is_wall(const far_layout *l, int column, int row) {
  for (size_t i = 0; i < l->n_walls; ++i) {
    const far_wall *w = &l->walls[i];
    if (w->x0 <= column && w->x1 >= column + 1 && w->y0 <= row && w->y1 >= row + 1) return true;
  }
  return false;
}

/* A wall without breadth, on the left of a cell. */
static bool is_upright(const far_layout *l, int column, int row) {
  for (size_t i = 0; i < l->n_walls; ++i) {
    const far_wall *w = &l->walls[i];
    if (w->x0 == column && w->x1 == column && w->y0 <= row && w->y1 >= row + 1) return true;
  }
  return false;
}

/* Where a grid's cell is on the screen; false outside of what is shown. */
static bool place(const grid *g, rectangle box, int column, int row, int *x, int *y) {
  const int c = column - g->first_column, r = row - g->first_row;
  *x = box.x + c * g->cell_width;
  *y = box.y + r * g->cell_height;
  return c >= 0 && r >= 0 && c < g->shown_columns && r < g->shown_rows;
}

static void draw_wall(const watch *w, frame *f, const grid *g, int x, int y, int column, int row) {
  const bool wall = is_wall(&w->layout, column, row);
  for (int i = 0; i < g->cell_height; ++i)
    if (wall)
      frame_line(f, x, y + i, g->cell_width, STYLE_DIM, 0x2588);
    else if (column > 0 && is_upright(&w->layout, column, row))
      frame_set(f, x, y + i, STYLE_BOLD, 0x2502);
}

static void draw_walls(const watch *w, frame *f, const grid *g, rectangle box) {
  int x, y;
  for (int row = g->first_row; w->layout.n_walls > 0 && row < g->rows; ++row)
    for (int column = g->first_column; column < g->columns; ++column) {
      if (!place(g, box, column, row, &x, &y)) break;
      draw_wall(w, f, g, x, y, column, row);
    }
}

/* ---- the whole ---- */

/* Of a map that does not fit, the page with the agent. */
static void turn_page(const watch *w, size_t k, grid *g) {
  const uint32_t s = far_player_run_of(w->player, k)->s;
  const int column = (int)w->layout.x[s], row = (int)w->layout.y[s];
  g->first_column = column / g->shown_columns * g->shown_columns;
  g->first_row = row / g->shown_rows * g->shown_rows;
}

void draw_map(const watch *w, size_t k, frame *f, rectangle box, const scale *range) {
  grid g = fit_grid(w, box.width, box.height);
  if (g.shown_columns < 1 || g.shown_rows < 1) return;
  turn_page(w, k, &g);
  for (uint32_t s = 0; s < w->shape.n_states; ++s) {
    int x, y;
    char index[16];
    if (!place(&g, box, (int)w->layout.x[s], (int)w->layout.y[s], &x, &y)) continue;
    draw_state(w, k, f, &g, x, y, s, range);
    snprintf(index, sizeof index, "%lu", (unsigned long)s);
    if (g.numbered) put_cell(f, x, y + g.cell_height, g.cell_width, STYLE_DIM, index, false);
  }
  draw_walls(w, f, &g, box);
}
