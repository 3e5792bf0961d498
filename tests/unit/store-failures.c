/* Stores while SQLite or memory fails: of every call each allocation, and each call of SQLite that can fail, fails
 * once, alone and with all that follow. The call then gives the same result as ever, or MEMORY with a message, and
 * the store is as it was. failing-memory.h has the sweep; here SQLite's calls count as allocations. And what no file
 * can be made to do: an index that leads back, a database without a file, files of two disks that have one number. */
#define MOST_POINTS 400
#include <fcntl.h>

#include "failing-memory.h"
#include "lab/store/access.h"
#include "run/blocks.h"
#include "stores-sql.h"

#ifdef FARSIGHT_WRAPPED_MALLOC
int __real_sqlite3_step(sqlite3_stmt *s);
int __real_sqlite3_prepare_v2(sqlite3 *db, const char *text, int n, sqlite3_stmt **out,
                              const char **tail);
int __real_sqlite3_prepare_v3(sqlite3 *db, const char *text, int n, unsigned flags,
                              sqlite3_stmt **out, const char **tail);
int __real_sqlite3_exec(sqlite3 *db, const char *text, int (*f)(void *, int, char **, char **),
                        void *user, char **why);
int __real_sqlite3_open_v2(const char *name, sqlite3 **db, int flags, const char *vfs);
int __wrap_sqlite3_step(sqlite3_stmt *s);
int __wrap_sqlite3_prepare_v2(sqlite3 *db, const char *text, int n, sqlite3_stmt **out,
                              const char **tail);
int __wrap_sqlite3_prepare_v3(sqlite3 *db, const char *text, int n, unsigned flags,
                              sqlite3_stmt **out, const char **tail);
int __wrap_sqlite3_exec(sqlite3 *db, const char *text, int (*f)(void *, int, char **, char **),
                        void *user, char **why);
int __wrap_sqlite3_open_v2(const char *name, sqlite3 **db, int flags, const char *vfs);

static bool leads_back, has_no_file, same_numbers, is_full;
static const char
    *vanishing;   /* a file that is there the first time that one looks, and then no more */
static int looks; /* at it */

int __real_sqlite3_bind_int64(sqlite3_stmt *s, int at, sqlite3_int64 x);
int __real_sqlite3_file_control(sqlite3 *db, const char *name, int what, void *out);
int __wrap_sqlite3_bind_int64(sqlite3_stmt *s, int at, sqlite3_int64 x);
int __wrap_sqlite3_file_control(sqlite3 *db, const char *name, int what, void *out);
int __wrap_stat(const char *path, struct stat *out);
int __wrap_stat64(const char *path, struct stat *out);

int __wrap_sqlite3_bind_int64(sqlite3_stmt *s, int at, sqlite3_int64 x) {
  return __real_sqlite3_bind_int64(s, at, leads_back && at > 1 ? 0 : x);
}

int __wrap_sqlite3_file_control(sqlite3 *db, const char *name, int what, void *out) {
  return has_no_file ? SQLITE_NOTFOUND : __real_sqlite3_file_control(db, name, what, out);
}

static int look(const char *path, struct stat *out) {
  if (vanishing != NULL && strcmp(path, vanishing) == 0 && ++looks > 1) {
    errno = ENOENT;
    return -1;
  }
  const int result = fstatat(AT_FDCWD, path, out, 0);
  if (same_numbers && result == 0) {
    out->st_dev += (dev_t)strlen(path); /* the disks are as many as there are lengths */
    out->st_ino = 7;
  }
  return result;
}

/* As glibc calls it where files may be large, or else; elsewhere it may have a third name, and tells the truth. */
int __wrap_stat(const char *path, struct stat *out) {
  return look(path, out);
}

int __wrap_stat64(const char *path, struct stat *out) {
  return look(path, out);
}

int __wrap_sqlite3_step(sqlite3_stmt *s) {
  if (is_full && strncmp(sqlite3_sql(s), "INSERT", 6) == 0) return SQLITE_FULL;
  return fails() ? SQLITE_NOMEM : __real_sqlite3_step(s);
}

