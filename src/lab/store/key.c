/* What cells and series are called. */
#include "lab/store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "run/simulator.h"

/* ---- models ---- */

bool far__spec_reads_file(const char *spec) {
  const far_type_info *family = far_spec_type(far_mdp_family, spec);
  return family != NULL && (family->bare || strstr(spec, "=@") != NULL);
}

bool far__spec_tells(const char *spec) {
  return far_spec_type(far_mdp_family, spec) != NULL && !far__spec_reads_file(spec);
}

/* ---- simulators ---- */

/* A version has no comma: from the comma behind it on the spec gives the criterion. */
size_t far__simulator_world(const char *spec) {
  const char *version = strrchr(spec, '@');
  return version != NULL ? (size_t)(version - spec) + strcspn(version, ",") : strlen(spec);
}

far_status far__refuse_shapes(const far__stored_cell *cell, far_store *s, far_error *error) {
  sqlite3_stmt *shapes;
  int64_t found = 0;
  if (!far__simulator_is_spec(cell->env) || cell->model[0] == '\0') return FAR_OK;
  const int length = (int)far__simulator_world(cell->env);
  far_status status = far__sql_use(&shapes, s, FAR__CELL_SHAPES, error);
  if (status != FAR_OK) return status;
  sqlite3_bind_text(shapes, 1, cell->env, length, SQLITE_STATIC);
  far__sql_bind_string(shapes, 2, cell->model);
  status = far__sql_integer(&found, s, shapes, error);
  if (status != FAR_OK || found == 0) return status;
  return far__fail(error, FAR_STATUS_CONFLICT, -1,
                   "'%.100s' has runs of %.*s with another shape (states, actions, rewards, absent "
                   "states or horizon): a simulator that has changed needs another version",
                   s->path, length < 200 ? length : 200, cell->env);
}

/* ---- cells ---- */

void far__stored_cell_free(far__stored_cell *cell) {
  free(cell->env);
  free(cell->agent);
  cell->env = cell->agent = NULL;
}

/* far__hash_text hashes the length before each text, so that no two descriptions have the same bytes. */
void far__stored_cell_key(char out[FAR_HASH_TEXT], const far__stored_cell *cell) {
  uint8_t digest[FAR_HASH_BYTES];
  far__hash hash;
  far__hash_begin(&hash);
  far__hash_text(&hash, "farsight cell 1");
  far__hash_text(&hash, cell->env);
  far__hash_text(&hash, cell->model);
  far__hash_text(&hash, cell->agent);
  far__hash_u64(&hash, (uint64_t)cell->steps);
  far__hash_u64(&hash, cell->seed);
  far__hash_u64(&hash, (uint64_t)cell->numerics);
  if (cell->episodes > 0) far__hash_u64(&hash, (uint64_t)cell->episodes);
  far__hash_end(&hash, digest);
  far_hash_text(out, digest);
}

far_status far__stored_cell_find(int64_t *id, far_store *s, const char *key, far_error *error) {
  sqlite3_stmt *statement;
  *id = 0;
  const far_status status = far__sql_use(&statement, s, FAR__CELL_FIND, error);
  if (status != FAR_OK) return status;
  far__sql_bind_string(statement, 1, key);
  return far__sql_integer(id, s, statement, error);
}

static far_status add_episodes(const far__stored_cell *cell, far_store *s, far_error *error) {
  sqlite3_stmt *add;
  far_status status = far__sql_use(&add, s, FAR__EPISODES_ADD, error);
  if (status != FAR_OK) return status;
  sqlite3_bind_int64(add, 1, cell->id);
  sqlite3_bind_int64(add, 2, cell->episodes);
  return far__sql_run(s, add, error);
}

static far_status get_episodes(far__stored_cell *out, far_store *s, far_error *error) {
  sqlite3_stmt *get;
  bool there = false;
  far_status status = far__store_has(&there, s, FAR__STORE_LABELS, error);
  if (status == FAR_OK && there) status = far__sql_use(&get, s, FAR__EPISODES_GET, error);
  if (status != FAR_OK || !there) return status;
  sqlite3_bind_int64(get, 1, out->id);
  return far__sql_integer(&out->episodes, s, get, error);
}

