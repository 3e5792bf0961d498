/* Results made elsewhere, from CSV. All rows are read and checked before the first is stored. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/csv.h"
#include "base/file.h"
#include "base/number.h"
#include "base/spec.h"
#include "base/text.h"
#include "lab/store/store.h"

typedef enum column {
  ENV,
  AGENT,
  SEED,
  VALUE,
  STEPS,
  REPLICATE,
  SERIES,
  STEP,
  MODEL,
  NUMERICS, /* ignored: imported results have none */
  EPISODES, /* after which a run ended; empty: after its steps */
  METRIC,   /* another name of series */
  N_COLUMNS
} column;

static const char *const names[N_COLUMNS] = {"env",   "agent",     "seed",     "value",
                                             "steps", "replicate", "series",   "step",
                                             "model", "numerics",  "episodes", "metric"};

enum { REQUIRED = 4 };

/* One series of one cell. */
typedef struct group {
  far__stored_cell cell;
  far__series series;
  uint64_t hash;
} group;

typedef struct row {
  size_t group;
  int64_t replicate, line;
  double value;
} row;

typedef struct reading {
  far__csv csv;
  const far__csv_field *at[N_COLUMNS]; /* of the record; NULL: there is no such column */
  size_t index[N_COLUMNS];             /* which field; SIZE_MAX: none */
  group *groups;
  size_t n_groups, group_capacity;
  size_t *slots; /* hash table of groups, each +1; a power of two */
  size_t n_slots;
  row *rows;
  size_t n_rows, row_capacity;
  far_store *store; /* NULL: only checks */
  far__digests digests;
} reading;

static far_status no_memory(far_error *error) {
  return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory to import");
}

/* ---- the first line ---- */

static far_status missing(reading *in, column c, const far__csv_field *first, far_error *error) {
  const far__csv *csv = &in->csv;
  if (csv->n_fields == 1 && strchr(first->text, ';') != NULL)
    return far__csv_fail(csv, first, error, "fields must be separated by commas, not semicolons");
  if (csv->n_fields == 1 && strchr(first->text, '\t') != NULL)
    return far__csv_fail(csv, first, error, "fields must be separated by commas, not tabs");
  for (size_t i = 0; i < csv->n_fields; ++i)
    if (far__nearest(csv->fields[i].text, csv->fields[i].length, &names[c], 1) != NULL)
      return far__csv_fail(csv, &csv->fields[i], error,
                           "there is no column '%s'; did you mean '%.60s'?", names[c],
                           csv->fields[i].text);
  return far__csv_fail(
      csv, first, error,
      "there is no column '%s'; the first line must name env, agent, seed and value", names[c]);
}

static far_status read_names(reading *in, far_import_report *report, far_error *error) {
  bool found;
  far_status status = far__csv_next(&in->csv, &found, error);
  if (status != FAR_OK) return status;
  if (!found)
    return far__fail(error, FAR_STATUS_FORMAT, -1,
                     "%.200s:1:1: the file is empty; its first line must name env, agent, seed and "
                     "value",
                     in->csv.name);
  for (int c = 0; c < N_COLUMNS; ++c) in->index[c] = SIZE_MAX;
  for (size_t i = 0; i < in->csv.n_fields; ++i) {
    int c = 0;
    while (c < N_COLUMNS && strcmp(names[c], in->csv.fields[i].text) != 0) ++c;
    if (c == N_COLUMNS) {
      const size_t used = strlen(report->unused);
      snprintf(report->unused + used, sizeof report->unused - used, "%s%.60s", used ? ", " : "",
               in->csv.fields[i].text);
    } else if (in->index[c] != SIZE_MAX || (c == METRIC && in->index[SERIES] != SIZE_MAX))
      return far__csv_fail(&in->csv, &in->csv.fields[i], error, "a second column '%s'", names[c]);
    else
      in->index[c == METRIC ? SERIES : c] = i;
  }
  for (int c = 0; c < REQUIRED; ++c)
    if (in->index[c] == SIZE_MAX) return missing(in, (column)c, &in->csv.fields[0], error);
  return FAR_OK;
}

/* ---- one record ---- */

static bool empty(const far__csv_field *field) {
  return field == NULL || field->length == 0;
}

