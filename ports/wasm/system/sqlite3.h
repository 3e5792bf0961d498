/* SQLite as far as src/lab/store uses it. It is another WebAssembly module, sqlite3.wasm, which a page starts when a store
 * is opened (sqlite.mjs): handles are addresses in its memory, and functions of numbers and handles are called as they
 * are. Those of texts and bytes copy them between the two memories (sqlite3.c). Without that module no store is ever
 * opened, so that nothing here is reached. */
#ifndef FARSIGHT_WASM_SQLITE3_H
#define FARSIGHT_WASM_SQLITE3_H

#include <stdint.h>

typedef int64_t sqlite3_int64;
typedef uint64_t sqlite3_uint64;
typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;
typedef struct sqlite3_file sqlite3_file;

/* Of the methods of a file the one that is used. */
typedef struct sqlite3_io_methods {
  int (*xRead)(sqlite3_file *file, void *out, int size, sqlite3_int64 from);
} sqlite3_io_methods;

struct sqlite3_file {
  const sqlite3_io_methods *pMethods;
};

/* Numbers of SQLite's interface, which never change. */
enum {
  SQLITE_OK = 0,
  SQLITE_PERM = 3,
  SQLITE_BUSY = 5,
  SQLITE_LOCKED = 6,
  SQLITE_NOMEM = 7,
  SQLITE_READONLY = 8,
  SQLITE_INTERRUPT = 9,
  SQLITE_IOERR = 10,
  SQLITE_CORRUPT = 11,
  SQLITE_FULL = 13,
  SQLITE_CANTOPEN = 14,
  SQLITE_PROTOCOL = 15,
  SQLITE_TOOBIG = 18,
  SQLITE_AUTH = 23,
  SQLITE_NOTADB = 26,
  SQLITE_ROW = 100,
  SQLITE_DONE = 101,
  SQLITE_IOERR_SHORT_READ = SQLITE_IOERR | 2 << 8,

  SQLITE_OPEN_READONLY = 1,
  SQLITE_OPEN_READWRITE = 2,
  SQLITE_OPEN_CREATE = 4,
  SQLITE_OPEN_URI = 0x40,
  SQLITE_OPEN_NOMUTEX = 0x8000,
  SQLITE_PREPARE_PERSISTENT = 1,
  SQLITE_DESERIALIZE_READONLY = 4,
  SQLITE_FCNTL_LAST_ERRNO = 4,
  SQLITE_FCNTL_FILE_POINTER = 7,
  SQLITE_FCNTL_HAS_MOVED = 20,
  SQLITE_LIMIT_LENGTH = 0,
  SQLITE_LIMIT_SQL_LENGTH = 1,
  SQLITE_LIMIT_ATTACHED = 7,
  SQLITE_LIMIT_TRIGGER_DEPTH = 10,
  SQLITE_DBCONFIG_ENABLE_TRIGGER = 1003,
  SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE = 1006,
  SQLITE_DBCONFIG_DEFENSIVE = 1010,
};
#define SQLITE_DBCONFIG_ENABLE_VIEW 1015 /* src/lab/store asks whether there are these two */
#define SQLITE_DBCONFIG_TRUSTED_SCHEMA 1017

typedef void sqlite3_destructor(void *bytes);
#define SQLITE_STATIC ((sqlite3_destructor *)0)

/* ---- of the other module ---- */

#define SQLITE(name) __attribute__((import_module("sqlite"), import_name(#name))) name

int SQLITE(sqlite3_bind_double)(sqlite3_stmt *s, int at, double value);
int SQLITE(sqlite3_bind_int)(sqlite3_stmt *s, int at, int value);
int SQLITE(sqlite3_bind_int64)(sqlite3_stmt *s, int at, sqlite3_int64 value);
int SQLITE(sqlite3_clear_bindings)(sqlite3_stmt *s);
int SQLITE(sqlite3_column_bytes)(sqlite3_stmt *s, int column);
double SQLITE(sqlite3_column_double)(sqlite3_stmt *s, int column);
int SQLITE(sqlite3_column_int)(sqlite3_stmt *s, int column);
sqlite3_int64 SQLITE(sqlite3_column_int64)(sqlite3_stmt *s, int column);
int SQLITE(sqlite3_errcode)(sqlite3 *db);
int SQLITE(sqlite3_extended_result_codes)(sqlite3 *db, int on);
int SQLITE(sqlite3_get_autocommit)(sqlite3 *db);
sqlite3_int64 SQLITE(sqlite3_last_insert_rowid)(sqlite3 *db);
int SQLITE(sqlite3_limit)(sqlite3 *db, int which, int value);
int SQLITE(sqlite3_stmt_readonly)(sqlite3_stmt *s);

/* ---- of sqlite3.c ---- */

int sqlite3_bind_blob64(sqlite3_stmt *s, int at, const void *bytes, sqlite3_uint64 size,
                        sqlite3_destructor *done);
int sqlite3_bind_text(sqlite3_stmt *s, int at, const char *text, int size,
                      sqlite3_destructor *done);
int sqlite3_close(sqlite3 *db);
const void *sqlite3_column_blob(sqlite3_stmt *s, int column);
const unsigned char *sqlite3_column_text(sqlite3_stmt *s, int column);
int sqlite3_db_config(sqlite3 *db, int option, int on, int *out);
int sqlite3_db_readonly(sqlite3 *db, const char *name);
const char *sqlite3_errmsg(sqlite3 *db);
const char *sqlite3_errstr(int code);
int sqlite3_exec(sqlite3 *db, const char *sql, void *call, void *user, char **message);
int sqlite3_file_control(sqlite3 *db, const char *name, int option, void *out);
int sqlite3_finalize(sqlite3_stmt *s);
int sqlite3_open_v2(const char *path, sqlite3 **out, int flags, const char *vfs);
int sqlite3_prepare_v2(sqlite3 *db, const char *sql, int size, sqlite3_stmt **out,
                       const char **tail);
int sqlite3_prepare_v3(sqlite3 *db, const char *sql, int size, unsigned flags, sqlite3_stmt **out,
                       const char **tail);
void sqlite3_progress_handler(sqlite3 *db, int operations, int (*call)(void *user), void *user);
int sqlite3_reset(sqlite3_stmt *s);
int sqlite3_step(sqlite3_stmt *s);

/* Nobody else has the file, and no system has an opinion. */
static inline int sqlite3_busy_handler(sqlite3 *db, int (*call)(void *user, int times),
                                       void *user) {
  (void)db, (void)call, (void)user;
  return SQLITE_OK;
}

static inline int sqlite3_system_errno(sqlite3 *db) {
  (void)db;
  return 0;
}

#endif
