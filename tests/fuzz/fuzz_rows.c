/* A store with changes that its own program would never make: the input says which values of which rows become
 * others, or are gone. Then it is read in all ways, and the runs that it holds are taken from it. The checksums of blocks
 * are put right after half of the changes, so that what is behind them is reached. */
#include "read_store.h"
#include "lab/store/block.c"

enum { RUNS = 3 };

/* ---- a store as it should be ---- */

typedef struct template {
  far_mdp *mdp;
  far_metric *metric;
  const far_metric *metrics[1];
  far_cell cells[2];
  far_batch_def def;
  unsigned char *bytes;
  sqlite3_int64 size;
}
template;

static void describe(template *t) {
  static const int64_t checkpoints[] = {2, 4};
  expect(far_mdp_create(&t->mdp, "chain:n=3", NULL) == FAR_OK);
  expect(far_metric_create(&t->metric, "coverage:what=pairs", NULL) == FAR_OK);
  t->metrics[0] = t->metric;
  t->cells[0] = (far_cell){.mdp = t->mdp,
                           .agent = "q-learning",
                           .steps = 4,
                           .checkpoints = checkpoints,
                           .n_checkpoints = 2};
  t->cells[1] = (far_cell){.mdp = t->mdp, .agent = "random", .steps = 3};
  t->def = far_batch_def_default();
  t->def.cells = t->cells;
  t->def.n_cells = 2;
  t->def.runs = RUNS;
  t->def.threads = 1;
  t->def.metrics = t->metrics;
  t->def.n_metrics = 1;
}

static const template *right(void) {
  static template t;
  if (t.bytes != NULL) return &t;
  far_store *store;
  far_batch *batch;
  describe(&t);
  t.def.snapshots = 1;
  t.def.n_cells = 1; /* the other has no curve, and so no snapshots */
  expect(far_store_open(&store, "", FAR_STORE_MEMORY, NULL) == FAR_OK);
  expect(far_store_run(&batch, store, &t.def, NULL) == FAR_OK);
  far_batch_free(batch);
  t.def.snapshots = 0;
  t.def.n_cells = 2;
  expect(far_store_run(&batch, store, &t.def, NULL) == FAR_OK);
  far_batch_free(batch);
  t.bytes = sqlite3_serialize(store->db, "main", &t.size, 0);
  expect(t.bytes != NULL);
  far_store_close(store);
  return &t;
}

static far_store *open_copy(void) {
  const template *t = right();
  far_store *store;
  unsigned char *copy = sqlite3_malloc64((sqlite3_uint64)t->size);
  expect(far_store_open(&store, "", FAR_STORE_MEMORY, NULL) == FAR_OK && copy != NULL);
  memcpy(copy, t->bytes, (size_t)t->size);
  expect(sqlite3_deserialize(store->db, "main", copy, t->size, t->size,
                             SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE) ==
         SQLITE_OK);
  return store;
}

/* ---- changes ---- */

typedef struct bytes {
  const uint8_t *at, *end;
} bytes;

static unsigned next(bytes *b) {
  return b->at < b->end ? *b->at++ : 0;
}

/* Any value of any kind. */
static void bind_any(sqlite3_stmt *s, bytes *b) {
  static const sqlite3_int64 numbers[] = {0,    1,         -1,        2,         3, 1024,
                                          1025, INT32_MAX, INT64_MAX, INT64_MIN, 7};
  static const char *const texts[] = {"total",     "curve@2,4", "curve@",     "curve@4,2",
                                      "chain:n=3", "file:x",    "q-learning", ""};
  double x = 0;
  const unsigned kind = next(b), length = kind / 8 < (size_t)(b->end - b->at)
                                              ? kind / 8
                                              : (unsigned)(b->end - b->at);
  switch (kind % 8) {
  case 0: sqlite3_bind_null(s, 1); return;
  case 1: sqlite3_bind_int64(s, 1, numbers[next(b) % (sizeof numbers / sizeof *numbers)]); return;
  case 2: sqlite3_bind_int64(s, 1, (sqlite3_int64)next(b) - 128); return;
  case 3: sqlite3_bind_text(s, 1, texts[next(b) % 8], -1, SQLITE_STATIC); return;
  case 4: sqlite3_bind_zeroblob(s, 1, (int)next(b)); return;
  case 5:
    memcpy(&x, b->at, length < 8 ? length : 8);
    sqlite3_bind_double(s, 1, x);
    break;
  case 6: sqlite3_bind_text(s, 1, (const char *)b->at, (int)length, SQLITE_TRANSIENT); break;
  default: sqlite3_bind_blob(s, 1, b->at, (int)length, SQLITE_TRANSIENT);
  }
  b->at += length;
}

