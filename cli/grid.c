#include "grid.h"
#include "metrics.h"

#include <stdlib.h>
#include <string.h>

const char **option_values(const arguments *args, const char *option, const char *const *others,
                           size_t *count) {
  size_t given = 0, n = 0;
  while (args_text(args, option, given) != NULL) ++given;
  while (given == 0 && others[n] != NULL) ++n;
  *count = given > 0 ? given : n;
  const char **out = calloc(*count + 1, sizeof *out);
  for (size_t i = 0; out != NULL && i < *count; ++i)
    out[i] = given > 0 ? args_text(args, option, i) : others[i];
  return out;
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

/* All agents on one environment, checked before anything runs. */
static int fill_row(grid *g, const arguments *args, size_t i, int64_t steps) {
  far_error error;
  const far_shape shape = far_mdp_shape(g->mdps[i]);
  for (size_t j = 0; j < g->n_agents; ++j) {
    const char *agent = g->agents[j];
    g->cells[i * g->n_agents + j] = (far_cell){.mdp = g->mdps[i], .agent = agent, .steps = steps};
    if (far_agent_check(agent, &shape, NULL, NULL, &error) != FAR_OK)
      return spec_error(&error, agent);
    print_warnings(args, agent, g->envs[i], &shape);
  }
  return EXIT_OK;
}

/* Makes the models, checks all agents, and prints their notes; the exit code. */
static int make_grid(grid *g, const arguments *args, int64_t steps) {
  far_error error;
  g->mdps = calloc(g->n_envs, sizeof *g->mdps);
  g->cells = calloc(g->n_envs * g->n_agents, sizeof *g->cells);
  if (g->mdps == NULL || g->cells == NULL) return EXIT_FAILED;
  for (size_t i = 0; i < g->n_envs; ++i) {
    if (far_mdp_create(&g->mdps[i], g->envs[i], &error) != FAR_OK)
      return spec_error(&error, g->envs[i]);
    warn_unreachable(args, g->mdps[i]);
    const int code = fill_row(g, args, i, steps);
    if (code != EXIT_OK) return code;
  }
  return EXIT_OK;
}

static int run_grid(grid *g, const arguments *args, far_batch_def *def, int64_t steps,
                    print_batch *print) {
  metrics m;
  int code = metrics_make(&m, args, def);
  if (code == EXIT_OK) code = make_grid(g, args, steps);
  if (code == EXIT_OK) code = metrics_check(&m, args, g);
  def->cells = g->cells;
  def->n_cells = g->n_envs * g->n_agents;
  if (code == EXIT_OK) code = run_batch(def, print, g);
  metrics_free(&m);
  return code;
}

int grid_run(const arguments *args, const char *const *envs, const char *const *agents,
             int64_t runs, print_batch *print) {
  far_batch_def def = far_batch_def_default();
  int64_t steps = 10000;
  def.runs = runs;
  if (!args_integer(args, "steps", 1, INT64_MAX / 2, &steps)) return EXIT_USAGE;
  if (!batch_options(args, &def)) return EXIT_USAGE;
  grid g = {0};
  const char **env_specs = option_values(args, "env", envs, &g.n_envs);
  const char **agent_specs = option_values(args, "agent", agents, &g.n_agents);
  g.envs = env_specs;
  g.agents = agent_specs;
  int code = EXIT_FAILED;
  if (g.n_envs == 0)
    code = usage_error(args, "no environment is given, as in -e chain:n=10");
  else if (g.n_agents == 0)
    code = usage_error(args, "no agent is given, as in -a directed-delayed-q");
  else if (env_specs != NULL && agent_specs != NULL)
    code = run_grid(&g, args, &def, steps, print);
  free_grid(&g);
  free(env_specs);
  free(agent_specs);
  return code;
}

void print_environments(const grid *g) {
  for (size_t i = 0; i < g->n_envs; ++i) {
    const char *spec = far_mdp_spec(g->mdps[i]);
    bool seen = false;
    for (size_t k = 0; k < i && !seen; ++k) seen = strcmp(spec, far_mdp_spec(g->mdps[k])) == 0;
    if (!seen) printf("  %s\n", spec);
  }
}

void grid_write_cells(const far_batch *batch, const far_batch_def *def) {
  write_head_json(def->seed);
  for (size_t i = 0; i < def->n_cells; ++i) {
    printf("%s\n  {", i ? "," : "");
    write_cell_json(&def->cells[i], far_batch_result(batch, i));
    write_metrics_json(batch, def, i);
    printf("}");
  }
  printf("\n]");
}

void grid_print_json(const far_batch *batch, const far_batch_def *def, const void *context) {
  (void)context;
  grid_write_cells(batch, def);
  printf("}\n");
}
