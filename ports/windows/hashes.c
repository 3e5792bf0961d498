/* What tests/golden/check.py asks of the command, which does not run on Windows: the hashes of the runs of every environment
 * with every agent. usage: hashes run --steps N --runs N --seed N --threads N -e ENV... -a AGENT... (--json, --quiet: as ever) */
#include <farsight/farsight.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/json.h"

enum { MOST = 128 };

typedef struct request {
  const char *env[MOST], *agent[MOST];
  size_t n_envs, n_agents;
  int64_t steps;
  far_batch_def def;
} request;

static void stop(const char *why) {
  fprintf(stderr, "%s\n", why);
  exit(1);
}

static void add(const char **list, size_t *n, const char *spec) {
  if (*n == MOST) stop("too many specs");
  list[(*n)++] = spec;
}

static void take(request *r, const char *name, const char *value) {
  if (value == NULL) stop("a value is missing");
  if (strcmp(name, "-e") == 0)
    add(r->env, &r->n_envs, value);
  else if (strcmp(name, "-a") == 0)
    add(r->agent, &r->n_agents, value);
  else if (strcmp(name, "--steps") == 0)
    r->steps = strtoll(value, NULL, 10);
  else if (strcmp(name, "--runs") == 0)
    r->def.runs = strtoll(value, NULL, 10);
  else if (strcmp(name, "--seed") == 0)
    r->def.seed = strtoull(value, NULL, 10);
  else if (strcmp(name, "--threads") == 0)
    r->def.threads = (unsigned)strtoul(value, NULL, 10);
  else
    stop("usage: hashes run --steps N --runs N --seed N --threads N -e ENV... -a AGENT...");
}

static request read_request(char **argv) {
  request r = {.def = far_batch_def_default()};
  for (char **word = argv; *word != NULL; ++word) {
    if (strcmp(*word, "--json") == 0 || strcmp(*word, "--quiet") == 0) continue;
    take(&r, *word, word[1]);
    ++word;
  }
  return r;
}

static void print_results(const far_cell *cells, size_t n, const far_batch *batch) {
  far__json json;
  far__json_begin(&json, far_sink_file(stdout));
  far__json_object(&json, NULL);
  far__json_integer(&json, "numerics", (uint64_t)far_numerics());
  far__json_array(&json, "cells");
  for (size_t i = 0; i < n; ++i) {
    far__json_object(&json, NULL);
    far__json_text(&json, "env", far_cell_env(&cells[i]));
    far__json_text(&json, "agent", far_batch_result(batch, i)->agent);
    far__json_text(&json, "hash", far_batch_result(batch, i)->hash);
    far__json_end(&json);
  }
  far__json_end(&json);
  far__json_end(&json);
}

static void run(request *r) {
  static far_cell cells[MOST * MOST];
  far_mdp *model[MOST];
  far_error error;
  size_t n = 0;
  for (size_t e = 0; e < r->n_envs; ++e) {
    if (far_mdp_create(&model[e], r->env[e], &error) != FAR_OK) stop(error.message);
    for (size_t a = 0; a < r->n_agents; ++a)
      cells[n++] = (far_cell){.mdp = model[e], .agent = r->agent[a], .steps = r->steps};
  }
  far_batch *batch;
  r->def.cells = cells;
  r->def.n_cells = n;
  if (far_batch_run(&batch, &r->def, &error) != FAR_OK) stop(error.message);
  print_results(cells, n, batch);
  far_batch_free(batch);
  for (size_t e = 0; e < r->n_envs; ++e) far_mdp_free(model[e]);
}

int main(int argc, char **argv) {
  if (argc < 2 || strcmp(argv[1], "run") != 0) stop("usage: hashes run ...");
  request r = read_request(argv + 2);
  run(&r);
  return 0;
}
