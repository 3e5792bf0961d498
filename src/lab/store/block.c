/* Blocks of numbers: written where they are not there yet, read with their seals checked. */
#include "lab/store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/text.h"

/* The numbers and their place: key, series, runs, origin. A bit that flips in any of them shows. */
static int64_t seal_of(const far__stored_cell *cell, const far__series *series,
                       const far__rows *rows, const uint8_t *bytes, size_t length) {
  uint8_t digest[FAR_HASH_BYTES];
  far__hash hash;
  far__hash_begin(&hash);
  far__hash_text(&hash, cell->key);
  far__hash_text(&hash, series->name);
  far__hash_u64(&hash, (uint64_t)rows->first);
  far__hash_u64(&hash, (uint64_t)rows->runs);
  far__hash_u64(&hash, (uint64_t)rows->session);
  far__hash_f64(&hash, rows->seconds);
  far__hash_add(&hash, bytes, length);
  far__hash_end(&hash, digest);
  return (int64_t)far__get_u64(digest);
}

static far_status damaged(far_store *s, const far__stored_cell *cell, const far__series *series,
                          int64_t first, const char *what, far_error *error) {
  return far__fail(
      error, FAR_STATUS_FORMAT, -1,
      "'%.100s' is damaged: %s: runs from %lld on, series '%.60s' of '%.100s' on '%.100s'", s->path,
      what, (long long)first, series->name, cell->agent, cell->env);
}

far_status far__block_take(far__block_row *out, far_store *s, sqlite3_stmt *row, int at,
                           const far__stored_cell *cell, const far__series *series,
                           far_error *error) {
  const far__rows rows = {.first = sqlite3_column_int64(row, at),
                          .runs = sqlite3_column_int64(row, at + 1),
                          .session = sqlite3_column_int64(row, at + 4),
                          .seconds = sqlite3_column_double(row, at + 5)};
  const uint8_t *bytes = sqlite3_column_blob(row, at + 2);
  const int length = sqlite3_column_bytes(row, at + 2);
  *out = (far__block_row){.rows = rows};
  if (rows.first < 0 || rows.runs < 1 || rows.runs > FAR__BLOCK_RUNS || bytes == NULL ||
      rows.first > INT64_MAX - rows.runs ||
      (uint64_t)length != (uint64_t)rows.runs * series->width * 8)
    return damaged(s, cell, series, rows.first, "a block is not as long as it claims", error);
  if (seal_of(cell, series, &rows, bytes, (size_t)length) != sqlite3_column_int64(row, at + 3))
    return damaged(s, cell, series, rows.first, "the checksum of a block is wrong", error);
  out->values = malloc((size_t)length);
  if (out->values == NULL)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for %d bytes of results", length);
  for (size_t i = 0; i < (size_t)length / 8; ++i) out->values[i] = far__get_f64(bytes + 8 * i);
  out->rows.values = out->values;
  return FAR_OK;
}

static far_status select_range(sqlite3_stmt **out, far_store *s, const far__stored_cell *cell,
                               const far__series *series, int64_t first, int64_t end,
                               far_error *error) {
  const far_status status = far__sql_use(out, s, FAR__BLOCK_RANGE, error);
  if (status != FAR_OK) return status;
  sqlite3_bind_int64(*out, 1, cell->id);
  sqlite3_bind_int64(*out, 2, series->id);
  /* Valid blocks begin at 0 or later, end before INT64_MAX and have runs. The widest bounds also find invalid ones, which
   * are then reported as damage. */
  sqlite3_bind_int64(*out, 3, first > 0 ? first - FAR__BLOCK_RUNS + 1 : INT64_MIN);
  sqlite3_bind_int64(*out, 4, end < INT64_MAX ? end - 1 : INT64_MAX);
  sqlite3_bind_int64(*out, 5, first); /* the index alone leaves out blocks that end before */
  return FAR_OK;
}

/* ---- writing ---- */