static far_status read_integer(int64_t *out, reading *in, column c, int64_t least,
                               far_error *error) {
  const far__csv_field *field = in->at[c];
  const int64_t most = INT64_MAX - 1; /* the next one must be a number too */
  if (far__integer_parse(field->text, field->length, out) && *out >= least && *out <= most)
    return FAR_OK;
  return far__csv_fail(&in->csv, field, error,
                       "%s '%.60s' must be a whole number from %lld to %lld", names[c], field->text,
                       (long long)least, (long long)most);
}

static far_status read_seed(uint64_t *out, reading *in, far_error *error) {
  const far__csv_field *field = in->at[SEED];
  if (far__unsigned_parse(field->text, field->length, out)) return FAR_OK;
  return far__csv_fail(&in->csv, field, error, "seed '%.60s' must be " FAR_SEED_BOUNDS,
                       field->text);
}

static far_status read_value(double *out, reading *in, far_error *error) {
  const far__csv_field *field = in->at[VALUE];
  if (far__real_parse(field->text, field->length, out)) return FAR_OK;
  if (field->length == 4 && memcmp(field->text, "-inf", 4) == 0) {
    far__real_parse("inf", 3, out);
    *out = -*out;
    return FAR_OK;
  }
  return far__csv_fail(&in->csv, field, error,
                       "value '%.60s' must be a number, inf or -inf; a run that failed is left out",
                       field->text);
}

/* Env, agent, steps, seed and model. The texts are the record's own. */
static far_status read_cell(far__stored_cell *out, reading *in, far_error *error) {
  *out = (far__stored_cell){.env = in->at[ENV]->text, .agent = in->at[AGENT]->text};
  for (int c = ENV; c <= AGENT; ++c)
    if (!far__is_line(in->at[c]->text, in->at[c]->length, FAR__LONGEST_NAME))
      return far__csv_fail(&in->csv, in->at[c], error,
                           "%s '%.60s' must be a name: 1 to %d bytes of UTF-8 without control "
                           "characters",
                           names[c], in->at[c]->text, FAR__LONGEST_NAME);
  far_status status = FAR_OK;
  if (!empty(in->at[STEPS])) status = read_integer(&out->steps, in, STEPS, 0, error);
  if (status == FAR_OK && !empty(in->at[EPISODES]))
    status = read_integer(&out->episodes, in, EPISODES, 0, error);
  if (status == FAR_OK && in->at[REPLICATE] != NULL) status = read_seed(&out->seed, in, error);
  const far__csv_field *model = in->at[MODEL];
  if (status != FAR_OK) return status;
  if (empty(model)) return far__digest_find(out->model, &in->digests, in->store, out->env, error);
  if (model->length != FAR_HASH_TEXT - 1 ||
      strspn(model->text, "0123456789abcdef") != FAR_HASH_TEXT - 1)
    return far__csv_fail(&in->csv, model, error,
                         "model '%.70s' must be empty or a SHA-256 of 64 hexadecimal digits",
                         model->text);
  memcpy(out->model, model->text, FAR_HASH_TEXT);
  return FAR_OK;
}

/* "NAME@STEP"; the name is the record's, or "curve" where there is none. */
static far_status read_point(char **out, reading *in, const char *name, far_error *error) {
  int64_t step = 0;
  if (strcmp(name, "total") == 0)
    return far__csv_fail(&in->csv, in->at[STEP], error,
                         "the total has no steps: the reward so far is series 'curve'");
  const far_status status = read_integer(&step, in, STEP, 1, error);
  if (status != FAR_OK) return status;
  *out = far__curve_name(name, &step, 1);
  return *out != NULL ? FAR_OK : no_memory(error);
}

/* The series, its name on the heap. A step without a series is one of the reward's curve. */
static far_status read_series(far__series *out, reading *in, far_error *error) {
  const far__csv_field *series = in->at[SERIES], *step = in->at[STEP];
  far_error why;
  char *full = NULL;
  const char *name = !empty(series) ? series->text : empty(step) ? "total" : "curve";
  *out = (far__series){0};
  if (strcmp(name, "curve") == 0 && empty(step))
    return far__csv_fail(&in->csv, series, error,
                         "a row of a curve needs its step, at least 1, in a column 'step'");
  far_status status = FAR_OK;
  if (!empty(step)) status = read_point(&full, in, name, error);
  if (status != FAR_OK) return status;
  status = far__series_name(out, full != NULL ? full : strdup(name), &why);
  if (status == FAR_OK && out->width == 1) return FAR_OK;
  if (status == FAR_STATUS_MEMORY) return no_memory(error);
  far__series_free(out);
  return far__csv_fail(&in->csv, series, error,
                       "series '%.60s' must be total, the name of a metric, or curve", name);
}

