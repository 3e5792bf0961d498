/* Waiting for others and being told to stop; what SQLite's failures mean in words; files that are laid out as no
 * store is; what may not be stored. */
#include <sys/wait.h>

#include "base/clock.h"
#include "lab/store/access.h"
#include "stores-sql.h"

/* ---- SQLite's failures ---- */

static void check_code(far_store *s, int code, const char *doing, far_status expected,
                       const char *part) {
  far_error error = {.message = ""};
  CHECK(far__sql_fail(s, code, doing, &error) == expected && error.code == expected);
  CHECK(error.position == -1);
  CHECK_CONTAINS(error.message, part);
}

static void test_codes(void) {
  far_store *s = open_store("codes.db", FAR_STORE_READ);
  check_code(s, SQLITE_NOMEM, "read", FAR_STATUS_MEMORY, "no memory for the store");
  check_code(s, SQLITE_TOOBIG, "read", FAR_STATUS_FORMAT, "a row of it has more than");
  check_code(s, SQLITE_INTERRUPT, "read", FAR_STATUS_CANCELLED, "stopped on request");
  s->endless = true;
  check_code(s, SQLITE_INTERRUPT, "read", FAR_STATUS_FORMAT, "does not end");
  static const int locked[] = {SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL, SQLITE_BUSY_RECOVERY};
  for (int i = 0; i < 4; ++i) {
    check_code(s, locked[i], "write", FAR_STATUS_IO, "cannot write '");
    check_code(s, locked[i], "read", FAR_STATUS_IO, "another process has kept it locked for 600");
    s->stopped = true;
    check_code(s, locked[i], "read", FAR_STATUS_CANCELLED, "stopped while waiting for another");
    CHECK(!s->stopped);
  }
  check_code(s, SQLITE_FULL, "write", FAR_STATUS_IO,
             "the disk is full; what was committed is kept");
  check_code(s, SQLITE_IOERR, "write", FAR_STATUS_IO, "disk I/O error; what was committed is kept");
  check_code(s, SQLITE_IOERR_READ, "read", FAR_STATUS_IO, "cannot read '");
  static const int refused[] = {SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH, SQLITE_READONLY};
  for (int i = 0; i < 4; ++i) {
    check_code(s, refused[i], "write", FAR_STATUS_IO, "the file and its folder must be writable");
    check_code(s, refused[i], "read", FAR_STATUS_IO, "the file must be readable");
    /* the system has refused nothing: what SQLite says counts */
    check_code(s, refused[i], "read", FAR_STATUS_IO, sqlite3_errstr(refused[i]));
  }
  check_code(s, SQLITE_CORRUPT, "read", FAR_STATUS_FORMAT, "is damaged (");
  check_code(s, SQLITE_NOTADB, "read", FAR_STATUS_FORMAT, "is damaged (");
  check_code(s, SQLITE_ERROR, "read", FAR_STATUS_FORMAT, "which is not laid out as a store");
  far_store_close(s);
}

/* ---- the file and what lies beside it ---- */

static void test_beside(void) {
  char name[FAR__LONGEST_PATH], long_path[FAR__LONGEST_PATH + 10];
  far_store *s = open_store("beside.db", FAR_STORE_WRITE);
  far_store_close(s);
  CHECK(far__name_beside(name, store_path("beside.db"), "-wal"));
  CHECK_CONTAINS(name, "/beside.db-wal");
  memset(long_path, 'x', sizeof long_path - 1);
  long_path[sizeof long_path - 1] = '\0';
  CHECK(!far__name_beside(name, long_path, "") && !far__has_log(long_path));
  long_path[FAR__LONGEST_PATH - 1] = '\0';
  CHECK(far__name_beside(name, long_path, "") && !far__name_beside(name, long_path, "y"));
  CHECK(!far__has_log(store_path("beside.db")));
  FILE *f = fopen(store_path("beside.db-wal"), "w");
  CHECK(f != NULL && !far__has_log(store_path("beside.db"))); /* empty */
  fputs("x", f);
  fclose(f);
  CHECK(far__has_log(store_path("beside.db")));
  CHECK(symlink(store_path("beside.db"), store_path("link.db")) == 0);
  CHECK(far__has_log(store_path("link.db"))); /* beside the file itself */
  unlink(store_path("beside.db-wal"));
  CHECK(!far__has_log(store_path("link.db")));
  s = open_store("link.db", FAR_STORE_READ);
  CHECK(far__store_bytes(s) == sql_number("beside.db",
                                          "SELECT page_size * page_count FROM pragma_page_size, "
                                          "pragma_page_count"));
  CHECK(!far__store_changed(s));
  far_store_close(s);
}

