/* What a store holds, number by number: its hash as another program computes it, parts of blocks and their seconds,
 * merged sessions, lists that are kept, blocks as a follower sees them. */
#include <sys/utsname.h>
#include <time.h>

#include "lab/store/access.h"
#include "run/blocks.h"
#include "stores-sql.h"

#define FIRST_KEY "a47ce202484a2fb9956af14f736b4f6011690e9ed288de694532a2874ea1f61f"
#define SECOND_KEY "b583ed2d54265b8ea69e315480e92daff4f89d624dabe815d33fc2f5822056d3"

static void put_snapshot(const char *name, const char *key) {
  far_store *s = open_store(name, FAR_STORE_WRITE);
  far__stored_cell cell;
  far_snapshot x;
  int64_t id;
  bool added;
  CHECK(far__snapshot_create(&x, 1, 2, false, true, false, NULL) == FAR_OK);
  for (int i = 0; i < 4; ++i) x.visits[i] = i + 1;
  x.step = 5;
  CHECK(far__sql_begin(s, NULL) == FAR_OK && far__session_touch(s, NULL) == FAR_OK);
  CHECK(far__stored_cell_find(&id, s, key, NULL) == FAR_OK && id > 0);
  CHECK(far__stored_cell_get(&cell, s, id, NULL) == FAR_OK);
  CHECK(far__snapshot_put(&added, s, &cell, &x, s->session, NULL) == FAR_OK && added);
  CHECK(far__sql_end(s, FAR_OK, NULL) == FAR_OK);
  far__stored_cell_free(&cell);
  far_snapshot_free(&x);
  far_store_close(s);
}

/* Keys and hashes by Python's hashlib, from the text of src/lab/store/check.c and key.c: SHA-256 over lengths, texts and
 * numbers, little-endian. They must stay what they are for as long as stores are compared by them. */
static void test_hash(void) {
  far_store_report report;
  far_store_close(open_store("hash.db", FAR_STORE_WRITE));
  CHECK_TEXT(content("hash.db", NULL),
             "8dee657fa9f1aa3781d7e01dff6863dccb19ccce1726f3f3ca94ad4726e23379"); /* of nothing */
  import_text("hash.db",
              LONG "w,m,30,7,2,total,,-2\nw,m,30,7,0,total,,1.5\nw,m,30,7,0,curve,5,0.5\n"
                   "w,m,30,7,0,regret,,4\nw,m,30,7,2,regret,5,9\nv,m,30,7,0,total,,3\n");
  CHECK_TEXT(content("hash.db", NULL),
             "6016dcc3f79dd077a722ed3476be992464adbb38830eea079dd26bc7cfa84a80");
  put_snapshot("hash.db", SECOND_KEY);
  far_store *s = open_store("hash.db", FAR_STORE_READ);
  CHECK(far_store_check(&report, s, NULL, NULL, NULL) == FAR_OK && report.faults == 0);
  CHECK_TEXT(report.hash, "e0142ae0c35a94483a4fc7159b7c8e183af385b1b30aa06a18ef707158442316");
  CHECK(report.values == 6 && report.snapshots == 1 && report.cells == 2 && report.blocks == 6);
  far_record record;
  bool found;
  static const char *const keys[] = {SECOND_KEY, FIRST_KEY}, *const envs[] = {"v", "w"};
  for (size_t i = 0; i < 2; ++i) {
    CHECK(far_store_record(&record, &found, s, i, NULL) == FAR_OK && found);
    CHECK_TEXT(record.key, keys[i]);
    CHECK_TEXT(record.env, envs[i]);
    CHECK(record.numerics == 0 && record.steps == 30 && record.seed == 7);
  }
  CHECK(far_store_record(&record, &found, s, 2, NULL) == FAR_OK && !found && record.key == NULL);
  far_store_close(s);
  /* a cell without numbers is no result, and changes nothing */
  s = open_store("hash.db", FAR_STORE_WRITE);
  far__stored_cell idle = {.env = "idle", .agent = "a"};
  far__stored_cell_key(idle.key, &idle);
  CHECK(far__stored_cell_add(&idle, s, NULL) == FAR_OK);
  far_store_close(s);
  CHECK_TEXT(content("hash.db", NULL), report.hash);
}

/* ---- parts of blocks ---- */

