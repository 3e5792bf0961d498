/* Every column of every table, changed by SQL in a copy of a sound store: what each way of reading says of it.
 * far_store_check must find it, and no call may give the wrong number. */
#include "lab/store/access.h"
#include "stores-sql.h"

enum { RUNS = 6 };

/* Two cells with a metric, curves and snapshots. */
static void make_sound(void) {
  far_mdp *mdp;
  far_metric *metric;
  const int64_t checkpoints[] = {5, 10};
  CHECK(far_mdp_create(&mdp, "chain:n=3", NULL) == FAR_OK);
  CHECK(far_metric_create(&metric, "coverage", NULL) == FAR_OK);
  far_cell cells[] = {{.mdp = mdp,
                       .agent = "q-learning",
                       .steps = 10,
                       .checkpoints = checkpoints,
                       .n_checkpoints = 2},
                      {.mdp = mdp, .agent = "random", .steps = 10}};
  far_batch_def def = far_batch_def_default();
  def.cells = cells;
  def.n_cells = 2;
  def.metrics = (const far_metric *const *)&metric;
  def.n_metrics = 1;
  def.runs = RUNS;
  def.threads = 1;
  def.snapshots = 2;
  run_through("sound.db", &def);
  far_metric_free(metric);
  far_mdp_free(mdp);
}

typedef struct faults {
  int count;
  char all[4000];
} faults;

static void note(void *user, const char *sentence) {
  faults *f = user;
  const size_t used = strlen(f->all);
  f->count += 1;
  snprintf(f->all + used, sizeof f->all - used, "%s\n", sentence);
}

static bool drop(void *user, const char *bytes, size_t length) {
  (void)user, (void)bytes, (void)length;
  return true;
}

static far_status skip(void *user, const far__store_block *block, far_error *error) {
  (void)user, (void)block, (void)error;
  return FAR_OK;
}

/* ---- what the check says ---- */

static void check_says(const char *change, const char *part) {
  faults f = {0};
  far_store_report report;
  char text[9000];
  copy_store("sound.db", "bad.db");
  snprintf(text, sizeof text, "UPDATE %s", change);
  sql("bad.db", text);
  far_store *s = open_store("bad.db", FAR_STORE_READ);
  CHECK(far_store_check(&report, s, note, &f, NULL) == FAR_OK);
  CHECK(f.count > 0 && report.faults == f.count && report.hash[0] == '\0');
  CHECK_CONTAINS(f.all, part);
  if (strstr(f.all, part) == NULL) printf("  after %.100s\n", change);
  far_store_close(s);
  remove_store("bad.db");
}

static void test_blocks(void) {
  static const char *const sizes[] = {"first = -1",
                                      "runs = 0",
                                      "runs = -1",
                                      "runs = 1025",
                                      "first = 9223372036854775807",
                                      "runs = 5",
                                      "runs = 7",
                                      "content = x''",
                                      "content = content || x'0000000000000000'"};
  static const char *const sealed[] = {"seal = seal + 1", "session = session + 1",
                                       "seconds = seconds + 1", "first = 3000",
                                       "content = zeroblob(length(content))"};
  char change[100];
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    snprintf(change, sizeof change, "block SET %s WHERE id = 1", sizes[i]);
    check_says(change, "a block is not as long as it claims: runs from ");
  }
  for (size_t i = 0; i < sizeof sealed / sizeof *sealed; ++i) {
    snprintf(change, sizeof change, "block SET %s WHERE id = 1", sealed[i]);
    check_says(change, "the checksum of a block is wrong: runs from ");
  }
  check_says("block SET cell = 99 WHERE id = 1", "block 1 belongs to no cell");
  check_says("block SET series = 99 WHERE id = 1", "block 1 belongs to no series");
  check_says("block SET session = 99 WHERE id = 1", "block 1 belongs to no session");
  check_says("block SET cell = 2 WHERE id = 3", "the checksum of a block is wrong");
}

