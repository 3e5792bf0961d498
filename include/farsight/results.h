/* What the results of a study say: a report of its cells, or of agents side by side on standard problems.
 *
 *     far_results *results;
 *     far_status status = far_study_run(&results, study, &def, &error);
 *     if (results != NULL) far_results_report(results, report);      also after CANCELLED
 *     far_results_free(results);
 */
#ifndef FARSIGHT_RESULTS_H
#define FARSIGHT_RESULTS_H

#include "farsight/report.h"
#include "farsight/solve.h"
#include "farsight/study.h"

#ifdef __cplusplus
extern "C" {
#endif

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
