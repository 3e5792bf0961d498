/* A layout drawn with characters. Everything is bounded by the size of a page, so that nothing has to be
 * allocated. */
#include "questions/model/drawing.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "report/build.h"

enum {
  COLUMNS = FAR__DRAWING_COLUMNS,
  ROWS = FAR__DRAWING_ROWS,
  LINE_WIDTH = 78,
  LINES = 2 * ROWS + 2,
  HEADING = 6, /* columns for "action" */
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
  const far__drawing_def *def;
  far_layout layout;
  far_shape shape;
  int columns, rows, cell, width;      /* of the layout; of a cell and all, in characters */
  bool walls;                          /* there are some with breadth */
  char line[LINES][LINE_WIDTH][4 + 1]; /* characters; "" is blank */
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

static int width_of(const char *text) {
  return far__text_width(text, strlen(text));
}

/* ---- cells ---- */

/* The action that is drawn in a state, or NONE. */
static uint32_t action_of(const canvas *c, uint32_t s) {
  if (c->def->policy == NULL || far_mdp_terminal(c->def->mdp, s)) return NONE;
  return c->def->policy[s] < c->shape.n_actions ? c->def->policy[s] : NONE;
}

static void cell_text(char out[FAR__DRAWING_TEXT], const canvas *c, uint32_t s) {
  far__drawing_text(out, c->def->mdp, s, action_of(c, s));
}

/* From column x of a line on. */
static void paint(canvas *c, int x, int y, const char *text) {
  for (size_t n; *text != '\0' && x < LINE_WIDTH; text += n, ++x) {
    n = 1;
    while (((unsigned char)text[n] & 0xc0) == 0x80) ++n;
    snprintf(c->line[y][x], sizeof c->line[y][x], "%.*s", (int)n, text);
  }
}

static void paint_right(canvas *c, int x, int y, int width, const char *text) {
  paint(c, x + width - width_of(text), y, text);
}

static void paint_times(canvas *c, int x, int y, int width, const char *text) {
  for (int i = 0; i < width; ++i) paint(c, x + i, y, text);
}

static void put_lines(canvas *c, int height) {
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < c->width; ++x)
      put(&c->page, c->line[y][x][0] != '\0' ? c->line[y][x] : " ");
    put(&c->page, "\n");
  }
}

static far__drawing_map map_of(canvas *c, void (*paint_piece)(void *, const far__drawing_piece *)) {
  return (far__drawing_map){.mdp = c->def->mdp,
                            .columns = c->columns,
                            .rows = c->rows,
                            .cell_width = c->cell,
                            .cell_height = 1,
                            .gap = 1,
                            .level = true,
                            .put = paint_piece,
                            .user = c};
}

/* ---- a grid ---- */

/* Draws a piece of a grid, whose frame takes the first row and column. */
static void paint_in_grid(void *user, const far__drawing_piece *p) {
  canvas *c = user;
  char text[FAR__DRAWING_TEXT];
  const int x = p->x + 1, y = p->y + 1;
  switch (p->part) {
  case FAR__DRAWING_STATE:
    cell_text(text, c, p->s);
    paint_right(c, x, y, p->width, text);
    break;
  case FAR__DRAWING_WALL:
    paint_times(c, x, y, p->width, "█");
    c->walls = true;
    break;
  case FAR__DRAWING_UPRIGHT: paint(c, x, y, "│"); break;
  case FAR__DRAWING_LEVEL: paint_times(c, x, y, p->width, "─"); break;
  }
}

static void paint_border(canvas *c, int y, const char *left, const char *right) {
  paint(c, 0, y, left);
  paint_times(c, 1, y, c->width - 2, "─");
  paint(c, c->width - 1, y, right);
}

static void put_grid(canvas *c) {
  const far__drawing_map map = map_of(c, paint_in_grid);
  const int height = far__drawing_pieces(&map);
  paint_border(c, 0, "┌", "┐");
  for (int y = 1; y <= height; ++y) {
    paint(c, 0, y, "│");
    paint(c, c->width - 1, y, "│");
  }
  paint_border(c, height + 1, "└", "┘");
  put_lines(c, height + 2);
}

