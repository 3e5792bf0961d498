#include "grid.h"
#include "base/file.h"
#include "base/text.h"
#include "hints.h"
#include "lab/study/parts.h"
#include "memory.h"
#include "notes.h"
#include "output.h"
#include "report/build.h"
#include "statistics/rules.h"
#include "store_open.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the definition ---- */

typedef struct lists {
  const char **envs, **agents, **metrics;
  const char *wrong;
} lists;

static size_t count_values(const arguments *args, const char *option) {
  size_t n = 0;
  while (args_text(args, option, n) != NULL) ++n;
  return n;
}

const char **option_values(const arguments *args, const char *option, const char *const *others,
                           size_t *count) {
  const size_t given = count_values(args, option);
  size_t n = 0;
  while (given == 0 && others != NULL && others[n] != NULL) ++n;
  *count = given > 0 ? given : n;
  const char **out = room_for(*count, sizeof *out);
  for (size_t i = 0; i < *count; ++i) out[i] = given > 0 ? args_text(args, option, i) : others[i];
  return out;
}

/* False after printing an error. */
static bool read_options(far_study_def *def, lists *l, const arguments *args,
                         const grid_defaults *defaults, far_batch_def *batch) {
  *def = far_study_def_default();
  def->runs = batch->runs = defaults->runs;
  if (!gamma_option(args, &def->gamma)) return false;
  if (!args_integer(args, "steps", 1, INT64_MAX / 2, &def->steps) ||
      !args_integer(args, "episodes", 1, INT64_MAX / 2, &def->episodes))
    return false;
  if (!batch_options(args, batch)) return false;
  def->runs = batch->runs;
  def->seed = batch->seed;
  def->most_envs = defaults->most_envs;
  def->curve = args_last(args, "curve");
  def->until = args_last(args, "until");
  if (def->until != NULL && !args_flag(args, "runs")) def->runs = 0; /* the rule's own maximum */
  if (!args_integer(args, "snapshots", 0, 100000000, &def->snapshots)) return false;
  def->wrong = &l->wrong;
  l->envs = option_values(args, "env", defaults->envs, &def->n_envs);
  l->agents = option_values(args, "agent", defaults->agents, &def->n_agents);
  l->metrics = option_values(args, "metric", NULL, &def->n_metrics);
  def->envs = l->envs;
  def->agents = l->agents;
  def->metrics = l->metrics;
  return true;
}

/* What replaces the file's: all options that are given. */
static unsigned given_members(const arguments *args) {
  static const struct {
    const char *option;
    unsigned member;
  } table[] = {{"env", FAR_STUDY_ENVS},         {"agent", FAR_STUDY_AGENTS},
               {"gamma", FAR_STUDY_GAMMA},      {"steps", FAR_STUDY_STEPS},
               {"metric", FAR_STUDY_METRICS},   {"runs", FAR_STUDY_RUNS},
               {"seed", FAR_STUDY_SEED},        {"curve", FAR_STUDY_CURVE},
               {"until", FAR_STUDY_UNTIL},      {"snapshots", FAR_STUDY_SNAPSHOTS},
               {"episodes", FAR_STUDY_EPISODES}};
  unsigned members = 0;
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i)
    if (args_text(args, table[i].option, 0) != NULL) members |= table[i].member;
  return members;
}

/* ---- errors ---- */

/* Reads the line of a file that has byte `at` and says where in it that is; its length, or 0 if it is
 * too long to be shown. A byte beyond ASCII ends it at `at`: it may be no UTF-8. */
static size_t read_line(FILE *f, int at, char *line, size_t size, size_t *column) {
  long start = 0;
  size_t n = 0;
  for (int i = 0, c; i < at && (c = getc(f)) != EOF; ++i)
    if (c == '\n') start = i + 1;
  if (fseek(f, start, SEEK_SET) != 0) return 0;
  *column = (size_t)(at - start);
  for (int c; n < size && (c = getc(f)) != EOF && c != '\n'; ++n) {
    if (n == *column && c >= 0x80) break;
    line[n] = (char)(c == '\r' ? ' ' : c);
  }
  return n < size && *column <= n ? n : 0;
}

/* That line with a caret below it. */
static void print_line_at(const char *path, int at) {
  FILE *f;
  char line[200], text[sizeof line + 1];
  size_t column;
  if (far__file_open(&f, NULL, path, LONGEST_FILE, NULL) != FAR_OK) return;
  const size_t n = read_line(f, at, line, sizeof line, &column);
  fclose(f);
  if (n == 0) return;
  const size_t before = far__printable(text, line, column);
  far__printable(text + before, line + column, n - column);
  say(stderr, "  %s\n  %*s^\n", text, far__text_width(text, before), "");
}

int study_file_error(const far_error *error, const char *file) {
  const int code = library_error(error);
  if (error->position >= 0) print_line_at(file, error->position);
  return code;
}

