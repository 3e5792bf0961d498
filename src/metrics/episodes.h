/* What the metrics of episodes share: a run is a sequence of episodes, each from a start to an end. One
 * that is cut (a simulator's time limit), or open when the run is over, did not finish, and counts in none
 * of them. */
#ifndef FAR_METRICS_EPISODES_H
#define FAR_METRICS_EPISODES_H

#include "metrics/tallied.h"

/* Warns where the watcher's model has no end; `severe`: then the number can only be 0. */
static inline far_status far__episodes_advise(const void *watcher, bool severe, const char *text,
                                              const far__warner *warner) {
  const far_mdp *mdp = ((const far__tallied *)watcher)->mdp;
  if (!far_mdp_shape(mdp).episodic) warner->warn(warner->user, severe, text);
  return FAR_OK;
}

#endif
