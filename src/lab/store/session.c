/* Sessions: the origin of results. */
#include "lab/store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/bytes.h"
#include "lab/store/access.h"

#if defined(__clang__)
#define COMPILER "clang " __VERSION__
#elif defined(__GNUC__)
#define COMPILER "gcc " __VERSION__
#else
#define COMPILER "unknown"
#endif

enum { TIME = 24 };

/* A row of the table `session`. */
typedef struct origin {
  int64_t id;
  char name[FAR_HASH_TEXT];
  const char *version, *compiler, *machine, *command, *started, *last;
  int numerics, processors;
} origin;

static void print_now(char out[TIME]) {
  struct tm parts;
  const time_t now = time(NULL);
  strftime(out, TIME, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &parts));
}

/* A name that no other session has: a hash of the time, the process, the machine and the store. */
static void name_origin(origin *o, const far_store *s) {
  struct timespec now;
  uint8_t digest[FAR_HASH_BYTES];
  far__hash hash;
  clock_gettime(CLOCK_REALTIME, &now);
  far__hash_begin(&hash);
  far__hash_text(&hash, o->machine);
  far__hash_text(&hash, s->path);
  far__hash_u64(&hash, (uint64_t)getpid());
  far__hash_u64(&hash, (uint64_t)now.tv_sec);
  far__hash_u64(&hash, (uint64_t)now.tv_nsec);
  far__hash_u64(&hash, (uint64_t)(uintptr_t)s);
  far__hash_end(&hash, digest);
  far_hash_text(o->name, digest);
}

static int64_t seal_of(const origin *o) {
  uint8_t digest[FAR_HASH_BYTES];
  far__hash hash;
  const char *texts[] = {o->name,    o->version, o->compiler, o->machine,
                         o->command, o->started, o->last};
  far__hash_begin(&hash);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) far__hash_text(&hash, texts[i]);
  far__hash_u64(&hash, (uint64_t)o->numerics);
  far__hash_u64(&hash, (uint64_t)o->processors);
  far__hash_end(&hash, digest);
  return (int64_t)far__get_u64(digest);
}

static far_status add_origin(int64_t *id, far_store *s, const origin *o, far_error *error) {
  sqlite3_stmt *add;
  far_status status = far__sql_use(&add, s, FAR__SESSION_ADD, error);
  if (status != FAR_OK) return status;
  far__sql_bind_string(add, 1, o->name);
  far__sql_bind_string(add, 2, o->version);
  sqlite3_bind_int(add, 3, o->numerics);
  far__sql_bind_string(add, 4, o->compiler);
  far__sql_bind_string(add, 5, o->machine);
  sqlite3_bind_int(add, 6, o->processors);
  far__sql_bind_string(add, 7, o->command);
  far__sql_bind_string(add, 8, o->started);
  far__sql_bind_string(add, 9, o->last);
  sqlite3_bind_int64(add, 10, seal_of(o));
  status = far__sql_run(s, add, error);
  *id = sqlite3_last_insert_rowid(s->db);
  return status;
}

static far_status begin_session(far_store *s, far_error *error) {
  char machine[256], now[TIME];
  struct utsname u;
  if (uname(&u) == 0)
    snprintf(machine, sizeof machine, "%.60s: %.40s %.80s %.40s", u.nodename, u.sysname, u.release,
             u.machine);
  else
    snprintf(machine, sizeof machine, "unknown");
  print_now(now);
  origin o = {.version = far_version(),
              .numerics = far_numerics(),
              .compiler = COMPILER,
              .machine = machine,
              .processors = (int)sysconf(_SC_NPROCESSORS_ONLN),
              .command = s->command != NULL ? s->command : "",
              .started = now,
              .last = now};
  name_origin(&o, s);
  return add_origin(&s->session, s, &o, error);
}

/* The text columns of the statement SESSION_GET. */
static const far__text_column origin_texts[] = {
    {1, FAR_HASH_TEXT - 1, "the name of session"},
    {2, FAR__LONGEST_ORIGIN, "the version of session"},
    {4, FAR__LONGEST_ORIGIN, "the compiler of session"},
    {5, FAR__LONGEST_ORIGIN, "the machine of session"},
    {7, FAR__LONGEST_TEXT, "the command of session"},
    {8, FAR__LONGEST_ORIGIN, "the beginning of session"},
    {9, FAR__LONGEST_ORIGIN, "the end of session"},
};

/* Row `id`; its texts live until the statement is reset. */
static far_status get_origin(origin *out, bool *intact, sqlite3_stmt **get, far_store *s,
                             int64_t id, far_error *error) {
  *intact = false;
  far_status status = far__sql_use(get, s, FAR__SESSION_GET, error);
  if (status != FAR_OK) return status;
  sqlite3_bind_int64(*get, 1, id);
  const char *texts[10];
  status = far__sql_row(s, *get, "session", id, error);
  if (status == FAR_OK)
    status = far__sql_texts(texts, s, *get, origin_texts,
                            sizeof origin_texts / sizeof *origin_texts, id, error);
  if (status != FAR_OK) return status;
  *out = (origin){.id = sqlite3_column_int64(*get, 0),
                  .version = texts[2],
                  .numerics = sqlite3_column_int(*get, 3),
                  .compiler = texts[4],
                  .machine = texts[5],
                  .processors = sqlite3_column_int(*get, 6),
                  .command = texts[7],
                  .started = texts[8],
                  .last = texts[9]};
  snprintf(out->name, sizeof out->name, "%s", texts[1]);
  *intact = seal_of(out) == sqlite3_column_int64(*get, 10);
  return FAR_OK;
}

