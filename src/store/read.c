/* Records, columns and counts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "store/store.h"

far_status far__store_order(far_store *s, far_error *error) {
  sqlite3_stmt *list;
  size_t capacity = s->n_order;
  s->n_order = 0;
  far_status status = far__sql_use(&list, s, FAR__CELL_ORDER, error);
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

/* The steps of all curves among the series, ascending and without repetition; malloc. */
static int64_t *all_steps(const far__series *list, size_t count, size_t *n) {
  size_t most = 0;
  *n = 0;
  for (size_t i = 0; i < count; ++i) most += list[i].steps != NULL ? list[i].width : 0;
  int64_t *out = malloc((most + 1) * sizeof *out);
  for (size_t i = 0; out != NULL && i < count; ++i)
    for (size_t k = 0; list[i].steps != NULL && k < list[i].width; ++k) {
      size_t at = *n;
      while (at > 0 && out[at - 1] > list[i].steps[k]) --at;
      if (at > 0 && out[at - 1] == list[i].steps[k]) continue;
      memmove(out + at + 1, out + at, (*n - at) * sizeof *out);
      out[at] = list[i].steps[k];
      *n += 1;
    }
  return out;
}

/* "total" first, then metrics by name, then the curve; NULL past the end. */
static char *column_name(const far__series *list, size_t count, size_t index) {
  for (int pass = 0; pass < 2; ++pass)
    for (size_t i = 0; i < count; ++i) {
      const bool total = strcmp(list[i].name, "total") == 0;
      if (list[i].steps == NULL && total == (pass == 0) && index-- == 0)
        return strdup(list[i].name);
    }
  size_t n = 0;
  int64_t *steps = all_steps(list, count, &n);
  char *name = steps != NULL && index < n ? malloc(32) : NULL;
  if (name != NULL) snprintf(name, 32, "curve@%lld", (long long)steps[index]);
  free(steps);
  return name;
}

far_status far_store_series(const char **out, bool *found, far_store *s, const char *key,
                            size_t index, far_error *error) {
  far__series *list;
  size_t count;
  *out = NULL;
  *found = false;
  far__cell cell = {0};
  far_status status = key != NULL ? get_by_key(&cell, s, key, error) : FAR_OK;
  if (status != FAR_OK) return status;
  status = far__series_of_cell(&list, &count, s, cell.id, error);
  if (status == FAR_OK) {
    char *name = column_name(list, count, index);
    free(s->shown);
    s->shown = name;
    *out = name;
    *found = name != NULL;
  }
  far__series_list_free(list, count);
  far__cell_free(&cell);
  return status;
}

/* The column that is called so. */
static far__sheet_column *find_column(const far__sheet *sheet, const char *series) {
  char name[32];
  for (size_t i = 0; i < sheet->count; ++i) {
    far__sheet_column *c = &sheet->columns[i];
    snprintf(name, sizeof name, "curve@%lld", (long long)c->step);
    if (strcmp(c->step > 0 ? name : c->name, series) == 0) return c;
  }
  return NULL;
}

far_status far_store_values(double **values, int64_t **replicates, int64_t *count, far_store *s,
                            const char *key, const char *series, far_error *error) {
  far__cell cell;
  far__sheet sheet;
  *values = NULL;
  *replicates = NULL;
  *count = 0;
  far_status status = get_by_key(&cell, s, key, error);
  if (status != FAR_OK) return status;
  status = far__sheet_read(&sheet, s, &cell, error);
  far__sheet_column *column = status == FAR_OK ? find_column(&sheet, series) : NULL;
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
  if (status == FAR_OK || sheet.columns != NULL) far__sheet_free(&sheet);
  far__cell_free(&cell);
  return status;
}

/* ---- counts ---- */

static int64_t bytes_of(const char *path, const char *suffix) {
  struct stat info;
  far__text name = {0};
  far__text_add(&name, path, strlen(path));
  far__text_add(&name, suffix, strlen(suffix));
  const int64_t size = !name.failed && stat(name.bytes, &info) == 0 ? (int64_t)info.st_size : 0;
  free(name.bytes);
  return size;
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
#define TOTALS " FROM block WHERE series = (SELECT id FROM series WHERE name = 'total')"
  const struct {
    const char *sql;
    int64_t *to;
  } counts[] = {
      {"PRAGMA user_version", &format},
      {"SELECT count(*) FROM cell", &out->cells},
      {"SELECT coalesce(sum(runs), 0)" TOTALS, &out->runs},
      {"SELECT count(*) FROM block", &out->blocks},
      {"SELECT coalesce(sum(length(content)), 0) / 8 FROM block", &out->values},
      {"SELECT count(*) FROM session", &out->sessions},
      {"SELECT CAST(coalesce(sum(seconds), 0) * 1e6 AS INTEGER)" TOTALS, &microseconds},
  };
#undef TOTALS
  far_status status = FAR_OK;
  for (size_t i = 0; status == FAR_OK && i < sizeof counts / sizeof *counts; ++i)
    status = count(counts[i].to, s, counts[i].sql, error);
  out->format = (int)format;
  out->seconds = 1e-6 * (double)microseconds;
  out->bytes = bytes_of(s->path, "") + bytes_of(s->path, "-wal");
  return status;
}
