/* The whole store, read once: structure, keys, seals, and one hash of all results. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/store/store.h"

enum { MOST_FAULTS = 100 };

typedef struct inspection {
  far_store *store;
  far_store_report *report;
  far_fault_fn *fault;
  void *user;
} inspection;

static void note(void *user, const char *sentence) {
  inspection *in = user;
  in->report->faults += 1;
  if (in->fault != NULL && in->report->faults <= MOST_FAULTS) in->fault(in->user, sentence);
}

/* Damage is reported as a fault; any other failure ends the inspection. */
static far_status judge(inspection *in, far_status status, const far_error *found,
                        far_error *error) {
  if (status == FAR_OK) return FAR_OK;
  if (status == FAR_STATUS_FORMAT) {
    note(in, found->message);
    return FAR_OK;
  }
  if (error != NULL) *error = *found;
  return status;
}

/* Every row of a query is a fault, unless it says ok. */
static far_status ask(inspection *in, const char *sql, far_error *error) {
  sqlite3_stmt *statement = NULL;
  far_store *s = in->store;
  const int code = sqlite3_prepare_v2(s->db, sql, -1, &statement, NULL);
  far_status status = code == SQLITE_OK ? FAR_OK : far__sql_fail(s, code, "read", error);
  for (bool row = true; status == FAR_OK;) {
    status = far__sql_step(s, statement, &row, error);
    if (status != FAR_OK || !row) break;
    if (strcmp(far__sql_string(statement, 0), "ok") != 0) note(in, far__sql_string(statement, 0));
  }
  sqlite3_finalize(statement);
  return status;
}

/* SQLite's own check, then rows with broken references, or without the numbers by which rows are found. */
static const char *const questions[] = {
    "PRAGMA integrity_check(100)",
    "SELECT 'block ' || id || ' belongs to no cell' FROM block "
    "WHERE cell NOT IN (SELECT id FROM cell)",
    "SELECT 'block ' || id || ' belongs to no series' FROM block "
    "WHERE series NOT IN (SELECT id FROM series)",
    "SELECT 'block ' || id || ' belongs to no session' FROM block "
    "WHERE session NOT IN (SELECT id FROM session)",
    "SELECT 'block ' || id || ' has no number as the first of its runs, or of how many they are' "
    "FROM block "
    "WHERE typeof(first) <> 'integer' OR typeof(runs) <> 'integer'",
};

static const char *const snapshot_questions[] = {
    "SELECT 'snapshot ' || id || ' belongs to no cell' FROM snapshot "
    "WHERE cell NOT IN (SELECT id FROM cell)",
    "SELECT 'snapshot ' || id || ' belongs to no session' FROM snapshot "
    "WHERE session NOT IN (SELECT id FROM session)",
};

static const char *const label_questions[] = {
    "SELECT 'label ' || rowid || ' belongs to no cell' FROM label "
    "WHERE cell NOT IN (SELECT id FROM cell)",
    "SELECT 'label ' || rowid || ' is empty or no text' FROM label "
    "WHERE typeof(env) <> 'text' OR typeof(agent) <> 'text' OR env = '' OR agent = ''",
    "SELECT 'the shared key of cell ' || cell || ' belongs to no cell' FROM shared "
    "WHERE cell NOT IN (SELECT id FROM cell)",
    "SELECT 'the shared key of cell ' || cell || ' is none' FROM shared "
    "WHERE typeof(key) <> 'text' OR length(key) <> 64",
    "SELECT 'the episodes of cell ' || cell || ' belong to no cell' FROM episodes "
    "WHERE cell NOT IN (SELECT id FROM cell)",
};

/* ---- the hash of all results ---- */

typedef struct cell_digest {
  char key[FAR_HASH_TEXT];
  uint8_t digest[FAR_HASH_BYTES];
} cell_digest;

/* Hashes columns and runs in their order; how blocks and sessions divide them does not matter. */
static void hash_table(far__hash *hash, const far__result_table *table) {
  for (size_t c = 0; c < table->count; ++c) {
    const far__export_column *column = &table->columns[c];
    far__hash_u64(hash, column->name.length);
    far__hash_add(hash, column->name.text, column->name.length);
    far__hash_u64(hash, (uint64_t)column->name.step);
    far__hash_u64(hash, (uint64_t)column->count);
    for (int64_t i = 0; i < column->count; ++i) {
      far__hash_u64(hash, (uint64_t)column->replicates[i]);
      far__hash_f64(hash, column->values[i]);
    }
  }
}

typedef struct snapshot_hash {
  far__hash *hash;
  int64_t count;
} snapshot_hash;

static far_status hash_snapshot(void *user, const far_snapshot *x, int64_t session,
                                far_error *error) {
  snapshot_hash *to = user;
  const double *const arrays[] = {x->visits, x->q, x->bonus, x->policy};
  (void)session, (void)error;
  far__hash_text(to->hash, "snapshot");
  far__hash_u64(to->hash, (uint64_t)x->replicate);
  far__hash_u64(to->hash, (uint64_t)x->step);
  far__hash_u64(to->hash, x->n_states);
  far__hash_u64(to->hash, x->n_actions);
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) {
    far__hash_u64(to->hash, arrays[k] != NULL);
    for (size_t i = 0; arrays[k] != NULL && i < (size_t)x->n_states * x->n_actions; ++i)
      far__hash_f64(to->hash, arrays[k][i]);
  }
  to->count += 1;
  return FAR_OK;
}

