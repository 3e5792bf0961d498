#include "lab/store/store.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/clock.h"

static const char *const texts[] = {
#define STATEMENT(name, sql) sql,
#include "lab/store/statements.def"
#undef STATEMENT
};

/* The last error of the system at the file itself. */
static int file_error(far_store *s) {
  int out = 0;
  sqlite3_file_control(s->db, "main", SQLITE_FCNTL_LAST_ERRNO, &out);
  return out;
}

static far_status cannot(far_store *s, const char *doing, const char *why, far_error *error) {
  return far__fail(error, FAR_STATUS_IO, -1,
                   "cannot %s '%.200s': %s; what was committed is kept; start again to resume",
                   doing, s->path, why);
}

/* SQLite also reports damage where the disk fails to read: the system's error shows that. */
static far_status damaged(far_store *s, int code, far_error *error) {
  if (file_error(s) == EIO || file_error(s) == ENXIO)
    return cannot(s, "read", strerror(file_error(s)), error);
  if (far__store_changed(s)) return far__store_doubt(s, FAR_STATUS_FORMAT, error);
  return far__fail(error, FAR_STATUS_FORMAT, -1,
                   "'%.200s' is damaged (%s); it is left unchanged: restore it from a copy (where "
                   "it can be opened, 'farsight store check' lists the damage)",
                   s->path, sqlite3_errstr(code));
}

static far_status endless(far_store *s, far_error *error) {
  return far__fail(error, FAR_STATUS_FORMAT, -1,
                   "'%.200s' is damaged or not a store: reading one of its tables does not end; "
                   "run 'farsight store check' for details",
                   s->path);
}

/* Is the file's folder missing? Where it is there, ENOENT says little: SQLite tries to read what it cannot open for
 * writing, and may report an error of the disk as a missing file. */
static bool is_lost(const far_store *s, int system) {
  struct stat info;
  char folder[FAR__LONGEST_PATH];
  if (system != ENOENT && system != ENOTDIR) return false;
  if (!far__name_beside(folder, s->path, "")) return true;
  char *slash = strrchr(folder, '/');
  if (slash == NULL) return false;
  slash[slash == folder] = '\0';
  return stat(folder, &info) != 0;
}

static const char *open_error(const far_store *s, int code, int system) {
  const bool known = system != 0 && (system != ENOENT || is_lost(s, system));
  return known ? strerror(system) : sqlite3_errstr(code);
}

/* What would be right where the system refuses to open a file. */
static const char *permission_hint(const far_store *s, const char *doing, int system) {
  if (strcmp(doing, "write") == 0)
    return is_lost(s, system) ? "its folder must be there"
                              : "the file and its folder must be writable";
  return far__has_log(s->path) ? "with a log beside it (-wal) its folder must be writable"
                               : "the file must be readable";
}

far_status far__sql_fail(far_store *s, int code, const char *doing, far_error *error) {
  const int system = sqlite3_system_errno(s->db);
  switch (code & 0xff) {
  case SQLITE_NOMEM: return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the store");
  case SQLITE_TOOBIG:
    return far__fail(error, FAR_STATUS_FORMAT, -1,
                     "'%.200s' is damaged or not a store: a row of it has more than %d bytes",
                     s->path, sqlite3_limit(s->db, SQLITE_LIMIT_LENGTH, -1));
  case SQLITE_INTERRUPT:
    return s->endless ? endless(s, error)
                      : far__fail(error, FAR_STATUS_CANCELLED, -1, "stopped on request");
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
  case SQLITE_PROTOCOL:
    if (s->stopped) {
      s->stopped = false;
      return far__fail(error, FAR_STATUS_CANCELLED, -1,
                       "stopped while waiting for another process that writes to '%.200s'",
                       s->path);
    }
    return far__fail(error, FAR_STATUS_IO, -1,
                     "cannot %s '%.200s': another process has kept it locked for %d seconds", doing,
                     s->path, FAR__BUSY_SECONDS);
  case SQLITE_FULL: return cannot(s, doing, "the disk is full", error);
  case SQLITE_IOERR:
    return cannot(s, doing, system != 0 ? strerror(system) : sqlite3_errstr(code), error);
  case SQLITE_CANTOPEN:
  case SQLITE_PERM:
  case SQLITE_AUTH:
  case SQLITE_READONLY:
    return far__fail(error, FAR_STATUS_IO, -1, "cannot %s '%.200s': %s; %s", doing, s->path,
                     open_error(s, code, system), permission_hint(s, doing, system));
  case SQLITE_CORRUPT:
  case SQLITE_NOTADB: return damaged(s, code, error);
  default:
    return far__fail(error, FAR_STATUS_FORMAT, -1,
                     "cannot %s '%.200s', which is not laid out as a store: %s", doing, s->path,
                     sqlite3_errmsg(s->db));
  }
}