/* In the working folder, under names that mean something else to SQLite. */
static void test_odd_names(void) {
  static const char *const names[] = {"plain.db", ":memory:", "file:x?mode=memory", "a%41#b.db"};
  char before[4096];
  CHECK(getcwd(before, sizeof before) != NULL && chdir(store_folder) == 0);
  for (int i = 0; i < 4; ++i) {
    far_store *s = NULL;
    CHECK(far_store_open(&s, names[i], FAR_STORE_WRITE, NULL) == FAR_OK);
    far_store_close(s);
    CHECK(access(names[i], F_OK) == 0);
    CHECK(far_store_open(&s, names[i], FAR_STORE_READ, NULL) == FAR_OK);
    far_store_close(s);
  }
  CHECK(chdir(before) == 0);
}

/* As a user who may write neither the file nor its folder; 0 if all is well. */
static int read_odd_name(void) {
  far_store *s;
  far_error error;
  if (far_store_open(&s, store_path("shut/a%41?#b.db"), FAR_STORE_READ, &error) != FAR_OK) {
    printf("  %s\n", error.message);
    return 1;
  }
  const bool right = s->immutable && !far__store_changed(s);
  far_store_close(s);
  return right ? 0 : 2;
}

static void test_immutable(void) {
  CHECK(chmod(store_folder, 0755) == 0 && mkdir(store_path("shut"), 0755) == 0);
  copy_store("codes.db", "shut/a%41?#b.db");
  CHECK(chmod(store_path("shut/a%41?#b.db"), 0444) == 0 && chmod(store_path("shut"), 0555) == 0);
  const pid_t child = fork();
  if (child == 0) {
    if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) _exit(9);
    _exit(read_odd_name());
  }
  int status = 1;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  CHECK(chmod(store_path("shut"), 0755) == 0);
}

static void refuses(const char *path, far_store_mode mode, far_status expected, const char *part) {
  far_store *s;
  far_error error = {.message = ""};
  CHECK(far_store_open(&s, path, mode, &error) == expected && s == NULL);
  CHECK(error.position == -1);
  CHECK_CONTAINS(error.message, part);
}

static void test_paths(void) {
  refuses("", FAR_STORE_READ, FAR_STATUS_IO, "a store needs a file name");
  refuses(store_path("codes.db/x.db"), FAR_STORE_WRITE, FAR_STATUS_IO, "cannot write '");
  refuses(store_path("codes.db/x.db"), FAR_STORE_READ, FAR_STATUS_IO, "Not a directory");
  refuses("/dev/null", FAR_STORE_READ, FAR_STATUS_IO, "is not a regular file");
  refuses(store_path("none/x.db"), FAR_STORE_WRITE, FAR_STATUS_IO,
          "No such file or directory; its folder must be there");
  far_store *s;
  CHECK(far_store_open(&s, "", FAR_STORE_MEMORY, NULL) == FAR_OK);
  CHECK_TEXT(s->path, ":memory:");
  CHECK(far__store_bytes(s) == INT64_MAX / 2);
  far_store_close(s);
  CHECK(far_store_open(&s, "named", FAR_STORE_MEMORY, NULL) == FAR_OK);
  CHECK_TEXT(s->path, "named");
  far_store_close(s);
  far_store_close(NULL);
}