far_status far__stored_cell_add(far__stored_cell *cell, far_store *s, far_error *error) {
  char seed[24];
  sqlite3_stmt *add;
  far_status status = far__stored_cell_find(&cell->id, s, cell->key, error);
  if (status != FAR_OK || cell->id != 0) return status;
  status = far__refuse_shapes(cell, s, error);
  if (status == FAR_OK && cell->episodes > 0) status = far__store_grow(s, FAR__STORE_LABELS, error);
  if (status == FAR_OK) status = far__sql_use(&add, s, FAR__CELL_ADD, error);
  if (status != FAR_OK) return status;
  snprintf(seed, sizeof seed, "%llu", (unsigned long long)cell->seed);
  far__sql_bind_string(add, 1, cell->key);
  far__sql_bind_string(add, 2, cell->env);
  far__sql_bind_string(add, 3, cell->model);
  far__sql_bind_string(add, 4, cell->agent);
  sqlite3_bind_int64(add, 5, cell->steps);
  far__sql_bind_string(add, 6, seed);
  sqlite3_bind_int(add, 7, cell->numerics);
  status = far__sql_run(s, add, error);
  cell->id = sqlite3_last_insert_rowid(s->db);
  return status == FAR_OK && cell->episodes > 0 ? add_episodes(cell, s, error) : status;
}

/* Accepts only the text that the number is printed as: no sign, no leading zero, no overflow. */
static bool parse_seed(uint64_t *out, const char *text) {
  char again[24];
  *out = strtoull(text, NULL, 10);
  snprintf(again, sizeof again, "%llu", (unsigned long long)*out);
  return strcmp(again, text) == 0;
}

/* The text columns of the statement CELL_GET. */
static const far__text_column cell_texts[] = {{0, FAR_HASH_TEXT - 1, "the key of cell"},
                                              {1, FAR__LONGEST_NAME, "the environment of cell"},
                                              {2, FAR_HASH_TEXT - 1, "the model of cell"},
                                              {3, FAR__LONGEST_NAME, "the agent of cell"},
                                              {5, 20, "the seed of cell"}};

static far_status take_cell(far__stored_cell *out, far_store *s, sqlite3_stmt *get,
                            far_error *error) {
  char key[FAR_HASH_TEXT];
  const char *texts[6];
  const far_status status = far__sql_texts(texts, s, get, cell_texts,
                                           sizeof cell_texts / sizeof *cell_texts, out->id, error);
  if (status != FAR_OK) return status;
  snprintf(out->key, sizeof out->key, "%s", texts[0]);
  out->env = strdup(texts[1]);
  snprintf(out->model, sizeof out->model, "%s", texts[2]);
  out->agent = strdup(texts[3]);
  out->steps = sqlite3_column_int64(get, 4);
  const bool seeded = parse_seed(&out->seed, texts[5]);
  out->numerics = sqlite3_column_int(get, 6);
  if (out->env == NULL || out->agent == NULL)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the cells");
  far__stored_cell_key(key, out);
  if (seeded && strcmp(key, out->key) == 0) return FAR_OK;
  return far__fail(error, FAR_STATUS_FORMAT, -1,
                   "'%.120s' is damaged: cell %lld ('%.100s' on '%.100s') is not what its key says",
                   s->path, (long long)out->id, out->agent, out->env);
}

far_status far__stored_cell_get(far__stored_cell *out, far_store *s, int64_t id, far_error *error) {
  sqlite3_stmt *get;
  *out = (far__stored_cell){.id = id};
  far_status status = get_episodes(out, s, error);
  if (status == FAR_OK) status = far__sql_use(&get, s, FAR__CELL_GET, error);
  if (status != FAR_OK) return status;
  sqlite3_bind_int64(get, 1, id);
  status = far__sql_row(s, get, "cell", id, error);
  if (status == FAR_OK) status = take_cell(out, s, get, error);
  sqlite3_reset(get);
  if (status != FAR_OK) far__stored_cell_free(out);
  return status;
}

