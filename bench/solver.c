/* farsight-bench solve: time to certified values of random models, beside a hand-written loop for exactly this shape
 * of model and with the same stopping rule. */
#include "bench/bench.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/json.h"
#include "bench/solve_loop.h"
#include "cli/memory.h"
#include "model/criterion.h"
#include "report/build.h"
#include "solve/parts.h"

#define GAMMA 0.99
#define TOLERANCE 1e-6

typedef struct timing {
  double layout, hand_layout, solve, hand; /* seconds, the best so far */
  double bytes, model_bytes;
  int64_t sweeps;
} timing;

static void keep_best(double *best, double begun) {
  *best = fmin(*best, far__clock_thread() - begun);
}

/* Both solutions are proven to be within the tolerance, so they differ by at most twice the tolerance. Both stop by
 * the same rule, so after the same sweep. */
static int compare(const far_solution *x, const bench_slices *hand, int64_t sweeps) {
  double most = 0;
  for (uint32_t s = 0; s < x->n_states; ++s)
    most = fmax(most, fabs(x->v[s] - bench_slices_values(hand)[s]));
  if (most <= 2 * TOLERANCE && x->converged && x->sweeps == sweeps) return EXIT_OK;
  fprintf(stderr,
          "farsight: %lu states: the solver and the hand-written loop differ by %g; %lld and %lld "
          "sweeps\n",
          (unsigned long)x->n_states, most, (long long)x->sweeps, (long long)sweeps);
  return EXIT_FAILED;
}

/* What solving needs beyond the model: the layout, two vectors of values, q and the policy. */
static double bytes_of(const far_solver *solver, const far_solution *x) {
  const double n = x->n_states;
  return (double)far__solver_bytes(solver) + n * (2 * sizeof *x->v + sizeof *x->policy) +
         n * x->n_actions * sizeof *x->q;
}

static int measure_once(const far_solver *solver, bench_slices *hand, timing *out) {
  far_solve_def def = far_solve_def_default();
  far_solution x;
  far_error error;
  def.gamma = GAMMA;
  def.method = FAR_METHOD_VALUE;
  def.tolerance = TOLERANCE;
  double begun = far__clock_thread();
  if (far_solver_discounted(&x, solver, &def, &error) != FAR_OK) return run_error(&error);
  keep_best(&out->solve, begun);
  begun = far__clock_thread();
  out->sweeps = bench_slices_solve(hand, GAMMA, TOLERANCE);
  keep_best(&out->hand, begun);
  const int code = compare(&x, hand, out->sweeps);
  out->bytes = bytes_of(solver, &x);
  far_solution_free(&x);
  return code;
}

static int measure_layouts(const far_mdp *mdp, int64_t repeats, timing *out) {
  far_error error;
  int code = EXIT_OK;
  for (int64_t k = 0; k < repeats && code == EXIT_OK; ++k) {
    far_solver *solver;
    double begun = far__clock_thread();
    if (far_solver_create(&solver, mdp, &error) != FAR_OK) return run_error(&error);
    keep_best(&out->layout, begun);
    begun = far__clock_thread();
    bench_slices *hand = bench_slices_create(mdp);
    keep_best(&out->hand_layout, begun);
    code = hand != NULL ? measure_once(solver, hand, out) : EXIT_FAILED;
    bench_slices_free(hand);
    far_solver_free(solver);
  }
  return code;
}

static int measure(uint32_t n_states, int64_t repeats, timing *out) {
  far_mdp *mdp;
  far_error error;
  *out = (timing){INFINITY, INFINITY, INFINITY, INFINITY, 0, 0, 0};
  if (bench_random_model(&mdp, n_states, &error) != FAR_OK) return run_error(&error);
  out->model_bytes = (double)far__mdp_bytes(mdp);
  const int code = measure_layouts(mdp, repeats, out);
  far_mdp_free(mdp);
  return code;
}

static const uint32_t sizes[] = {1000, 10000, 1000000};

enum { N_SIZES = sizeof sizes / sizeof *sizes };

