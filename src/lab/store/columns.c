/* Several columns of a record, aligned by run. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "lab/store/store.h"

/* The least replicate that a column has at its place, at[k], or behind it. */
static bool next_replicate(int64_t *out, far__export_column *const *columns, const int64_t *at,
                           size_t n) {
  bool found = false;
  for (size_t k = 0; k < n; ++k) {
    if (at[k] == columns[k]->count) continue;
    const int64_t replicate = columns[k]->replicates[at[k]];
    if (!found || replicate < *out) *out = replicate;
    found = true;
  }
  return found;
}

/* Merges the columns into a table of `room` runs, or counts them if that is NULL. */
static int64_t merge(far_columns *out, int64_t room, far__export_column *const *columns,
                     int64_t *at, size_t n) {
  int64_t count = 0, replicate = 0;
  for (size_t k = 0; k < n; ++k) at[k] = 0;
  for (; next_replicate(&replicate, columns, at, n); ++count) {
    if (out != NULL) out->replicates[count] = replicate;
    for (size_t k = 0; k < n; ++k) {
      const bool there = at[k] < columns[k]->count && columns[k]->replicates[at[k]] == replicate;
      if (out != NULL)
        out->values[(int64_t)k * room + count] = there ? columns[k]->values[at[k]] : NAN;
      at[k] += there;
    }
  }
  return count;
}

static far_status align(far_columns *out, far__export_column *const *columns, int64_t *at, size_t n,
                        far_error *error) {
  const int64_t count = merge(NULL, 0, columns, at, n);
  out->replicates = calloc((size_t)count + 1, sizeof *out->replicates);
  out->values = calloc((size_t)count * n + 1, sizeof *out->values);
  if (out->replicates == NULL || out->values == NULL) {
    far_columns_free(out);
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for %zu columns", n);
  }
  out->count = merge(out, count, columns, at, n);
  return FAR_OK;
}

far_status far_store_columns(far_columns *out, far_store *store, const char *key,
                             const char *const *series, size_t n_series, far_error *error) {
  far__result_table table = {0};
  far__export_column **columns = calloc(n_series + 1, sizeof *columns);
  int64_t *at = calloc(n_series + 1, sizeof *at);
  *out = (far_columns){0};
  far_status status = FAR_OK;
  if (columns == NULL || at == NULL)
    status = far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for %zu columns", n_series);
  if (status == FAR_OK) status = far__result_table_of(&table, store, key, error);
  for (size_t k = 0; k < n_series && status == FAR_OK; ++k)
    status = far__result_table_column(&columns[k], &table, series[k], error);
  if (status == FAR_OK) status = align(out, columns, at, n_series, error);
  far__result_table_free(&table);
  free(columns);
  free(at);
  return status;
}

void far_columns_free(far_columns *columns) {
  free(columns->replicates);
  free(columns->values);
  *columns = (far_columns){0};
}
