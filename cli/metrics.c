#include "metrics.h"

#include <stdlib.h>

#include "table.h"

int metrics_make(metrics *out, const arguments *args, far_batch_def *def) {
  static const char *const none[] = {NULL};
  far_error error;
  size_t count;
  *out = (metrics){0};
  out->specs = option_values(args, "metric", none, &count);
  out->made = calloc(count + 1, sizeof(far_metric *));
  if (out->specs == NULL || out->made == NULL) return EXIT_FAILED;
  for (; out->count < count; ++out->count)
    if (far_metric_create(&out->made[out->count], out->specs[out->count], &error) != FAR_OK)
      return spec_error(&error, out->specs[out->count]);
  def->metrics = (const far_metric *const *)out->made;
  def->n_metrics = count;
  return EXIT_OK;
}

void metrics_free(metrics *m) {
  for (size_t k = 0; m->made != NULL && k < m->count; ++k) far_metric_free(m->made[k]);
  free(m->made);
  free(m->specs);
}

/* ---- checks ---- */

typedef struct place {
  const char *metric, *agent, *env;
  bool quiet;
} place;

static void take_warning(void *user, bool severe, const char *message) {
  const place *at = user;
  if (!at->quiet)
    fprintf(stderr, "farsight: %s: %s of %s on %s: %s\n", severe ? "warning" : "note", at->metric,
            at->agent, at->env, message);
}

static int check_one(const metrics *m, size_t k, const far_cell *cell, place *at) {
  far_error error;
  at->metric = m->specs[k];
  if (far_metric_check(m->made[k], cell->mdp, cell->agent, cell->steps, take_warning, at, &error) ==
      FAR_OK)
    return EXIT_OK;
  fprintf(stderr, "farsight: --metric %s with %s on %s: %s\n", at->metric, at->agent, at->env,
          error.message);
  return error.code == FAR_STATUS_MEMORY ? EXIT_FAILED : EXIT_USAGE;
}

int metrics_check(const metrics *m, const arguments *args, const grid *g) {
  int code = EXIT_OK;
  for (size_t i = 0; i < g->n_envs; ++i)
    for (size_t j = 0; j < g->n_agents; ++j)
      for (size_t k = 0; code == EXIT_OK && k < m->count; ++k) {
        place at = {NULL, g->agents[j], g->envs[i], args_flag(args, "quiet")};
        code = check_one(m, k, &g->cells[i * g->n_agents + j], &at);
      }
  return code;
}

/* ---- tables ---- */

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
  printf("\n%s\n\n", def->metrics[k]->name);
  table_print(&t, 2);
}

void metrics_print(const far_batch *batch, const far_batch_def *def, const grid *g) {
  for (size_t k = 0; k < def->n_metrics; ++k) print_one(batch, def, g, k);
}
