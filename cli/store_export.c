/* farsight store export: to standard output, or to a file that is there as a whole or not at all. */
#include "store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store_open.h"
#include "memory.h"

typedef struct sink {
  FILE *file;
  int failure; /* errno of a write that failed */
} sink;

static bool take(void *user, const char *bytes, size_t length) {
  sink *s = user;
  if (interrupted()) return false;
  errno = 0;
  if (fwrite(bytes, 1, length, s->file) == length) return true;
  s->failure = errno != 0 ? errno : EIO;
  if (s->file == stdout) output_failed(s->failure);
  return false;
}

static int cannot_write(const char *path, int failure) {
  complain("cannot write '%s': %s", path, strerror(failure));
  return EXIT_FAILED;
}

/* Opens a new file beside the target; `name` has room for 16 characters more than its name. */
static FILE *open_beside(const char *target, char *name, const struct stat *existing) {
  for (unsigned i = 0; i < 1000; ++i) {
    sprintf(name, "%s.%u.new", target, i);
    const int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0) {
      /* A stream to a new file, which keeps the mode of the one that it is to replace, if there is one. */
      const bool good = existing == NULL || fchmod(fd, existing->st_mode & 07777) == 0;
      FILE *file = good ? fdopen(fd, "wb") : NULL;
      if (file != NULL) return file;
      const int failure = errno;
      close(fd);
      unlink(name);
      errno = failure;
      return NULL;
    }
    if (errno != EEXIST) return NULL;
  }
  return NULL;
}

static bool read_format(const arguments *args, const char *output, far_export *out) {
  const char *name = args_last(args, "format");
  const char *dot = output != NULL ? strrchr(output, '.') : NULL;
  *out = FAR_EXPORT_CSV;
  if (name == NULL && dot != NULL && (strcmp(dot, ".jsonl") == 0 || strcmp(dot, ".ndjson") == 0))
    name = "jsonl";
  if (name == NULL || strcmp(name, "csv") == 0) return true;
  *out = FAR_EXPORT_JSONL;
  if (strcmp(name, "jsonl") == 0) return true;
  usage_error(args, "--format %s: must be csv or jsonl", name);
  return false;
}

/* The series that --series names, as the store spells them; names that are no series ("curve": all of it) stay as they
 * are. Their number, or -1 after an error. */
static int find_series(char *out[256], const arguments *args, far_store *store, far_error *error) {
  const char *given;
  int n = 0;
  for (; (given = args_text(args, "series", (size_t)n)) != NULL; ++n) {
    const far_status status = stored_series(&out[n], store, given, error);
    if (status == FAR_STATUS_UNKNOWN)
      out[n] = copy_of(given);
    else if (status != FAR_OK)
      return -1;
  }
  return n;
}

static int write_failed(const far_error *error, const sink *s, const char *to) {
  if (s->failure != 0 && s->file == stdout) return EXIT_FAILED; /* finish_output reports it */
  if (s->failure != 0) return cannot_write(to, s->failure);
  if (error->code != FAR_STATUS_UNKNOWN) return store_failed(error);
  run_error(error);
  return EXIT_USAGE;
}

/* Writes all rows to s->file. */
static int write_rows(const arguments *args, far_store *store, const char *path, far_export format,
                      sink *s, const char *to) {
  char *series[256] = {NULL};
  far_error error;
  (void)path;
  if (args_flag(args, "snapshots")) {
    const far_status written = far_store_export_snapshots(store, take, s, &error);
    return written == FAR_OK ? EXIT_OK : write_failed(&error, s, to);
  }
  const int n = find_series(series, args, store, &error);
  const far_status status = n < 0 ? error.code
                                  : far_store_export(store, format, (const char *const *)series,
                                                     (size_t)n, take, s, &error);
  for (size_t i = 0; i < 256; ++i) free(series[i]);
  return status == FAR_OK ? EXIT_OK : write_failed(&error, s, to);
}

/* Flushes to the disk and renames. */
static int finish(sink *s, const char *beside, const char *target) {
  bool good = fflush(s->file) == 0 && fsync(fileno(s->file)) == 0;
  int failure = errno;
  if (fclose(s->file) != 0 && good) {
    good = false;
    failure = errno;
  }
  if (good && rename(beside, target) == 0) return EXIT_OK;
  return cannot_write(target, good ? errno : failure);
}

static int export_to_file(const arguments *args, far_store *store, const char *path,
                          far_export format, const char *output) {
  char *real = realpath(output, NULL); /* through links, to the file */
  if (real == NULL && errno == ENOMEM) out_of_memory();
  const char *target = real != NULL ? real : output;
  char *beside = room_for(strlen(target) + 16, 1);
  sink s = {0};
  struct stat info;
  int code = EXIT_OK;
  const bool exists = stat(target, &info) == 0;
  if (exists && !S_ISREG(info.st_mode)) {
    complain("cannot write '%s': it is not a regular file", output);
    code = EXIT_FAILED;
  } else if ((s.file = open_beside(target, beside, exists ? &info : NULL)) == NULL) {
    code = cannot_write(output, errno);
  } else {
    code = write_rows(args, store, path, format, &s, output);
    if (code == EXIT_OK)
      code = finish(&s, beside, target);
    else
      fclose(s.file);
    if (code != EXIT_OK) unlink(beside);
  }
  free(beside);
  free(real);
  return code;
}

int store_export(const arguments *args, far_store *store, const char *path) {
  const char *output = args_last(args, "output");
  far_export format;
  if (!read_format(args, output, &format)) return EXIT_USAGE;
  if (output != NULL && strcmp(output, "-") != 0)
    return export_to_file(args, store, path, format, output);
  sink s = {.file = stdout};
  return write_rows(args, store, path, format, &s, "standard output");
}
