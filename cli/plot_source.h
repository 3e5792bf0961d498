/* Where a figure's results come from: a store, several stores, or a study that is run for it. */
#ifndef FARSIGHT_CLI_PLOT_SOURCE_H
#define FARSIGHT_CLI_PLOT_SOURCE_H

#include <farsight/lab.h>

#include "cli.h"

/* Opens what the words of the command from `first` on name: one store as it is; several, and studies
 * (.yaml, .yml), together in memory. `curve` is recorded by studies that have none of their own; NULL:
 * none is. The exit code, after printing an error. Close it by close_store. */
int open_source(far_store **out, const arguments *args, size_t first, const char *curve);

#endif