typedef struct bench {
  far_store *s;
  far__stored_cell cell;
  far__series series;
} bench;

static bench begin_blocks(const char *name, const char *series) {
  bench b = {.s = open_store(name, FAR_STORE_WRITE),
             .cell = {.env = "e", .agent = "a", .steps = 9, .seed = 3}};
  far__stored_cell_key(b.cell.key, &b.cell);
  CHECK(far__series_name(&b.series, strdup(series), NULL) == FAR_OK);
  CHECK(far__sql_begin(b.s, NULL) == FAR_OK && far__session_touch(b.s, NULL) == FAR_OK);
  CHECK(far__stored_cell_add(&b.cell, b.s, NULL) == FAR_OK);
  CHECK(far__series_add(&b.series, b.s, NULL) == FAR_OK);
  return b;
}

static void end_blocks(bench *b) {
  CHECK(far__sql_end(b->s, FAR_OK, NULL) == FAR_OK);
  far__series_free(&b->series);
  far_store_close(b->s);
}

/* Run r has the numbers 10 r and 10 r + 1. */
static far_status put(bench *b, int64_t first, int64_t runs, double seconds, int64_t *added,
                      far_error *error) {
  double *values = malloc((size_t)runs * 2 * sizeof *values);
  for (int64_t i = 0; i < 2 * runs; ++i) values[i] = 10 * (double)(first + i / 2) + (double)(i % 2);
  const far__rows rows = {
      .first = first, .runs = runs, .values = values, .seconds = seconds, .session = b->s->session};
  *added = 7;
  const far_status status =
      far__block_put(added, b->s, &b->cell, &b->series, &rows, FAR_STATUS_CONFLICT, error);
  free(values);
  return status;
}

/* What is there is left out, in one part or several, each with its share of the seconds. */
static void test_parts(void) {
  bench b = begin_blocks("parts.db", "x@1,2");
  far__column c;
  far_error error;
  int64_t added;
  CHECK(put(&b, 10, 4, 8, &added, NULL) == FAR_OK && added == 4);
  CHECK(put(&b, 18, 2, 8, &added, NULL) == FAR_OK && added == 2);
  CHECK(put(&b, 5, 20, 20, &added, NULL) == FAR_OK && added == 14); /* 5-9, 14-17, 20-24 */
  CHECK(put(&b, 5, 20, 20, &added, NULL) == FAR_OK && added == 0);
  CHECK(put(&b, -1, 2, 0, &added, &error) == FAR_STATUS_RANGE && added == 0);
  CHECK(error.position == -1);
  CHECK(far__block_read(&c, b.s, &b.cell, &b.series, 0, 100, NULL) == FAR_OK && c.count == 20);
  for (int64_t i = 0; i < 20; ++i) {
    CHECK(c.replicates[i] == 5 + i && c.values[2 * i] == 50 + 10 * (double)i);
    CHECK(c.values[2 * i + 1] == 51 + 10 * (double)i);
    const bool early = i >= 5 && i < 9, late = i >= 13 && i < 15;
    CHECK_NEAR(c.seconds[i], early ? 2 : late ? 4 : 1, 1e-12);
  }
  far__column_free(&c);
  CHECK(c.count == 0 && c.values == NULL && c.replicates == NULL && c.seconds == NULL);
  /* ranges from within and up to within */
  static const int64_t ranges[][3] = {{7, 8, 1},   {0, 5, 0},   {5, 6, 1},  {24, 25, 1},
                                      {25, 99, 0}, {9, 19, 10}, {13, 15, 2}};
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; ++i) {
    CHECK(far__block_read(&c, b.s, &b.cell, &b.series, ranges[i][0], ranges[i][1], NULL) == FAR_OK);
    CHECK(c.count == ranges[i][2] && (c.count == 0 || c.replicates[0] == ranges[i][0]));
    far__column_free(&c);
  }
  b.series.steps[1] = 3; /* another number at the same place */
  double wrong[] = {50, 52};
  const far__rows rows = {.first = 5, .runs = 1, .values = wrong, .session = b.s->session};
  CHECK(far__block_put(&added, b.s, &b.cell, &b.series, &rows, FAR_STATUS_CONFLICT, &error) ==
        FAR_STATUS_CONFLICT);
  CHECK_CONTAINS(error.message, "run 5 of 'a' on 'e' (9 steps, seed 3): x at step 3 is 51 in '");
  CHECK_CONTAINS(error.message, "and 52 here");
  CHECK(error.position == -1);
  end_blocks(&b);
  CHECK(sql_number("parts.db", "SELECT count(*) FROM block") == 5);
}

