/* farsight compare: agents as rows, environments as columns. */
#include "json.h"
#include "metrics.h"
#include "policies.h"
#include "table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const option_info options[] = {
    {'e', "env", "SPEC", "environment; may be repeated (default: the standard ones)",
     COMPLETE_ENVIRONMENT},
    {'a', "agent", "SPEC", "agent; may be repeated (default: all, with their practical defaults)",
     COMPLETE_AGENT},
    {0, "steps", "N", "steps of a run (default 10000)", COMPLETE_NONE},
    {0, "runs", "N", "independent runs of every cell (default 30)", COMPLETE_NONE},
    {0, "seed", "N", "seed of all random streams (default 1)", COMPLETE_NONE},
    {0, "threads", "N",
     "threads; the results do not depend on it (default: all processors, 1 a rank under mpirun)",
     COMPLETE_NONE},
    METRIC_OPTION,
    {0, "json", NULL, "print one JSON document on standard output", COMPLETE_NONE},
    {0, "markdown", NULL, "print Markdown", COMPLETE_NONE},
    {'q', "quiet", NULL, "hide notes about parameters outside the guarantee", COMPLETE_NONE},
};

/* The standard problems: what is hard to explore, each for another reason. */
static const char *const standard[] = {"chain:n=10", "chain:n=50", "riverswim",   "sixarms", "loop",
                                       "deepsea",    "bridge",     "frozen-lake", NULL};

enum { MOST_AGENTS = 64 };
_Static_assert(sizeof standard / sizeof *standard <= TABLE_COLUMNS, "the table has the columns");

/* What the best policy would earn on the environment of a cell. */
static double optimum(const far_cell *cell) {
  return best_total(cell->mdp, cell->steps);
}

/* What is printed: the grid, what the best policy earns on each environment, and what the footnotes
 * have to explain. */
typedef struct comparison {
  const grid *g;
  double best[TABLE_COLUMNS];
  bool no_best, stopped;
} comparison;

static comparison examine(const far_batch *batch, const far_batch_def *def, const grid *g) {
  comparison x = {.g = g};
  for (size_t i = 0; i < g->n_envs; ++i) {
    x.best[i] = optimum(&g->cells[i * g->n_agents]);
    x.no_best = x.no_best || x.best[i] != x.best[i];
  }
  for (size_t i = 0; i < def->n_cells && !x.stopped; ++i)
    x.stopped = far_batch_result(batch, i)->runs < def->runs;
  return x;
}

enum { REWARD = -1 }; /* in place of a metric */

static table make_table(const far_batch *batch, const far_batch_def *def, const comparison *x,
                        int metric) {
  const grid *g = x->g;
  char layout[TABLE_COLUMNS + 1] = "l";
  memset(layout + 1, 'r', g->n_envs);
  table t = table_create(layout);
  table_row(&t);
  table_cell(&t, 0, "agent");
  for (size_t i = 0; i < g->n_envs; ++i) table_cell(&t, i + 1, "%s", g->envs[i]);
  for (size_t j = 0; j < g->n_agents; ++j) {
    table_row(&t);
    table_cell(&t, 0, "%s", g->agents[j]);
    for (size_t i = 0; i < g->n_envs; ++i) {
      const size_t cell = i * g->n_agents + j;
      const far_result *reward = far_batch_result(batch, cell);
      const far_result *r =
          metric == REWARD ? reward : far_batch_metric(batch, cell, (size_t)metric);
      table_cell(&t, i + 1, "%s%s", format_interval(r->mean, r->ci95).text,
                 reward->runs < def->runs ? "*" : "");
    }
  }
  if (metric != REWARD) return t;
  table_row(&t);
  table_cell(&t, 0, "best policy");
  for (size_t i = 0; i < g->n_envs; ++i)
    table_cell(&t, i + 1, "%s", format_number(x->best[i]).text);
  return t;
}

static void print_heading(const far_batch_def *def) {
  printf("Undiscounted reward of %lld steps, ", (long long)def->cells[0].steps);
  if (def->runs == 1)
    printf("one run");
  else
    printf("mean of %lld runs ± 95%%", (long long)def->runs);
  printf(", seed %llu", (unsigned long long)def->seed);
}

