/* farsight-bench lanes: the runs of a cell side by side, with as many lanes as the library chooses, beside the same
 * runs one after the other. Both alternate in the same process. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "bench/bench.h"
#include "cli/memory.h"
#include "report/build.h"

static const char *const agents[] = {"directed-delayed-q", "delayed-q", "q-learning", "count-q"};

/* Runs are so long that preparing the tables, which both variants need, takes a small part of the time. */
static const struct problem {
  const char *env, *name;
  int64_t steps;
} problems[] = {{"chain:n=10", "chain, 10", 10000},
                {"chain:n=50", "chain, 50", 10000},
                {"garnet:states=1000,actions=2", "garnet, 1000", 10000},
                {"garnet:states=10000,actions=2", "garnet, 10,000", 50000},
                {"garnet:states=100000,actions=2", "garnet, 100,000", 200000}};

enum {
  N_AGENTS = sizeof agents / sizeof *agents,
  N_PROBLEMS = sizeof problems / sizeof *problems,
  RUNS = 16,
  MOST_REPEATS = 5
};

typedef struct timing {
  double alone, beside; /* nanoseconds a step, the best so far */
} timing;

typedef struct results {
  timing of[N_PROBLEMS][N_AGENTS];
} results;

/* Times the cell on one thread with at most `lanes` lanes (0: the library chooses); the hash of the totals goes to
 * `hash`. */
static far_status time_runs(const far_cell *cell, unsigned lanes, double *best,
                            char hash[FAR_HASH_TEXT], far_error *error) {
  far_batch_def def = far_batch_def_default();
  def.cells = cell;
  def.n_cells = 1;
  def.runs = RUNS;
  def.threads = 1;
  def.lanes = lanes;
  far_batch *batch;
  const far_status status = far_batch_run(&batch, &def, error);
  if (status != FAR_OK) return status;
  const far_result *result = far_batch_result(batch, 0);
  *best = fmin(*best, result->seconds * 1e9 / (double)cell->steps / RUNS);
  snprintf(hash, FAR_HASH_TEXT, "%s", result->hash);
  far_batch_free(batch);
  return FAR_OK;
}

static int measure_cell(const far_cell *cell, int64_t repeats, timing *out) {
  char alone[FAR_HASH_TEXT], beside[FAR_HASH_TEXT];
  far_error error;
  *out = (timing){INFINITY, INFINITY};
  for (int64_t k = 0; k < repeats; ++k) {
    if (time_runs(cell, 1, &out->alone, alone, &error) != FAR_OK ||
        time_runs(cell, 0, &out->beside, beside, &error) != FAR_OK)
      return run_error(&error);
    if (strcmp(alone, beside) == 0) continue;
    fprintf(stderr, "farsight: %s on %s: side by side other rewards than one after the other\n",
            cell->agent, far_mdp_spec(cell->mdp));
    return EXIT_FAILED;
  }
  return EXIT_OK;
}

static int measure_problem(const struct problem *problem, int64_t repeats, timing *out) {
  far_mdp *mdp;
  far_error error;
  if (far_mdp_create(&mdp, problem->env, &error) != FAR_OK) return run_error(&error);
  int code = EXIT_OK;
  for (size_t i = 0; code == EXIT_OK && i < N_AGENTS; ++i) {
    const far_cell cell = {.mdp = mdp, .agent = agents[i], .steps = problem->steps};
    code = measure_cell(&cell, repeats, &out[i]);
  }
  far_mdp_free(mdp);
  return code;
}

static void add_table(const void *of, far_report *report) {
  const results *r = of;
  far_table *t = far__report_table(report, "lanes");
  far__table_column(t, "agent", "agent", FAR__COLUMN_SPEC);
  far__table_column(t, "problem", "problem", FAR__COLUMN_TEXT);
  far__table_column(t, "ns_alone", "one by one ns/step", FAR__COLUMN_REAL);
  far__table_column(t, "ns_beside", "side by side", FAR__COLUMN_REAL);
  far__table_column(t, "ratio", "side by side / one by one", FAR__COLUMN_REAL);
  for (size_t at = 0; at < N_PROBLEMS; ++at)
    for (size_t i = 0; i < N_AGENTS; ++i) {
      const timing *x = &r->of[at][i];
      far__table_row(t);
      far__table_spec(t, agents[i], agents[i]);
      far__table_text(t, "%s", problems[at].name);
      far__table_real_as(t, x->alone, "%.1f", x->alone);
      far__table_real_as(t, x->beside, "%.1f", x->beside);
      far__table_real_as(t, x->beside / x->alone, "%.2f", x->beside / x->alone);
    }
}

static void write_json(const void *of, far__json *j) {
  const results *r = of;
  for (size_t at = 0; at < N_PROBLEMS; ++at)
    for (size_t i = 0; i < N_AGENTS; ++i) {
      const timing *x = &r->of[at][i];
      far__json_object(j, NULL);
      far__json_text(j, "agent", agents[i]);
      far__json_text(j, "env", problems[at].env);
      far__json_integer(j, "steps", (uint64_t)problems[at].steps);
      far__json_real(j, "ns_alone", x->alone);
      far__json_real(j, "ns_beside", x->beside);
      far__json_real(j, "ratio", x->beside / x->alone);
      far__json_end(j);
    }
}

int measure_lanes(measured *out, int64_t repeats) {
  results *r = room_for(1, sizeof *r);
  *out = (measured){add_table, write_json, r};
  int code = EXIT_OK;
  for (size_t at = 0; code == EXIT_OK && at < N_PROBLEMS; ++at)
    code =
        measure_problem(&problems[at], repeats < MOST_REPEATS ? repeats : MOST_REPEATS, r->of[at]);
  return code;
}
