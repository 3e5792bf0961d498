/* Every number as a row of CSV or a line of JSON. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/number.h"
#include "base/text.h"
#include "lab/store/store.h"

enum { CHUNK = 1 << 16 };

typedef struct writer {
  far_export format;
  const char *const *series;
  size_t n_series;
  bool *seen; /* of each series: the store has it */
  far_write_fn *write;
  void *user;
  far__text text; /* what is not written yet */
  char *head;     /* CSV: of every row of a cell, env to seed */
  char *tail;     /* CSV: model, numerics */
  const far__stored_cell *cell;
  far__text name; /* JSON: of the series under way */
} writer;

static far_status flush(writer *w, far_error *error) {
  if (w->text.failed) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory to export");
  if (w->text.length > 0 && !w->write(w->user, w->text.bytes, w->text.length))
    return far__fail(error, FAR_STATUS_CANCELLED, -1, "stopped on request");
  w->text.length = 0;
  return FAR_OK;
}

static bool needs_quotes(const char *field, size_t length) {
  for (size_t i = 0; i < length; ++i)
    if (strchr(",\"\r\n", field[i]) != NULL) return true;
  return false;
}

/* A field, in quotes where it needs them. */
static void add_field(far__text *text, const char *field, size_t length) {
  if (!needs_quotes(field, length)) {
    far__text_add(text, field, length);
    return;
  }
  far__text_add(text, "\"", 1);
  for (const char *c = field; c < field + length; ++c) {
    if (*c == '"') far__text_add(text, "\"", 1);
    far__text_add(text, c, 1);
  }
  far__text_add(text, "\"", 1);
}

/* What all rows of a cell have in common. False without memory. */
static bool begin_cell(writer *w, const far__stored_cell *cell) {
  far__text head = {0}, tail = {0};
  w->cell = cell;
  if (w->format != FAR_EXPORT_CSV) return true;
  add_field(&head, cell->env, strlen(cell->env));
  far__text_add(&head, ",", 1);
  add_field(&head, cell->agent, strlen(cell->agent));
  far__text_format(&head, ",%lld,", (long long)cell->steps);
  if (cell->episodes > 0) far__text_format(&head, "%lld", (long long)cell->episodes);
  far__text_format(&head, ",%llu,", (unsigned long long)cell->seed);
  far__text_format(&tail, ",%s,%d\n", cell->model, cell->numerics);
  free(w->head);
  free(w->tail);
  w->head = head.bytes;
  w->tail = tail.bytes;
  return !head.failed && !tail.failed;
}

static void add_csv_row(writer *w, const far__export_column *c, int64_t i) {
  far__text *text = &w->text;
  far__text_add(text, w->head, strlen(w->head));
  far__text_format(text, "%llu,", (unsigned long long)c->replicates[i]);
  add_field(text, c->name.text, c->name.length);
  if (c->name.step > 0)
    far__text_format(text, ",%lld,", (long long)c->name.step);
  else
    far__text_add(text, ",,", 2);
  far__text_real(text, c->values[i]);
  far__text_add(text, w->tail, strlen(w->tail));
}

static void add_json_row(writer *w, const far__export_column *c, int64_t i) {
  far__json j;
  far__json_begin(&j, far_sink_buffer(&w->text));
  far__json_object(&j, NULL);
  far__json_text(&j, "env", w->cell->env);
  far__json_text(&j, "agent", w->cell->agent);
  far__json_integer(&j, "steps", (uint64_t)w->cell->steps);
  if (w->cell->episodes > 0) far__json_integer(&j, "episodes", (uint64_t)w->cell->episodes);
  far__json_integer(&j, "seed", w->cell->seed);
  far__json_integer(&j, "replicate", (uint64_t)c->replicates[i]);
  far__json_text(&j, "series", w->name.bytes);
  if (c->name.step > 0)
    far__json_integer(&j, "step", (uint64_t)c->name.step);
  else
    far__json_null(&j, "step");
  /* JSON has no infinity: it is a string there. */
  char text[FAR__NUMBER_SIZE];
  far__real_format(text, c->values[i]);
  if (c->values[i] - c->values[i] == 0)
    far__json_real(&j, "value", c->values[i]);
  else
    far__json_text(&j, "value", text);
  far__json_text(&j, "model", w->cell->model);
  far__json_integer(&j, "numerics", (uint64_t)w->cell->numerics);
  far__json_end(&j);
  far__text_add(&w->text, "\n", 1);
}

static void add_row(writer *w, const far__export_column *c, int64_t i) {
  if (w->format == FAR_EXPORT_CSV)
    add_csv_row(w, c, i);
  else if (w->name.failed)
    w->text.failed = true;
  else
    add_json_row(w, c, i);
}

/* "regret" is the number of the run and its curve, "curve" all of the curve. */
static bool wanted(writer *w, const far__export_column *c) {
  const far__column_name whole = {c->name.text, c->name.length, 0};
  bool any = w->n_series == 0;
  for (size_t i = 0; i < w->n_series; ++i) {
    const bool this =
        far__column_is(&c->name, w->series[i]) || far__column_is(&whole, w->series[i]);
    w->seen[i] = w->seen[i] || this;
    any = any || this;
  }
  return any;
}

