/* What the metrics of episodes share: a run is a sequence of episodes, each from a start to an end. An episode
 * that is cut (by a horizon, or a simulator's time limit) has ended as well, and counts; otherwise the
 * longest episodes would be left out. An episode that is open at the end of the run does not count. */
#ifndef FAR_RUN_METRICS_EPISODES_H
#define FAR_RUN_METRICS_EPISODES_H

#include "run/metrics/tallied.h"

/* Can an episode of the watcher's model reach a terminal state; is it cut at a horizon? */
static inline bool far__episodes_terminate(const void *watcher) {
  return far_mdp_shape(((const far__tallied *)watcher)->mdp).episodic;
}

static inline bool far__episodes_cut(const void *watcher) {
  return far_mdp_horizon(((const far__tallied *)watcher)->mdp) > 0;
}

#endif
