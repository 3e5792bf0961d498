/* farsight-bench agents: nanoseconds a step of the library, beside hand-written loops in the same run. */
#include "bench/bench.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/json.h"
#include "bench/chain_loops.h"
#include "cli/memory.h"
#include "report/build.h"

/* RUNS is a multiple of every vector width, so that no lane stays empty. */
enum { STEPS = 10000, RUNS = 96, POINTS = 100 };

typedef struct timing {
  double ours, side, curve, hooks, hand; /* nanoseconds a step, the best so far */
} timing;

static void keep_best(double *best, double seconds) {
  *best = fmin(*best, seconds * 1e9 / STEPS / RUNS);
}

/* Runs the cell on one thread with `lanes` runs side by side (0: the library chooses). The totals go to `out`. */
static far_status time_library(const far_cell *cell, bool generic, unsigned lanes, double *best,
                               double *out, far_error *error) {
  far_batch_def def = far_batch_def_default();
  def.cells = cell;
  def.n_cells = 1;
  def.runs = RUNS;
  def.threads = 1;
  def.generic = generic;
  def.lanes = lanes;
  far_batch *batch;
  const far_status status = far_batch_run(&batch, &def, error);
  if (status != FAR_OK) return status;
  const far_result *result = far_batch_result(batch, 0);
  keep_best(best, result->seconds);
  for (int i = 0; i < RUNS; ++i) out[i] = result->totals[i];
  far_batch_free(batch);
  return FAR_OK;
}

static void time_worker(const bench_loop *loop, int n, double *best, double *out) {
  const double begun = far__clock_thread();
  for (int i = 0; i < RUNS; ++i) out[i] = loop->run(n, STEPS, 1, (uint64_t)i);
  keep_best(best, far__clock_thread() - begun);
}

/* The variants alternate, so that other load on the machine slows all of them alike. */
static int measure(const bench_loop *loop, const far_mdp *mdp, int n, int64_t repeats,
                   timing *out) {
  const far_cell cell = {.mdp = mdp, .agent = loop->agent, .steps = STEPS};
  far_cell curved = cell;
  int64_t points[POINTS];
  for (int k = 0; k < POINTS; ++k) points[k] = (k + 1) * (STEPS / POINTS);
  curved.checkpoints = points;
  curved.n_checkpoints = POINTS;
  double fused[RUNS], side[RUNS], curve[RUNS], hooks[RUNS], hand[RUNS];
  far_error error;
  *out = (timing){INFINITY, INFINITY, INFINITY, INFINITY, INFINITY};
  for (int64_t k = 0; k < repeats; ++k) {
    if (time_library(&cell, false, 1, &out->ours, fused, &error) != FAR_OK ||
        time_library(&cell, false, 0, &out->side, side, &error) != FAR_OK ||
        time_library(&curved, false, 1, &out->curve, curve, &error) != FAR_OK ||
        time_library(&cell, true, 1, &out->hooks, hooks, &error) != FAR_OK)
      return run_error(&error);
    time_worker(loop, n, &out->hand, hand);
    for (int i = 0; i < RUNS; ++i) {
      if (fused[i] == hand[i] && side[i] == hand[i] && curve[i] == hand[i] && hooks[i] == hand[i])
        continue;
      fprintf(stderr,
              "farsight: %s on %s: run %d gives %.17g fused, %.17g side by side, %.17g by hooks, "
              "%.17g by hand\n",
              loop->agent, far_mdp_spec(mdp), i, fused[i], side[i], hooks[i], hand[i]);
      return EXIT_FAILED;
    }
  }
  return EXIT_OK;
}

static const int sizes[] = {10, 50};

enum { N_SIZES = sizeof sizes / sizeof *sizes, MOST_LOOPS = 8 };

typedef struct results {
  timing of[N_SIZES][MOST_LOOPS];
} results;

