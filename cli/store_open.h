/* Stores that Ctrl-C can stop, and that say what they wait for. */
#ifndef FARSIGHT_CLI_STORE_OPEN_H
#define FARSIGHT_CLI_STORE_OPEN_H

#include <farsight/lab.h>
#include "lab/store/access.h"

/* As far_store_open, but signals end its waiting, and after a while it says what it waits for. The path
 * must outlive the store. */
far_status open_store(far_store **out, const char *path, far_store_mode mode, far_error *error);

/* The same with the caller's own rule of how long to wait for other processes (far__store_watch). */
far_status open_store_patiently(far_store **out, const char *path, far_store_mode mode,
                                far__go_fn *wait, void *user, far_error *error);

void close_store(far_store *store);

/* The stored series that `given` means (*out, heap): of a curve that has no such step, the nearest one,
 * and a note says so. UNKNOWN if there is none. */
far_status stored_series(char **out, far_store *store, const char *given, far_error *error);

/* Closes the store that open_store opened last, unless it is closed: no log stays beside the file. */
void close_open_store(void);

#endif
