/* A layout drawn with characters. Everything is bounded by the size of a page, so that nothing has to be
 * allocated. */
#include "farsight/drawing.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum {
  COLUMNS = FAR_DRAWING_COLUMNS,
  ROWS = FAR_DRAWING_ROWS,
  LINE_WIDTH = 78,
  CELL_SIZE = 32, /* bytes: a label, and an arrow or a number */
  NAME_WIDTH = 16,
  MOST_ITEMS = 24,
  MOST_NAMED = 8,
  PAGE_SIZE = (2 * ROWS + 16) * (4 * LINE_WIDTH + 1)
};

typedef struct page {
  char bytes[PAGE_SIZE];
  size_t length;
  int used;  /* columns of the legend's last line */
  int items; /* of the legend */
} page;

typedef struct canvas {
  const far_drawing_def *def;
  far_layout layout;
  far_shape shape;
  int columns, rows, cell; /* the width of a cell, in columns */
  uint32_t state[ROWS][COLUMNS];
  bool wall[ROWS][COLUMNS];
  page page;
} canvas;

static const uint32_t NONE = UINT32_MAX;

/* ---- writing ---- */

static void put(page *p, const char *text) {
  const size_t length = strlen(text);
  if (p->length + length >= sizeof p->bytes) return;
  memcpy(p->bytes + p->length, text, length + 1);
  p->length += length;
}

static void put_times(page *p, const char *text, int n) {
  for (; n > 0; --n) put(p, text);
}

static int width_of(const char *text) {
  return far__text_width(text, strlen(text));
}

/* ---- the policy ---- */

static const char *arrow(double dx, double dy) {
  static const char *const arrows[3][3] = {{"↖", "↑", "↗"}, {"←", NULL, "→"}, {"↙", "↓", "↘"}};
  return arrows[(dy > 0) - (dy < 0) + 1][(dx > 0) - (dx < 0) + 1];
}

/* The arrow of an action or, where it has no direction, its number. */
static void mark(char out[CELL_SIZE], const canvas *c, uint32_t a) {
  const char *text = arrow(c->layout.dx[a], c->layout.dy[a]);
  if (text != NULL)
    snprintf(out, CELL_SIZE, "%s", text);
  else
    snprintf(out, CELL_SIZE, "%lu", (unsigned long)a);
}

/* The action that is drawn in a state, or NONE. */
static uint32_t action_of(const canvas *c, uint32_t s) {
  if (c->def->policy == NULL || far_mdp_terminal(c->def->mdp, s)) return NONE;
  return c->def->policy[s] < c->shape.n_actions ? c->def->policy[s] : NONE;
}

/* ---- cells ---- */

static void cell_text(char out[CELL_SIZE], const canvas *c, uint32_t s) {
  const char *label = c->layout.label[s];
  const uint32_t a = action_of(c, s);
  char action[CELL_SIZE] = "";
  if (a != NONE) mark(action, c, a);
  if (a == NONE && label[0] == '\0')
    snprintf(out, CELL_SIZE, "%s", far_mdp_terminal(c->def->mdp, s) ? "×" : "·");
  else
    snprintf(out, CELL_SIZE, "%s%.20s", label, action);
}

static void put_right(page *p, const char *text, int width) {
  put_times(p, " ", width - width_of(text));
  put(p, text);
}

static void put_cell(canvas *c, int row, int column) {
  char text[CELL_SIZE] = "";
  if (c->wall[row][column]) {
    put_times(&c->page, "█", c->cell);
    return;
  }
  if (c->state[row][column] != NONE) cell_text(text, c, c->state[row][column]);
  put_right(&c->page, text, c->cell);
}

/* ---- walls without breadth ---- */

static bool is_upright(const far_layout *l, double x, int row) {
  for (size_t i = 0; i < l->n_walls; ++i) {
    const far_wall *w = &l->walls[i];
    if (w->x0 == x && w->x1 == x && w->y0 <= row && w->y1 >= row + 1) return true;
  }
  return false;
}

static bool is_level(const far_layout *l, double y, int column) {
  for (size_t i = 0; i < l->n_walls; ++i) {
    const far_wall *w = &l->walls[i];
    if (w->y0 == y && w->y1 == y && w->x0 <= column && w->x1 >= column + 1) return true;
  }
  return false;
}

/* ---- a grid ---- */

static void put_border(canvas *c, const char *left, const char *right) {
  put(&c->page, left);
  put_times(&c->page, "─", c->columns * (c->cell + 1) + 1);
  put(&c->page, right);
  put(&c->page, "\n");
}

static void put_row(canvas *c, int row) {
  put(&c->page, "│");
  for (int column = 0; column < c->columns; ++column) {
    const bool inside = column > 0 && c->wall[row][column] && c->wall[row][column - 1];
    const bool line = column > 0 && is_upright(&c->layout, column, row);
    put(&c->page, inside ? "█" : line ? "│" : " ");
    put_cell(c, row, column);
  }
  put(&c->page, " │\n");
}

