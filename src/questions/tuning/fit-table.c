/* The table of means that a search fits: CSV, a row an environment. */
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/error.h"
#include "base/file.h"
#include "base/number.h"
#include "base/text.h"
#include "questions/tuning/tuned-comparison.h"

typedef struct reading {
  far__csv csv;
  const char **names;                     /* of the columns; they point into the text */
  size_t n_columns, env, mean, unit, std; /* SIZE_MAX: there is no such column */
  far__fit_target *targets;
  size_t count, capacity;
} reading;

static far_status no_memory(const reading *in, far_error *error) {
  return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the table of '%.200s'",
                   in->csv.name);
}

/* ---- the heading line ---- */

/* SIZE_MAX if there is none. */
static far_status find_optional(size_t *out, const reading *in, const char *name,
                                far_error *error) {
  *out = SIZE_MAX;
  for (size_t i = 0; i < in->n_columns; ++i) {
    if (strcmp(in->names[i], name) != 0) continue;
    if (*out != SIZE_MAX)
      return far__csv_fail(&in->csv, &in->csv.fields[i], error, "a second column '%s'", name);
    *out = i;
  }
  return FAR_OK;
}

static far_status find_column(size_t *out, const reading *in, const char *name, far_error *error) {
  const far_status status = find_optional(out, in, name, error);
  if (status != FAR_OK || *out != SIZE_MAX) return status;
  return far__csv_fail(&in->csv, &in->csv.fields[0], error,
                       "there is no column '%s'; the first line must name the columns env and mean",
                       name);
}

static far_status find_columns(reading *in, far_error *error) {
  far_status status = find_column(&in->env, in, "env", error);
  if (status == FAR_OK) status = find_column(&in->mean, in, "mean", error);
  if (status == FAR_OK) status = find_optional(&in->unit, in, "unit", error);
  if (status == FAR_OK) status = find_optional(&in->std, in, "std", error);
  if (status == FAR_OK && in->std != SIZE_MAX && in->unit == SIZE_MAX)
    status = far__csv_fail(&in->csv, &in->csv.fields[in->std], error,
                           "std needs a column 'unit', in which distances of means are measured");
  return status;
}

static far_status read_head(reading *in, far_error *error) {
  bool found;
  far_status status = far__csv_next(&in->csv, &found, error);
  if (status != FAR_OK) return status;
  if (!found)
    return far__fail(error, FAR_STATUS_FORMAT, -1,
                     "%.200s: the file is empty; it begins with a line such as env,mean",
                     in->csv.name);
  in->n_columns = in->csv.n_fields;
  in->names = malloc(in->n_columns * sizeof *in->names);
  if (in->names == NULL) return no_memory(in, error);
  for (size_t i = 0; i < in->n_columns; ++i) in->names[i] = in->csv.fields[i].text;
  return find_columns(in, error);
}

/* ---- rows ---- */

static bool is_parameter(const reading *in, size_t i) {
  return i != in->env && i != in->mean && i != in->unit && i != in->std &&
         strcmp(in->names[i], "ci95") != 0;
}

/* key=value of all columns that are parameters; an empty field is no key. NULL without memory. */
static char *join_keys(const reading *in) {
  far__text text = {0};
  far__text_add(&text, "", 0);
  for (size_t i = 0; i < in->n_columns; ++i) {
    const far__csv_field *field = &in->csv.fields[i];
    if (!is_parameter(in, i) || field->length == 0) continue;
    if (text.length > 0) far__text_add(&text, ",", 1);
    far__text_add(&text, in->names[i], strlen(in->names[i]));
    far__text_add(&text, "=", 1);
    far__text_add(&text, field->text, field->length);
  }
  if (!text.failed && text.bytes != NULL) return text.bytes;
  far_buffer_free(&text);
  return NULL;
}

/* A number above 0; 0 if there is no such column or nothing in it. */
static far_status read_positive(double *out, const reading *in, size_t column, far_error *error) {
  *out = 0;
  if (column == SIZE_MAX || in->csv.fields[column].length == 0) return FAR_OK;
  const far__csv_field *field = &in->csv.fields[column];
  if (far__real_parse(field->text, field->length, out) && *out > 0 && *out - *out == 0)
    return FAR_OK;
  return far__csv_fail(&in->csv, field, error, "%s must be a number above 0, not '%.60s'",
                       in->names[column], field->text);
}

static far_status read_row(reading *in, far_error *error) {
  const far__csv_field *env = &in->csv.fields[in->env], *mean = &in->csv.fields[in->mean];
  far__fit_target target;
  if (!far__real_parse(mean->text, mean->length, &target.mean) || target.mean - target.mean != 0)
    return far__csv_fail(&in->csv, mean, error, "mean must be a number, not '%.60s'", mean->text);
  far_status status = read_positive(&target.unit, in, in->unit, error);
  if (status == FAR_OK) status = read_positive(&target.std, in, in->std, error);
  if (status != FAR_OK) return status;
  if (!far__grow((void **)&in->targets, in->count, &in->capacity, sizeof *in->targets))
    return no_memory(in, error);
  target.env = strdup(env->text);
  target.with = join_keys(in);
  in->targets[in->count++] = target;
  return target.env != NULL && target.with != NULL ? FAR_OK : no_memory(in, error);
}

static far_status read_rows(reading *in, far_error *error) {
  bool found = true;
  far_status status = read_head(in, error);
  while (status == FAR_OK && found) {
    status = far__csv_next(&in->csv, &found, error);
    if (status == FAR_OK && found) status = read_row(in, error);
  }
  if (status == FAR_OK && in->count == 0)
    status = far__fail(error, FAR_STATUS_FORMAT, -1,
                       "%.200s: the file has no means; a row follows the heading line, such as "
                       "chain:n=10,7089.59",
                       in->csv.name);
  return status;
}

/* ---- the table ---- */

static void free_targets(const far__fit_target *targets, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    free((char *)targets[i].env);
    free((char *)targets[i].with);
  }
  free((far__fit_target *)targets);
}

/* Overwrites the text, which has room for one byte more. */
static far_status read_text(far__fit_table **out, char *text, size_t length, const char *name,
                            far_error *error) {
  reading in = {0};
  far__csv_begin(&in.csv, name, text, length);
  in.csv.remarks = true;
  far_status status = read_rows(&in, error);
  far__csv_end(&in.csv);
  free(in.names);
  *out = status == FAR_OK ? malloc(sizeof **out) : NULL;
  if (status == FAR_OK && *out == NULL) status = no_memory(&in, error);
  if (status == FAR_OK)
    **out = (far__fit_table){in.targets, in.count};
  else
    free_targets(in.targets, in.count);
  return status;
}

far_status far__fit_table_load(far__fit_table **out, const char *path, far_error *error) {
  uint8_t *bytes;
  size_t size;
  *out = NULL;
  far_status status = far__file_read(&bytes, &size, path, FAR__MOST_DATA, error);
  if (status == FAR_OK) status = read_text(out, (char *)bytes, size, path, error);
  free(bytes);
  return status;
}

far_status far__fit_table_read(far__fit_table **out, const char *text, size_t length,
                               const char *name, far_error *error) {
  char *copy = malloc(length + 1);
  *out = NULL;
  if (copy == NULL)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the table of '%.200s'", name);
  if (length > 0) memcpy(copy, text, length);
  const far_status status = read_text(out, copy, length, name, error);
  free(copy);
  return status;
}

void far__fit_table_free(far__fit_table *table) {
  if (table == NULL) return;
  free_targets(table->targets, table->n_targets);
  free(table);
}