/* As long as a row may be, one more, and two rows that a range of one run touches. */
static void test_rows(void) {
  bench b = begin_blocks("rows.db", "y@1,2");
  far__column c;
  int64_t added;
  CHECK(put(&b, 0, 1024, 1024, &added, NULL) == FAR_OK && added == 1024);
  CHECK(put(&b, 2000, 2049, 2049, &added, NULL) == FAR_OK && added == 2049);
  CHECK(put(&b, INT64_MAX - 1, 1, 1, &added, NULL) == FAR_OK && added == 1);
  static const int64_t one[] = {0, 1023, 2000, 3023, 3024, 4048};
  for (size_t i = 0; i < 6; ++i) {
    CHECK(far__block_read(&c, b.s, &b.cell, &b.series, one[i], one[i] + 1, NULL) == FAR_OK);
    CHECK(c.count == 1 && c.values[1] == 10 * (double)one[i] + 1 && c.seconds[0] == 1);
    far__column_free(&c);
  }
  CHECK(far__block_read(&c, b.s, &b.cell, &b.series, 1024, 2000, NULL) == FAR_OK && c.count == 0);
  far__column_free(&c);
  CHECK(far__block_read(&c, b.s, &b.cell, &b.series, 0, INT64_MAX, NULL) == FAR_OK);
  CHECK(c.count == 3074 && c.replicates[3073] == INT64_MAX - 1);
  far__column_free(&c);
  end_blocks(&b);
  CHECK(sql_number("rows.db", "SELECT count(*) FROM block WHERE runs = 1024") == 3);
  CHECK(sql_number("rows.db", "SELECT count(*) FROM block WHERE runs = 1") == 2);
}

typedef struct followed {
  int count;
  int64_t runs, last;
  double seconds, totals;
} followed;

static far_status follow(void *user, const far__store_block *block, far_error *error) {
  followed *f = user;
  (void)error;
  f->count += 1;
  f->runs += block->runs;
  f->last = block->first;
  f->seconds += block->seconds;
  CHECK(block->session == 1 && block->id == f->count);
  for (int64_t i = 0; block->totals != NULL && i < block->runs; ++i) f->totals += block->totals[i];
  return FAR_OK;
}

static far_status stop_at_once(void *user, const far__store_block *block, far_error *error) {
  (void)error;
  *(int64_t *)user = block->id;
  return FAR_STATUS_CANCELLED;
}

static void test_followed(void) {
  followed f = {0};
  int64_t id = 0;
  far_store *s = open_store("rows.db", FAR_STORE_READ);
  CHECK(far__store_blocks_after(s, 2, stop_at_once, &id, NULL) == FAR_STATUS_CANCELLED && id == 3);
  CHECK(far__store_blocks_after(s, 0, follow, &f, NULL) == FAR_OK);
  CHECK(f.count == 5 && f.runs == 3074 && f.last == INT64_MAX - 1 && f.totals == 0);
  CHECK_NEAR(f.seconds, 3074, 1e-9);
  f.count = 4;
  CHECK(far__store_blocks_after(s, 4, follow, &f, NULL) == FAR_OK && f.count == 5);
  far_store_close(s);
  f = (followed){0};
  s = open_store("hash.db", FAR_STORE_READ);
  CHECK(far__store_blocks_after(s, 0, follow, &f, NULL) == FAR_OK);
  CHECK(f.count == 6 && f.totals == 1.5 - 2 + 3);
  far_store_close(s);
}

/* A series that only the second cell has is one of the store's. */
static void test_followed_series(void) {
  followed f = {0};
  import_text("series.db", LONG "v,m,30,7,0,total,,1\nw,m,30,7,0,x,,2\nw,m,30,7,0,total,,3\n");
  far_store *s = open_store("series.db", FAR_STORE_READ);
  CHECK(far__store_blocks_after(s, 0, follow, &f, NULL) == FAR_OK && f.count == 3);
  CHECK(f.totals == 4 && f.runs == 3);
  far_store_close(s);
}