static void test_layouts(void) {
  static const struct {
    const char *change, *part;
    far_status status;
  } odd[] = {
      {"CREATE TABLE extra(x)", "it has the table 'extra'", FAR_STATUS_FORMAT},
      {"CREATE VIEW v AS SELECT 1", "it has the view 'v'", FAR_STATUS_FORMAT},
      {"CREATE TRIGGER t AFTER INSERT ON cell BEGIN SELECT 1; END", "the trigger 't'",
       FAR_STATUS_FORMAT},
      {"CREATE INDEX i ON cell(env)", "it has the index 'i'", FAR_STATUS_FORMAT},
      {"DROP INDEX block_place", "its tables are not those of a store", FAR_STATUS_FORMAT},
      {"ALTER TABLE cell ADD COLUMN x", "it has the table 'cell'", FAR_STATUS_FORMAT},
      {"PRAGMA user_version = 0", "it has no format number", FAR_STATUS_FORMAT},
      {"PRAGMA user_version = 4", "later version of farsight (format 4;", FAR_STATUS_MISMATCH},
      {"PRAGMA user_version = 2", "its tables are not those of a store", FAR_STATUS_FORMAT},
      {"PRAGMA application_id = 7", "is a database of another program", FAR_STATUS_FORMAT},
  };
  for (size_t i = 0; i < sizeof odd / sizeof *odd; ++i) {
    copy_store("codes.db", "odd.db");
    sql("odd.db", odd[i].change);
    for (int mode = FAR_STORE_READ; mode <= FAR_STORE_WRITE; ++mode)
      refuses(store_path("odd.db"), (far_store_mode)mode, odd[i].status, odd[i].part);
    remove_store("odd.db");
  }
  copy_store("codes.db", "odd.db");
  sql("odd.db", "ANALYZE"); /* by which somebody made it faster */
  far_store_close(open_store("odd.db", FAR_STORE_WRITE));
}

/* Cut off behind its first lines a store is damaged; before their end it is not known as one. */
static void test_cut(void) {
  for (off_t size = 99; size <= 101; ++size) {
    copy_store("codes.db", "cut.db");
    CHECK(truncate(store_path("cut.db"), size) == 0);
    refuses(store_path("cut.db"), FAR_STORE_READ, FAR_STATUS_FORMAT,
            size < 100 ? "is not a farsight store" : "is damaged");
    remove_store("cut.db");
  }
}

/* What a log says counts, not what it has not been written to yet: another program has the file open. */
static void test_log_only(void) {
  static const struct {
    const char *change, *part;
    far_status status;
  } odd[] = {
      {"PRAGMA user_version = 4", "later version of farsight (format 4;", FAR_STATUS_MISMATCH},
      {"PRAGMA user_version = 0", "it has no format number", FAR_STATUS_FORMAT},
      {"PRAGMA application_id = 7", "is a database of another program", FAR_STATUS_FORMAT},
  };
  for (size_t i = 0; i < sizeof odd / sizeof *odd; ++i) {
    sqlite3 *other = NULL;
    copy_store("codes.db", "log.db");
    CHECK(sqlite3_open(store_path("log.db"), &other) == SQLITE_OK);
    CHECK(sqlite3_exec(other, "PRAGMA journal_mode = WAL", NULL, NULL, NULL) == SQLITE_OK);
    CHECK(sqlite3_exec(other, odd[i].change, NULL, NULL, NULL) == SQLITE_OK);
    CHECK(far__has_log(store_path("log.db")));
    for (int mode = FAR_STORE_READ; mode <= FAR_STORE_WRITE; ++mode)
      refuses(store_path("log.db"), (far_store_mode)mode, odd[i].status, odd[i].part);
    sqlite3_close(other);
    remove_store("log.db");
  }
}

/* A journal that ends with this mark, which stands behind the name of a file, would have SQLite delete that file. */
static void test_journal(void) {
  static const unsigned char mark[] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
  copy_store("codes.db", "trap.db");
  for (int last = 0; last < 2; ++last) {
    FILE *f = fopen(store_path("trap.db-journal"), "wb");
    CHECK(f != NULL && fputs("some journal", f) >= 0 && fwrite(mark, 8, 1, f) == 1);
    if (!last) CHECK(fputc(0, f) == 0); /* not at the end: nothing is named */
    CHECK(fclose(f) == 0);
    for (int mode = FAR_STORE_READ; last && mode <= FAR_STORE_WRITE; ++mode)
      refuses(store_path("trap.db"), (far_store_mode)mode, FAR_STATUS_FORMAT,
              "and names a file that would be deleted");
    CHECK(is_there("trap.db-journal"));
    if (!last) far_store_close(open_store("trap.db", FAR_STORE_READ));
  }
  CHECK(unlink(store_path("trap.db-journal")) == 0);
  CHECK(mkfifo(store_path("trap.db-journal"), 0600) == 0); /* it would be waited for */
  refuses(store_path("trap.db"), FAR_STORE_READ, FAR_STATUS_IO, "it is not a regular file");
  remove_store("trap.db");
}