far_status far__sql_use(sqlite3_stmt **out, far_store *s, far__statement which, far_error *error) {
  sqlite3_stmt **kept = &s->statement[which];
  *out = NULL;
  if (*kept == NULL) {
    const int code =
        sqlite3_prepare_v3(s->db, texts[which], -1, SQLITE_PREPARE_PERSISTENT, kept, NULL);
    if (code != SQLITE_OK) return far__sql_fail(s, code, "read", error);
  }
  *out = *kept;
  s->rows[which] = 0;
  return FAR_OK;
}

/* ---- limits ---- */

/* Statements that read no numbers, and the longest row that they may meet. */
static int longest_row(const far_store *s, const sqlite3_stmt *statement) {
  static const struct {
    far__statement which;
    int bytes;
  } texts_only[] = {
      {FAR__CELL_GET, 4 * FAR__LONGEST_NAME},       {FAR__CELL_ORDER, 4 * FAR__LONGEST_NAME},
      {FAR__SERIES_OF_CELL, 2 * FAR__LONGEST_TEXT}, {FAR__SERIES_ALL, 2 * FAR__LONGEST_TEXT},
      {FAR__SESSION_GET, 2 * FAR__LONGEST_TEXT},    {FAR__SESSION_LIST, 2 * FAR__LONGEST_TEXT},
  };
  for (size_t i = 0; i < sizeof texts_only / sizeof *texts_only; ++i)
    if (statement == s->statement[texts_only[i].which]) return texts_only[i].bytes;
  return INT_MAX; /* what SQLite can hold */
}

/* Reading a row takes operations in proportion to its bytes; far more of them mean a damaged tree. */
bool far__sql_is_endless(far_store *s, int64_t ticks) {
  if (ticks <= s->most_ticks) return s->endless = false;
  s->most_ticks = 200 + far__store_bytes(s) / 500; /* it may have grown */
  return s->endless = ticks > s->most_ticks;
}

/* A tree whose pages point to each other has rows without end; a row of ours takes over 8 bytes. */
static bool has_run_away(far_store *s, const sqlite3_stmt *statement) {
  for (int i = 0; i < FAR__N_STATEMENTS; ++i) {
    if (statement != s->statement[i] || ++s->rows[i] <= s->most_rows) continue;
    s->most_rows = 1000 + far__store_bytes(s) / 8; /* it may have grown */
    return s->endless = s->rows[i] > s->most_rows;
  }
  return false;
}

far_status far__sql_step(far_store *s, sqlite3_stmt *statement, bool *row, far_error *error) {
  sqlite3_limit(s->db, SQLITE_LIMIT_LENGTH, longest_row(s, statement));
  s->ticks = 0;
  const int code = sqlite3_step(statement);
  *row = code == SQLITE_ROW;
  if (*row && has_run_away(s, statement)) {
    sqlite3_reset(statement);
    *row = false;
    return endless(s, error);
  }
  if (*row) return FAR_OK;
  /* BEGIN and COMMIT are read-only to SQLite, which asks what they change by themselves */
  const bool reads = sqlite3_stmt_readonly(statement) && statement != s->statement[FAR__BEGIN] &&
                     statement != s->statement[FAR__COMMIT];
  const far_status status =
      code == SQLITE_DONE ? FAR_OK : far__sql_fail(s, code, reads ? "read" : "write", error);
  sqlite3_reset(statement);
  return status;
}

