/* Learning curves of stored results: means over the runs at the checkpoints, with intervals.
 *
 *     far__curves_def def = far__curves_def_default();
 *     def.choice.series = "regret";                      the total reward so far by default
 *     far__curves *curves;
 *     far_status status = far__curves_create(&curves, store, &def, &error);
 *     const far__curves_group *g = &curves->groups[0];
 *     const far__curve *c = far__curve_of(g, e, j);        c->mean[k] at c->steps[k], k < c->n
 *     far__curves_report(curves, report);
 *     far__curves_free(curves);
 *
 * Nothing is run; the same results and definition give the same bits.
 */
#ifndef FAR_QUESTIONS_CURVES_CURVES_H
#define FAR_QUESTIONS_CURVES_CURVES_H

#include "farsight/comparison.h"

/* Strings and arrays must live as long as the call of far__curves_create. */
typedef struct far__curves_def {
  /* Which results: series ("total", or a metric that was recorded at checkpoints), steps, seed, environments,
   * agents, models, most_agents, progress (with "curve" and "scale"), and the level of the bootstrap
   * definition, which is that of Student's intervals. The rest is not read. */
  far_comparison_def choice;
  bool
      per_step; /* the change per step since the checkpoint before (0 at step 0), instead of the sum so far;
                  * false by default */
} far__curves_def;

far__curves_def far__curves_def_default(void);

/* The curve of an agent on an environment. */
typedef struct far__curve {
  size_t n; /* checkpoints; 0: there is no curve, and the arrays are NULL */
  int64_t *steps;
  int64_t *
      runs; /* that have a value at the checkpoint, and at the one before with per_step; at least 1 */
  double *mean;
  double *low, *high; /* NAN where there is a single run, one is infinite, or all are censored;
                       * equal where runs are */
  int64_t
      *censored; /* of these runs, if the series is a time: their number is the step; else NULL */
} far__curve;

typedef struct far__curves_env {
  const char *label, *spec;
  /* Average reward per step of the best policy and of the one that takes every action with the same probability:
   * lines through 0, or levels with per_step. NAN for metrics, and where the model is unknown or has not one
   * average reward for all starts. */
  double best, random;
} far__curves_env;

typedef struct far__curves_agent {
  const char *label;
  far_origin origin;
} far__curves_agent;

/* As far_comparison_group: results of the same length, seed and numerics. */
typedef struct far__curves_group {
  int64_t steps;    /* of a run, the most where runs end by episodes; 0: unknown */
  int64_t episodes; /* after which runs end, and what checkpoints are; 0: they are steps */
  uint64_t seed;
  int numerics;   /* 0: all results are imported */
  size_t n_older; /* as in far_comparison_group */
  far__curves_env *envs;
  size_t n_envs;
  far__curves_agent *agents;
  size_t n_agents;
  far__curve *curves; /* environment e and agent j at e * n_agents + j */
} far__curves_group;

typedef struct far__curves {
  const char *series; /* as the store names it, without a step: "curve" for the total */
  bool lower;         /* lower is better */
  bool per_step;
  double level;
  size_t n_without; /* requested cells that have no curve of the series */
  far__curves_group *groups;
  size_t n_groups; /* 0: the store has no results */
} far__curves;

/* Fails as far_comparison_create does: UNKNOWN also if no cell has a curve of the series; *out is then NULL. */
far_status far__curves_create(far__curves **out, far_store *store, const far__curves_def *def,
                              far_error *error);
void far__curves_free(far__curves *curves); /* NULL is fine */

static inline const far__curve *far__curve_of(const far__curves_group *group, size_t env,
                                              size_t agent) {
  return &group->curves[env * group->n_agents + agent];
}

/* Adds a heading for each group, the tables "curves" with a row for every checkpoint and "lines" with those of
 * the best and the random policy, and the methods. */
void far__curves_report(const far__curves *curves, far_report *report);

/* The plot "curves" of one group. `def->results` is not read. Fails with MEMORY, and with UNKNOWN where
 * there is nothing to draw; *out is then NULL. */
far_status far__curves_figure(far_figure **out, const far__curves *curves, size_t group,
                              const far_plot_def *def, far_error *error);

#endif