/* Stores the time of this commit in the session, unless it is the same. */
static far_status note_time(far_store *s, far_error *error) {
  origin o;
  sqlite3_stmt *get = NULL, *touch;
  char now[TIME];
  bool intact;
  print_now(now);
  far_status status = get_origin(&o, &intact, &get, s, s->session, error);
  bool same = status == FAR_OK && strcmp(o.last, now) == 0;
  if (status == FAR_OK) o.last = now;
  const int64_t seal = status == FAR_OK ? seal_of(&o) : 0;
  if (get != NULL) sqlite3_reset(get);
  if (status != FAR_OK || same) return status;
  status = far__sql_use(&touch, s, FAR__SESSION_TOUCH, error);
  if (status != FAR_OK) return status;
  sqlite3_bind_int64(touch, 1, s->session);
  far__sql_bind_string(touch, 2, now);
  sqlite3_bind_int64(touch, 3, seal);
  return far__sql_run(s, touch, error);
}

far_status far__session_touch(far_store *s, far_error *error) {
  return s->session == 0 ? begin_session(s, error) : note_time(s, error);
}

far_status far__session_copy(int64_t *out, far_store *s, far_store *other, int64_t id,
                             far_error *error) {
  origin o;
  sqlite3_stmt *get = NULL, *find;
  bool intact;
  far_status status = get_origin(&o, &intact, &get, other, id, error);
  if (status == FAR_OK && !intact)
    status = far__fail(error, FAR_STATUS_FORMAT, -1,
                       "'%.200s' is damaged: the checksum of session %lld is wrong", other->path,
                       (long long)id);
  if (status == FAR_OK) status = far__sql_use(&find, s, FAR__SESSION_FIND, error);
  if (status == FAR_OK) {
    far__sql_bind_string(find, 1, o.name);
    status = far__sql_integer(out, s, find, error);
    if (status == FAR_OK && *out == 0) status = add_origin(out, s, &o, error);
  }
  if (get != NULL) sqlite3_reset(get);
  return status;
}

/* ---- reading ---- */

far_status far__session_check(far_store *s, far_fault_fn *fault, void *user, far_error *error) {
  sqlite3_stmt *all;
  far_status status = far__sql_use(&all, s, FAR__SESSION_ALL, error);
  for (bool row = true; status == FAR_OK;) {
    origin o;
    sqlite3_stmt *get = NULL;
    bool intact = true;
    status = far__sql_step(s, all, &row, error);
    if (status != FAR_OK || !row) break;
    status = get_origin(&o, &intact, &get, s, sqlite3_column_int64(all, 0), error);
    if (get != NULL) sqlite3_reset(get);
    if (status == FAR_OK && !intact) {
      char text[100];
      snprintf(text, sizeof text, "the checksum of session %lld is wrong", (long long)o.id);
      fault(user, text);
    }
    if (status != FAR_OK) sqlite3_reset(all);
  }
  return status;
}

/* A session by its row; what it added is not counted. */
static far_status read_session(far_session *out, far_store *s, int64_t id, far_error *error) {
  sqlite3_stmt *get = NULL;
  origin o;
  bool intact;
  far_status status = get_origin(&o, &intact, &get, s, id, error);
  if (status == FAR_OK) {
    const char *const from[] = {o.version, o.compiler, o.machine, o.command, o.started, o.last};
    const char **const to[] = {&out->version, &out->compiler, &out->machine,
                               &out->command, &out->started,  &out->last};
    out->numerics = o.numerics;
    out->processors = o.processors;
    status = far__store_lend(s, from, to, sizeof to / sizeof *to, error);
  }
  if (get != NULL) sqlite3_reset(get);
  return status;
}

far_status far__store_origin(far_session *out, bool *found, far_store *s, int64_t session,
                             far_error *error) {
  sqlite3_stmt *exists;
  int64_t id = 0;
  *out = (far_session){0};
  *found = false;
  far_status status = far__sql_use(&exists, s, FAR__SESSION_EXISTS, error);
  if (status != FAR_OK) return status;
  sqlite3_bind_int64(exists, 1, session);
  status = far__sql_integer(&id, s, exists, error);
  if (status != FAR_OK || id == 0) return status;
  status = read_session(out, s, session, error);
  *found = status == FAR_OK;
  return status;
}

/* Every block must have a session. */
static far_status check_origins(far_store *s, far_error *error) {
  sqlite3_stmt *lost;
  int64_t any = 0;
  far_status status = far__sql_use(&lost, s, FAR__SESSION_LOST, error);
  if (status == FAR_OK) status = far__sql_integer(&any, s, lost, error);
  if (status != FAR_OK || !any) return status;
  return far__fail(error, FAR_STATUS_FORMAT, -1,
                   "'%.200s' is damaged: some of its numbers belong to no session; 'farsight store "
                   "check' lists the damage",
                   s->path);
}

far_status far_store_session(far_session *out, bool *found, far_store *s, size_t index,
                             far_error *error) {
  sqlite3_stmt *list, *runs;
  int64_t id = 0;
  *out = (far_session){0};
  *found = false;
  far_status status = index == 0 ? check_origins(s, error) : FAR_OK;
  if (status == FAR_OK) status = far__sql_use(&list, s, FAR__SESSION_LIST, error);
  if (status != FAR_OK) return status;
  sqlite3_bind_int64(list, 1, (int64_t)index);
  status = far__sql_integer(&id, s, list, error);
  if (status != FAR_OK || id == 0) return status;
  status = read_session(out, s, id, error);
  if (status == FAR_OK) status = far__sql_use(&runs, s, FAR__SESSION_RUNS, error);
  if (status != FAR_OK) return status;
  sqlite3_bind_int64(runs, 1, id);
  *found = true;
  return far__sql_integer(&out->runs, s, runs, error);
}
