/* The shape of a problem: all that an agent may know about it.
 *
 * A problem with a *horizon* is divided into episodes of that many steps, and what counts is the
 * reward of an episode; the best policy then depends on the step. An episode that has taken them
 * all is cut (far_transition.cut): that is no end of the world, and a state has no value of 0 there
 * for agents that take no notice of the horizon.
 *
 * A state is *live* if an agent may have to act in it. Terminal and unreachable states are not
 * live; they have numbers, too, and `absent` marks them. Without `absent` an agent takes them for
 * states that it has not visited yet, and an optimistic agent then explores for ever in search of
 * them.
 */
#ifndef FARSIGHT_SHAPE_H
#define FARSIGHT_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "farsight/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/* No episode has more steps than this. */
#define FAR_HORIZON_MAX 1000000000

typedef struct far_shape {
  uint32_t n_states;  /* at least 1 */
  uint32_t n_actions; /* at least 1 */
  double reward_min;  /* every reward lies in [reward_min, reward_max], and max > min */
  double reward_max;
  bool episodic; /* episodes can end; the range is then widened to contain 0 (terminal states) */
  const bool *absent; /* of n_states: true where a state is not live; NULL: all are. Borrowed: what
                         keeps a shape copies it, as agents do */
  int64_t horizon;    /* steps of an episode, at most FAR_HORIZON_MAX; 0: there is no horizon */
} far_shape;

/* Rewards in [0, 1], episodes may end, every state is live, no horizon. */
FAR_API far_shape far_shape_default(uint32_t n_states, uint32_t n_actions);

/* Is state s, below n_states, live? */
static inline bool far_shape_is_live(const far_shape *shape, uint32_t s) {
  return shape->absent == NULL || !shape->absent[s];
}

/* The number of live states: the S of every theorem. Counts them. */
FAR_API uint32_t far_shape_live(const far_shape *shape);

#ifdef __cplusplus
}
#endif

#endif