/* ---- groups ---- */

static bool same_group(const group *g, uint64_t hash, const far__stored_cell *cell,
                       const far__series *series) {
  return g->hash == hash && strcmp(g->cell.key, cell->key) == 0 &&
         strcmp(g->series.name, series->name) == 0;
}

static uint64_t hash_group(const far__stored_cell *cell, const far__series *series) {
  uint8_t digest[FAR_HASH_BYTES];
  far__hash hash;
  far__hash_begin(&hash);
  far__hash_text(&hash, cell->key);
  far__hash_text(&hash, series->name);
  far__hash_end(&hash, digest);
  return far__get_u64(digest);
}

static bool grow_slots(reading *in) {
  if (2 * (in->n_groups + 1) <= in->n_slots) return true;
  const size_t wanted = in->n_slots ? 2 * in->n_slots : 64;
  size_t *slots = calloc(wanted, sizeof *slots);
  if (slots == NULL) return false;
  free(in->slots);
  in->slots = slots;
  in->n_slots = wanted;
  for (size_t i = 0; i < in->n_groups; ++i) {
    size_t at = (size_t)in->groups[i].hash & (wanted - 1);
    while (slots[at] != 0) at = (at + 1) & (wanted - 1);
    slots[at] = i + 1;
  }
  return true;
}

/* The group of that cell and series; takes over the series' name, and copies the cell's texts. */
static far_status find_group(size_t *out, reading *in, far__stored_cell *cell, far__series *series,
                             far_error *error) {
  if (!grow_slots(in) ||
      !far__grow((void **)&in->groups, in->n_groups, &in->group_capacity, sizeof *in->groups)) {
    far__series_free(series);
    return no_memory(error);
  }
  far__stored_cell_key(cell->key, cell);
  const uint64_t hash = hash_group(cell, series);
  size_t at = (size_t)hash & (in->n_slots - 1);
  for (; in->slots[at] != 0; at = (at + 1) & (in->n_slots - 1)) {
    *out = in->slots[at] - 1;
    if (!same_group(&in->groups[*out], hash, cell, series)) continue;
    far__series_free(series);
    return FAR_OK;
  }
  group *g = &in->groups[in->n_groups];
  *g = (group){.cell = *cell, .series = *series, .hash = hash};
  g->cell.env = strdup(cell->env);
  g->cell.agent = strdup(cell->agent);
  *out = in->n_groups++;
  in->slots[at] = in->n_groups;
  return g->cell.env != NULL && g->cell.agent != NULL ? FAR_OK : no_memory(error);
}

static far_status read_record(reading *in, far_error *error) {
  far__stored_cell cell;
  far__series series;
  row r = {.line = in->csv.fields[0].line};
  for (int c = 0; c < N_COLUMNS; ++c)
    in->at[c] = in->index[c] != SIZE_MAX ? &in->csv.fields[in->index[c]] : NULL;
  far_status status = read_cell(&cell, in, error);
  const column identity = in->at[REPLICATE] != NULL ? REPLICATE : SEED;
  if (status == FAR_OK) status = read_integer(&r.replicate, in, identity, 0, error);
  if (status == FAR_OK) status = read_value(&r.value, in, error);
  if (status == FAR_OK) status = read_series(&series, in, error);
  if (status == FAR_OK) status = find_group(&r.group, in, &cell, &series, error);
  if (status != FAR_OK) return status;
  if (!far__grow((void **)&in->rows, in->n_rows, &in->row_capacity, sizeof *in->rows))
    return no_memory(error);
  in->rows[in->n_rows++] = r;
  return FAR_OK;
}

/* ---- all of them ---- */

static int by_place(const void *a, const void *b) {
  const row *x = a, *y = b;
  if (x->group != y->group) return x->group < y->group ? -1 : 1;
  if (x->replicate != y->replicate) return x->replicate < y->replicate ? -1 : 1;
  return (x->line > y->line) - (x->line < y->line);
}

