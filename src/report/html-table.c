/* Tables in HTML: numbers are aligned by their decimal points, each cell has the exact value that it is sorted by, and
 * a table that is wider than the page scrolls in a region of its own. */
#include <math.h>
#include <stdlib.h>

#include "base/number.h"
#include "report/build.h"
#include "report/html.h"

/* ---- alignment ---- */

/* What aligns "7273.5 ± 14.0", or a number alone ("-9.7%"): how many digits there are after the point of the first
 * number, and before and after the point of the half-width. `plain` is false for a text of another form. */
typedef struct places {
  bool plain, has_half, percent; /* percent: ends in a percent sign */
  int after, half_before, half_after;
} places;

/* Reads a number without exponent; NULL if there is none. */
static const char *read_number(const char *text, int *before, int *after) {
  const char *p = text + (*text == '-' || *text == '+');
  const size_t whole = strspn(p, "0123456789,");
  if (whole == 0) return NULL;
  p += whole;
  *before = (int)whole;
  *after = 0;
  if (*p == '.') *after = (int)strspn(p + 1, "0123456789") + 1; /* the point counts as one */
  return p + *after;
}

static places read_places(const char *text) {
  places at = {0};
  int before;
  const char *p = read_number(text, &before, &at.after);
  if (p != NULL && strncmp(p, " ± ", strlen(" ± ")) == 0) {
    at.has_half = true;
    p = read_number(p + strlen(" ± "), &at.half_before, &at.half_after);
  }
  at.percent = p != NULL && *p == '%';
  at.plain = p != NULL && p[at.percent] == '\0';
  return at;
}

static int larger(int a, int b) {
  return a > b ? a : b;
}

/* The maximum of each number of `places` over the rows of a column. */
static places column_places(const far_table *t, size_t c) {
  places most = {0};
  for (size_t r = 0; r < t->n_rows; ++r) {
    const places at = read_places(t->entries[r * t->n_columns + c].shown);
    if (!at.plain) continue;
    most.has_half = most.has_half || at.has_half;
    most.after = larger(most.after, at.after);
    most.half_before = larger(most.half_before, at.half_before);
    most.half_after = larger(most.half_after, at.half_after);
  }
  return most;
}

/* An empty element that the style makes as wide as n characters: digits, or a point and digits if `point`. */
static void put_places(far_buffer *out, int n, bool point) {
  const int digits = n - point;
  if (n > 0)
    far__text_format(out, "<i class=\"%s%d\"></i>", point ? "p" : "x", digits < 9 ? digits : 9);
}

static void put_after(far_buffer *out, int have, int most) {
  put_places(out, most - have, have == 0);
}

/* Writes a number, and its half-width if it has one, with padding that aligns it with the other rows of the column. A
 * number without a half-width leaves that room empty if other rows have one. */
static void put_aligned(far_buffer *out, const char *shown, const places *at, const places *most) {
  const char *sign = strstr(shown, " ± ");
  const size_t length = strlen(shown) - at->percent;
  const size_t first = sign != NULL ? (size_t)(sign - shown) : length;
  const bool minus = first > 0 && *shown == '-'; /* a true minus sign before digits */
  if (minus) far__put(out, "−");
  far_buffer_add(out, shown + minus, first - minus);
  put_after(out, at->after, most->after);
  if (sign != NULL) {
    far__put(out, " ± ");
    put_places(out, most->half_before - at->half_before, false);
    far_buffer_add(out, sign + strlen(" ± "), length - (size_t)(sign + strlen(" ± ") - shown));
  } else if (most->has_half) {
    far__put(out, "<i class=\"pm\"></i>");
    put_places(out, most->half_before, false);
  }
  if (most->has_half) put_after(out, at->half_after, most->half_after);
  if (at->percent) far__put(out, "%");
}

/* ---- cells ---- */

/* Writes ` data-low="1.25"`, with all digits and in JavaScript's syntax; nothing for NAN or if it equals `shown`. */
static void put_exact(far_buffer *out, const char *name, double x, const char *shown) {
  char text[FAR__NUMBER_SIZE];
  far__real_format(text, x);
  if (x != x || (!isinf(x) && strcmp(text, shown) == 0)) return;
  far__text_format(out, " data-%s=\"", name);
  far__put(out, isinf(x) ? (x > 0 ? "Infinity" : "-Infinity") : text);
  far__put(out, "\"");
}

/* The attributes of a cell of numbers: the value that it is sorted by, and the ends of its interval. */
static void put_numbers(far_buffer *out, far__column_kind kind, const far__entry *e) {
  put_exact(out, "sort", kind == FAR__COLUMN_RANGE ? e->low : e->value, e->shown);
  if (kind != FAR__COLUMN_INTERVAL && kind != FAR__COLUMN_RANGE) return;
  put_exact(out, "low", e->low, "");
  put_exact(out, "high", e->high, "");
}

/* The full form of a cell that shows a short one: its spec, or its uncut text; NULL if the cell shows it in full. */
static const char *full_form(const far__entry *e) {
  if (e->spec != NULL) return strcmp(e->spec, e->shown) != 0 ? e->spec : NULL;
  return e->label != NULL && strlen(e->label) > strlen(e->shown) ? e->label : NULL;
}

static void put_words(far_buffer *out, const far__entry *e) {
  const char *full = full_form(e);
  if (full != NULL) far__put(out, "<details class=\"full\"><summary>");
  far__html_name(out, e->shown);
  if (full == NULL) return;
  far__put(out, "</summary><code>");
  far__html_name(out, full);
  far__put(out, "</code></details>");
}

