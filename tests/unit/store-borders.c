/* Stores where few ever are: files that may only be read, or change meanwhile; the last replicate and step; columns of
 * megabytes; waits that SQLite does not do by itself. */
#define _GNU_SOURCE /* setresuid */
#include <sys/time.h>

#include "base/clock.h"
#include "lab/store/access.h"
#include "run/blocks.h"
#include "stores-sql.h"

/* ---- as another user ---- */

/* Root, to whom nothing is forbidden, becomes nobody and comes back; others are themselves. */
static void become_nobody(void) {
  if (geteuid() == 0) CHECK(setresgid(65534, 65534, 0) == 0 && setresuid(65534, 65534, 0) == 0);
}

static void come_back(void) {
  uid_t real, effective, saved;
  CHECK(getresuid(&real, &effective, &saved) == 0);
  if (saved == 0) CHECK(setresuid(0, 0, 0) == 0 && setresgid(0, 0, 0) == 0);
}

static far_store *shut_store(far_store_mode mode, far_status expected, const char *part) {
  far_store *s = NULL;
  far_error error = {.message = ""};
  become_nobody();
  CHECK(far_store_open(&s, store_path("shut/a.db"), mode, &error) == expected);
  come_back();
  CHECK(expected == FAR_OK || error.position == -1);
  CHECK_CONTAINS(error.message, part);
  return s;
}

/* A folder and a file of these permissions. */
static void shut(mode_t folder, mode_t file) {
  CHECK(chmod(store_path("shut"), 0755) == 0);
  unlink(store_path("shut/a.db")); /* which may be one that only root could write over */
  copy_store("made.db", "shut/a.db");
  CHECK(chmod(store_path("shut/a.db"), file) == 0 && chmod(store_path("shut"), folder) == 0);
}

static void test_permissions(void) {
  CHECK(chmod(store_folder, 0755) == 0 && mkdir(store_path("shut"), 0755) == 0);
  static const mode_t modes[][2] = {{0555, 0444}, {0777, 0444}, {0555, 0666}};
  for (int i = 0; i < 3; ++i) {
    shut(modes[i][0], modes[i][1]);
    far_store *s = shut_store(FAR_STORE_READ, FAR_OK, "");
    CHECK(s != NULL && s->immutable && !far__store_changed(s));
    CHECK(far__store_bytes(s) == s->size);
    far_store_close(s);
    CHECK(!is_there("shut/a.db-wal"));
  }
  shut(0555, 0444);
  CHECK(shut_store(FAR_STORE_WRITE, FAR_STATUS_IO, "cannot write '") == NULL);
  shut(0555, 0);
  CHECK(shut_store(FAR_STORE_READ, FAR_STATUS_IO, "Permission denied; the file must be readable") ==
        NULL);
  shut(0777, 0666);
  far_store *s = shut_store(FAR_STORE_READ, FAR_OK, "");
  CHECK(s != NULL && !s->immutable && !far__store_changed(s));
  far_store_close(s);
  /* a log must be read, too, for which the folder must be writable */
  shut(0777, 0666);
  CHECK(chmod(store_path("shut"), 0755) == 0);
  FILE *log = fopen(store_path("shut/a.db-wal"), "w");
  CHECK(log != NULL && fputs("not one", log) >= 0 && fclose(log) == 0);
  CHECK(chmod(store_path("shut/a.db"), 0444) == 0 && chmod(store_path("shut"), 0555) == 0);
  if (geteuid() == 0)
    CHECK(shut_store(FAR_STORE_READ, FAR_STATUS_IO, "with a log beside it (-wal)") == NULL);
  CHECK(chmod(store_path("shut"), 0755) == 0);
  remove_store("shut/a.db");
}

