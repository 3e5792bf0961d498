/* Files that somebody names: a model, a table, a saved agent. */
#ifndef FARSIGHT_FILE_H
#define FARSIGHT_FILE_H

#include <stdint.h>
#include <stdio.h>

#include "farsight/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Opens a file for reading if it is a regular one of at most `most` bytes. Never waits, as a named
 * pipe would, and never takes a device, which need not end. Fails with IO or MEMORY; *out is then
 * NULL. */
FAR_API far_status far_file_open(FILE **out, const char *path, int64_t most, far_error *error);

#ifdef __cplusplus
}
#endif

#endif