static void put_content(far_buffer *out, far__column_kind kind, const far__entry *e,
                        const places *most) {
  const places at = read_places(e->shown);
  if (e->shown[0] == '\0') {
    if (e->label != NULL) {
      /* A name that is blank because the row above has it: the style hides it until the rows are sorted. */
      far__put(out, "<span class=\"same\">");
      far__html_name(out, e->label);
      far__put(out, "</span>");
    }
  } else if (kind == FAR__COLUMN_COMMAND) {
    far__put(out, "<code>");
    far__html_words(out, e->shown);
    far__put(out, "</code>");
  } else if (!far__is_right(kind)) {
    put_words(out, e);
  } else if (at.plain) {
    put_aligned(out, e->shown, &at, most);
  } else {
    far__html_name(out, e->shown);
  }
}

enum {
  LONG = 28, /* bytes; a longer text may be wrapped */
  TALL = 50, /* rows; a longer table scrolls in a region of its own */
};

static const char *column_class(far__column_kind kind, const char *shown) {
  if (far__is_right(kind)) return " class=\"n\"";
  if (kind == FAR__COLUMN_BARS) return " class=\"bars\"";
  if (kind == FAR__COLUMN_COMMAND) return " class=\"cmd\"";
  return strlen(shown) > LONG ? " class=\"wrap\"" : "";
}

static void put_cell(far_buffer *out, const far_table *t, size_t r, size_t c, const places *most) {
  const far__column_kind kind = t->columns[c].kind;
  const far__entry *e = &t->entries[r * t->n_columns + c];
  size_t before = 0; /* visible columns to the left */
  for (size_t i = 0; i < c; ++i) before += t->columns[i].title != NULL;
  const bool names = before == 0 && kind <= FAR__COLUMN_SPEC;
  far__put(out, names ? "<th scope=\"row\"" : "<td");
  far__put(out, column_class(kind, e->shown));
  if (far__is_right(kind)) put_numbers(out, kind, e);
  far__put(out, ">");
  put_content(out, kind, e, most);
  far__put(out, names ? "</th>" : "</td>");
}

/* ---- the table ---- */

static void put_head(far_buffer *out, const far_table *t) {
  far__put(out, "<thead><tr>");
  for (size_t c = 0; c < t->n_columns; ++c) {
    const far__column *column = &t->columns[c];
    if (column->title == NULL) continue;
    /* a heading must not be empty: the key replaces an empty title, for screen readers only */
    const bool empty = column->title[0] == '\0';
    far__put(out, "<th scope=\"col\"");
    const bool wide = far__is_right(column->kind) && strlen(column->title) > LONG;
    far__put(out, wide ? " class=\"n wrap\"" : column_class(column->kind, column->title));
    far__put(out, " data-key=\"");
    far__html_attribute(out, column->key);
    far__put(out, empty ? "\"><span class=\"unseen\">" : "\">");
    far__html_name(out, empty ? column->key : column->title);
    far__put(out, empty ? "</span></th>" : "</th>");
  }
  far__put(out, "</tr></thead>\n");
}

static void put_row(far_buffer *out, const far_table *t, size_t r, int scope, const places *most) {
  far__put(out, t->rows[r].rule ? "<tr class=\"rule\"" : "<tr");
  if (t->rows[r].scope != scope) far__html_scope(out, t->rows[r].scope);
  far__put(out, ">");
  for (size_t c = 0; c < t->n_columns; ++c)
    if (t->columns[c].title != NULL) put_cell(out, t, r, c, &most[c]);
  far__put(out, "</tr>\n");
}

static void put_caption(far__html *h, const far_table *t, size_t number) {
  far__text_format(h->out, "<caption id=\"t%zu\"", number);
  far__put(h->out, t->caption != NULL ? "><span>" : " class=\"unseen\"><span>");
  far__html_text(h->out, t->caption != NULL ? t->caption : h->heading);
  far__put(h->out, "</span></caption>\n");
}

/* The name of the table for programs. */
static void put_name(far_buffer *out, const char *name) {
  if (name == NULL) return;
  far__put(out, " data-name=\"");
  far__html_attribute(out, name);
  far__put(out, "\"");
}

void far__html_table(far__html *h, const far__part *part) {
  const far_table *t = part->table;
  far_buffer *out = h->out;
  places *most = calloc(t->n_columns + 1, sizeof *most);
  out->failed = out->failed || most == NULL;
  if (most == NULL) return;
  for (size_t c = 0; c < t->n_columns; ++c)
    if (far__is_right(t->columns[c].kind)) most[c] = column_places(t, c);
  const size_t number = ++h->n_tables;
  far__put(out, t->n_rows > TALL ? "<div class=\"scroll tall\"" : "<div class=\"scroll\"");
  far__put(out, " role=\"group\" tabindex=\"0\"");
  far__text_format(out, " aria-labelledby=\"t%zu\"", number);
  far__html_scope(out, part->scope);
  far__put(out, "><table");
  put_name(out, t->name);
  far__put(out, ">\n");
  put_caption(h, t, number);
  put_head(out, t);
  far__put(out, "<tbody>\n");
  for (size_t r = 0; r < t->n_rows; ++r) put_row(out, t, r, part->scope, most);
  far__put(out, "</tbody></table></div>\n");
  free(most);
}
