/* Whole files. A file is written beside its target, flushed to the disk and renamed, so that a crash
 * leaves the old file or the new one. */
#ifndef FAR_BASE_FILE_H
#define FAR_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "farsight/file.h"

/* The most bytes of a file that is read as a whole: of data (models, tables, agents), and of text that
 * people write (studies, maps). With 32-bit addresses the first is a quarter. */
#define FAR__MOST_DATA ((int64_t)1 << (sizeof(size_t) > 4 ? 32 : 30))
#define FAR__MOST_TEXT ((int64_t)1 << 26)

/* Reads a regular file of at most `most` bytes onto the heap (far_file_open), *size bytes and room
 * for one more. Fails with IO or MEMORY; then *out is NULL. */
far_status far__file_read(uint8_t **out, size_t *size, const char *path, int64_t most,
                          far_error *error);

/* far_file_open, and *size: the bytes that the file has. */
far_status far__file_open(FILE **out, int64_t *size, const char *path, int64_t most,
                          far_error *error);

/* Does a regular file end with these bytes, 16 at most? Fails as far_file_open does. */
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
