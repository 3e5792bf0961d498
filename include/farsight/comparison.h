/* Studies run and compared: results, estimates, intervals and tests for agents, and figures of them.
 *
 *     const char *envs[] = {"chain:n=5"}, *agents[] = {"r-max:m=2", "q-learning"};
 *     far_study_def what = far_study_def_default();
 *     what.envs = envs, what.n_envs = 1;
 *     what.agents = agents, what.n_agents = 2;
 *     what.steps = 1000, what.runs = 10;
 *     far_study *study;
 *     far_store *store; // in memory; a file keeps the results
 *     if (far_study_create(&study, &what, &error)) return puts(error.message);
 *     if (far_store_open(&store, "", FAR_STORE_MEMORY, &error)) return puts(error.message);
 *     far_results *results;
 *     const far_study_run_def run = {.store = store};
 *     if (far_study_run(&results, study, &run, &error)) return puts(error.message);
 *     far_comparison *comparison;
 *     far_comparison_def def = far_comparison_def_default();
 *     def.baseline = "q-learning";
 *     if (far_comparison_create(&comparison, store, &def, &error)) return puts(error.message);
 *     far_report *report;
 *     if (far_report_create(&report, "example", &error)) return puts(error.message);
 *     far_comparison_report(comparison, report);
 *     const far_render_def how = far_render_def_default();
 *     if (far_report_render(report, &how, far_sink_file(stdout), &error)) return puts(error.message);
 *     far_report_free(report);
 *     far_comparison_free(comparison);
 *     far_results_free(results);
 *     far_store_close(store);
 *     far_study_free(study);
 *
 * A comparison runs nothing. The same results in a store and the same definition give the same bits,
 * regardless of how the results were stored. docs/statistics.md explains the methods.
 */
#ifndef FARSIGHT_COMPARISON_H
#define FARSIGHT_COMPARISON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "farsight/base.h"
#include "farsight/report.h"
#include "farsight/solve.h"
#include "farsight/statistics.h"
#include "farsight/store.h"
#include "farsight/study.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the results of a study say: a report of its cells, or of agents side by side on standard problems.
 *
 *     far_results *results;
 *     far_status status = far_study_run(&results, study, &def, &error);
 *     if (results != NULL) far_results_report(results, report);      also after CANCELLED
 *     far_results_free(results);
 */

/* Adds to a report a row for each cell: rewards, curves, metrics, every parameter. Table "cells", also
 * "curves", "metrics", "pairs" and "ranks"; the JSON document has the members "seed" and "cells". The results must
 * outlive the report. */
FAR_API void far_results_report(const far_results *results, far_report *report);

/* ---- the question ---- */

typedef enum far_better {
  FAR_BETTER_KNOWN, /* as the metric is known; higher where it is not */
  FAR_BETTER_HIGHER,
  FAR_BETTER_LOWER,
} far_better;

/* Called before each part of the work, with a word for the part ("cell", "scale", "difference",
 * "improvement", "score") and how many of `count` are done; also during a part that takes long, and
 * with done = count at the end. False stops the comparison with CANCELLED. */
typedef bool far_comparison_progress_fn(void *user, const char *what, size_t done, size_t count);

