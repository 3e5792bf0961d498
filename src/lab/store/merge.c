/* All results of other stores, in one transaction. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "lab/store/access.h"
#include "lab/store/store.h"

typedef struct session_pair {
  int64_t there, here;
} session_pair;

/* The state of copying one store. */
typedef struct copy {
  far_store *to, *from;
  far__stored_cell cell,
      cell_here;     /* of the last block: its rows in `from` and `to`; `cell` owns the texts */
  far__series *list; /* all series of `from` */
  size_t n_list;
  session_pair *sessions;
  size_t n_sessions, capacity;
  int64_t added;
} copy;

static far_status map_session(int64_t *out, copy *c, int64_t there, far_error *error) {
  for (size_t i = c->n_sessions; i > 0; --i)
    if (c->sessions[i - 1].there == there) {
      *out = c->sessions[i - 1].here;
      return FAR_OK;
    }
  if (!far__grow((void **)&c->sessions, c->n_sessions, &c->capacity, sizeof *c->sessions))
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory to merge");
  const far_status status = far__session_copy(out, c->to, c->from, there, error);
  if (status == FAR_OK) c->sessions[c->n_sessions++] = (session_pair){there, *out};
  return status;
}

static far_status go_to_cell(copy *c, int64_t id, far_error *error) {
  if (c->cell.id == id && c->cell.env != NULL) return FAR_OK;
  far__stored_cell_free(&c->cell);
  const far_status status = far__stored_cell_get(&c->cell, c->from, id, error);
  if (status != FAR_OK) return status;
  c->cell_here = c->cell;
  return far__stored_cell_add(&c->cell_here, c->to, error);
}

static far__series *find_series(copy *c, int64_t id) {
  for (size_t i = 0; i < c->n_list; ++i)
    if (c->list[i].id == id) return &c->list[i];
  return NULL;
}

/* Copies the current row of `all`. */
static far_status copy_block(copy *c, sqlite3_stmt *all, far_error *error) {
  far__block_row block = {0};
  int64_t added = 0;
  far_status status = go_to_cell(c, sqlite3_column_int64(all, 0), error);
  far__series *series = find_series(c, sqlite3_column_int64(all, 1));
  if (status == FAR_OK && series == NULL)
    status = far__fail(error, FAR_STATUS_FORMAT, -1,
                       "'%.200s' is damaged: a block belongs to no series", c->from->path);
  if (status == FAR_OK) status = far__block_take(&block, c->from, all, 2, &c->cell, series, error);
  if (status == FAR_OK) status = map_session(&block.rows.session, c, block.rows.session, error);
  far__series here = {0};
  if (status == FAR_OK) {
    here = *series;
    status = far__series_add(&here, c->to, error);
  }
  if (status == FAR_OK)
    status =
        far__block_put(&added, c->to, &c->cell_here, &here, &block.rows, FAR_STATUS_FORMAT, error);
  if (status == FAR_OK) c->added += added * (int64_t)series->width;
  free(block.values);
  return status;
}

static far_status copy_all(copy *c, far_error *error) {
  sqlite3_stmt *all;
  far_status status = far__series_of_cell(&c->list, &c->n_list, c->from, 0, error);
  if (status == FAR_OK) status = far__sql_use(&all, c->from, FAR__BLOCK_ALL, error);
  if (status != FAR_OK) return status;
  for (bool row = true; status == FAR_OK;) {
    status = far__sql_step(c->from, all, &row, error);
    if (status != FAR_OK || !row) break;
    status = copy_block(c, all, error);
    if (status == FAR_OK) status = far__ask(c->to, error);
  }
  sqlite3_reset(all);
  return status;
}

static far_status copy_snapshot(void *user, const far_snapshot *x, int64_t session,
                                far_error *error) {
  copy *c = user;
  bool added = false;
  int64_t here;
  far_status status = map_session(&here, c, session, error);
  if (status == FAR_OK) status = far__snapshot_put(&added, c->to, &c->cell_here, x, here, error);
  if (added) c->added += (int64_t)far__snapshot_numbers(x);
  return status;
}

static far_status copy_snapshots(copy *c, far_error *error) {
  bool there = false;
  far_status status = far__store_has(&there, c->from, FAR__STORE_SNAPSHOTS, error);
  if (status == FAR_OK && there) status = far__store_order(c->from, error);
  for (size_t i = 0; status == FAR_OK && there && i < c->from->n_order; ++i) {
    status = go_to_cell(c, c->from->order[i], error);
    if (status == FAR_OK) status = far__snapshots_each(c->from, &c->cell, copy_snapshot, c, error);
  }
  return status;
}

/* Labels and shared keys of the cells that have numbers; the others are not copied. */
static far_status copy_labels(copy *c, far_error *error) {
  bool there = false, found = true;
  far_status status = far__store_has(&there, c->from, FAR__STORE_LABELS, error);
  if (status == FAR_OK && there) status = far__store_order(c->from, error);
  for (size_t i = 0; status == FAR_OK && there && i < c->from->n_order; ++i) {
    far__stored_cell cell, here;
    far__label label;
    status = far__stored_cell_get(&cell, c->from, c->from->order[i], error);
    if (status != FAR_OK) break;
    here = cell;
    status = far__stored_cell_find(&here.id, c->to, here.key, error);
    found = here.id != 0;
    if (status == FAR_OK && found)
      status = far__shared_copy(c->to, here.id, c->from, cell.id, error);
    for (size_t k = 0; status == FAR_OK && found; ++k) {
      status = far__label_get(&label, &found, c->from, &cell, k, error);
      if (status == FAR_OK && found)
        status = far__label_put(c->to, &here, label.env, label.agent, error);
      far__label_free(&label);
    }
    far__stored_cell_free(&cell);
  }
  return status;
}

static bool same_file(const char *x, const char *y) {
  struct stat a, b;
  return stat(x, &a) == 0 && stat(y, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static far_status merge_one(int64_t *added, far_store *s, const char *path, far_error *error) {
  copy c = {.to = s};
  if (same_file(s->path, path))
    return far__fail(error, FAR_STATUS_CONFLICT, -1, "'%.200s' cannot be merged into itself", path);
  far_status status =
      far__store_open_watched(&c.from, path, FAR_STORE_READ, s->go_on, s->go_user, error);
  if (status != FAR_OK) return status;
  far__long_call(c.from, true);
  status = far__sql_begin_read(c.from, error); /* so that writers meanwhile do not show */
  if (status == FAR_OK) status = copy_all(&c, error);
  if (status == FAR_OK) status = copy_snapshots(&c, error);
  if (status == FAR_OK) status = copy_labels(&c, error);
  status = far__store_doubt(c.from, status, error);
  far__sql_end_read(c.from);
  *added += c.added;
  far__stored_cell_free(&c.cell);
  far__series_list_free(c.list, c.n_list);
  free(c.sessions);
  far_store_close(c.from);
  return status;
}

far_status far_store_merge(int64_t *added, far_store *s, const char *const *others, size_t count,
                           far_error *error) {
  *added = 0;
  far__long_call(s, true);
  far_status status = far__sql_begin(s, error);
  if (status == FAR_OK) {
    for (size_t i = 0; status == FAR_OK && i < count; ++i)
      status = merge_one(added, s, others[i], error);
    status = far__sql_end(s, status, error);
  }
  far__long_call(s, false);
  if (status != FAR_OK) *added = 0;
  return status;
}
