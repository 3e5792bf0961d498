/* Snapshots: what agents knew at checkpoints. Their table is made when the first of them is stored, and
 * a store without any stays of the format that earlier versions read. */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/text.h"
#include "lab/store/store.h"
#include "run/blocks.h"

/* Bits of the column `parts`: the arrays that follow the visits in the content. */
enum { PART_Q = 1, PART_BONUS = 2, PART_POLICY = 4, PARTS = 7 };

static unsigned parts_of(const far_snapshot *x) {
  return (x->q != NULL ? PART_Q : 0u) | (x->bonus != NULL ? PART_BONUS : 0u) |
         (x->policy != NULL ? PART_POLICY : 0u);
}

static size_t count_arrays(unsigned parts) {
  return 1 + (parts & 1) + (parts >> 1 & 1) + (parts >> 2 & 1);
}

/* How many numbers it has; they lie one after the other, from the visits on. */
size_t far__snapshot_numbers(const far_snapshot *x) {
  return (size_t)x->n_states * x->n_actions * count_arrays(parts_of(x));
}

static int64_t seal_of(const far__stored_cell *cell, const far_snapshot *x, int64_t session,
                       const uint8_t *bytes, size_t length) {
  uint8_t digest[FAR_HASH_BYTES];
  far__hash hash;
  far__hash_begin(&hash);
  far__hash_text(&hash, cell->key);
  far__hash_text(&hash, "snapshot");
  const uint64_t numbers[] = {(uint64_t)x->replicate, (uint64_t)x->step, x->n_states,
                              x->n_actions,           parts_of(x),       (uint64_t)session};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) far__hash_u64(&hash, numbers[i]);
  far__hash_add(&hash, bytes, length);
  far__hash_end(&hash, digest);
  return (int64_t)far__get_u64(digest);
}

/* ---- reading ---- */

static far_status damaged(far_store *s, const far__stored_cell *cell, const char *what,
                          int64_t replicate, int64_t step, far_error *error) {
  return far__fail(error, FAR_STATUS_FORMAT, -1,
                   "'%.100s' is damaged: %s: step %lld of run %lld of '%.100s' on '%.100s'",
                   s->path, what, (long long)step, (long long)replicate, cell->agent, cell->env);
}

/* Is the row's content as long as its sizes say? */
static bool sizes_fit(int64_t states, int64_t actions, int64_t parts, int length) {
  if (states < 1 || states > UINT32_MAX || actions < 1 || actions > UINT32_MAX) return false;
  if (parts < 0 || parts > PARTS || length % 8 != 0) return false;
  const uint64_t numbers = (uint64_t)length / 8, arrays = count_arrays((unsigned)parts);
  return numbers % arrays == 0 && numbers / arrays % (uint64_t)states == 0 &&
         numbers / arrays / (uint64_t)states == (uint64_t)actions;
}

/* Reads the current row of a statement and checks its seal; the caller frees the snapshot. */
static far_status take(far_snapshot *out, int64_t *session, far_store *s, sqlite3_stmt *row,
                       const far__stored_cell *cell, far_error *error) {
  const int64_t replicate = sqlite3_column_int64(row, 0), step = sqlite3_column_int64(row, 1);
  const int64_t states = sqlite3_column_int64(row, 2), actions = sqlite3_column_int64(row, 3);
  const int64_t parts = sqlite3_column_int64(row, 4);
  const uint8_t *bytes = sqlite3_column_blob(row, 5);
  const int length = sqlite3_column_bytes(row, 5);
  *session = sqlite3_column_int64(row, 7);
  if (replicate < 0 || step < 1 || bytes == NULL || !sizes_fit(states, actions, parts, length))
    return damaged(s, cell, "a snapshot is not as large as it claims", replicate, step, error);
  const far_status status =
      far__snapshot_create(out, (uint32_t)states, (uint32_t)actions, parts & PART_Q,
                           parts & PART_BONUS, parts & PART_POLICY, error);
  if (status != FAR_OK) return status;
  out->replicate = replicate;
  out->step = step;
  for (size_t i = 0; i < (size_t)length / 8; ++i) out->visits[i] = far__get_f64(bytes + 8 * i);
  if (seal_of(cell, out, *session, bytes, (size_t)length) == sqlite3_column_int64(row, 6))
    return FAR_OK;
  far_snapshot_free(out);
  return damaged(s, cell, "the checksum of a snapshot is wrong", replicate, step, error);
}

static bool is_before(const far_snapshot *x, int64_t replicate, int64_t step) {
  return x->replicate < replicate || (x->replicate == replicate && x->step < step);
}

far_status far__snapshot_next(far_snapshot *out, int64_t *session, bool *found, far_store *s,
                              const far__stored_cell *cell, int64_t replicate, int64_t step,
                              far_error *error) {
  sqlite3_stmt *next;
  bool there = false;
  *out = (far_snapshot){0};
  *found = false;
  far_status status = far__store_has(&there, s, FAR__STORE_SNAPSHOTS, error);
  if (status != FAR_OK || !there) return status;
  status = far__sql_use(&next, s, FAR__SNAPSHOT_NEXT, error);
  if (status != FAR_OK) return status;
  sqlite3_bind_int64(next, 1, cell->id);
  sqlite3_bind_int64(next, 2, replicate);
  sqlite3_bind_int64(next, 3, step);
  status = far__sql_step(s, next, found, error);
  if (status == FAR_OK && *found) status = take(out, session, s, next, cell, error);
  sqlite3_reset(next);
  *found = *found && status == FAR_OK;
  if (*found && is_before(out, replicate, step)) { /* a damaged index could loop */
    status = damaged(s, cell, "snapshots are not in order", out->replicate, out->step, error);
    far_snapshot_free(out);
    *found = false;
  }
  return status;
}

