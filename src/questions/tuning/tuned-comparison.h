/* Comparison of tuned agents: searches the parameters of several agents with the same budget on the same
 * environments, chooses one by the runs of the search, and compares all on fresh seeds, in pairs.
 *
 *     far_tune_cell cells[] = {{.mdp = chain10}, {.mdp = chain50}};
 *     const char *agents[] = {"delayed-q:m=[1..100 log]", "psrl"};
 *     far__tuned_comparison_def def = far__tuned_comparison_def_default();
 *     def.tune.cells = cells;
 *     def.tune.n_cells = 2;
 *     def.agents = agents;
 *     def.n_agents = 2;
 *     far__tuned_comparison *comparison;
 *     far_status status = far__tune_cells_scale(cells, 2, def.tune.steps, NULL, &error);
 *     if (status == FAR_OK) status = far__tuned_comparison_run(&comparison, &def, &error);
 *     if (status == FAR_OK) far__tuned_comparison_report(comparison, report);
 *     far__tuned_comparison_free(comparison);
 */
#ifndef FAR_QUESTIONS_TUNING_TUNED_COMPARISON_H
#define FAR_QUESTIONS_TUNING_TUNED_COMPARISON_H

#include "farsight/comparison.h"
#include "farsight/report.h"
#include "farsight/solve.h"
#include "farsight/study.h"

/* ---- where candidates are measured ---- */

/* Sets `low` and `high` of every cell to the expected total rewards of the random and of the best policy
 * in `steps` steps; NAN where an environment has no such number, as of a simulator. Cells that share a model are solved
 * once. `def` may be NULL; it is read as in far_solver_average. Fails with MEMORY or, if def->progress
 * returns false, with CANCELLED; the cells are then unchanged or partly changed. */
far_status far__tune_cells_scale(far_tune_cell *cells, size_t n_cells, int64_t steps,
                                 const far_solve_def *def, far_error *error);

/* One row of a table to fit: the mean total reward to be met in an environment. */
typedef struct far__fit_target {
  const char *env; /* the spec of an environment, not checked */
  const char
      *with;   /* parameters of the agent in this row, "gamma_e=0.99,q0=3"; "" if there are none */
  double mean; /* finite */
  double unit, std; /* as in far_tune_cell; 0 where the table has no such columns */
} far__fit_target;

typedef struct far__fit_table {
  const far__fit_target *targets; /* in the order of the file; at least one */
  size_t n_targets;
} far__fit_table;

/* Reads CSV with a heading line: the columns `env` and `mean`, and one for each parameter of the agent
 * that differs between rows. A column `std` has the
 * standard deviations of single runs to be met besides; it needs a column `unit`, that of the distances of
 * means. `ci95` is ignored, an empty field leaves the parameter out, and lines that begin with # are
 * remarks. Fails with FORMAT ("NAME:LINE:COLUMN: ..."), IO or MEMORY; *out is NULL
 * then. `name` is for error messages. The table keeps no pointer to what was read. */
far_status far__fit_table_load(far__fit_table **out, const char *path, far_error *error);
far_status far__fit_table_read(far__fit_table **out, const char *text, size_t length,
                               const char *name, far_error *error);
void far__fit_table_free(far__fit_table *table); /* NULL is fine */

/* ---- the question ---- */

/* `agent` is the index of the agent that is searched. Called as far_tune_progress_fn is: about ten
 * times a second, from the calling thread; false stops the comparison. */
typedef bool far__tuned_comparison_progress_fn(void *user, size_t agent,
                                               const far_tune_progress *progress);

typedef struct far__tuned_comparison_def {
  far_tune_def
      tune; /* cells, goal, method and numbers of every search; agent, progress and user are
                      * not used. The budget is each agent's own. */
  const char *const *envs; /* how to call the cells, one each; NULL: by the specs of their models */
  const char *const *agents; /* specs with ranges in brackets, as far_tune_def has them */
  size_t n_agents;           /* at least 1 */
  far__tuned_comparison_progress_fn *progress; /* may be NULL */
  void *user;                                  /* of progress */
  const char *
      *wrong; /* may be NULL; after a failure, that agent of this definition in whose spec the
                       * error's position is, or NULL if it is in none */
} far__tuned_comparison_def;

/* The searches of far_tune_def_default; no cells and no agents yet. */
far__tuned_comparison_def far__tuned_comparison_def_default(void);

/* ---- the answer ---- */

typedef struct far__tuned_agent {
  const far_tune_result *result; /* NULL if the comparison was stopped before its search began */
  bool chosen; /* has the best score in the search, of those that were evaluated */
  double difference,
      ci95; /* score on fresh seeds less that of the chosen agent, and the half-width of
                            * its 95% interval (Student, in pairs). 0 and NAN for the chosen agent; NAN
                            * if either was not evaluated */
} far__tuned_agent;

typedef struct far__tuned_comparison_info {
  const far_tune_def *tune;       /* as used; agent, progress and user are NULL */
  const char *const *envs;        /* names of the cells */
  const far__tuned_agent *agents; /* in the order of the definition */
  size_t n_agents;
  size_t chosen;            /* the index of the chosen agent; n_agents if none was evaluated */
  bool stopped;             /* by the progress function: what is here was finished before */
  const char *plain_reason; /* why scores are plain rewards; NULL where they are not, or fit */
} far__tuned_comparison_info;

typedef struct far__tuned_comparison far__tuned_comparison;

/* Checks the specs of all agents, as far__tuned_comparison_run does before anything runs. Fails with
 * SYNTAX, UNKNOWN, RANGE, CONFLICT (no agent or no cell) or MEMORY; *def->wrong is then set. */
far_status far__tuned_comparison_check(const far__tuned_comparison_def *def, far_error *error);

/* Searches agent by agent. The models, the store and
 * the pool of the definition must outlive the comparison; its texts and cells are copied.
 * Fails as far_tune_run does. On CANCELLED *out holds what is finished and must be freed as well; on any
 * other error it is NULL. */
far_status far__tuned_comparison_run(far__tuned_comparison **out,
                                     const far__tuned_comparison_def *def, far_error *error);
void far__tuned_comparison_free(far__tuned_comparison *comparison); /* NULL is fine */

/* Points into the comparison. */
far__tuned_comparison_info far__tuned_comparison_info_of(const far__tuned_comparison *comparison);

/* Adds all of it to a report: a section for each agent with the tables "scores", "cells" and "profiles",
 * the table "comparison" of several agents, and, for programs, "points" (of the profiles) and "trials" (of
 * the searches). Memory that runs out is in the report's status. */
void far__tuned_comparison_report(const far__tuned_comparison *comparison, far_report *report);

/* The sensitivity profiles of a search ("tuning"). `def->results` is not read. Fails with MEMORY, and with UNKNOWN where
 * there is nothing to draw; *out is then NULL. */
far_status far__tuned_comparison_figure(far_figure **out, const far__tuned_comparison *comparison,
                                        const far_plot_def *def, far_error *error);

#endif
