/* Records, columns and counts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "store/store.h"

static far_status list_cells(far_store *s, far__statement which, far_error *error) {
  sqlite3_stmt *list;
  size_t capacity = s->n_order;
  s->n_order = 0;
  far_status status = far__sql_use(&list, s, which, error);
  for (bool row = true; status == FAR_OK;) {
    status = far__sql_step(s, list, &row, error);
    if (status != FAR_OK || !row) break;
    if (!far__grow((void **)&s->order, s->n_order, &capacity, sizeof *s->order)) {
      status = far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the list of cells");
      sqlite3_reset(list);
    } else {
      s->order[s->n_order++] = sqlite3_column_int64(list, 0);
    }
  }
  return status;
}

/* Which cell is it that cannot be put in order? */
static far_status find_damaged(far_store *s, far_error *error) {
  far_error found;
  far__cell cell;
  far_status status = list_cells(s, FAR__CELL_ALL, &found);
  for (size_t i = 0; status == FAR_OK && i < s->n_order; ++i) {
    status = far__cell_get(&cell, s, s->order[i], &found);
    if (status == FAR_OK) far__cell_free(&cell);
  }
  if (status == FAR_STATUS_FORMAT && error != NULL) *error = found;
  s->n_order = 0;
  return FAR_STATUS_FORMAT;
}

far_status far__store_order(far_store *s, far_error *error) {
  const far_status status = list_cells(s, FAR__CELL_ORDER, error);
  return status == FAR_STATUS_FORMAT && !s->endless ? find_damaged(s, error) : status;
}