int __wrap_sqlite3_prepare_v2(sqlite3 *db, const char *text, int n, sqlite3_stmt **out,
                              const char **tail) {
  return fails() ? SQLITE_NOMEM : __real_sqlite3_prepare_v2(db, text, n, out, tail);
}

int __wrap_sqlite3_prepare_v3(sqlite3 *db, const char *text, int n, unsigned flags,
                              sqlite3_stmt **out, const char **tail) {
  return fails() ? SQLITE_NOMEM : __real_sqlite3_prepare_v3(db, text, n, flags, out, tail);
}

int __wrap_sqlite3_exec(sqlite3 *db, const char *text, int (*f)(void *, int, char **, char **),
                        void *user, char **why) {
  return fails() ? SQLITE_NOMEM : __real_sqlite3_exec(db, text, f, user, why);
}

/* Without memory there may be no database at all. */
int __wrap_sqlite3_open_v2(const char *name, sqlite3 **db, int flags, const char *vfs) {
  if (!fails()) return __real_sqlite3_open_v2(name, db, flags, vfs);
  *db = NULL;
  return SQLITE_NOMEM;
}
#endif

static bool take_bytes(void *user, const char *bytes, size_t length) {
  *(double *)user += digest(bytes, length);
  return true;
}

static void take_fault(void *user, const char *sentence) {
  (void)user;
  CHECK_TEXT(sentence, "");
}

static far_status take_block(void *user, const far__store_block *block, far_error *error) {
  (void)error;
  *(double *)user += (double)(block->id + block->session + block->first + 10 * block->runs) +
                     digest(block->series, strlen(block->series)) +
                     (block->totals != NULL ? block->totals[0] : 0);
  return FAR_OK;
}

/* ---- ways of reading ---- */

/* The key of the first record, with curves. */
static char first_key[FAR_HASH_TEXT];

static far_status check(double *out, far_store *s, far_error *error) {
  far_store_report r;
  const far_status status = far_store_check(&r, s, take_fault, NULL, error);
  if (status == FAR_OK) *out = digest(r.hash, strlen(r.hash)) + (double)(r.values + r.snapshots);
  return status;
}

static far_status export(double *out, far_store *s, far_error *error) {
  static const char *const only[] = {"total", "curve@5"};
  const far_status status = far_store_export(s, FAR_EXPORT_CSV, NULL, 0, take_bytes, out, error);
  if (status != FAR_OK) return status;
  return far_store_export(s, FAR_EXPORT_JSONL, only, 2, take_bytes, out, error);
}

static far_status export_snapshots(double *out, far_store *s, far_error *error) {
  return far_store_export_snapshots(s, take_bytes, out, error);
}

static far_status list(double *out, far_store *s, far_error *error) {
  far_record record;
  far_session session;
  far_store_info info;
  bool found = true;
  far_status status = FAR_OK;
  for (size_t i = 0; status == FAR_OK && found; ++i) {
    status = far_store_record(&record, &found, s, i, error);
    if (status == FAR_OK && found) *out += digest(record.key, 64) + (double)record.runs;
  }
  if (status == FAR_OK) status = far_store_session(&session, &found, s, 0, error);
  if (status == FAR_OK) *out += digest(session.version, 3) + (double)session.runs + found;
  if (status == FAR_OK) status = far__store_origin(&session, &found, s, 1, error);
  if (status == FAR_OK) *out += found;
  if (status == FAR_OK) status = far_store_info_of(&info, s, error);
  if (status == FAR_OK) *out += (double)(info.blocks + info.snapshots + info.values + info.runs);
  return status;
}

/* A step with so many zeros before it that its name takes memory of its own. */
#define ZEROS "00000000000000000000000000000000000000000000000000"
#define LONG_NAME "coverage@" ZEROS ZEROS "6"

