/* farsight-bench plans: a step of each agent that learns a model and plans with it, in units of a step of Q-learning
 * through the same hooks on the same problem, in the same run. */
#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "bench/bench.h"
#include "cli/memory.h"
#include "report/build.h"

static const char *const agents[] = {
    "r-max", "v-max",  "mormax",  "e3",    "mbie",    "mbie-eb", "beb",  "oim",        "ucrl-gamma",
    "ucrl2", "ucrl2b", "kl-ucrl", "ucrl3", "imed-rl", "rlsvi",   "psrl", "ucbvi-gamma"};

static const struct problem {
  const char *env, *name;
  int64_t steps; /* few where planning takes long; most is learned in the first steps */
} problems[] = {{"chain:n=10", "N = 10", 10000},
                {"chain:n=50", "N = 50", 10000},
                {"garnet:states=1000", "garnet, 1000", 500}};

enum {
  N_AGENTS = sizeof agents / sizeof *agents,
  N_PROBLEMS = sizeof problems / sizeof *problems,
  MOST_REPEATS = 3
};

typedef struct results {
  double ns[N_AGENTS][N_PROBLEMS], unit[N_PROBLEMS]; /* best ns a step; unit: of Q-learning */
} results;

/* Times one run on one thread, through the hooks. */
static far_status time_agent(const far_mdp *mdp, const char *agent, int64_t steps, double *best,
                             far_error *error) {
  const far_cell cell = {.mdp = mdp, .agent = agent, .steps = steps};
  far_batch_def def = far_batch_def_default();
  def.cells = &cell;
  def.n_cells = 1;
  def.runs = 1;
  def.threads = 1;
  def.generic = true;
  far_batch *batch;
  const far_status status = far_batch_run(&batch, &def, error);
  if (status != FAR_OK) return status;
  *best = fmin(*best, far_batch_result(batch, 0)->seconds * 1e9 / (double)steps);
  far_batch_free(batch);
  return FAR_OK;
}

/* Times each agent in turn with Q-learning, on problem `at`. */
static int measure_problem(size_t at, int64_t repeats, results *r) {
  const struct problem *problem = &problems[at];
  far_mdp *mdp;
  far_error error;
  if (far_mdp_create(&mdp, problem->env, &error) != FAR_OK) return run_error(&error);
  far_status status = FAR_OK;
  r->unit[at] = INFINITY;
  for (size_t i = 0; i < N_AGENTS; ++i) {
    r->ns[i][at] = INFINITY;
    for (int64_t k = 0; status == FAR_OK && k < repeats; ++k) {
      status = time_agent(mdp, "q-learning", problem->steps, &r->unit[at], &error);
      if (status == FAR_OK)
        status = time_agent(mdp, agents[i], problem->steps, &r->ns[i][at], &error);
    }
  }
  far_mdp_free(mdp);
  return status == FAR_OK ? EXIT_OK : run_error(&error);
}

static void add_table(const void *of, far_report *report) {
  const results *r = of;
  far_table *t = far__report_table(report, "plans");
  far__table_column(t, "agent", "agent", FAR__COLUMN_SPEC);
  far__table_column(t, "problem", "problem", FAR__COLUMN_TEXT);
  far__table_column(t, "ratio", "step / q-learning", FAR__COLUMN_REAL);
  far__table_column(t, "ns", "ns/step", FAR__COLUMN_REAL);
  for (size_t at = 0; at < N_PROBLEMS; ++at)
    for (size_t i = 0; i < N_AGENTS; ++i) {
      const double ratio = r->ns[i][at] / r->unit[at];
      far__table_row(t);
      far__table_spec(t, agents[i], agents[i]);
      far__table_text(t, "%s", problems[at].name);
      far__table_real_as(t, ratio, "%.1f", ratio);
      far__table_real_as(t, r->ns[i][at], "%.1f", r->ns[i][at]);
    }
}

static void write_json(const void *of, far__json *j) {
  const results *r = of;
  for (size_t at = 0; at < N_PROBLEMS; ++at)
    for (size_t i = 0; i < N_AGENTS; ++i) {
      far__json_object(j, NULL);
      far__json_text(j, "agent", agents[i]);
      far__json_text(j, "env", problems[at].env);
      far__json_integer(j, "steps", (uint64_t)problems[at].steps);
      far__json_real(j, "ns", r->ns[i][at]);
      far__json_real(j, "ratio", r->ns[i][at] / r->unit[at]);
      far__json_end(j);
    }
}

int measure_plans(measured *out, int64_t repeats) {
  results *r = room_for(1, sizeof *r);
  *out = (measured){add_table, write_json, r};
  int code = EXIT_OK;
  for (size_t at = 0; code == EXIT_OK && at < N_PROBLEMS; ++at)
    code = measure_problem(at, repeats < MOST_REPEATS ? repeats : MOST_REPEATS, r);
  return code;
}
