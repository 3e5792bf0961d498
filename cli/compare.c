/* farsight compare: agents as rows, environments as columns. */
#include <stdlib.h>

#include "grid.h"
#include "memory.h"
#include "output.h"
#include "questions/results/results.h"

static const option_info options[] = {
    {'e', "env", "SPEC", "environment; may be repeated (default: the standard ones)",
     COMPLETE_ENVIRONMENT},
    {'a', "agent", "SPEC", "agent; may be repeated (default: all, with their practical defaults)",
     COMPLETE_AGENT},
    GAMMA_OPTION,
    {0, "steps", "N", "steps of a run (default 10000)", COMPLETE_NONE},
    {0, "episodes", "K",
     "a run ends after so many episodes; where an episode has no most length (horizon=H), --steps "
     "is "
     "the most of a run",
     COMPLETE_NONE},
    {0, "runs", "N", "independent runs of every cell (default 30)", COMPLETE_NONE},
    {0, "seed", "N", "seed of all random streams (default 1)", COMPLETE_NONE},
    {0, "threads", "N",
     "threads; the results do not depend on it (default: all processors, 1 per rank under mpirun)",
     COMPLETE_NONE},
    DEVICE_OPTION,
    METRIC_OPTION,
    STORE_OPTION,
    UNTIL_OPTION,
    FORMAT_OPTIONS,
    {0, "markdown", NULL, "the same as --format markdown", COMPLETE_NONE},
};

enum { MOST_AGENTS = 64, MOST_PROBLEMS = 16, MOST_COLUMNS = 100 };

/* Stops solving soon after the batch was interrupted: the last row is then left out. */
static bool goes_on(void *user, int64_t sweeps, double error) {
  (void)user, (void)sweeps, (void)error;
  return !out_of_time();
}

static void add_matrix(const far_results *results, far_report *report) {
  far_solve_def how = far_solve_def_default();
  double *best = room_for(results->info.n_envs, sizeof *best);
  how.progress = goes_on;
  need_memory(far__results_best(best, results, &how, NULL));
  far__results_matrix(results, best, report);
  free(best);
}

/* Has one of the environments a horizon? Then agents for a finite horizon are compared as well. */
static bool names_horizon(const arguments *args) {
  size_t length;
  for (size_t i = 0; args_text(args, "env", i) != NULL; ++i)
    if (far_spec_value(args_text(args, "env", i), "horizon", &length) != NULL) return true;
  return false;
}

static int run(const arguments *args) {
  const char *agents[MOST_AGENTS + 1] = {NULL}, *problems[MOST_PROBLEMS + 1] = {NULL};
  far_report_format format;
  grid g;
  /* All agents that learn; baselines are run when they are named. */
  const bool horizon = names_horizon(args);
  size_t n = 0;
  for (size_t i = 0; n < MOST_AGENTS && far_agent_type(i) != NULL; ++i) {
    const far_type_info *type = far_agent_type(i);
    if (!type->baseline && (horizon || !type->finite_horizon)) agents[n++] = type->name;
  }
  for (size_t i = 0; i < MOST_PROBLEMS; ++i) problems[i] = far__standard_problem(i);
  if (!report_format(args, &format)) return EXIT_USAGE;
  const grid_defaults defaults = {problems, agents, 30, MOST_COLUMNS};
  int code = grid_make(&g, args, &defaults);
  if (code == EXIT_OK) code = grid_run(&g, args, add_matrix);
  grid_free(&g);
  return code;
}

const command cmd_compare = {
    .name = "compare",
    .synopsis = "[FILE] [-e ENV...] [-a AGENT...] [OPTIONS]",
    .summary = "Compare agents on environments in one table",
    .details =
        "FILE is a study, as for 'farsight run'. Without it and without -e on the standard hard\n"
        "problems, without -a all agents that learn. The\n"
        "numbers are those of 'farsight run': the same random numbers for every agent, the "
        "same bits\n"
        "whatever the number of threads. The last row is what the best policy would earn.\n",
    .examples = "  farsight compare\n"
                "  farsight compare -a psrl -a r-max:m=5 -a r-max:m=30 -e riverswim -e sixarms\n",
    .words = "",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .max_words = 1,
    .tables = "cells, pairs, ranks",
    .run = run,
};