far_status far__snapshots_each(far_store *s, const far__stored_cell *cell, far__snapshot_fn *visit,
                               void *user, far_error *error) {
  int64_t replicate = INT64_MIN, step = INT64_MIN; /* to find invalid ones before 0 as well */
  for (;;) {
    far_snapshot x;
    int64_t session;
    bool found;
    far_status status = far__snapshot_next(&x, &session, &found, s, cell, replicate, step, error);
    if (status != FAR_OK || !found) return status;
    status = visit(user, &x, session, error);
    const bool last = x.step == INT64_MAX && x.replicate == INT64_MAX;
    replicate = x.step < INT64_MAX || last ? x.replicate : x.replicate + 1;
    step = x.step < INT64_MAX ? x.step + 1 : INT64_MIN;
    far_snapshot_free(&x);
    if (status == FAR_OK) status = far__ask(s, error);
    if (status != FAR_OK || last) return status;
  }
}

/* Is this step among the checkpoints? */
static bool is_checkpoint(const far_cell *cell, int64_t step) {
  size_t low = 0, high = cell->n_checkpoints;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (cell->checkpoints[middle] < step)
      low = middle + 1;
    else
      high = middle;
  }
  return low < cell->n_checkpoints && cell->checkpoints[low] == step;
}

far_status far__snapshots_count(size_t *counts, far_store *s, const far__stored_cell *cell,
                                const far_cell *of, int64_t first, int64_t runs, far_error *error) {
  sqlite3_stmt *list;
  bool there = false;
  far_status status = far__store_has(&there, s, FAR__STORE_SNAPSHOTS, error);
  if (status == FAR_OK && there) status = far__sql_use(&list, s, FAR__SNAPSHOT_LIST, error);
  if (status != FAR_OK || !there) return status;
  sqlite3_bind_int64(list, 1, cell->id);
  sqlite3_bind_int64(list, 2, first);
  sqlite3_bind_int64(list, 3, first + runs - 1);
  for (bool row = true; status == FAR_OK;) {
    status = far__sql_step(s, list, &row, error);
    if (status != FAR_OK || !row) break;
    const int64_t i = sqlite3_column_int64(list, 0) - first;
    if (i >= 0 && i < runs) counts[i] += is_checkpoint(of, sqlite3_column_int64(list, 1));
  }
  sqlite3_reset(list);
  return status;
}

far_status far_store_snapshot_read(far_snapshot *out, bool *found, far_store *s, const char *key,
                                   int64_t replicate, int64_t step, far_error *error) {
  far__stored_cell cell;
  int64_t session;
  *out = (far_snapshot){0};
  *found = false;
  far_status status = far__stored_cell_of_key(&cell, s, key, error);
  if (status != FAR_OK) return status;
  status = far__snapshot_next(out, &session, found, s, &cell, replicate, step, error);
  far__stored_cell_free(&cell);
  return far__store_doubt(s, status, error);
}

/* ---- writing ---- */

static far_status insert(far_store *s, const far__stored_cell *cell, const far_snapshot *x,
                         int64_t session, far_error *error) {
  sqlite3_stmt *add;
  const size_t count = far__snapshot_numbers(x);
  far_status status = far__sql_use(&add, s, FAR__SNAPSHOT_ADD, error);
  if (status != FAR_OK) return status;
  uint8_t *bytes = malloc(count * 8);
  if (bytes == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a snapshot");
  for (size_t i = 0; i < count; ++i) far__put_f64(bytes + 8 * i, x->visits[i]);
  const int64_t numbers[] = {cell->id,    x->replicate, x->step,
                             x->n_states, x->n_actions, (int64_t)parts_of(x)};
  for (int i = 0; i < 6; ++i) sqlite3_bind_int64(add, i + 1, numbers[i]);
  sqlite3_bind_blob64(add, 7, bytes, count * 8, free);
  sqlite3_bind_int64(add, 8, seal_of(cell, x, session, bytes, count * 8));
  sqlite3_bind_int64(add, 9, session);
  status = far__sql_run(s, add, error);
  sqlite3_clear_bindings(add); /* frees the bytes */
  return status;
}

static bool are_same(const far_snapshot *x, const far_snapshot *y) {
  if (x->n_states != y->n_states || x->n_actions != y->n_actions || parts_of(x) != parts_of(y))
    return false;
  for (size_t i = 0; i < far__snapshot_numbers(x); ++i)
    if (far__bits(x->visits[i]) != far__bits(y->visits[i])) return false;
  return true;
}

far_status far__snapshot_put(bool *added, far_store *s, const far__stored_cell *cell,
                             const far_snapshot *x, int64_t session, far_error *error) {
  far_snapshot there;
  bool found;
  int64_t from;
  *added = false;
  far_status status = far__store_grow(s, FAR__STORE_SNAPSHOTS, error);
  if (status == FAR_OK)
    status = far__snapshot_next(&there, &from, &found, s, cell, x->replicate, x->step, error);
  if (status != FAR_OK) return status;
  const bool known = found && there.replicate == x->replicate && there.step == x->step;
  if (known && !are_same(&there, x))
    status =
        far__fail(error, FAR_STATUS_FORMAT, -1,
                  "run %lld of '%.100s' on '%.90s' (%lld steps, seed %llu): the snapshot at step "
                  "%lld in '%.60s' is another: the same run must give the same numbers",
                  (long long)x->replicate, cell->agent, cell->env, (long long)cell->steps,
                  (unsigned long long)cell->seed, (long long)x->step, s->path);
  far_snapshot_free(&there);
  if (status != FAR_OK || known) return status;
  *added = true;
  return insert(s, cell, x, session, error);
}
