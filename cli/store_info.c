/* farsight store info: what a store has, and where it came from. */
#include "store.h"

#include <stdlib.h>
#include <string.h>

#include "cells.h"
#include "json.h"
#include "memory.h"
#include "table.h"

enum { SHOWN = 20 }; /* rows of a table for people */

/* A text of a store, which may be a stranger's: control characters would reach the terminal. */
static void print_plain(const char *text) {
  printf("    ");
  for (; *text != '\0'; ++text) putchar((unsigned char)*text < 0x20 || *text == 0x7f ? '?' : *text);
  putchar('\n');
}

/* ---- for machines ---- */

static void write_text(FILE *out, const char *name, const char *text) {
  json_print(out, "\"%s\":", name);
  json_write_string(out, text);
}

static void write_record(FILE *out, const far_record *r, size_t i) {
  json_print(out, "%s\n  {", i ? "," : "");
  write_text(out, "key", r->key);
  json_print(out, ",");
  write_text(out, "env", r->env);
  json_print(out, ",");
  write_text(out, "model", r->model);
  json_print(out, ",");
  write_text(out, "agent", r->agent);
  json_print(out, ",\"steps\":%lld", (long long)r->steps);
  json_add_integer(out, "seed", r->seed);
  json_print(out, ",\"numerics\":%d,\"runs\":%lld}", r->numerics, (long long)r->runs);
}

static void write_session(FILE *out, const far_session *s, size_t i) {
  const char *const names[] = {"version", "compiler", "machine", "command", "started", "last"};
  const char *const texts[] = {s->version, s->compiler, s->machine,
                               s->command, s->started,  s->last};
  json_print(out, "%s\n  {", i ? "," : "");
  for (size_t k = 0; k < 6; ++k) {
    write_text(out, names[k], texts[k]);
    json_print(out, ",");
  }
  json_print(out, "\"numerics\":%d,\"processors\":%d,\"runs\":%lld}", s->numerics, s->processors,
             (long long)s->runs);
}

static far_status write_records(FILE *out, far_store *store, far_error *error) {
  far_record record;
  bool found = true;
  far_status status = FAR_OK;
  json_print(out, ",\"cells\":[");
  for (size_t i = 0; status == FAR_OK && found && !interrupted(); ++i) {
    status = far_store_record(&record, &found, store, i, error);
    if (status == FAR_OK && found) write_record(out, &record, i);
  }
  return status;
}

static far_status write_series(FILE *out, far_store *store, far_error *error) {
  const char *series;
  bool found = true;
  far_status status = FAR_OK;
  json_print(out, "],\"series\":[");
  for (size_t i = 0; status == FAR_OK && found && !interrupted(); ++i) {
    status = far_store_series(&series, &found, store, NULL, i, error);
    if (status != FAR_OK || !found) break;
    json_print(out, "%s", i ? "," : "");
    json_write_string(out, series);
  }
  return status;
}

static far_status write_sessions(FILE *out, far_store *store, far_error *error) {
  far_session session;
  bool found = true;
  far_status status = FAR_OK;
  json_print(out, "],\"sessions\":[");
  for (size_t i = 0; status == FAR_OK && found && !interrupted(); ++i) {
    status = far_store_session(&session, &found, store, i, error);
    if (status == FAR_OK && found) write_session(out, &session, i);
  }
  return status;
}

static far_status write_all(FILE *out, far_store *store, const far_store_info *info,
                            far_error *error) {
  json_print(out, "{\"format\":%d,\"runs\":%lld,\"blocks\":%lld,\"values\":%lld,\"seconds\":",
             info->format, (long long)info->runs, (long long)info->blocks, (long long)info->values);
  json_write_real(out, info->seconds);
  json_print(out, ",\"bytes\":%lld,\"snapshots\":%lld", (long long)info->bytes,
             (long long)info->snapshots);
  far_status status = write_records(out, store, error);
  if (status == FAR_OK) status = write_series(out, store, error);
  if (status == FAR_OK) status = write_sessions(out, store, error);
  json_print(out, "]}\n");
  return status;
}

