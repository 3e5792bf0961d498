/* Learning curves of stored results: means over the runs at the checkpoints, with intervals.
 *
 *     far_curves_def def = far_curves_def_default();
 *     def.choice.series = "regret";                      the total reward so far by default
 *     far_curves *curves;
 *     far_status status = far_curves_create(&curves, store, &def, &error);
 *     const far_curves_group *g = &curves->groups[0];
 *     const far_curve *c = far_curve_of(g, e, j);        c->mean[k] at c->steps[k], k < c->n
 *     far_curves_report(curves, report);
 *     far_curves_free(curves);
 *
 * Nothing is run; the same results and definition give the same bits.
 */
#ifndef FARSIGHT_CURVES_H
#define FARSIGHT_CURVES_H

#include "farsight/comparison.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Strings and arrays must live as long as the call of far_curves_create. */
typedef struct far_curves_def {
  /* Which results: series ("total", or a metric that was recorded at checkpoints), steps, seed, environments,
   * agents, models, most_agents, progress (with "curve" and "scale"), and the level of the bootstrap
   * definition, which is that of Student's intervals. The rest is not read. */
  far_comparison_def choice;
  bool
      per_step; /* the change per step since the checkpoint before (0 at step 0), instead of the sum so far;
                  * false by default */
} far_curves_def;

FAR_API far_curves_def far_curves_def_default(void);

/* The curve of an agent on an environment. */
typedef struct far_curve {
  size_t n; /* checkpoints; 0: there is no curve, and the arrays are NULL */
  int64_t *steps;
  int64_t *
      runs; /* that have a value at the checkpoint, and at the one before with per_step; at least 1 */
  double *mean;
  double *low, *high; /* NAN where there is a single run, one is infinite, or all are censored;
                       * equal where runs are */
  int64_t
      *censored; /* of these runs, if the series is a time: their number is the step; else NULL */
} far_curve;

typedef struct far_curves_env {
  const char *label, *spec;
  /* Average reward per step of the best policy and of the one that takes every action with the same probability:
   * lines through 0, or levels with per_step. NAN for metrics, and where the model is unknown or has not one
   * average reward for all starts. */
  double best, random;
} far_curves_env;

typedef struct far_curves_agent {
  const char *label;
  far_origin origin;
} far_curves_agent;

/* As far_comparison_group: results of the same length, seed and numerics. */
typedef struct far_curves_group {
  int64_t steps;    /* of a run, the most where runs end by episodes; 0: unknown */
  int64_t episodes; /* after which runs end, and what checkpoints are; 0: they are steps */
  uint64_t seed;
  int numerics;   /* 0: all results are imported */
  size_t n_older; /* as in far_comparison_group */
  far_curves_env *envs;
  size_t n_envs;
  far_curves_agent *agents;
  size_t n_agents;
  far_curve *curves; /* environment e and agent j at e * n_agents + j */
} far_curves_group;

typedef struct far_curves {
  const char *series; /* as the store names it, without a step: "curve" for the total */
  bool lower;         /* lower is better */
  bool per_step;
  double level;
  size_t n_without; /* requested cells that have no curve of the series */
  far_curves_group *groups;
  size_t n_groups; /* 0: the store has no results */
} far_curves;

/* Fails as far_comparison_create does: UNKNOWN also if no cell has a curve of the series; *out is then NULL. */
FAR_API far_status far_curves_create(far_curves **out, far_store *store, const far_curves_def *def,
                                     far_error *error);
FAR_API void far_curves_free(far_curves *curves); /* NULL is fine */

static inline const far_curve *far_curve_of(const far_curves_group *group, size_t env,
                                            size_t agent) {
  return &group->curves[env * group->n_agents + agent];
}

/* Adds a heading for each group, the tables "curves" with a row for every checkpoint and "lines" with those of
 * the best and the random policy, and the methods. */
FAR_API void far_curves_report(const far_curves *curves, far_report *report);

#ifdef __cplusplus
}
#endif

#endif