/* What looks like damage in a file that is taken as one which does not change may be none. */
static void test_changes(void) {
  far_store_report report;
  far_error error = {.message = ""};
  shut(0555, 0444);
  far_store *s = shut_store(FAR_STORE_READ, FAR_OK, "");
  if (s == NULL) return;
  CHECK(far__store_doubt(s, FAR_STATUS_FORMAT, NULL) == FAR_STATUS_FORMAT);
  CHECK(chmod(store_path("shut"), 0755) == 0 && chmod(store_path("shut/a.db"), 0644) == 0);
  sql("shut/a.db", "UPDATE block SET session = 99");
  CHECK(far__store_changed(s) && far__store_doubt(s, FAR_OK, NULL) == FAR_OK);
  CHECK(far__store_doubt(s, FAR_STATUS_FORMAT, &error) == FAR_STATUS_IO);
  CHECK_CONTAINS(error.message, "it was being written meanwhile; try again");
  CHECK(far__sql_fail(s, SQLITE_CORRUPT, "read", &error) == FAR_STATUS_IO);
  CHECK(far_store_check(&report, s, NULL, NULL, &error) == FAR_STATUS_IO && report.faults > 0);
  /* by its size alone, its time alone, a log beside it, and when it is gone */
  const int64_t size = s->size, moment = s->moment;
  struct stat info;
  CHECK(stat(store_path("shut/a.db"), &info) == 0);
  s->size = (int64_t)info.st_size;
  s->moment = (int64_t)info.st_mtim.tv_sec * 1000000000 + info.st_mtim.tv_nsec;
  CHECK(!far__store_changed(s));
  s->size += 1;
  CHECK(far__store_changed(s));
  s->size -= 1;
  s->moment += 1;
  CHECK(far__store_changed(s));
  s->moment -= 1;
  FILE *log = fopen(store_path("shut/a.db-wal"), "w");
  CHECK(log != NULL && fputs("x", log) >= 0 && fclose(log) == 0 && far__store_changed(s));
  unlink(store_path("shut/a.db-wal"));
  CHECK(!far__store_changed(s));
  unlink(store_path("shut/a.db"));
  CHECK(far__store_changed(s) && far__store_bytes(s) == 0);
  s->size = size;
  s->moment = moment;
  far_store_close(s);
}

/* ---- the last numbers ---- */

typedef struct seen {
  int count;
  int64_t places[8][2];
} seen;

static far_status note(void *user, const far_snapshot *x, int64_t session, far_error *error) {
  seen *to = user;
  (void)error;
  CHECK(session == 1);
  if (to->count < 8)
    memcpy(to->places[to->count], (const int64_t[]){x->replicate, x->step}, sizeof to->places[0]);
  to->count += 1;
  return FAR_OK;
}

/* Snapshots up to the greatest replicate and step, each visited once, in order. */
static void test_last_snapshots(void) {
  static const int64_t places[][2] = {{0, 1},         {0, INT64_MAX}, {1, 5},
                                      {1, INT64_MAX}, {INT64_MAX, 7}, {INT64_MAX, INT64_MAX}};
  far_store *s = open_store("last.db", FAR_STORE_WRITE);
  far__stored_cell cell = {.env = "e", .agent = "a", .steps = 3};
  far_snapshot x, other;
  far_error error;
  bool added;
  seen all = {0};
  far__stored_cell_key(cell.key, &cell);
  CHECK(far__snapshot_create(&x, 2, 3, false, true, false, NULL) == FAR_OK);
  CHECK(far__sql_begin(s, NULL) == FAR_OK && far__session_touch(s, NULL) == FAR_OK);
  CHECK(far__stored_cell_add(&cell, s, NULL) == FAR_OK);
  for (int i = 5; i >= 0; --i) {
    x.replicate = places[i][0];
    x.step = places[i][1];
    CHECK(far__snapshot_put(&added, s, &cell, &x, s->session, NULL) == FAR_OK && added);
    CHECK(far__snapshot_put(&added, s, &cell, &x, s->session, NULL) == FAR_OK && !added);
  }
  CHECK(far__snapshots_each(s, &cell, note, &all, NULL) == FAR_OK && all.count == 6);
  CHECK(memcmp(all.places, places, sizeof places) == 0);
  /* the same numbers of another shape, or with other parts, are another snapshot */
  static const uint32_t shapes[][2] = {{3, 2}, {1, 6}, {2, 3}, {2, 4}};
  for (int i = 0; i < 4; ++i) {
    CHECK(far__snapshot_create(&other, shapes[i][0], shapes[i][1], i == 2, i != 2, false, NULL) ==
          FAR_OK);
    other.step = 1;
    CHECK(far__snapshot_put(&added, s, &cell, &other, s->session, &error) == FAR_STATUS_FORMAT);
    CHECK_CONTAINS(error.message, "the snapshot at step 1 in");
    CHECK(error.position == -1);
    far_snapshot_free(&other);
  }
  /* numbers are compared by their bits: -0 is another than 0 */
  x.replicate = 0;
  x.step = 1;
  x.visits[2] = -0.0;
  CHECK(far__snapshot_put(&added, s, &cell, &x, s->session, &error) == FAR_STATUS_FORMAT);
  CHECK_CONTAINS(error.message, "the snapshot at step 1 in");
  /* of the checkpoints 1, 4, 5 run 0 has one, run 1 the last; others are not counted */
  const int64_t checkpoints[] = {1, 4, 5};
  const far_cell of = {.checkpoints = checkpoints, .n_checkpoints = 3};
  size_t counts[2] = {0};
  CHECK(far__snapshots_count(counts, s, &cell, &of, 0, 2, NULL) == FAR_OK);
  CHECK(counts[0] == 1 && counts[1] == 1);
  CHECK(far__sql_end(s, FAR_OK, NULL) == FAR_OK);
  far_snapshot_free(&x);
  far_store_close(s);
}

