/* The cost of a study, estimated before it is run: steps, time and space in a store.
 *
 *     far__cost_def def = far__cost_def_default();
 *     def.study = study;
 *     far__cost *cost;
 *     far_status status = far__cost_estimate(&cost, &def, &error);
 *     printf("%g s, %g bytes\n", cost->seconds, cost->bytes);
 *     far__cost_free(cost);
 *
 * Time is measured by short trials: one for each kind of agent on each environment, or for some of these
 * where there are many, then longer ones of what costs most. Methods that plan more as they learn more
 * can take twice or half as long.
 */
#ifndef FAR_QUESTIONS_COST_COST_H
#define FAR_QUESTIONS_COST_COST_H

#include "farsight/report.h"
#include "farsight/run.h"
#include "farsight/store.h"
#include "farsight/study.h"
#include "run/device-pool.h"

typedef struct far__cost_def {
  const far_study *study;    /* with a stopping rule: its maximum number of runs is counted */
  far_store *store;          /* runs that it has cost nothing; NULL: there is none yet */
  const char *store_name;    /* for the report; NULL: no store is meant */
  unsigned workers;          /* threads that compute; 0, the default: one for each processor */
  double seconds;            /* of all trials together, about; 1 by default */
  far_progress_fn *progress; /* called now and then; false stops the estimate; NULL: none */
  void *user;                /* the first argument of progress */
  far_pool *device; /* of a device (farsight/run.h), to learn which cells it takes; else NULL */
} far__cost_def;

far__cost_def far__cost_def_default(void);

typedef struct far__cost_cell {
  const char *agent;   /* canonical spec */
  int64_t runs, known; /* requested, and of these in the store */
  double rate;         /* seconds a step on one thread */
  double seconds;      /* of processor time for the remaining runs */
} far__cost_cell;

typedef struct far__cost {
  far__cost_def def; /* with the number of workers */
  size_t n_cells;    /* as many as the study has, in its order */
  far__cost_cell *cells;
  int64_t runs, known; /* of all cells */
  double steps;        /* that are left */
  double seconds;      /* of time, with that many workers */
  double bytes;        /* that a store would grow by, about */
  far__placement
      *places; /* where each cell runs; NULL without a device. The seconds are those of threads */
} far__cost;

/* Estimates the cost. The study and the store must outlive it. Nothing is written. Fails with
 * MEMORY, with CANCELLED where progress has stopped it, and as far__store_known does. */
far_status far__cost_estimate(far__cost **out, const far__cost_def *def, far_error *error);
void far__cost_free(far__cost *cost); /* NULL is fine */

/* Adds it to a report: a list of totals, the table "cells" with at most `most_rows` rows (0: all), and the
 * JSON document, which has all cells. */
void far__cost_report(const far__cost *cost, size_t most_rows, far_report *report);

/* ---- what its files share ---- */

/* Measures cells[i].rate of all cells by trials. Fails with MEMORY and CANCELLED. */
far_status far__cost_trials(far__cost *cost, far_error *error);

#endif
