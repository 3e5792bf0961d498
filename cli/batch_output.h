/* What every command that runs a batch shares: its options, and what it says when it is stopped. */
#ifndef FARSIGHT_CLI_BATCH_OUTPUT_H
#define FARSIGHT_CLI_BATCH_OUTPUT_H

#include "device.h"
#include "output.h"

/* Options of every command that runs a batch. */
#define BATCH_OPTIONS                                                                              \
  {0, "runs", "N", "independent runs of every cell (default 300)", COMPLETE_NONE},                 \
      {0, "seed", "N", "seed of all random streams (default 1)", COMPLETE_NONE},                   \
      {0, "threads", "N",                                                                          \
       "threads; the results do not depend on it (default: all processors, 1 per rank under "      \
       "mpirun)",                                                                                  \
       COMPLETE_NONE},                                                                             \
      DEVICE_OPTION, FORMAT_OPTIONS

/* Reads those options into *def; false after printing a usage error. */
bool batch_options(const arguments *args, far_batch_def *def);

/* An option of commands that rank agents. */
#define SCORE_OPTION                                                                               \
  { 0, "score", "METRIC", "score by this metric instead of reward", COMPLETE_METRIC }

/* The metric of --score, if it is given and is one; an exit code, after printing the error. */
int score_option(const arguments *args, const char **out);

/* Says on standard error that a batch was stopped, and where what is finished is (batch NULL: nothing
 * is); the exit code. */
int stopped_batch(const far_batch *batch, size_t n_cells, const char *store,
                  const far_error *error);

#endif