static far_status write_table(writer *w, const far__result_table *table, far_error *error) {
  far_status status = FAR_OK;
  for (size_t k = 0; k < table->count; ++k) {
    const far__export_column *c = &table->columns[k];
    if (!wanted(w, c)) continue;
    w->name.length = 0;
    far__text_add(&w->name, c->name.text, c->name.length);
    for (int64_t i = 0; status == FAR_OK && i < c->count; ++i) {
      add_row(w, c, i);
      if (w->text.length > CHUNK || w->text.failed) status = flush(w, error);
    }
  }
  return status;
}

static far_status write_cell(writer *w, far_store *s, int64_t id, far_error *error) {
  far__stored_cell cell;
  far__result_table table;
  far_status status = far__stored_cell_get(&cell, s, id, error);
  if (status != FAR_OK) return status;
  status = far__result_table_read(&table, s, &cell, error);
  if (status == FAR_OK && !begin_cell(w, &cell))
    status = far__fail(error, FAR_STATUS_MEMORY, -1, "no memory to export");
  if (status == FAR_OK) status = write_table(w, &table, error);
  w->cell = NULL;
  far__result_table_free(&table);
  far__stored_cell_free(&cell);
  return status;
}

static far_status write_all(writer *w, far_store *s, far_error *error) {
  static const char names[] =
      "env,agent,steps,episodes,seed,replicate,series,step,value,model,numerics\n";
  far_status status = far__store_order(s, error);
  if (w->format == FAR_EXPORT_CSV) far__text_add(&w->text, names, sizeof names - 1);
  for (size_t i = 0; status == FAR_OK && i < s->n_order; ++i)
    status = write_cell(w, s, s->order[i], error);
  for (size_t i = 0; status == FAR_OK && i < w->n_series; ++i)
    if (!w->seen[i])
      status = far__fail(error, FAR_STATUS_UNKNOWN, -1,
                         "'%.200s' has no series '%.100s'; 'farsight store info' lists what it has",
                         s->path, w->series[i]);
  return status == FAR_OK ? flush(w, error) : status;
}

/* In one read transaction, so that writers meanwhile do not show. Frees what the writer holds. */
static far_status export_with(writer *w, far_store *s,
                              far_status (*all)(writer *w, far_store *s, far_error *error),
                              far_error *error) {
  far_status status = far__sql_begin_read(s, error);
  far__long_call(s, true);
  if (status == FAR_OK) status = far__store_whole(s, error);
  if (status == FAR_OK) status = all(w, s, error);
  status = far__store_doubt(s, status, error);
  far__long_call(s, false);
  free(w->seen);
  free(w->text.bytes);
  free(w->name.bytes);
  free(w->head);
  free(w->tail);
  far__sql_end_read(s);
  return status;
}

far_status far_store_export(far_store *s, far_export format, const char *const *series,
                            size_t n_series, far_write_fn *write, void *user, far_error *error) {
  writer w = {
      .format = format, .series = series, .n_series = n_series, .write = write, .user = user};
  w.seen = calloc(n_series + 1, sizeof *w.seen);
  if (w.seen == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory to export");
  return export_with(&w, s, write_all, error);
}

/* ---- snapshots ---- */

/* An empty field where the agent has none. */
static void add_number(far__text *text, const double *array, size_t i) {
  far__text_add(text, ",", 1);
  if (array != NULL) far__text_real(text, array[i]);
}

/* The rows of one snapshot: a line for each pair. */
static far_status write_snapshot(void *user, const far_snapshot *x, int64_t session,
                                 far_error *error) {
  writer *w = user;
  const size_t pairs = (size_t)x->n_states * x->n_actions;
  far_status status = FAR_OK;
  (void)session;
  for (size_t i = 0; status == FAR_OK && i < pairs; ++i) {
    far__text_add(&w->text, w->head, strlen(w->head));
    far__text_format(&w->text, "%lld,%lld,%zu,%zu", (long long)x->replicate, (long long)x->step,
                     i / x->n_actions, i % x->n_actions);
    add_number(&w->text, x->q, i);
    add_number(&w->text, x->bonus, i);
    add_number(&w->text, x->visits, i);
    add_number(&w->text, x->policy, i);
    far__text_add(&w->text, w->tail, strlen(w->tail));
    if (w->text.length > CHUNK || w->text.failed) status = flush(w, error);
  }
  return status;
}

static far_status write_snapshots(writer *w, far_store *s, far_error *error) {
  static const char names[] =
      "env,agent,steps,episodes,seed,replicate,step,state,action,q,bonus,visits,"
      "probability,model,numerics\n";
  far_status status = far__store_order(s, error);
  far__text_add(&w->text, names, sizeof names - 1);
  for (size_t i = 0; status == FAR_OK && i < s->n_order; ++i) {
    far__stored_cell cell;
    status = far__stored_cell_get(&cell, s, s->order[i], error);
    if (status != FAR_OK) break;
    if (!begin_cell(w, &cell))
      status = far__fail(error, FAR_STATUS_MEMORY, -1, "no memory to export");
    if (status == FAR_OK) status = far__snapshots_each(s, &cell, write_snapshot, w, error);
    w->cell = NULL;
    far__stored_cell_free(&cell);
  }
  return status == FAR_OK ? flush(w, error) : status;
}

far_status far_store_export_snapshots(far_store *s, far_write_fn *write, void *user,
                                      far_error *error) {
  writer w = {.format = FAR_EXPORT_CSV, .write = write, .user = user};
  return export_with(&w, s, write_snapshots, error);
}
