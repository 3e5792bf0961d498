/* What a store has, and where it came from. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/number.h"
#include "base/text.h"
#include "questions/comparison/times.h"
#include "questions/listing/label.h"
#include "questions/store/store-report.h"
#include "report/build.h"

/* What the JSON document is made of: all cells, series and sessions, although people see some. The report has it. */
typedef struct kept_record {
  const char *key, *env, *model, *agent, *env_label, *agent_label;
  int64_t steps, episodes, runs;
  uint64_t seed;
  int numerics;
} kept_record;

typedef struct kept_contents {
  far_store_info info;
  kept_record *records;
  const char **series;
  far_session *sessions;
  size_t n_records, n_series, n_sessions, record_room, series_room, session_room;
} kept_contents;

typedef struct contents {
  far_store *store;
  const far__store_contents_def *def;
  far_report *report;
  kept_contents *kept;
  far_store_info info;
} contents;

static far_status may_proceed(const contents *c, far_error *error) {
  if (c->def->proceeds == NULL || c->def->proceeds(c->def->user)) return FAR_OK;
  return far__fail(error, FAR_STATUS_CANCELLED, -1, "stopped");
}

static far_status no_memory(far_error *error) {
  return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the contents of the store");
}

/* ---- cells ---- */

/* A row of the table: a record, and its specs as somebody would have typed them. */
typedef struct row {
  char env[FAR_SPEC_SIZE], agent[FAR_SPEC_SIZE];           /* short */
  char full_env[FAR_SPEC_SIZE], full_agent[FAR_SPEC_SIZE]; /* canonical */
  bool typed; /* they were called so where the cell was run */
  char key[FAR_HASH_TEXT], model[FAR_HASH_TEXT];
  int64_t steps, episodes, runs;
  uint64_t seed;
  int numerics;
} row;

typedef struct row_list {
  row *rows;
  size_t count, room;
} row_list;

static const char *copy(const contents *c, const char *text) {
  return far__report_copy(c->report, text, strlen(text) + 1);
}

static far_status keep_record(const contents *c, const far_record *r, far_error *error) {
  kept_contents *k = c->kept;
  if (!far__grow((void **)&k->records, k->n_records, &k->record_room, sizeof *k->records))
    return no_memory(error);
  k->records[k->n_records++] = (kept_record){.key = copy(c, r->key),
                                             .env = copy(c, r->env),
                                             .model = copy(c, r->model),
                                             .agent = copy(c, r->agent),
                                             .env_label = copy(c, r->env_label),
                                             .agent_label = copy(c, r->agent_label),
                                             .steps = r->steps,
                                             .episodes = r->episodes,
                                             .runs = r->runs,
                                             .seed = r->seed,
                                             .numerics = r->numerics};
  return FAR_OK;
}

static void write_record(far__json *j, const kept_record *r) {
  far__json_object(j, NULL);
  far__json_text(j, "key", r->key);
  far__json_text(j, "env", r->env);
  far__json_text(j, "model", r->model);
  far__json_text(j, "agent", r->agent);
  far__json_text(j, "env_label", r->env_label);
  far__json_text(j, "agent_label", r->agent_label);
  far__write_length(j, r->steps, r->episodes);
  far__json_integer(j, "seed", r->seed);
  far__json_integer(j, "numerics", (uint64_t)r->numerics);
  far__json_integer(j, "runs", (uint64_t)r->runs);
  far__json_end(j);
}

/* An agent's defaults depend on the model, and a model that cannot be made leaves the specs as they are. */
static far_status label_row(row *out, const far_record *r, far_error *error) {
  far_mdp *mdp = NULL;
  far_error why;
  if (r->numerics == 0) return FAR_OK;
  far_status status = far_record_model(&mdp, r->env, r->model, &why);
  if (status == FAR_OK) {
    const far_shape shape = far_shape_for(far_mdp_shape(mdp), r->steps, r->episodes);
    status = far__env_label(out->env, r->env, &why);
    if (status == FAR_OK)
      status = far__agent_label_stored(out->agent, r->agent, &shape, r->numerics, &why);
  }
  far_mdp_free(mdp);
  return status == FAR_STATUS_MEMORY ? no_memory(error) : FAR_OK;
}