static int measure_all(int64_t repeats, results *out) {
  for (size_t i = 0; i < N_SIZES; ++i) {
    far_mdp *mdp;
    far_error error;
    char env[32];
    snprintf(env, sizeof env, "chain:n=%d", sizes[i]);
    if (far_mdp_create(&mdp, env, &error) != FAR_OK) return run_error(&error);
    int code = EXIT_OK;
    for (size_t k = 0; code == EXIT_OK && bench_loops[k].name != NULL && k < MOST_LOOPS; ++k)
      code = measure(&bench_loops[k], mdp, sizes[i], repeats, &out->of[i][k]);
    far_mdp_free(mdp);
    if (code != EXIT_OK) return code;
  }
  return EXIT_OK;
}

static void add_row(far_table *t, size_t size, size_t loop, const timing *best) {
  far__table_row(t);
  far__table_spec_as(t, bench_loops[loop].name, bench_loops[loop].agent, "%s",
                     bench_loops[loop].name);
  far__table_real_as(t, sizes[size], "N = %d", sizes[size]);
  far__table_real_as(t, best->ours, "%.2f", best->ours);
  far__table_real_as(t, best->hand, "%.2f", best->hand);
  far__table_real_as(t, best->ours / best->hand, "%.2f", best->ours / best->hand);
  far__table_real_as(t, best->side, "%.2f", best->side);
  far__table_real_as(t, best->side / best->ours, "%.2f", best->side / best->ours);
  far__table_real_as(t, best->curve / best->ours, "%.2f", best->curve / best->ours);
  far__table_real_as(t, best->hooks, "%.2f", best->hooks);
  far__table_real(t, best->curve);
}

static void add_table(const void *of, far_report *report) {
  const results *r = of;
  far_table *t = far__report_table(report, "agents");
  far__table_column(t, "agent", "agent", FAR__COLUMN_SPEC);
  far__table_column(t, "n", "chain", FAR__COLUMN_COUNT);
  far__table_column(t, "ns_fused", "fused ns/step", FAR__COLUMN_REAL);
  far__table_column(t, "ns_hand", "hand-written", FAR__COLUMN_REAL);
  far__table_column(t, "ratio", "fused / hand", FAR__COLUMN_REAL);
  far__table_column(t, "ns_side", "side by side", FAR__COLUMN_REAL);
  far__table_column(t, "ratio_side", "side by side / fused", FAR__COLUMN_REAL);
  far__table_column(t, "ratio_curve", "with curve / fused", FAR__COLUMN_REAL);
  far__table_column(t, "ns_hooks", "through hooks", FAR__COLUMN_REAL);
  far__table_column(t, "ns_curve", NULL, FAR__COLUMN_REAL);
  for (size_t i = 0; i < N_SIZES; ++i)
    for (size_t k = 0; bench_loops[k].name != NULL && k < MOST_LOOPS; ++k)
      add_row(t, i, k, &r->of[i][k]);
}

static void write_json(const void *of, far__json *j) {
  const results *r = of;
  for (size_t i = 0; i < N_SIZES; ++i)
    for (size_t k = 0; bench_loops[k].name != NULL && k < MOST_LOOPS; ++k) {
      const timing *t = &r->of[i][k];
      far__json_object(j, NULL);
      far__json_text(j, "agent", bench_loops[k].agent);
      far__json_integer(j, "n", (uint64_t)sizes[i]);
      far__json_real(j, "ns_fused", t->ours);
      far__json_real(j, "ns_side", t->side);
      far__json_real(j, "ns_curve", t->curve);
      far__json_real(j, "ns_hooks", t->hooks);
      far__json_real(j, "ns_hand", t->hand);
      far__json_real(j, "ratio", t->ours / t->hand);
      far__json_real(j, "ratio_side", t->side / t->ours);
      far__json_real(j, "ratio_curve", t->curve / t->ours);
      far__json_end(j);
    }
}

int measure_agents(measured *out, int64_t repeats) {
  results *r = room_for(1, sizeof *r);
  *out = (measured){add_table, write_json, r};
  return measure_all(repeats, r);
}