/* The walls above a row, if there are any. */
static void put_walls(canvas *c, int row) {
  bool any = false;
  for (int column = 0; column < c->columns; ++column) any |= is_level(&c->layout, row, column);
  if (!any) return;
  put(&c->page, "│");
  for (int column = 0; column < c->columns; ++column) {
    put(&c->page, " ");
    put_times(&c->page, is_level(&c->layout, row, column) ? "─" : " ", c->cell);
  }
  put(&c->page, " │\n");
}

static void put_grid(canvas *c) {
  put_border(c, "┌", "┐");
  for (int row = 0; row < c->rows; ++row) {
    if (row > 0) put_walls(c, row);
    put_row(c, row);
  }
  put_border(c, "└", "┘");
}

/* ---- a line: the numbers of the states, and below them what stands there ---- */

static void put_numbers(canvas *c) {
  char number[CELL_SIZE];
  put(&c->page, "state ");
  for (int column = 0; column < c->columns; ++column) {
    const uint32_t s = c->state[0][column];
    snprintf(number, sizeof number, "%lu", (unsigned long)s);
    put(&c->page, " ");
    put_right(&c->page, s != NONE ? number : "", c->cell);
  }
  put(&c->page, "\n");
}

static bool has_labels(const canvas *c) {
  for (uint32_t s = 0; s < c->shape.n_states; ++s)
    if (c->layout.label[s][0] != '\0' || far_mdp_terminal(c->def->mdp, s)) return true;
  return false;
}

static void put_line(canvas *c) {
  put_numbers(c);
  if (c->def->policy == NULL && !has_labels(c)) return;
  put(&c->page, c->def->policy != NULL ? "action" : "      ");
  for (int column = 0; column < c->columns; ++column) {
    put(&c->page, " ");
    put_cell(c, 0, column);
  }
  put(&c->page, "\n");
}

/* ---- the legend ---- */

