#include "report/document.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/json.h"
#include "report/build.h"

/* ---- texts ---- */

static const char *copy(far_report *r, const char *text) {
  const char *out = far__report_copy(r, text, strlen(text) + 1);
  return out != NULL ? out : "";
}

static const char *print(far_report *r, const char *format, va_list list) {
  va_list again;
  va_copy(again, list);
  const int n = vsnprintf(NULL, 0, format, list);
  char *out = r->failed || n < 0 ? NULL : far__arena_room(&r->arena, (size_t)n + 1);
  r->failed = out == NULL;
  if (out != NULL) vsnprintf(out, (size_t)n + 1, format, again);
  va_end(again);
  return out != NULL ? out : "";
}

/* ---- the report ---- */

far_status far_report_create(far_report **out, const char *command, far_error *error) {
  far_report *r = calloc(1, sizeof *r);
  *out = r;
  if (r == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the report");
  r->spare.report = r;
  r->command = copy(r, command);
  if (!r->failed) return FAR_OK;
  far_report_free(r);
  *out = NULL;
  return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the report");
}

void far_report_free(far_report *r) {
  if (r == NULL) return;
  while (r->tables != NULL) {
    far_table *next = r->tables->next;
    free(r->tables->columns);
    free(r->tables->entries);
    free(r->tables->rows);
    free(r->tables);
    r->tables = next;
  }
  for (size_t i = 0; i < r->n_views; ++i) far_figure_free(r->views[i].figure);
  for (const far__kept_object *k = r->kept; k != NULL; k = k->next) k->free_object(k->object);
  far__arena_free(&r->arena);
  far_buffer_free(&r->data);
  free(r->writers);
  free(r->views);
  free(r->scopes);
  free(r->parts);
  free(r);
}

far_status far__report_status(const far_report *r, far_error *error) {
  if (r->misused)
    return far__fail(error, FAR_STATUS_CONFLICT, -1,
                     "a table of the report has rows before its columns");
  return r->failed ? far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the report") : FAR_OK;
}

void far__report_stopped(far_report *r) {
  r->stopped = true;
}

void far__report_data_by(far_report *r, void (*write)(const void *user, far__json *json),
                         const void *user) {
  r->failed = r->failed ||
              !far__grow((void **)&r->writers, r->n_writers, &r->writer_room, sizeof *r->writers);
  if (!r->failed) r->writers[r->n_writers++] = (far__writer){write, user};
}

void far__report_settle(far_report *r) {
  far__json j;
  if (r->failed || r->settled) return;
  far__json_begin(&j, far_sink_buffer(&r->data));
  j.depth = 1; /* inside the envelope, after its own members */
  j.started = 2;
  for (size_t i = 0; i < r->n_writers; ++i) r->writers[i].write(r->writers[i].user, &j);
  r->settled = true;
  r->failed = j.failed;
}

void *far__report_copy(far_report *r, const void *bytes, size_t size) {
  void *out = r->failed ? NULL : far__arena_room(&r->arena, size);
  r->failed = out == NULL;
  return out != NULL ? memcpy(out, bytes, size) : NULL;
}

void far__report_keep(far_report *r, void *object, void (*free_object)(void *object)) {
  far__kept_object *k = r->failed ? NULL : far__arena_room(&r->arena, sizeof *k);
  r->failed = k == NULL;
  if (k == NULL) {
    free_object(object); /* a report that failed is never rendered */
    return;
  }
  *k = (far__kept_object){object, free_object, r->kept};
  r->kept = k;
}

static void add(far_report *r, far__part part) {
  r->failed =
      r->failed || !far__grow((void **)&r->parts, r->n_parts, &r->part_room, sizeof *r->parts);
  part.scope = r->scope;
  if (!r->failed) r->parts[r->n_parts++] = part;
}

/* Adds a part whose text is formatted from the arguments after `last`. */
#define ADD(report, last, ...)                                                                     \
  do {                                                                                             \
    va_list list;                                                                                  \
    va_start(list, last);                                                                          \
    add(report, (far__part){__VA_ARGS__, .text = print(report, format, list)});                    \
    va_end(list);                                                                                  \
  } while (0)

void far__report_heading(far_report *r, int level, const char *format, ...) {
  ADD(r, format, .kind = FAR__BLOCK_HEADING, .level = level);
}

void far__report_paragraph(far_report *r, const char *format, ...) {
  ADD(r, format, .kind = FAR__BLOCK_PARAGRAPH);
}

void far__report_verdict(far_report *r, const char *term, const char *format, ...) {
  const char *copied = term != NULL ? copy(r, term) : NULL;
  ADD(r, format, .kind = FAR__BLOCK_VERDICT, .name = copied);
}

void far__report_list(far_report *r, const char *format, ...) {
  ADD(r, format, .kind = FAR__BLOCK_LIST);
}

void far__report_item(far_report *r, const char *format, ...) {
  ADD(r, format, .kind = FAR__BLOCK_ITEM);
}

void far__report_entry(far_report *r, const char *term, const char *format, ...) {
  const char *copied = copy(r, term);
  ADD(r, format, .kind = FAR__BLOCK_ENTRY, .name = copied);
}

void far__report_note(far_report *r, far__note_kind kind, const char *format, ...) {
  ADD(r, format, .kind = FAR__BLOCK_NOTE, .level = (int)kind);
}

void far__report_methods(far_report *r, const char *format, ...) {
  ADD(r, format, .kind = FAR__BLOCK_METHODS);
}

void far__report_command(far_report *r, const char *format, ...) {
  ADD(r, format, .kind = FAR__BLOCK_COMMAND);
}

void far__report_environment(far_report *r, const char *label) {
  r->scope = 0;
  for (size_t i = 0; label != NULL && i < r->n_scopes && r->scope == 0; ++i)
    if (strcmp(r->scopes[i], label) == 0) r->scope = (int)i + 1;
  if (label == NULL || r->scope != 0) return;
  const char *copied = copy(r, label);
  r->failed =
      r->failed || !far__grow((void **)&r->scopes, r->n_scopes, &r->scope_room, sizeof *r->scopes);
  if (r->failed) return;
  r->scopes[r->n_scopes++] = copied;
  r->scope = (int)r->n_scopes;
}

/* ---- pictures ---- */

void far__report_figure(far_report *r, const char *name, const char *format, ...) {
  const char *copied = copy(r, name);
  ADD(r, format, .kind = FAR__BLOCK_PICTURE, .name = copied, .view = r->n_views);
}

void far__report_view(far_report *r, far_figure *figure, const char *label) {
  const char *copied = copy(r, label != NULL ? label : "");
  far__part *last = r->n_parts > 0 ? &r->parts[r->n_parts - 1] : NULL;
  const bool belongs = last != NULL && last->kind == FAR__BLOCK_PICTURE && last->drawing == NULL;
  r->failed =
      r->failed || !far__grow((void **)&r->views, r->n_views, &r->view_room, sizeof *r->views);
  if (r->failed || !belongs || figure == NULL) {
    far_figure_free(figure);
    return;
  }
  r->views[r->n_views++] = (far__view){figure, copied};
  ++last->n_views;
}

void far__report_show_last(far_report *r) {
  far__part *last = r->n_parts > 0 ? &r->parts[r->n_parts - 1] : NULL;
  if (last != NULL && last->kind == FAR__BLOCK_PICTURE && last->n_views > 0)
    last->shown = last->n_views - 1;
}

void far__report_drawing(far_report *r, const char *name, const char *drawing, const char *format,
                         ...) {
  const char *copied = copy(r, name), *lines = copy(r, drawing);
  ADD(r, format, .kind = FAR__BLOCK_PICTURE, .name = copied, .drawing = lines);
}

/* ---- tables ---- */

far_table *far__report_table(far_report *r, const char *name) {
  far_table *t = r->failed ? NULL : calloc(1, sizeof *t);
  r->failed = t == NULL;
  if (t == NULL) return &r->spare;
  t->report = r;
  if (name != NULL) t->name = copy(r, name);
  t->next = r->tables;
  r->tables = t;
  add(r, (far__part){.kind = FAR__BLOCK_TABLE, .table = t});
  return t;
}

void far__table_column(far_table *t, const char *key, const char *title, far__column_kind kind) {
  far_report *r = t->report;
  const far__column column = {copy(r, key), title != NULL ? copy(r, title) : NULL, kind};
  r->misused = r->misused || t->n_rows > 0;
  r->failed = r->failed || t->n_rows > 0 ||
              !far__grow((void **)&t->columns, t->n_columns, &t->column_room, sizeof *t->columns);
  if (!r->failed) t->columns[t->n_columns++] = column;
}

void far__table_caption(far_table *t, const char *format, ...) {
  va_list list;
  va_start(list, format);
  t->caption = print(t->report, format, list);
  va_end(list);
}

void far__table_rule(far_table *t) {
  t->rule = true;
}

void far__table_row(far_table *t) {
  far_report *r = t->report;
  r->misused = r->misused || (!r->failed && t->n_columns == 0);
  r->failed = r->failed || t->n_columns == 0 ||
              !far__grow((void **)&t->entries, t->n_rows, &t->entry_room,
                         t->n_columns * sizeof *t->entries) ||
              !far__grow((void **)&t->rows, t->n_rows, &t->row_room, sizeof *t->rows);
  if (r->failed) return;
  const far__entry empty = {.shown = "", .value = NAN, .low = NAN, .high = NAN};
  for (size_t c = 0; c < t->n_columns; ++c) t->entries[t->n_rows * t->n_columns + c] = empty;
  t->rows[t->n_rows++] = (far__row){t->rule, r->scope};
  t->rule = false;
  t->at = 0;
}

/* Sets the next entry of the row; surplus entries are dropped. */
static void put(far_table *t, far__entry entry) {
  if (t->report->failed || t->n_rows == 0 || t->at == t->n_columns) return;
  t->entries[(t->n_rows - 1) * t->n_columns + t->at++] = entry;
}

#define PUT(table, ...)                                                                            \
  do {                                                                                             \
    va_list list;                                                                                  \
    va_start(list, format);                                                                        \
    const char *shown = print((table)->report, format, list);                                      \
    va_end(list);                                                                                  \
    put(table, (far__entry){.shown = shown, __VA_ARGS__});                                         \
  } while (0)

void far__table_text(far_table *t, const char *format, ...) {
  PUT(t, .label = shown, .value = NAN, .low = NAN, .high = NAN);
}

void far__table_text_as(far_table *t, const char *text, const char *format, ...) {
  const char *own = copy(t->report, text);
  PUT(t, .label = own, .value = NAN, .low = NAN, .high = NAN);
}

void far__table_real_as(far_table *t, double x, const char *format, ...) {
  PUT(t, .value = x, .low = NAN, .high = NAN);
}

void far__table_known_as(far_table *t, double x, const char *format, ...) {
  if (x != x)
    far__table_none(t);
  else
    PUT(t, .value = x, .low = NAN, .high = NAN);
}

void far__table_interval_as(far_table *t, double value, double low, double high, const char *format,
                            ...) {
  PUT(t, .value = value, .low = low, .high = high);
}

void far__table_range_as(far_table *t, double low, double high, const char *format, ...) {
  PUT(t, .value = NAN, .low = low, .high = high);
}

void far__table_spec(far_table *t, const char *label, const char *spec) {
  const char *shown = copy(t->report, label);
  const far__entry entry = {shown, shown, copy(t->report, spec), NAN, NAN, NAN};
  put(t, entry);
}

void far__table_spec_as(far_table *t, const char *label, const char *spec, const char *format,
                        ...) {
  const char *own = copy(t->report, label), *full = copy(t->report, spec);
  PUT(t, .label = own, .spec = full, .value = NAN, .low = NAN, .high = NAN);
}

void far__table_count(far_table *t, int64_t n) {
  char digits[24];
  snprintf(digits, sizeof digits, "%lld", (long long)n);
  const char *shown = copy(t->report, digits);
  put(t, (far__entry){shown, shown, NULL, (double)n, NAN, NAN});
}

void far__table_real(far_table *t, double x) {
  far__table_real_as(t, x, "%s", far__brief_real(x).text);
}

void far__table_p(far_table *t, double p) {
  far__table_real_as(t, p, "%s", far__brief_p(p).text);
}

void far__table_interval(far_table *t, double value, double half) {
  far__table_interval_as(t, value, value - half, value + half, "%s",
                         far__brief_interval(value, half).text);
}

void far__table_interval_of(far_table *t, double value, double low, double high) {
  far__table_interval_as(t, value, low, high, "%s",
                         far__brief_interval(value, (high - low) / 2).text);
}

void far__table_count_if(far_table *t, bool known, int64_t n) {
  if (known)
    far__table_count(t, n);
  else
    far__table_none(t);
}

void far__table_none(far_table *t) {
  put(t, (far__entry){.shown = "–", .value = NAN, .low = NAN, .high = NAN});
}

/* Blank for people; programs get the text or the spec of the row above. */
void far__table_blank(far_table *t) {
  far__entry entry = {.shown = "", .value = NAN, .low = NAN, .high = NAN};
  if (!t->report->failed && t->n_rows > 1 && t->at < t->n_columns) {
    const far__entry *above = &t->entries[(t->n_rows - 2) * t->n_columns + t->at];
    if (t->columns[t->at].kind <= FAR__COLUMN_SPEC) entry = *above;
    entry.shown = "";
  }
  put(t, entry);
}

bool far__is_table(const far__part *part, const char *name) {
  return part->kind == FAR__BLOCK_TABLE && part->table->name != NULL &&
         (name == NULL || strcmp(part->table->name, name) == 0);
}

bool far__is_seen(const far__part *part) {
  bool seen = part->kind != FAR__BLOCK_TABLE;
  for (size_t c = 0; !seen && c < part->table->n_columns; ++c)
    seen = part->table->columns[c].title != NULL;
  return seen;
}

const char *far_report_table_name(const far_report *r, size_t i) {
  for (size_t k = 0; k < r->n_parts; ++k) {
    bool before = !far__is_table(&r->parts[k], NULL);
    for (size_t j = 0; j < k && !before; ++j)
      before = far__is_table(&r->parts[j], r->parts[k].table->name);
    if (!before && i-- == 0) return r->parts[k].table->name;
  }
  return NULL;
}