/* The document is printed once it is whole: after a failure there is none. */
static far_status write_json(far_store *store, const far_store_info *info, far_error *error) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_text(&text, &size);
  const far_status status = write_all(out, store, info, error);
  close_text(out, &text);
  if (json_lost()) out_of_memory();
  if (status == FAR_OK && !interrupted()) fwrite(text, 1, size, stdout);
  free(text);
  return status;
}

/* ---- for people ---- */

static void print_size(int64_t bytes) {
  if (bytes < 1000000)
    printf("%.0f kB", (double)bytes / 1000);
  else
    printf("%.1f MB", (double)bytes / 1e6);
}

/* A row of the table: the record, and its specs as somebody would have typed them. */
typedef struct row {
  char env[FAR_SPEC_SIZE], agent[FAR_SPEC_SIZE];           /* short */
  char full_env[FAR_SPEC_SIZE], full_agent[FAR_SPEC_SIZE]; /* canonical */
  int64_t steps, runs;
  uint64_t seed;
  int numerics;
} row;

/* An agent's defaults depend on the model. */
static void fill_row(row *out, const far_record *r) {
  far_mdp *mdp = NULL;
  *out = (row){.steps = r->steps, .runs = r->runs, .seed = r->seed, .numerics = r->numerics};
  snprintf(out->full_env, sizeof out->full_env, "%s", r->env);
  snprintf(out->full_agent, sizeof out->full_agent, "%s", r->agent);
  memcpy(out->env, out->full_env, sizeof out->env);
  memcpy(out->agent, out->full_agent, sizeof out->agent);
  if (r->numerics != 0) need_memory(far_record_model(&mdp, r->env, r->model, NULL));
  if (mdp != NULL) {
    const far_shape shape = far_mdp_shape(mdp);
    need_memory(far_env_label(out->env, r->env, NULL));
    need_memory(far_agent_label(out->agent, r->agent, &shape, NULL));
  }
  far_mdp_free(mdp);
}

static void add_row(table *t, const row *r, const char *const *envs, const char *const *agents,
                    size_t n) {
  char label[FAR_SPEC_SIZE];
  table_row(t);
  far_label_distinguish(label, r->env, r->full_env, envs, n);
  table_cell(t, 0, "%s", label);
  far_label_distinguish(label, r->agent, r->full_agent, agents, n);
  table_cell(t, 1, "%s", label);
  if (r->steps > 0) table_cell(t, 2, "%lld", (long long)r->steps);
  table_cell(t, 3, "%llu", (unsigned long long)r->seed);
  table_cell(t, 4, "%lld", (long long)r->runs);
  table_cell(t, 5, "%s",
             r->numerics == 0                ? "elsewhere"
             : r->numerics == far_numerics() ? ""
                                             : "other numerics");
}

static void print_rows(const row *rows, size_t n) {
  static const char *const heads[] = {"environment", "agent", "steps", "seed", "runs", ""};
  const char *envs[SHOWN], *agents[SHOWN];
  table t = table_create("llrrrl");
  table_row(&t);
  for (size_t c = 0; c < 6; ++c) table_cell(&t, c, "%s", heads[c]);
  for (size_t i = 0; i < n; ++i) {
    envs[i] = rows[i].env;
    agents[i] = rows[i].agent;
  }
  for (size_t i = 0; i < n; ++i) add_row(&t, &rows[i], envs, agents, n);
  table_print(&t, 2);
}

static far_status print_cells(far_store *store, const far_store_info *info, far_error *error) {
  far_record record;
  bool found = true;
  size_t n = 0;
  far_status status = FAR_OK;
  row *rows = room_for(SHOWN, sizeof *rows);
  while (status == FAR_OK && found && n < SHOWN && !interrupted()) {
    status = far_store_record(&record, &found, store, n, error);
    if (status == FAR_OK && found) fill_row(&rows[n++], &record);
  }
  print_rows(rows, n);
  free(rows);
  if (info->cells > SHOWN)
    printf("  and %s more; --json lists all\n", counted(info->cells - SHOWN, "cell").text);
  return status;
}

