/* The watcher of a metric that follows from the transitions alone: a tally (run/tally.h) and its counts. All
 * hooks are here except `create`, in which the metric defines the tally, and `advise`. */
#ifndef FAR_RUN_METRICS_TALLIED_H
#define FAR_RUN_METRICS_TALLIED_H

#include <stdlib.h>

#include "run/metrics/metric.h"

typedef struct far__tallied {
  const far_mdp *mdp; /* NULL: a simulator's */
  far_tally tally;
  far__count count;
  uint8_t marks[]; /* tally.n_marks */
} far__tallied;

/* For `create`. MEMORY. */
far_status far__tallied_create(void **out, const far__scene *scene, far_tally tally,
                               far_error *error);

far_status far__tallied_begin(void *watcher, const far_agent *agent, uint32_t s, far_error *error);
far_status far__tallied_step(void *watcher, const far_agent *agent, const far_transition *step,
                             uint32_t next, far_error *error);
double far__tallied_end(void *watcher, const far_agent *agent);
bool far__tallied_tally(const void *params, const void *watcher, far_tally *out);

/* The hooks in a descriptor. */
#define FAR__TALLIED                                                                               \
  .begin = far__tallied_begin, .step = far__tallied_step, .end = far__tallied_end,                 \
  .sofar = far__tallied_end, .free = free, .tally = far__tallied_tally

#endif