/* Strings and arrays must live as long as the call of far_comparison_create. */
typedef struct far_comparison_def {
  const char *series; /* "total" by default; as far_store_series_nearest takes it */
  far_better better;  /* KNOWN by default */
  bool paired;        /* pair imported runs, too, by their replicates; false by default */
  int64_t steps;      /* only runs of so many steps; 0, the default: any */
  int64_t episodes;   /* only runs that end after so many episodes; 0, the default: any */
  bool one_seed;      /* only computed runs of the seed `seed`; false by default */
  uint64_t seed;
  const char *const *envs; /* only these, in this order; none, the default: all of the store */
  size_t n_envs;
  const char *const *agents; /* likewise */
  size_t n_agents;
  /* What `envs` and `agents` are called instead of their labels, as many of each; NULL, the default: by their
   * labels. Used if the answer is one group that has exactly these. */
  const char *const *env_names, *const *agent_names;
  const char
      *baseline; /* the agent that the others are compared with; NULL, the default: the best */
  /* Of computed results of the same steps, episodes and seed only those of the latest numerics, as figures show them; false
   * by default: each numerics is a group. */
  bool newest;
  /* the best that is chosen as baseline is not told about the model (far_type_info.peeks), unless all
   * are; false by default */
  bool learners;
  far_correction correction;   /* of p-values; FAR_CORRECTION_HOLM by default */
  far_bootstrap_def bootstrap; /* its level is that of all intervals */
  /* no bootstrap: its estimates have values only, and all else is the same; false by default */
  bool quick;
  /* For environments that no spec describes: the model of the same content as the stored runs are of is
   * used. None by default. */
  const far_mdp *const *models;
  size_t n_models;
  /* More in a group are refused unless `agents` names them; 60 by default; 0: any number. */
  size_t most_agents;
  far_comparison_progress_fn *progress; /* may be NULL */
  void *user;
} far_comparison_def;
/* Environments and agents are named by a spec, as a label shows them, or by a pattern of labels with the
 * wildcards of a shell ("r-max*"). */

FAR_API far_comparison_def far_comparison_def_default(void);

/* ---- the answer ---- */

/* Where the numbers of an agent come from. */
typedef enum far_origin {
  FAR_ORIGIN_COMPUTED, /* by this library, with the group's seed and numerics: runs are pairs */
  FAR_ORIGIN_IMPORTED, /* with the group's steps, and random numbers of their own */
  FAR_ORIGIN_UNKNOWN_STEPS, /* imported, and the number of steps is unknown */
} far_origin;

typedef enum far_scale_kind {
  FAR_SCALE_NONE,     /* there is no scale: nothing varies, or numbers are infinite */
  FAR_SCALE_POLICIES, /* from the random policy to the best policy */
  FAR_SCALE_OBSERVED, /* from the worst to the best run of any agent of the group */
} far_scale_kind;

/* The scale of the scores on an environment: 0 at `low`, 1 at `high`, whichever is greater. */
typedef struct far_comparison_scale {
  far_scale_kind kind;
  double low, high; /* in the units of the series */
  bool used;        /* in the scores over environments: at least half of the agents are on it */
} far_comparison_scale;

typedef struct far_comparison_env {
  const char *label;    /* as one would type it */
  const char *brief;    /* the same, cut to fit a table, and still another than that of others */
  const char *spec;     /* canonical where it is a spec */
  const char *model;    /* SHA-256 of the model where the spec does not determine it; or "" */
  const char *unusable; /* why the model is not used although there should be one; or NULL */
  size_t id;            /* the same environment has the same number in all groups */
  const far_mdp *mdp;   /* NULL where it cannot be made; lives as long as the comparison */
  far_comparison_scale scale;
} far_comparison_env;

/* The probability that a run of the agent is better than one of the baseline, ties counting half,
 * in the mean over the environments on which both have runs. The interval is NAN where there is
 * none, and so is an unknown value. */
typedef struct far_comparison_improvement {
  size_t n_envs;       /* 0: of the baseline itself, or without one */
  bool constant;       /* all resamples agree: no interval */
  far_estimate any;    /* of any two runs */
  far_estimate paired; /* of two runs with the same random numbers; NAN unless all environments have
                        * pairs */
} far_comparison_improvement;

enum { FAR_COMPARISON_TAUS = 11 };

/* Over the environments whose scale is used; `exists` only where there are two or more of these and the
 * agent is on all of them. */
typedef struct far_comparison_scores {
  bool exists;
  far_aggregate aggregate;
  /* share of runs with a score above k / 10 */
  far_estimate profile[FAR_COMPARISON_TAUS];
} far_comparison_scores;