static int study_error(const far_error *error, const lists *l, const char *file) {
  if (l->wrong != NULL) return spec_error(error, l->wrong);
  return file != NULL ? study_file_error(error, file) : library_error(error);
}

/* ---- the grid ---- */

static int check_arguments(const arguments *args, const char *file, const far_study_def *def) {
  if (file != NULL && is_absent(file)) return absent_file(args, "study file", file);
  if (file == NULL && def->n_envs == 0)
    return usage_error(args, "no environment is given, as in -e chain:n=10");
  if (file == NULL && def->n_agents == 0)
    return usage_error(args, "no agent is given, as in -a directed-delayed-q");
  return EXIT_OK;
}

static void fill_grid(grid *g, const far_batch_def *batch, const char *store) {
  const far_study_info info = far_study_info_of(g->study);
  g->def = *far_study_batch(g->study);
  g->def.threads = batch->threads;
  g->def.pool = batch->pool;
  g->def.progress = batch->progress;
  g->name = info.name;
  g->store = store;
  g->n_envs = info.n_envs;
  g->n_agents = info.n_agents;
  g->envs = info.envs;
  g->agents = info.agents;
  g->cells = g->def.cells;
  g->sequential = info.until[0] != '\0';
}

/* Without a store there is nowhere to keep them. */
static int check_snapshots(grid *g, const arguments *args) {
  if (g->def.snapshots == 0 || g->store != NULL || args_flag(args, "save-study")) return EXIT_OK;
  if (args_flag(args, "snapshots"))
    return usage_error(args, "--snapshots are kept in a store: give --store FILE as well");
  g->def.snapshots = 0;
  note("without --store no snapshots are taken");
  return EXIT_OK;
}

static int fill_until(grid *g, const arguments *args) {
  far_error error;
  if (!g->sequential) return EXIT_OK;
  const char *text = far_study_info_of(g->study).until;
  const far_status status = far__ranking_is_goal(text)
                                ? far__study_ranking(&(far_ranking_def){0}, g->study, &error)
                                : far__study_until(&(far_until){0}, g->study, &error);
  if (need_memory(status) == FAR_OK) return EXIT_OK;
  return usage_error(args, "until %s: %s", text, error.message);
}

static int make_study(grid *g, const arguments *args, const grid_defaults *defaults, lists *l) {
  far_batch_def batch = far_batch_def_default();
  far_study_def def;
  far_error error;
  notes n;
  if (!read_options(&def, l, args, defaults, &batch)) return EXIT_USAGE;
  g->file = args_word(args, 0);
  int code = check_arguments(args, g->file, &def);
  if (code != EXIT_OK) return code;
  notes_begin(&n, args);
  def.note = notes_take;
  def.note_user = &n;
  const far_status status =
      g->file != NULL ? far_study_load(&g->study, g->file, &def, given_members(args), &error)
                      : far_study_create(&g->study, &def, &error);
  notes_end(&n, status == FAR_OK);
  if (status != FAR_OK) return study_error(&error, l, g->file);
  fill_grid(g, &batch, args_last(args, "store"));
  code = check_snapshots(g, args);
  return code == EXIT_OK ? fill_until(g, args) : code;
}

int grid_make(grid *out, const arguments *args, const grid_defaults *defaults) {
  lists l = {0};
  *out = (grid){.name = ""};
  const int code = make_study(out, args, defaults, &l);
  free(l.envs);
  free(l.agents);
  free(l.metrics);
  return code;
}

void grid_free(grid *g) {
  far_study_free(g->study);
  *g = (grid){.name = ""};
}

static far_status run_study(far_results **out, const grid *g, far_error *error) {
  far_study_run_def def = {.store_name = g->store,
                           .threads = g->def.threads,
                           .pool = g->def.pool,
                           .progress = g->def.progress,
                           .user = g->def.user};
  far_status status = FAR_OK;
  *out = NULL;
  if (g->store != NULL) status = open_store(&def.store, g->store, FAR_STORE_WRITE, error);
  if (status == FAR_OK && def.store != NULL)
    status = far_store_command(def.store, command_line(), error);
  if (status == FAR_OK) status = far_study_run(out, g->study, &def, error);
  close_store(def.store);
  return status;
}

int grid_run(const grid *g, const arguments *args, add_results *add) {
  far_results *results;
  far_error error;
  catch_interrupts();
  const far_status status = run_study(&results, g, &error);
  if (status != FAR_OK && status != FAR_STATUS_CANCELLED) return run_error(&error);
  int code = EXIT_OK;
  if (results != NULL) {
    far_report *report = new_report(args);
    add(results, report);
    code = print_report(args, report);
  }
  if (status == FAR_STATUS_CANCELLED)
    code = stopped_batch(results != NULL ? results->batch : NULL, g->def.n_cells, g->store, &error);
  far_results_free(results);
  return code;
}