/* A block of a series that was deleted is damage, and not one of the next series in memory. */
static void test_followed_damage(void) {
  followed f = {0};
  far_error error = {.message = ""};
  copy_store("series.db", "unnamed.db");
  sql("unnamed.db", "UPDATE block SET series = 99 WHERE id = 1");
  far_store *s = open_store("unnamed.db", FAR_STORE_READ);
  CHECK(far__store_blocks_after(s, 0, follow, &f, &error) == FAR_STATUS_FORMAT && f.count == 0);
  CHECK_CONTAINS(error.message, "is of a series that is not there");
  far_store_close(s);
}

/* ---- merges and lists ---- */

/* Numbers count, not runs; two sessions stay two, and are not copied again. */
static void test_merged(void) {
  int64_t added;
  bench b = begin_blocks("two.db", "x@1,2");
  CHECK(put(&b, 0, 3, 1, &added, NULL) == FAR_OK);
  end_blocks(&b);
  b = begin_blocks("two.db", "x@1,2");
  CHECK(put(&b, 3, 2, 1, &added, NULL) == FAR_OK);
  CHECK(put(&b, 9, 1, 1, &added, NULL) == FAR_OK);
  end_blocks(&b);
  CHECK(sql_number("two.db", "SELECT count(*) FROM session") == 2);
  const char *const from[] = {store_path("two.db"), store_path("hash.db")};
  far_store *s = open_store("merged.db", FAR_STORE_WRITE);
  CHECK(far_store_merge(&added, s, from, 1, NULL) == FAR_OK && added == 12);
  CHECK(far_store_merge(&added, s, from, 2, NULL) == FAR_OK && added == 6 + 4);
  far_store_close(s);
  CHECK(sql_number("merged.db", "SELECT count(*) FROM session") == 4);
  CHECK(sql_number("merged.db", "SELECT count(*) FROM block WHERE session = 2") == 2);
  CHECK(strlen(content("merged.db", NULL)) == 64);
}

/* Blocks of two sessions in turn, into a store that has another: each keeps its own. And a series that only the
 * second cell has. */
static void test_merged_origins(void) {
  int64_t added;
  for (int i = 0; i < 2; ++i) {
    bench b = begin_blocks("turns.db", "x@1,2");
    if (i == 0) CHECK(put(&b, 0, 3, 1, &added, NULL) == FAR_OK);
    if (i == 0) CHECK(put(&b, 9, 1, 1, &added, NULL) == FAR_OK);
    if (i == 1) CHECK(put(&b, 3, 2, 1, &added, NULL) == FAR_OK);
    end_blocks(&b);
  }
  import_text("into.db", LONG "u,m,30,7,0,total,,1\n");
  const char *const from[] = {store_path("turns.db"), store_path("series.db")};
  far_store *s = open_store("into.db", FAR_STORE_WRITE);
  CHECK(far_store_merge(&added, s, from, 2, NULL) == FAR_OK && added == 12 + 3);
  far_store_close(s);
  CHECK(sql_number("into.db", "SELECT count(*) FROM session") == 4);
#define OF "(SELECT session FROM block WHERE runs = "
  CHECK(sql_number("into.db", "SELECT " OF "3) = " OF "1 AND first = 9)") == 1);
  CHECK(sql_number("into.db", "SELECT " OF "3) <> " OF "2)") == 1);
#undef OF
  CHECK(strlen(content("into.db", NULL)) == 64);
}

/* One run's curve in two series that share a step, or in one: the same results have the same hash. */
static void test_divided(void) {
  far_mdp *mdp;
  bool added;
  static const int64_t steps[][3] = {{5, 7}, {5, 9}, {5, 7, 9}};
  static const double curves[][3] = {{1, 2}, {1, 3}, {1, 2, 3}};
  CHECK(far_mdp_create(&mdp, "chain:n=3", NULL) == FAR_OK);
  for (int i = 0; i < 3; ++i) {
    const far_imported_run run = {mdp, "mine", 10, 1, 4, 6, steps[i], curves[i], i < 2 ? 2 : 3};
    far_store *s = open_store(i < 2 ? "divided.db" : "undivided.db", FAR_STORE_WRITE);
    CHECK(far_store_add(&added, s, &run, NULL) == FAR_OK && added);
    far_store_close(s);
  }
  CHECK_TEXT(content("divided.db", NULL), content("undivided.db", NULL));
  far_mdp_free(mdp);
}

