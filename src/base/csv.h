/* A reader of comma-separated values, strictly by RFC 4180 with two exceptions: lines may end in LF alone, and
 * a byte order mark at the beginning is skipped. */
#ifndef FAR_BASE_CSV_H
#define FAR_BASE_CSV_H

#include "farsight/base.h"

typedef struct far__csv_field {
  char *text; /* without quotes, ended by a zero */
  size_t length;
  int64_t line, column; /* where it begins, from 1; columns are bytes */
} far__csv_field;

typedef struct far__csv {
  const char *name; /* for messages */
  char *text;       /* is overwritten */
  size_t length, at;
  int64_t line;
  size_t line_begin; /* offset of the line */
  far__csv_field *fields;
  size_t n_fields, capacity;
  size_t expected; /* how many fields a record has; 0: not known yet */
  bool remarks;    /* set after far__csv_begin: lines that begin with # are skipped */
} far__csv;

/* Reads text[0 .. length), with room for one byte more. */
void far__csv_begin(far__csv *csv, const char *name, char *text, size_t length);
void far__csv_end(far__csv *csv);

/* The next record, in csv->fields; false at the end. Fails with FORMAT ("NAME:LINE:COLUMN: ...") or MEMORY;
 * empty lines are skipped, and remarks where they are allowed. */
far_status far__csv_next(far__csv *csv, bool *found, far_error *error);

/* Fails with FORMAT and the place of the field. */
far_status far__csv_fail(const far__csv *csv, const far__csv_field *field, far_error *error,
                         const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
