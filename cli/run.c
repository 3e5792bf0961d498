/* farsight run: a study of environments x agents, from a file or from options. */
#include "base/file.h"
#include "device.h"
#include "grid.h"
#include "hints.h"
#include "output.h"
#include "outputs.h"
#include "process.h"
#include "questions/cost/cost.h"
#include "statistics/rules.h"

#include <stdlib.h>
#include <string.h>

static const option_info options[] = {
    {'e', "env", "SPEC", "environment; may be repeated", COMPLETE_ENVIRONMENT},
    {'a', "agent", "SPEC", "agent; may be repeated", COMPLETE_AGENT},
    GAMMA_OPTION,
    {0, "steps", "N", "steps of a run (default 10000)", COMPLETE_NONE},
    {0, "episodes", "K",
     "a run ends after so many episodes; where an episode has no most length (horizon=H), --steps "
     "is "
     "the most of a run",
     COMPLETE_NONE},
    BATCH_OPTIONS,
    METRIC_OPTION,
    {0, "curve", "POINTS",
     "also record the reward and all metrics so far, at so many steps evenly (100) or "
     "logarithmically ('log 100'), or at these (10,100,1000)",
     COMPLETE_NONE},
    STORE_OPTION,
    {0, "snapshots", "N",
     "with --store and --curve: also keep values, visits and policy of the first N runs of every "
     "cell at the checkpoints (default 0)",
     COMPLETE_NONE},
    UNTIL_OPTION,
    PROCESS_OPTIONS,
    {0, "dry-run", NULL, "print what would be run, and for how long; run and write nothing",
     COMPLETE_NONE},
    {0, "save-study", "FILE", "write the study as a file, and run nothing", COMPLETE_OUTPUT},
};

/* ---- the cost ---- */

enum { MOST_ROWS = 50 }; /* of a table for people */

/* 0: one for each processor. */
static unsigned count_workers(const far_batch_def *def) {
  if (all_ranks() == NULL) return def->threads;
  return (unsigned)count_ranks() * (def->threads > 0 ? def->threads : 1);
}

static int print_cost(const far__cost *cost, far_report_format format, const arguments *args) {
  far_report *report = new_report(args);
  far__cost_report(cost, format == FAR_REPORT_CSV ? 0 : MOST_ROWS, report);
  return print_report(args, report);
}

/* --dry-run: prints what a study would run, for how long, and how much it would store; writes nothing. */
static int dry_run(const grid *g, const arguments *args) {
  far__cost_def def = far__cost_def_default();
  far__cost *cost = NULL;
  far_error error;
  far_status status = FAR_OK;
  far_report_format format;
  if (!report_format(args, &format)) return EXIT_USAGE;
  def.study = g->study;
  def.store_name = args_last(args, "store");
  def.workers = count_workers(&g->def);
  def.device = device_pool();
  if (def.store_name != NULL && !is_absent(def.store_name))
    status = far_store_open(&def.store, def.store_name, FAR_STORE_READ, &error);
  if (status == FAR_OK) status = far__cost_estimate(&cost, &def, &error);
  const int code = status == FAR_OK ? print_cost(cost, format, args) : run_error(&error);
  far__cost_free(cost);
  far_store_close(def.store);
  return code;
}

/* ---- the command ---- */

/* Tables that this study will not have are refused before the work; the exit code. */
static int check_table(const grid *g, const arguments *args) {
  const char *table = args_last(args, "table");
  if (table == NULL) return EXIT_OK;
  if (strcmp(table, "curves") == 0 && g->def.cells[0].n_checkpoints == 0)
    return usage_error(args, "--table curves: there is no curve; --curve records one");
  if (strcmp(table, "metrics") == 0 && g->def.n_metrics == 0)
    return usage_error(args, "--table metrics: there is no metric; --metric records one");
  if ((strcmp(table, "pairs") == 0 || strcmp(table, "ranks") == 0) &&
      !far__ranking_is_goal(far_study_info_of(g->study).until))
    return usage_error(args, "--table %s: there is no ranking; --until rank=5%% makes one", table);
  return EXIT_OK;
}

