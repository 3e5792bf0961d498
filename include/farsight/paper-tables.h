/* Tables 1 and 2 of Oh & Iyengar 2018: the paper's numbers, and ours beside them. */
#ifndef FARSIGHT_PAPER_TABLES_H
#define FARSIGHT_PAPER_TABLES_H

#include "farsight/report.h"
#include "farsight/run.h"
#include "farsight/store.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { FAR_PAPER_TABLES = 2 };

/* A row, which stands in both tables. Those that the paper lacks have NAN in its place. */
typedef struct far_paper_row {
  const char *method;
  double gamma_e;    /* NAN where the method has none */
  const char *agent; /* the spec found for it; docs/reproduction.md says how */
  double mean[FAR_PAPER_TABLES], ci95[FAR_PAPER_TABLES]; /* as printed */
} far_paper_row;

/* NULL past the end. */
FAR_API const far_paper_row *far_paper_row_at(size_t index);

/* The environment of a table, 0 or 1. */
FAR_API const char *far_paper_env(size_t table);

typedef struct far_paper_def {
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
} far_paper_def;

FAR_API far_paper_def far_paper_def_default(void); /* 300 runs, seed 1 */

/* Both tables, computed: cell t * n_rows + i of the batch is row i of table t. */
typedef struct far_paper_tables far_paper_tables;

/* On CANCELLED *out holds what is finished, perhaps NULL; on any other error it is NULL. An error in
 * def->directed has its position in that spec: SYNTAX, UNKNOWN, RANGE, CONFLICT. */
FAR_API far_status far_paper_tables_run(far_paper_tables **out, const far_paper_def *def,
                                        far_error *error);
FAR_API void far_paper_tables_free(far_paper_tables *tables); /* NULL is fine */
FAR_API const far_batch *far_paper_tables_batch(const far_paper_tables *tables, size_t *n_cells);

/* The root-mean-square distance of the ten Directed means from the paper's. */
FAR_API double far_paper_tables_distance(const far_paper_tables *tables);

/* Adds both tables to a report; the second without the title, for a report that has one. */
FAR_API void far_paper_tables_report(const far_paper_tables *tables, far_report *report);
FAR_API void far_paper_tables_sections(const far_paper_tables *tables, far_report *report);

#ifdef __cplusplus
}
#endif

#endif