/* A run and its snapshot, known among those of a batch that begins at replicate 2^61. */
static void test_far_replicates(void) {
  const int64_t checkpoints[] = {10}, first = (int64_t)1 << 61;
  far_mdp *mdp;
  far_keeper *k;
  far_snapshot x;
  int64_t known = 7;
  double values[] = {1, 1};
  CHECK(far_mdp_create(&mdp, "chain:n=3", NULL) == FAR_OK);
  const far_cell cell = {
      .mdp = mdp, .agent = "random", .steps = 10, .checkpoints = checkpoints, .n_checkpoints = 1};
  far_batch_def def = far_batch_def_default();
  def.cells = &cell;
  def.n_cells = 1;
  def.runs = 2;
  def.first_replicate = (uint64_t)first;
  def.snapshots = first + 1;
  far_store *s = open_store("far.db", FAR_STORE_WRITE);
  CHECK(far_keeper_create(&k, s, &def, NULL) == FAR_OK);
  CHECK(far__snapshot_create(&x, 3, 2, false, false, false, NULL) == FAR_OK);
  x.replicate = first;
  x.step = 10;
  const far_block block = {.runs = 1, .values = values, .snapshots = &x, .n_snapshots = 1};
  CHECK(far_keeper_keep(k, &block, 1, NULL) == FAR_OK);
  CHECK(far__store_known(&known, s, &def, 0, NULL) == FAR_OK && known == 1);
  def.snapshots = first + 2; /* of the second run there is nothing */
  CHECK(far__store_known(&known, s, &def, 0, NULL) == FAR_OK && known == 1);
  far_keeper_free(k);
  far_snapshot_free(&x);
  far_store_close(s);
  CHECK(sql_number("far.db", "SELECT replicate FROM snapshot") == first);
  far_mdp_free(mdp);
}

/* ---- megabytes ---- */

