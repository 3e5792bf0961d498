#include "web/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/markup.h"
#include "base/text.h"
#include "report/build.h"
#include "web/http.h"

enum { MOST_LISTED = 1000 };

/* A report contains its style and its script, and loads nothing. The policy in the file names both by their digests;
 * the policy here applies in addition, even if the file was modified. The sandbox gives a report an origin of its own,
 * so that no script in it can read the playground or other files. */
#define REPORT                                                                                     \
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "                    \
  "sandbox allow-scripts" FAR__POLICY_REFUSALS
#define FIGURE "default-src 'none'; style-src 'unsafe-inline'; sandbox" FAR__POLICY_REFUSALS
#define PLAIN "text/plain; charset=utf-8"

static const far__web_kind kinds[] = {
    {".html", "report", "text/html; charset=utf-8", REPORT},
    {".svg", "figure", "image/svg+xml", FIGURE},
    {".db", "store", "application/vnd.sqlite3", FAR__POLICY_TEXT},
    {".json", "model", "application/json", FAR__POLICY_TEXT},
    {".drn", "model", PLAIN, FAR__POLICY_TEXT},
    {".mdp", "model", PLAIN, FAR__POLICY_TEXT},
    {".pomdp", "model", PLAIN, FAR__POLICY_TEXT},
};

/* ---- one file ---- */

/* The kind of a file by its name; NULL if it is of no kind, hidden, or the name has a '/'. */
static const far__web_kind *kind_of(const char *name) {
  const size_t length = strlen(name);
  if (name[0] == '.' || strchr(name, '/') != NULL) return NULL;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
    const size_t n = strlen(kinds[i].ending);
    if (length > n && strcmp(name + length - n, kinds[i].ending) == 0) return &kinds[i];
  }
  return NULL;
}

static bool is_wanted(int fd, const far__web_kind *kind, struct stat *info) {
  char head[FAR__PAGE_HEAD];
  if (fstat(fd, info) != 0 || !S_ISREG(info->st_mode)) return false;
  if (kind != &kinds[0]) return true;
  const ssize_t n = pread(fd, head, sizeof head, 0);
  return n > 0 && far__is_page(head, (size_t)n);
}

/* Opens a file that may be served; else returns -1. The name is a single component and symbolic links are refused, so
 * nothing outside of the folder can be opened, even if the folder changes meanwhile. */
static int open_wanted(int folder, const char *name, const far__web_kind **kind,
                       struct stat *info) {
  *kind = kind_of(name);
  if (*kind == NULL) return -1;
  const int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0 || is_wanted(fd, *kind, info)) return fd;
  close(fd);
  return -1;
}

far_status far__folder_open(int *out, const char *path, far_error *error) {
  *out = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (*out >= 0) return FAR_OK;
  return far__fail(error, FAR_STATUS_IO, -1, "cannot open the folder '%.200s': %s", path,
                   strerror(errno));
}

int far__folder_file(const far__web_kind **kind, int64_t *size, int folder, const char *name) {
  struct stat info = {0};
  const int fd = open_wanted(folder, name, kind, &info);
  *size = (int64_t)info.st_size;
  return fd;
}

/* ---- the list ---- */

typedef struct entry {
  char name[FAR__NAME_MAX + 1];
  const far__web_kind *kind;
  int64_t size;
  time_t changed;
} entry;

typedef struct listing {
  entry *entries;
  size_t count, capacity;
  bool more, failed; /* there are more files than are listed; no memory */
} listing;

static int by_name(const void *x, const void *y) {
  return strcmp(((const entry *)x)->name, ((const entry *)y)->name);
}

static void add_entry(listing *list, int folder, const char *name) {
  entry new = {.size = 0};
  struct stat info;
  const size_t length = strlen(name);
  if (length >= sizeof new.name) return;
  const int fd = open_wanted(folder, name, &new.kind, &info);
  if (fd < 0) return;
  close(fd);
  list->more = list->count == MOST_LISTED;
  if (list->more) return;
  memcpy(new.name, name, length + 1);
  new.size = (int64_t)info.st_size;
  new.changed = info.st_mtime;
  list->failed =
      !far__grow((void **)&list->entries, list->count, &list->capacity, sizeof *list->entries);
  if (!list->failed) list->entries[list->count++] = new;
}

/* Reads the folder through a new descriptor, since reading moves the position of the one it uses. */
static void read_entries(listing *list, int folder) {
  const int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *stream = fd >= 0 ? fdopendir(fd) : NULL;
  list->failed = stream == NULL;
  if (stream == NULL && fd >= 0) close(fd);
  if (stream == NULL) return;
  for (const struct dirent *e; !list->failed && !list->more && (e = readdir(stream)) != NULL;)
    add_entry(list, folder, e->d_name);
  closedir(stream);
  if (list->count > 0) qsort(list->entries, list->count, sizeof *list->entries, by_name);
}

static void put_entry(far_buffer *out, const entry *e) {
  char changed[32] = "";
  struct tm parts;
  if (localtime_r(&e->changed, &parts) != NULL)
    strftime(changed, sizeof changed, "%Y-%m-%d %H:%M", &parts);
  far__put(out, "<tr><td><a href=\"/reports/");
  far__http_encode(out, e->name);
  far__put(out, "\">");
  far__markup_text(out, e->name);
  far__text_format(out, "</a></td><td>%s</td><td>%s</td><td>%s</td></tr>\n", e->kind->word,
                   far__brief_bytes((double)e->size).text, changed);
}

static void put_entries(far_buffer *out, const listing *list) {
  if (list->count == 0)
    far__put(out, "<p>The folder has no reports, figures (.svg), stores (.db) or models.</p>\n");
  if (list->more)
    far__text_format(out, "<p>The folder has more files: %d are listed.</p>\n", MOST_LISTED);
  if (list->count == 0) return;
  far__put(out,
           "<table>\n<thead><tr><th scope=\"col\">file</th><th scope=\"col\">kind</th>"
           "<th scope=\"col\">size</th><th scope=\"col\">changed</th></tr></thead>\n<tbody>\n");
  for (size_t i = 0; i < list->count; ++i) put_entry(out, &list->entries[i]);
  far__put(out, "</tbody>\n</table>\n");
}

void far__folder_index(far_buffer *out, int folder) {
  listing list = {0};
  read_entries(&list, folder);
  far__put(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<meta name=\"color-scheme\" content=\"light dark\">\n<title>Reports</title>\n"
                "<style>\nbody { font: 1rem/1.5 system-ui, sans-serif; max-width: 50rem; "
                "margin: 2rem auto; padding: 0 1rem }\nth { text-align: left }\n"
                "th, td { padding: 0.2rem 1.5rem 0.2rem 0; overflow-wrap: anywhere }\n</style>\n"
                "</head>\n<body>\n<h1>Reports</h1>\n");
  put_entries(out, &list);
  far__put(out, "<p><a href=\"/\">Playground</a></p>\n</body>\n</html>\n");
  out->failed = out->failed || list.failed;
  free(list.entries);
}
