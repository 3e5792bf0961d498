/* A report as text for a terminal. */
#include <stdlib.h>

#include "report/build.h"
#include "report/document.h"

enum {
  PARAGRAPH_WIDTH = 79,
  HEADING_WIDTH = 120,
  GAP = 2,
  TERM_WIDTH = 12,
  TERM_INDENT = 6,
  LEAST_TEXT = 20
};

typedef struct page {
  far_buffer *out;
  const far_render_def *def;
  far__arena arena; /* of the texts as they are shown */
} page;

/* Makes text printable, on one line: a line break in a cell would break the table. */
static size_t clean(char *out, const char *text, size_t length) {
  const size_t used = far__printable(out, text, length);
  for (char *p = out; (p = strchr(p, '\n')) != NULL;) *p = ' ';
  return used;
}

static const char *shown(page *p, const char *text) {
  const size_t length = strlen(text);
  char *cleaned = far__arena_room(&p->arena, length + 1);
  char *ascii = p->def->ascii ? far__arena_room(&p->arena, 5 * length + 1) : cleaned;
  p->out->failed = p->out->failed || cleaned == NULL || ascii == NULL;
  if (cleaned == NULL || ascii == NULL) return "";
  const size_t left = clean(cleaned, text, length);
  if (p->def->ascii) far__ascii(ascii, cleaned, left);
  return ascii;
}

static void put_spaces(far_buffer *out, int n) {
  for (; n > 0; --n) far_buffer_add(out, " ", 1);
}

/* Writes text as lines of at most `most` columns. `used` columns of the first line are taken already; further lines
 * begin after `indent` spaces. */
static void put_wrapped(page *p, const char *text, int used, int indent, int most) {
  const int width = p->def->width > 20 && p->def->width < most ? p->def->width : most;
  text = shown(p, text);
  far__text_wrap(far_sink_buffer(p->out), text, strlen(text), used, indent, width);
}

/* As put_wrapped, but a line break in the text begins a line, two columns further right. */
static void put_remarks(page *p, const char *text, int indent) {
  char *line = far__arena_room(&p->arena, strlen(text) + 1);
  p->out->failed = p->out->failed || line == NULL;
  for (bool first = true; line != NULL && *text != '\0'; first = false) {
    const size_t n = strcspn(text, "\n");
    memcpy(line, text, n);
    line[n] = '\0';
    put_spaces(p->out, first ? 0 : indent + 2);
    put_wrapped(p, line, first ? indent : indent + 2, first ? indent : indent + 2, PARAGRAPH_WIDTH);
    text += n + (text[n] == '\n');
  }
}

/* A short term stands before its text, a long one above it. */
static void put_entry(page *p, const far__part *part) {
  const char *term = shown(p, part->name);
  const int width = far__text_width(term, strlen(term));
  put_spaces(p->out, 2);
  if (width <= TERM_WIDTH && part->text[0] != '\0') {
    far__put(p->out, term);
    put_spaces(p->out, TERM_WIDTH + 1 - width);
    put_remarks(p, part->text, TERM_WIDTH + 3);
  } else {
    put_wrapped(p, part->name, 2, TERM_INDENT + 2, PARAGRAPH_WIDTH);
    put_spaces(p->out, part->text[0] != '\0' ? TERM_INDENT : 0);
    put_remarks(p, part->text, TERM_INDENT);
  }
}

/* ---- tables ---- */

/* A table as it is shown: the texts of its visible columns, row 0 being the heads. */
typedef struct grid {
  const far_table *table;
  size_t n_rows, n_columns, n_stub; /* n_stub: columns that name the row */
  const char **texts;
  int *widths;
  bool *right;
  bool *text; /* can a cell take several lines? */
} grid;

static int width_of(const char *text) {
  return far__text_width(text, strlen(text));
}

static const char *text_at(const grid *g, size_t row, size_t column) {
  return g->texts[row * g->n_columns + column];
}

static void fill_column(page *p, grid *g, size_t to, size_t from) {
  const far_table *t = g->table;
  g->right[to] = far__is_right(t->columns[from].kind);
  g->text[to] = far__is_text(t->columns[from].kind);
  for (size_t r = 0; r < g->n_rows; ++r) {
    const char *text =
        r == 0 ? t->columns[from].title : t->entries[(r - 1) * t->n_columns + from].shown;
    g->texts[r * g->n_columns + to] = shown(p, text);
    const int width = width_of(text_at(g, r, to));
    g->widths[to] = width > g->widths[to] ? width : g->widths[to];
  }
}