far_status far__stored_cell_of_key(far__stored_cell *out, far_store *s, const char *key,
                                   far_error *error) {
  int64_t id;
  const far_status status = far__stored_cell_find(&id, s, key, error);
  if (status != FAR_OK) return status;
  if (id != 0) return far__stored_cell_get(out, s, id, error);
  return far__fail(error, FAR_STATUS_UNKNOWN, -1, "'%.200s' has no cell '%.64s'", s->path, key);
}

/* ---- series ---- */

void far__series_free(far__series *series) {
  free(series->name);
  free(series->steps);
  *series = (far__series){0};
}

void far__series_plain(far__series *series) {
  free(series->steps);
  series->steps = NULL;
  series->base = 0;
  series->width = 1;
}

void far__series_list_free(far__series *list, size_t count) {
  for (size_t i = 0; list != NULL && i < count; ++i) far__series_free(&list[i]);
  free(list);
}

char *far__curve_name(const char *base, const int64_t *steps, size_t count) {
  far__text text = {0};
  far__text_add(&text, base, strlen(base)); /* which may be long */
  far__text_add(&text, "@", 1);
  for (size_t k = 0; k < count; ++k)
    far__text_format(&text, "%s%lld", k ? "," : "", (long long)steps[k]);
  if (!text.failed) return text.bytes;
  free(text.bytes);
  return NULL;
}

/* ---- columns ---- */

far__column_name far__series_column(const far__series *series, size_t k) {
  if (series->steps == NULL) return (far__column_name){series->name, strlen(series->name), 0};
  return (far__column_name){series->name, series->base, series->steps[k]};
}

static bool name_is(const far__column_name *name, const char *text) {
  return name->length == strlen(text) && memcmp(name->text, text, name->length) == 0;
}

static int rank(const far__column_name *name) {
  if (name->step > 0) return name_is(name, "curve") ? 2 : 3;
  return !name_is(name, "total");
}

int far__column_order(const far__column_name *x, const far__column_name *y) {
  const int by_rank = rank(x) - rank(y);
  if (by_rank != 0) return by_rank;
  const size_t shorter = x->length < y->length ? x->length : y->length;
  const int by_name = memcmp(x->text, y->text, shorter);
  if (by_name != 0) return by_name;
  if (x->length != y->length) return x->length < y->length ? -1 : 1;
  return (x->step > y->step) - (x->step < y->step);
}

bool far__column_is(const far__column_name *name, const char *text) {
  char step[32] = "";
  if (name->step > 0) snprintf(step, sizeof step, "@%lld", (long long)name->step);
  return strlen(text) == name->length + strlen(step) &&
         memcmp(text, name->text, name->length) == 0 && strcmp(text + name->length, step) == 0;
}

/* ---- names of series ---- */

/* The checkpoints after the last '@': ascending whole numbers. False if they are not. */
static bool parse_steps(far__series *out, const char *text) {
  int64_t before = 0;
  size_t k = 0;
  for (const char *at = text;; ++at) {
    const size_t length = strcspn(at, ",");
    if (at[0] < '1' || strspn(at, "0123456789") != length ||
        !far__integer_parse(at, length, &out->steps[k]) || out->steps[k] <= before)
      return false;
    before = out->steps[k++];
    at += length;
    if (*at == '\0') break;
  }
  out->width = k;
  return true;
}

/* Reads "BASE@10,100" as a curve. A name that has no such steps is one as it is. False without
 * memory. */
static bool take_steps(far__series *out) {
  const char *at = strrchr(out->name, '@');
  if (at == NULL || at == out->name) return true;
  size_t commas = 0;
  for (const char *c = at; *c != '\0'; ++c) commas += *c == ',';
  out->steps = malloc((commas + 1) * sizeof *out->steps);
  if (out->steps == NULL) return false;
  out->base = (size_t)(at - out->name);
  if (parse_steps(out, at + 1)) return true;
  far__series_plain(out);
  return true;
}

/* A name that begins as that of the reward curve, but has no valid steps. */
static bool is_broken(const far__series *series) {
  return series->steps == NULL &&
         (strcmp(series->name, "curve") == 0 || strncmp(series->name, "curve@", 6) == 0);
}