static int by_key(const void *a, const void *b) {
  const cell_digest *x = a, *y = b;
  return strcmp(x->key, y->key);
}

static void hash_cells(char out[FAR_HASH_TEXT], cell_digest *digests, size_t count) {
  uint8_t digest[FAR_HASH_BYTES];
  far__hash hash;
  if (count > 0) qsort(digests, count, sizeof *digests, by_key);
  far__hash_begin(&hash);
  far__hash_text(&hash, "farsight results 1");
  for (size_t i = 0; i < count; ++i) {
    far__hash_text(&hash, digests[i].key);
    far__hash_add(&hash, digests[i].digest, FAR_HASH_BYTES);
  }
  far__hash_end(&hash, digest);
  far_hash_text(out, digest);
}

/* ---- cell by cell ---- */

static far_status inspect_cell(inspection *in, int64_t id, cell_digest *digest, bool *has,
                               far_error *error) {
  far__stored_cell cell;
  far__result_table table;
  *has = false;
  far_status status = far__stored_cell_get(&cell, in->store, id, error);
  if (status != FAR_OK) return status;
  status = far__result_table_read(&table, in->store, &cell, error);
  if (status == FAR_OK) {
    far__hash hash;
    snapshot_hash snapshots = {.hash = &hash};
    memcpy(digest->key, cell.key, sizeof cell.key);
    far__hash_begin(&hash);
    hash_table(&hash, &table);
    status = far__snapshots_each(in->store, &cell, hash_snapshot, &snapshots, error);
    far__hash_end(&hash, digest->digest);
    *has = status == FAR_OK && table.count > 0; /* a cell without numbers is no result */
    for (size_t i = 0; i < table.count; ++i) in->report->values += table.columns[i].count;
    in->report->snapshots += snapshots.count;
    far__result_table_free(&table);
  }
  far__stored_cell_free(&cell);
  return status;
}

static far_status inspect_cells(inspection *in, far_error *error) {
  far_error found;
  far_status status = judge(in, far__store_order(in->store, &found), &found, error);
  const size_t count = in->store->n_order;
  size_t kept = 0;
  cell_digest *digests = malloc((count + 1) * sizeof *digests);
  if (digests == NULL)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory to check %zu cells", count);
  for (size_t i = 0; status == FAR_OK && i < count; ++i) {
    bool has;
    status = inspect_cell(in, in->store->order[i], &digests[kept], &has, &found);
    status = judge(in, status, &found, error);
    kept += has;
    in->report->cells += 1;
    if (status == FAR_OK) status = far__ask(in->store, error);
  }
  if (status == FAR_OK && in->report->faults == 0) hash_cells(in->report->hash, digests, kept);
  free(digests);
  return status;
}

/* Reads all series, also those without blocks. */
static far_status inspect_series(far_store *s, far_error *error) {
  far__series *list;
  size_t count;
  const far_status status = far__series_of_cell(&list, &count, s, 0, error);
  far__series_list_free(list, count);
  return status;
}

static far_status ask_all(inspection *in, const char *const *list, size_t count, far_error *error) {
  far_error found;
  far_status status = FAR_OK;
  for (size_t i = 0; status == FAR_OK && i < count; ++i)
    status = judge(in, ask(in, list[i], &found), &found, error);
  return status;
}

static far_status inspect(inspection *in, far_error *error) {
  far_error found;
  far_store_info info = {0};
  bool snapshots = false, labels = false;
  far_status status = ask_all(in, questions, sizeof questions / sizeof *questions, error);
  if (status == FAR_OK) status = far__store_has(&snapshots, in->store, FAR__STORE_SNAPSHOTS, error);
  if (status == FAR_OK && snapshots)
    status = ask_all(in, snapshot_questions, sizeof snapshot_questions / sizeof *snapshot_questions,
                     error);
  if (status == FAR_OK) status = far__store_has(&labels, in->store, FAR__STORE_LABELS, error);
  if (status == FAR_OK && labels)
    status = ask_all(in, label_questions, sizeof label_questions / sizeof *label_questions, error);
  if (status == FAR_OK)
    status = judge(in, far__session_check(in->store, note, in, &found), &found, error);
  if (status == FAR_OK) status = judge(in, inspect_series(in->store, &found), &found, error);
  if (status == FAR_OK)
    status = judge(in, far_store_info_of(&info, in->store, &found), &found, error);
  in->report->blocks = info.blocks;
  return status == FAR_OK ? inspect_cells(in, error) : status;
}

/* In one read transaction, so that writers meanwhile do not show. */
far_status far_store_check(far_store_report *out, far_store *s, far_fault_fn *fault, void *user,
                           far_error *error) {
  inspection in = {.store = s, .report = out, .fault = fault, .user = user};
  *out = (far_store_report){0};
  far_status status = far__sql_begin_read(s, error);
  if (status != FAR_OK) return status;
  far__long_call(s, true);
  status = inspect(&in, error);
  far__long_call(s, false);
  if (status == FAR_OK && out->faults > 0 && far__store_changed(s))
    status = far__store_doubt(s, FAR_STATUS_FORMAT, error);
  far__sql_end_read(s);
  return status;
}