far_status far__sql_run(far_store *s, sqlite3_stmt *statement, far_error *error) {
  bool row = true;
  far_status status = FAR_OK;
  while (status == FAR_OK && row) status = far__sql_step(s, statement, &row, error);
  return status;
}

far_status far__sql_text(far_store *s, const char *sql, far_error *error) {
  const int code = sqlite3_exec(s->db, sql, NULL, NULL, NULL);
  return code == SQLITE_OK ? FAR_OK : far__sql_fail(s, code, "write", error);
}

const char *far__sql_string(sqlite3_stmt *statement, int column) {
  const char *text = (const char *)sqlite3_column_text(statement, column);
  return text != NULL ? text : "";
}

far_status far__sql_row(far_store *s, sqlite3_stmt *statement, const char *table, int64_t id,
                        far_error *error) {
  bool row = false;
  const far_status status = far__sql_step(s, statement, &row, error);
  if (status == FAR_STATUS_FORMAT && sqlite3_errcode(s->db) == SQLITE_TOOBIG)
    return far__fail(error, status, -1,
                     "'%.200s' is damaged or not a store: %s %lld has more than %d bytes", s->path,
                     table, (long long)id, longest_row(s, statement));
  if (status != FAR_OK || row) return status;
  return far__fail(error, FAR_STATUS_FORMAT, -1, "'%.200s' is damaged: there is no %s %lld",
                   s->path, table, (long long)id);
}

far_status far__sql_texts(const char **out, far_store *s, sqlite3_stmt *statement,
                          const far__text_column *columns, size_t count, int64_t id,
                          far_error *error) {
  for (size_t i = 0; i < count; ++i) {
    const far__text_column *c = &columns[i];
    out[c->column] = far__sql_string(statement, c->column);
    const int bytes = sqlite3_column_bytes(statement, c->column);
    if (bytes > c->most)
      return far__fail(error, FAR_STATUS_FORMAT, -1,
                       "'%.200s' is damaged or not a store: %s %lld has %d bytes, at most %d",
                       s->path, c->what, (long long)id, bytes, c->most);
  }
  return FAR_OK;
}

void far__sql_bind_string(sqlite3_stmt *statement, int at, const char *text) {
  sqlite3_bind_text(statement, at, text, -1, SQLITE_STATIC);
}

far_status far__sql_integer(int64_t *out, far_store *s, sqlite3_stmt *statement, far_error *error) {
  bool row;
  const far_status status = far__sql_step(s, statement, &row, error);
  *out = status == FAR_OK && row ? sqlite3_column_int64(statement, 0) : 0;
  sqlite3_reset(statement);
  return status;
}

far_status far__sql_number(int64_t *out, far_store *s, const char *sql, far_error *error) {
  sqlite3_stmt *statement = NULL;
  const int code = sqlite3_prepare_v2(s->db, sql, -1, &statement, NULL);
  if (code != SQLITE_OK) return far__sql_fail(s, code, "read", error);
  const far_status status = far__sql_integer(out, s, statement, error);
  sqlite3_finalize(statement);
  return status;
}

/* ---- transactions ---- */

static far_status run_alone(far_store *s, far__statement which, far_error *error) {
  sqlite3_stmt *statement;
  const far_status status = far__sql_use(&statement, s, which, error);
  return status == FAR_OK ? far__sql_run(s, statement, error) : status;
}

/* A transaction may still be open, if there was no memory to end it. */
static far_status begin(far_store *s, far__statement which, far_error *error) {
  const bool open = !sqlite3_get_autocommit(s->db);
  const far_status status = open ? run_alone(s, FAR__ROLLBACK, error) : FAR_OK;
  return status == FAR_OK ? run_alone(s, which, error) : status;
}

/* SQLite waits by itself where it can (the busy handler); some moments, such as the recovery of a
 * killed writer's log by another process, it reports at once. */
