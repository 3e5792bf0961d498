/* The functions of SQLite that take or return texts and bytes: what stands in one module's memory is copied into the
 * other's. SQLite copies what is bound (TRANSIENT), so that nothing of ours is left there. */
#include "sqlite3.h"

#include <stdlib.h>
#include <string.h>

#include "page-file.h"

typedef uint32_t there; /* an address in the memory of SQLite */

#define THERE(name) __attribute__((import_module("sqlite"), import_name(#name)))

THERE(put) void put(there to, const void *from, size_t size);
THERE(get) void get(void *to, there from, size_t size);
THERE(progress) void progress(sqlite3 *db, int operations, void *user);
THERE(sqlite3_malloc) there there_alloc(int size);
THERE(sqlite3_free) void there_free(there block);
THERE(sqlite3_bind_blob)
int there_bind_blob(sqlite3_stmt *s, int at, there bytes, int size, int done);
THERE(sqlite3_bind_text)
int there_bind_text(sqlite3_stmt *s, int at, there text, int size, int done);
THERE(sqlite3_close_v2) int there_close(sqlite3 *db);
THERE(sqlite3_column_blob) there there_column_blob(sqlite3_stmt *s, int column);
THERE(sqlite3_column_text) there there_column_text(sqlite3_stmt *s, int column);
THERE(sqlite3__wasm_db_config_ip) int there_db_config(sqlite3 *db, int option, int on, there out);
THERE(sqlite3_db_readonly) int there_db_readonly(sqlite3 *db, there name);
THERE(sqlite3_deserialize)
int there_deserialize(sqlite3 *db, there name, there bytes, int64_t size, int64_t room, int flags);
THERE(sqlite3_errmsg) there there_errmsg(sqlite3 *db);
THERE(sqlite3_errstr) there there_errstr(int code);
THERE(sqlite3_exec) int there_exec(sqlite3 *db, there sql, int call, int user, there message);
THERE(sqlite3_finalize) int there_finalize(sqlite3_stmt *s);
THERE(sqlite3_open_v2) int there_open(there path, there out, int flags, there vfs);
THERE(sqlite3_prepare_v3)
int there_prepare(sqlite3 *db, there sql, int size, unsigned flags, there out, there tail);
THERE(sqlite3_reset) int there_reset(sqlite3_stmt *s);
THERE(sqlite3_step) int there_step(sqlite3_stmt *s);

enum { TRANSIENT = -1 };

/* A copy of bytes over there; 0 without memory. */
static there send(const void *bytes, size_t size) {
  const there at = size < INT32_MAX ? there_alloc((int)size + 1) : 0; /* not 0 bytes */
  if (at != 0) put(at, bytes, size);
  return at;
}

static there send_text(const char *text) {
  return send(text, strlen(text) + 1);
}

/* ---- files of the page ---- */

typedef struct page_file {
  sqlite3_file base;
  struct page_file *next;
  there at;
  uint32_t size;
  sqlite3 *db; /* that has it open; or NULL */
  char name[];
} page_file;

static page_file *files;

/* What points to the file of that name, or of that database; to NULL if there is none. */
static page_file **find_file(const char *name, const sqlite3 *db) {
  page_file **at = &files;
  while (*at != NULL && (name != NULL ? strcmp((*at)->name, name) != 0 : (*at)->db != db))
    at = &(*at)->next;
  return at;
}

static void drop(page_file **at) {
  page_file *file = *at;
  if (file == NULL) return;
  *at = file->next;
  there_free(file->at);
  free(file);
}

static int read_file(sqlite3_file *base, void *out, int size, sqlite3_int64 from) {
  const page_file *file = (const page_file *)base;
  if (from < 0 || size < 0 || from + size > file->size) return SQLITE_IOERR_SHORT_READ;
  get(out, file->at + (there)from, (size_t)size);
  return SQLITE_OK;
}

bool far__page_file_add(const char *name, uint32_t at, uint32_t size) {
  static const sqlite3_io_methods methods = {.xRead = read_file};
  const size_t length = strlen(name) + 1;
  page_file *file = malloc(sizeof *file + length);
  if (file == NULL) return false;
  *file = (page_file){.base = {&methods}, .next = files, .at = at, .size = size};
  memcpy(file->name, name, length);
  files = file;
  return true;
}