/* Numbers of one column above 16 MiB are compared with the file's size, and names of series, too. */
static void test_large(void) {
  enum { WIDTH = 2048, RUNS = 1100 };
  int64_t steps[WIDTH], added = 0;
  far_store *s = open_store("large.db", FAR_STORE_WRITE);
  far__stored_cell cell = {.env = "e", .agent = "a", .steps = 3};
  far__series series;
  far__column column;
  double *values = calloc((size_t)WIDTH * RUNS, sizeof *values);
  for (int k = 0; k < WIDTH; ++k) steps[k] = k + 1;
  for (int i = 0; i < RUNS; ++i) values[(size_t)i * WIDTH + WIDTH - 1] = i;
  far__stored_cell_key(cell.key, &cell);
  CHECK(far__series_name(&series, far__curve_name("x", steps, WIDTH), NULL) == FAR_OK);
  CHECK(far__sql_begin(s, NULL) == FAR_OK && far__session_touch(s, NULL) == FAR_OK);
  CHECK(far__stored_cell_add(&cell, s, NULL) == FAR_OK &&
        far__series_add(&series, s, NULL) == FAR_OK);
  const far__rows rows = {
      .first = 5, .runs = RUNS, .values = values, .seconds = 11, .session = s->session};
  CHECK(far__block_put(&added, s, &cell, &series, &rows, FAR_STATUS_FORMAT, NULL) == FAR_OK);
  CHECK(added == RUNS && far__sql_end(s, FAR_OK, NULL) == FAR_OK);
  CHECK(far__block_read(&column, s, &cell, &series, 0, INT64_MAX, NULL) == FAR_OK);
  CHECK(column.count == RUNS && column.replicates[RUNS - 1] == RUNS + 4);
  double seconds = 0;
  for (int64_t i = 0; i < column.count; ++i) seconds += column.seconds[i];
  CHECK_NEAR(seconds, 11, 1e-9);
  CHECK_NEAR(column.seconds[RUNS - 1], 0.01, 1e-12);
  CHECK(column.values[(size_t)RUNS * WIDTH - 1] == RUNS - 1);
  far__column_free(&column);
  /* a part, from within the first block to within the second */
  CHECK(far__block_read(&column, s, &cell, &series, 6, 1100, NULL) == FAR_OK);
  CHECK(column.count == 1094 && column.replicates[0] == 6 && column.replicates[1093] == 1099);
  CHECK(column.values[WIDTH - 1] == 1);
  far__column_free(&column);
  CHECK(far__block_read(&column, s, &cell, &series, RUNS + 5, INT64_MAX, NULL) == FAR_OK);
  CHECK(column.count == 0);
  far__column_free(&column);
  far__series_free(&series);
  far_store_close(s);
  CHECK(sql_number("large.db", "SELECT count(*) FROM block") == 2);
  sql("large.db", "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 17) "
                  "INSERT INTO series(name, width) SELECT hex(zeroblob(524280)) || x, 1 FROM c");
  far__series *list;
  size_t n;
  s = open_store("large.db", FAR_STORE_READ);
  CHECK(far__series_of_cell(&list, &n, s, 0, NULL) == FAR_OK && n == 18);
  far__series_list_free(list, n);
  /* in a file as small as another one they could not be */
  char *path = s->path;
  far_error error;
  s->path = strdup(store_path("rows.csv"));
  CHECK(far__series_of_cell(&list, &n, s, 0, &error) == FAR_STATUS_FORMAT && list == NULL);
  CHECK_CONTAINS(error.message, "is damaged: two series share their bytes");
  CHECK(error.position == -1);
  free(s->path);
  s->path = path;
  far_store_close(s);
  free(values);
  remove_store("large.db");
}

/* ---- waits ---- */

typedef struct watcher {
  sqlite3 *other;
  int asks, most;
  bool stops;
} watcher;

static bool watch(void *user, double waited) {
  watcher *w = user;
  (void)waited;
  if (++w->asks < w->most) return true;
  if (w->other != NULL) sqlite3_exec(w->other, "COMMIT", NULL, NULL, NULL);
  return !w->stops;
}

/* To change to a log the file must be its own: SQLite does not wait for that. */
static void test_first_log(void) {
  sqlite3 *other = NULL;
  far_store *s;
  far_error error;
  for (int stops = 0; stops < 2; ++stops) {
    copy_store("made.db", "log.db");
    sql("log.db", "PRAGMA journal_mode = DELETE");
    CHECK(sqlite3_open(store_path("log.db"), &other) == SQLITE_OK);
    CHECK(sqlite3_exec(other, "BEGIN; SELECT count(*) FROM cell", NULL, NULL, NULL) == SQLITE_OK);
    watcher w = {.most = 3, .stops = stops, .other = stops ? NULL : other};
    const far_status status =
        far__store_open_watched(&s, store_path("log.db"), FAR_STORE_WRITE, watch, &w, &error);
    CHECK(status == (stops ? FAR_STATUS_CANCELLED : FAR_OK) && w.asks >= 3);
    far_store_close(s);
    sqlite3_close(other);
    remove_store("log.db");
  }
}

typedef struct maker {
  sqlite3 *other;
  int asks;
} maker;

