/* Tables for people: cells of UTF-8 text in columns as wide as they need to be. */
#ifndef FARSIGHT_CLI_TABLE_H
#define FARSIGHT_CLI_TABLE_H

#include <stdbool.h>
#include <stddef.h>

enum { TABLE_COLUMNS = 13, TABLE_TEXT = 192 };

typedef struct table {
  size_t n_columns, n_rows;
  bool right[TABLE_COLUMNS]; /* aligned right */
  char *cells;               /* n_rows x TABLE_COLUMNS x TABLE_TEXT; the first row is the head */
} table;

/* `layout` has a letter a column: 'l' or 'r'. */
table table_create(const char *layout);

/* Starts a row, and fills its next cell by printf. A row without cells is a rule. */
void table_row(table *t);
void table_cell(table *t, size_t column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Prints to standard output with `indent` spaces before each row, and frees. */
void table_print(table *t, int indent);

/* The same as a Markdown table. */
void table_print_markdown(table *t);

#endif