void far__page_file_free(uint32_t at) {
  there_free(at);
}

void far__page_file_drop(const char *name) {
  drop(find_file(name, NULL));
}

int64_t far__page_file_size(const char *name) {
  const page_file *file = *find_file(name, NULL);
  return file != NULL ? (int64_t)file->size : -1;
}

/* The store looks at the first bytes before SQLite does. */
int sqlite3_file_control(sqlite3 *db, const char *name, int option, void *out) {
  page_file *file = *find_file(NULL, db);
  (void)name; /* "main" alone is asked for */
  if (option == SQLITE_FCNTL_LAST_ERRNO || option == SQLITE_FCNTL_HAS_MOVED)
    *(int *)out = 0; /* there is no disk */
  else
    *(sqlite3_file **)out = file != NULL ? &file->base : NULL;
  return SQLITE_OK;
}

/* ---- opening and closing ---- */

static int hex(char digit) {
  return digit <= '9' ? digit - '0' : digit - 'A' + 10;
}

/* The name that the store was opened by, from "file:./NAME?immutable=1" (immutable_uri of src/lab/store), in place. */
static const char *plain_name(char *uri) {
  char *to = uri;
  const char *from = uri;
  if (strncmp(from, "file:", 5) == 0) from += 5;
  if (strncmp(from, "./", 2) == 0) from += 2;
  for (; *from != '\0' && *from != '?'; ++from) {
    if (*from == '%') {
      *to++ = (char)(16 * hex(from[1]) + hex(from[2]));
      from += 2;
    } else {
      *to++ = *from;
    }
  }
  *to = '\0';
  return uri;
}

/* A store that the command has written says that it has a log (WAL). There is none, and a database in memory cannot
 * have one: it must say that it has a journal, as the documentation of sqlite3_deserialize has it. */
static void without_log(const page_file *file) {
  uint8_t versions[2];
  if (file->size < 20) return;
  get(versions, file->at + 18, 2);
  if (versions[0] == 2 && versions[1] == 2) put(file->at + 18, (const uint8_t[]){1, 1}, 2);
}

static int open_memory(sqlite3 **out, int flags) {
  int code = SQLITE_NOMEM;
  *out = NULL;
  const there path = send_text(":memory:"), slot = send(out, sizeof *out);
  if (path != 0 && slot != 0) {
    code = there_open(path, slot, flags, 0);
    get(out, slot, sizeof *out);
  }
  there_free(path);
  there_free(slot);
  return code;
}

static int read_from(sqlite3 *db, page_file *file) {
  const there name = send_text("main");
  if (name == 0) return SQLITE_NOMEM;
  file->db = db;
  without_log(file);
  const int code =
      there_deserialize(db, name, file->at, file->size, file->size, SQLITE_DESERIALIZE_READONLY);
  there_free(name);
  return code;
}