static int64_t setting(far_store *s, const char *name) {
  char text[60];
  sqlite3_stmt *get = NULL;
  snprintf(text, sizeof text, "PRAGMA %s", name);
  CHECK(sqlite3_prepare_v2(s->db, text, -1, &get, NULL) == SQLITE_OK);
  CHECK(sqlite3_step(get) == SQLITE_ROW);
  const int64_t out = sqlite3_column_int64(get, 0);
  sqlite3_finalize(get);
  return out;
}

/* How SQLite is told to be careful: it looks at each page that it reads, waits for the disk at each commit (FULL is 2),
 * and of a store that is only read it changes nothing. */
static void test_settings(void) {
  for (int mode = FAR_STORE_READ; mode <= FAR_STORE_WRITE; ++mode) {
    far_store *s = open_store("codes.db", (far_store_mode)mode);
    CHECK(setting(s, "cell_size_check") == 1);
    CHECK(setting(s, "query_only") == (mode == FAR_STORE_READ));
    if (mode == FAR_STORE_WRITE) CHECK(setting(s, "synchronous") == 2);
#ifdef SQLITE_DBCONFIG_TRUSTED_SCHEMA /* since 3.31 */
    CHECK(setting(s, "trusted_schema") == 0);
#endif
    far_store_close(s);
  }
}

/* ---- waiting and stopping ---- */

typedef struct watcher {
  sqlite3 *other; /* ends its transaction at the last ask */
  int asks, most;
  bool stops;
} watcher;

static bool watch(void *user, double waited) {
  watcher *w = user;
  CHECK(waited >= 0);
  if (++w->asks < w->most) return true;
  if (w->other != NULL) sqlite3_exec(w->other, "COMMIT", NULL, NULL, NULL);
  return !w->stops;
}

static void test_patience(void) {
  far_store *s = open_store("codes.db", FAR_STORE_READ);
  watcher no = {.stops = true};
  const double now = far__clock_seconds();
  CHECK(!far__wait_is_over(s, now) && !s->stopped);
  CHECK(far__wait_is_over(s, now - FAR__BUSY_SECONDS - 1) && !s->stopped);
  far__store_watch(s, watch, &no);
  CHECK(!far__wait_is_over(s, far__clock_seconds()) &&
        !s->stopped); /* a call that keeps runs is not cut short */
  CHECK(far__wait_is_over(s, now - 2) && s->stopped);
  far__long_call(s, true);
  CHECK(far__wait_is_over(s, far__clock_seconds()) && s->stopped);
  CHECK(far__ask(s, NULL) == FAR_STATUS_CANCELLED);
  no.stops = false;
  CHECK(!far__wait_is_over(s, now) && !s->stopped && far__ask(s, NULL) == FAR_OK);
  far_store_close(s);
}

/* Another program writes: the import waits until it has ended, or until the watcher says so. */
static void test_two_writers(void) {
  far_import_report report;
  far_error error;
  sqlite3 *other = NULL;
  FILE *f = fopen(store_path("rows.csv"), "w");
  CHECK(f != NULL && fputs("env,agent,seed,value\nw,m,1,1\n", f) >= 0 && fclose(f) == 0);
  far_store *s = open_store("two.db", FAR_STORE_WRITE);
  CHECK(sqlite3_open(store_path("two.db"), &other) == SQLITE_OK);
  CHECK(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK);
  watcher no = {.most = 3, .stops = true};
  far__store_watch(s, watch, &no);
  CHECK(far_store_import(&report, s, store_path("rows.csv"), &error) == FAR_STATUS_CANCELLED);
  CHECK_CONTAINS(error.message, "stopped while waiting for another process that writes to");
  CHECK(no.asks >= 3 && report.added == 0);
  watcher yes = {.most = 3, .other = other};
  far__store_watch(s, watch, &yes);
  CHECK(far_store_import(&report, s, store_path("rows.csv"), &error) == FAR_OK);
  CHECK(report.added == 1 && yes.asks >= 3);
  sqlite3_close(other);
  far_store_close(s);
}

