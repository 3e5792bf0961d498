/* What the documents about results share. */
#ifndef FAR_QUESTIONS_RESULTS_RESULTS_H
#define FAR_QUESTIONS_RESULTS_RESULTS_H

#include "base/json.h"
#include "farsight/comparison.h"
#include "farsight/solve.h"
#include "report/build.h"

/* Hard problems of exploration, each hard for another reason, as specs; NULL past the end. */
const char *far__standard_problem(size_t index);

/* What the best policy would earn on each environment (n_envs of them): far_solve_best_total, which reads
 * `how` (may be NULL). NAN where that is not one number, and for all that remain once how->progress
 * says false. Fails with MEMORY. */
far_status far__results_best(double *out, const far_results *results, const far_solve_def *how,
                             far_error *error);

/* Adds to a report a table with agents as rows and environments as columns, one for the reward and one
 * for each metric; `best` is from far__results_best. The data are those of far_results_report, and the
 * member "best". */
void far__results_matrix(const far_results *results, const double *best, far_report *report);

/* The members of a cell's object that every document has. */
void far__write_cell(far__json *json, const far_cell *cell, const far_result *result);

/* The members "seed", "cells" and, where they apply, "until", "ranking" and "study". */
void far__write_results(const void *results, far__json *json);

/* The member "ranking" and the tables "pairs" and "ranks" of results that have one. */
void far__write_ranking(far__json *json, const far_results *results);
void far__add_ranking(far_report *report, const far_results *results);

/* Adds every distinct canonical spec among the agents of the first `count` cells to a list. */
void far__list_agents(far_report *report, const far_results *r, size_t count);

/* The agent of this spec is told about the model. */
bool far__peeks(const char *spec);

/* Adds a note for each agent of the study that peeks. */
void far__note_peeking(far_report *report, const far_results *results);

/* The times of metric k of cell i: 0 runs where it is no time. */
const far_times *far__times_at(const far_results *results, size_t i, size_t k);

/* Says what censored runs are, if a metric is a time. */
void far__note_metrics(far_report *report, const far_results *results);

/* Columns that name a cell, and their entries: the environment, blank where it is that of the row above,
 * and the agent. */
void far__cell_columns(far_table *table);
void far__cell_entries(far_table *table, const far_results *results, size_t cell);

#endif
