#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool write_all(int fd, const char *data, size_t size) {
  while (size > 0) {
    const ssize_t n = write(fd, data, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    data += n;
    size -= (size_t)n;
  }
  return true;
}

/* Makes the rename durable; a file system that cannot do this is no error. */
static void sync_folder(char *path) {
  char *slash = strrchr(path, '/');
  if (slash != NULL) slash[slash == path] = '\0';
  const int fd = open(slash != NULL ? path : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  fsync(fd);
  close(fd);
}

/* Opens a new file beside the target; `name` has room for the target's and 16 characters more. */
static int open_beside(const char *target, char *name) {
  for (unsigned i = 0; i < 1000;
       ++i) { /* names may be taken: by another thread, or after a crash */
    sprintf(name, "%s.%u.new", target, i);
    const int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
  return -1;
}

/* Writes a new file beside the target, flushes it and renames it. An existing file's mode is kept.
 * False with errno set. */
static bool replace(char *target, char *beside, const struct stat *existing, const void *data,
                    size_t size) {
  const int fd = open_beside(target, beside);
  if (fd < 0) return false;
  bool good = existing == NULL || fchmod(fd, existing->st_mode & 07777) == 0;
  good = good && write_all(fd, data, size) && fsync(fd) == 0;
  int failure = errno;
  if (close(fd) != 0 && good) {
    good = false;
    failure = errno;
  }
  if (good && rename(beside, target) == 0) {
    sync_folder(target);
    return true;
  }
  if (good) failure = errno;
  unlink(beside);
  errno = failure;
  return false;
}

far_status far__file_replace(const char *path, const void *data, size_t size, far_error *error) {
  struct stat info;
  const bool exists = stat(path, &info) == 0;
  if (exists && !S_ISREG(info.st_mode)) return far__file_not_regular(error, "write", path);
  char *target = exists ? realpath(path, NULL) : strdup(path); /* through links, to the file */
  char *beside = target != NULL ? malloc(strlen(target) + 17) : NULL;
  far_status status = FAR_OK;
  if (beside == NULL || !replace(target, beside, exists ? &info : NULL, data, size))
    status = far__file_failed(error, "write", path);
  free(beside);
  free(target);
  return status;
}

/* O_NONBLOCK: opening a named pipe would otherwise wait for its other end. */
far_status far__file_open(FILE **out, int64_t *size, const char *path, int64_t most,
                          far_error *error) {
  const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  struct stat info;
  far_status status = FAR_OK;
  *out = NULL;
  if (fd < 0 || fstat(fd, &info) != 0) {
    status = far__file_failed(error, "read", path);
  } else if (!S_ISREG(info.st_mode)) {
    status = far__file_not_regular(error, "read", path);
  } else {
    if (size != NULL) *size = (int64_t)info.st_size;
    status = far__file_check_size((int64_t)info.st_size, path, most, error);
  }
  if (status == FAR_OK && (*out = fdopen(fd, "rb")) == NULL)
    status = far__file_failed(error, "read", path);
  if (status != FAR_OK && fd >= 0) close(fd);
  return status;
}

bool far__file_make(const char *path) {
  const int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd >= 0) close(fd);
  return fd >= 0;
}

bool far__is_file(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}