typedef struct results {
  timing of[N_SIZES];
  size_t count;
} results;

static void add_row(far_table *t, uint32_t states, const timing *x) {
  far__table_row(t);
  far__table_count(t, states);
  far__table_count(t, x->sweeps);
  far__table_real_as(t, 1e3 * x->solve, "%.2f", 1e3 * x->solve);
  far__table_real_as(t, 1e3 * x->hand, "%.2f", 1e3 * x->hand);
  far__table_real_as(t, x->solve / x->hand, "%.2f", x->solve / x->hand);
  far__table_real_as(t, 1e3 * x->layout, "%.2f", 1e3 * x->layout);
  far__table_real_as(t, 1e3 * x->hand_layout, "%.2f", 1e3 * x->hand_layout);
  far__table_real_as(t, x->bytes, "%.2f", x->bytes / x->model_bytes);
  far__table_real(t, x->model_bytes);
}

static void add_table(const void *of, far_report *report) {
  const results *r = of;
  far__report_heading(
      report, 2,
      "Value iteration on random models, %d actions x %d successors, gamma %g, certified %g",
      BENCH_ACTIONS, BENCH_SUCCESSORS, GAMMA, TOLERANCE);
  far_table *t = far__report_table(report, "solve");
  far__table_column(t, "states", "states", FAR__COLUMN_COUNT);
  far__table_column(t, "sweeps", "sweeps", FAR__COLUMN_COUNT);
  far__table_column(t, "ms_solve", "solver ms", FAR__COLUMN_REAL);
  far__table_column(t, "ms_hand", "hand-written", FAR__COLUMN_REAL);
  far__table_column(t, "ratio", "solver / hand", FAR__COLUMN_REAL);
  far__table_column(t, "ms_layout", "layout ms", FAR__COLUMN_REAL);
  far__table_column(t, "ms_hand_layout", "hand-written", FAR__COLUMN_REAL);
  far__table_column(t, "bytes", "memory / model", FAR__COLUMN_REAL);
  far__table_column(t, "model_bytes", NULL, FAR__COLUMN_REAL);
  for (size_t i = 0; i < r->count && i < N_SIZES; ++i) add_row(t, sizes[i], &r->of[i]);
  if (r->count < N_SIZES)
    far__report_paragraph(report,
                          "farsight-bench solve adds a million states, which take some seconds.");
}

static void write_json(const void *of, far__json *j) {
  const results *r = of;
  for (size_t i = 0; i < r->count && i < N_SIZES; ++i) {
    const timing *x = &r->of[i];
    far__json_object(j, NULL);
    far__json_integer(j, "states", sizes[i]);
    far__json_integer(j, "actions", BENCH_ACTIONS);
    far__json_integer(j, "successors", BENCH_SUCCESSORS);
    far__json_real(j, "gamma", GAMMA);
    far__json_real(j, "tolerance", TOLERANCE);
    far__json_integer(j, "sweeps", (uint64_t)x->sweeps);
    far__json_real(j, "ms_solve", 1e3 * x->solve);
    far__json_real(j, "ms_hand", 1e3 * x->hand);
    far__json_real(j, "ratio", x->solve / x->hand);
    far__json_real(j, "ms_layout", 1e3 * x->layout);
    far__json_real(j, "ms_hand_layout", 1e3 * x->hand_layout);
    far__json_real(j, "bytes", x->bytes);
    far__json_real(j, "model_bytes", x->model_bytes);
    far__json_end(j);
  }
}

int measure_solver(measured *out, int64_t repeats, bool large) {
  results *r = room_for(1, sizeof *r);
  int code = EXIT_OK;
  *out = (measured){add_table, write_json, r};
  r->count = large ? N_SIZES : N_SIZES - 1;
  for (size_t i = 0; i < r->count && i < N_SIZES && code == EXIT_OK; ++i)
    code = measure(sizes[i], sizes[i] > 100000 && repeats > 3 ? 3 : repeats, &r->of[i]);
  return code;
}