/* While it is waited for, the other process makes the store; the tables are those of made.db. */
static bool make_meanwhile(void *user, double waited) {
  maker *m = user;
  char text[40];
  (void)waited;
  if (++m->asks != 2) return true;
  sqlite3 *from = NULL;
  sqlite3_stmt *all = NULL;
  CHECK(sqlite3_open(store_path("made.db"), &from) == SQLITE_OK);
  CHECK(sqlite3_prepare_v2(from, "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL", -1, &all,
                           NULL) == SQLITE_OK);
  while (sqlite3_step(all) == SQLITE_ROW)
    CHECK(sqlite3_exec(m->other, (const char *)sqlite3_column_text(all, 0), NULL, NULL, NULL) ==
          SQLITE_OK);
  sqlite3_finalize(all);
  sqlite3_close(from);
  snprintf(text, sizeof text, "PRAGMA application_id = %d", FAR__STORE_APPLICATION);
  CHECK(sqlite3_exec(m->other, text, NULL, NULL, NULL) == SQLITE_OK);
  CHECK(sqlite3_exec(m->other, "PRAGMA user_version = 1; COMMIT", NULL, NULL, NULL) == SQLITE_OK);
  return true;
}

/* Two make a new store at the same time: the second takes what the first has made. */
static void test_made_meanwhile(void) {
  maker m = {0};
  far_store *s = NULL;
  far_error error = {.message = ""};
  CHECK(sqlite3_open(store_path("both.db"), &m.other) == SQLITE_OK);
  CHECK(sqlite3_exec(m.other, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK);
  CHECK(far__store_open_watched(&s, store_path("both.db"), FAR_STORE_WRITE, make_meanwhile, &m,
                                &error) == FAR_OK);
  CHECK_TEXT(error.message, "");
  CHECK(m.asks >= 2);
  far_store_close(s);
  sqlite3_close(m.other);
  CHECK(strlen(content("both.db", NULL)) == 64);
}

/* Killed in the last moment of making a store: all of it is in the file, and the journal says that there was nothing. Its
 * header has a mark, no pages, a number, the pages before (none), and the sizes of a sector and a page. */
static void test_made_in_vain(void) {
  static const unsigned char header[512] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7, 0, 0,
                                            0,    0,    0,    0,    0,    1,    0,    0,    0, 0,
                                            0,    0,    2,    0,    0,    0,    0x10, 0};
  far_store *s = NULL;
  far_error error;
  for (int write = 0; write < 2; ++write) {
    copy_store("made.db", "vain.db");
    sql("vain.db", "PRAGMA journal_mode = DELETE");
    CHECK(sql_number("vain.db", "PRAGMA page_size") == 4096);
    FILE *f = fopen(store_path("vain.db-journal"), "wb");
    CHECK(f != NULL && fwrite(header, sizeof header, 1, f) == 1 && fclose(f) == 0);
    if (write) {
      far_store_close(open_store("vain.db", FAR_STORE_WRITE));
      CHECK(sql_number("vain.db", "SELECT count(*) FROM cell") == 0); /* a new one */
      CHECK(strlen(content("vain.db", NULL)) == 64);
    } else {
      CHECK(far_store_open(&s, store_path("vain.db"), FAR_STORE_READ, &error) == FAR_STATUS_FORMAT);
      CHECK_CONTAINS(error.message, "is empty, and so not a store yet");
      CHECK(error.position == -1);
    }
    remove_store("vain.db");
  }
}

/* With a cache that connections share, a lock is told at once: the store waits by itself. */
static void test_shared_cache(void) {
  sqlite3 *other = NULL;
  far_error error;
  if (sqlite3_enable_shared_cache(1) != SQLITE_OK) return;
  far_store *s = open_store("shared.db", FAR_STORE_WRITE);
  CHECK(sqlite3_open_v2(s->file, &other, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) ==
        SQLITE_OK);
  CHECK(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK);
  watcher no = {.most = 3, .stops = true}, yes = {.most = 3, .other = other};
  far__store_watch(s, watch, &no);
  far__long_call(s, true);
  CHECK(far__sql_begin(s, &error) == FAR_STATUS_CANCELLED && no.asks >= 3);
  CHECK_CONTAINS(error.message, "stopped while waiting for another process");
  far__store_watch(s, watch, &yes);
  CHECK(far__sql_begin(s, &error) == FAR_OK && yes.asks >= 3);
  CHECK(far__sql_end(s, FAR_OK, NULL) == FAR_OK);
  sqlite3_close(other);
  far_store_close(s);
  sqlite3_enable_shared_cache(0);
}

