/* A grid of environments x agents, as `run` and `compare` make it from their options or a file. */
#ifndef FARSIGHT_CLI_GRID_H
#define FARSIGHT_CLI_GRID_H

#include "cells.h"

#include <farsight/lab.h>

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
  bool sequential;   /* runs are added until the intervals are narrow enough: then these count */
  far_until until;
  far_look *looks; /* at each cell */
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

/* Runs it, through the store that --store names, and prints it; `print` gets the grid as context. The
 * exit code. */
int grid_run(grid *g, print_batch *print);

/* The canonical specs of the environments, a line each. */
void print_environments(const grid *g);
const far_mdp *grid_mdp(const grid *g, size_t env);

/* {"version": ..., "seed": ..., "cells": [...], without the last brace; and with it, the document. */
void grid_write_cells(const far_batch *batch, const grid *g);
print_batch grid_print_json;

#endif
