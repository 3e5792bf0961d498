#include "model/envs/draw.h"

#include "model/layout.h"

void far__draw(far__sketch *k, far_layout_kind kind, double width, double height) {
  if (k->status != FAR_OK) return;
  k->drawn = far__mdp_builder_layout(k->builder)->n_states <= FAR__MOST_DRAWN;
  if (k->drawn) k->status = far_mdp_builder_layout(k->builder, kind, width, height, k->error);
}

static bool goes_on(const far__sketch *k) {
  return k->drawn && k->status == FAR_OK;
}

void far__place(far__sketch *k, uint32_t s, double x, double y, const char *label) {
  if (goes_on(k)) k->status = far_mdp_builder_place(k->builder, s, x, y, label, k->error);
}

void far__arrow(far__sketch *k, uint32_t a, double dx, double dy, const char *label) {
  if (goes_on(k)) k->status = far_mdp_builder_arrow(k->builder, a, dx, dy, label, k->error);
}

void far__wall(far__sketch *k, double x0, double y0, double x1, double y1) {
  if (goes_on(k)) k->status = far_mdp_builder_wall(k->builder, x0, y0, x1, y1, k->error);
}

void far__place_cell(far__sketch *k, uint32_t s, uint32_t column, uint32_t row, const char *label) {
  far__place(k, s, column + 0.5, row + 0.5, label);
}

void far__wall_cell(far__sketch *k, uint32_t column, uint32_t row) {
  far__wall(k, column, row, column + 1.0, row + 1.0);
}

void far__draw_moves(far__sketch *k, const far__direction order[4]) {
  static const struct {
    double dx, dy;
    const char *label;
  } moves[4] = {[FAR__LEFT] = {-1, 0, "left"},
                [FAR__DOWN] = {0, 1, "down"},
                [FAR__RIGHT] = {1, 0, "right"},
                [FAR__UP] = {0, -1, "up"}};
  for (uint32_t a = 0; a < 4; ++a)
    far__arrow(k, a, moves[order[a]].dx, moves[order[a]].dy, moves[order[a]].label);
}

void far__draw_line(far__sketch *k, uint32_t n) {
  far__draw(k, FAR_LAYOUT_LINE, n, 1);
  for (uint32_t s = 0; s < n; ++s) far__place_cell(k, s, s, 0, NULL);
}

void far__draw_walk(far__sketch *k, uint32_t n) {
  far__draw_line(k, n);
  far__arrow(k, 0, -1, 0, "left");
  far__arrow(k, 1, 1, 0, "right");
}

void far__draw_map(far__sketch *k, const far__map *map, const uint32_t *state, char plain) {
  far__draw(k, FAR_LAYOUT_GRID, map->columns, map->rows);
  for (uint32_t cell = 0; cell < map->rows * map->columns; ++cell) {
    const uint32_t column = cell % map->columns, row = cell / map->columns;
    const char c = map->cell[cell], label[] = {c, '\0'};
    if (c == '#')
      far__wall_cell(k, column, row);
    else
      far__place_cell(k, state != NULL ? state[cell] : cell, column, row,
                      c == '.' || c == plain ? NULL : label);
  }
}
