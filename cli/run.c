/* farsight run: a grid of environments x agents. */
#include "cells.h"
#include "table.h"

#include <stdlib.h>

static const option_info options[] = {
    {'e', "env", "SPEC", "environment; may be repeated", COMPLETE_ENVIRONMENT},
    {'a', "agent", "SPEC", "agent; may be repeated", COMPLETE_AGENT},
    {0, "steps", "N", "steps of a run (default 10000)", COMPLETE_NONE},
    BATCH_OPTIONS,
    {'q', "quiet", NULL, "no notes on lost guarantees", COMPLETE_NONE},
};

typedef struct grid {
  size_t n_envs, n_agents;
  far_mdp **mdps;
  far_cell *cells;
  int64_t steps;
} grid;

static size_t count_values(const arguments *args, const char *option) {
  size_t n = 0;
  while (args_text(args, option, n) != NULL) ++n;
  return n;
}

static void free_grid(grid *g) {
  for (size_t i = 0; g->mdps != NULL && i < g->n_envs; ++i) far_mdp_free(g->mdps[i]);
  free(g->mdps);
  free(g->cells);
}

static void warn_unreachable(const arguments *args, const far_mdp *mdp) {
  uint32_t count = 0, first = 0;
  if (args_flag(args, "quiet")) return;
  if (far_mdp_unreachable(mdp, &count, &first, NULL) == FAR_OK && count > 0)
    fprintf(stderr, "farsight: note: %s: %lu states can never be reached, the first is %lu\n",
            far_mdp_spec(mdp), (unsigned long)count, (unsigned long)first);
}

static int fill_grid(grid *g, const arguments *args) {
  far_error error;
  for (size_t i = 0; i < g->n_envs; ++i) {
    const char *env = args_text(args, "env", i);
    if (far_mdp_create(&g->mdps[i], env, &error) != FAR_OK) return spec_error(&error, env);
    const far_shape shape = far_mdp_shape(g->mdps[i]);
    warn_unreachable(args, g->mdps[i]);
    for (size_t j = 0; j < g->n_agents; ++j) {
      const char *agent = args_text(args, "agent", j);
      g->cells[i * g->n_agents + j] = (far_cell){g->mdps[i], agent, g->steps};
      if (far_agent_check(agent, &shape, NULL, NULL, &error) != FAR_OK)
        return spec_error(&error, agent); /* before anything runs */
      print_warnings(args, agent, env, &shape);
    }
  }
  return EXIT_OK;
}

static void print_json(const far_batch *batch, const far_batch_def *def) {
  write_head_json(def->seed);
  for (size_t i = 0; i < def->n_cells; ++i) {
    printf("%s\n  {", i ? "," : "");
    write_cell_json(&def->cells[i], far_batch_result(batch, i));
    printf("}");
  }
  printf("\n]}\n");
}

static void number_cell(table *t, size_t column, double x) {
  if (x == x)
    table_cell(t, column, "%.2f", x);
  else
    table_cell(t, column, "–");
}

static void print_table(const far_batch *batch, const far_batch_def *def) {
  static const char *const heads[] = {"environment", "agent", "runs", "mean ± 95%",
                                      "std",         "min",   "max"};
  table t = table_create("llrrrrr");
  table_row(&t);
  for (size_t c = 0; c < 7; ++c) table_cell(&t, c, "%s", heads[c]);
  for (size_t i = 0; i < def->n_cells; ++i) {
    const far_result *r = far_batch_result(batch, i);
    const far_cell *cell = &def->cells[i];
    const bool again = i > 0 && cell->mdp == def->cells[i - 1].mdp;
    table_row(&t);
    table_cell(&t, 0, "%s", again ? "" : far_mdp_spec(cell->mdp));
    table_cell(&t, 1, "%s", cell->agent);
    table_cell(&t, 2, "%lld", (long long)r->runs);
    table_cell(&t, 3, "%s", format_interval(r->mean, r->ci95).text);
    number_cell(&t, 4, r->std);
    number_cell(&t, 5, r->min);
    number_cell(&t, 6, r->max);
  }
  printf("Undiscounted reward, steps %lld, seed %llu\n\n", (long long)def->cells[0].steps,
         (unsigned long long)def->seed);
  table_print(&t, 2);
  printf("\nEvery parameter:\n");
  print_specs(batch, def->n_cells);
}

static int run_grid(grid *g, const arguments *args, far_batch_def *def) {
  const int code = fill_grid(g, args);
  if (code != EXIT_OK) return code;
  def->cells = g->cells;
  def->n_cells = g->n_envs * g->n_agents;
  return run_batch(def, args_flag(args, "json") ? print_json : print_table);
}

static int run(const arguments *args) {
  far_batch_def def = far_batch_def_default();
  grid g = {
      .steps = 10000, .n_envs = count_values(args, "env"), .n_agents = count_values(args, "agent")};
  if (!args_integer(args, "steps", 1, INT64_MAX / 2, &g.steps)) return EXIT_USAGE;
  if (!batch_options(args, &def)) return EXIT_USAGE;
  if (g.n_envs == 0) return usage_error(args, "no environment is given, as in -e chain:n=10");
  if (g.n_agents == 0) return usage_error(args, "no agent is given, as in -a directed-delayed-q");
  g.mdps = calloc(g.n_envs, sizeof *g.mdps);
  g.cells = calloc(g.n_envs * g.n_agents, sizeof *g.cells);
  int code = EXIT_FAILED;
  if (g.mdps != NULL && g.cells != NULL) code = run_grid(&g, args, &def);
  free_grid(&g);
  return code;
}

const command cmd_run = {
    .name = "run",
    .synopsis = "-e ENV... -a AGENT... [OPTIONS]",
    .summary = "Run agents on environments and print their total reward",
    .details =
        "All agents meet the same luck: run k of every cell uses the same random streams. The\n"
        "same arguments give the same numbers to the last bit, whatever the number of\n"
        "threads. On Ctrl-C the runs that are finished are kept and printed.\n",
    .examples = "  farsight run -e chain:n=10 -a directed-delayed-q -a delayed-q-ie\n"
                "  farsight run -e chain:n=50 -a q-learning:q0=20,epsilon=0 --runs 1000 --json\n",
    .words = "",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .run = run,
};
