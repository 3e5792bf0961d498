/* Layout: where the states of a model stand in a drawing, which way its actions point, where walls are.
 *
 * The environment families set it where a drawing makes sense; a program that builds a model may
 * set it, too. It is a hint for front ends: it is part of neither far_mdp_hash nor model files, and
 * no run depends on it.
 *
 * x grows to the right and y downwards, as the rows of a map do. Every state has a unit square of its
 * own, whose centre is (x, y), inside the rectangle from (0, 0) to (width, height).
 */
#ifndef FARSIGHT_LAYOUT_H
#define FARSIGHT_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#include "farsight/mdp.h"
#include "farsight/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum far_layout_kind {
  FAR_LAYOUT_NONE,  /* there is no layout */
  FAR_LAYOUT_LINE,  /* states in a row, in their order */
  FAR_LAYOUT_GRID,  /* cells of a grid: x - 1/2 and y - 1/2 are whole numbers */
  FAR_LAYOUT_GRAPH, /* points in the plane; draw the transitions between them */
} far_layout_kind;

enum { FAR_LABEL_SIZE = 8 }; /* room for a label and its terminator */

/* From corner to corner: a rectangle that cannot be entered, or a line where x0 = x1 or y0 = y1. */
typedef struct far_wall {
  double x0, y0, x1, y1;
} far_wall;

/* All arrays belong to the model. */
typedef struct far_layout {
  far_layout_kind kind;
  double width, height;                /* 0 if there is no layout; likewise NULL, below */
  const double *x, *y;                 /* n_states */
  const char (*label)[FAR_LABEL_SIZE]; /* n_states, "" without one: "S", "G" */
  const double *dx, *dy;               /* n_actions: a step of the intended outcome; 0, 0 where an
                                               * action has no direction, or not the same everywhere */
  const char (*action_label)[FAR_LABEL_SIZE]; /* n_actions, "" without one: "left" */
  const far_wall *walls;
  size_t n_walls;
} far_layout;

/* The model's layout; of kind FAR_LAYOUT_NONE if it has none. */
FAR_API far_layout far_mdp_layout(const far_mdp *mdp);

/* ---- building ---- */

/* The model will have a layout of this kind and size; once, and before the calls below. RANGE unless the
 * kind is one (and not NONE) and both sizes are finite and at least 1, CONFLICT if there is one, MEMORY. */
FAR_API far_status far_mdp_builder_layout(far_mdp_builder *builder, far_layout_kind kind,
                                          double width, double height, far_error *error);

/* Places state s at (x, y), with a label of at most 7 bytes of UTF-8, or NULL; a later call replaces it. RANGE if
 * the square around (x, y) is not inside the layout, or a grid's cell is no cell; CONFLICT without a
 * layout. Finishing the builder fails with RANGE if a state was not placed. */
FAR_API far_status far_mdp_builder_place(far_mdp_builder *builder, uint32_t s, double x, double y,
                                         const char *label, far_error *error);

/* The direction of action a, with a label as above. RANGE unless dx and dy are finite; CONFLICT without
 * a layout. */
FAR_API far_status far_mdp_builder_arrow(far_mdp_builder *builder, uint32_t a, double dx, double dy,
                                         const char *label, far_error *error);

/* Adds a wall. RANGE if it is not inside the layout, or x1 < x0 or y1 < y0; CONFLICT without a layout;
 * MEMORY. */
FAR_API far_status far_mdp_builder_wall(far_mdp_builder *builder, double x0, double y0, double x1,
                                        double y1, far_error *error);

#ifdef __cplusplus
}
#endif

#endif