/* The length of what stands before '@STEP' in the name of a column; 0 if it has no step. */
static size_t base_length(const char *series) {
  const char *at = strrchr(series, '@');
  int64_t step;
  return at != NULL && far_integer_parse(at + 1, strlen(at + 1), &step) ? (size_t)(at - series) : 0;
}

/* Steps of one curve, which follow each other. */
typedef struct curve_steps {
  char *base; /* heap; NULL: none */
  size_t count;
} curve_steps;

static void print_curve(curve_steps *c) {
  if (c->base != NULL) printf(", %s (%zu %s)", c->base, c->count, c->count == 1 ? "step" : "steps");
  free(c->base);
  *c = (curve_steps){0};
}

static void add_step(curve_steps *c, const char *series, size_t length) {
  if (c->base == NULL || strlen(c->base) != length || memcmp(c->base, series, length) != 0) {
    print_curve(c);
    c->base = copy_of(series);
    c->base[length] = '\0';
  }
  c->count += 1;
}

/* "Series: total, coverage, curve (100 steps), coverage (100 steps)" */
static far_status print_series(far_store *store, far_error *error) {
  const char *series;
  bool found = true;
  curve_steps c = {0};
  far_status status = FAR_OK;
  printf("\nSeries: ");
  for (size_t i = 0; status == FAR_OK && found && !interrupted(); ++i) {
    status = far_store_series(&series, &found, store, NULL, i, error);
    if (status != FAR_OK || !found) break;
    const size_t base = base_length(series);
    if (base > 0)
      add_step(&c, series, base);
    else
      printf("%s%s", i ? ", " : "", series);
  }
  print_curve(&c);
  printf("\n");
  return status;
}

static far_status print_sessions(far_store *store, const far_store_info *info, far_error *error) {
  far_session s;
  bool found = true;
  far_status status = FAR_OK;
  const size_t first = info->sessions > SHOWN ? (size_t)info->sessions - SHOWN : 0;
  printf("\nSessions%s:\n", first > 0 ? ", the last" : "");
  for (size_t i = first; status == FAR_OK && found && !interrupted(); ++i) {
    status = far_store_session(&s, &found, store, i, error);
    if (status != FAR_OK || !found) break;
    printf("  %s to %s: %s, farsight %s (%s), %s, %s\n", s.started, s.last,
           counted(s.runs, "run").text, s.version, s.compiler, s.machine,
           counted(s.processors, "processor").text);
    if (s.command[0] != '\0') print_plain(s.command);
  }
  return status;
}

int store_info(const arguments *args, far_store *store, const char *path) {
  far_store_info info;
  far_error error;
  far_status status = far_store_info_of(&info, store, &error);
  if (status == FAR_OK && args_flag(args, "json")) {
    status = write_json(store, &info, &error);
  } else if (status == FAR_OK) {
    printf("%s: %s, %s (%s s of processor time), ", path, counted(info.cells, "cell").text,
           counted(info.runs, "run").text, format_number(info.seconds).text);
    if (info.snapshots > 0) printf("%s, ", counted(info.snapshots, "snapshot").text);
    print_size(info.bytes);
    printf("\n\n");
    if (info.cells == 0) return EXIT_OK;
    status = print_cells(store, &info, &error);
    if (status == FAR_OK) status = print_series(store, &error);
    if (status == FAR_OK) status = print_sessions(store, &info, &error);
  }
  if (status == FAR_OK && interrupted()) {
    error.code = status = FAR_STATUS_CANCELLED;
    fflush(stdout);
  }
  return status == FAR_OK ? EXIT_OK : store_failed(&error);
}