far_status far__series_name(far__series *out, char *name, far_error *error) {
  *out = (far__series){.name = name, .width = 1};
  if (name == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a series");
  const bool good = far__is_line(name, strlen(name), FAR__LONGEST_TEXT);
  if (good && !take_steps(out)) {
    far__series_free(out);
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a series");
  }
  if (good && !is_broken(out)) return FAR_OK;
  far__set_error(error, FAR_STATUS_FORMAT, -1,
                 "'%.100s' is not a series; there are total, metrics, and curve@STEP,STEP,... with "
                 "ascending steps",
                 name);
  far__series_free(out);
  return FAR_STATUS_FORMAT;
}

far_status far__series_find(far__series *series, far_store *s, far_error *error) {
  sqlite3_stmt *find;
  const far_status status = far__sql_use(&find, s, FAR__SERIES_FIND, error);
  if (status != FAR_OK) return status;
  far__sql_bind_string(find, 1, series->name);
  return far__sql_integer(&series->id, s, find, error);
}

far_status far__series_add(far__series *series, far_store *s, far_error *error) {
  sqlite3_stmt *add;
  far_status status = far__series_find(series, s, error);
  if (status != FAR_OK || series->id != 0) return status;
  status = far__sql_use(&add, s, FAR__SERIES_ADD, error);
  if (status != FAR_OK) return status;
  far__sql_bind_string(add, 1, series->name);
  sqlite3_bind_int64(add, 2, (int64_t)series->width);
  status = far__sql_run(s, add, error);
  series->id = sqlite3_last_insert_rowid(s->db);
  return status;
}

static far_status take_series(far__series *out, far_store *s, sqlite3_stmt *list,
                              far_error *error) {
  const int64_t id = sqlite3_column_int64(list, 0), width = sqlite3_column_int64(list, 2);
  static const far__text_column column = {1, FAR__LONGEST_TEXT, "the name of series"};
  const char *texts[2];
  far_status status = far__sql_texts(texts, s, list, &column, 1, id, error);
  if (status == FAR_OK) status = far__series_name(out, strdup(texts[1]), error);
  if (status != FAR_OK) return status;
  out->id = id;
  /* earlier versions knew no curves of metrics: "x@1,2" was the name of one number */
  if (width == 1 && out->width > 1 && strncmp(out->name, "curve@", 6) != 0) far__series_plain(out);
  if ((int64_t)out->width == width) return FAR_OK;
  far__series_free(out);
  return far__fail(error, FAR_STATUS_FORMAT, -1, "'%.200s' is damaged: the width of series %lld",
                   s->path, (long long)id);
}

far_status far__series_of_cell(far__series **out, size_t *count, far_store *s, int64_t cell,
                               far_error *error) {
  sqlite3_stmt *list;
  size_t capacity = 0;
  int64_t bytes = 0;
  *out = NULL;
  *count = 0;
  far_status status =
      far__sql_use(&list, s, cell != 0 ? FAR__SERIES_OF_CELL : FAR__SERIES_ALL, error);
  if (status != FAR_OK) return status;
  if (cell != 0) sqlite3_bind_int64(list, 1, cell);
  for (bool row = true; status == FAR_OK;) {
    status = far__sql_step(s, list, &row, error);
    if (status != FAR_OK || !row) break;
    if (!far__grow((void **)out, *count, &capacity, sizeof **out))
      status = far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the series");
    if (status == FAR_OK) status = take_series(&(*out)[*count], s, list, error);
    *count += status == FAR_OK;
    bytes += sqlite3_column_bytes(list, 1);
    if (status == FAR_OK && bytes > 1 << 24 && bytes > far__store_bytes(s))
      status = far__fail(error, FAR_STATUS_FORMAT, -1,
                         "'%.200s' is damaged: two series share their bytes", s->path);
  }
  sqlite3_reset(list);
  if (status != FAR_OK) {
    far__series_list_free(*out, *count);
    *out = NULL;
  }
  return status;
}
