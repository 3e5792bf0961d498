/* Running a study, and a report of its results.
 *
 *     far_results *results;
 *     far_status status = far_study_run(&results, study, &def, &error);
 *     if (results != NULL) far_results_report(results, report);      also after CANCELLED
 *     far_results_free(results);
 */
#ifndef FARSIGHT_RESULTS_H
#define FARSIGHT_RESULTS_H

#include "farsight/growth.h"
#include "farsight/report.h"
#include "farsight/solve.h"
#include "farsight/store.h"
#include "farsight/study.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct far_study_run_def {
  far_store *store;          /* results go through it, and what it has is not computed; or NULL */
  const char *store_name;    /* for the report; or NULL */
  unsigned threads;          /* 0: one for each processor */
  far_pool *pool;            /* NULL: the threads of this process */
  far_progress_fn *progress; /* may be NULL */
  void *user;                /* of progress */
} far_study_run_def;

/* The results of a study. Everything is the study's or the results' own. */
typedef struct far_results {
  const far_study *study;
  far_study_info info; /* environments, agents, names */
  far_batch_def def;
  far_batch *batch; /* cell i * n_agents + j is agent j on environment i */
  bool stopped;
  const char *store_name; /* or NULL */
  bool sequential;        /* runs were added until the intervals were narrow enough: */
  far_until until;
  far_look *looks;      /* at each cell */
  far_ranking *ranking; /* or they were added until the agents were ranked, and of the looks only
                         * `computed` is set; or NULL */
  far_times *times;     /* of metric k of cell i at i * n_metrics + k; 0 runs where it is no time */
} far_results;

/* Runs a study, with its `until` where it has one. On CANCELLED *out holds what is finished (NULL if
 * that is nothing); on any other error it is NULL. The study must outlive the results. */
FAR_API far_status far_study_run(far_results **out, const far_study *study,
                                 const far_study_run_def *def, far_error *error);
FAR_API void far_results_free(far_results *results); /* NULL is fine */

/* The half-width of the 95% interval of a cell's mean: the one that allows for the stopping rule where
 * there was one. */
FAR_API double far_results_half_width(const far_results *results, size_t cell);

/* The times of a metric of a cell, if its numbers are times that the end of a run cuts off (far_metric.event): a
 * run with all of the cell's steps is censored. Else NULL, and if no run is finished. */
FAR_API const far_times *far_results_times(const far_results *results, size_t cell, size_t metric);

/* Adds to a report a row for each cell: rewards, curves, metrics, every parameter. Table "cells", also
 * "curves", "metrics", "pairs" and "ranks"; the JSON document has the members "seed" and "cells". */
FAR_API void far_results_report(const far_results *results, far_report *report);

/* ---- agents side by side on standard problems ---- */

/* Hard problems of exploration, each hard for another reason, as specs; NULL past the end. */
FAR_API const char *far_standard_problem(size_t index);

/* What the best policy would earn on each environment (n_envs of them): far_solve_best_total, which reads
 * `how` (may be NULL). NAN where that is not one number, and for all that remain once how->progress
 * says false. Fails with MEMORY. */
FAR_API far_status far_results_best(double *out, const far_results *results,
                                    const far_solve_def *how, far_error *error);

/* Adds to a report a table with agents as rows and environments as columns, one for the reward and one
 * for each metric; `best` is from far_results_best. The data are those of far_results_report, and the
 * member "best". */
FAR_API void far_results_matrix(const far_results *results, const double *best, far_report *report);

#ifdef __cplusplus
}
#endif

#endif