/* False without memory. */
static bool make_grid(grid *g, page *p, const far_table *t) {
  *g = (grid){.table = t, .n_rows = t->n_rows + 1};
  for (size_t c = 0; c < t->n_columns; ++c) g->n_columns += t->columns[c].title != NULL;
  g->texts = calloc(g->n_rows * g->n_columns + 1, sizeof *g->texts);
  g->widths = calloc(g->n_columns + 1, sizeof *g->widths);
  g->right = calloc(g->n_columns + 1, sizeof *g->right);
  g->text = calloc(g->n_columns + 1, sizeof *g->text);
  if (g->texts == NULL || g->widths == NULL || g->right == NULL || g->text == NULL) return false;
  for (size_t c = 0, to = 0; c < t->n_columns; ++c)
    if (t->columns[c].title != NULL) fill_column(p, g, to++, c);
  while (g->n_stub < g->n_columns && !g->right[g->n_stub]) ++g->n_stub;
  if (g->n_stub == g->n_columns) g->n_stub = 1;
  return true;
}

/* The columns that are written side by side: the stub (0 ... stub - 1), and first ... last - 1. */
typedef struct span {
  size_t stub, first, last;
} span;

static size_t span_columns(const span *s) {
  return s->stub + s->last - s->first;
}

static size_t column_of(const span *s, size_t i) {
  return i < s->stub ? i : s->first + i - s->stub;
}

static int span_width(const grid *g, const span *s) {
  int width = -GAP;
  for (size_t i = 0; i < span_columns(s); ++i) width += g->widths[column_of(s, i)] + GAP;
  return width;
}

static void put_rule(const page *p, int width) {
  put_spaces(p->out, p->def->indent);
  for (int i = 0; i < width; ++i) far__put(p->out, p->def->ascii ? "-" : "─");
  far__put(p->out, "\n");
}

/* Makes the last column of the span narrower if it is text and the span is wider than the page. */
static void narrow(const page *p, grid *g, const span *s) {
  const int beyond = p->def->indent + span_width(g, s) - p->def->width;
  const size_t c = column_of(s, span_columns(s) - 1);
  int *last = &g->widths[c];
  if (p->def->width == 0 || beyond <= 0 || !g->text[c]) return;
  if (span_columns(s) < 2 || *last <= LEAST_TEXT) return;
  *last = *last - beyond > LEAST_TEXT ? *last - beyond : LEAST_TEXT;
}

static void put_row(const page *p, const grid *g, const span *s, size_t row) {
  int owed = p->def->indent; /* spaces not written yet, so that no line ends in one */
  for (size_t i = 0; i < span_columns(s); ++i) {
    const size_t c = column_of(s, i);
    const char *text = text_at(g, row, c);
    const int fill = g->widths[c] - width_of(text);
    if (fill < 0) {
      put_spaces(p->out, owed);
      /* The cell is in a column that `narrow` made narrower: the last one of the row. Wraps the text. */
      const int end = p->def->indent + span_width(g, s);
      const int start = end - g->widths[column_of(s, span_columns(s) - 1)];
      far__text_wrap(far_sink_buffer(p->out), text, strlen(text), start, start, end);
      return;
    }
    if (text[0] != '\0') {
      put_spaces(p->out, owed + (g->right[c] ? fill : 0));
      far__put(p->out, text);
      owed = g->right[c] ? 0 : fill;
    } else {
      owed += g->widths[c];
    }
    owed += GAP;
  }
  far__put(p->out, "\n");
}

static void put_span(const page *p, const grid *g, const span *s) {
  for (size_t r = 0; r < g->n_rows; ++r) {
    if (r > 0 && g->table->rows[r - 1].rule) put_rule(p, span_width(g, s));
    put_row(p, g, s, r);
    if (r == 0) put_rule(p, span_width(g, s));
  }
}

/* A table wider than the page is divided by columns, and the names of the rows stand before each part. Text
 * in the last column of a part is wrapped where it is still too wide. */
static void put_table(page *p, const far_table *t) {
  grid g;
  const bool made = make_grid(&g, p, t);
  p->out->failed = p->out->failed || !made;
  span s = {made ? g.n_stub : 0, made ? g.n_stub : 0, made ? g.n_stub : 0};
  while (made && s.last < g.n_columns) {
    if (s.last > s.stub) far__put(p->out, "\n");
    s.first = s.last;
    do ++s.last;
    while (
        s.last < g.n_columns &&
        (p->def->width == 0 ||
         p->def->indent + span_width(&g, &(span){s.stub, s.first, s.last + 1}) <= p->def->width));
    narrow(p, &g, &s);
    put_span(p, &g, &s);
  }
  if (made && g.n_stub == g.n_columns) put_span(p, &g, &s);
  free(g.texts);
  free(g.widths);
  free(g.right);
  free(g.text);
}

