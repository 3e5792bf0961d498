/* In place of src/base/file.c: a page has no files. Models, agents and results come and go as memory. */
#include "base/file.h"

#include "base/error.h"

static far_status no_files(far_error *error, const char *what, const char *path) {
  return far__fail(error, FAR_STATUS_IO, -1, "cannot %s '%.200s': there are no files here", what,
                   path);
}

far_status far__file_replace(const char *path, const void *data, size_t size, far_error *error) {
  (void)data, (void)size;
  return no_files(error, "write", path);
}

far_status far__file_open(FILE **out, int64_t *size, const char *path, int64_t most,
                          far_error *error) {
  (void)most;
  *out = NULL;
  if (size != NULL) *size = 0;
  return no_files(error, "read", path);
}

bool far__file_make(const char *path) {
  (void)path;
  return false;
}

bool far__is_file(const char *path) {
  (void)path;
  return false;
}
