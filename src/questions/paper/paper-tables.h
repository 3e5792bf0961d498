/* Tables 1 and 2 of Oh & Iyengar 2018: the paper's numbers, and ours beside them. */
#ifndef FAR_QUESTIONS_PAPER_PAPER_TABLES_H
#define FAR_QUESTIONS_PAPER_PAPER_TABLES_H

#include "farsight/comparison.h"
#include "farsight/report.h"
#include "farsight/run.h"
#include "farsight/store.h"

enum { FAR__PAPER_TABLES = 2, FAR__PAPER_RUNS = 300 };

/* A row, which stands in both tables. Those that the paper lacks have NAN in its place. */
typedef struct far__paper_row {
  const char *method;
  double gamma_e;    /* NAN where the method has none */
  const char *agent; /* the spec found for it; docs/reproduction.md says how */
  double mean[FAR__PAPER_TABLES], ci95[FAR__PAPER_TABLES]; /* as printed */
} far__paper_row;

/* NULL past the end. */
const far__paper_row *far__paper_row_at(size_t index);

/* The environment of a table, 0 or 1. */
const char *far__paper_env(size_t table);

/* The standard deviation of one run that the paper's interval implies, ci95 sqrt(300)/1.96: "±" read as
 * 1.96 standard errors of 300 runs. Read as one standard error it would exceed what totals in [0, 10,000]
 * allow (gamma_E = 0.75, N = 50), and read as a standard deviation it would be below that of independent
 * draws (epsilon-greedy, N = 50). NAN where the paper has no number. */
double far__paper_std(const far__paper_row *row, size_t table);

/* Another program that comes near to numbers of the tables. None is printed in the paper, and all were
 * chosen after looking at its numbers. */
typedef struct far__paper_alternative {
  const char *method;
  double gamma_e;                     /* NAN where it has none */
  size_t row;                         /* of the paper, that it is compared with */
  const char *env[FAR__PAPER_TABLES]; /* chains, perhaps with other payments */
  const char *agent;
} far__paper_alternative;

/* NULL past the end. */
const far__paper_alternative *far__paper_alternative_at(size_t index);

typedef struct far__paper_def {
  const char *directed; /* a directed-delayed-q without gamma_e for the paper's Directed rows; NULL:
                           the spec that was found */
  int64_t runs;
  uint64_t seed;
  unsigned threads;          /* 0: one for each processor */
  far_pool *pool;            /* NULL: the threads of this process */
  far_store *store;          /* results go through it, and what it has is not computed; or NULL */
  const char *curve;         /* also record the reward so far, as a study's `curve` says; or NULL */
  far_progress_fn *progress; /* may be NULL */
  void *user;
} far__paper_def;

far__paper_def far__paper_def_default(void); /* 300 runs, seed 1 */

/* Both tables, computed: cell t * n_rows + i of the batch is row i of table t. */
typedef struct far__paper_tables far__paper_tables;

/* On CANCELLED *out holds what is finished, perhaps NULL; on any other error it is NULL. An error in
 * def->directed has its position in that spec: SYNTAX, UNKNOWN, RANGE, CONFLICT. */
far_status far__paper_tables_run(far__paper_tables **out, const far__paper_def *def,
                                 far_error *error);
void far__paper_tables_free(far__paper_tables *tables); /* NULL is fine */
const far_batch *far__paper_tables_batch(const far__paper_tables *tables, size_t *n_cells);

/* The result of an alternative in a table. */
const far_result *far__paper_tables_alternative(const far__paper_tables *tables, size_t table,
                                                size_t index);

/* The root-mean-square distance of the ten Directed means from the paper's. */
double far__paper_tables_distance(const far__paper_tables *tables);

/* The distance of means and standard deviations together, as `farsight tune --fit` has it: the root of the
 * mean over ten cells of far__tune_fit_term, an error of the mean being in units of 6% + 100. Of the
 * Directed rows and of the alternatives that have a gamma_E. */
typedef struct far__paper_fit {
  double directed, alternative;
  double alternative_means; /* the root-mean-square distance of means alone */
} far__paper_fit;

far__paper_fit far__paper_tables_fit(const far__paper_tables *tables);

/* Adds both tables to a report; the second without the title, for a report that has one. */
void far__paper_tables_report(const far__paper_tables *tables, far_report *report);
void far__paper_tables_sections(const far__paper_tables *tables, far_report *report);

/* The paper's means beside ours ("paper"). `def->results` is not read. Fails with MEMORY, and with UNKNOWN where
 * there is nothing to draw; *out is then NULL. */
far_status far__paper_tables_figure(far_figure **out, const far__paper_tables *tables,
                                    const far_plot_def *def, far_error *error);

#endif