static far_status columns(double *out, far_store *s, far_error *error) {
  const char *name;
  bool found = true, exact;
  far_status status = FAR_OK;
  for (size_t i = 0; status == FAR_OK && found; ++i) {
    status = far_store_series(&name, &found, s, first_key, i, error);
    if (status == FAR_OK && found) *out += digest(name, strlen(name));
  }
  if (status == FAR_OK) status = far_store_series_nearest(&name, &exact, s, "coverage@6", error);
  if (status == FAR_OK) *out += digest(name, strlen(name)) + exact;
  if (status == FAR_OK) status = far_store_series_nearest(&name, &exact, s, LONG_NAME, error);
  if (status == FAR_OK) *out += digest(name, strlen(name)) + exact;
  return status;
}

static far_status values(double *out, far_store *s, far_error *error) {
  far_columns c;
  far_status status =
      far_store_columns(&c, s, first_key, (const char *const[]){"curve@5", "total"}, 2, error);
  for (int64_t i = 0; status == FAR_OK && i < 2 * c.count; ++i) *out += c.values[i];
  far_columns_free(&c);
  return status;
}

static far_status follow(double *out, far_store *s, far_error *error) {
  return far__store_blocks_after(s, 0, take_block, out, error);
}

static far_status snapshot(double *out, far_store *s, far_error *error) {
  far_snapshot x;
  bool found;
  const far_status status = far_store_snapshot_read(&x, &found, s, first_key, 0, 6, error);
  if (status == FAR_OK && found) *out = (double)x.step + x.visits[0];
  far_snapshot_free(&x);
  return status;
}

typedef far_status reading(double *out, far_store *s, far_error *error);
static const struct {
  const char *name;
  reading *read;
} readings[] = {{"check", check},   {"export", export},    {"export snapshots", export_snapshots},
                {"list", list},     {"columns", columns},  {"values", values},
                {"follow", follow}, {"snapshot", snapshot}};

static far_status read_store(double *out, const char *what, far_error *error) {
  far_store *s;
  far_status status = far_store_open(&s, store_path("made.db"), FAR_STORE_READ, error);
  for (size_t i = 0; status == FAR_OK && i < sizeof readings / sizeof *readings; ++i)
    if (strcmp(readings[i].name, what) == 0) status = readings[i].read(out, s, error);
  far_store_close(s);
  return status;
}

/* ---- ways of writing ---- */

static double all_of(const char *name) {
  return (double)sql_number(name, "SELECT count(*) FROM block") +
         100 * (double)sql_number(name, "SELECT count(*) FROM cell") +
         1e4 * (double)sql_number(name, "SELECT count(*) FROM series") +
         1e6 * (double)sql_number(name, "SELECT count(*) FROM session") +
         1e8 * (double)sql_number(name, "SELECT coalesce(sum(width), 0) FROM series");
}

/* Runs `work` on a copy of a store, which then is as it was, or has all of it: where a call after the last commit
 * failed. */
static far_status change(double *out, const char *from, reading *work, far_error *error) {
  static double whole; /* the first time nothing fails */
  far_store *s = NULL;
  const long at = atomic_exchange(&fails_at, 0); /* what is prepared here does not fail */
  copy_store(from, "copy.db");
  const double before = all_of("copy.db");
  atomic_store(&count, 0);
  atomic_store(&fails_at, at);
  far_status status = far_store_open(&s, store_path("copy.db"), FAR_STORE_WRITE, error);
  if (status == FAR_OK) status = work(out, s, error);
  const long used = atomic_load(&count);
  atomic_store(&fails_at, 0);
  far_store_close(s);
  const double after = all_of("copy.db");
  if (status == FAR_OK) whole = after;
  CHECK(after == before || after == whole);
  CHECK(strlen(content("copy.db", NULL)) == 64);
  *out += after;
  remove_store("copy.db");
  atomic_store(&count, used);
  return status;
}

static far_mdp *mdp;

