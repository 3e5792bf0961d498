/* What a metric of the library implements. */
#ifndef FAR_RUN_METRICS_METRIC_H
#define FAR_RUN_METRICS_METRIC_H

#include <math.h> /* only for INFINITY */

#include "base/spec.h"
#include "farsight/run.h"
#include "farsight/solve.h"
#include "run/tally.h"

/* What a watcher is created for. */
typedef struct far__scene {
  const void *params; /* the metric's own parameter struct */
  const far_mdp *mdp;
  const far_agent *agent; /* a fresh one */
  int64_t steps;
} far__scene;

/* The default definition, with which solving ends with CANCELLED when the scene's agent is stopped. */
far_solve_def far__scene_solve_def(const far__scene *scene);

/* Passes on warnings that a metric's number has no meaning. */
typedef struct far__warner {
  far_warn_fn *warn;
  void *user;
} far__warner;

/* The range of the number of a run. */
typedef enum far__metric_range {
  FAR__ANY,   /* nothing is known without the model */
  FAR__SHARE, /* 0 to 1 */
  FAR__STEPS, /* 0 to the steps of the run: a number of steps or of episodes, or a time */
} far__metric_range;

/* All hooks are required except resolve, sofar, tally and advise. The hooks of a watcher are as in farsight/run.h. */
typedef struct far__metric_type {
  far_type_info info;
  far__metric_range range;
  bool without_model; /* scene->mdp may be NULL */
  /* do the numbers depend on the problem's discount, with these parameters? NULL: never */
  bool (*by_criterion)(const void *params);
  /* the value of a key without which the last steps of a run are not judged, so that info.event does not hold; or NULL */
  const char *event_key, *event_value;

  /* refuses parameters that do not apply or contradict each other */
  far_status (*resolve)(far__spec *spec, far_error *error);

  far_status (*create)(void **watcher, const far__scene *scene, far_error *error);
  far_status (*begin)(void *watcher, const far_agent *agent, uint32_t s, far_error *error);
  far_status (*step)(void *watcher, const far_agent *agent, const far_transition *step,
                     uint32_t next, far_error *error);
  double (*end)(void *watcher, const far_agent *agent);
  double (*sofar)(void *watcher, const far_agent *agent); /* NULL: no number before the end */
  void (*free)(void *watcher);

  /* for metrics that can follow from the transitions alone: do they with these parameters? Sets *out to the tally of the
   * watcher, unless that is NULL */
  bool (*tally)(const void *params, const void *watcher, far_tally *out);

  /* warns if the number of this watcher says nothing */
  far_status (*advise)(const void *watcher, const far__warner *warner, far_error *error);
} far__metric_type;

#define FAR_METRIC(name) extern const far__metric_type far__metric_##name;
#include "run/metrics/metrics.def"
#undef FAR_METRIC

#endif
