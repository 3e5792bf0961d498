/* The cost of a study, estimated before it is run: steps, time and space in a store.
 *
 *     far_cost_def def = far_cost_def_default();
 *     def.study = study;
 *     far_cost *cost;
 *     far_status status = far_cost_estimate(&cost, &def, &error);
 *     printf("%g s, %g bytes\n", cost->seconds, cost->bytes);
 *     far_cost_free(cost);
 *
 * Time is measured by short trials: one for each kind of agent on each environment, or for some of these
 * where there are many, then longer ones of what costs most. Methods that plan more as they learn more
 * can take twice or half as long.
 */
#ifndef FARSIGHT_COST_H
#define FARSIGHT_COST_H

#include "farsight/device.h"
#include "farsight/report.h"
#include "farsight/store.h"
#include "farsight/study.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct far_cost_def {
  const far_study *study;    /* with a stopping rule: its maximum number of runs is counted */
  far_store *store;          /* runs that it has cost nothing; NULL: there is none yet */
  const char *store_name;    /* for the report; NULL: no store is meant */
  unsigned workers;          /* threads that compute; 0, the default: one for each processor */
  double seconds;            /* of all trials together, about; 1 by default */
  far_progress_fn *progress; /* called now and then; false stops the estimate; NULL: none */
  void *user;                /* the first argument of progress */
  far_pool *device; /* of a device (farsight/device.h), to learn which cells it takes; else NULL */
} far_cost_def;

FAR_API far_cost_def far_cost_def_default(void);

typedef struct far_cost_cell {
  const char *agent;   /* canonical spec */
  int64_t runs, known; /* requested, and of these in the store */
  double rate;         /* seconds a step on one thread */
  double seconds;      /* of processor time for the remaining runs */
} far_cost_cell;

typedef struct far_cost {
  far_cost_def def; /* with the number of workers */
  size_t n_cells;   /* as many as the study has, in its order */
  far_cost_cell *cells;
  int64_t runs, known; /* of all cells */
  double steps;        /* that are left */
  double seconds;      /* of time, with that many workers */
  double bytes;        /* that a store would grow by, about */
  far_placement
      *places; /* where each cell runs; NULL without a device. The seconds are those of threads */
} far_cost;

/* Estimates the cost. The study and the store must outlive it. Nothing is written. Fails with
 * MEMORY, with CANCELLED where progress has stopped it, and as far_store_known does. */
FAR_API far_status far_cost_estimate(far_cost **out, const far_cost_def *def, far_error *error);
FAR_API void far_cost_free(far_cost *cost); /* NULL is fine */

/* Adds it to a report: a list of totals, the table "cells" with at most `most_rows` rows (0: all), and the
 * JSON document, which has all cells. */
FAR_API void far_cost_report(const far_cost *cost, size_t most_rows, far_report *report);

#ifdef __cplusplus
}
#endif

#endif
