/* Whole files. One is written beside its target, flushed to the disk and renamed, so that a crash
 * leaves the old file or the new one. */
#ifndef FAR_BASE_FILE_H
#define FAR_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "farsight/status.h"

/* Writes or replaces a regular file, through links and keeping its mode. Fails with IO. */
FAR_API far_status far__file_replace(const char *path, const void *data, size_t size,
                                     far_error *error);

/* Reads a regular file onto the heap, *size bytes and room for one more. Fails with IO or MEMORY;
 * then *out is NULL. */
FAR_API far_status far__file_read(uint8_t **out, size_t *size, const char *path, far_error *error);

/* Is there a regular file of this name? */
FAR_API bool far__is_file(const char *path);

#endif
