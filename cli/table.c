#include "table.h"

#include <farsight/lab.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "memory.h"

table table_create(const char *layout) {
  table t = {.n_columns = strlen(layout)};
  for (size_t c = 0; c < t.n_columns; ++c) t.right[c] = layout[c] == 'r';
  return t;
}

static char *cell_at(const table *t, size_t row, size_t column) {
  return t->cells + (row * TABLE_COLUMNS + column) * TABLE_TEXT;
}

void table_row(table *t) {
  const size_t bytes = TABLE_COLUMNS * TABLE_TEXT;
  t->cells = room_for_more(t->cells, t->n_rows, bytes);
  memset(t->cells + t->n_rows * bytes, 0, bytes);
  t->n_rows += 1;
}

void table_cell(table *t, size_t column, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(cell_at(t, t->n_rows - 1, column), TABLE_TEXT, format, args);
  va_end(args);
}

static int width_of(const char *text) {
  return far_text_width(text, strlen(text));
}

static void print_rule(int width, int indent) {
  printf("%*s", indent, "");
  for (int i = 0; i < width; ++i) fputs("─", stdout);
  putchar('\n');
}

void table_print(table *t, int indent) {
  int width[TABLE_COLUMNS] = {0}, total = -2;
  for (size_t c = 0; c < t->n_columns; ++c) {
    for (size_t r = 0; r < t->n_rows; ++r) {
      const int w = width_of(cell_at(t, r, c));
      width[c] = w > width[c] ? w : width[c];
    }
    total += width[c] + 2;
  }
  for (size_t r = 0; r < t->n_rows; ++r) {
    bool empty = true;
    for (size_t c = 0; c < t->n_columns; ++c) empty = empty && cell_at(t, r, c)[0] == '\0';
    if (empty) {
      print_rule(total, indent);
      continue;
    }
    int owed = indent; /* spaces not printed yet, so that no line ends in one */
    for (size_t c = 0; c < t->n_columns; ++c) {
      const char *text = cell_at(t, r, c);
      const int fill = width[c] - width_of(text);
      if (text[0] != '\0') {
        printf("%*s%s", owed + (t->right[c] ? fill : 0), "", text);
        owed = t->right[c] ? 0 : fill;
      } else {
        owed += width[c];
      }
      owed += 2;
    }
    putchar('\n');
    if (r == 0) print_rule(total, indent);
  }
  free(t->cells);
  t->cells = NULL;
}

void table_print_markdown(table *t) {
  for (size_t r = 0; r < t->n_rows; ++r) {
    for (size_t c = 0; c < t->n_columns; ++c) printf("| %s ", cell_at(t, r, c));
    printf("|\n");
    for (size_t c = 0; r == 0 && c < t->n_columns; ++c) printf(t->right[c] ? "|--:" : "|---");
    if (r == 0) printf("|\n");
  }
  free(t->cells);
  t->cells = NULL;
}
