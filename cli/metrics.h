/* The option --metric: metrics of every run, as `run` and `compare` print them. */
#ifndef FARSIGHT_CLI_METRICS_H
#define FARSIGHT_CLI_METRICS_H

#include "grid.h"

#define METRIC_OPTION                                                                              \
  {                                                                                                \
    0, "metric", "SPEC", "also record this metric; may be repeated ('farsight list metrics')",     \
        COMPLETE_METRIC                                                                            \
  }

/* A table a metric, agents below one another; nothing where there are no metrics. */
void metrics_print(const far_batch *batch, const far_batch_def *def, const grid *g);

#endif
