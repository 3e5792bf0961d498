/* The shape of a problem: all that an agent may know about it.
 *
 * A problem with a *horizon* is divided into episodes of that many steps, and what counts is the
 * reward of an episode; the best policy then depends on the step. An episode that has taken them
 * all is cut (far_transition.cut): that is no end of the world, and a state has no value of 0 there
 * for agents that take no notice of the horizon.
 *
 * Otherwise what counts is the sum of rewards discounted by the problem's `gamma`, or the average reward of a
 * step. The discount belongs to the problem: it is the same for all agents, and for all that is exact about it.
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

/* The discount of a problem that names none. */
#define FAR_GAMMA_DEFAULT 0.95

typedef struct far_shape {
  uint32_t n_states;  /* at least 1 */
  uint32_t n_actions; /* at least 1 */
  double reward_min;  /* every reward lies in [reward_min, reward_max], and max > min */
  double reward_max;
  bool episodic; /* episodes can end; the range is then widened to contain 0 (terminal states) */
  const bool *absent; /* of n_states: true where a state is not live; NULL: all are. Borrowed: what
                         keeps a shape copies it, as agents do */
  int64_t horizon;    /* steps of an episode, at most FAR_HORIZON_MAX; 0: there is no horizon */
  double gamma; /* the problem's discount, in (0, 1); 0: FAR_GAMMA_DEFAULT, as nobody has said */
  bool average; /* what counts is the average reward of a step, and nothing is discounted */
  /* The length of the run that is to come, 0: not known. Where it ends by episodes, `steps` is the most that it may have. */
  int64_t steps, episodes;
} far_shape;

/* Rewards in [0, 1], episodes may end, every state is live, no horizon, no discount named, length unknown. */
FAR_API far_shape far_shape_default(uint32_t n_states, uint32_t n_actions);

/* The problem's discount. */
static inline double far_shape_gamma(const far_shape *shape) {
  return shape->gamma > 0 ? shape->gamma : FAR_GAMMA_DEFAULT;
}

/* The shape, told the length of the run: its steps, and the episodes after which it ends, if it does (0: not known). */
static inline far_shape far_shape_for(far_shape shape, int64_t steps, int64_t episodes) {
  shape.steps = steps;
  shape.episodes = episodes;
  return shape;
}

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