/* What does not fit in is refused by SQLite, and nothing is changed. */
static void execute(far_store *store, const char *sql, bytes *b) {
  sqlite3_stmt *s = NULL;
  expect(sqlite3_prepare_v2(store->db, sql, -1, &s, NULL) == SQLITE_OK);
  if (sqlite3_bind_parameter_count(s) > 0) bind_any(s, b);
  (void)sqlite3_step(s);
  sqlite3_finalize(s);
}

static void change(far_store *store, bytes *b) {
  static const char *const columns[][2] = {
      {"session", "name"},     {"session", "version"},    {"session", "numerics"},
      {"session", "command"},  {"session", "started"},    {"session", "last"},
      {"session", "seal"},     {"session", "processors"}, {"cell", "id"},
      {"cell", "key"},         {"cell", "env"},           {"cell", "model"},
      {"cell", "agent"},       {"cell", "steps"},         {"cell", "seed"},
      {"cell", "numerics"},    {"series", "id"},          {"series", "name"},
      {"series", "width"},     {"block", "cell"},         {"block", "series"},
      {"block", "first"},      {"block", "runs"},         {"block", "content"},
      {"block", "seal"},       {"block", "session"},      {"block", "seconds"},
      {"snapshot", "cell"},    {"snapshot", "replicate"}, {"snapshot", "step"},
      {"snapshot", "states"},  {"snapshot", "actions"},   {"snapshot", "parts"},
      {"snapshot", "content"}, {"snapshot", "seal"},      {"snapshot", "session"}};
  const char *const *column = columns[next(b) % (sizeof columns / sizeof *columns)];
  const unsigned row = next(b);
  char sql[300];
  if (row % 16 == 15)
    snprintf(sql, sizeof sql, "DELETE FROM %s WHERE rowid = %u", column[0], row / 16 + 1);
  else
    snprintf(sql, sizeof sql, "UPDATE %s SET %s = ?1 WHERE rowid = %u", column[0], column[1],
             row % 15 + 1);
  execute(store, sql, b);
}

/* The checksum of each block, of what its row says now. */
static void seal_blocks(far_store *store) {
  sqlite3_stmt *s = NULL, *set = NULL;
  expect(sqlite3_prepare_v2(
             store->db,
             "SELECT block.id, key, name, first, runs, session, seconds, content FROM block "
             "JOIN cell ON cell.id = cell JOIN series ON series.id = series",
             -1, &s, NULL) == SQLITE_OK);
  expect(sqlite3_prepare_v2(store->db, "UPDATE block SET seal = ?2 WHERE id = ?1", -1, &set,
                            NULL) == SQLITE_OK);
  while (sqlite3_step(s) == SQLITE_ROW) {
    far__stored_cell cell = {0};
    far__series series = {.name = (char *)far__sql_string(s, 2)};
    snprintf(cell.key, sizeof cell.key, "%s", far__sql_string(s, 1));
    const far__rows rows = {.first = sqlite3_column_int64(s, 3),
                            .runs = sqlite3_column_int64(s, 4),
                            .session = sqlite3_column_int64(s, 5),
                            .seconds = sqlite3_column_double(s, 6)};
    const void *content = sqlite3_column_blob(s, 7);
    sqlite3_bind_int64(set, 1, sqlite3_column_int64(s, 0));
    sqlite3_bind_int64(set, 2,
                       seal_of(&cell, &series, &rows, content != NULL ? content : (const void *)"",
                               (size_t)sqlite3_column_bytes(s, 7)));
    (void)sqlite3_step(set);
    sqlite3_reset(set);
  }
  sqlite3_finalize(s);
  sqlite3_finalize(set);
}

/* ---- reading ---- */

/* A batch that begins with what the store knows of it. */
static void run_again(far_store *store) {
  far_batch *batch;
  far_error error = {FAR_OK, -1, ""};
  const far_status status = far_store_run(&batch, store, &right()->def, &error);
  if (status == FAR_OK)
    expect(far_batch_result(batch, 0)->runs == RUNS);
  else
    expect(batch == NULL && error.code == status && error.message[0] != '\0');
  far_batch_free(batch);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  bytes b = {data, data + size};
  far_store *store = open_copy();
  const bool sealed = next(&b) % 2 == 0;
  for (int i = 0; i < 8 && b.at < b.end; ++i) change(store, &b);
  if (sealed) seal_blocks(store);
  read_store(store);
  run_again(store);
  far_store_close(store);
  return 0;
}
