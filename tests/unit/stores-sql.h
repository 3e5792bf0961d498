/* Stores seen from inside: SQL on their files, and copies of them to be damaged. */
#ifndef FARSIGHT_TESTS_STORES_SQL_H
#define FARSIGHT_TESTS_STORES_SQL_H

#include <sqlite3.h>

#include "lab/store/store.h"
#include "stores.h"

/* Any statements, by SQLite itself: as another program would change the file. */
static inline void sql(const char *name, const char *text) {
  sqlite3 *db = NULL;
  char *why = NULL;
  CHECK(sqlite3_open(store_path(name), &db) == SQLITE_OK);
  CHECK(sqlite3_exec(db, text, NULL, NULL, &why) == SQLITE_OK);
  if (why != NULL) printf("  %s: %s\n", text, why);
  sqlite3_free(why);
  sqlite3_close(db);
}

/* The first column of the first row. */
static inline int64_t sql_number(const char *name, const char *text) {
  sqlite3 *db = NULL;
  sqlite3_stmt *s = NULL;
  CHECK(sqlite3_open(store_path(name), &db) == SQLITE_OK);
  CHECK(sqlite3_prepare_v2(db, text, -1, &s, NULL) == SQLITE_OK);
  CHECK(sqlite3_step(s) == SQLITE_ROW);
  const int64_t out = sqlite3_column_int64(s, 0);
  sqlite3_finalize(s);
  sqlite3_close(db);
  return out;
}

/* A file that no process has open: its log is in it. */
static inline void copy_store(const char *from, const char *to) {
  FILE *in = fopen(store_path(from), "rb"), *out = fopen(store_path(to), "wb");
  char bytes[4096];
  CHECK(in != NULL && out != NULL);
  for (size_t n; (n = fread(bytes, 1, sizeof bytes, in)) > 0;) CHECK(fwrite(bytes, 1, n, out) == n);
  fclose(in);
  CHECK(fclose(out) == 0);
}

/* ---- rows as text ---- */

#define LONG "env,agent,steps,seed,replicate,series,step,value\n"

static inline void import_text(const char *name, const char *text) {
  far_import_report report;
  far_error error = {.message = ""};
  FILE *f = fopen(store_path("rows.csv"), "wb");
  CHECK(f != NULL && fputs(text, f) >= 0 && fclose(f) == 0);
  far_store *s = open_store(name, FAR_STORE_WRITE);
  CHECK(far_store_import(&report, s, store_path("rows.csv"), &error) == FAR_OK);
  CHECK_TEXT(error.message, "");
  far_store_close(s);
}

#endif