/* A statement that takes long is ended by the watcher, or as one without end; a short one is not. */
static void test_long_statements(void) {
#define COUNT_TO(n)                                                                                \
  "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < " n ") SELECT "        \
  "count(*) FROM c"
  far_store *s = open_store("codes.db", FAR_STORE_READ);
  far_error error;
  watcher no = {.stops = true};
  CHECK(far__sql_text(s, COUNT_TO("20000"), &error) == FAR_OK);
  s->ticks = 0;
  CHECK(far__sql_text(s, COUNT_TO("2000000"), &error) == FAR_STATUS_FORMAT && s->endless);
  CHECK_CONTAINS(error.message, "reading one of its tables does not end");
  CHECK(error.position == -1);
  s->ticks = 0;
  s->endless = false;
  far__store_watch(s, watch, &no);
  CHECK(far__sql_text(s, COUNT_TO("20000"), &error) == FAR_OK); /* the call is a short one */
  far__long_call(s, true);
  s->ticks = 0;
  CHECK(far__sql_text(s, COUNT_TO("200000"), &error) == FAR_STATUS_CANCELLED);
  CHECK_TEXT(error.message, "stopped on request");
  far__store_watch(s, NULL, NULL);
  /* as many operations as a file of this size needs */
  s->most_ticks = 0;
  const int64_t most = 200 + far__store_bytes(s) / 500;
  CHECK(!far__sql_is_endless(s, most) && !s->endless && far__sql_is_endless(s, most + 1));
  CHECK(s->endless && !far__sql_is_endless(s, 1) && !s->endless);
  /* and as many rows */
  sqlite3_stmt *all;
  bool row;
  const int64_t rows = 1000 + far__store_bytes(s) / 8;
  for (int more = 0; more < 2; ++more) {
    CHECK(far__sql_use(&all, s, FAR__BLOCK_ALL, NULL) == FAR_OK);
    s->most_rows = 0;
    s->rows[FAR__BLOCK_ALL] = rows - 1 + more;
    CHECK(far__sql_step(s, all, &row, &error) == (more ? FAR_STATUS_FORMAT : FAR_OK));
    CHECK(row == !more && s->endless == more);
    sqlite3_reset(all);
  }
  far_store_close(s);
}

static far_status no_block(void *user, const far__store_block *block, far_error *error) {
  (void)block, (void)error;
  *(int *)user += 1;
  return FAR_OK;
}

/* Every long call asks, and leaves the store as it was. */
static void test_stopped(void) {
  far_store_report report;
  far_error error;
  int64_t added = 7;
  int blocks = 0;
  watcher no = {.stops = true};
  far_store *s = open_store("codes.db", FAR_STORE_READ), *to = open_store("to.db", FAR_STORE_WRITE);
  const char *const from[] = {store_path("codes.db")}, *const itself[] = {store_path("to.db")};
  far__store_watch(s, watch, &no);
  CHECK(far_store_check(&report, s, NULL, NULL, &error) == FAR_STATUS_CANCELLED);
  CHECK(far__store_blocks_after(s, 0, no_block, &blocks, &error) == FAR_STATUS_CANCELLED);
  CHECK(blocks == 1);
  CHECK(far_store_merge(&added, to, itself, 1, &error) == FAR_STATUS_CONFLICT && added == 0);
  CHECK_CONTAINS(error.message, "cannot be merged into itself");
  CHECK(error.position == -1);
  CHECK(far_store_merge(&added, to, (const char *const[]){"/none/such"}, 1, &error) ==
        FAR_STATUS_IO);
  far__store_watch(to, watch, &no);
  CHECK(far_store_merge(&added, to, from, 1, &error) == FAR_STATUS_CANCELLED && added == 0);
  no.stops = false;
  CHECK(far_store_merge(&added, to, from, 1, &error) == FAR_OK && added == 4 * 2);
  CHECK(far_store_merge(&added, to, from, 1, &error) == FAR_OK && added == 0);
  far_store_close(s);
  far_store_close(to);
  CHECK_TEXT(content("to.db", NULL), content("codes.db", NULL));
}

/* ---- what cannot be stored ---- */

static void cannot(far_store *s, const far_batch_def *def, far_status expected, const char *part) {
  far_keeper *k;
  far_error error = {.message = ""};
  CHECK(far_keeper_create(&k, s, def, &error) == expected);
  CHECK_CONTAINS(error.message, part);
  /* the spec of an agent is the only text that there is a place in */
  CHECK(expected == FAR_OK || error.position == (expected == FAR_STATUS_UNKNOWN ? 0 : -1));
  CHECK((k != NULL) == (expected == FAR_OK));
  far_keeper_free(k);
}