static far_status insert(far_store *s, const far__stored_cell *cell, const far__series *series,
                         const far__rows *rows, far_error *error) {
  sqlite3_stmt *add;
  const size_t count = (size_t)rows->runs * series->width;
  far_status status = far__sql_use(&add, s, FAR__BLOCK_ADD, error);
  if (status != FAR_OK) return status;
  uint8_t *bytes = malloc(count * 8);
  if (bytes == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory to store a block");
  for (size_t i = 0; i < count; ++i) far__put_f64(bytes + 8 * i, rows->values[i]);
  sqlite3_bind_int64(add, 1, cell->id);
  sqlite3_bind_int64(add, 2, series->id);
  sqlite3_bind_int64(add, 3, rows->first);
  sqlite3_bind_int64(add, 4, rows->runs);
  sqlite3_bind_blob64(add, 5, bytes, count * 8, free);
  sqlite3_bind_int64(add, 6, seal_of(cell, series, rows, bytes, count * 8));
  sqlite3_bind_int64(add, 7, rows->session);
  sqlite3_bind_double(add, 8, rows->seconds);
  status = far__sql_run(s, add, error);
  sqlite3_clear_bindings(add); /* frees the bytes */
  return status;
}

static far_status disagree(far_store *s, const far__stored_cell *cell, const far__series *series,
                           int64_t run, size_t k, double stored, double other, far_status code,
                           far_error *error) {
  char step[40] = "";
  const far__column_name name = far__series_column(series, k);
  if (name.step > 0) snprintf(step, sizeof step, " at step %lld", (long long)name.step);
  return far__fail(error, code, -1,
                   "run %lld of '%.100s' on '%.90s' (%lld steps, seed %llu): %.*s%s is %s in "
                   "'%.60s' and %s here: the same run must give the same number",
                   (long long)run, cell->agent, cell->env, (long long)cell->steps,
                   (unsigned long long)cell->seed, (int)(name.length < 60 ? name.length : 60),
                   name.text, step, far__shortest(stored).text, s->path, far__shortest(other).text);
}

/* Compares the common runs bit by bit and marks them. */
static far_status compare(bool *known, far_store *s, const far__stored_cell *cell,
                          const far__series *series, const far__rows *rows, const far__rows *there,
                          far_status conflict, far_error *error) {
  const int64_t end = rows->first + rows->runs, there_end = there->first + there->runs;
  const int64_t from = rows->first > there->first ? rows->first : there->first;
  for (int64_t run = from; run < end && run < there_end; ++run) {
    const double *x = rows->values + (size_t)(run - rows->first) * series->width;
    const double *y = there->values + (size_t)(run - there->first) * series->width;
    known[run - rows->first] = true;
    for (size_t k = 0; k < series->width; ++k)
      if (far__bits(x[k]) != far__bits(y[k]))
        return disagree(s, cell, series, run, k, y[k], x[k], conflict, error);
  }
  return FAR_OK;
}

static far_status find_known(bool *known, far_store *s, const far__stored_cell *cell,
                             const far__series *series, const far__rows *rows, far_status conflict,
                             far_error *error) {
  sqlite3_stmt *range;
  far_status status =
      select_range(&range, s, cell, series, rows->first, rows->first + rows->runs, error);
  if (status != FAR_OK) return status;
  for (bool row = true; status == FAR_OK;) {
    far__block_row there;
    status = far__sql_step(s, range, &row, error);
    if (status != FAR_OK || !row) break;
    status = far__block_take(&there, s, range, 0, cell, series, error);
    if (status == FAR_OK)
      status = compare(known, s, cell, series, rows, &there.rows, conflict, error);
    free(there.values);
  }
  sqlite3_reset(range);
  return status;
}

/* Stores at most FAR__BLOCK_RUNS runs. */
static far_status put_some(int64_t *added, far_store *s, const far__stored_cell *cell,
                           const far__series *series, const far__rows *rows, far_status conflict,
                           far_error *error) {
  bool known[FAR__BLOCK_RUNS + 1] = {0};
  far_status status = find_known(known, s, cell, series, rows, conflict, error);
  known[rows->runs] = true;
  for (int64_t i = 0, begin = 0; status == FAR_OK && i <= rows->runs; ++i) {
    if (!known[i]) continue;
    if (i > begin) {
      const far__rows part = {.first = rows->first + begin,
                              .runs = i - begin,
                              .values = rows->values + (size_t)begin * series->width,
                              .session = rows->session,
                              .seconds = rows->seconds * (double)(i - begin) / (double)rows->runs};
      status = insert(s, cell, series, &part, error);
      *added += part.runs;
    }
    begin = i + 1;
  }
  return status;
}

far_status far__block_put(int64_t *added, far_store *s, const far__stored_cell *cell,
                          const far__series *series, const far__rows *rows, far_status conflict,
                          far_error *error) {
  far_status status = FAR_OK;
  *added = 0;
  if (rows->first < 0 || rows->first > INT64_MAX - rows->runs)
    return far__fail(error, FAR_STATUS_RANGE, -1, "replicates above %lld cannot be stored",
                     (long long)INT64_MAX);
  for (int64_t at = 0; status == FAR_OK && at < rows->runs; at += FAR__BLOCK_RUNS) {
    far__rows part = {.first = rows->first + at,
                      .runs = rows->runs - at < FAR__BLOCK_RUNS ? rows->runs - at : FAR__BLOCK_RUNS,
                      .values = rows->values + (size_t)at * series->width,
                      .session = rows->session};
    part.seconds = rows->seconds * (double)part.runs / (double)rows->runs;
    status = put_some(added, s, cell, series, &part, conflict, error);
  }
  return status;
}

/* ---- reading ---- */

void far__column_free(far__column *column) {
  free(column->replicates);
  free(column->values);
  free(column->seconds);
  *column = (far__column){0};
}

static bool reserve(far__column *c, size_t *capacity, int64_t more, size_t width) {
  if ((size_t)(c->count + more) <= *capacity) return true;
  const size_t wanted = 2 * (size_t)(c->count + more);
  int64_t *replicates = realloc(c->replicates, wanted * sizeof *replicates);
  if (replicates != NULL) c->replicates = replicates;
  double *values = realloc(c->values, wanted * width * sizeof *values);
  if (values != NULL) c->values = values;
  double *seconds = realloc(c->seconds, wanted * sizeof *seconds);
  if (seconds != NULL) c->seconds = seconds;
  *capacity = wanted;
  return replicates != NULL && values != NULL && seconds != NULL;
}

/* Where blocks of a damaged file share pages there are more numbers than the file has bytes for. */
static bool is_possible(const far_store *s, const far__column *c, int64_t more, size_t width) {
  const double bytes = 8.0 * (double)(c->count + more) * (double)width;
  return bytes < 1 << 24 || bytes <= (double)far__store_bytes(s);
}

static void append(far__column *c, const far__rows *rows, size_t width, int64_t first,
                   int64_t end) {
  for (int64_t run = rows->first; run < rows->first + rows->runs; ++run) {
    if (run < first || run >= end) continue;
    memcpy(c->values + (size_t)c->count * width, rows->values + (size_t)(run - rows->first) * width,
           width * sizeof *c->values);
    c->seconds[c->count] = rows->seconds / (double)rows->runs;
    c->replicates[c->count++] = run;
  }
}

far_status far__block_read(far__column *out, far_store *s, const far__stored_cell *cell,
                           const far__series *series, int64_t first, int64_t end,
                           far_error *error) {
  sqlite3_stmt *range;
  size_t capacity = 0;
  int64_t upto = -1; /* the end of the last block */
  *out = (far__column){0};
  far_status status = select_range(&range, s, cell, series, first, end, error);
  if (status != FAR_OK) return status;
  for (bool row = true; status == FAR_OK;) {
    far__block_row block;
    status = far__sql_step(s, range, &row, error);
    if (status != FAR_OK || !row) break;
    status = far__block_take(&block, s, range, 0, cell, series, error);
    if (status == FAR_OK && block.rows.first < upto)
      status = damaged(s, cell, series, block.rows.first, "two blocks overlap", error);
    if (status == FAR_OK && !is_possible(s, out, block.rows.runs, series->width))
      status = damaged(s, cell, series, block.rows.first, "two blocks share their bytes", error);
    if (status == FAR_OK && !reserve(out, &capacity, block.rows.runs, series->width))
      status = far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the results of a cell");
    if (status == FAR_OK) {
      append(out, &block.rows, series->width, first, end);
      upto = block.rows.first + block.rows.runs;
    }
    free(block.values);
  }
  sqlite3_reset(range);
  if (status != FAR_OK) far__column_free(out);
  return status;
}
