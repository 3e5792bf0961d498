/* Batches of cells, as the commands run and print them. */
#ifndef FARSIGHT_CLI_CELLS_H
#define FARSIGHT_CLI_CELLS_H

#include <farsight/lab.h>

#include "cli.h"
#include "report.h"

/* Options of every command that runs a batch. */
#define BATCH_OPTIONS                                                                              \
  {0, "runs", "N", "independent runs of every cell (default 300)", COMPLETE_NONE},                 \
      {0, "seed", "N", "seed of all random streams (default 1)", COMPLETE_NONE},                   \
      {0, "threads", "N",                                                                          \
       "threads; the results do not depend on it (default: all processors, 1 a rank under "        \
       "mpirun)",                                                                                  \
       COMPLETE_NONE},                                                                             \
      FORMAT_OPTIONS

/* Reads those options into *def; false after printing a usage error. */
bool batch_options(const arguments *args, far_batch_def *def);

/* A batch, the store that it goes through unless that is NULL, and when to stop adding runs: unless
 * `until` is NULL, with room for a look at each cell. */
typedef struct batch_job {
  const far_batch_def *def;
  const char *store;
  const far_until *until;
  far_look *looks;
} batch_job;

/* Says on standard error that a batch was stopped, and where what is finished is (batch NULL: nothing
 * is); the exit code. */
int stopped_batch(const far_batch *batch, size_t n_cells, const char *store,
                  const far_error *error);

/* Runs it and hands it to `print`, also if it was stopped; the exit code. */
typedef void print_batch(const far_batch *batch, const far_batch_def *def, const void *context);
int run_batch(const batch_job *job, print_batch *print, const void *context);

typedef struct number_text {
  char text[64];
} number_text;

/* Four digits, or all that are before the point; a dash where there is no such number. */
number_text format_number(double x);

/* "7273 ± 14", "0.0123 ± 0.0014": as many digits as the interval's second; the mean alone where there
 * is no interval. */
number_text format_interval(double mean, double ci95);
int interval_digits(double ci95); /* how many after the point that is, up to 6 */

/* Every distinct canonical spec of the agents, a line each. */
void print_specs(const far_batch *batch, size_t n_cells);

/* The members of a cell's JSON object that every command prints, without the braces. */
void write_cell_json(const far_cell *cell, const far_result *result);

/* The member "metrics" of cell i, with their curves, and with its comma; nothing where the batch has none. */
void write_metrics_json(const far_batch *batch, const far_batch_def *def, size_t i);

/* The member "curve" of cell i, likewise. */
void write_curve_json(const far_batch *batch, const far_batch_def *def, size_t i);

/* {"version": ..., "seed": ..., "cells": [ */
void write_head_json(uint64_t seed);

/* As far_store_open, but signals end its waiting, and after a while it says what it waits for. The path
 * must outlive the store. */
far_status open_store(far_store **out, const char *path, far_store_mode mode, far_error *error);
void close_store(far_store *store);

/* The stored series that `given` means (*out, heap): of a curve that has no such step, the nearest one,
 * and a note says so. UNKNOWN if there is none. */
far_status stored_series(char **out, far_store *store, const char *given, far_error *error);

/* That one which open_store has opened and nobody has closed, so that nothing stays beside it. */
void close_open_store(void);

#endif
