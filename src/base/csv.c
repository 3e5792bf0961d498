#include "base/csv.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

void far__csv_begin(far__csv *csv, const char *name, char *text, size_t length) {
  *csv = (far__csv){.name = name, .text = text, .length = length, .line = 1};
  if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) csv->at = csv->line_begin = 3;
  text[length] = '\n'; /* so that the last line has an end */
}

void far__csv_end(far__csv *csv) {
  free(csv->fields);
  csv->fields = NULL;
}

far_status far__csv_fail(const far__csv *csv, const far__csv_field *field, far_error *error,
                         const char *format, ...) {
  char what[400];
  va_list args;
  va_start(args, format);
  vsnprintf(what, sizeof what, format, args);
  va_end(args);
  return far__fail(error, FAR_STATUS_FORMAT, -1, "%.200s:%lld:%lld: %s", csv->name,
                   (long long)field->line, (long long)field->column, what);
}

static far__csv_field here(const far__csv *csv, size_t at) {
  return (far__csv_field){.line = csv->line, .column = (int64_t)(at - csv->line_begin) + 1};
}

/* The length of the line end at `at`, or 0. The text ends in one (far__csv_begin). */
static size_t line_end(const far__csv *csv, size_t at) {
  if (csv->text[at] == '\n') return 1;
  return csv->text[at] == '\r' && at < csv->length && csv->text[at + 1] == '\n' ? 2 : 0;
}

static void begin_line(far__csv *csv, size_t at) {
  csv->line += 1;
  csv->line_begin = at;
}

/* Reads from the opening quote to behind the closing one; doubled quotes become one, in place. */
static far_status read_quoted(far__csv *csv, far__csv_field *field, far_error *error) {
  size_t at = csv->at + 1;
  field->text = csv->text + at;
  for (;; ++at) {
    if (at >= csv->length)
      return far__csv_fail(csv, field, error, "a quoted field does not end; close it with \"");
    const char c = csv->text[at];
    if (c == '\0') {
      const far__csv_field place = here(csv, at);
      return far__csv_fail(csv, &place, error, "a zero byte; the file must be text");
    }
    if (c == '"') {
      if (at + 1 >= csv->length || csv->text[at + 1] != '"') break;
      ++at;
    }
    field->text[field->length++] = c;
    if (c == '\n') begin_line(csv, at + 1);
  }
  csv->at = at + 1;
  if (csv->at >= csv->length || csv->text[csv->at] == ',' || line_end(csv, csv->at) > 0)
    return FAR_OK;
  const far__csv_field place = here(csv, csv->at);
  return far__csv_fail(csv, &place, error,
                       "after a closing quote comes a comma or the end of the line; a quote within "
                       "is written twice");
}

static far_status read_plain(far__csv *csv, far__csv_field *field, far_error *error) {
  size_t at = csv->at;
  field->text = csv->text + at;
  for (; csv->text[at] != ',' && line_end(csv, at) == 0; ++at) {
    const char c = csv->text[at];
    const far__csv_field place = here(csv, at);
    if (c == '"')
      return far__csv_fail(csv, &place, error,
                           "a quote within a field; such a field is put in quotes as a whole, and "
                           "the quote written twice");
    if (c == '\0') return far__csv_fail(csv, &place, error, "a zero byte; the file must be text");
    if (c == '\r')
      return far__csv_fail(csv, &place, error,
                           "a carriage return without a line feed; lines end in LF or CRLF");
  }
  field->length = at - csv->at;
  csv->at = at;
  return FAR_OK;
}

/* Skips empty lines and remarks. */
static void skip_lines(far__csv *csv) {
  while (csv->at < csv->length) {
    const bool remark = csv->remarks && csv->text[csv->at] == '#';
    while (remark && csv->at < csv->length && csv->text[csv->at] != '\n') ++csv->at;
    const size_t end = line_end(csv, csv->at);
    if (end == 0) return;
    csv->at += end;
    begin_line(csv, csv->at);
  }
}

far_status far__csv_next(far__csv *csv, bool *found, far_error *error) {
  *found = false;
  csv->n_fields = 0;
  skip_lines(csv);
  if (csv->at >= csv->length) return FAR_OK;
  for (;;) {
    if (!far__grow((void **)&csv->fields, csv->n_fields, &csv->capacity, sizeof *csv->fields))
      return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a line of '%.200s'", csv->name);
    far__csv_field *field = &csv->fields[csv->n_fields++];
    *field = here(csv, csv->at);
    const bool quoted = csv->at < csv->length && csv->text[csv->at] == '"';
    const far_status status =
        quoted ? read_quoted(csv, field, error) : read_plain(csv, field, error);
    if (status != FAR_OK) return status;
    if (csv->at >= csv->length || csv->text[csv->at] != ',') break;
    csv->at += 1;
  }
  if (csv->expected == 0) csv->expected = csv->n_fields;
  if (csv->n_fields != csv->expected)
    return far__csv_fail(csv, &csv->fields[0], error, "%zu fields; the first line has %zu%s",
                         csv->n_fields, csv->expected,
                         csv->n_fields > csv->expected ? "; a field with commas must be in quotes"
                                                       : "");
  csv->at += csv->at < csv->length ? line_end(csv, csv->at) : 0;
  begin_line(csv, csv->at);
  for (size_t i = 0; i < csv->n_fields; ++i) /* only now: the zero overwrites the separator */
    csv->fields[i].text[csv->fields[i].length] = '\0';
  *found = true;
  return FAR_OK;
}
