/* The parts of farsight store. Each returns the exit code. */
#ifndef FARSIGHT_CLI_STORE_H
#define FARSIGHT_CLI_STORE_H

#include <farsight/lab.h>

#include "cli.h"

int store_info(const arguments *args, far_store *store, const char *path);
int store_export(const arguments *args, far_store *store, const char *path);

/* As far_store_open, but signals end its waiting, and after a while it says what it waits for. The path
 * must outlive the store. */
far_status open_store(far_store **out, const char *path, far_store_mode mode, far_error *error);

/* "1 cell", "2 cells" */
short_text counted(int64_t n, const char *thing);

/* A failure, unless it is that somebody pressed Ctrl-C. */
int store_failed(const far_error *error);

#endif