static far_status add_record(row_list *list, const far_record *r, far_error *error) {
  if (!far__grow((void **)&list->rows, list->count, &list->room, sizeof *list->rows))
    return no_memory(error);
  row *out = &list->rows[list->count++];
  *out = (row){.steps = r->steps,
               .episodes = r->episodes,
               .runs = r->runs,
               .seed = r->seed,
               .numerics = r->numerics};
  snprintf(out->full_env, sizeof out->full_env, "%s", r->env);
  snprintf(out->full_agent, sizeof out->full_agent, "%s", r->agent);
  snprintf(out->key, sizeof out->key, "%s", r->key);
  snprintf(out->model, sizeof out->model, "%s", r->model);
  memcpy(out->env, out->full_env, sizeof out->env);
  memcpy(out->agent, out->full_agent, sizeof out->agent);
  out->typed = r->env_label[0] != '\0';
  if (!out->typed) return label_row(out, r, error);
  snprintf(out->env, sizeof out->env, "%s", r->env_label);
  snprintf(out->agent, sizeof out->agent, "%s", r->agent_label);
  return FAR_OK;
}

static far_status read_records(row_list *list, const contents *c, far_error *error) {
  far_record record;
  bool found = true;
  far_status status = FAR_OK;
  for (size_t i = 0; status == FAR_OK && found; ++i) {
    status = may_proceed(c, error);
    if (status == FAR_OK) status = far_store_record(&record, &found, c->store, i, error);
    if (status != FAR_OK || !found) break;
    status = keep_record(c, &record, error);
    if (status != FAR_OK) break;
    if (c->def->most_rows == 0 || i < c->def->most_rows) status = add_record(list, &record, error);
  }
  return status;
}

static void add_row(far_table *t, const row *r, const char *const *envs, const char *const *agents,
                    size_t n) {
  char env[FAR_SPEC_SIZE], agent[FAR_SPEC_SIZE];
  if (!r->typed) far__label_distinguish(env, r->env, r->full_env, envs, n);
  if (!r->typed) far__label_distinguish(agent, r->agent, r->full_agent, agents, n);
  far__table_row(t);
  far__table_spec(t, r->typed ? r->env : env, r->full_env);
  far__table_spec(t, r->typed ? r->agent : agent, r->full_agent);
  if (r->steps > 0)
    far__table_count(t, r->steps);
  else
    far__table_blank(t);
  if (r->episodes > 0)
    far__table_count(t, r->episodes);
  else
    far__table_blank(t);
  far__table_text(t, "%llu", (unsigned long long)r->seed);
  far__table_count(t, r->runs);
  far__table_text(t, "%s",
                  r->numerics == 0                ? "imported"
                  : r->numerics == far_numerics() ? ""
                                                  : "another version");
  far__table_count(t, r->numerics);
  far__table_text(t, "%s", r->model);
  far__table_text(t, "%s", r->key);
}

static void add_rows(far_table *t, const row_list *list, const char **labels) {
  const char **envs = labels, **agents = labels + list->count;
  for (size_t i = 0; i < list->count; ++i) {
    envs[i] = list->rows[i].env;
    agents[i] = list->rows[i].agent;
  }
  for (size_t i = 0; i < list->count; ++i) add_row(t, &list->rows[i], envs, agents, list->count);
}

static bool any_episodes(const row_list *list) {
  size_t i = 0;
  while (i < list->count && list->rows[i].episodes == 0) ++i;
  return i < list->count;
}