far_status far__sql_begin(far_store *s, far_error *error) {
  const double begun = far__clock_seconds();
  far__columns_forget(&s->columns); /* what is written may change them */
  for (;;) {
    const far_status status = begin(s, FAR__BEGIN, error);
    const int code = sqlite3_errcode(s->db) & 0xff;
    const bool locked = code == SQLITE_BUSY || code == SQLITE_LOCKED || code == SQLITE_PROTOCOL;
    if (status == FAR_OK || status == FAR_STATUS_CANCELLED || !locked) return status;
    if (far__wait_is_over(s, begun)) return far__sql_fail(s, SQLITE_BUSY, "write", error);
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
  }
}

far_status far__sql_begin_read(far_store *s, far_error *error) {
  return begin(s, FAR__BEGIN_READ, error);
}

void far__sql_end_read(far_store *s) {
  if (!sqlite3_get_autocommit(s->db)) run_alone(s, FAR__ROLLBACK, NULL);
}

/* Also true where the disk does not answer, and false for a store in memory. */
static bool has_moved(far_store *s) {
  int moved = 0;
  return sqlite3_file_control(s->db, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved;
}

/* The log of a file that was moved stays behind under the old name. SQLite takes no log into such a file when it
 * closes it; a checkpoint that is asked for goes to the open file, and empties the log. It waits for readers as
 * commits do. */
bool far__sql_leave_place(far_store *s) {
  sqlite3_stmt *checkpoint = NULL;
  int64_t busy = 1;
  if (s->mode != FAR_STORE_WRITE || !has_moved(s)) return true;
  if (!sqlite3_get_autocommit(s->db)) run_alone(s, FAR__ROLLBACK, NULL);
  const char *sql = "PRAGMA wal_checkpoint(TRUNCATE)";
  const bool good = sqlite3_prepare_v2(s->db, sql, -1, &checkpoint, NULL) == SQLITE_OK &&
                    far__sql_integer(&busy, s, checkpoint, NULL) == FAR_OK;
  sqlite3_finalize(checkpoint);
  return good && busy == 0;
}

/* A file that was moved or removed would take commits as before, and they would be lost. */
static far_status check_place(far_store *s, far_error *error) {
  struct stat info;
  if (!has_moved(s)) return FAR_OK;
  const int why = stat(s->path, &info) == 0 ? 0 : errno;
  if (why != 0 && why != ENOENT && why != ENOTDIR) return cannot(s, "write", strerror(why), error);
  if (why == 0 && !has_moved(s)) return FAR_OK;
  if (far__sql_leave_place(s))
    return far__fail(error, FAR_STATUS_IO, -1,
                     "cannot write '%.200s': it was moved, removed or replaced while it was in "
                     "use; what was committed is in the moved file, under its new name, and lost "
                     "if it has none; start again to compute what is missing",
                     s->path);
  return far__fail(error, FAR_STATUS_IO, -1,
                   "cannot write '%.200s': it was moved, removed or replaced while it was in use; "
                   "part of what was committed is still in '%.200s-wal': rename that to the moved "
                   "file's new name with -wal before either is used, or remove it",
                   s->path, s->path);
}

far_status far__sql_end(far_store *s, far_status status, far_error *error) {
  if (status == FAR_OK) status = check_place(s, error);
  if (status == FAR_OK) {
    /* rewrites the first page, so that each log has the name of its store in it (store.c, check_log) */
    char sql[60];
    snprintf(sql, sizeof sql, "PRAGMA application_id = %d", FAR__STORE_APPLICATION);
    status = far__sql_text(s, sql, error);
  }
  if (status == FAR_OK) status = run_alone(s, FAR__COMMIT, error);
  /* most failures of SQLite have ended the transaction already */
  if (status != FAR_OK && !sqlite3_get_autocommit(s->db)) run_alone(s, FAR__ROLLBACK, NULL);
  if (status == FAR_OK)
    s->session_kept = s->session;
  else
    s->session = s->session_kept;
  return status;
}

far_status far__sql_abandon(far_store *s, far_error *error) {
  s->session = s->session_kept;
  return run_alone(s, FAR__ROLLBACK, error);
}
