/* The solver's part of farsight bench: time to certified values of random models, beside a loop
 * written by hand for their very shape and with the same stopping rule. */
#include "bench.h"
#include "table.h"

#include <math.h>

#include "../bench/solve_loop.h"

#define GAMMA 0.99
#define TOLERANCE 1e-6

typedef struct timing {
  double layout, hand_layout, solve, hand; /* seconds, the best so far */
  double bytes, model_bytes;
  int64_t sweeps;
} timing;

static void keep_best(double *best, double begun) {
  *best = fmin(*best, far_clock_thread() - begun);
}

/* Both have proven their values to the tolerance, so they agree to twice that; and they stop by the
 * same rule, so after the same sweep. */
static int compare(const far_solution *x, const bench_slices *hand, int64_t sweeps) {
  double most = 0;
  for (uint32_t s = 0; s < x->n_states; ++s)
    most = fmax(most, fabs(x->v[s] - bench_slices_values(hand)[s]));
  if (most <= 2 * TOLERANCE && x->converged && x->sweeps == sweeps) return EXIT_OK;
  complain("%lu states: the solver and the loop by hand differ by %g; %lld and %lld "
           "sweeps",
           (unsigned long)x->n_states, most, (long long)x->sweeps, (long long)sweeps);
  return EXIT_FAILED;
}

/* What solving needs beyond the model: the layout, two vectors of values, q and the policy. */
static double bytes_of(const far_solver *solver, const far_solution *x) {
  const double n = x->n_states;
  return (double)far_solver_bytes(solver) + n * (2 * sizeof *x->v + sizeof *x->policy) +
         n * x->n_actions * sizeof *x->q;
}

static int measure_once(const far_solver *solver, bench_slices *hand, timing *out) {
  far_solve_def def = far_solve_def_default();
  far_solution x;
  far_error error;
  def.gamma = GAMMA;
  def.tolerance = TOLERANCE;
  double begun = far_clock_thread();
  if (far_solver_discounted(&x, solver, &def, &error) != FAR_OK) return run_error(&error);
  keep_best(&out->solve, begun);
  begun = far_clock_thread();
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
    double begun = far_clock_thread();
    if (far_solver_create(&solver, mdp, &error) != FAR_OK) return run_error(&error);
    keep_best(&out->layout, begun);
    begun = far_clock_thread();
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
  out->model_bytes = (double)far_mdp_bytes(mdp);
  const int code = measure_layouts(mdp, repeats, out);
  far_mdp_free(mdp);
  return code;
}

static const uint32_t sizes[] = {1000, 10000, 1000000};

enum { N_SIZES = sizeof sizes / sizeof *sizes };

static void print_json(const timing *of, size_t count) {
  for (size_t i = 0; i < count; ++i)
    printf("%s\n  {\"states\":%lu,\"actions\":%d,\"successors\":%d,\"gamma\":%g,\"tolerance\":%g,"
           "\"sweeps\":%lld,\"ms_solve\":%.4f,\"ms_hand\":%.4f,\"ratio\":%.3f,\"ms_layout\":%.4f,"
           "\"ms_hand_layout\":%.4f,\"bytes\":%.0f,\"model_bytes\":%.0f}",
           i ? "," : "[", (unsigned long)sizes[i], BENCH_ACTIONS, BENCH_SUCCESSORS, GAMMA,
           TOLERANCE, (long long)of[i].sweeps, 1e3 * of[i].solve, 1e3 * of[i].hand,
           of[i].solve / of[i].hand, 1e3 * of[i].layout, 1e3 * of[i].hand_layout, of[i].bytes,
           of[i].model_bytes);
  printf("\n]\n");
}

static void print_table(const timing *of, size_t count) {
  static const char *const heads[] = {"states",        "sweeps",    "solver ms", "by hand",
                                      "solver / hand", "layout ms", "by hand",   "memory / model"};
  table t = table_create("rrrrrrrr");
  table_row(&t);
  for (size_t c = 0; c < 8; ++c) table_cell(&t, c, "%s", heads[c]);
  for (size_t i = 0; i < count; ++i) {
    table_row(&t);
    table_cell(&t, 0, "%lu", (unsigned long)sizes[i]);
    table_cell(&t, 1, "%lld", (long long)of[i].sweeps);
    table_cell(&t, 2, "%.2f", 1e3 * of[i].solve);
    table_cell(&t, 3, "%.2f", 1e3 * of[i].hand);
    table_cell(&t, 4, "%.2f", of[i].solve / of[i].hand);
    table_cell(&t, 5, "%.2f", 1e3 * of[i].layout);
    table_cell(&t, 6, "%.2f", 1e3 * of[i].hand_layout);
    table_cell(&t, 7, "%.2f", of[i].bytes / of[i].model_bytes);
  }
  printf("Value iteration on random models, %d actions x %d successors, gamma %g, certified %g\n\n",
         BENCH_ACTIONS, BENCH_SUCCESSORS, GAMMA, TOLERANCE);
  table_print(&t, 2);
}

int bench_solver(const arguments *args, int64_t repeats, bool large) {
  const size_t count = large ? N_SIZES : N_SIZES - 1;
  timing of[N_SIZES];
  for (size_t i = 0; i < count; ++i) {
    const int64_t times = sizes[i] > 100000 && repeats > 3 ? 3 : repeats;
    const int code = measure(sizes[i], times, &of[i]);
    if (code != EXIT_OK) return code;
  }
  if (args_flag(args, "json"))
    print_json(of, count);
  else
    print_table(of, count);
  if (!large && !args_flag(args, "json"))
    printf("\nfarsight bench solve adds a million states, which take some seconds.\n");
  return EXIT_OK;
}