typedef struct far_comparison_agent {
  const char *label; /* as one would type it */
  const char *brief; /* as that of an environment */
  far_origin origin;
  far_comparison_improvement improvement;
  far_comparison_scores scores;
} far_comparison_agent;

/* The difference of an agent from the baseline, on one environment. */
typedef struct far_comparison_difference {
  bool exists;   /* both cells have runs, all finite, and this is not the baseline itself */
  bool paired;   /* the paired t-test, else Welch's */
  bool testable; /* there are enough runs */
  bool constant; /* the runs, or the differences of pairs, do not vary: no interval, no p */
  int64_t pairs; /* 0 without pairs */
  int64_t runs, baseline_runs;
  double mean;
  double low, high; /* Student's interval at the group's difference_level; or NAN */
  double t, degrees, p;
  double p_adjusted;                     /* for all comparisons of the group */
  far_estimate bootstrap;                /* of the mean, at the same level */
  double won, tied, correlation, saving; /* as in far_paired, `won` by what is better; NAN without
                                          * pairs */
} far_comparison_difference;

/* The runs of an agent on an environment. */
typedef struct far_comparison_cell {
  int64_t runs;        /* 0: there are none, and nothing else counts */
  double *values;      /* of the runs, in the order of the replicates where they were computed */
  int64_t *replicates; /* that they are of */
  const char *spec;    /* of the agent, canonical */
  bool finite;         /* all values are */
  size_t records;      /* how many of the store were put together (imported, with several seeds) */
  const char **keys;   /* of these records, as far_record has them */
  far_summary summary; /* ends of the interval are NAN where the runs do not vary */
  far_estimate mean, median, iqm; /* bootstrap; NAN where a value is infinite */
  far_comparison_difference difference;
  far_times times; /* if the series is a time and the steps are known; else 0 runs */
  int64_t steps;   /* of a run, the most where it ends by episodes; 0: unknown */
  int64_t limit;   /* a run with this number is censored (far_type_info.event); 0: none is */
} far_comparison_cell;

/* Results that may be compared: of the same steps or episodes, seed and numerics, and imported ones of this
 * length. */
typedef struct far_comparison_group {
  int64_t steps;    /* of a run, the most where runs end by episodes; 0: unknown */
  int64_t episodes; /* after which runs end; 0: they end after their steps */
  uint64_t seed;
  int numerics; /* 0: all results are imported, and the seed means nothing */
  /* cells that were left out for those of later numerics (far_comparison_def.newest) */
  size_t n_older;
  far_comparison_env *envs;
  size_t n_envs;
  far_comparison_agent *agents;
  size_t n_agents;
  far_comparison_cell *cells; /* environment e and agent j at e * n_agents + j */
  size_t baseline;            /* an index of agents; n_agents: there is none */
  size_t n_scales;            /* how many are used */
  size_t n_differences;     /* how many comparisons the p-values and intervals are corrected for */
  double difference_level;  /* of each of these intervals, so that all hold together */
  size_t n_improvements;    /* the same for improvements */
  double improvement_level; /* likewise */
  bool few_resamples;       /* too few for bootstrap intervals of such levels, which are NAN */
  /* the numbers are times, and runs whose number is their cell's `limit` are censored */
  bool timed;
} far_comparison_group;

typedef struct far_comparison {
  const char *series;   /* as the store names it */
  bool exact;           /* it is the requested one, else the nearest checkpoint of its curve */
  bool lower;           /* lower is better */
  bool paired;          /* imported runs are paired, too */
  const char *baseline; /* as the definition names it; NULL: chosen by the results */
  far_correction correction;
  far_bootstrap_def bootstrap;
  size_t n_without;             /* requested cells that lack the series */
  far_comparison_group *groups; /* in the order of steps, seed, numerics */
  size_t n_groups;              /* 0: the store has no results */
  /* of a series that is a time, as far_type_info.event: means, and differences of means, are restricted
   * to the runs' steps; or NULL */
  const char *event;
} far_comparison;

