/* farsight run: a study of environments x agents, from a file or from options. */
#include "dry_run.h"
#include "metrics.h"
#include "table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const option_info options[] = {
    {'e', "env", "SPEC", "environment; may be repeated", COMPLETE_ENVIRONMENT},
    {'a', "agent", "SPEC", "agent; may be repeated", COMPLETE_AGENT},
    {0, "steps", "N", "steps of a run (default 10000)", COMPLETE_NONE},
    BATCH_OPTIONS,
    METRIC_OPTION,
    {0, "curve", "POINTS",
     "also tell the reward so far, at so many steps evenly (100) or logarithmically ('log 100'), "
     "or at "
     "these (10,100,1000)",
     COMPLETE_NONE},
    {0, "store", "FILE", "keep results in this file, and compute only what it does not have",
     COMPLETE_NONE},
    {0, "until", "GOAL",
     "add runs until the 95% interval of every mean is narrow: ci=1% (of the mean) or ci=5; --runs "
     "is then the most (default 100000)",
     COMPLETE_NONE},
    {0, "dry-run", NULL, "say what would be run, and for how long; run and write nothing",
     COMPLETE_NONE},
    {0, "save-study", "FILE", "write the study as a file, and run nothing", COMPLETE_NONE},
    {'q', "quiet", NULL, "hide notes about parameters outside the guarantee", COMPLETE_NONE},
};

/* ---- tables ---- */

enum { CURVE_COLUMNS = 6 };

/* Of n checkpoints, the k-th of those that the table has room for; the last is the last. */
static size_t shown_point(size_t n, size_t k, size_t columns) {
  return (k + 1) * n / columns - 1;
}

static void print_curves(const far_batch *batch, const far_batch_def *def, const grid *g) {
  const size_t n = def->cells[0].n_checkpoints;
  const size_t columns = n < CURVE_COLUMNS ? n : CURVE_COLUMNS;
  char layout[CURVE_COLUMNS + 3] = "ll";
  if (n == 0) return;
  memset(layout + 2, 'r', columns);
  table t = table_create(layout);
  table_row(&t);
  table_cell(&t, 0, "environment");
  table_cell(&t, 1, "agent");
  for (size_t k = 0; k < columns; ++k)
    table_cell(&t, k + 2, "%lld", (long long)def->cells[0].checkpoints[shown_point(n, k, columns)]);
  for (size_t i = 0; i < def->n_cells; ++i) {
    table_row(&t);
    table_cell(&t, 0, "%s", i % g->n_agents ? "" : g->envs[i / g->n_agents]);
    table_cell(&t, 1, "%s", def->cells[i].agent);
    for (size_t k = 0; k < columns; ++k) {
      const far_point *p = far_batch_point(batch, i, shown_point(n, k, columns));
      table_cell(&t, k + 2, "%s", format_interval(p->mean, p->ci95).text);
    }
  }
  printf("\nReward so far, after so many steps");
  if (columns < n) printf(" (%zu of %zu checkpoints; --json has all)", columns, n);
  printf("%s\n\n", g->sequential ? "; intervals do not allow for the stopping rule" : "");
  table_print(&t, 2);
}

/* Where the interval decided when to stop, the one that is valid all the same. */
static double half_width(const grid *g, const far_result *r, size_t cell) {
  return g->sequential && g->looks[cell].n == r->runs ? g->looks[cell].half_width : r->ci95;
}

static void print_until(const far_batch *batch, const grid *g) {
  size_t wide = 0, skewed = 0, between = 0;
  if (!g->sequential) return;
  for (size_t i = 0; i < g->def.n_cells; ++i) {
    wide += !g->looks[i].enough;
    skewed += g->looks[i].skewed;
    between += g->looks[i].n != far_batch_result(batch, i)->runs;
  }
  printf(
      "\nRuns were added until %s, %lld at first, at most %lld. These intervals allow for having\n"
      "decided when to stop: each look spends a part of the 5%% (docs/statistics.md). They hold "
      "where\n"
      "runs are near normal in the mean; a success too rare to be among the first runs is not "
      "seen.\n",
      far_study_info_of(g->study).until, (long long)g->until.first, (long long)g->until.most);
  if (g->until.most <= g->until.first)
    printf("There was one look only; a larger --runs allows more.\n");
  if (wide > 0)
    printf("In %zu of %zu cells the interval is not narrow enough", wide, g->def.n_cells);
  if (skewed > 0) printf(", in %zu of these since the runs are too skewed", skewed);
  if (wide > 0) printf(".\n");
  if (between > 0)
    printf(
        "In %zu of %zu cells the runs were stopped between two looks; there the interval is plain\n"
        "Student's.\n",
        between, g->def.n_cells);
}

