/* Where the pieces of a layout go on a grid of characters: states, and walls with and without breadth. */
#include <stdio.h>

#include "questions/model/drawing.h"

typedef struct plan {
  const far__drawing_map *map;
  far_layout layout;
  int top[FAR__DRAWING_ROWS]; /* of a map with level walls: where its rows begin */
} plan;

/* ---- texts ---- */

const char *far__drawing_arrow(const far_mdp *mdp, uint32_t a) {
  static const char *const arrows[3][3] = {{"↖", "↑", "↗"}, {"←", NULL, "→"}, {"↙", "↓", "↘"}};
  const far_layout l = far_mdp_layout(mdp);
  if (l.kind == FAR_LAYOUT_NONE) return NULL;
  return arrows[(l.dy[a] > 0) - (l.dy[a] < 0) + 1][(l.dx[a] > 0) - (l.dx[a] < 0) + 1];
}

void far__drawing_mark(char out[FAR__DRAWING_TEXT], const far_mdp *mdp, uint32_t a) {
  const char *arrow = far__drawing_arrow(mdp, a);
  if (arrow != NULL)
    snprintf(out, FAR__DRAWING_TEXT, "%s", arrow);
  else
    snprintf(out, FAR__DRAWING_TEXT, "%lu", (unsigned long)a);
}

void far__drawing_text(char out[FAR__DRAWING_TEXT], const far_mdp *mdp, uint32_t s, uint32_t a) {
  const far_layout l = far_mdp_layout(mdp);
  const char *label = l.kind != FAR_LAYOUT_NONE ? l.label[s] : "";
  char mark[FAR__DRAWING_TEXT] = "";
  if (a != UINT32_MAX) far__drawing_mark(mark, mdp, a);
  if (a == UINT32_MAX && label[0] == '\0')
    snprintf(out, FAR__DRAWING_TEXT, "%s", far_mdp_terminal(mdp, s) ? "×" : "·");
  else
    snprintf(out, FAR__DRAWING_TEXT, "%s%.20s", label, mark);
}

/* ---- walls ---- */

static bool covers(const far_wall *w, double x0, double y0, double x1, double y1) {
  return w->x0 <= x0 && w->x1 >= x1 && w->y0 <= y0 && w->y1 >= y1;
}

static bool is_wall(const plan *p, int column, int row) {
  for (size_t i = 0; i < p->layout.n_walls; ++i)
    if (covers(&p->layout.walls[i], column, row, column + 1, row + 1)) return true;
  return false;
}

/* A wall without breadth on the left of a cell. */
static bool is_upright(const plan *p, int column, int row) {
  for (size_t i = 0; i < p->layout.n_walls; ++i) {
    const far_wall *w = &p->layout.walls[i];
    if (w->x0 == w->x1 && covers(w, column, row, column, row + 1)) return true;
  }
  return false;
}

/* A wall without breadth above a cell. */
static bool is_level(const plan *p, int column, int row) {
  for (size_t i = 0; i < p->layout.n_walls; ++i) {
    const far_wall *w = &p->layout.walls[i];
    if (w->y0 == w->y1 && covers(w, column, row, column + 1, row)) return true;
  }
  return false;
}

/* ---- places ---- */

static int place(const far__drawing_map *m, int column) {
  return (column - m->first_column) * (m->cell_width + m->gap) + m->gap;
}

static int top_of(const plan *p, int row) {
  return p->map->level ? p->top[row] : row * p->map->cell_height;
}

static void put(const plan *p, far__drawing_part part, int x, int y, int width) {
  p->map->put(p->map->user, &(far__drawing_piece){part, UINT32_MAX, x, y, width});
}

static void put_walls_of(const plan *p, int column, int row, int y) {
  const far__drawing_map *m = p->map;
  const bool inner = column > m->first_column, wall = is_wall(p, column, row);
  const bool joined = inner && wall && is_wall(p, column - 1, row);
  const bool upright =
      column > 0 && (m->gap == 0 ? !wall : inner && !joined) && is_upright(p, column, row);
  const int x = place(m, column), before = joined ? m->gap : 0;
  for (int i = 0; i < m->cell_height; ++i) {
    if (wall) put(p, FAR__DRAWING_WALL, x - before, y + i, m->cell_width + before);
    if (upright) put(p, FAR__DRAWING_UPRIGHT, x - m->gap, y + i, 1);
  }
}

/* The walls above a row of cells. */
static void put_level_of(const plan *p, int row) {
  const far__drawing_map *m = p->map;
  for (int i = 0; i < m->columns; ++i)
    if (is_level(p, m->first_column + i, row))
      put(p, FAR__DRAWING_LEVEL, place(m, m->first_column + i), p->top[row - m->first_row] - 1,
          m->cell_width);
}

static void put_state(const plan *p, uint32_t s) {
  const far__drawing_map *m = p->map;
  const int column = (int)p->layout.x[s] - m->first_column,
            row = (int)p->layout.y[s] - m->first_row;
  if (column < 0 || column >= m->columns || row < 0 || row >= m->rows) return;
  const int x = place(m, m->first_column + column);
  m->put(m->user, &(far__drawing_piece){FAR__DRAWING_STATE, s, x, top_of(p, row), m->cell_width});
}

/* ---- the whole ---- */

/* Where rows of cells begin, with a row of characters above those that have a level wall there. */
static int find_tops(plan *p) {
  const far__drawing_map *m = p->map;
  int y = 0;
  for (int row = 0; row < m->rows; ++row, y += m->cell_height) {
    bool any = false;
    for (int i = 0; row > 0 && i < m->columns; ++i)
      any = any || is_level(p, m->first_column + i, m->first_row + row);
    p->top[row] = y += any;
  }
  return y;
}

int far__drawing_pieces(const far__drawing_map *map) {
  plan p = {.map = map, .layout = far_mdp_layout(map->mdp)};
  const uint32_t n = far_mdp_shape(map->mdp).n_states;
  const int height = map->level ? find_tops(&p) : map->rows * map->cell_height;
  for (uint32_t s = 0; s < n; ++s) put_state(&p, s);
  for (int row = 0; p.layout.n_walls > 0 && row < map->rows; ++row) {
    const far__drawing_map *m = p.map;
    if (m->level && row > 0) put_level_of(&p, m->first_row + row);
    for (int i = 0; i < m->columns; ++i)
      put_walls_of(&p, m->first_column + i, m->first_row + row, top_of(&p, row));
  }
  return height;
}
