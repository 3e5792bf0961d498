/* farsight tune: what the parts of the command share. */
#ifndef FARSIGHT_CLI_TUNE_H
#define FARSIGHT_CLI_TUNE_H

#include <farsight/lab.h>

#include "cli.h"

/* Where candidates are measured: the environments, or the rows of the file to be fitted. */
typedef struct tune_cells {
  size_t count;
  far_tune_cell *cells;
  char **envs; /* specs as given, one a cell */
  char **with; /* the cells' own keys; NULL or "" where there are none */
  far_mdp **mdps;
} tune_cells;

/* Reads a file of means: columns env and mean, and one for each key that the agent has there. The exit
 * code. */
int tune_read_fit(tune_cells *out, const char *path);

/* Adds the cell of an environment. `with` may be NULL. */
void tune_add_cell(tune_cells *cells, const char *env, const char *with, double target);
void tune_free_cells(tune_cells *cells);

/* Searches of several agents with the same budget. */
typedef struct tune_study {
  far_tune_plan *plan; /* of a file; NULL */
  far_tune_def def;
  tune_cells cells;
  const char **agents;
  far_tune **tunes; /* NULL where it was not begun */
  size_t n_agents;
} tune_study;

void tune_print_text(const tune_study *study);
void tune_print_json(const tune_study *study);

/* The score of agent i less that of the agent that is best while tuning, in pairs, on fresh seeds; ci95 is
 * NAN for the best itself. */
typedef struct tune_difference {
  double mean, ci95;
} tune_difference;
size_t tune_best_agent(const tune_study *study); /* n_agents if none is evaluated */
tune_difference tune_compare(const tune_study *study, size_t agent, size_t best);

#endif
