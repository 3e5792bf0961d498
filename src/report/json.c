/* A report as one JSON document: the envelope, the data of far__report_data_by or else the tables, the verdicts, notes
 * and methods. */
#include "report/document.h"

#include "base/json.h"
#include "farsight/run.h"
#include "report/build.h"

static const double MOST =
    9007199254740992.0; /* 2^53: larger integers may be rounded in a double */

static void write_entry(far__json *j, const far__column *column, const far__entry *e) {
  char key[128];
  switch (column->kind) {
  case FAR__COLUMN_BARS: break;
  case FAR__COLUMN_COMMAND:
  case FAR__COLUMN_TEXT: far__json_text(j, column->key, e->label); break;
  case FAR__COLUMN_SPEC:
    snprintf(key, sizeof key, "%.100s_spec", column->key);
    far__json_text(j, column->key, e->label);
    far__json_text(j, key, e->spec);
    break;
  case FAR__COLUMN_COUNT:
    if (e->label != NULL && !(e->value > -MOST && e->value < MOST)) {
      far__json_text(j, column->key, e->label); /* as in far__json_integer */
      break;
    }
    /* fall through */
  case FAR__COLUMN_REAL: far__json_real(j, column->key, e->value); break;
  case FAR__COLUMN_INTERVAL:
  case FAR__COLUMN_RANGE:
    far__json_object(j, column->key);
    if (column->kind == FAR__COLUMN_INTERVAL) far__json_real(j, "value", e->value);
    far__json_real(j, "low", e->low);
    far__json_real(j, "high", e->high);
    far__json_end(j);
  }
}

static void write_rows(far__json *j, const far_table *t) {
  for (size_t r = 0; r < t->n_rows; ++r) {
    far__json_object(j, NULL);
    for (size_t c = 0; c < t->n_columns; ++c)
      write_entry(j, &t->columns[c], &t->entries[r * t->n_columns + c]);
    far__json_end(j);
  }
}

static void write_tables(far__json *j, const far_report *r) {
  far__json_object(j, "tables");
  for (size_t i = 0; far_report_table_name(r, i) != NULL; ++i) {
    const char *name = far_report_table_name(r, i);
    far__json_array(j, name);
    for (size_t k = 0; k < r->n_parts; ++k)
      if (far__is_table(&r->parts[k], name)) write_rows(j, r->parts[k].table);
    far__json_end(j);
  }
  far__json_end(j);
}

static void write_notes(far__json *j, const far_report *r) {
  static const char *const kinds[] = {"remark", "caveat"};
  far__json_array(j, "notes");
  for (size_t k = 0; k < r->n_parts; ++k) {
    if (r->parts[k].kind != FAR__BLOCK_NOTE) continue;
    far__json_object(j, NULL);
    far__json_text(j, "kind", kinds[r->parts[k].level == FAR__NOTE_CAVEAT]);
    far__json_text(j, "text", r->parts[k].text);
    far__json_end(j);
  }
  far__json_end(j);
}

/* The verdicts, if there are any. */
static void write_verdict(far__json *j, const far_report *r) {
  bool begun = false;
  for (size_t k = 0; k < r->n_parts; ++k) {
    if (r->parts[k].kind != FAR__BLOCK_VERDICT) continue;
    if (!begun) far__json_array(j, "verdict");
    begun = true;
    far__json_object(j, NULL);
    if (r->parts[k].name != NULL) far__json_text(j, "term", r->parts[k].name);
    far__json_text(j, "text", r->parts[k].text);
    far__json_end(j);
  }
  if (begun) far__json_end(j);
}

/* Joins all parts of the methods to one text. */
static void write_methods(far__json *j, const far_report *r) {
  far_buffer text = {0};
  for (size_t k = 0; k < r->n_parts; ++k) {
    if (r->parts[k].kind != FAR__BLOCK_METHODS) continue;
    if (text.length > 0) far__put(&text, " ");
    far__put(&text, r->parts[k].text);
  }
  j->failed = j->failed || text.failed;
  if (text.bytes != NULL) far__json_text(j, "methods", text.bytes);
  far_buffer_free(&text);
}

void far__render_json(far_buffer *out, const far_report *r) {
  far__json j;
  far__json_begin(&j, far_sink_buffer(out));
  far__json_object(&j, NULL);
  far__json_text(&j, "version", far_version());
  far__json_integer(&j, "numerics", (uint64_t)far_numerics());
  far__json_text(&j, "command", r->command);
  far__json_flag(&j, "stopped", r->stopped);
  if (r->n_writers == 0 && far_report_table_name(r, 0) != NULL) write_tables(&j, r);
  if (r->settled) far_buffer_add(out, r->data.bytes, r->data.length); /* begins with a comma */
  for (size_t i = 0; !r->settled && i < r->n_writers; ++i)
    r->writers[i].write(r->writers[i].user, &j);
  write_verdict(&j, r);
  write_notes(&j, r);
  write_methods(&j, r);
  far__json_end(&j);
  far__put(out, "\n");
  out->failed = out->failed || j.failed;
}