far_status far__store_lend(far_store *s, const char *const *from, const char **const *to, size_t n,
                           far_error *error) {
  size_t size = 0;
  for (size_t i = 0; i < n; ++i) size += strlen(from[i]) + 1;
  char *text = malloc(size);
  if (text == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a record");
  free(s->shown);
  s->shown = text;
  for (size_t i = 0; i < n; ++i) {
    const size_t length = strlen(from[i]) + 1;
    *to[i] = memcpy(text, from[i], length);
    text += length;
  }
  return FAR_OK;
}

static far_status lend(far_record *out, far_store *s, const far__cell *cell, far_error *error) {
  const char *const from[] = {cell->key, cell->model, cell->env, cell->agent};
  const char **const to[] = {&out->key, &out->model, &out->env, &out->agent};
  out->steps = cell->steps;
  out->seed = cell->seed;
  out->numerics = cell->numerics;
  return far__store_lend(s, from, to, sizeof to / sizeof *to, error);
}

far_status far_store_record(far_record *out, bool *found, far_store *s, size_t index,
                            far_error *error) {
  far__cell cell;
  sqlite3_stmt *runs;
  *out = (far_record){0};
  *found = false;
  far_status status = index == 0 ? far__store_order(s, error) : FAR_OK;
  if (status != FAR_OK || index >= s->n_order) return status;
  status = far__cell_get(&cell, s, s->order[index], error);
  if (status != FAR_OK) return status;
  status = lend(out, s, &cell, error);
  far__cell_free(&cell);
  if (status == FAR_OK) status = far__sql_use(&runs, s, FAR__CELL_RUNS, error);
  if (status != FAR_OK) return status;
  sqlite3_bind_int64(runs, 1, s->order[index]);
  *found = true;
  return far__sql_integer(&out->runs, s, runs, error);
}

static far_status get_by_key(far__cell *out, far_store *s, const char *key, far_error *error) {
  int64_t id;
  const far_status status = far__cell_find(&id, s, key, error);
  if (status != FAR_OK) return status;
  if (id != 0) return far__cell_get(out, s, id, error);
  return far__fail(error, FAR_STATUS_UNKNOWN, -1, "'%.200s' has no cell '%.64s'", s->path, key);
}

/* ---- columns ---- */

void far__columns_forget(far__columns *c) {
  for (size_t i = 0; i < c->n_names; ++i) free(c->names[i]);
  free(c->names);
  free(c->steps);
  *c = (far__columns){0};
}

static int by_step(const void *a, const void *b) {
  const int64_t *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

/* The steps of all curves among the series, ascending and without repetition. */
static bool add_steps(far__columns *c, const far__series *list, size_t count) {
  size_t most = 0, n = 0;
  for (size_t i = 0; i < count; ++i) most += list[i].steps != NULL ? list[i].width : 0;
  c->steps = malloc((most + 1) * sizeof *c->steps);
  if (c->steps == NULL) return false;
  for (size_t i = 0; i < count; ++i) {
    if (list[i].steps == NULL) continue;
    memcpy(c->steps + n, list[i].steps, list[i].width * sizeof *c->steps);
    n += list[i].width;
  }
  qsort(c->steps, n, sizeof *c->steps, by_step);
  for (size_t k = 0; k < n; ++k)
    if (k == 0 || c->steps[k] != c->steps[c->n_steps - 1]) c->steps[c->n_steps++] = c->steps[k];
  return true;
}

/* "total" first, then metrics by name. */
static bool add_names(far__columns *c, const far__series *list, size_t count) {
  c->names = malloc((count + 1) * sizeof *c->names);
  if (c->names == NULL) return false;
  for (int pass = 0; pass < 2; ++pass)
    for (size_t i = 0; i < count; ++i) {
      const bool total = strcmp(list[i].name, "total") == 0;
      if (list[i].steps != NULL || total != (pass == 0)) continue;
      if ((c->names[c->n_names] = strdup(list[i].name)) == NULL) return false;
      c->n_names += 1;
    }
  return true;
}

/* Reads the columns of a cell (0: of any) into the store. */
static far_status learn_columns(far_store *s, const far__cell *cell, far_error *error) {
  far__series *list;
  size_t count;
  far__columns *c = &s->columns;
  far__columns_forget(c);
  const far_status status = far__series_of_cell(&list, &count, s, cell->id, error);
  if (status != FAR_OK) return status;
  c->known = add_names(c, list, count) && add_steps(c, list, count);
  far__series_list_free(list, count);
  if (c->known) {
    memcpy(c->key, cell->key, sizeof c->key);
    return FAR_OK;
  }
  far__columns_forget(c);
  return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the columns");
}

far_status far_store_series(const char **out, bool *found, far_store *s, const char *key,
                            size_t index, far_error *error) {
  far__columns *c = &s->columns;
  *out = NULL;
  *found = false;
  if (index == 0 || !c->known || strcmp(c->key, key != NULL ? key : "") != 0) {
    far__cell cell = {0};
    far_status status = key != NULL ? get_by_key(&cell, s, key, error) : FAR_OK;
    if (status == FAR_OK) status = learn_columns(s, &cell, error);
    far__cell_free(&cell);
    if (status != FAR_OK) return status;
  }
  if (index < c->n_names) {
    *out = c->names[index];
  } else if (index - c->n_names < c->n_steps) {
    snprintf(c->shown, sizeof c->shown, "curve@%lld", (long long)c->steps[index - c->n_names]);
    *out = c->shown;
  }
  *found = *out != NULL;
  return FAR_OK;
}

/* The column that is called so. */
static far__table_column *find_column(const far__result_table *table, const char *series) {
  char name[32];
  for (size_t i = 0; i < table->count; ++i) {
    far__table_column *c = &table->columns[i];
    snprintf(name, sizeof name, "curve@%lld", (long long)c->step);
    if (strcmp(c->step > 0 ? name : c->name, series) == 0) return c;
  }
  return NULL;
}

far_status far_store_values(double **values, int64_t **replicates, int64_t *count, far_store *s,
                            const char *key, const char *series, far_error *error) {
  far__cell cell;
  far__result_table table;
  *values = NULL;
  *replicates = NULL;
  *count = 0;
  far_status status = get_by_key(&cell, s, key, error);
  if (status != FAR_OK) return status;
  status = far__store_doubt(s, far__result_table_read(&table, s, &cell, error), error);
  far__table_column *column = status == FAR_OK ? find_column(&table, series) : NULL;
  if (column != NULL) {
    *values = column->values;
    *replicates = column->replicates;
    *count = column->count;
    column->values = NULL;
    column->replicates = NULL;
  } else if (status == FAR_OK) {
    status = far__fail(error, FAR_STATUS_UNKNOWN, -1, "'%.100s' on '%.100s' has no series '%.60s'",
                       cell.agent, cell.env, series);
  }
  if (status == FAR_OK || table.columns != NULL) far__result_table_free(&table);
  far__cell_free(&cell);
  return status;
}

/* ---- counts ---- */

static int64_t bytes_of(const char *path, const char *suffix) {
  struct stat info;
  char name[FAR__LONGEST_PATH];
  const bool there = far__name_beside(name, path, suffix) && stat(name, &info) == 0;
  return there ? (int64_t)info.st_size : 0;
}

int64_t far__store_bytes(const far_store *s) {
  return bytes_of(s->path, "") + bytes_of(s->path, "-wal");
}

static far_status count(int64_t *out, far_store *s, const char *sql, far_error *error) {
  sqlite3_stmt *statement = NULL;
  const int code = sqlite3_prepare_v2(s->db, sql, -1, &statement, NULL);
  if (code != SQLITE_OK) return far__sql_fail(s, code, "read", error);
  const far_status status = far__sql_integer(out, s, statement, error);
  sqlite3_finalize(statement);
  return status;
}

far_status far_store_info_of(far_store_info *out, far_store *s, far_error *error) {
  int64_t format = 0, microseconds = 0;
  *out = (far_store_info){0};
  /* not count(*), in which SQLite calls no progress handler */
#define TOTALS " FROM block WHERE series = (SELECT id FROM series WHERE name = 'total')"
  const struct {
    const char *sql;
    int64_t *to;
  } counts[] = {
      {"PRAGMA user_version", &format},
      {"SELECT coalesce(sum(1), 0) FROM cell", &out->cells},
      {"SELECT coalesce(sum(runs), 0)" TOTALS, &out->runs},
      {"SELECT coalesce(sum(1), 0) FROM block", &out->blocks},
      {"SELECT coalesce(sum(length(content)), 0) / 8 FROM block", &out->values},
      {"SELECT coalesce(sum(1), 0) FROM session", &out->sessions},
      {"SELECT CAST(coalesce(sum(seconds), 0) * 1e6 AS INTEGER)" TOTALS, &microseconds},
  };
#undef TOTALS
  far_status status = FAR_OK;
  for (size_t i = 0; status == FAR_OK && i < sizeof counts / sizeof *counts; ++i)
    status = count(counts[i].to, s, counts[i].sql, error);
  out->format = (int)format;
  out->seconds = 1e-6 * (double)microseconds;
  out->bytes = far__store_bytes(s);
  return status;
}