static void test_batches(void) {
  far_mdp *mdp;
  far_metric *metric;
  far_batch *batch;
  far_error error;
  CHECK(far_mdp_create(&mdp, "chain:n=3", NULL) == FAR_OK);
  CHECK(far_metric_create(&metric, "coverage", NULL) == FAR_OK);
  far_cell cell = {.mdp = mdp, .agent = "random", .steps = 10};
  far_batch_def def = far_batch_def_default();
  def.cells = &cell;
  def.n_cells = 1;
  def.runs = 3;
  def.threads = 1;
  far_store *s = open_store("codes.db", FAR_STORE_WRITE);
  def.n_cells = 0;
  cannot(s, &def, FAR_STATUS_RANGE, "there must be at least 1 cell");
  def.n_cells = 1;
  def.runs = 0;
  cannot(s, &def, FAR_STATUS_RANGE, "a cell needs a model or a simulator, an agent and a run");
  def.runs = 1;
  cell.mdp = NULL;
  cannot(s, &def, FAR_STATUS_RANGE, "a cell needs a model or a simulator, an agent and a run");
  cell = (far_cell){.mdp = mdp, .steps = 10};
  cannot(s, &def, FAR_STATUS_RANGE, "a cell needs a model or a simulator, an agent and a run");
  cell.agent = "no-such-agent";
  cannot(s, &def, FAR_STATUS_UNKNOWN, "no-such-agent");
  cell.agent = "random";
  const far_simulator_def simulator = {.name = "theirs"};
  cell.simulator = &simulator;
  cannot(s, &def, FAR_STATUS_RANGE, "a cell needs a model or a simulator, an agent and a run");
  cell.mdp = NULL;
  cannot(s, &def, FAR_STATUS_CONFLICT, "the simulator theirs has no version");
  int64_t known = 7;
  CHECK(far__store_known(&known, s, &def, 0, &error) == FAR_STATUS_CONFLICT && known == 0);
  cell.simulator = NULL;
  cell.mdp = mdp;
  def.first_replicate = (uint64_t)INT64_MAX;
  cannot(s, &def, FAR_STATUS_RANGE, "replicates above 9223372036854775807 cannot be stored");
  def.first_replicate = (uint64_t)INT64_MAX - 1;
  cannot(s, &def, FAR_OK, "");
  def.first_replicate = 0;
  def.metrics = (const far_metric *const *)&metric;
  def.n_metrics = 1;
  const char *const name = metric->name;
  static const char *const bad[] = {"total", "curve", "curve@5", "curves"};
  for (int i = 0; i < 4; ++i) {
    metric->name = bad[i];
    cannot(s, &def, FAR_STATUS_CONFLICT, "a metric that is stored cannot be called '");
  }
  metric->name = "x@5";
  cannot(s, &def, FAR_STATUS_CONFLICT, "cannot be called 'x@5': that is the name of a curve");
  metric->name = name;
  cannot(s, &def, FAR_OK, "");
  def.n_metrics = 0;
  def.n_done = 1;
  CHECK(far_store_run(&batch, s, &def, &error) == FAR_STATUS_CONFLICT && batch == NULL);
  CHECK_CONTAINS(error.message, "cannot have its own `done` or `keep`");
  CHECK(error.position == -1);
  def.n_done = 0;
  def.keep = far_keeper_keep;
  CHECK(far_store_run(&batch, s, &def, &error) == FAR_STATUS_CONFLICT);
  def.keep = NULL;
  def.n_metrics = 1;
  def.runs = 4;
  CHECK(far_store_run(&batch, s, &def, &error) == FAR_OK);
  far_batch_free(batch);
  far_store_close(s);
  s = open_store("codes.db", FAR_STORE_READ);
  CHECK(far_store_run(&batch, s, &def, &error) == FAR_STATUS_CONFLICT);
  CHECK_CONTAINS(error.message, "was opened for reading only");
  CHECK(error.position == -1);
  far_store_close(s);
  far_metric_free(metric);
  far_mdp_free(mdp);
}