/* Runs that are finished are not given up in the first second of a wait. */
static void test_last_runs(void) {
  far_mdp *mdp;
  far_keeper *k;
  far_error error;
  sqlite3 *other = NULL;
  double values[] = {1};
  CHECK(far_mdp_create(&mdp, "chain:n=3", NULL) == FAR_OK);
  const far_cell cell = {.mdp = mdp, .agent = "random", .steps = 10};
  far_batch_def def = far_batch_def_default();
  def.cells = &cell;
  def.n_cells = 1;
  def.runs = 3;
  far_store *s = open_store("runs.db", FAR_STORE_WRITE);
  CHECK(far_keeper_create(&k, s, &def, NULL) == FAR_OK);
  CHECK(sqlite3_open(store_path("runs.db"), &other) == SQLITE_OK);
  CHECK(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK);
  watcher no = {.stops = true};
  far__store_watch(s, watch, &no);
  const far_block blocks[] = {{.runs = 0}, {.runs = 1, .values = values}};
  const double begun = far__clock_seconds();
  CHECK(far_keeper_keep(k, blocks, 2, &error) == FAR_STATUS_CANCELLED);
  CHECK(far__clock_seconds() - begun > 1 && no.asks > 8);
  CHECK(no.asks < 100); /* from the eighth pause on each is a tenth of a second or more */
  CHECK_CONTAINS(error.message, "the last runs are not stored");
  CHECK(error.position == -1);
  CHECK(sqlite3_exec(other, "COMMIT", NULL, NULL, NULL) == SQLITE_OK);
  CHECK(far_keeper_keep(k, blocks, 2, &error) == FAR_OK);
  far_keeper_free(k);
  sqlite3_close(other);
  far_store_close(s);
  CHECK(sql_number("runs.db", "SELECT count(*) FROM block") == 1);
  far_mdp_free(mdp);
}

/* A lock that SQLite tells at once, as that of a log which another process mends: the store waits by itself. */
static void test_told_at_once(void) {
  sqlite3 *other = NULL;
  far_store *s = open_store("once.db", FAR_STORE_WRITE);
  CHECK(sqlite3_open(store_path("once.db"), &other) == SQLITE_OK);
  CHECK(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK);
  CHECK(sqlite3_busy_handler(s->db, NULL, NULL) == SQLITE_OK); /* so that it does not wait */
  watcher yes = {.most = 3, .other = other};
  far__store_watch(s, watch, &yes);
  CHECK(far__sql_begin(s, NULL) == FAR_OK && yes.asks == 3);
  CHECK(far__sql_end(s, FAR_OK, NULL) == FAR_OK);
  sqlite3_close(other);
  far_store_close(s);
}

/* Into a store in memory, which is no file. */
static void test_memory(void) {
  const char *const from[] = {store_path("made.db")};
  far_store *s = NULL;
  int64_t added = 0;
  CHECK(far_store_open(&s, "", FAR_STORE_MEMORY, NULL) == FAR_OK);
  CHECK(far_store_merge(&added, s, from, 1, NULL) == FAR_OK && added == 12);
  far_store_close(s);
}

int main(void) {
  if (!stores_begin()) return stores_end();
  far_import_report report;
  FILE *f = fopen(store_path("rows.csv"), "w");
  CHECK(f != NULL && fputs("env,agent,seed,value\n", f) >= 0);
  for (int i = 0; i < 12; ++i) fprintf(f, "w,m,%d,1\n", i);
  CHECK(fclose(f) == 0);
  far_store *s = open_store("made.db", FAR_STORE_WRITE);
  CHECK(far_store_import(&report, s, store_path("rows.csv"), NULL) == FAR_OK);
  far_store_close(s);
  test_permissions();
  test_changes();
  test_last_snapshots();
  test_far_replicates();
  test_large();
  test_first_log();
  test_made_meanwhile();
  test_made_in_vain();
  test_shared_cache();
  test_last_runs();
  test_told_at_once();
  test_memory();
  return stores_end();
}
