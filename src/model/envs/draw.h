/* The layouts of families. Models of more than FAR__MOST_DRAWN states have none: these functions do nothing for
 * them. */
#ifndef FAR_MODEL_ENVS_DRAW_H
#define FAR_MODEL_ENVS_DRAW_H

#include "farsight/mdp.h"
#include "model/envs/family.h"
#include "model/envs/map.h"

enum { FAR__MOST_DRAWN = 1 << 20 }; /* states */

void far__draw(far__sketch *k, far_layout_kind kind, double width, double height);
void far__place(far__sketch *k, uint32_t s, double x, double y, const char *label);
void far__arrow(far__sketch *k, uint32_t a, double dx, double dy, const char *label);
void far__wall(far__sketch *k, double x0, double y0, double x1, double y1);

/* The cell of a grid, and a wall in place of one. */
void far__place_cell(far__sketch *k, uint32_t s, uint32_t column, uint32_t row, const char *label);
void far__wall_cell(far__sketch *k, uint32_t column, uint32_t row);

/* Actions 0 ... 3 of a grid, in this order. */
void far__draw_moves(far__sketch *k, const far__direction order[4]);

/* n states in a row: without arrows, or with action 0 to the left and action 1 to the right. */
void far__draw_line(far__sketch *k, uint32_t n);
void far__draw_walk(far__sketch *k, uint32_t n);

/* A map: '#' is a wall; '.' and `plain` have no label. `state` is the state of each cell; NULL: its own number. */
void far__draw_map(far__sketch *k, const far__map *map, const uint32_t *state, char plain);

#endif
