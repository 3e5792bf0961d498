/* What is the same on every system: messages, and reading on top of file.c. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/available.h"
#include "base/error.h"
#include "base/file.h"

far_status far__file_failed(far_error *error, const char *what, const char *path) {
  const far_status code = errno == ENOMEM ? FAR_STATUS_MEMORY : FAR_STATUS_IO;
  return far__fail(error, code, -1, "cannot %s '%.200s': %s", what, path, strerror(errno));
}

far_status far__file_not_regular(far_error *error, const char *what, const char *path) {
  return far__fail(error, FAR_STATUS_IO, -1, "cannot %s '%.200s': it is not a regular file", what,
                   path);
}

far_status far__file_check_size(int64_t size, const char *path, int64_t most, far_error *error) {
  if (size <= most) return FAR_OK;
  return far__fail(error, FAR_STATUS_IO, -1,
                   "cannot read '%.200s': it has %lld bytes, at most %lld", path, (long long)size,
                   (long long)most);
}

static far_status read_whole(uint8_t **out, size_t size, FILE *f, const char *path,
                             far_error *error) {
  char what[224];
  snprintf(what, sizeof what, "'%.200s'", path);
  const far_status fits = far__check_memory((double)size, what, error);
  if (fits != FAR_OK) return fits;
  *out = malloc(size + 1);
  if (*out == NULL)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory to read '%.200s'", path);
  errno = EIO; /* for a file that became shorter meanwhile: fread sets no errno then */
  if (fread(*out, 1, size, f) == size) return FAR_OK;
  const far_status status = far__file_failed(error, "read", path);
  free(*out);
  *out = NULL;
  return status;
}

far_status far__file_read(uint8_t **out, size_t *size, const char *path, int64_t most,
                          far_error *error) {
  FILE *f;
  int64_t bytes = 0;
  *out = NULL;
  *size = 0;
  far_status status = far__file_open(&f, &bytes, path, most, error);
  if (status != FAR_OK) return status;
  status = read_whole(out, (size_t)bytes, f, path, error);
  *size = status == FAR_OK ? (size_t)bytes : 0;
  fclose(f);
  return status;
}

far_status far__file_ends_with(bool *out, const char *path, const void *bytes, size_t size,
                               far_error *error) {
  uint8_t end[16];
  FILE *f;
  *out = false;
  const far_status status = far__file_open(&f, NULL, path, INT64_MAX, error);
  if (status != FAR_OK) return status;
  *out = fseek(f, -(long)size, SEEK_END) == 0 && fread(end, 1, size, f) == size &&
         memcmp(end, bytes, size) == 0;
  fclose(f);
  return FAR_OK;
}
