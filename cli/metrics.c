#include "metrics.h"
#include "table.h"

static void print_one(const far_batch *batch, const far_batch_def *def, const grid *g, size_t k) {
  static const char *const heads[] = {"environment", "agent", "mean ± 95%", "std", "min", "max"};
  table t = table_create("llrrrr");
  table_row(&t);
  for (size_t c = 0; c < 6; ++c) table_cell(&t, c, "%s", heads[c]);
  for (size_t i = 0; i < def->n_cells; ++i) {
    const far_result *r = far_batch_metric(batch, i, k);
    table_row(&t);
    table_cell(&t, 0, "%s", i % g->n_agents ? "" : g->envs[i / g->n_agents]);
    table_cell(&t, 1, "%s", def->cells[i].agent);
    table_cell(&t, 2, "%s", format_interval(r->mean, r->ci95).text);
    table_cell(&t, 3, "%s", format_number(r->std).text);
    table_cell(&t, 4, "%s", format_number(r->min).text);
    table_cell(&t, 5, "%s", format_number(r->max).text);
  }
  printf("\n%s%s\n\n", def->metrics[k]->name,
         g->sequential ? "; intervals do not allow for the stopping rule" : "");
  table_print(&t, 2);
}

/* Where the numbers at checkpoints are: a table of them all would be too long. */
static void print_where(const far_batch *batch, const far_batch_def *def, const grid *g) {
  size_t k = 0;
  while (k < def->n_metrics && far_batch_metric_point(batch, 0, k, 0) == NULL) ++k;
  if (k == def->n_metrics) return;
  printf("\nMetrics at checkpoints: --json has them, and with --store so does\n"
         "  farsight stats %s --series '%s@%lld'\n",
         g->store != NULL ? g->store : "FILE", def->metrics[k]->name,
         (long long)far_batch_metric_point(batch, 0, k, 0)->step);
}

void metrics_print(const far_batch *batch, const far_batch_def *def, const grid *g) {
  for (size_t k = 0; k < def->n_metrics; ++k) print_one(batch, def, g, k);
  print_where(batch, def, g);
}