/* So many steps that their name takes memory twice. */
static far_status add(double *out, far_store *s, far_error *error) {
  enum { STEPS = 40 };
  static int64_t steps[STEPS];
  static double curve[STEPS];
  bool added = false;
  for (int i = 0; i < STEPS; ++i) steps[i] = 100 + i;
  const far_imported_run run = {mdp, "mine", 200, 1, 3, 1.5, steps, curve, STEPS};
  far_status status = far_store_add(&added, s, &run, error);
  *out = added;
  if (status == FAR_OK) status = far_store_add(&added, s, &run, error); /* nothing is new */
  *out += added;
  return status;
}

/* Two blocks, the second of a transaction of its own, with a snapshot. */
static far_status keep(double *out, far_store *s, far_error *error) {
  const int64_t checkpoints[] = {5, 10};
  const far_cell cell = {
      .mdp = mdp, .agent = "random", .steps = 10, .checkpoints = checkpoints, .n_checkpoints = 2};
  far_batch_def def = far_batch_def_default();
  double numbers[] = {1, 2, 3, 4, 5, 6};
  far_keeper *k = NULL;
  const far_block *done;
  size_t n_done = 0;
  far_snapshot x = {0};
  def.cells = &cell;
  def.n_cells = 1;
  def.runs = 4;
  def.snapshots = 1;
  far_status status = far_keeper_create(&k, s, &def, error);
  if (status == FAR_OK) status = far__snapshot_create(&x, 3, 2, false, false, true, error);
  x.step = 5;
  const far_block blocks[] = {
      {.cell = 0, .first = 2, .runs = 2, .values = numbers},
      {.cell = 0, .runs = 1, .values = numbers, .snapshots = &x, .n_snapshots = x.step > 0}};
  if (status == FAR_OK) status = far_keeper_keep(k, &blocks[0], 2, error);
  if (status == FAR_OK) status = far__keeper_done(&done, &n_done, k, error);
  *out = (double)n_done;
  for (size_t i = 0; status == FAR_OK && i < n_done; ++i) *out += (double)done[i].runs;
  far_snapshot_free(&x);
  far_keeper_free(k);
  return status;
}

static far_status merge(double *out, far_store *s, far_error *error) {
  const char *const from[] = {store_path("made.db")};
  int64_t added;
  const far_status status = far_store_merge(&added, s, from, 1, error);
  *out = (double)added;
  return status;
}

static far_status import(double *out, far_store *s, far_error *error) {
  far_import_report report;
  const far_status status = far_store_import(&report, s, store_path("rows.csv"), error);
  if (status == FAR_OK) *out = (double)(report.added + 10 * report.rows + 100 * report.apart);
  return status;
}

/* Another run of a session whose last commit was long ago: what is noted of it fails with all the rest. */
static far_status touch(double *out, const char *what, far_error *error) {
  far_store *s = NULL;
  bool added = false;
  far_imported_run run = {.mdp = mdp, .agent = what, .steps = 10};
  const long at = atomic_exchange(&fails_at, 0); /* what is prepared here does not fail */
  copy_store("empty.db", "touch.db");
  CHECK(far_store_open(&s, store_path("touch.db"), FAR_STORE_WRITE, NULL) == FAR_OK);
  CHECK(far_store_add(&added, s, &run, NULL) == FAR_OK && added);
  sql("touch.db", "UPDATE session SET last = '2000-01-01T00:00:00Z'");
  run.replicate = 1;
  atomic_store(&count, 0);
  atomic_store(&fails_at, at);
  const far_status status = far_store_add(&added, s, &run, error);
  const long used = atomic_load(&count);
  atomic_store(&fails_at, 0);
  far_store_close(s);
  *out = (double)sql_number("touch.db", "SELECT count(*) FROM block");
  CHECK(*out == (status == FAR_OK ? 2 : 1));
  if (status == FAR_OK) CHECK(strlen(content("touch.db", NULL)) == 64);
  remove_store("touch.db");
  atomic_store(&count, used);
  return status;
}