static far_table *cell_table(far_report *report, bool by_episode) {
  far_table *t = far__report_table(report, "cells");
  far__table_column(t, "env", "environment", FAR__COLUMN_SPEC);
  far__table_column(t, "agent", "agent", FAR__COLUMN_SPEC);
  far__table_column(t, "steps", "steps", FAR__COLUMN_COUNT);
  far__table_column(t, "episodes", by_episode ? "episodes" : NULL, FAR__COLUMN_COUNT);
  far__table_column(t, "seed", "seed", FAR__COLUMN_TEXT);
  far__table_column(t, "runs", "runs", FAR__COLUMN_COUNT);
  far__table_column(t, "origin", "", FAR__COLUMN_TEXT);
  far__table_column(t, "numerics", NULL, FAR__COLUMN_COUNT);
  far__table_column(t, "model", NULL, FAR__COLUMN_TEXT);
  far__table_column(t, "key", NULL, FAR__COLUMN_TEXT);
  return t;
}

static far_status add_cells(const contents *c, far_error *error) {
  row_list list = {0};
  const char **labels = NULL;
  far_status status = read_records(&list, c, error);
  if (status == FAR_OK && (labels = calloc(2 * list.count + 1, sizeof *labels)) == NULL)
    status = no_memory(error);
  if (status == FAR_OK) add_rows(cell_table(c->report, any_episodes(&list)), &list, labels);
  if (status == FAR_OK && (int64_t)list.count < c->info.cells)
    far__report_note(c->report, FAR__NOTE_REMARK, "... and %lld more cell%s; JSON lists all.",
                     (long long)c->info.cells - (long long)list.count,
                     far__plural(c->info.cells - (int64_t)list.count));
  free(labels);
  free(list.rows);
  return status;
}

/* ---- series ---- */

/* "total, coverage, curve (100 steps), coverage (100 steps)": the steps of a curve follow each other. */
typedef struct summary {
  far__text text;
  far__text base; /* of the curve */
  size_t steps;
} summary;

static void end_curve(summary *s) {
  if (s->steps > 0)
    far__text_format(&s->text, " (%zu step%s)", s->steps, far__plural((int64_t)s->steps));
  s->base.length = 0;
  s->steps = 0;
}

static void summarise(summary *s, const char *series) {
  /* The length of what stands before '@STEP' in the name of a column; 0 if it has no step. */
  const char *at = strrchr(series, '@');
  int64_t step;
  const size_t base =
      at != NULL && far__integer_parse(at + 1, strlen(at + 1), &step) ? (size_t)(at - series) : 0;
  const bool same = base > 0 && s->steps > 0 && s->base.length == base && !s->base.failed &&
                    memcmp(s->base.bytes, series, base) == 0;
  if (!same) end_curve(s);
  if (!same) {
    if (s->text.length > 0) far__text_add(&s->text, ", ", 2);
    far__text_add(&s->text, series, base > 0 ? base : strlen(series));
  }
  if (!same && base > 0) far__text_add(&s->base, series, base);
  s->steps += base > 0;
}

static far_status keep_series(const contents *c, const char *series, far_error *error) {
  kept_contents *k = c->kept;
  if (!far__grow((void **)&k->series, k->n_series, &k->series_room, sizeof *k->series))
    return no_memory(error);
  k->series[k->n_series++] = copy(c, series);
  return FAR_OK;
}

static far_status read_series(summary *s, far_table *t, const contents *c, far_error *error) {
  const char *series;
  bool found = true;
  far_status status = FAR_OK;
  for (size_t i = 0; status == FAR_OK && found; ++i) {
    status = may_proceed(c, error);
    if (status == FAR_OK) status = far_store_series(&series, &found, c->store, NULL, i, error);
    if (status != FAR_OK || !found) break;
    status = keep_series(c, series, error);
    far__table_row(t);
    far__table_text(t, "%s", series);
    summarise(s, series);
  }
  end_curve(s);
  return status;
}

