/* One table of a report as CSV (RFC 4180), with every number in full, and a column for each parameter of
 * a spec. */
#include <stdlib.h>

#include "base/number.h"
#include "report/build.h"
#include "report/document.h"

typedef struct param {
  const char *key, *value;
  size_t key_length, value_length;
} param;

/* The different parameters of a column of specs, in the order of their first use. */
typedef struct param_list {
  param *items;
  size_t count, room;
} param_list;

/* One sheet: all tables of one name, which have the same columns, below each other. */
typedef struct sheet {
  const far_report *report;
  const far_table *first;
  const char *name;
  param_list *params; /* of each column */
} sheet;

static const far_table *table_at(const sheet *s, size_t part) {
  const far__part *p = &s->report->parts[part];
  return far__is_table(p, s->name) ? p->table : NULL;
}

/* ---- the parameters of specs ---- */

/* The next "key=value" of a spec; *at is 0 at first. */
static bool next_param(const char *spec, size_t *at, param *out) {
  const char *p = *at == 0 ? strchr(spec, ':') : spec + *at;
  if (p == NULL || *p == '\0') return false;
  const char *begin = p + 1;
  const size_t length = strcspn(begin, ",");
  const char *equals = memchr(begin, '=', length);
  if (equals == NULL) return false;
  *out =
      (param){begin, equals + 1, (size_t)(equals - begin), (size_t)(begin + length - equals - 1)};
  *at = (size_t)(begin + length - spec);
  return true;
}

static bool same_key(const param *a, const param *b) {
  return a->key_length == b->key_length && memcmp(a->key, b->key, a->key_length) == 0;
}

static bool find_param(const char *spec, const param *wanted, param *out) {
  for (size_t at = 0; spec != NULL && next_param(spec, &at, out);)
    if (same_key(out, wanted)) return true;
  return false;
}

/* False without memory. */
static bool note_param(param_list *list, const param *p) {
  for (size_t i = 0; i < list->count; ++i)
    if (same_key(&list->items[i], p)) return true;
  if (!far__grow((void **)&list->items, list->count, &list->room, sizeof *list->items))
    return false;
  list->items[list->count++] = *p;
  return true;
}

static bool note_params(sheet *s, const far_table *t) {
  bool noted = true;
  for (size_t i = 0; i < t->n_rows * t->n_columns && noted; ++i) {
    const char *spec = t->entries[i].spec;
    param p;
    for (size_t at = 0; noted && spec != NULL && next_param(spec, &at, &p);)
      noted = note_param(&s->params[i % t->n_columns], &p);
  }
  return noted;
}

/* ---- fields ---- */

static void put_field(far_buffer *out, const char *text, size_t length) {
  const bool plain = strcspn(text, ",\"\r\n") >= length;
  if (!plain) far__put(out, "\"");
  for (size_t i = 0; i < length; ++i) {
    if (text[i] == '"') far__put(out, "\"");
    far_buffer_add(out, text + i, 1);
  }
  if (!plain) far__put(out, "\"");
}

static void put_text(far_buffer *out, const char *text) {
  if (text != NULL) put_field(out, text, strlen(text));
}

static void put_real(far_buffer *out, double x) {
  char text[FAR__NUMBER_SIZE];
  far__real_format(text, x);
  if (x == x) far__put(out, text);
}

static void put_param_values(far_buffer *out, const char *spec, const param_list *list) {
  param own;
  for (size_t i = 0; i < list->count; ++i) {
    far__put(out, ",");
    if (find_param(spec, &list->items[i], &own)) put_field(out, own.value, own.value_length);
  }
}

/* ---- rows ---- */

static void put_key(far_buffer *out, const char *key, const char *ending, const char *before) {
  far__put(out, before);
  far__put(out, key);
  far__put(out, ending);
}

static void put_heads(far_buffer *out, const sheet *s, size_t c, const char *before) {
  const far__column *column = &s->first->columns[c];
  switch (column->kind) {
  case FAR__COLUMN_SPEC:
    put_key(out, column->key, "", before);
    put_key(out, column->key, "_spec", ",");
    /* ",agent.gamma,agent.m" */
    for (size_t i = 0; i < s->params[c].count; ++i) {
      far__put(out, ",");
      far__put(out, column->key);
      far__put(out, ".");
      far_buffer_add(out, s->params[c].items[i].key, s->params[c].items[i].key_length);
    }
    break;
  case FAR__COLUMN_INTERVAL:
    put_key(out, column->key, "", before);
    put_key(out, column->key, "_low", ",");
    put_key(out, column->key, "_high", ",");
    break;
  case FAR__COLUMN_RANGE:
    put_key(out, column->key, "_low", before);
    put_key(out, column->key, "_high", ",");
    break;
  default: put_key(out, column->key, "", before);
  }
}

