/* The option --metric: metrics of every run, as `run` and `compare` print them. */
#ifndef FARSIGHT_CLI_METRICS_H
#define FARSIGHT_CLI_METRICS_H

#include "grid.h"

#define METRIC_OPTION                                                                              \
  {                                                                                                \
    0, "metric", "SPEC", "also tell this of every run; may be repeated ('farsight list metrics')", \
        COMPLETE_METRIC                                                                            \
  }

typedef struct metrics {
  const char **specs; /* as given */
  far_metric **made;
  size_t count;
} metrics;

/* Makes the metrics that --metric names and hands them to *def; the exit code. */
int metrics_make(metrics *out, const arguments *args, far_batch_def *def);
void metrics_free(metrics *m);

/* Checks every metric with every cell of *def and prints what makes a number empty (unless --quiet);
 * the exit code. */
int metrics_check(const metrics *m, const arguments *args, const grid *g);

/* A table a metric, agents below one another; nothing where there are no metrics. */
void metrics_print(const far_batch *batch, const far_batch_def *def, const grid *g);

#endif