static far_status add_series(const contents *c, far_error *error) {
  summary s = {0};
  far_table *t = far__report_table(c->report, "series");
  far__table_column(t, "series", NULL, FAR__COLUMN_TEXT);
  far_status status = read_series(&s, t, c, error);
  if (status == FAR_OK && (s.text.failed || s.base.failed)) status = no_memory(error);
  if (status == FAR_OK && s.text.length > 0)
    far__report_paragraph(c->report, "Series: %s", s.text.bytes);
  far_buffer_free(&s.text);
  far_buffer_free(&s.base);
  return status;
}

/* ---- sessions ---- */

static void write_session(far__json *j, const far_session *s) {
  far__json_object(j, NULL);
  far__json_text(j, "version", s->version);
  far__json_text(j, "compiler", s->compiler);
  far__json_text(j, "machine", s->machine);
  far__json_text(j, "command", s->command);
  far__json_text(j, "started", s->started);
  far__json_text(j, "last", s->last);
  far__json_integer(j, "numerics", (uint64_t)s->numerics);
  far__json_integer(j, "processors", (uint64_t)s->processors);
  far__json_integer(j, "runs", (uint64_t)s->runs);
  far__json_end(j);
}

static far_status keep_session(const contents *c, const far_session *s, far_error *error) {
  kept_contents *k = c->kept;
  if (!far__grow((void **)&k->sessions, k->n_sessions, &k->session_room, sizeof *k->sessions))
    return no_memory(error);
  far_session *kept = &k->sessions[k->n_sessions++];
  *kept = *s; /* whose texts are the store's, until the next session is asked for */
  kept->version = copy(c, s->version);
  kept->compiler = copy(c, s->compiler);
  kept->machine = copy(c, s->machine);
  kept->command = copy(c, s->command);
  kept->started = copy(c, s->started);
  kept->last = copy(c, s->last);
  return FAR_OK;
}

static void show_session(const contents *c, const far_session *s) {
  far__report_item(c->report, "%s to %s: %lld run%s, farsight %s (%s), %s, %d processor%s",
                   s->started, s->last, (long long)s->runs, far__plural(s->runs), s->version,
                   s->compiler, s->machine, s->processors, far__plural(s->processors));
  if (s->command[0] != '\0') far__report_item(c->report, "  %s", s->command);
}

static void add_session(far_table *t, const far_session *s) {
  far__table_row(t);
  far__table_text(t, "%s", s->started);
  far__table_text(t, "%s", s->last);
  far__table_count(t, s->runs);
  far__table_text(t, "%s", s->version);
  far__table_text(t, "%s", s->compiler);
  far__table_text(t, "%s", s->machine);
  far__table_count(t, s->processors);
  far__table_count(t, s->numerics);
  far__table_text(t, "%s", s->command);
}

static far_table *session_table(far_report *report) {
  far_table *t = far__report_table(report, "sessions");
  far__table_column(t, "started", NULL, FAR__COLUMN_TEXT);
  far__table_column(t, "last", NULL, FAR__COLUMN_TEXT);
  far__table_column(t, "runs", NULL, FAR__COLUMN_COUNT);
  far__table_column(t, "version", NULL, FAR__COLUMN_TEXT);
  far__table_column(t, "compiler", NULL, FAR__COLUMN_TEXT);
  far__table_column(t, "machine", NULL, FAR__COLUMN_TEXT);
  far__table_column(t, "processors", NULL, FAR__COLUMN_COUNT);
  far__table_column(t, "numerics", NULL, FAR__COLUMN_COUNT);
  far__table_column(t, "command", NULL, FAR__COLUMN_TEXT);
  return t;
}