/* Sorts the rows; one that is there twice counts once, and must say the same. */
static far_status sort_rows(reading *in, far_error *error) {
  size_t kept = 0;
  if (in->n_rows > 0) qsort(in->rows, in->n_rows, sizeof *in->rows, by_place);
  for (size_t i = 0; i < in->n_rows; ++i) {
    const row *r = &in->rows[i], *before = kept > 0 ? &in->rows[kept - 1] : NULL;
    const bool twice =
        before != NULL && before->group == r->group && before->replicate == r->replicate;
    if (twice && far__bits(before->value) != far__bits(r->value)) {
      const group *g = &in->groups[r->group];
      return far__fail(
          error, FAR_STATUS_FORMAT, -1,
          "%.100s:%lld:1: %.60s of seed or replicate %lld of '%.80s' on '%.80s' is %s; "
          "line %lld has %s",
          in->csv.name, (long long)r->line, g->series.name, (long long)r->replicate, g->cell.agent,
          g->cell.env, far__shortest(r->value).text, (long long)before->line,
          far__shortest(before->value).text);
    }
    if (!twice) in->rows[kept++] = *r;
  }
  in->n_rows = kept;
  return FAR_OK;
}

/* Stores rows begin ... end-1, successive replicates of one group. */
static far_status store_rows(reading *in, far_store *s, size_t begin, size_t end, int64_t *added,
                             far_error *error) {
  group *g = &in->groups[in->rows[begin].group];
  int64_t new = 0;
  double *values = malloc((end - begin) * sizeof *values);
  if (values == NULL) return no_memory(error);
  for (size_t i = begin; i < end; ++i) values[i - begin] = in->rows[i].value;
  far_status status = g->cell.id == 0 ? far__stored_cell_add(&g->cell, s, error) : FAR_OK;
  if (status == FAR_OK && g->series.id == 0) status = far__series_add(&g->series, s, error);
  const far__rows rows = {.first = in->rows[begin].replicate,
                          .runs = (int64_t)(end - begin),
                          .values = values,
                          .session = s->session};
  if (status == FAR_OK)
    status = far__block_put(&new, s, &g->cell, &g->series, &rows, FAR_STATUS_CONFLICT, error);
  *added += new;
  free(values);
  return status;
}

static far_status store_all(reading *in, far_store *s, int64_t *added, far_error *error) {
  far_status status = far__session_touch(s, error);
  for (size_t begin = 0; status == FAR_OK && begin < in->n_rows;) {
    size_t end = begin + 1;
    while (end < in->n_rows && in->rows[end].group == in->rows[begin].group &&
           in->rows[end].replicate == in->rows[end - 1].replicate + 1)
      ++end;
    status = store_rows(in, s, begin, end, added, error);
    begin = end;
    if (status == FAR_OK) status = far__ask(s, error);
  }
  return status;
}

static far_status read_all(reading *in, far_import_report *out, far_error *error) {
  far_status status = read_names(in, out, error);
  for (bool found = true; status == FAR_OK;) {
    status = far__csv_next(&in->csv, &found, error);
    if (status != FAR_OK || !found) break;
    status = read_record(in, error);
    out->rows += 1;
    if (status == FAR_OK && in->store != NULL && out->rows % 4096 == 0)
      status = far__ask(in->store, error);
  }
  return status == FAR_OK ? sort_rows(in, error) : status;
}

/* One transaction; if nothing is new, not even a session is left. */
static far_status store_once(reading *in, far_store *s, int64_t *added, far_error *error) {
  far__long_call(s, true);
  far_status status = far__sql_begin(s, error);
  const bool begun = status == FAR_OK;
  if (begun) status = store_all(in, s, added, error);
  far__long_call(s, false);
  if (!begun) return status;
  if (status == FAR_OK && *added == 0) return far__sql_abandon(s, error);
  return far__sql_end(s, status, error);
}

far_status far_store_import(far_import_report *out, far_store *s, const char *path,
                            far_error *error) {
  uint8_t *text;
  size_t length;
  reading in = {.store = s};
  *out = (far_import_report){0};
  far_status status = far__file_read(&text, &length, path, FAR__MOST_DATA, error);
  if (status != FAR_OK) return status;
  far__csv_begin(&in.csv, path, (char *)text, length);
  status = read_all(&in, out, error);
  if (status == FAR_OK && s != NULL) status = store_once(&in, s, &out->added, error);
  if (status != FAR_OK) out->added = 0;
  far__digests_report(&in.digests, out);
  far__digests_free(&in.digests);
  far__csv_end(&in.csv);
  for (size_t i = 0; i < in.n_groups; ++i) {
    far__stored_cell_free(&in.groups[i].cell);
    far__series_free(&in.groups[i].series);
  }
  free(in.groups);
  free(in.slots);
  free(in.rows);
  free(text);
  return status;
}
