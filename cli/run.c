/* farsight run: a grid of environments x agents. */
#include "metrics.h"
#include "table.h"

#include <stdlib.h>

static const option_info options[] = {GRID_OPTIONS, METRIC_OPTION};

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
    table_cell(&t, 3, "%s", format_interval(r->mean, r->ci95).text);
    table_cell(&t, 4, "%s", format_number(r->std).text);
    table_cell(&t, 5, "%s", format_number(r->min).text);
    table_cell(&t, 6, "%s", format_number(r->max).text);
  }
  printf("Undiscounted reward, steps %lld, seed %llu\n\n", (long long)def->cells[0].steps,
         (unsigned long long)def->seed);
  table_print(&t, 2);
  metrics_print(batch, def, g);
  printf("\nEvery parameter:\n");
  print_environments(g);
  print_specs(batch, def->n_cells);
}

static int run(const arguments *args) {
  static const char *const none[] = {NULL};
  return grid_run(args, none, none, 300, args_flag(args, "json") ? grid_print_json : print_table);
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
                "  farsight run -e chain:n=50 -a q-learning:q0=20,epsilon=0 --runs 1000 --json\n"
                "  farsight run -e riverswim -a r-max -a psrl --metric coverage:what=pairs\n",
    .words = "",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .run = run,
};