static far_status add_sessions(const contents *c, far_error *error) {
  const size_t most = c->def->most_rows, all = (size_t)c->info.sessions;
  const size_t first = most > 0 && all > most ? all - most : 0;
  far_session s;
  bool found = true;
  int numerics = 0;
  far_status status = FAR_OK;
  far_table *t = session_table(c->report);
  if (all > 0) far__report_list(c->report, "Sessions%s:", first > 0 ? ", the last" : "");
  for (size_t i = 0; status == FAR_OK && found; ++i) {
    status = may_proceed(c, error);
    if (status == FAR_OK) status = far_store_session(&s, &found, c->store, i, error);
    if (status != FAR_OK || !found) break;
    status = keep_session(c, &s, error);
    add_session(t, &s);
    if (i >= first) show_session(c, &s);
    if (s.numerics != far_numerics()) numerics = s.numerics;
  }
  /* The cells of the table say that they are of another version: what that means. */
  if (numerics != 0)
    far__report_note(c->report, FAR__NOTE_REMARK,
                     "Cells of another version (numerics %d, this one has %d) are shown apart from "
                     "new ones, and a "
                     "study that asks for them computes them again.",
                     numerics, far_numerics());
  return status;
}

/* ---- the whole ---- */

static void add_title(const contents *c) {
  char snapshots[64] = "";
  if (c->info.snapshots > 0)
    snprintf(snapshots, sizeof snapshots, "%lld snapshot%s, ", (long long)c->info.snapshots,
             far__plural(c->info.snapshots));
  far__report_heading(c->report, 1, "%s: %lld cell%s, %lld run%s (%s s of processor time), %s%s",
                      c->def->name, (long long)c->info.cells, far__plural(c->info.cells),
                      (long long)c->info.runs, far__plural(c->info.runs),
                      far__brief_real(c->info.seconds).text, snapshots,
                      far__brief_bytes((double)c->info.bytes).text);
}

static void write_contents(const void *user, far__json *j) {
  const kept_contents *k = user;
  far__json_integer(j, "format", (uint64_t)k->info.format);
  far__json_integer(j, "runs", (uint64_t)k->info.runs);
  far__json_integer(j, "blocks", (uint64_t)k->info.blocks);
  far__json_integer(j, "values", (uint64_t)k->info.values);
  far__json_real(j, "seconds", k->info.seconds);
  far__json_integer(j, "bytes", (uint64_t)k->info.bytes);
  far__json_integer(j, "snapshots", (uint64_t)k->info.snapshots);
  far__json_array(j, "cells");
  for (size_t i = 0; i < k->n_records; ++i) write_record(j, &k->records[i]);
  far__json_end(j);
  far__json_array(j, "series");
  for (size_t i = 0; i < k->n_series; ++i) far__json_text(j, NULL, k->series[i]);
  far__json_end(j);
  far__json_array(j, "sessions");
  for (size_t i = 0; i < k->n_sessions; ++i) write_session(j, &k->sessions[i]);
  far__json_end(j);
}

static void free_kept(void *user) {
  kept_contents *k = user;
  free(k->records);
  free(k->series);
  free(k->sessions);
  free(k);
}

/* Room for what is kept, which belongs to the report as soon as there is any. */
static far_status begin_kept(contents *c, far_error *error) {
  c->kept = calloc(1, sizeof *c->kept);
  if (c->kept == NULL) return no_memory(error);
  c->kept->info = c->info;
  far__report_keep(c->report, c->kept, free_kept);
  far__report_data_by(c->report, write_contents, c->kept);
  return far__report_status(c->report, error);
}

far_status far__store_contents_report(far_store *store, const far__store_contents_def *def,
                                      far_report *report, far_error *error) {
  contents c = {.store = store, .def = def, .report = report};
  far_status status = far_store_info_of(&c.info, store, error);
  if (status != FAR_OK) return status;
  add_title(&c);
  status = begin_kept(&c, error);
  if (status == FAR_OK) status = add_cells(&c, error);
  if (status == FAR_OK) status = add_series(&c, error);
  if (status == FAR_OK) status = add_sessions(&c, error);
  return status == FAR_OK ? far__report_status(report, error) : status;
}