/* --save-study runs nothing: options for results with it are an error. The exit code. */
static int check_purpose(const arguments *args) {
  static const char *const of_results[] = {"dry-run", "format", "json", "table"};
  for (size_t i = 0; args_flag(args, "save-study") && i < 4; ++i)
    if (args_flag(args, of_results[i]))
      return usage_error(args,
                         "--save-study writes the study and prints no results: leave out --%s",
                         of_results[i]);
  return EXIT_OK;
}

static int run_grid(grid *g, const arguments *args) {
  const char *path = args_last(args, "save-study");
  if (path != NULL) {
    far_error error;
    char *text;
    for (size_t i = 0; i < g->n_envs; ++i)
      if (check_output_of_spec(args, path, g->envs[i]) != EXIT_OK) return EXIT_USAGE;
    if (far_study_print(&text, g->study, &error) != FAR_OK) return run_error(&error);
    far_status status = FAR_OK;
    if (strcmp(path, "-") == 0)
      fputs(text, stdout); /* finish_output reports a failed write */
    else
      status = far__file_replace(path, text, strlen(text), &error);
    free(text);
    return status == FAR_OK ? EXIT_OK : run_error(&error);
  }
  if (args_flag(args, "dry-run")) return dry_run(g, args);
  int code = check_table(g, args);
  if (code == EXIT_OK)
    code = allow_processes(args, g->agents, g->n_agents, args_flag(args, "agent") ? NULL : g->file);
  return code == EXIT_OK ? grid_run(g, args, far_results_report) : code;
}

static int run(const arguments *args) {
  const grid_defaults defaults = {0};
  far_report_format format;
  grid g;
  if (!report_format(args, &format)) return EXIT_USAGE;
  int code = check_purpose(args);
  if (code == EXIT_OK) code = register_process(args);
  if (code != EXIT_OK) return code;
  code = grid_make(&g, args, &defaults);
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
        "metrics and a curve (docs/studies.md). Options replace its content: -e all of its\n"
        "environments, -a all of its agents, --metric its metrics. Everything is checked before\n"
        "anything runs.\n\n"
        "A value in brackets stands for several, in files and here: -e chain:n=[10,20,50],\n"
        "-a 'q-learning:epsilon=[0.001..0.1 log 5]', -a 'r-max:m=[5..25 step 5]'. A name may\n"
        "precede a spec, and is what tables, figures and stores then call it: -a few=r-max:m=5.\n\n"
        "All agents see the same random numbers: run k of every cell uses the same streams. The\n"
        "same arguments give the same numbers to the last bit, whatever the number of\n"
        "threads. On Ctrl-C the runs that are finished are kept and printed.\n\n"
        "-a 'process:COMMAND' is a program of yours that answers the lines which 'farsight agent'\n"
        "answers (docs/embedding.md). The shell runs it, and it may do whatever you may do: one\n"
        "that stands in FILE is started with --process all alone, and never by --dry-run.\n",
    .examples = "  farsight run -e chain:n=10 -a directed-delayed-q -a delayed-q-ie\n"
                "  farsight run -e chain:n=50 -a q-learning:q0=20,epsilon=0 --runs 1000 --json\n"
                "  farsight run -e riverswim -a r-max -a psrl --metric coverage:what=pairs\n"
                "  farsight run -e chain -a 'process:python3 agent.py' -a q-learning\n"
                "  farsight run -e riverswim -a r-max -a psrl -a optimal --until rank=5%\n"
                "  farsight run study.yaml --dry-run\n"
                "  farsight run study.yaml --store results.db\n"
                "  farsight run -e chain:n=[10,50] -a r-max --save-study study.yaml\n",
    .words = "",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .max_words = 1,
    .tables = "cells, metrics, curves, pairs, ranks",
    .run = run,
};