static void put_item(page *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put_item(page *p, const char *format, ...) {
  char text[160];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  const int width = width_of(text);
  if (p->items++ >= MOST_ITEMS) return;
  const bool breaks = p->used > 0 && p->used + 2 + width > LINE_WIDTH;
  put(p, breaks ? "\n" : p->used > 0 ? "  " : "");
  p->used = width + (p->used > 0 && !breaks ? p->used + 2 : 0);
  put(p, text);
}

static void end_items(page *p) {
  if (p->used > 0) put(p, "\n");
  p->used = 0;
}

/* What an action is called, cut where it is long; "" if it has no name. */
static void action_name(char out[4 * NAME_WIDTH + 4], const canvas *c, uint32_t a) {
  const char *name = far_mdp_action_name(c->def->mdp, a);
  if (name == NULL) name = c->layout.action_label[a];
  size_t n = strlen(name);
  while (far__text_width(name, n) > NAME_WIDTH) --n;
  snprintf(out, 4 * NAME_WIDTH + 4, "%.*s%s", (int)n, name, name[n] != '\0' ? "…" : "");
}

/* Is it drawn in some state? Without a policy all are named, unless there are many. */
static bool is_used(const canvas *c, uint32_t a) {
  if (c->def->policy == NULL) return c->shape.n_actions <= MOST_NAMED;
  for (uint32_t s = 0; s < c->shape.n_states; ++s)
    if (action_of(c, s) == a) return true;
  return false;
}

/* Arrows are explained by names and numbers, numbers by names. */
static void put_actions(canvas *c) {
  bool numbers = false;
  for (uint32_t a = 0; a < c->shape.n_actions && c->page.items < MOST_ITEMS; ++a) {
    char name[4 * NAME_WIDTH + 4], text[CELL_SIZE];
    if (!is_used(c, a)) continue;
    mark(text, c, a);
    action_name(name, c, a);
    const bool is_arrow = arrow(c->layout.dx[a], c->layout.dy[a]) != NULL;
    if (is_arrow)
      put_item(&c->page, "%s %s (%lu)", text, name[0] != '\0' ? name : "action", (unsigned long)a);
    else if (name[0] != '\0')
      put_item(&c->page, "%s %s", text, name);
    else
      numbers = true;
  }
  if (numbers && c->def->policy != NULL && c->layout.kind == FAR_LAYOUT_GRID)
    put_item(&c->page, "numbers are actions");
  end_items(&c->page);
}

static bool is_start(const canvas *c, uint32_t s) {
  size_t n;
  const far_outcome *start = far_mdp_starts(c->def->mdp, &n);
  for (size_t k = 0; k < n; ++k)
    if (start[k].next == s) return true;
  return false;
}

/* What all states of a label have in common: "start", "terminal", or "" for neither. */
static const char *meaning(const canvas *c, const char *label) {
  bool starts = true, ends = true;
  for (uint32_t s = 0; s < c->shape.n_states; ++s) {
    if (strcmp(c->layout.label[s], label) != 0) continue;
    starts = starts && is_start(c, s);
    ends = ends && far_mdp_terminal(c->def->mdp, s);
  }
  return starts ? "start" : ends ? "terminal" : "";
}

static bool is_first(const canvas *c, uint32_t s) {
  for (uint32_t other = 0; other < s; ++other)
    if (strcmp(c->layout.label[other], c->layout.label[s]) == 0) return false;
  return true;
}

static void put_labels(canvas *c) {
  for (uint32_t s = 0; s < c->shape.n_states; ++s) {
    const char *label = c->layout.label[s];
    if (label[0] == '\0' || !is_first(c, s)) continue;
    if (meaning(c, label)[0] != '\0') put_item(&c->page, "%s %s", label, meaning(c, label));
  }
}

/* Starts that no label tells. */
static void put_starts(canvas *c) {
  size_t n, bare = 0;
  const far_outcome *start = far_mdp_starts(c->def->mdp, &n);
  for (size_t k = 0; k < n; ++k) bare += c->layout.label[start[k].next][0] == '\0';
  if (bare == 0) return;
  if (n == 1)
    put_item(&c->page, "start: state %lu", (unsigned long)start[0].next);
  else
    put_item(&c->page, "start: one of %zu states", n);
}

static void put_other(canvas *c) {
  bool ends = false, idle = false, walls = false;
  for (uint32_t s = 0; s < c->shape.n_states; ++s) {
    const bool bare = c->layout.label[s][0] == '\0', terminal = far_mdp_terminal(c->def->mdp, s);
    ends = ends || (bare && terminal);
    idle = idle || (bare && !terminal && action_of(c, s) == NONE);
  }
  for (int row = 0; row < c->rows; ++row)
    for (int column = 0; column < c->columns; ++column) walls = walls || c->wall[row][column];
  if (ends) put_item(&c->page, "× terminal");
  if (idle && c->def->policy != NULL) put_item(&c->page, "· never reached");
  if (walls) put_item(&c->page, "█ wall");
}

static void put_legend(canvas *c) {
  put_actions(c);
  put_labels(c);
  put_starts(c);
  put_other(c);
  end_items(&c->page);
}

/* ---- the whole ---- */

/* Cells that a wall with breadth covers. */
static void place_wall(canvas *c, const far_wall *w) {
  for (int row = 0; row < c->rows; ++row)
    for (int column = 0; column < c->columns; ++column)
      if (w->x0 <= column && w->x1 >= column + 1 && w->y0 <= row && w->y1 >= row + 1)
        c->wall[row][column] = true;
}

static void place(canvas *c) {
  memset(c->state, 0xff, sizeof c->state);
  for (uint32_t s = 0; s < c->shape.n_states; ++s)
    c->state[(int)c->layout.y[s]][(int)c->layout.x[s]] = s;
  for (size_t i = 0; i < c->layout.n_walls; ++i) place_wall(c, &c->layout.walls[i]);
}

/* The widest of all cells and, in a line, of all numbers. */
static int cell_width(const canvas *c) {
  char text[CELL_SIZE];
  int widest = 1;
  for (uint32_t s = 0; s < c->shape.n_states; ++s) {
    cell_text(text, c, s);
    if (width_of(text) > widest) widest = width_of(text);
    snprintf(text, sizeof text, "%lu", (unsigned long)s);
    if (c->layout.kind == FAR_LAYOUT_LINE && width_of(text) > widest) widest = width_of(text);
  }
  return widest;
}

static bool begin(canvas *c, const far_drawing_def *def) {
  const far_layout l = far_mdp_layout(def->mdp);
  c->def = def;
  c->layout = l;
  c->shape = far_mdp_shape(def->mdp);
  if (l.kind != FAR_LAYOUT_LINE && l.kind != FAR_LAYOUT_GRID) return false;
  if (l.width > COLUMNS || l.height > ROWS || c->shape.n_states > COLUMNS * ROWS) return false;
  if (l.kind == FAR_LAYOUT_LINE && l.height != 1) return false;
  c->columns = (int)l.width;
  c->rows = (int)l.height;
  c->cell = cell_width(c);
  return c->columns * (c->cell + 1) + (l.kind == FAR_LAYOUT_LINE ? 6 : 3) <= LINE_WIDTH;
}

bool far_drawing_report(const far_drawing_def *def, far_report *report) {
  canvas c = {.page = {.length = 0}};
  if (!begin(&c, def)) return false;
  place(&c);
  if (c.layout.kind == FAR_LAYOUT_GRID)
    put_grid(&c);
  else
    put_line(&c);
  put_legend(&c);
  far_report_drawing(report, "layout", c.page.bytes, "%s",
                     def->caption != NULL ? def->caption : "the layout.");
  return true;
}