static void test_cells(void) {
  static const char *const wrong[] = {"env = 'chain:n=4'",
                                      "agent = 'random'",
                                      "steps = 11",
                                      "seed = '2'",
                                      "seed = '01'",
                                      "seed = ''",
                                      "seed = '-1'",
                                      "seed = '18446744073709551616'",
                                      "numerics = numerics + 1",
                                      "model = 'x'",
                                      "key = 'x'"};
  char change[100];
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    snprintf(change, sizeof change, "cell SET %s WHERE id = 1", wrong[i]);
    check_says(change, "cell 1 (");
    check_says(change, "is not what its key says");
  }
  /* blobs of zeros have a length in bytes that the text of them has not */
  check_says("cell SET key = key || 'x' WHERE id = 1",
             "the key of cell 1 has 65 bytes, at most 64");
  check_says("cell SET model = substr(hex(zeroblob(65)), 1, 65) WHERE id = 1",
             "the model of cell 1 has 65 bytes, at most 64");
  check_says("cell SET seed = '000000000000000000001' WHERE id = 1",
             "the seed of cell 1 has 21 bytes, at most 20");
  check_says("cell SET env = hex(zeroblob(2048)) || 'x' WHERE id = 1",
             "the environment of cell 1 has 4097 bytes, at most 4096");
  check_says("cell SET agent = hex(zeroblob(2048)) || 'x' WHERE id = 1",
             "the agent of cell 1 has 4097 bytes, at most 4096");
  check_says("cell SET agent = hex(zeroblob(2048)) WHERE id = 1", "is not what its key says");
  check_says("cell SET env = hex(zeroblob(2048)) WHERE id = 1", "is not what its key says");
  check_says("cell SET agent = hex(zeroblob(9000)) WHERE id = 1",
             "cell 1 has more than 16384 bytes");
}

static void test_series(void) {
  check_says("series SET name = 'curve' WHERE id = 1", "'curve' is not a series");
  check_says("series SET name = 'curve@3,2' WHERE id = 3", "'curve@3,2' is not a series");
  check_says("series SET name = '' WHERE id = 1", "'' is not a series");
  check_says("series SET width = 2 WHERE id = 1", "the width of series 1");
  check_says("series SET name = hex(zeroblob(524288)) || 'x' WHERE id = 1",
             "the name of series 1 has 1048577 bytes, at most 1048576");
  check_says("series SET name = 'other' WHERE id = 2", "the checksum of a block is wrong");
}

static void test_sessions(void) {
  static const char *const parts[] = {"name",    "version", "compiler", "machine",
                                      "command", "started", "last"};
  static const char *const whats[] = {"name",    "version",   "compiler", "machine",
                                      "command", "beginning", "end"};
  char change[120], said[120];
  for (size_t i = 0; i < 7; ++i) {
    const int most = i == 0 ? 64 : i == 4 ? 1 << 20 : 1024;
    snprintf(change, sizeof change, "session SET %s = 'x'", parts[i]);
    check_says(change, "the checksum of session 1 is wrong");
    snprintf(change, sizeof change, "session SET %s = hex(zeroblob(%d)) || 'x'", parts[i],
             most / 2);
    snprintf(said, sizeof said, "the %s of session 1 has %d bytes, at most %d", whats[i], most + 1,
             most);
    check_says(change, said);
    snprintf(change, sizeof change, "session SET %s = hex(zeroblob(%d))", parts[i], most / 2);
    check_says(change, "the checksum of session 1 is wrong");
  }
  check_says("session SET numerics = numerics + 1", "the checksum of session 1 is wrong");
  check_says("session SET processors = processors + 1", "the checksum of session 1 is wrong");
  check_says("session SET seal = seal + 1", "the checksum of session 1 is wrong");
}

static void test_snapshots(void) {
  static const char *const sizes[] = {
      "replicate = -1", "step = 0", "states = 0", "states = states + 1", "states = 4294967296",
      "actions = 0", "actions = actions + 1", "actions = 4294967296", "parts = -1", "parts = 8",
      "parts = parts + 2", "content = x''", "content = content || x'00'",
      "content = content || x'0000000000000000'", "content = substr(content, 9)",
      /* one more number in each of its arrays */
      "content = content || zeroblob(length(content) / states / "
      "actions)"};
  static const char *const sealed[] = {"seal = seal + 1", "step = 6",
                                       "replicate = 7",   "content = zeroblob(length(content))",
                                       "session = 99",    "states = actions, actions = states",
                                       "cell = 2"};
  char change[200];
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    snprintf(change, sizeof change, "snapshot SET %s WHERE id = 1", sizes[i]);
    check_says(change, "a snapshot is not as large as it claims: step ");
  }
  for (size_t i = 0; i < sizeof sealed / sizeof *sealed; ++i) {
    snprintf(change, sizeof change, "snapshot SET %s WHERE id = 1", sealed[i]);
    check_says(change, "the checksum of a snapshot is wrong: step ");
  }
  check_says("snapshot SET cell = 99 WHERE id = 1", "snapshot 1 belongs to no cell");
  check_says("snapshot SET session = 99 WHERE id = 1", "snapshot 1 belongs to no session");
}

/* ---- what the other ways of reading say ---- */

static void expect(far_status status, const far_error *error, const char *part, const char *where) {
  CHECK(status == FAR_STATUS_FORMAT && error->code == FAR_STATUS_FORMAT);
  CHECK(error->position == -1); /* it is in no text that the caller gave */
  CHECK_CONTAINS(error->message, part);
  if (status != FAR_STATUS_FORMAT || strstr(error->message, part) == NULL) printf("  %s\n", where);
}