static const struct {
  const char *name;
  reading *write;
} writings[] = {{"add", add}, {"keep", keep}, {"merge", merge}, {"import", import}};

static far_status write_store(double *out, const char *what, far_error *error) {
  for (size_t i = 0; i < sizeof writings / sizeof *writings; ++i)
    if (strcmp(writings[i].name, what) == 0)
      return change(out, "empty.db", writings[i].write, error);
  return FAR_STATUS_UNKNOWN;
}

static far_status open_new(double *out, const char *what, far_error *error) {
  far_store *s;
  const far_status status = far_store_open(
      &s, store_path("new.db"), *what == 'm' ? FAR_STORE_MEMORY : FAR_STORE_WRITE, error);
  *out = s != NULL && s->path != NULL && s->file != NULL;
  far_store_close(s);
  remove_store("new.db");
  return status;
}

static far_status read_model(double *out, const char *what, far_error *error) {
  far_mdp *model;
  const far_status status = far_record_model(&model, what, "", error);
  *out = model != NULL;
  far_mdp_free(model);
  return status;
}

/* ---- what no file does ---- */

#ifdef FARSIGHT_WRAPPED_MALLOC
/* A snapshot that is before the one that was looked for is damage: to go on from there would never end. */
static void test_index_that_leads_back(void) {
  far_snapshot x;
  far_error error = {.message = ""};
  bool found;
  far_store *s = open_store("made.db", FAR_STORE_READ);
  CHECK(far_store_snapshot_read(&x, &found, s, first_key, 0, 6, NULL) == FAR_OK && found);
  CHECK(x.step > 6);
  far_snapshot_free(&x);
  leads_back = true;
  CHECK(far_store_snapshot_read(&x, &found, s, first_key, 0, 6, &error) == FAR_STATUS_FORMAT);
  leads_back = false;
  CHECK_CONTAINS(error.message, "snapshots are not in order: step 5 of run 0 of 'q-learning");
  CHECK(!found && x.visits == NULL && error.position == -1);
  far_store_close(s);
}

/* A run that is before those that were looked for is counted nowhere. */
static void test_counts_that_lead_back(void) {
  const int64_t checkpoints[] = {5, 10};
  const far_cell of = {.checkpoints = checkpoints, .n_checkpoints = 2};
  far__stored_cell cell;
  size_t counts[8] = {0};
  int64_t id;
  far_store *s = open_store("made.db", FAR_STORE_READ);
  CHECK(far__stored_cell_find(&id, s, first_key, NULL) == FAR_OK);
  CHECK(far__stored_cell_get(&cell, s, id, NULL) == FAR_OK);
  CHECK(far__snapshots_count(counts, s, &cell, &of, 0, 1, NULL) == FAR_OK && counts[0] == 2);
  counts[0] = 0;
  leads_back = true;
  CHECK(far__snapshots_count(counts + 4, s, &cell, &of, 4, 2, NULL) == FAR_OK);
  leads_back = false;
  for (int i = 0; i < 8; ++i) CHECK(counts[i] == 0);
  far__stored_cell_free(&cell);
  far_store_close(s);
}

/* A transaction that is still open is ended first; without memory for that no other is begun. */
static void test_open_transaction(void) {
  far_error error = {.message = ""};
  far_store *s = open_store("made.db", FAR_STORE_READ);
  CHECK(far__sql_text(s, "BEGIN", NULL) == FAR_OK);
  atomic_store(&count, 0);
  atomic_store(&goes_on, false);
  atomic_store(&fails_at, 1);
  CHECK(far__sql_begin_read(s, &error) == FAR_STATUS_MEMORY);
  atomic_store(&fails_at, 0);
  CHECK_CONTAINS(error.message, "no memory for the store");
  CHECK(far__sql_begin_read(s, &error) == FAR_OK);
  far__sql_end_read(s);
  far_store_close(s);
}

