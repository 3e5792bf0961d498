/* Opening and closing. A file is looked at before SQLite reads it, through SQLite's own descriptor (to
 * close another one would give up the locks of this process), so that nothing foreign is touched. */
#include "lab/store/store.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "lab/store/access.h"

typedef struct object {
  const char *type, *name, *sql;
} object;

static const object schema[] = {
    {"table", "session",
     "CREATE TABLE session(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, version TEXT NOT "
     "NULL, "
     "numerics INTEGER NOT NULL, compiler TEXT NOT NULL, machine TEXT NOT NULL, "
     "processors INTEGER NOT NULL, command TEXT NOT NULL, started TEXT NOT NULL, last TEXT NOT "
     "NULL, "
     "seal INTEGER NOT NULL)"},
    {"table", "cell",
     "CREATE TABLE cell(id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, env TEXT NOT NULL, "
     "model TEXT NOT NULL, agent TEXT NOT NULL, steps INTEGER NOT NULL, seed TEXT NOT NULL, "
     "numerics INTEGER NOT NULL)"},
    {"table", "series",
     "CREATE TABLE series(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, width INTEGER NOT "
     "NULL)"},
    {"table", "block",
     "CREATE TABLE block(id INTEGER PRIMARY KEY, cell INTEGER NOT NULL REFERENCES cell, "
     "series INTEGER NOT NULL REFERENCES series, first INTEGER NOT NULL, runs INTEGER NOT NULL, "
     "content BLOB NOT NULL, seal INTEGER NOT NULL, session INTEGER NOT NULL REFERENCES session, "
     "seconds REAL NOT NULL)"},
    {"index", "block_place", "CREATE UNIQUE INDEX block_place ON block(cell, series, first, runs)"},
    /* from format 2 on */
    {"table", "snapshot",
     "CREATE TABLE snapshot(id INTEGER PRIMARY KEY, cell INTEGER NOT NULL REFERENCES cell, "
     "replicate INTEGER NOT NULL, step INTEGER NOT NULL, states INTEGER NOT NULL, "
     "actions INTEGER NOT NULL, parts INTEGER NOT NULL, content BLOB NOT NULL, "
     "seal INTEGER NOT NULL, session INTEGER NOT NULL REFERENCES session)"},
    {"index", "snapshot_place",
     "CREATE UNIQUE INDEX snapshot_place ON snapshot(cell, replicate, step)"},
    /* from format 3 on */
    {"table", "label",
     "CREATE TABLE label(cell INTEGER NOT NULL REFERENCES cell, env TEXT NOT NULL, agent TEXT NOT "
     "NULL, UNIQUE(cell, env, agent))"},
    {"table", "shared",
     "CREATE TABLE shared(cell INTEGER PRIMARY KEY REFERENCES cell, key TEXT NOT NULL)"},
    {"index", "shared_key", "CREATE INDEX shared_key ON shared(key)"},
    {"table", "episodes",
     "CREATE TABLE episodes(cell INTEGER PRIMARY KEY REFERENCES cell, episodes INTEGER NOT NULL)"},
};

/* What SQLite adds by itself: an index for each UNIQUE, and what ANALYZE leaves. */
static const object added[] = {
    {"index", "sqlite_autoindex_session_1", ""},
    {"index", "sqlite_autoindex_cell_1", ""},
    {"index", "sqlite_autoindex_series_1", ""},
    {"index", "sqlite_autoindex_label_1", ""},
    {"table", "sqlite_stat1", "CREATE TABLE sqlite_stat1(tbl,idx,stat)"},
    {"table", "sqlite_stat4", "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)"},
};

enum {
  N_SCHEMA = sizeof schema / sizeof *schema,
  N_ADDED = sizeof added / sizeof *added,
  HEADER = 100,
  NAMES = 1 << 16,       /* the least name of a store; those of version 1.0 have none */
  SCHEMA_CHANGES = 1000, /* far more than a store ever has */
  LONGEST_SQL = 4096     /* of ours, and of any table in a file that is looked at */
};