typedef enum way { EXPORT, MERGE, FOLLOW, LIST, SHOTS } way;

/* One way of reading the damaged copy. */
static void reading_says(way how, const char *change, const char *part) {
  far_error error = {.message = ""};
  char text[200];
  copy_store("sound.db", "bad.db");
  snprintf(text, sizeof text, "UPDATE %s", change);
  sql("bad.db", text);
  far_store *s = open_store("bad.db", FAR_STORE_READ);
  if (how == EXPORT)
    expect(far_store_export(s, FAR_EXPORT_CSV, NULL, 0, drop, NULL, &error), &error, part, change);
  if (how == SHOTS) expect(far_store_export_snapshots(s, drop, NULL, &error), &error, part, change);
  if (how == FOLLOW)
    expect(far__store_blocks_after(s, 0, skip, NULL, &error), &error, part, change);
  if (how == LIST) {
    far_record record;
    bool found;
    far_status status = FAR_OK;
    for (size_t i = 0; i < 2 && status == FAR_OK; ++i)
      status = far_store_record(&record, &found, s, i, &error);
    expect(status, &error, part, change);
  }
  far_store_close(s);
  if (how == MERGE) {
    const char *const from[] = {store_path("bad.db")};
    int64_t added = 7;
    s = open_store("merged.db", FAR_STORE_WRITE);
    expect(far_store_merge(&added, s, from, 1, &error), &error, part, change);
    CHECK(added == 0 && far__ask(s, NULL) == FAR_OK);
    far_store_close(s);
    CHECK(sql_number("merged.db", "SELECT count(*) FROM block") == 0);
    CHECK(sql_number("merged.db", "SELECT count(*) FROM cell") == 0);
    remove_store("merged.db");
  }
  remove_store("bad.db");
}

static void test_ways(void) {
  static const char *const cell = "cell SET steps = 11 WHERE id = 1";
  for (int how = EXPORT; how <= SHOTS; ++how) reading_says((way)how, cell, "cell 1 (");
  for (int how = EXPORT; how <= MERGE; ++how)
    reading_says((way)how, "block SET seal = 0 WHERE id = 1", "the checksum of a block is wrong");
  reading_says(FOLLOW, "block SET seal = 0 WHERE id = 1", "the checksum of a block is wrong");
  reading_says(MERGE, "block SET series = 99 WHERE id = 1", "a block belongs to no series");
  reading_says(FOLLOW, "block SET series = 99 WHERE id = 1", "block 1 is of a series that is not");
  reading_says(MERGE, "block SET cell = 99 WHERE id = 1", "there is no cell 99");
  reading_says(FOLLOW, "block SET cell = 99 WHERE id = 1", "there is no cell 99");
  reading_says(FOLLOW, "block SET cell = 0 WHERE id = 1", "there is no cell 0");
  reading_says(MERGE, "block SET cell = 0 WHERE id = 1", "there is no cell 0");
  reading_says(LIST, "cell SET key = key || 'x' WHERE id = 1", "the key of cell 1 has 65 bytes");
  for (int how = EXPORT; how <= SHOTS;
       ++how) /* a follower does not look at snapshots, nor a merge at one of no cell */
    if (how != FOLLOW && how != MERGE)
      reading_says((way)how, "snapshot SET cell = 99 WHERE id = 1", "belong to no cell");
  reading_says(MERGE, "session SET command = 'x'", "the checksum of session 1 is wrong");
  reading_says(MERGE, "session SET id = 2", "there is no session 1");
  reading_says(MERGE, "series SET width = 9 WHERE id = 1", "the width of series 1");
  reading_says(FOLLOW, "series SET width = 9 WHERE id = 1", "the width of series 1");
  reading_says(MERGE, "snapshot SET seal = 0 WHERE id = 1", "the checksum of a snapshot is wrong");
  reading_says(SHOTS, "snapshot SET seal = 0 WHERE id = 1", "the checksum of a snapshot is wrong");
  /* blocks of metrics and curves are not read by a follower, but their place is */
  static const char *const places[] = {"first = -1", "runs = 0", "runs = 1025",
                                       "first = 9223372036854775807"};
  for (size_t i = 0; i < 4; ++i) {
    char change[100];
    snprintf(change, sizeof change, "block SET %s WHERE id = 2", places[i]);
    reading_says(FOLLOW, change, "block 2 is not as long as it claims");
  }
}

/* ---- after damage ---- */

static void copy_damaged(const char *change) {
  copy_store("sound.db", "bad.db");
  sql("bad.db", change);
}