/* Blocks are followed in one transaction: without it none is shown. */
static void test_no_transaction(void) {
  double shown = 0;
  far_store *s = open_store("made.db", FAR_STORE_READ);
  atomic_store(&count, 0);
  atomic_store(&goes_on, false);
  atomic_store(&fails_at, 1); /* the first call of SQLite */
  CHECK(far__store_blocks_after(s, 0, take_block, &shown, NULL) == FAR_STATUS_MEMORY);
  atomic_store(&fails_at, 0);
  CHECK(shown == 0);
  far_store_close(s);
}

/* One run of that number with the curve at two steps. */
static void add_run(far_store *s, const char *agent, uint64_t replicate, const int64_t *steps) {
  static const double curve[] = {2, 4};
  bool added;
  const far_imported_run run = {
      mdp, agent, 10, 1, replicate, 3, steps, curve, steps != NULL ? 2 : 0};
  CHECK(far_store_add(&added, s, &run, NULL) == FAR_OK && added);
}

/* A column ends where its count says: what lies behind it may look like a run that another column has, or another
 * series of the same column. */
static void test_ends_of_columns(void) {
  static const char *const names[] = {"total", "curve@5"}, *const agents[] = {"a", "b", "c"};
  static const int64_t early[] = {5, 7}, late[] = {5, 9};
  far_store *s = open_store("ends.db", FAR_STORE_WRITE);
  add_run(s, "a", 1, early);
  add_run(s, "a", FILLED, NULL);
  add_run(s, "b", 1, early);
  add_run(s, "b", FILLED, late);
  add_run(s, "c", FILLED, early);
  add_run(s, "c", 1, late);
  for (size_t i = 0; i < 3; ++i) {
    far_columns c = {0};
    far_record record;
    bool found;
    CHECK(far_store_record(&record, &found, s, i, NULL) == FAR_OK && found);
    CHECK_TEXT(record.agent, agents[i]);
    char key[FAR_HASH_TEXT];
    memcpy(key, record.key, sizeof key);
    atomic_store(&fills, true);
    CHECK(far_store_columns(&c, s, key, names, 2, NULL) == FAR_OK && c.count == 2);
    atomic_store(&fills, false);
    CHECK(c.count == 2 && c.replicates[1] == FILLED && c.values[1] == 3 && c.values[2] == 2);
    CHECK(c.count == 2 && (i == 0 ? isnan(c.values[3]) : c.values[3] == 2));
    far_columns_free(&c);
  }
  far_store_close(s);
}

static void test_no_file(void) {
  far_store *s;
  far_error error = {.message = ""};
  has_no_file = true;
  CHECK(far_store_open(&s, store_path("made.db"), FAR_STORE_READ, &error) == FAR_STATUS_IO);
  has_no_file = false;
  CHECK(s == NULL && error.position == -1);
  CHECK_CONTAINS(error.message, "cannot read '");
}

/* Only a file of the same number on the same disk is the same file. */
static void test_two_disks(void) {
  const char *const from[] = {store_path("made.db")};
  int64_t added = 0;
  far_store *s = open_store("other-disk.db", FAR_STORE_WRITE);
  same_numbers = true;
  CHECK(far_store_merge(&added, s, from, 1, NULL) == FAR_OK && added > 0);
  same_numbers = false;
  far_store_close(s);
  CHECK_TEXT(content("other-disk.db", NULL), content("made.db", NULL));
}

/* The first row that is added finds no room: what failed was to write. */
static void test_full_disk(void) {
  bool added = true;
  far_error error = {.message = ""};
  const far_imported_run run = {.mdp = mdp, .agent = "mine", .steps = 10};
  far_store *s = open_store("full.db", FAR_STORE_WRITE);
  is_full = true;
  CHECK(far_store_add(&added, s, &run, &error) == FAR_STATUS_IO && !added);
  is_full = false;
  CHECK_CONTAINS(error.message, "cannot write '");
  CHECK_CONTAINS(error.message, "full.db': the disk is full; what was committed is kept");
  CHECK(far_store_add(&added, s, &run, &error) == FAR_OK && added);
  far_store_close(s);
  CHECK(all_of("full.db") == 101010101);
}