/* ---- a line: the numbers of the states, and below them what stands there ---- */

static bool has_labels(const canvas *c) {
  for (uint32_t s = 0; s < c->shape.n_states; ++s)
    if (c->layout.label[s][0] != '\0' || far_mdp_terminal(c->def->mdp, s)) return true;
  return false;
}

static void paint_in_line(void *user, const far__drawing_piece *p) {
  canvas *c = user;
  char text[FAR__DRAWING_TEXT];
  if (p->part != FAR__DRAWING_STATE) return;
  snprintf(text, sizeof text, "%lu", (unsigned long)p->s);
  paint_right(c, p->x + HEADING, 0, p->width, text);
  cell_text(text, c, p->s);
  paint_right(c, p->x + HEADING, 1, p->width, text);
}

static void put_line(canvas *c) {
  const far__drawing_map map = map_of(c, paint_in_line);
  far__drawing_pieces(&map);
  paint(c, 0, 0, "state");
  if (c->def->policy != NULL) paint(c, 0, 1, "action");
  put_lines(c, c->def->policy == NULL && !has_labels(c) ? 1 : 2);
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

/* The action is drawn in some state; without a policy all are named, unless there are many. */
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
    char name[4 * NAME_WIDTH + 4], text[FAR__DRAWING_TEXT];
    if (!is_used(c, a)) continue;
    far__drawing_mark(text, c->def->mdp, a);
    action_name(name, c, a);
    const bool is_arrow = far__drawing_arrow(c->def->mdp, a) != NULL;
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

/* Start states without a label. */
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
  bool ends = false, idle = false;
  for (uint32_t s = 0; s < c->shape.n_states; ++s) {
    const bool bare = c->layout.label[s][0] == '\0', terminal = far_mdp_terminal(c->def->mdp, s);
    ends = ends || (bare && terminal);
    idle = idle || (bare && !terminal && action_of(c, s) == NONE);
  }
  if (ends) put_item(&c->page, "× terminal");
  if (idle && c->def->policy != NULL) put_item(&c->page, "· never reached");
  if (c->walls) put_item(&c->page, "█ wall");
}

/* ---- the whole ---- */

static bool begin(canvas *c, const far__drawing_def *def) {
  const far_layout l = far_mdp_layout(def->mdp);
  c->def = def;
  c->layout = l;
  c->shape = far_mdp_shape(def->mdp);
  if (l.kind != FAR_LAYOUT_LINE && l.kind != FAR_LAYOUT_GRID) return false;
  if (l.width > COLUMNS || l.height > ROWS || c->shape.n_states > COLUMNS * ROWS) return false;
  if (l.kind == FAR_LAYOUT_LINE && l.height != 1) return false;
  c->columns = (int)l.width;
  c->rows = (int)l.height;
  /* The widest of all cells and, in a line, of all numbers. */
  char text[FAR__DRAWING_TEXT];
  int widest = 1;
  for (uint32_t s = 0; s < c->shape.n_states; ++s) {
    cell_text(text, c, s);
    if (width_of(text) > widest) widest = width_of(text);
    snprintf(text, sizeof text, "%lu", (unsigned long)s);
    if (c->layout.kind == FAR_LAYOUT_LINE && width_of(text) > widest) widest = width_of(text);
  }
  c->cell = widest;
  c->width = c->columns * (c->cell + 1) + (l.kind == FAR_LAYOUT_LINE ? HEADING : 3);
  return c->width <= LINE_WIDTH;
}

bool far__drawing_report(const far__drawing_def *def, far_report *report) {
  canvas c = {.page = {.length = 0}};
  if (!begin(&c, def)) return false;
  if (c.layout.kind == FAR_LAYOUT_GRID)
    put_grid(&c);
  else
    put_line(&c);
  put_actions(&c);
  put_labels(&c);
  put_starts(&c);
  put_other(&c);
  end_items(&c.page);
  far__report_drawing(report, "layout", c.page.bytes, "%s",
                      def->caption != NULL ? def->caption : "the layout.");
  return true;
}
