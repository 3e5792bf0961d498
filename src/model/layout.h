/* The memory of a layout, which a builder fills and its model takes over. */
#ifndef FAR_MODEL_LAYOUT_H
#define FAR_MODEL_LAYOUT_H

#include "farsight/mdp.h"

typedef struct far__layout {
  far_layout_kind kind;
  uint32_t n_states, n_actions;
  double width, height;
  double *x, *y; /* of states; x is -1 where a state is not placed */
  double *dx, *dy;
  char (*label)[FAR_LABEL_SIZE], (*action_label)[FAR_LABEL_SIZE];
  far_wall *wall;
  size_t n_walls, room;
} far__layout;

/* Is every state placed, or none? */
far_status far__layout_check(const far__layout *layout, far_error *error);

void far__layout_free(far__layout *layout);

/* The bytes of memory of a layout. */
size_t far__layout_bytes(const far__layout *layout);

/* The layout of a builder; its numbers of states and actions are set. */
far__layout *far__mdp_builder_layout(far_mdp_builder *builder);

#endif