/* Deleted while it is being opened. */
static void test_vanishing(void) {
  far_store *s = NULL;
  far_error error = {.message = ""};
  char path[600];
  snprintf(path, sizeof path, "%s", store_path("made.db"));
  vanishing = path;
  const far_status status = far_store_open(&s, path, FAR_STORE_READ, &error);
  vanishing = NULL;
  if (looks > 0) CHECK(status == FAR_STATUS_IO && s == NULL); /* where stat has a name of ours */
  if (looks > 0) CHECK_CONTAINS(error.message, "made.db': No such file or directory");
  far_store_close(s);
}
#else
static void test_full_disk(void) {}
static void test_vanishing(void) {}
static void test_index_that_leads_back(void) {}
static void test_no_file(void) {}
static void test_ends_of_columns(void) {}
static void test_no_transaction(void) {}
static void test_counts_that_lead_back(void) {}
static void test_open_transaction(void) {}
static void test_two_disks(void) {}
#endif

/* ---- all of them ---- */

static void make_stores(void) {
  const int64_t checkpoints[] = {5, 10}, others[] = {5, 7};
  far_metric *metric;
  far_store *s;
  far_record record;
  bool found;
  CHECK(far_mdp_create(&mdp, "chain:n=3", NULL) == FAR_OK);
  CHECK(far_metric_create(&metric, "coverage", NULL) == FAR_OK);
  far_cell cell = {.mdp = mdp,
                   .agent = "q-learning",
                   .steps = 10,
                   .checkpoints = checkpoints,
                   .n_checkpoints = 2};
  far_batch_def def = far_batch_def_default();
  def.cells = &cell;
  def.n_cells = 1;
  def.metrics = (const far_metric *const *)&metric;
  def.n_metrics = 1;
  def.runs = 1;
  def.threads = 1;
  def.snapshots = 1;
  run_through("made.db", &def);
  cell.checkpoints = others; /* step 5 is a column of two series */
  run_through("made.db", &def);
  def.runs = 4; /* and columns of two blocks, the second of more runs */
  run_through("made.db", &def);
  s = open_store("made.db", FAR_STORE_READ);
  CHECK(far_store_record(&record, &found, s, 0, NULL) == FAR_OK && found);
  memcpy(first_key, record.key, sizeof first_key);
  far_store_close(s);
  far_store_close(open_store("empty.db", FAR_STORE_WRITE));
  FILE *map = fopen(store_path("map.txt"), "w"), *rows = fopen(store_path("rows.csv"), "w");
  CHECK(map != NULL && fputs("SF\nFG\n", map) >= 0 && fclose(map) == 0);
  CHECK(rows != NULL);
  fprintf(rows, "env,agent,seed,value,other\nfile:%s,mine,1,2,x\nfile:none,mine,1,3,\n",
          store_path("none.json"));
  fprintf(rows, "frozen-lake:map=@%s,mine,1,4,\n", store_path("map.txt")); /* which can be read */
  CHECK(fclose(rows) == 0);
  far_metric_free(metric);
}

static void sweep_all(bool stores) {
  if (!stores) return;
  make_stores();
  test_index_that_leads_back();
  test_counts_that_lead_back();
  test_open_transaction();
  test_no_transaction();
  test_ends_of_columns();
  test_no_file();
  test_two_disks();
  test_full_disk();
  test_vanishing();
  for (size_t i = 0; i < sizeof readings / sizeof *readings; ++i)
    sweep(read_store, readings[i].name);
  for (size_t i = 0; i < sizeof writings / sizeof *writings; ++i)
    sweep(write_store, writings[i].name);
  sweep(touch, "mine");
  sweep(open_new, "file");
  sweep(open_new, "memory");
  sweep(read_model, "chain:n=3");
  far_mdp_free(mdp);
}

int main(void) {
  return sweep_memory(sweep_all);
}