/* A line each; `star` is how the mark is written. */
static void print_footnotes(const comparison *x, const char *star) {
  if (x->no_best && out_of_time())
    printf("–: not computed, because the command was stopped.\n");
  else if (x->no_best)
    printf(
        "–: not one average reward for all starts (farsight solve -e ENV --average says more).\n");
  if (x->stopped) printf("%s stopped early: fewer runs than asked.\n", star);
  print_peeking(x->g->agents, x->g->n_agents);
}

static void print_text(const far_batch *batch, const far_batch_def *def, const void *context) {
  const grid *g = context;
  const comparison x = examine(batch, def, g);
  table t = make_table(batch, def, &x, REWARD);
  print_heading(def);
  printf("\n\n");
  table_print(&t, 2);
  printf("\nThe best policy's row is its exact average reward times the steps.\n");
  print_footnotes(&x, "*");
  for (size_t k = 0; k < def->n_metrics; ++k) {
    t = make_table(batch, def, &x, (int)k);
    printf("\n%s\n\n", def->metrics[k]->name);
    table_print(&t, 2);
  }
  printf("%sEvery parameter, on %s (elsewhere what depends on the range of rewards\n"
         "follows it; --json tells):\n",
         def->n_metrics > 0 ? "\n" : "", g->envs[0]);
  print_specs(batch, g->n_agents);
}

static void print_markdown(const far_batch *batch, const far_batch_def *def, const void *context) {
  const grid *g = context;
  const comparison x = examine(batch, def, g);
  table t = make_table(batch, def, &x, REWARD);
  print_heading(def);
  printf(". The best policy's row is its exact average reward times the steps.\n\n");
  table_print_markdown(&t);
  if (x.no_best || x.stopped || any_peeks(g->agents, g->n_agents)) printf("\n");
  print_footnotes(&x, "\\*");
  for (size_t k = 0; k < def->n_metrics; ++k) {
    t = make_table(batch, def, &x, (int)k);
    printf("\n`%s`:\n\n", def->metrics[k]->name);
    table_print_markdown(&t);
  }
  printf("\nEvery environment:\n\n");
  for (size_t i = 0; i < g->n_envs; ++i) printf("    %s\n", far_mdp_spec(grid_mdp(g, i)));
  printf("\nEvery agent, as it was on `%s`; elsewhere what depends on the range of rewards follows "
         "it:\n\n",
         g->envs[0]);
  for (size_t j = 0; j < g->n_agents; ++j) printf("    %s\n", far_batch_result(batch, j)->agent);
}

static void print_json(const far_batch *batch, const far_batch_def *def, const void *context) {
  const grid *g = context;
  const comparison x = examine(batch, def, g);
  grid_write_cells(batch, g);
  printf(",\"best\":[");
  for (size_t i = 0; i < g->n_envs; ++i) {
    printf("%s\n  {\"env\":", i ? "," : "");
    json_write_string(stdout, far_mdp_spec(grid_mdp(g, i)));
    printf(",\"total\":");
    json_write_real(stdout, x.best[i]);
    printf("}");
  }
  printf("\n]}\n");
}

static int run(const arguments *args) {
  const char *all[MOST_AGENTS + 1] = {NULL};
  const far_type_info *type;
  for (size_t i = 0, n = 0; n < MOST_AGENTS && (type = far_agent_type(i)) != NULL; ++i)
    if (!type->baseline) all[n++] = type->name;
  print_batch *print = args_flag(args, "markdown") ? print_markdown : print_text;
  if (args_flag(args, "json")) print = print_json;
  const grid_defaults defaults = {standard, all, 30, TABLE_COLUMNS - 1};
  grid g;
  int code = grid_make(&g, args, &defaults);
  if (code == EXIT_OK) code = grid_run(&g, print);
  grid_free(&g);
  return code;
}

const command cmd_compare = {
    .name = "compare",
    .synopsis = "[-e ENV...] [-a AGENT...] [OPTIONS]",
    .summary = "Compare agents on environments in one table",
    .details = "Without -e on the standard hard problems, without -a all agents that learn. The\n"
               "numbers are those of 'farsight run': the same random numbers for every agent, the "
               "same bits\n"
               "whatever the number of threads. The last row is what the best policy would earn.\n",
    .examples = "  farsight compare\n"
                "  farsight compare -a psrl -a r-max:m=5 -a r-max:m=30 -e riverswim -e sixarms\n",
    .words = "",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .run = run,
};