/* Of a record whose numbers are damaged none are given, however often; those of the other are. */
static void test_other_record(void) {
  far_record record;
  char keys[2][FAR_HASH_TEXT];
  bool found;
  copy_damaged("UPDATE block SET seal = 0 WHERE id = 1");
  far_store *s = open_store("bad.db", FAR_STORE_READ);
  for (size_t i = 0; i < 2; ++i) {
    CHECK(far_store_record(&record, &found, s, i, NULL) == FAR_OK && found);
    memcpy(keys[strncmp(record.agent, "random", 6) == 0], record.key, FAR_HASH_TEXT);
  }
  for (int i = 0; i < 4; ++i) {
    const bool sound = i % 2 == 1;
    far_error error = {.message = ""};
    double *values;
    int64_t *replicates, n;
    const far_status status =
        far__store_values(&values, &replicates, &n, s, keys[sound], "total", &error);
    if (!sound) expect(status, &error, "the checksum of a block is wrong", keys[0]);
    if (sound) CHECK(status == FAR_OK && n == RUNS && replicates[RUNS - 1] == RUNS - 1);
    far_free(values);
    far_free(replicates);
  }
  far_store_close(s);
  remove_store("bad.db");
}

/* Nobody wants to know why the records cannot be put in order. */
static void test_no_words(void) {
  far_record record;
  bool found;
  copy_damaged("UPDATE cell SET agent = hex(zeroblob(9000)) WHERE id = 1");
  far_store *s = open_store("bad.db", FAR_STORE_READ);
  CHECK(far_store_record(&record, &found, s, 0, NULL) == FAR_STATUS_FORMAT && !found);
  far_store_close(s);
  remove_store("bad.db");
}

/* Columns that could not be read are not none: also the second of them cannot be told. */
static void test_unread_columns(void) {
  const char *name;
  bool found;
  copy_damaged("UPDATE series SET width = 2 WHERE name = 'total'");
  far_store *s = open_store("bad.db", FAR_STORE_READ);
  for (size_t i = 0; i < 2; ++i) {
    far_error error = {.message = ""};
    expect(far_store_series(&name, &found, s, NULL, i, &error), &error, "the width of series",
           "columns");
    CHECK(!found && name == NULL);
  }
  far_store_close(s);
  remove_store("bad.db");
}

/* ---- numbers that the file cannot have ---- */

/* Every `stride`th replicate from `first` on: in a row they are one block. */
static void import_runs(const char *name, int first, int runs, int stride) {
  far_import_report done;
  FILE *csv = fopen(store_path("runs.csv"), "w");
  CHECK(csv != NULL && fputs("env,agent,seed,value\n", csv) >= 0);
  for (int i = 0; i < runs; ++i) fprintf(csv, "e,a,%d,1\n", first + stride * i);
  CHECK(fclose(csv) == 0);
  far_store *s = open_store(name, FAR_STORE_WRITE);
  CHECK(far_store_import(&done, s, store_path("runs.csv"), NULL) == FAR_OK && done.added == runs);
  far_store_close(s);
}

/* A row of another store, with a seal that is right there. */
static void test_overlaps(void) {
  faults f = {0};
  far_store_report report;
  import_runs("left.db", 0, 10, 1);
  import_runs("right.db", 9, 10, 1);
  char text[900];
  snprintf(text, sizeof text,
           "ATTACH '%s' AS other; INSERT INTO block(cell, series, first, runs, content, seal, "
           "session, seconds) SELECT cell, series, first, runs, content, seal, session, seconds "
           "FROM other.block",
           store_path("right.db"));
  sql("left.db", text);
  far_store *s = open_store("left.db", FAR_STORE_READ);
  CHECK(far_store_check(&report, s, note, &f, NULL) == FAR_OK && f.count == 1);
  CHECK_CONTAINS(f.all, "two blocks overlap: runs from 9 on, series 'total'");
  far_store_close(s);
}

/* At most a hundred faults are told, and all are counted. */
static void test_many_faults(void) {
  static faults f;
  far_store_report report;
  import_runs("many.db", 0, 130, 2);
  CHECK(sql_number("many.db", "SELECT count(*) FROM block") == 130);
  sql("many.db", "UPDATE block SET session = 99");
  far_store *s = open_store("many.db", FAR_STORE_READ);
  CHECK(far_store_check(&report, s, note, &f, NULL) == FAR_OK);
  CHECK(f.count == 100 && report.faults == 131 && report.blocks == 130 && report.cells == 1);
  CHECK(far_store_check(&report, s, NULL, NULL, NULL) == FAR_OK && report.faults == 131);
  far_store_close(s);
}

int main(void) {
  if (!stores_begin()) return stores_end();
  make_sound();
  CHECK(strlen(content("sound.db", NULL)) == 64);
  test_blocks();
  test_cells();
  test_series();
  test_sessions();
  test_snapshots();
  test_ways();
  test_other_record();
  test_unread_columns();
  test_no_words();
  test_overlaps();
  test_many_faults();
  return stores_end();
}