/* ---- drawings ---- */

/* The columns of the widest line. */
static int drawing_width(const char *drawing) {
  int widest = 0;
  for (const char *line = drawing; *line != '\0';) {
    const size_t n = strcspn(line, "\n");
    const int width = far__text_width(line, n);
    widest = width > widest ? width : widest;
    line += n + (line[n] == '\n');
  }
  return widest;
}

static bool fits(const far__part *part, const far_render_def *def) {
  return part->drawing == NULL || def->width == 0 ||
         def->indent + drawing_width(part->drawing) <= def->width;
}

static const char *shown_drawing(page *p, const char *drawing) {
  if (!p->def->ascii) return drawing;
  const size_t length = strlen(drawing);
  char *out = far__arena_room(&p->arena, length + 1);
  p->out->failed = p->out->failed || out == NULL;
  if (out == NULL) return "";
  far__ascii_drawing(out, drawing, length);
  return out;
}

static void put_drawing(page *p, const char *drawing) {
  for (const char *line = shown_drawing(p, drawing); *line != '\0';) {
    const size_t n = strcspn(line, "\n");
    if (n > 0) put_spaces(p->out, p->def->indent);
    far_buffer_add(p->out, line, n);
    far__put(p->out, "\n");
    line += n + (line[n] == '\n');
  }
  far__put(p->out, "\n");
}

/* ---- the whole ---- */

/* Writes a command without wrapping its lines, so that it can be copied and pasted. */
static void put_command(page *p, const char *text) {
  char *line = far__arena_room(&p->arena, strlen(text) + 1);
  p->out->failed = p->out->failed || line == NULL;
  while (line != NULL && *text != '\0') {
    const size_t n = strcspn(text, "\n");
    memcpy(line, text, n);
    line[n] = '\0';
    put_spaces(p->out, 2);
    far__put(p->out, shown(p, line));
    far__put(p->out, "\n");
    text += n + (text[n] == '\n');
  }
}

static void put_part(page *p, const far__part *part) {
  switch (part->kind) {
  case FAR__BLOCK_TABLE:
    if (part->table->caption != NULL) put_wrapped(p, part->table->caption, 0, 0, PARAGRAPH_WIDTH);
    put_table(p, part->table);
    break;
  case FAR__BLOCK_HEADING: put_wrapped(p, part->text, 0, 0, HEADING_WIDTH); break;
  case FAR__BLOCK_COMMAND: put_command(p, part->text); break;
  case FAR__BLOCK_ITEM:
    put_spaces(p->out, 2);
    far__put(p->out, shown(p, part->text));
    far__put(p->out, "\n");
    break;
  case FAR__BLOCK_VERDICT:
    if (part->name == NULL)
      put_wrapped(p, part->text, 0, 0, PARAGRAPH_WIDTH);
    else
      put_entry(p, part);
    break;
  case FAR__BLOCK_ENTRY: put_entry(p, part); break;
  case FAR__BLOCK_PICTURE:
    if (part->drawing != NULL) put_drawing(p, part->drawing);
    far__put(p->out, "Figure: ");
    put_wrapped(p, part->text, 8, 2, PARAGRAPH_WIDTH);
    break;
  case FAR__BLOCK_METHODS:
    far__put(p->out, "Methods: ");
    put_wrapped(p, part->text, 9, 0, PARAGRAPH_WIDTH);
    break;
  default: put_wrapped(p, part->text, 0, 0, PARAGRAPH_WIDTH);
  }
}

/* Parts that belong together stand without an empty line between them. */
static bool joined(const far__part *a, const far__part *b) {
  return b->kind == FAR__BLOCK_ITEM || b->kind == FAR__BLOCK_ENTRY ||
         (a->kind == b->kind && (b->kind == FAR__BLOCK_NOTE || b->kind == FAR__BLOCK_VERDICT ||
                                 b->kind == FAR__BLOCK_COMMAND));
}

void far__render_text(far_buffer *out, const far_report *r, const far_render_def *def) {
  page p = {.out = out, .def = def};
  const far__part *last = NULL;
  for (size_t i = 0; i < r->n_parts; ++i) {
    if (!far__is_seen(&r->parts[i]) || !fits(&r->parts[i], def)) continue;
    if (last != NULL && !joined(last, &r->parts[i])) far__put(out, "\n");
    put_part(&p, last = &r->parts[i]);
  }
  far__arena_free(&p.arena);
}