/* The list of columns is read anew at its first, not before, and for each record. */
static void test_kept_list(void) {
  const char *name;
  bool found;
  import_text("list.db", LONG "w,m,30,7,0,b,,1\nw,m,30,7,0,c,,1\nv,m,30,7,0,x,,1\n");
  far_store *s = open_store("list.db", FAR_STORE_READ);
  CHECK(far_store_series(&name, &found, s, FIRST_KEY, 0, NULL) == FAR_OK && found);
  CHECK_TEXT(name, "b");
  import_text("list.db", LONG "w,m,30,7,0,a,,1\n");
  CHECK(far_store_series(&name, &found, s, FIRST_KEY, 1, NULL) == FAR_OK && found);
  CHECK_TEXT(name, "c"); /* as it was */
  CHECK(far_store_series(&name, &found, s, FIRST_KEY, 2, NULL) == FAR_OK && !found);
  CHECK(far_store_series(&name, &found, s, SECOND_KEY, 1, NULL) == FAR_OK && !found);
  CHECK(far_store_series(&name, &found, s, FIRST_KEY, 1, NULL) == FAR_OK && found);
  CHECK_TEXT(name, "b"); /* after another list it is read anew */
  CHECK(far_store_series(&name, &found, s, FIRST_KEY, 0, NULL) == FAR_OK && found);
  CHECK_TEXT(name, "a");
  CHECK(far_store_series(&name, &found, s, NULL, 3, NULL) == FAR_OK && found);
  CHECK_TEXT(name, "x");
  far_store_close(s);
}

/* ---- where results come from ---- */

static void print_time(char out[24]) {
  struct tm parts;
  const time_t now = time(NULL);
  strftime(out, 24, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &parts));
}

static void check_origin(const far_session *x, const char *command) {
  char machine[300];
  struct utsname u;
  CHECK(uname(&u) == 0);
  snprintf(machine, sizeof machine, "%.60s: %.40s %.80s %.40s", u.nodename, u.sysname, u.release,
           u.machine);
  CHECK_TEXT(x->machine, machine);
  CHECK_TEXT(x->version, far_version());
  CHECK_TEXT(x->command, command);
  CHECK_CONTAINS(x->compiler, __VERSION__); /* this test's own compiler */
  CHECK(x->numerics == far_numerics() && x->processors == (int)sysconf(_SC_NPROCESSORS_ONLN));
}

/* A session says who computed its results and when, by either way of asking. */
static void test_origins(void) {
  char before[24], after[24];
  int64_t added;
  far_session x;
  bool found;
  print_time(before);
  bench b = begin_blocks("origins.db", "total");
  const far__rows rows = {.runs = 2, .values = (const double[]){1, 2}, .session = b.s->session};
  CHECK(far__block_put(&added, b.s, &b.cell, &b.series, &rows, FAR_STATUS_CONFLICT, NULL) ==
        FAR_OK);
  end_blocks(&b);
  print_time(after);
  far_store *s = open_store("origins.db", FAR_STORE_READ);
  for (int way = 0; way < 2; ++way) {
    const far_status status = way == 0 ? far_store_session(&x, &found, s, 0, NULL)
                                       : far__store_origin(&x, &found, s, 1, NULL);
    CHECK(status == FAR_OK && found && x.runs == (way == 0 ? 2 : 0));
    check_origin(&x, "");
    CHECK(strcmp(before, x.started) <= 0 && strcmp(x.started, after) <= 0);
    CHECK_TEXT(x.last, x.started);
  }
  CHECK(far_store_session(&x, &found, s, 1, NULL) == FAR_OK && !found && x.machine == NULL);
  far_store_close(s);
}