static void print_store(const far_batch *batch, const grid *g) {
  int64_t runs = 0, computed = 0;
  if (g->store == NULL) return;
  for (size_t i = 0; i < g->def.n_cells; ++i) {
    const far_result *r = far_batch_result(batch, i);
    runs += r->runs;
    computed += g->sequential ? g->looks[i].computed : r->runs - r->known;
  }
  const int64_t reused = runs - computed;
  printf("\nReused %s run%s from %s; computed %s.\n", format_count(reused).text,
         reused == 1 ? "" : "s", g->store, format_count(computed).text);
}

static void print_table(const far_batch *batch, const far_batch_def *def, const void *context) {
  const grid *g = context;
  static const char *const heads[] = {"environment", "agent", "runs", "mean ± 95%",
                                      "std",         "min",   "max"};
  table t = table_create("llrrrrr");
  table_row(&t);
  for (size_t c = 0; c < 7; ++c) table_cell(&t, c, "%s", heads[c]);
  for (size_t i = 0; i < def->n_cells; ++i) {
    const far_result *r = far_batch_result(batch, i);
    table_row(&t);
    table_cell(&t, 0, "%s", i % g->n_agents ? "" : g->envs[i / g->n_agents]);
    table_cell(&t, 1, "%s", def->cells[i].agent);
    table_cell(&t, 2, "%lld", (long long)r->runs);
    table_cell(&t, 3, "%s", format_interval(r->mean, half_width(g, r, i)).text);
    table_cell(&t, 4, "%s", format_number(r->std).text);
    table_cell(&t, 5, "%s", format_number(r->min).text);
    table_cell(&t, 6, "%s", format_number(r->max).text);
  }
  printf("%s%sUndiscounted reward, steps %lld, seed %llu\n\n", g->name, g->name[0] ? ": " : "",
         (long long)def->cells[0].steps, (unsigned long long)def->seed);
  table_print(&t, 2);
  if (any_peeks(g->agents, g->n_agents)) printf("\n");
  print_peeking(g->agents, g->n_agents);
  print_store(batch, g);
  print_until(batch, g);
  print_curves(batch, def, g);
  metrics_print(batch, def, g);
  printf("\nEvery parameter:\n");
  print_environments(g);
  print_specs(batch, def->n_cells);
}

/* ---- the command ---- */

static int save_study(const grid *g, const char *path) {
  far_error error;
  char *text;
  if (far_study_print(&text, g->study, &error) != FAR_OK) return run_error(&error);
  FILE *f = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
  bool good = f != NULL && fputs(text, f) >= 0;
  if (f != NULL && f != stdout) good = (fclose(f) == 0) && good;
  free(text);
  if (good) return EXIT_OK;
  fprintf(stderr, "farsight: cannot write '%s': %s\n", path, strerror(errno));
  return EXIT_FAILED;
}

static int run_grid(grid *g, const arguments *args) {
  const char *path = args_last(args, "save-study");
  if (path != NULL) return save_study(g, path);
  if (args_flag(args, "dry-run")) return dry_run(g, args);
  return grid_run(g, args_flag(args, "json") ? grid_print_json : print_table);
}

static int run(const arguments *args) {
  const grid_defaults defaults = {0};
  grid g;
  int code = grid_make(&g, args, &defaults);
  if (code == EXIT_OK) code = run_grid(&g, args);
  grid_free(&g);
  return code;
}

const command cmd_run = {
    .name = "run",
    .synopsis = "[FILE] [-e ENV...] [-a AGENT...] [OPTIONS]",
    .summary = "Run agents on environments and print their total reward",
    .details =
        "FILE is a study in YAML: environments, agents, grids of parameters, steps, runs, seed,\n"
        "metrics and a curve (docs/studies.md). Options replace what it says: -e all of its\n"
        "environments, -a all of its agents, --metric its metrics. Everything is checked before\n"
        "anything runs.\n\n"
        "A value in brackets stands for several, in files and here: -e chain:n=[10,20,50],\n"
        "-a 'q-learning:epsilon=[0.001..0.1 log 5]', -a 'r-max:m=[5..25 step 5]'.\n\n"
        "All agents see the same random numbers: run k of every cell uses the same streams. The\n"
        "same arguments give the same numbers to the last bit, whatever the number of\n"
        "threads. On Ctrl-C the runs that are finished are kept and printed.\n",
    .examples = "  farsight run -e chain:n=10 -a directed-delayed-q -a delayed-q-ie\n"
                "  farsight run -e chain:n=50 -a q-learning:q0=20,epsilon=0 --runs 1000 --json\n"
                "  farsight run -e riverswim -a r-max -a psrl --metric coverage:what=pairs\n"
                "  farsight run study.yaml --dry-run\n"
                "  farsight run study.yaml --store results.db\n"
                "  farsight run -e chain:n=[10,50] -a r-max --save-study study.yaml\n",
    .words = "",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .max_words = 1,
    .run = run,
};
