/* A grid of environments x agents, as `run` and `compare` make it. */
#ifndef FARSIGHT_CLI_GRID_H
#define FARSIGHT_CLI_GRID_H

#include "cells.h"

#define GRID_OPTIONS                                                                               \
  {'e', "env", "SPEC", "environment; may be repeated", COMPLETE_ENVIRONMENT},                      \
      {'a', "agent", "SPEC", "agent; may be repeated", COMPLETE_AGENT},                            \
      {0, "steps", "N", "steps of a run (default 10000)", COMPLETE_NONE}, BATCH_OPTIONS, {         \
    'q', "quiet", NULL, "no notes on lost guarantees", COMPLETE_NONE                               \
  }

/* Cell i * n_agents + j is agent j on environment i. */
typedef struct grid {
  size_t n_envs, n_agents;
  const char *const *envs, *const *agents; /* specs as given */
  far_mdp **mdps;
  far_cell *cells;
} grid;

/* How many values a repeatable option has, and a list of them (heap, to be freed); the list of
 * `others`, ended by NULL, where there are none. NULL without memory. */
const char **option_values(const arguments *args, const char *option, const char *const *others,
                           size_t *count);

/* Runs the grid that the options name, or `envs` and `agents` (ended by NULL) where they name none,
 * with its metrics, and prints it; `print` gets the grid as context. `runs` is the default of --runs.
 * Models, agents and metrics are checked before anything runs. The exit code. */
int grid_run(const arguments *args, const char *const *envs, const char *const *agents,
             int64_t runs, print_batch *print);

/* Every distinct canonical spec of the environments, a line each. */
void print_environments(const grid *g);

/* {"version": ..., "seed": ..., "cells": [...], without the last brace; and with it, the document. */
void grid_write_cells(const far_batch *batch, const far_batch_def *def);
print_batch grid_print_json;

#endif