/* How many objects of the schema a store of each format has. */
static const int n_objects[] = {[FAR__STORE_PLAIN] = N_SCHEMA - 6,
                                [FAR__STORE_SNAPSHOTS] = N_SCHEMA - 4,
                                [FAR__STORE_LABELS] = N_SCHEMA};

/* ---- waiting ---- */

bool far__wait_is_over(far_store *s, double begun) {
  const double waited = far__clock_seconds() - begun;
  if (s->closing) return waited > 1;
  const bool go = s->go_on == NULL || s->go_on(s->go_user, waited);
  s->stopped = !go && (s->in_long_call || waited > 1);
  return s->stopped || waited > FAR__BUSY_SECONDS;
}

/* Pauses grow, and the clock randomises them, so that no two processes wait in step. */
static int wait_a_little(void *user, int times) {
  far_store *s = user;
  if (times == 0) s->busy_since = far__clock_seconds();
  if (far__wait_is_over(s, s->busy_since)) return 0;
  const int most = times < 8 ? 1 << times : 200; /* milliseconds */
  const int64_t moment = (int64_t)(1e9 * far__clock_seconds());
  const struct timespec pause = {.tv_nsec =
                                     (long)(moment % (most * 1000000L)) / 2 + most * 500000L};
  nanosleep(&pause, NULL);
  return 1;
}

/* Called in the middle of a statement. A short call, which stores finished runs, is cancelled only after a second, which
 * is longer than any such statement takes. */
static int ask_to_go_on(void *user) {
  far_store *s = user;
  if (s->ticks == 0) s->tick_since = far__clock_seconds();
  if (far__sql_is_endless(s, ++s->ticks)) return 1;
  if (s->closing || s->go_on == NULL || s->go_on(s->go_user, 0)) return 0;
  return s->in_long_call || far__clock_seconds() - s->tick_since > 1;
}

far_status far__ask(far_store *s, far_error *error) {
  if (s->go_on == NULL || s->go_on(s->go_user, 0)) return FAR_OK;
  return far__fail(error, FAR_STATUS_CANCELLED, -1, "stopped on request");
}

void far__long_call(far_store *s, bool begins) {
  s->in_long_call = begins;
}

void far__store_watch(far_store *s, far__go_fn *go_on, void *user) {
  s->go_on = go_on;
  s->go_user = user;
}

/* ---- what kind of file it is ---- */