/* Numbers without an origin are told at the first of the list; a session that cannot be read is none. */
static void test_lost_origins(void) {
  far_session x;
  far_error error = {.message = ""};
  bool found = true;
  copy_store("origins.db", "lost.db");
  sql("lost.db", "UPDATE block SET session = 2");
  far_store *s = open_store("lost.db", FAR_STORE_READ);
  CHECK(far_store_session(&x, &found, s, 0, &error) == FAR_STATUS_FORMAT && !found);
  CHECK_CONTAINS(error.message, "some of its numbers belong to no session; 'farsight store check'");
  CHECK(error.position == -1 && x.version == NULL);
  far_store_close(s);
  copy_store("origins.db", "lost.db");
  sql("lost.db", "UPDATE session SET machine = hex(zeroblob(600))");
  s = open_store("lost.db", FAR_STORE_READ);
  for (int way = 0; way < 2; ++way) {
    const far_status status = way == 0 ? far_store_session(&x, &found, s, 0, &error)
                                       : far__store_origin(&x, &found, s, 1, &error);
    CHECK(status == FAR_STATUS_FORMAT && !found && x.version == NULL && error.position == -1);
    CHECK_CONTAINS(error.message, "the machine of session 1 has 1200 bytes, at most 1024");
  }
  far_store_close(s);
}

/* ---- calls that may take long ---- */

typedef struct stopper {
  const far_store *s;
  int asked;
} stopper;

/* Is heard at once, as the call is a long one. */
static bool says_no(void *user, double waited) {
  stopper *x = user;
  (void)waited;
  x->asked += 1;
  CHECK(x->s->in_long_call);
  return false;
}

static bool take_bytes(void *user, const char *bytes, size_t length) {
  (void)user, (void)bytes, (void)length;
  return true;
}

static far_status skip_block(void *user, const far__store_block *block, far_error *error) {
  (void)user, (void)block, (void)error;
  return FAR_OK;
}

/* Call `which` of those that ask their watcher. */
static far_status call_long(far_store *s, int which) {
  const char *const from[] = {store_path("hash.db")};
  far_store_report report;
  far_import_report rows;
  int64_t added;
  switch (which) {
  case 0: return far_store_check(&report, s, NULL, NULL, NULL);
  case 1: return far__store_blocks_after(s, 0, skip_block, NULL, NULL);
  case 2: return far_store_export_snapshots(s, take_bytes, NULL, NULL);
  case 3: return far_store_merge(&added, s, from, 1, NULL);
  default: return far_store_import(&rows, s, store_path("rows.csv"), NULL);
  }
}

/* They leave no transaction open, and do not count as long any more, whether they come to their end or are stopped. */
static void test_long_calls(void) {
  for (int which = 0; which < 5; ++which) {
    copy_store("hash.db", "long.db");
    far_store *s = open_store("long.db", FAR_STORE_WRITE);
    stopper no = {.s = s};
    CHECK(call_long(s, which) == FAR_OK);
    CHECK(!s->in_long_call && sqlite3_get_autocommit(s->db));
    const char *before = content("long.db", NULL);
    far__store_watch(s, says_no, &no);
    CHECK(call_long(s, which) == FAR_STATUS_CANCELLED && no.asked > 0);
    CHECK(!s->in_long_call && sqlite3_get_autocommit(s->db));
    far_store_close(s);
    CHECK_TEXT(content("long.db", NULL), before);
    remove_store("long.db");
  }
}

/* Of cells that an earlier version computed, too, the latest alone are compared if that is asked for. */
static void test_older(void) {
  bench b = begin_blocks("older.db", "total");
  far_comparison_def how = far_comparison_def_default();
  far_comparison *c;
  int64_t added;
  how.bootstrap.resamples = 100;
  for (int numerics = 1; numerics < 4; ++numerics) {
    b.cell.numerics = numerics;
    far__stored_cell_key(b.cell.key, &b.cell);
    CHECK(far__stored_cell_add(&b.cell, b.s, NULL) == FAR_OK);
    CHECK(put(&b, 0, 4, 1, &added, NULL) == FAR_OK && added == 4);
  }
  end_blocks(&b);
  far_store *s = open_store("older.db", FAR_STORE_READ);
  for (int newest = 0; newest < 2; ++newest) {
    how.newest = newest;
    CHECK(far_comparison_create(&c, s, &how, NULL) == FAR_OK);
    CHECK(c->n_groups == (newest ? 1 : 3) && c->groups[0].n_older == (newest ? 2 : 0));
    far_comparison_free(c);
  }
  far_store_close(s);
}

int main(void) {
  if (!stores_begin()) return stores_end();
  test_hash();
  test_parts();
  test_rows();
  test_followed();
  test_followed_series();
  test_followed_damage();
  test_merged();
  test_merged_origins();
  test_divided();
  test_kept_list();
  test_origins();
  test_lost_origins();
  test_long_calls();
  test_older();
  return stores_end();
}