/* Each command has a session of its own; its text is cut at a mebibyte. */
static void test_commands(void) {
  far_mdp *mdp;
  far_session session;
  bool added, found;
  char *text = malloc(FAR__LONGEST_TEXT + 2);
  memset(text, 'c', FAR__LONGEST_TEXT + 1);
  text[FAR__LONGEST_TEXT + 1] = '\0';
  CHECK(far_mdp_create(&mdp, "chain:n=3", NULL) == FAR_OK);
  far_store *s = open_store("commands.db", FAR_STORE_WRITE);
  for (uint64_t i = 0; i < 4; ++i) {
    const far_imported_run run = {.mdp = mdp, .agent = "m", .steps = 1, .replicate = i};
    if (i == 1) CHECK(far_store_command(s, "farsight run", NULL) == FAR_OK);
    if (i == 3) CHECK(far_store_command(s, text, NULL) == FAR_OK);
    CHECK(far_store_add(&added, s, &run, NULL) == FAR_OK && added);
  }
  static const int64_t runs[] = {1, 2, 1};
  for (size_t i = 0; i < 3; ++i) {
    CHECK(far_store_session(&session, &found, s, i, NULL) == FAR_OK && found);
    CHECK(session.runs == runs[i] && session.numerics == far_numerics());
    if (i < 2) CHECK_TEXT(session.command, i == 0 ? "" : "farsight run");
    if (i == 2) CHECK(strlen(session.command) == FAR__LONGEST_TEXT);
    CHECK(strlen(session.started) == 20 && strcmp(session.started, session.last) <= 0);
  }
  far_store_close(s);
  CHECK(strlen(content("commands.db", NULL)) == 64);
  far_mdp_free(mdp);
  free(text);
}

/* The last commit of a session is noted, and its checksum with it: as if the first had been long ago. */
static void test_last_commit(void) {
  far_mdp *mdp;
  far_session session;
  bool added, found;
  CHECK(far_mdp_create(&mdp, "chain:n=3", NULL) == FAR_OK);
  far_store *s = open_store("times.db", FAR_STORE_WRITE);
  for (uint64_t i = 0; i < 2; ++i) {
    const far_imported_run run = {.mdp = mdp, .agent = "m", .steps = 1, .replicate = i};
    if (i == 1) sql("times.db", "UPDATE session SET last = '2000-01-01T00:00:00Z'");
    CHECK(far_store_add(&added, s, &run, NULL) == FAR_OK && added);
  }
  CHECK(far_store_session(&session, &found, s, 0, NULL) == FAR_OK && found);
  CHECK(session.runs == 2 && strcmp(session.started, session.last) <= 0);
  /* the bytes are those of the file and of its log */
  struct stat file, log;
  far_store_info info;
  CHECK(stat(store_path("times.db"), &file) == 0 && stat(store_path("times.db-wal"), &log) == 0);
  CHECK(far_store_info_of(&info, s, NULL) == FAR_OK && log.st_size > 0);
  CHECK(info.bytes == (int64_t)file.st_size + (int64_t)log.st_size);
  far_store_close(s);
  CHECK(sql_number("times.db", "SELECT count(*) FROM session WHERE last >= started") == 1);
  CHECK(strlen(content("times.db", NULL)) == 64);
  /* without its session nothing is stored */
  far_error error = {.message = ""};
  s = open_store("times.db", FAR_STORE_WRITE);
  far_imported_run run = {.mdp = mdp, .agent = "m", .steps = 1, .replicate = 2};
  CHECK(far_store_add(&added, s, &run, NULL) == FAR_OK && added);
  sql("times.db", "DELETE FROM session WHERE id = 2");
  run.replicate = 3;
  CHECK(far_store_add(&added, s, &run, &error) == FAR_STATUS_FORMAT && !added);
  CHECK_CONTAINS(error.message, "there is no session 2");
  CHECK(error.position == -1);
  far_store_close(s);
  CHECK(sql_number("times.db", "SELECT max(first) FROM block") == 2);
  far_mdp_free(mdp);
}

int main(void) {
  if (!stores_begin()) return stores_end();
  far_store_close(open_store("codes.db", FAR_STORE_WRITE));
  test_paths();
  test_layouts();
  test_cut();
  test_log_only();
  test_journal();
  test_settings();
  test_batches();
  test_codes();
  test_beside();
  test_odd_names();
  test_immutable();
  test_patience();
  test_two_writers();
  test_long_statements();
  test_stopped();
  test_commands();
  test_last_commit();
  return stores_end();
}