static uint32_t big_endian(const uint8_t *p) {
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static far_status check_versions(far_store *s, uint32_t application, uint32_t format,
                                 far_error *error) {
  if (application != FAR__STORE_APPLICATION)
    return far__fail(
        error, FAR_STATUS_FORMAT, -1,
        "'%.200s' is a database of another program, not a farsight store; it is left unchanged",
        s->path);
  if (format > FAR__STORE_LABELS)
    return far__fail(error, FAR_STATUS_MISMATCH, -1,
                     "'%.200s' was written by a later version of farsight (format %lu; this one "
                     "reads up to %d); it is left unchanged",
                     s->path, (unsigned long)format, FAR__STORE_LABELS);
  if (format < 1)
    return far__fail(error, FAR_STATUS_FORMAT, -1,
                     "'%.200s' is damaged: it has no format number; it is left unchanged", s->path);
  return FAR_OK;
}

/* Reads the header as bytes, without locks. *empty: there is nothing in the file yet; *name: see name_it. */
static far_status look(far_store *s, bool *empty, uint32_t *name, far_error *error) {
  sqlite3_file *file = NULL;
  struct stat info;
  uint8_t header[HEADER] = {0};
  sqlite3_file_control(s->db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (file == NULL || file->pMethods == NULL)
    return far__fail(error, FAR_STATUS_IO, -1, "cannot read '%.200s'", s->path);
  if (stat(s->path, &info) != 0)
    return far__fail(error, FAR_STATUS_IO, -1, "cannot read '%.200s': %s", s->path,
                     strerror(errno));
  *empty = info.st_size == 0;
  if (*empty) return FAR_OK;
  const int code =
      info.st_size >= HEADER ? file->pMethods->xRead(file, header, HEADER, 0) : SQLITE_OK;
  if (code != SQLITE_OK) return far__sql_fail(s, code, "read", error);
  if (memcmp(header, "SQLite format 3", 16) != 0)
    return far__fail(error, FAR_STATUS_FORMAT, -1,
                     "'%.200s' is not a farsight store; it is left unchanged", s->path);
  *name = big_endian(header + 40);
  return check_versions(s, big_endian(header + 68), big_endian(header + 60), error);
}

/* SQLite takes whatever lies beside a file as its log. A log of ours has the name of its store in it, so that it is
 * seen where another file took the store's place. Until then nothing goes from the log into the file. */
static far_status check_log(far_store *s, uint32_t name, far_error *error) {
  int64_t seen = 0;
  if (!far__has_log(s->path)) return FAR_OK;
  sqlite3_db_config(s->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
  const far_status status = far__sql_number(&seen, s, "PRAGMA schema_version", error);
  if (status != FAR_OK) return status;
  if (name >= NAMES && (uint32_t)seen - name > SCHEMA_CHANGES)
    return far__fail(
        error, FAR_STATUS_IO, -1,
        "cannot %s '%.200s': the log beside it ('%.200s-wal') is of another store, which was "
        "moved, "
        "removed or replaced while it was written. If its writer still runs, wait until it has "
        "stopped; otherwise give the log the moved store's name with -wal, or remove it",
        s->mode == FAR_STORE_READ ? "read" : "write", s->path, s->path);
  if (s->mode == FAR_STORE_WRITE)
    sqlite3_db_config(s->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, NULL);
  return FAR_OK;
}

static const object *find_object(const object *list, size_t count, const object *wanted) {
  for (size_t i = 0; i < count; ++i)
    if (strcmp(list[i].type, wanted->type) == 0 && strcmp(list[i].name, wanted->name) == 0 &&
        strcmp(list[i].sql, wanted->sql) == 0)
      return &list[i];
  return NULL;
}

/* One row of the schema; *seen has a bit for each of the first n objects of ours, and no others may be there. A trigger, a view or an expression of an
 * index is a program that SQLite would run for whoever wrote the file, so that none is taken. */
static far_status check_object(unsigned *seen, size_t n, far_store *s, sqlite3_stmt *row,
                               far_error *error) {
  const object it = {far__sql_string(row, 0), far__sql_string(row, 1), far__sql_string(row, 2)};
  const object *ours = find_object(schema, n, &it);
  const unsigned bit = ours != NULL ? 1u << (ours - schema) : 0;
  if (find_object(added, N_ADDED, &it) != NULL || (bit & ~*seen) != 0) {
    *seen |= bit;
    return FAR_OK;
  }
  return far__fail(error, FAR_STATUS_FORMAT, -1,
                   "'%.200s' is damaged or not a store: it has the %.20s '%.60s', and a store has "
                   "nothing but its own tables; it is left unchanged",
                   s->path, it.type, it.name);
}

/* Every table as we made it, and nothing else. */
static far_status check_schema(far_store *s, int64_t format, far_error *error) {
  const size_t n = (size_t)n_objects[format];
  sqlite3_stmt *list = NULL;
  unsigned seen = 0;
  const int code =
      sqlite3_prepare_v2(s->db, "SELECT type, name, sql FROM sqlite_master", -1, &list, NULL);
  far_status status = code == SQLITE_OK ? FAR_OK : far__sql_fail(s, code, "read", error);
  for (bool row = true; status == FAR_OK;) {
    status = far__sql_step(s, list, &row, error);
    if (status != FAR_OK || !row) break;
    status = check_object(&seen, n, s, list, error);
  }
  sqlite3_finalize(list);
  if (status != FAR_OK || seen == (1u << n) - 1) return status;
  return far__fail(error, FAR_STATUS_FORMAT, -1,
                   "'%.200s' is damaged: its tables are not those of a store; it is left unchanged",
                   s->path);
}

static far_status check_tables(far_store *s, far_error *error) {
  int64_t application = 0, format = 0;
  far_status status = far__sql_number(&application, s, "PRAGMA application_id", error);
  if (status == FAR_OK) status = far__sql_number(&format, s, "PRAGMA user_version", error);
  if (status == FAR_OK) status = check_versions(s, (uint32_t)application, (uint32_t)format, error);
  return status == FAR_OK ? check_schema(s, format, error) : status;
}

/* Checks versions and tables as SQLite sees them, with the log if there is one. In one transaction, since another process
 * may add tables; it must end before the log can be used. */
static far_status check_layout(far_store *s, far_error *error) {
  far_status status = far__sql_begin_read(s, error);
  if (status != FAR_OK) return status;
  status = check_tables(s, error);
  const far_status ended = far__sql_abandon(s, status == FAR_OK ? error : NULL);
  return status == FAR_OK ? ended : status;
}

/* ---- a new one ---- */

/* From one format (0: nothing yet) to a later one. */
static far_status make_tables(far_store *s, int64_t from, int to, far_error *error) {
  char sql[80];
  far_status status = FAR_OK;
  for (int i = from > 0 ? n_objects[from] : 0; status == FAR_OK && i < n_objects[to]; ++i)
    status = far__sql_text(s, schema[i].sql, error);
  snprintf(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = %d",
           FAR__STORE_APPLICATION, to);
  if (status == FAR_OK) status = far__sql_text(s, sql, error);
  return status;
}

far_status far__store_has(bool *out, far_store *s, int format, far_error *error) {
  int64_t now = 0;
  const far_status status = far__sql_number(&now, s, "PRAGMA user_version", error);
  *out = now >= format;
  return status;
}

far_status far__store_grow(far_store *s, int format, far_error *error) {
  int64_t now = 0;
  const far_status status = far__sql_number(&now, s, "PRAGMA user_version", error);
  return status == FAR_OK && now < format ? make_tables(s, now, format, error) : status;
}

/* The number that SQLite counts changes of the schema with, which stands in the first page, begins at random: the
 * name of the store, by which its log is known. Every commit writes that page (far__sql_end). */
static far_status name_it(far_store *s, far_error *error) {
  int64_t number;
  char sql[60];
  far_status status = far__sql_number(&number, s, "SELECT abs(random() % 2000000000)", error);
  if (status != FAR_OK) return status;
  snprintf(sql, sizeof sql, "PRAGMA schema_version = %lld", (long long)number + NAMES);
  sqlite3_db_config(s->db, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL); /* which forbids it */
  status = far__sql_text(s, sql, error);
  sqlite3_db_config(s->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  return status;
}

/* In one transaction: a process that is killed leaves an empty file, or a journal by which SQLite makes
 * it empty again. Another may have been faster. */
static far_status make(far_store *s, far_error *error) {
  int64_t tables = 0;
  far_status status = far__sql_begin(s, error);
  if (status != FAR_OK) return status;
  status = far__sql_number(&tables, s, "SELECT count(*) FROM sqlite_master", error);
  if (status == FAR_OK && tables == 0) status = make_tables(s, 0, FAR__STORE_PLAIN, error);
  if (status == FAR_OK && tables == 0) status = name_it(s, error);
  return far__sql_end(s, status, error);
}

/* Changing to WAL needs the file for itself for a moment, and does not wait by itself. */
static far_status use_log(far_store *s, far_error *error) {
  const double begun = far__clock_seconds();
  for (;;) {
    const int code = sqlite3_exec(s->db, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);
    const int kind = code & 0xff;
    if (code == SQLITE_OK) return far__sql_text(s, "PRAGMA synchronous = FULL", error);
    if ((kind != SQLITE_BUSY && kind != SQLITE_LOCKED && kind != SQLITE_PROTOCOL) || s->stopped ||
        far__wait_is_over(s, begun))
      return far__sql_fail(s, code, "write", error);
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
  }
}

/* ---- opening ---- */

static char *join(const char *x, const char *y) {
  char *out = malloc(strlen(x) + strlen(y) + 1);
  if (out != NULL) sprintf(out, "%s%s", x, y);
  return out;
}

/* A URI of the file, for one that cannot change. */
static char *immutable_uri(const char *path) {
  char *out = malloc(3 * strlen(path) + 32), *p = out;
  if (out == NULL) return NULL;
  p += sprintf(p, "file:");
  for (const char *c = path; *c != '\0'; ++c)
    p += strchr("%?#", *c) != NULL ? sprintf(p, "%%%02X", (unsigned)(unsigned char)*c)
                                   : (*p = *c, 1);
  sprintf(p, "?immutable=1");
  return out;
}

/* SQLite follows links: the log lies beside the file itself. */
bool far__name_beside(char out[FAR__LONGEST_PATH], const char *path, const char *suffix) {
  char real[PATH_MAX];
  const char *file = realpath(path, real) != NULL ? real : path;
  return snprintf(out, FAR__LONGEST_PATH, "%s%s", file, suffix) < FAR__LONGEST_PATH;
}

bool far__has_log(const char *path) {
  struct stat info;
  char log[FAR__LONGEST_PATH];
  return far__name_beside(log, path, "-wal") && stat(log, &info) == 0 && info.st_size > 0;
}

/* The size, and the time of modification in nanoseconds as far as the file system has it. */
static bool look_at_file(const char *path, int64_t *size, int64_t *moment) {
  struct stat info;
  if (stat(path, &info) != 0) return false;
  *size = (int64_t)info.st_size;
  *moment = (int64_t)info.st_mtim.tv_sec * 1000000000 + info.st_mtim.tv_nsec;
  return true;
}

bool far__store_changed(const far_store *s) {
  int64_t size, moment;
  if (!s->immutable) return false;
  return far__has_log(s->path) || !look_at_file(s->path, &size, &moment) || size != s->size ||
         moment != s->moment;
}

far_status far__store_doubt(far_store *s, far_status status, far_error *error) {
  if (status != FAR_STATUS_FORMAT || !far__store_changed(s)) return status;
  return far__fail(error, FAR_STATUS_IO, -1,
                   "cannot read '%.200s': it was being written meanwhile; try again", s->path);
}

static bool folder_is_writable(const char *path) {
  char folder[FAR__LONGEST_PATH];
  if (!far__name_beside(folder, path, "")) return false;
  char *slash = strrchr(folder, '/');
  if (slash == NULL) return access(".", W_OK) == 0;
  slash[slash == folder] = '\0';
  return access(folder, W_OK) == 0;
}

/* The file is untrusted: nothing that it defines is run. */
static void distrust(sqlite3 *db) {
  sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
#ifdef SQLITE_DBCONFIG_ENABLE_VIEW /* since 3.30 */
  sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
#endif
#ifdef SQLITE_DBCONFIG_TRUSTED_SCHEMA /* since 3.31 */
  sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
#endif
  sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_limit(db, SQLITE_LIMIT_TRIGGER_DEPTH, 1);
  sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, LONGEST_SQL);
}

static far_status open_file(far_store *s, const char *name, int flags, far_error *error) {
  const int code = sqlite3_open_v2(name, &s->db, flags | SQLITE_OPEN_NOMUTEX, NULL);
  if (s->db == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the store");
  if (code != SQLITE_OK)
    return far__sql_fail(s, code, s->mode != FAR_STORE_READ ? "write" : "read", error);
  sqlite3_extended_result_codes(s->db, 1);
  sqlite3_busy_handler(s->db, wait_a_little, s);
  sqlite3_progress_handler(s->db, FAR__TICK, ask_to_go_on, s);
  distrust(s->db);
  return FAR_OK;
}

/* Where nothing may be written beside the file, SQLite can read it only as one that does not change. A
 * reader that may write leaves no traces: what it makes beside the file goes when it is closed, and the
 * log of a killed writer stays for the next writer. */
static far_status open_to_read(far_store *s, far_error *error) {
  const bool log = far__has_log(s->path);
  far_status status;
  if (access(s->path, W_OK) == 0 && folder_is_writable(s->path)) {
    status = open_file(s, s->file, SQLITE_OPEN_READWRITE, error);
    if (status == FAR_OK && log)
      sqlite3_db_config(s->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
  } else if (log) {
    status = open_file(s, s->file, SQLITE_OPEN_READONLY, error);
  } else {
    char *uri = immutable_uri(s->file);
    s->immutable = look_at_file(s->path, &s->size, &s->moment);
    if (uri == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the store");
    status = open_file(s, uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, error);
    free(uri);
  }
  return status;
}

static far_status open_to_write(far_store *s, far_error *error) {
  /* The file is made here, so that it is known whose it is; what fails, SQLite reports. Nobody in this process has
   * locks on a new file, which the closing of another descriptor would give up. */
  if (s->mode == FAR_STORE_WRITE) s->fresh = far__file_make(s->file);
  const far_status status =
      open_file(s, s->file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, error);
  if (status == FAR_OK && sqlite3_db_readonly(s->db, "main") == 1)
    return far__fail(error, FAR_STATUS_IO, -1, "cannot write '%.200s': %s", s->path,
                     access(s->path, W_OK) == 0 ? "the system does not open it for writing"
                                                : "it is read-only");
  return status;
}

static far_status name_memory(far_store *s, const char *path, far_error *error) {
  s->path = strdup(path[0] != '\0' ? path : ":memory:");
  s->file = strdup(":memory:");
  return s->path != NULL && s->file != NULL
             ? FAR_OK
             : far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the store");
}

/* Two names of one file have a log each, and what is in one of them the other name does not show. */
static far_status check_links(const struct stat *info, const char *path, far_error *error) {
  if (info->st_nlink < 2) return FAR_OK;
  return far__fail(error, FAR_STATUS_IO, -1,
                   "cannot write '%.200s': the file has %llu names (hard links), and a log beside "
                   "each of them would lose results; remove the other names, or write to a copy",
                   path, (unsigned long long)info->st_nlink);
}

/* SQLite removes the log beside a new file. */
static far_status check_left_log(const char *path, far_error *error) {
  if (!far__has_log(path)) return FAR_OK;
  return far__fail(error, FAR_STATUS_IO, -1,
                   "cannot write '%.200s': there is no such file, but the log of one "
                   "('%.200s-wal'), which may have results: if that store was renamed, give its "
                   "log the new name with -wal; otherwise remove the log",
                   path, path);
}

/* A file that is to be written: it has one name, or is none yet. */
static far_status check_target(bool there, const struct stat *info, const char *path,
                               far_error *error) {
  return there ? check_links(info, path, error) : check_left_log(path, error);
}

static far_status check_path(far_store *s, const char *path, far_error *error) {
  struct stat info;
  if (s->mode == FAR_STORE_MEMORY) return name_memory(s, path, error);
  const bool there = stat(path, &info) == 0;
  if (path[0] == '\0') return far__fail(error, FAR_STATUS_IO, -1, "a store needs a file name");
  if (there && !S_ISREG(info.st_mode))
    return far__fail(error, FAR_STATUS_IO, -1, "'%.200s' is not a regular file, so not a store",
                     path);
  if (!there && (s->mode == FAR_STORE_READ || errno != ENOENT))
    return far__fail(error, FAR_STATUS_IO, -1, "cannot %s '%.200s': %s",
                     s->mode == FAR_STORE_READ ? "read" : "write", path, strerror(errno));
  const far_status target =
      s->mode == FAR_STORE_WRITE ? check_target(there, &info, path, error) : FAR_OK;
  if (target != FAR_OK) return target;
  s->path = strdup(path);
  s->file = path[0] == '/' ? strdup(path) : join("./", path); /* ":memory:" is a file, too */
  return s->path != NULL && s->file != NULL
             ? FAR_OK
             : far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the store");
}

/* SQLite undoes what a journal beside the file says, before anything of the file can be checked. One of several
 * databases together ends with the name of a file, which SQLite then deletes, whatever that is: ours never does, so
 * that such a journal is a trap. A pipe in its place would be waited for. */
static far_status check_journal(const far_store *s, far_error *error) {
  static const uint8_t mark[] = {0xd9, 0xd5, 0x05, 0xf9,
                                 0x20, 0xa1, 0x63, 0xd7}; /* behind a name */
  char name[FAR__LONGEST_PATH];
  struct stat info;
  bool trap;
  if (!far__name_beside(name, s->path, "-journal") || stat(name, &info) != 0) return FAR_OK;
  const far_status status = far__file_ends_with(&trap, name, mark, sizeof mark, error);
  if (status != FAR_OK || !trap) return status;
  return far__fail(error, FAR_STATUS_FORMAT, -1,
                   "'%.200s' is not opened: the journal beside it (-journal) is not of farsight, "
                   "and names a file that would be deleted",
                   s->path);
}

static far_status open_store(far_store *s, far_error *error) {
  bool empty = false;
  uint32_t name = 0;
  if (s->mode == FAR_STORE_MEMORY) {
    const far_status status = open_to_write(s, error);
    return status == FAR_OK ? make(s, error) : status;
  }
  const bool write = s->mode == FAR_STORE_WRITE;
  far_status status = check_journal(s, error);
  if (status == FAR_OK) status = write ? open_to_write(s, error) : open_to_read(s, error);
  if (status == FAR_OK) status = look(s, &empty, &name, error);
  if (status == FAR_OK && !empty) status = check_log(s, name, error);
  if (status == FAR_OK && !empty) {
    /* it may be empty after all, once SQLite has undone what a killed process had begun */
    int64_t pages = 0;
    status = far__sql_number(&pages, s, "PRAGMA page_count", error);
    empty = pages == 0;
  }
  if (status == FAR_OK && empty && !write)
    status = far__fail(error, FAR_STATUS_FORMAT, -1, "'%.200s' is empty, and so not a store yet",
                       s->path);
  if (status == FAR_OK && empty) status = make(s, error);
  if (status == FAR_OK) status = far__sql_text(s, "PRAGMA cell_size_check = ON", error);
  if (status == FAR_OK && !write) status = far__sql_text(s, "PRAGMA query_only = ON", error);
  if (status == FAR_OK) status = check_layout(s, error);
  if (status == FAR_OK && write) status = use_log(s, error);
  return status;
}

far_status far_store_open(far_store **out, const char *path, far_store_mode mode,
                          far_error *error) {
  return far__store_open_watched(out, path, mode, NULL, NULL, error);
}

far_status far__store_open_watched(far_store **out, const char *path, far_store_mode mode,
                                   far__go_fn *go_on, void *user, far_error *error) {
  *out = NULL;
  far_store *s = calloc(1, sizeof *s);
  if (s == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the store");
  s->mode = mode;
  far__store_watch(s, go_on, user);
  far_status status = check_path(s, path, error);
  far__long_call(s, true);
  if (status == FAR_OK) status = far__store_doubt(s, open_store(s, error), error);
  far__long_call(s, false);
  if (status == FAR_OK) {
    s->fresh = false;
    *out = s;
  } else {
    far_store_close(s);
  }
  return status;
}

void far_store_close(far_store *s) {
  if (s == NULL) return;
  s->closing = true;
  for (int i = 0; i < FAR__N_STATEMENTS; ++i) sqlite3_finalize(s->statement[i]);
  memset(s->statement, 0, sizeof s->statement);
  if (s->db != NULL) far__sql_leave_place(s);
  sqlite3_finalize(s->statement[FAR__ROLLBACK]); /* which that may have used */
  sqlite3_close(s->db);                          /* the last one takes the log into the file */
  /* An empty file is no store. A process that waits to fill it notices at its commit. */
  struct stat info;
  if (s->fresh && stat(s->file, &info) == 0 && info.st_size == 0) unlink(s->file);
  free(s->path);
  free(s->file);
  free(s->command);
  free(s->order);
  far__columns_forget(&s->columns);
  free(s->shown);
  free(s);
}

far_status far_store_command(far_store *s, const char *command, far_error *error) {
  char *copy = strndup(command, FAR__LONGEST_TEXT);
  if (copy == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the command");
  free(s->command);
  s->command = copy;
  s->session = s->session_kept = 0; /* what follows has another origin */
  return FAR_OK;
}
