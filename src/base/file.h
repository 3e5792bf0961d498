/* Files named by a user, as wholes: a model, a table, a saved agent. */
#ifndef FAR_BASE_FILE_H
#define FAR_BASE_FILE_H

#include <stdio.h>

#include "farsight/base.h"

/* The most bytes of a file that is read as a whole: of data (models, tables, agents), and of text that
 * people write (studies, maps). With 32-bit addresses the first is a quarter. */
#define FAR__MOST_DATA ((int64_t)1 << (sizeof(size_t) > 4 ? 32 : 30))
#define FAR__MOST_TEXT ((int64_t)1 << 26)

/* Opens a file for reading if it is a regular file of at most `most` bytes; *size (may be NULL) is how many it
 * has. Never blocks, as a named pipe would, and never opens a device, which may be endless. Fails with IO or
 * MEMORY; *out is then NULL. */
far_status far__file_open(FILE **out, int64_t *size, const char *path, int64_t most,
                          far_error *error);

/* Writes or replaces a regular file, through links and keeping its mode. The new one is written
 * beside it, flushed to the disk and renamed: whatever fails, even if the machine stops, the file is the old
 * one or the new one. Fails with IO or MEMORY. */
far_status far__file_replace(const char *path, const void *data, size_t size, far_error *error);

/* Reads a regular file of at most `most` bytes onto the heap (far__file_open), *size bytes and room
 * for one more. Fails with IO or MEMORY; then *out is NULL. */
far_status far__file_read(uint8_t **out, size_t *size, const char *path, int64_t most,
                          far_error *error);

/* Does a regular file end with these bytes, 16 at most? Fails as far__file_open does. */
far_status far__file_ends_with(bool *out, const char *path, const void *bytes, size_t size,
                               far_error *error);

/* Is there a regular file of this name? */
bool far__is_file(const char *path);

/* Makes an empty file, if there is none of this name. True if it did. */
bool far__file_make(const char *path);

/* Messages for file.c and its counterpart on other systems: "cannot read 'PATH': " and errno's text; that it is
 * no regular file; that it is too large (else FAR_OK). */
far_status far__file_failed(far_error *error, const char *what, const char *path);
far_status far__file_not_regular(far_error *error, const char *what, const char *path);
far_status far__file_check_size(int64_t size, const char *path, int64_t most, far_error *error);

#endif
