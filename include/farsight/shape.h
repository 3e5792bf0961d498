/* The shape of a problem: all that an agent may know of it. */
#ifndef FARSIGHT_SHAPE_H
#define FARSIGHT_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "farsight/export.h"

typedef struct far_shape {
  uint32_t n_states;  /* at least 1 */
  uint32_t n_actions; /* at least 1 */
  double reward_min;  /* every reward lies in [reward_min, reward_max], and max > min */
  double reward_max;
  bool episodic; /* episodes can end; the range is then widened to contain 0, the worth of an end */
} far_shape;

/* Rewards in [0, 1], episodes may end. */
FAR_API far_shape far_shape_default(uint32_t n_states, uint32_t n_actions);

#endif
