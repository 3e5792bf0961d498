/* A grid of environments x agents, as `run` and `compare` make it from their options or a file. */
#ifndef FARSIGHT_CLI_GRID_H
#define FARSIGHT_CLI_GRID_H

#include "batch_output.h"

#include <farsight/lab.h>

#define METRIC_OPTION                                                                              \
  {                                                                                                \
    0, "metric", "SPEC", "also record this metric; may be repeated ('farsight list metrics')",     \
        COMPLETE_METRIC                                                                            \
  }

#define STORE_OPTION                                                                               \
  {                                                                                                \
    0, "store", "FILE", "keep results in this file, and compute only what it does not have",       \
        COMPLETE_NONE                                                                              \
  }
#define UNTIL_OPTION                                                                               \
  {                                                                                                \
    0, "until", "GOAL",                                                                            \
        "add runs until the 95% interval of every mean is narrow, ci=1% (of the mean) or ci=5, "   \
        "or until every pair of agents is told apart, rank=5% (error of all decisions together); " \
        "--runs is then the maximum (default 100000, to rank 10000)",                              \
        COMPLETE_NONE                                                                              \
  }

/* Cell i * n_agents + j is agent j on environment i. */
typedef struct grid {
  far_study *study;
  const char *file;  /* the study's, or NULL */
  const char *name;  /* "" if it has none */
  const char *store; /* that --store names, or NULL */
  size_t n_envs, n_agents;
  const char *const *envs, *const *agents; /* specs as given, grids expanded */
  const far_cell *cells;
  far_batch_def def; /* the study's, with the options for the batch */
  bool sequential;   /* runs are added until there are enough */
} grid;

/* What there is unless the options say so; lists are ended by NULL. */
typedef struct grid_defaults {
  const char *const *envs, *const *agents;
  int64_t runs;
  size_t most_envs; /* 0: any number */
} grid_defaults;

/* The values of a repeatable option, or else the `others`, ended by NULL (may be NULL), and how many
 * (heap, to be freed); NULL without memory. */
const char **option_values(const arguments *args, const char *option, const char *const *others,
                           size_t *count);

/* Makes the grid from the first word (a study file), if there is one, and the options; prints notes.
 * Models, agents and metrics are checked. The exit code; grid_free in any case. */
int grid_make(grid *out, const arguments *args, const grid_defaults *defaults);
void grid_free(grid *g);

/* Prints an error in a study file, with its line; the exit code. */
int study_file_error(const far_error *error, const char *file);

/* Runs it, through the store that --store names, and prints the report that `add` makes, also if it was
 * stopped. The exit code. */
typedef void add_results(const far_results *results, far_report *report);
int grid_run(const grid *g, const arguments *args, add_results *add);

#endif