int sqlite3_open_v2(const char *path, sqlite3 **out, int flags, const char *vfs) {
  char *name = strdup(path);
  (void)vfs, (void)flags;
  *out = NULL;
  if (name == NULL) return SQLITE_NOMEM;
  page_file *file = *find_file(plain_name(name), NULL);
  free(name);
  const int code = open_memory(out, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  return code == SQLITE_OK && file != NULL ? read_from(*out, file) : code;
}

int sqlite3_close(sqlite3 *db) {
  if (db == NULL) return SQLITE_OK;
  const int code = there_close(db);
  drop(find_file(NULL, db));
  return code;
}

int sqlite3_db_config(sqlite3 *db, int option, int on, int *out) {
  (void)out; /* is never asked for */
  return there_db_config(db, option, on, 0);
}

int sqlite3_db_readonly(sqlite3 *db, const char *name) {
  const there at = send_text(name);
  const int readonly = at != 0 ? there_db_readonly(db, at) : 0;
  there_free(at);
  return readonly;
}

/* ---- messages; each lives until the next ---- */

static const char *receive(char *out, size_t room, there text) {
  size_t n = 0;
  for (; text != 0 && n + 1 < room; ++n) {
    get(&out[n], text + n, 1);
    if (out[n] == '\0') break;
  }
  out[n] = '\0';
  return out;
}

const char *sqlite3_errmsg(sqlite3 *db) {
  static char text[256];
  return receive(text, sizeof text, there_errmsg(db));
}

const char *sqlite3_errstr(int code) {
  static char text[80];
  return receive(text, sizeof text, there_errstr(code));
}

/* ---- statements ---- */

int sqlite3_exec(sqlite3 *db, const char *sql, void *call, void *user, char **message) {
  const there text = send_text(sql);
  (void)call, (void)user, (void)message; /* are never given */
  const int code = text != 0 ? there_exec(db, text, 0, 0, 0) : SQLITE_NOMEM;
  there_free(text);
  return code;
}

int sqlite3_prepare_v3(sqlite3 *db, const char *sql, int size, unsigned flags, sqlite3_stmt **out,
                       const char **tail) {
  int code = SQLITE_NOMEM;
  (void)tail; /* is never asked for */
  *out = NULL;
  const there text = send_text(sql), slot = send(out, sizeof *out);
  if (text != 0 && slot != 0) {
    code = there_prepare(db, text, size, flags, slot, 0);
    get(out, slot, sizeof *out);
  }
  there_free(text);
  there_free(slot);
  return code;
}

int sqlite3_prepare_v2(sqlite3 *db, const char *sql, int size, sqlite3_stmt **out,
                       const char **tail) {
  return sqlite3_prepare_v3(db, sql, size, 0, out, tail);
}

int sqlite3_bind_text(sqlite3_stmt *s, int at, const char *text, int size,
                      sqlite3_destructor *done) {
  const there copy = send_text(text);
  const int code = copy != 0 ? there_bind_text(s, at, copy, size, TRANSIENT) : SQLITE_NOMEM;
  there_free(copy);
  (void)done; /* STATIC */
  return code;
}

int sqlite3_bind_blob64(sqlite3_stmt *s, int at, const void *bytes, sqlite3_uint64 size,
                        sqlite3_destructor *done) {
  const there copy = size < INT32_MAX ? send(bytes, (size_t)size) : 0;
  const int code = copy != 0 ? there_bind_blob(s, at, copy, (int)size, TRANSIENT) : SQLITE_NOMEM;
  there_free(copy);
  if (done != SQLITE_STATIC) done((void *)bytes);
  return code;
}

/* ---- columns: copies that live as long as the row ---- */

typedef struct copy {
  struct copy *next;
  const sqlite3_stmt *of;
  char bytes[];
} copy;

static copy *copies;

static void *keep(const sqlite3_stmt *s, there bytes, size_t size) {
  copy *c = bytes != 0 ? malloc(sizeof *c + size + 1) : NULL;
  if (c == NULL) return NULL;
  *c = (copy){.next = copies, .of = s};
  copies = c;
  get(c->bytes, bytes, size);
  c->bytes[size] = '\0';
  return c->bytes;
}

static void forget(const sqlite3_stmt *s) {
  for (copy **at = &copies; *at != NULL;) {
    copy *c = *at;
    if (c->of == s) {
      *at = c->next;
      free(c);
    } else {
      at = &c->next;
    }
  }
}

const void *sqlite3_column_blob(sqlite3_stmt *s, int column) {
  const there bytes = there_column_blob(s, column);
  return keep(s, bytes, (size_t)sqlite3_column_bytes(s, column));
}

const unsigned char *sqlite3_column_text(sqlite3_stmt *s, int column) {
  const there text = there_column_text(s, column);
  return keep(s, text, (size_t)sqlite3_column_bytes(s, column));
}

int sqlite3_step(sqlite3_stmt *s) {
  forget(s);
  return there_step(s);
}

int sqlite3_reset(sqlite3_stmt *s) {
  forget(s);
  return there_reset(s);
}

int sqlite3_finalize(sqlite3_stmt *s) {
  forget(s);
  return there_finalize(s);
}

/* ---- the progress handler: the same for all databases ---- */

static int (*ask)(void *user);

__attribute__((export_name("web_sqlite_progress"))) int web_sqlite_progress(void *user) {
  return ask(user);
}

void sqlite3_progress_handler(sqlite3 *db, int operations, int (*call)(void *user), void *user) {
  ask = call;
  progress(db, operations, user);
}