/* Reads the results and computes all of the above. Fails with UNKNOWN (a series, environment, agent or
 * baseline that the store does not have, or no runs of these steps and this seed; the message lists
 * what there is), CONFLICT (more than most_agents), RANGE (a level or number of resamples), CANCELLED,
 * MEMORY, or as the store does; *out is then NULL. */
FAR_API far_status far_comparison_create(far_comparison **out, far_store *store,
                                         const far_comparison_def *def, far_error *error);
FAR_API void far_comparison_free(far_comparison *comparison); /* NULL is fine */

/* "holm", "fdr", "bonferroni"; NULL past the end. */
FAR_API const char *far_correction_name(far_correction correction);

/* Adds the whole comparison to a report: of each group the tables "cells" and "comparisons" of every
 * environment, then "improvements", "scores" and "profiles", notes, all specs and the methods in
 * words; and the JSON members that docs/statistics.md lists, which are made of the comparison when the report is rendered
 * as JSON: it must outlive the report. */
FAR_API void far_comparison_report(const far_comparison *comparison, far_report *report);

/* Plots: figures of results, one function for all kinds, so that a command, a page and Python draw the
 * same.
 *
 *     far_plot_def def = far_plot_def_default();       set only what differs
 *     def.results.baseline = "psrl";
 *     far_figure *figure;
 *     far_status status = far_plot_create(&figure, "differences", store, &def, &error);
 *     if (status == FAR_OK) status = far_figure_save(figure, "differences.svg", FAR_THEME_AUTO, &error);
 *     far_figure_free(figure);
 */

typedef enum far_plot_scale {
  FAR_PLOT_SCALE_AUTO, /* what shows more */
  FAR_PLOT_SCALE_LINEAR,
  FAR_PLOT_SCALE_LOG, /* linear where numbers are not above 0 */
} far_plot_scale;

/* Strings and arrays must live as long as the call. */
typedef struct far_plot_def {
  far_comparison_def results; /* which results, the baseline, the level of intervals */
  far_plot_scale x_scale, y_scale;
  double width;          /* 100 ... 10,000 units of 1/96 inch; 720 by default */
  size_t most_series;    /* more agents are left out, the best ones stay; 12 by default */
  const char *parameter; /* sensitivity: "m", of one algorithm "r-max:m" or, all of its parameters,
                          * "r-max:"; growth: the environment's key that is the size. NULL, the
                          * default: all that vary */
  bool per_step;         /* curves: the change per step between checkpoints, not the sum so far */
  int64_t step; /* kinds on a layout: of an episode; -1, the default: values of its first step */
} far_plot_def;

FAR_API far_plot_def far_plot_def_default(void);

typedef struct far_plot_info {
  const char *name;    /* "curves" */
  const char *summary; /* one line */
} far_plot_info;

/* The kinds of plots of stored results, in the order of listings; false past the end. */
FAR_API bool far_plot_info_at(far_plot_info *out, size_t index);

/* Draws a kind of plot from a store. Fails with UNKNOWN (no such kind; else as far_comparison_create),
 * CONFLICT (results of several lengths or seeds: the definition must choose), CANCELLED, MEMORY, or as the
 * store does; *out is then NULL. */
FAR_API far_status far_plot_create(far_figure **out, const char *kind, far_store *store,
                                   const far_plot_def *def, far_error *error);

/* Adds the numbers behind a plot to a report, as tables and JSON. *table is the name of the table that has
 * them, for CSV. Fails as far_plot_create. */
FAR_API far_status far_plot_report(far_report *report, const char **table, const char *kind,
                                   far_store *store, const far_plot_def *def, far_error *error);

#ifdef __cplusplus
}
#endif

#endif
