/* Records, columns and counts. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/number.h"
#include "base/text.h"
#include "farsight/run.h"
#include "lab/store/access.h"
#include "lab/store/store.h"

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

/* The list of cells cannot be sorted: reads them one by one, for an error that names the damaged one. */
static far_status find_damaged(far_store *s, far_error *error) {
  far_error found;
  far__stored_cell cell;
  far_status status = list_cells(s, FAR__CELL_ALL, &found);
  for (size_t i = 0; status == FAR_OK && i < s->n_order; ++i) {
    status = far__stored_cell_get(&cell, s, s->order[i], &found);
    if (status == FAR_OK) far__stored_cell_free(&cell);
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
  char *text = malloc(size + 1); /* not 0 bytes */
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

far_status far__record_lend(far_record *out, far_store *s, const far__stored_cell *cell,
                            far_error *error) {
  far__label label;
  bool found;
  far_status status = far__label_get(&label, &found, s, cell, 0, error);
  if (status != FAR_OK) return status;
  const char *const from[] = {cell->key,
                              cell->model,
                              cell->env,
                              cell->agent,
                              found ? label.env : "",
                              found ? label.agent : ""};
  const char **const to[] = {&out->key,   &out->model,     &out->env,
                             &out->agent, &out->env_label, &out->agent_label};
  out->steps = cell->steps;
  out->episodes = cell->episodes;
  out->seed = cell->seed;
  out->numerics = cell->numerics;
  status = far__store_lend(s, from, to, sizeof to / sizeof *to, error);
  far__label_free(&label);
  return status;
}

far_status far_store_record(far_record *out, bool *found, far_store *s, size_t index,
                            far_error *error) {
  far__stored_cell cell;
  sqlite3_stmt *runs;
  *out = (far_record){0};
  *found = false;
  far_status status = index == 0 ? far__store_whole(s, error) : FAR_OK;
  if (status == FAR_OK && index == 0) status = far__store_order(s, error);
  if (status != FAR_OK || index >= s->n_order) return status;
  status = far__stored_cell_get(&cell, s, s->order[index], error);
  if (status != FAR_OK) return status;
  status = far__record_lend(out, s, &cell, error);
  far__stored_cell_free(&cell);
  if (status == FAR_OK) status = far__sql_use(&runs, s, FAR__CELL_RUNS, error);
  if (status != FAR_OK) return status;
  sqlite3_bind_int64(runs, 1, s->order[index]);
  *found = true;
  return far__sql_integer(&out->runs, s, runs, error);
}

/* ---- columns ---- */

void far__columns_forget(far__columns *c) {
  far__series_list_free(c->series, c->n_series);
  free(c->names);
  free(c->shown);
  *c = (far__columns){0};
}

static int by_order(const void *a, const void *b) {
  return far__column_order(a, b);
}

/* All columns of the series, in order and without repetition. */
static bool list_names(far__columns *c) {
  size_t most = 0, n = 0;
  for (size_t i = 0; i < c->n_series; ++i) most += c->series[i].width;
  c->names = calloc(most + 1, sizeof *c->names);
  if (c->names == NULL) return false;
  for (size_t i = 0; i < c->n_series; ++i)
    for (size_t k = 0; k < c->series[i].width; ++k)
      c->names[n++] = far__series_column(&c->series[i], k);
  if (n > 0) qsort(c->names, n, sizeof *c->names, by_order);
  for (size_t k = 0; k < n; ++k)
    if (k == 0 || by_order(&c->names[k], &c->names[c->n_names - 1]) != 0)
      c->names[c->n_names++] = c->names[k];
  return true;
}

/* Reads the columns of a cell (0: of any) into the store. */
static far_status learn_columns(far_store *s, const far__stored_cell *cell, far_error *error) {
  far__columns *c = &s->columns;
  far__columns_forget(c);
  const far_status status = far__series_of_cell(&c->series, &c->n_series, s, cell->id, error);
  if (status != FAR_OK) {
    *c = (far__columns){0};
    return status;
  }
  c->known = list_names(c);
  if (c->known) {
    memcpy(c->key, cell->key, sizeof c->key);
    return FAR_OK;
  }
  far__columns_forget(c);
  return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the columns");
}

/* Column `index` in words, which live until the next one is shown. */
static far_status show_column(const char **out, far__columns *c, size_t index, far_error *error) {
  const far__column_name *name = &c->names[index];
  char *text = malloc(name->length + 32);
  if (text == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the columns");
  memcpy(text, name->text, name->length);
  text[name->length] = '\0';
  if (name->step > 0) snprintf(text + name->length, 32, "@%lld", (long long)name->step);
  free(c->shown);
  *out = c->shown = text;
  return FAR_OK;
}

/* Reads the columns of a record (NULL: of all records), unless they are those that were read last. */
static far_status need_columns(far_store *s, const char *key, bool again, far_error *error) {
  far__columns *c = &s->columns;
  far__stored_cell cell = {0};
  if (!again && c->known && strcmp(c->key, key != NULL ? key : "") == 0) return FAR_OK;
  far_status status = key != NULL ? far__stored_cell_of_key(&cell, s, key, error) : FAR_OK;
  if (status == FAR_OK) status = learn_columns(s, &cell, error);
  far__stored_cell_free(&cell);
  return status;
}

far_status far_store_series(const char **out, bool *found, far_store *s, const char *key,
                            size_t index, far_error *error) {
  *out = NULL;
  *found = false;
  far_status status = need_columns(s, key, index == 0, error);
  if (status != FAR_OK || index >= s->columns.n_names) return status;
  status = show_column(out, &s->columns, index, error);
  *found = status == FAR_OK;
  return status;
}

/* ---- columns by approximate names ---- */

/* The metric's canonical spec, with the step after it if there is one; or the text as it is, since a
 * metric may have been made elsewhere (malloc). NULL without memory. */
static char *canonical(const char *series) {
  const char *at = strrchr(series, '@');
  const size_t length = at != NULL ? (size_t)(at - series) : strlen(series);
  if (length == 5 && (memcmp(series, "total", length) == 0 || memcmp(series, "curve", length) == 0))
    return strdup(series);
  char *out = strdup(series), *spec = strndup(series, length);
  far_metric *metric = NULL;
  const far_status status =
      out != NULL && spec != NULL ? far_metric_create(&metric, spec, NULL) : FAR_STATUS_MEMORY;
  free(spec);
  if (status == FAR_OK) {
    far__text text = {0};
    far__text_add(&text, metric->name, strlen(metric->name));
    far__text_add(&text, series + length, strlen(series + length));
    free(out);
    out = text.bytes;
    if (text.failed) {
      free(out);
      out = NULL;
    }
    far_metric_free(metric);
  } else if (status == FAR_STATUS_MEMORY) {
    free(out);
    out = NULL;
  }
  return out;
}

/* The index of the column that is called so, or else of the nearest step of the same curve; n_names if
 * there is neither. */
static size_t nearest_column(const far__columns *c, const char *wanted, bool *exact) {
  const char *at = strrchr(wanted, '@');
  int64_t step = 0, least = INT64_MAX;
  size_t best = c->n_names;
  const bool stepped = at != NULL && far__integer_parse(at + 1, strlen(at + 1), &step) && step >= 0;
  for (size_t i = 0; i < c->n_names; ++i) {
    const far__column_name *name = &c->names[i];
    *exact = far__column_is(name, wanted);
    if (*exact) return i;
    if (!stepped || name->step == 0 || name->length != (size_t)(at - wanted) ||
        memcmp(name->text, wanted, name->length) != 0)
      continue;
    const int64_t away = name->step > step ? name->step - step : step - name->step;
    if (away >= least) continue;
    least = away;
    best = i;
  }
  return best;
}

far_status far_store_series_nearest(const char **out, bool *exact, far_store *s, const char *series,
                                    far_error *error) {
  *out = NULL;
  *exact = false;
  far_status status = need_columns(s, NULL, true, error);
  if (status != FAR_OK) return status;
  char *wanted = canonical(series);
  if (wanted == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a name");
  size_t index = nearest_column(&s->columns, wanted, exact);
  free(wanted);
  if (index == s->columns.n_names) /* imported under the short name */
    index = nearest_column(&s->columns, series, exact);
  if (index < s->columns.n_names) return show_column(out, &s->columns, index, error);
  return far__fail(error, FAR_STATUS_UNKNOWN, -1, "'%.200s' has no series '%.100s'", s->path,
                   series);
}

/* ---- values of a column ---- */

far_status far__result_table_of(far__result_table *out, far_store *s, const char *key,
                                far_error *error) {
  far__stored_cell cell;
  *out = (far__result_table){0};
  far_status status = far__stored_cell_of_key(&cell, s, key, error);
  if (status != FAR_OK) return status;
  status = far__store_doubt(s, far__result_table_read(out, s, &cell, error), error);
  far__stored_cell_free(&cell);
  return status;
}

far_status far__result_table_column(far__export_column **out, const far__result_table *table,
                                    const char *series, far_error *error) {
  for (size_t i = 0; i < table->count; ++i)
    if (far__column_is(&table->columns[i].name, series)) {
      *out = &table->columns[i];
      return FAR_OK;
    }
  return far__fail(error, FAR_STATUS_UNKNOWN, -1, "the record has no series '%.60s'", series);
}

far_status far__store_values(double **values, int64_t **replicates, int64_t *count, far_store *s,
                             const char *key, const char *series, far_error *error) {
  far__result_table table;
  far__export_column *column;
  *values = NULL;
  *replicates = NULL;
  *count = 0;
  far_status status = far__result_table_of(&table, s, key, error);
  if (status == FAR_OK) status = far__result_table_column(&column, &table, series, error);
  if (status == FAR_OK) {
    *values = column->values;
    *replicates = column->replicates;
    *count = column->count;
    column->values = NULL;
    column->replicates = NULL;
  }
  far__result_table_free(&table);
  return status;
}

/* ---- counts ---- */

/* Adds the size of a file of the store, 0 if it is absent. */
static far_status add_file(int64_t *bytes, const far_store *s, const char *suffix,
                           far_error *error) {
  struct stat info;
  char name[FAR__LONGEST_PATH];
  if (!far__name_beside(name, s->path, suffix)) return FAR_OK;
  const bool there = stat(name, &info) == 0;
  if (!there && errno != ENOENT)
    return far__fail(error, FAR_STATUS_IO, -1, "cannot read '%.200s': %s", name, strerror(errno));
  if (there) *bytes += (int64_t)info.st_size;
  return FAR_OK;
}

int64_t far__store_bytes(const far_store *s) {
  if (s->mode == FAR_STORE_MEMORY) return INT64_MAX / 2; /* no other program wrote it: no bound */
  int64_t bytes = 0;                                     /* of what can be looked at */
  (void)add_file(&bytes, s, "", NULL);
  (void)add_file(&bytes, s, "-wal", NULL);
  return bytes;
}

/* A block whose cell or series is missing would never be read: blocks are found by these. The index of blocks has both
 * columns, so that this query reads no numbers. */
far_status far__store_whole(far_store *s, far_error *error) {
  int64_t lost = 0;
  bool snapshots = false;
  far_status status =
      far__sql_number(&lost, s,
                      "SELECT EXISTS(SELECT 1 FROM block WHERE cell NOT IN (SELECT id FROM "
                      "cell) OR series NOT IN (SELECT id FROM series))",
                      error);
  if (status == FAR_OK && !lost)
    status = far__store_has(&snapshots, s, FAR__STORE_SNAPSHOTS, error);
  if (status == FAR_OK && snapshots)
    status = far__sql_number(
        &lost, s, "SELECT EXISTS(SELECT 1 FROM snapshot WHERE cell NOT IN (SELECT id FROM cell))",
        error);
  if (status != FAR_OK || !lost) return status;
  return far__fail(error, FAR_STATUS_FORMAT, -1,
                   "'%.200s' is damaged: some of its numbers belong to no cell or no series; "
                   "'farsight store check' lists the damage",
                   s->path);
}

/* The bytes of a store: of its files, or of its pages in memory. */
static far_status count_bytes(int64_t *out, far_store *s, far_error *error) {
  int64_t pages = 0, size = 0;
  const bool files = s->mode != FAR_STORE_MEMORY;
  far_status status = files ? add_file(out, s, "", error) : FAR_OK;
  if (files) return status == FAR_OK ? add_file(out, s, "-wal", error) : status;
  status = far__sql_number(&pages, s, "PRAGMA page_count", error);
  if (status == FAR_OK) status = far__sql_number(&size, s, "PRAGMA page_size", error);
  *out = pages * size;
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
    status = far__sql_number(counts[i].to, s, counts[i].sql, error);
  if (status == FAR_OK && format >= FAR__STORE_SNAPSHOTS)
    status = far__sql_number(&out->snapshots, s, "SELECT coalesce(sum(1), 0) FROM snapshot", error);
  out->format = (int)format;
  out->seconds = 1e-6 * (double)microseconds;
  return status == FAR_OK ? count_bytes(&out->bytes, s, error) : status;
}