/* The kinds of the CSV columns that put_heads names. */
static void put_kinds(far_buffer *out, const sheet *s, size_t c, const char *before) {
  far__put(out, before);
  switch (s->first->columns[c].kind) {
  case FAR__COLUMN_COMMAND:
  case FAR__COLUMN_TEXT: far__put(out, "text"); break;
  case FAR__COLUMN_COUNT: far__put(out, "count"); break;
  case FAR__COLUMN_SPEC:
    far__put(out, "text,text");
    for (size_t i = 0; i < s->params[c].count; ++i) far__put(out, ",parameter");
    break;
  case FAR__COLUMN_INTERVAL: far__put(out, "real,real,real"); break;
  case FAR__COLUMN_RANGE: far__put(out, "real,real"); break;
  default: far__put(out, "real");
  }
}

static void put_fields(far_buffer *out, const sheet *s, size_t c, const far__entry *e) {
  switch (s->first->columns[c].kind) {
  case FAR__COLUMN_COMMAND:
  case FAR__COLUMN_TEXT: put_text(out, e->label); break;
  case FAR__COLUMN_COUNT:
    if (e->label != NULL)
      put_text(out, e->label); /* all digits; `value` may be rounded */
    else
      put_real(out, e->value);
    break;
  case FAR__COLUMN_SPEC:
    put_text(out, e->label);
    far__put(out, ",");
    put_text(out, e->spec);
    put_param_values(out, e->spec, &s->params[c]);
    break;
  case FAR__COLUMN_INTERVAL:
    put_real(out, e->value);
    far__put(out, ",");
    /* fall through */
  case FAR__COLUMN_RANGE:
    put_real(out, e->low);
    far__put(out, ",");
    put_real(out, e->high);
    break;
  default: put_real(out, e->value);
  }
}

static void put_rows(far_buffer *out, const sheet *s, const far_table *t) {
  for (size_t r = 0; r < t->n_rows; ++r) {
    const char *before = "";
    for (size_t c = 0; c < t->n_columns && c < s->first->n_columns; ++c) {
      if (s->first->columns[c].kind == FAR__COLUMN_BARS) continue;
      far__put(out, before);
      put_fields(out, s, c, &t->entries[r * t->n_columns + c]);
      before = ",";
    }
    far__put(out, "\n");
  }
}

/* Writes a line by calling `put` for each column but bars. */
static void put_line(far_buffer *out, const sheet *s,
                     void (*put)(far_buffer *, const sheet *, size_t, const char *)) {
  const char *before = "";
  for (size_t c = 0; c < s->first->n_columns; ++c) {
    if (s->first->columns[c].kind == FAR__COLUMN_BARS) continue;
    put(out, s, c, before);
    before = ",";
  }
  far__put(out, "\n");
}

void far__render_csv(far_buffer *out, const far_report *r, const char *name, bool kinds) {
  sheet s = {r, NULL, name != NULL ? name : far_report_table_name(r, 0), NULL};
  for (size_t k = 0; k < r->n_parts && s.first == NULL; ++k) s.first = table_at(&s, k);
  if (s.first == NULL) return; /* the caller has looked for it */
  s.params = calloc(s.first->n_columns + 1, sizeof *s.params);
  bool noted = s.params != NULL;
  for (size_t k = 0; k < r->n_parts && noted; ++k)
    if (table_at(&s, k) != NULL) noted = note_params(&s, table_at(&s, k));
  out->failed = out->failed || !noted;
  if (noted) {
    put_line(out, &s, put_heads);
    if (kinds) put_line(out, &s, put_kinds);
    for (size_t k = 0; k < s.report->n_parts; ++k)
      if (table_at(&s, k) != NULL) put_rows(out, &s, table_at(&s, k));
  }
  for (size_t c = 0; s.params != NULL && c < s.first->n_columns; ++c) free(s.params[c].items);
  free(s.params);
}
