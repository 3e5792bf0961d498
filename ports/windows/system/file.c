/* In place of src/base/file.c: whole files, with the calls of Windows where those of C leave something open. */
#include "base/file.h"

#include <errno.h>
#include <io.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <windows.h>

/* Opens a new file beside the target; `name` has room for the target's and 16 characters more. */
static FILE *open_beside(const char *target, char *name) {
  FILE *f = NULL;
  errno = EEXIST;
  for (unsigned i = 0; f == NULL && errno == EEXIST && i < 1000; ++i) {
    sprintf(name, "%s.%u.new", target, i);
    f = fopen(name, "wbx");
  }
  return f;
}

static bool moved(const char *from, const char *to) {
  if (MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH)) return true;
  errno = EACCES;
  return false;
}

/* Writes a new file beside the target, flushes it and moves it there. False with errno set. */
static bool replace(const char *target, char *beside, const void *data, size_t size) {
  FILE *f = open_beside(target, beside);
  if (f == NULL) return false;
  bool good = fwrite(data, 1, size, f) == size && fflush(f) == 0 && _commit(_fileno(f)) == 0;
  good = fclose(f) == 0 && good;
  if (good && moved(beside, target)) return true;
  const int failure = errno;
  remove(beside);
  errno = failure;
  return false;
}

far_status far__file_replace(const char *path, const void *data, size_t size, far_error *error) {
  struct _stat64 info;
  if (_stat64(path, &info) == 0 && (info.st_mode & _S_IFREG) == 0)
    return far__file_not_regular(error, "write", path);
  char *beside = malloc(strlen(path) + 17);
  const bool good = beside != NULL && replace(path, beside, data, size);
  const far_status status = good ? FAR_OK : far__file_failed(error, "write", path);
  free(beside);
  return status;
}

far_status far__file_open(FILE **out, int64_t *size, const char *path, int64_t most,
                          far_error *error) {
  struct _stat64 info;
  *out = NULL;
  if (_stat64(path, &info) != 0) return far__file_failed(error, "read", path);
  if ((info.st_mode & _S_IFREG) == 0) return far__file_not_regular(error, "read", path);
  if (size != NULL) *size = info.st_size;
  const far_status status = far__file_check_size(info.st_size, path, most, error);
  if (status != FAR_OK) return status;
  *out = fopen(path, "rb");
  return *out != NULL ? FAR_OK : far__file_failed(error, "read", path);
}

bool far__file_make(const char *path) {
  FILE *f = fopen(path, "wbx");
  return f != NULL && fclose(f) == 0;
}

bool far__is_file(const char *path) {
  struct _stat64 info;
  return _stat64(path, &info) == 0 && (info.st_mode & _S_IFREG) != 0;
}
