/* The blocks after a given one, for a process that follows a store while others write to it. Rows of blocks are
 * only ever added, so that their ids ascend in the order of commits. */
#include <stdlib.h>
#include <string.h>

#include "lab/store/access.h"
#include "lab/store/store.h"

typedef struct reading {
  far_store *store;
  far__series *series; /* all of the store's, by name */
  size_t n_series;
  int64_t total;         /* the id of the series "total"; 0: there is none */
  far__stored_cell cell; /* of the last block; its id is 0 before the first */
  far__label label;      /* of that cell, if it has one */
  far__store_block_fn *take;
  void *user;
} reading;

static far_status damaged(far_store *s, int64_t id, const char *what, far_error *error) {
  return far__fail(error, FAR_STATUS_FORMAT, -1, "'%.200s' is damaged: block %lld %s", s->path,
                   (long long)id, what);
}

static far_status read_series(reading *r, far_error *error) {
  const far_status status = far__series_of_cell(&r->series, &r->n_series, r->store, 0, error);
  if (status != FAR_OK) r->n_series = 0;
  for (size_t i = 0; i < r->n_series; ++i)
    if (strcmp(r->series[i].name, "total") == 0) r->total = r->series[i].id;
  return status;
}

static const far__series *find_series(const reading *r, int64_t id) {
  for (size_t i = 0; i < r->n_series; ++i)
    if (r->series[i].id == id) return &r->series[i];
  return NULL;
}

/* Successive blocks are often of one cell. */
static far_status read_cell(reading *r, int64_t id, far_error *error) {
  if (r->cell.id == id && id != 0) return FAR_OK;
  bool found;
  far__stored_cell_free(&r->cell);
  far__label_free(&r->label);
  const far_status status = far__stored_cell_get(&r->cell, r->store, id, error);
  return status == FAR_OK ? far__label_get(&r->label, &found, r->store, &r->cell, 0, error)
                          : status;
}

static far_record record_of(const reading *r) {
  const far__stored_cell *cell = &r->cell;
  return (far_record){.env_label = r->label.env != NULL ? r->label.env : "",
                      .agent_label = r->label.agent != NULL ? r->label.agent : "",
                      .key = cell->key,
                      .env = cell->env,
                      .model = cell->model,
                      .agent = cell->agent,
                      .steps = cell->steps,
                      .episodes = cell->episodes,
                      .seed = cell->seed,
                      .numerics = cell->numerics};
}

/* The place of a block whose numbers are not read. */
static far_status take_place(far__block_row *out, reading *r, sqlite3_stmt *row, far_error *error) {
  *out = (far__block_row){.rows = {.first = sqlite3_column_int64(row, 3),
                                   .runs = sqlite3_column_int64(row, 4),
                                   .session = sqlite3_column_int64(row, 7),
                                   .seconds = sqlite3_column_double(row, 8)}};
  const far__rows *rows = &out->rows;
  if (rows->first >= 0 && rows->runs >= 1 && rows->runs <= FAR__BLOCK_RUNS &&
      rows->first <= INT64_MAX - rows->runs)
    return FAR_OK;
  return damaged(r->store, sqlite3_column_int64(row, 0), "is not as long as it claims", error);
}

/* A row of BLOCK_AFTER. */
static far_status show_block(reading *r, sqlite3_stmt *row, far_error *error) {
  const int64_t id = sqlite3_column_int64(row, 0), series_id = sqlite3_column_int64(row, 2);
  const far__series *series = find_series(r, series_id);
  far__block_row block = {0};
  if (series == NULL) return damaged(r->store, id, "is of a series that is not there", error);
  far_status status = read_cell(r, sqlite3_column_int64(row, 1), error);
  if (status != FAR_OK) return status;
  status = series_id == r->total
               ? far__block_take(&block, r->store, row, 3, &r->cell, series, error)
               : take_place(&block, r, row, error);
  if (status == FAR_OK)
    status = r->take(r->user,
                     &(far__store_block){.id = id,
                                         .session = block.rows.session,
                                         .cell = record_of(r),
                                         .series = series->name,
                                         .first = block.rows.first,
                                         .runs = block.rows.runs,
                                         .seconds = block.rows.seconds,
                                         .totals = block.values},
                     error);
  free(block.values);
  return status;
}

static far_status show_blocks(reading *r, int64_t after, far_error *error) {
  sqlite3_stmt *list;
  far_status status = far__sql_use(&list, r->store, FAR__BLOCK_AFTER, error);
  if (status != FAR_OK) return status;
  sqlite3_bind_int64(list, 1, after);
  sqlite3_bind_int64(list, 2, r->total);
  for (bool row = true; status == FAR_OK;) {
    status = far__sql_step(r->store, list, &row, error);
    if (status != FAR_OK || !row) break;
    status = show_block(r, list, error);
    if (status == FAR_OK) status = far__ask(r->store, error);
  }
  sqlite3_reset(list);
  return status;
}

/* In one transaction: the series of a block are there when the block is. */
far_status far__store_blocks_after(far_store *s, int64_t after, far__store_block_fn *take,
                                   void *user, far_error *error) {
  reading r = {.store = s, .take = take, .user = user};
  far__long_call(s, true);
  far_status status = far__sql_begin_read(s, error);
  if (status == FAR_OK) {
    status = read_series(&r, error);
    if (status == FAR_OK) status = show_blocks(&r, after, error);
    far__sql_end_read(s);
  }
  far__long_call(s, false);
  far__series_list_free(r.series, r.n_series);
  far__stored_cell_free(&r.cell);
  far__label_free(&r.label);
  return far__store_doubt(s, status, error);
}
