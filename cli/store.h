/* The parts of farsight store. Each returns the exit code. */
#ifndef FARSIGHT_CLI_STORE_H
#define FARSIGHT_CLI_STORE_H

#include <farsight/lab.h>

#include "cli.h"

int store_export(const arguments *args, far_store *store, const char *path);

/* "1 cell", "2 cells" */
far__brief counted(int64_t n, const char *thing);

/* Prints why an action failed, or that Ctrl-C stopped it; the exit code. */
int store_failed(const far_error *error);

#endif
