/* The numbers of a cell as columns: total, metrics, one for each step of every curve. Two curves with other
 * checkpoints may have steps in common; then a column is made of both. */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "lab/store/store.h"

void far__result_table_free(far__result_table *table) {
  for (size_t i = 0; i < table->count; ++i) {
    free(table->columns[i].replicates);
    free(table->columns[i].values);
  }
  free(table->columns);
  far__series_list_free(table->series, table->n_series);
  *table = (far__result_table){0};
}

static far_status no_memory(far_error *error) {
  return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the results of a cell");
}

/* Column k of a series, as one of the table. */
static far_status cut(far__result_table *table, const far__series *series, const far__column *from,
                      size_t k, far_error *error) {
  const size_t count = (size_t)from->count;
  far__export_column *c = &table->columns[table->count++];
  *c = (far__export_column){.name = far__series_column(series, k),
                            .count = from->count,
                            .replicates = malloc((count + 1) * sizeof *c->replicates),
                            .values = malloc((count + 1) * sizeof *c->values)};
  if (c->replicates == NULL || c->values == NULL) return no_memory(error);
  if (count > 0) memcpy(c->replicates, from->replicates, count * sizeof *c->replicates);
  for (size_t i = 0; i < count; ++i) c->values[i] = from->values[i * series->width + k];
  return FAR_OK;
}

static far_status read_all(far__result_table *out, far_store *s, const far__stored_cell *cell,
                           const far__series *series, size_t count, far_error *error) {
  size_t columns = 0;
  far_status status = FAR_OK;
  for (size_t i = 0; i < count; ++i) columns += series[i].width;
  out->columns = calloc(columns + 1, sizeof *out->columns);
  if (out->columns == NULL) return no_memory(error);
  for (size_t i = 0; status == FAR_OK && i < count; ++i) {
    far__column column;
    status = far__block_read(&column, s, cell, &series[i], 0, INT64_MAX, error);
    for (size_t k = 0; status == FAR_OK && k < series[i].width; ++k)
      status = cut(out, &series[i], &column, k, error);
    far__column_free(&column);
  }
  return status;
}

static int compare(const void *a, const void *b) {
  const far__export_column *x = a, *y = b;
  return far__column_order(&x->name, &y->name);
}

/* Puts the runs of two columns in order. The same run must have the same number in both. */
static far_status unite(far__export_column *x, far__export_column *y, far_store *s,
                        const far__stored_cell *cell, far_error *error) {
  const size_t most = (size_t)(x->count + y->count) + 1;
  int64_t *replicates = malloc(most * sizeof *replicates), n = 0;
  double *values = malloc(most * sizeof *values);
  far_status status = replicates != NULL && values != NULL ? FAR_OK : no_memory(error);
  for (int64_t i = 0, j = 0; status == FAR_OK && (i < x->count || j < y->count); ++n) {
    const bool first = j == y->count || (i < x->count && x->replicates[i] <= y->replicates[j]);
    const bool both = first && j < y->count && x->replicates[i] == y->replicates[j];
    if (both && far__bits(x->values[i]) != far__bits(y->values[j]))
      status = far__fail(
          error, FAR_STATUS_FORMAT, -1,
          "'%.100s' has two numbers at step %lld of run %lld of '%.100s' on '%.100s'", s->path,
          (long long)x->name.step, (long long)x->replicates[i], cell->agent, cell->env);
    replicates[n] = first ? x->replicates[i] : y->replicates[j];
    values[n] = first ? x->values[i] : y->values[j];
    j += both || !first;
    i += first;
  }
  free(x->replicates);
  free(x->values);
  x->replicates = replicates;
  x->values = values;
  x->count = n;
  return status;
}

/* Neighbours that are the same column become one. */
static far_status unite_equals(far__result_table *table, far_store *s, const far__stored_cell *cell,
                               far_error *error) {
  size_t kept = 0;
  far_status status = FAR_OK;
  for (size_t i = 1; status == FAR_OK && i < table->count; ++i) {
    far__export_column *last = &table->columns[kept], *next = &table->columns[i];
    if (compare(last, next) != 0) {
      table->columns[++kept] = *next;
      if (kept < i) *next = (far__export_column){0};
      continue;
    }
    status = unite(last, next, s, cell, error);
    free(next->replicates);
    free(next->values);
    *next = (far__export_column){0};
  }
  if (status == FAR_OK && table->count > 0) table->count = kept + 1;
  return status;
}

far_status far__result_table_read(far__result_table *out, far_store *s,
                                  const far__stored_cell *cell, far_error *error) {
  *out = (far__result_table){0};
  far_status status = far__series_of_cell(&out->series, &out->n_series, s, cell->id, error);
  if (status == FAR_OK) status = read_all(out, s, cell, out->series, out->n_series, error);
  if (status == FAR_OK && out->count > 0)
    qsort(out->columns, out->count, sizeof *out->columns, compare);
  if (status == FAR_OK) status = unite_equals(out, s, cell, error);
  if (status != FAR_OK) far__result_table_free(out);
  return status;
}
