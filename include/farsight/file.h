/* Files named by a user: a model, a table, a saved agent. */
#ifndef FARSIGHT_FILE_H
#define FARSIGHT_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "farsight/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Opens a file for reading if it is a regular file of at most `most` bytes. Never blocks, as a
 * named pipe would, and never opens a device, which may be endless. Fails with IO or MEMORY; *out
 * is then NULL. */
FAR_API far_status far_file_open(FILE **out, const char *path, int64_t most, far_error *error);

/* Writes or replaces a regular file, through links and keeping its mode. The new one is written
 * beside it, flushed to the disk and renamed: whatever fails, the file is the old one or the new
 * one. Fails with IO or MEMORY. */
FAR_API far_status far_file_replace(const char *path, const void *data, size_t size,
                                    far_error *error);

#ifdef __cplusplus
}
#endif

#endif
