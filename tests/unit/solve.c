/* The exact solvers: models whose answer is known, all methods against one another and against
 * plain iteration in long double, the certificates, and the structure of small graphs. */
#include <farsight/farsight.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "model/criterion.h"
#include "solve/parts.h"
#include "worlds.h"

/* ---- helpers ---- */

static far_solver *solver_of(const far_mdp *mdp) {
  far_solver *solver;
  CHECK(far_solver_create(&solver, mdp, NULL) == FAR_OK);
  return solver;
}

static far_mdp *world(const char *spec) {
  far_mdp *mdp;
  CHECK(far_mdp_create(&mdp, spec, NULL) == FAR_OK);
  return mdp;
}

/* Rows of different lengths, some states terminal, rewards of both signs. */
static far_mdp *ragged_world(uint64_t seed, uint32_t n_states, uint32_t n_actions, uint32_t most,
                             uint32_t n_terminal) {
  far_rng rng;
  far_mdp_builder *b;
  far_mdp *mdp;
  far_rng_init(&rng, seed, 1, FAR_PURPOSE_SEARCH);
  far_mdp_builder_create(&b, n_states, n_actions, NULL);
  for (uint32_t s = n_states - n_terminal; s < n_states; ++s) far_mdp_builder_terminal(b, s, NULL);
  for (uint32_t s = 0; s < n_states - n_terminal; ++s)
    for (uint32_t a = 0; a < n_actions; ++a) {
      const uint32_t n = 1 + far_rng_below(&rng, most);
      for (uint32_t k = 0; k < n; ++k)
        far_mdp_builder_outcome(b, s, a, 1.0 / n, far_rng_below(&rng, n_states),
                                far_rng_uniform(&rng) * 3 - 1, NULL);
    }
  far_mdp_builder_start(b, 0, 1, NULL);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  return mdp;
}

/* The optimal values (or a policy's) by plain sweeps in long double, far beyond doubles. */
static long double *reference(const far_mdp *mdp, double gamma, const far_policy *policy) {
  const far_shape shape = far_mdp_shape(mdp);
  long double *v = calloc(shape.n_states, sizeof *v), change = 1;
  while (change > 1e-17L * (1 - gamma)) {
    change = 0;
    for (uint32_t s = 0; s < shape.n_states; ++s) {
      if (far_mdp_terminal(mdp, s)) continue;
      long double best = -INFINITY, mean = 0;
      for (uint32_t a = 0; a < shape.n_actions; ++a) {
        size_t n;
        const far_outcome *o = far_mdp_outcomes(mdp, s, a, &n);
        long double q = 0;
        for (size_t k = 0; k < n; ++k)
          q += (long double)o[k].probability * (o[k].reward + (long double)gamma * v[o[k].next]);
        if (policy != NULL && policy->probability != NULL)
          mean += policy->probability[s * shape.n_actions + a] * q;
        if (policy == NULL || policy->action == NULL || policy->action[s] == a)
          best = q > best ? q : best;
      }
      if (policy != NULL && policy->probability != NULL) best = mean;
      if (fabsl(best - v[s]) > change) change = fabsl(best - v[s]);
      v[s] = best;
    }
    if (change < 1e-15L) break; /* as far as long doubles of these sizes go */
  }
  return v;
}

static double distance(const far_solution *x, const long double *v) {
  double most = 0;
  for (uint32_t s = 0; s < x->n_states; ++s) most = fmax(most, (double)fabsl(x->v[s] - v[s]));
  return most;
}

/* The greatest |q - backup of q|, where a state is worth u. */
static double residual_of(const far_solution *x, const far_mdp *mdp, const double *u) {
  double most = 0;
  for (uint32_t s = 0; s < x->n_states; ++s)
    for (uint32_t a = 0; a < x->n_actions; ++a) {
      size_t n;
      const far_outcome *o = far_mdp_outcomes(mdp, s, a, &n);
      double q = 0;
      for (size_t k = 0; k < n; ++k)
        q += o[k].probability * (o[k].reward + x->gamma * u[o[k].next]);
      most = fmax(most, fabs(q - x->q[s * x->n_actions + a]));
    }
  return most;
}

static void check_greedy(const far_solution *x, const far_mdp *mdp, double tolerance) {
  CHECK(x->converged && x->error <= tolerance && x->error > 0 && x->sweeps > 0);
  for (uint32_t s = 0; s < x->n_states; ++s) {
    const double *q = x->q + (size_t)s * x->n_actions;
    double best = q[0];
    uint32_t first = 0;
    for (uint32_t a = 1; a < x->n_actions; ++a)
      if (q[a] > best) best = q[a], first = a;
    CHECK(x->v[s] == best && x->policy[s] == first);
    if (far_mdp_terminal(mdp, s)) CHECK(x->v[s] == 0 && q[x->n_actions - 1] == 0);
  }
}

static void check_solution(const far_solution *x, const far_mdp *mdp, double tolerance) {
  check_greedy(x, mdp, tolerance);
  CHECK(residual_of(x, mdp, x->v) <= x->residual + 1e-12);
}

/* ---- discounted ---- */

/* One state, two actions: 1 / (1 - gamma). */
static void test_by_hand(void) {
  far_mdp_builder *b;
  far_mdp *mdp;
  far_mdp_builder_create(&b, 3, 2, NULL);
  /* 0: stay for 0, or go on to 1 for 1; 1: end for 2 or with an even chance go back; 2: the end */
  far_mdp_builder_outcome(b, 0, 0, 1, 0, 0, NULL);
  far_mdp_builder_outcome(b, 0, 1, 1, 1, 1, NULL);
  far_mdp_builder_outcome(b, 1, 0, 1, 2, 2, NULL);
  far_mdp_builder_outcome(b, 1, 1, 0.5, 0, 0, NULL);
  far_mdp_builder_outcome(b, 1, 1, 0.5, 2, 0, NULL);
  far_mdp_builder_terminal(b, 2, NULL);
  far_mdp_builder_start(b, 0, 1, NULL);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  far_solver *solver = solver_of(mdp);
  far_solve_def def = far_solve_def_default();
  def.gamma = 0.5;
  def.tolerance = 1e-12;
  for (size_t m = 0; far_method_name(m) != NULL; ++m) {
    far_solution x;
    def.method = (far_method)m;
    CHECK(far_solver_discounted(&x, solver, &def, NULL) == FAR_OK);
    check_solution(&x, mdp, 1e-12);
    CHECK_NEAR(x.v[0], 2, 1e-12); /* 1 + 2/2 */
    CHECK_NEAR(x.v[1], 2, 1e-12);
    CHECK_NEAR(x.q[0], 1, 1e-12);
    CHECK_NEAR(x.q[3], 0.5, 1e-12);
    CHECK(x.policy[0] == 1 && x.policy[1] == 0 && x.policy[2] == 0);
    CHECK_NEAR(x.span, 2, 1e-12);
    double gap[3];
    const far_gaps gaps = far_solution_gaps(&x, mdp, gap);
    CHECK_NEAR(gap[0], 1, 1e-11);
    CHECK_NEAR(gap[1], 1.5, 1e-11);
    CHECK(gap[2] == 0 && gaps.n_tied == 0 && gaps.at == 0);
    CHECK_NEAR(gaps.least_positive, 1, 1e-11);
    CHECK(gaps.least == gaps.least_positive);
    far_solution_free(&x);
  }
  far_solver_free(solver);
  far_mdp_free(mdp);
}

static void test_methods_on(const far_mdp *mdp, double gamma, double tolerance) {
  far_solver *solver = solver_of(mdp);
  long double *exact = reference(mdp, gamma, NULL);
  far_solve_def def = far_solve_def_default();
  def.gamma = gamma;
  def.tolerance = tolerance;
  for (size_t m = 0; far_method_name(m) != NULL; ++m) {
    far_solution x;
    def.method = (far_method)m;
    CHECK(far_solver_discounted(&x, solver, &def, NULL) == FAR_OK);
    check_solution(&x, mdp, tolerance);
    const double wrong = distance(&x, exact);
    CHECK(wrong <= x.error);
    if (wrong > x.error)
      printf("  %s: wrong by %g, certified %g\n", far_method_name(m), wrong, x.error);
    far_solution_free(&x);
  }
  free(exact);
  far_solver_free(solver);
}

static void test_methods(void) {
  static const double gammas[] = {0, 0.5, 0.95, 0.99};
  static const double tolerances[] = {1, 1e-3, 1e-6, 1e-9};
  for (uint64_t seed = 0; seed < 6; ++seed)
    for (size_t i = 0; i < 4; ++i) {
      far_mdp *mdp = random_world(seed, 5 + 13 * (uint32_t)seed, 3, 4);
      test_methods_on(mdp, gammas[i], tolerances[(i + seed) % 4]);
      far_mdp_free(mdp);
      mdp = ragged_world(seed, 9 + 17 * (uint32_t)seed, 1 + (uint32_t)seed % 4, 6,
                         (uint32_t)seed % 3);
      test_methods_on(mdp, gammas[i], tolerances[(i + seed + 1) % 4]);
      far_mdp_free(mdp);
    }
  far_mdp *mdp = world("chain:n=50");
  test_methods_on(mdp, 0.99, 1e-8);
  far_mdp_free(mdp);
  mdp = ragged_world(3, 400, 3, 40, 2); /* above the limit of elimination, and long rows */
  test_methods_on(mdp, 0.95, 1e-6);
  far_mdp_free(mdp);
  mdp = ragged_world(4, 40, 2, 1000, 1);
  test_methods_on(mdp, 0.9, 1e-9);
  far_mdp_free(mdp);
}

/* With a certain end after a few steps, a constant shift of all values would be wrong: the bounds
 * must hold at every sweep, not only the last. */
static bool first_sweeps(void *user, int64_t sweeps, double error) {
  (void)user;
  CHECK(error > 0);
  return sweeps < 3;
}

static void test_bounds_on_the_way(void) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    far_mdp *mdp = ragged_world(seed, 30, 2, 3, 1 + (uint32_t)seed % 4);
    far_solver *solver = solver_of(mdp);
    long double *exact = reference(mdp, 0.9, NULL);
    far_solve_def def = far_solve_def_default();
    def.gamma = 0.9;
    for (size_t m = 0; far_method_name(m) != NULL; ++m)
      for (def.max_sweeps = 1; def.max_sweeps < 12; ++def.max_sweeps) {
        far_solution x;
        def.method = (far_method)m;
        CHECK(far_solver_discounted(&x, solver, &def, NULL) == FAR_OK);
        CHECK(distance(&x, exact) <= x.error);
        far_solution_free(&x);
      }
    far_solution x;
    def.max_sweeps = 0;
    def.method = FAR_METHOD_VALUE;
    def.progress = first_sweeps;
    CHECK(far_solver_discounted(&x, solver, &def, NULL) == FAR_STATUS_CANCELLED && x.v == NULL);
    free(exact);
    far_solver_free(solver);
    far_mdp_free(mdp);
  }
}

static void test_refusals(void) {
  far_mdp *mdp = world("chain:n=3");
  far_solver *solver = solver_of(mdp);
  far_solution x;
  far_error error;
  far_solve_def def = far_solve_def_default();
  CHECK(def.gamma == 0.95 && def.tolerance == 1e-6 && def.method == FAR_METHOD_AUTO &&
        def.threads == 1);
  def.gamma = 1;
  CHECK(far_solver_discounted(&x, solver, &def, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "gamma 1 must be in [0, 1)");
  def = far_solve_def_default();
  def.tolerance = 0;
  CHECK(far_solver_discounted(&x, solver, &def, &error) == FAR_STATUS_RANGE);
  def.tolerance = 1e-15;
  CHECK(far_solver_discounted(&x, solver, &def, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "below what doubles can certify");
  def.tolerance = 3e-12; /* just above what it says */
  CHECK(far_solver_discounted(&x, solver, &def, &error) == FAR_OK && x.converged);
  far_solution_free(&x);
  def = far_solve_def_default();
  const uint32_t action[3] = {0, 2, 0};
  CHECK(far_solver_evaluate(&x, solver, &def, &(far_policy){.action = action}, &error) ==
        FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "action 2 in state 1 is outside 0 ... 1");
  const double p[6] = {0.5, 0.5, 1, 0, 0.25, 0.5};
  CHECK(far_solver_evaluate(&x, solver, &def, &(far_policy){.probability = p}, &error) ==
        FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "state 2 add to 0.75");
  CHECK(far_solver_evaluate(&x, solver, &def, &(far_policy){0}, &error) == FAR_STATUS_CONFLICT);
  far_solver_free(NULL);
  far_solver_free(solver);
  far_mdp_free(mdp);
}

/* ---- policies ---- */

static void test_policies(void) {
  for (uint64_t seed = 0; seed < 8; ++seed) {
    far_mdp *mdp = ragged_world(seed, 40, 3, 5, (uint32_t)seed % 3);
    far_solver *solver = solver_of(mdp);
    far_solve_def def = far_solve_def_default();
    far_rng rng;
    far_rng_init(&rng, seed, 2, FAR_PURPOSE_SEARCH);
    uint32_t action[40];
    double p[120];
    for (int s = 0; s < 40; ++s) {
      action[s] = far_rng_below(&rng, 3);
      const double x = far_rng_uniform(&rng), y = far_rng_uniform(&rng) * (1 - x);
      p[3 * s] = x, p[3 * s + 1] = s % 4 ? y : 0, p[3 * s + 2] = 1 - x - p[3 * s + 1];
    }
    for (int kind = 0; kind < 4; ++kind) {
      const far_policy policy =
          kind % 2 ? (far_policy){.action = action} : (far_policy){.probability = p};
      long double *exact = reference(mdp, def.gamma, &policy);
      far_solution x;
      def.method = kind < 2 ? FAR_METHOD_VALUE : FAR_METHOD_GAUSS_SEIDEL;
      CHECK(far_solver_evaluate(&x, solver, &def, &policy, NULL) == FAR_OK);
      CHECK(x.converged && x.error <= 1e-6 && distance(&x, exact) <= x.error);
      CHECK(residual_of(&x, mdp, x.v) <= x.residual + 1e-12);
      free(exact);
      far_solution_free(&x);
    }
    /* the optimal policy has the optimal values, and none is better */
    far_solution best, same;
    CHECK(far_solver_discounted(&best, solver, &def, NULL) == FAR_OK);
    CHECK(far_solver_evaluate(&same, solver, &def, &(far_policy){.action = best.policy}, NULL) ==
          FAR_OK);
    for (int s = 0; s < 40; ++s) CHECK_NEAR(same.v[s], best.v[s], 1e-4);
    far_solution_free(&best);
    far_solution_free(&same);
    far_solver_free(solver);
    far_mdp_free(mdp);
  }
}

/* ---- finite horizon ---- */

static void test_horizon(void) {
  far_mdp *mdp = ragged_world(1, 20, 3, 4, 2);
  far_solver *solver = solver_of(mdp);
  far_horizon x;
  CHECK(far_solver_horizon(&x, solver, 9, 1, NULL) == FAR_OK);
  double now[20] = {0}, then[20];
  for (int t = 8; t >= 0; --t) { /* by plain recursion */
    memcpy(then, now, sizeof then);
    for (uint32_t s = 0; s < 18; ++s) {
      double q[3] = {0};
      for (uint32_t a = 0; a < 3; ++a) {
        size_t n;
        const far_outcome *o = far_mdp_outcomes(mdp, s, a, &n);
        for (size_t k = 0; k < n; ++k) q[a] += o[k].probability * (o[k].reward + then[o[k].next]);
      }
      now[s] = fmax(q[0], fmax(q[1], q[2]));
      CHECK_NEAR(x.v[t * 20 + s], now[s], 1e-13);
      CHECK_NEAR(q[x.policy[t * 20 + s]], now[s], 1e-13);
    }
    CHECK(x.v[t * 20 + 19] == 0);
  }
  CHECK(x.v[9 * 20 + 3] == 0 && x.error < 1e-11);
  far_horizon_free(&x);
  far_solution best;
  far_solve_def def = far_solve_def_default();
  def.gamma = 0.5;
  CHECK(far_solver_discounted(&best, solver, &def, NULL) == FAR_OK);
  CHECK(far_solver_horizon(&x, solver, 60, 0.5, NULL) == FAR_OK);
  for (uint32_t s = 0; s < 20; ++s) CHECK_NEAR(x.v[s], best.v[s], 1e-6);
  far_solution_free(&best);
  far_horizon_free(&x);
  CHECK(far_solver_horizon(&x, solver, 0, 1, NULL) == FAR_STATUS_RANGE);
  CHECK(far_solver_horizon(&x, solver, 5, 1.5, NULL) == FAR_STATUS_RANGE);
  CHECK(far_solver_horizon(&x, solver, INT64_MAX, 1, NULL) == FAR_STATUS_MEMORY);
  far_solver_free(solver);
  far_mdp_free(mdp);
}

/* ---- average reward ---- */

/* Going right for ever: 0.75 / (1 - 4^-n), from the stationary distribution. */
static void test_average_chain(void) {
  static const int sizes[] = {2, 5, 10, 50};
  for (int i = 0; i < 4; ++i) {
    char spec[40];
    snprintf(spec, sizeof spec, "chain:n=%d,left=0", sizes[i]);
    far_mdp *mdp = world(spec);
    far_solver *solver = solver_of(mdp);
    far_average x;
    far_solve_def def = far_solve_def_default();
    def.tolerance = 1e-10;
    CHECK(far_solver_average(&x, solver, &def, NULL) == FAR_OK);
    CHECK(x.converged && x.error <= 1e-10 && x.bias[0] == 0);
    CHECK_NEAR(x.gain, 0.75 / (1 - pow(4, -sizes[i])), 1e-10);
    for (int s = 0; s < sizes[i]; ++s) CHECK(x.policy[s] == 1);
    CHECK_NEAR(x.span, x.bias[sizes[i] - 1], 0);
    far_average_free(&x);
    far_solver_free(solver);
    far_mdp_free(mdp);
  }
}

/* A cycle of n states in which one step pays: period n, gain 1 / n, and a diameter of n - 1. */
static far_mdp *cycle(uint32_t n) {
  far_mdp_builder *b;
  far_mdp *mdp;
  far_mdp_builder_create(&b, n, 1, NULL);
  for (uint32_t s = 0; s < n; ++s)
    far_mdp_builder_outcome(b, s, 0, 1, (s + 1) % n, s + 1 == n, NULL);
  far_mdp_builder_start(b, 0, 1, NULL);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  return mdp;
}

/* A line of n steps to an end that pays 1, then again from the start: gain 1 / n. */
static far_mdp *line(uint32_t n) {
  far_mdp_builder *b;
  far_mdp *mdp;
  far_mdp_builder_create(&b, n + 1, 1, NULL);
  for (uint32_t s = 0; s < n; ++s) far_mdp_builder_outcome(b, s, 0, 1, s + 1, s + 1 == n, NULL);
  far_mdp_builder_terminal(b, n, NULL);
  far_mdp_builder_start(b, 0, 1, NULL);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  return mdp;
}

static void test_cycles(void) {
  for (uint32_t n = 1; n < 9; ++n)
    for (int ends = 0; ends < 2; ++ends) {
      far_mdp *mdp = ends ? line(n) : cycle(n);
      far_solver *solver = solver_of(mdp);
      far_solve_def def = far_solve_def_default();
      far_average x;
      far_diameter d;
      far_structure structure;
      CHECK(far_solver_average(&x, solver, &def, NULL) == FAR_OK);
      CHECK_NEAR(x.gain, 1.0 / n, 1e-6);
      if (ends) CHECK_NEAR(x.bias[n], x.bias[0], 0);
      CHECK(far_solver_structure(&structure, solver, NULL) == FAR_OK);
      CHECK(structure.kind == FAR_CHAIN_COMMUNICATING && structure.n_classes == 1);
      CHECK(structure.n_closed == 1 && structure.n_recurrent == 1);
      CHECK(far_solver_diameter(&d, solver, &def, NULL) == FAR_OK);
      CHECK_NEAR(d.value, ends ? n : n - 1, 1e-6 * n);
      CHECK(d.error <= 1e-6 * n);
      far_average_free(&x);
      far_structure_free(&structure);
      far_solver_free(solver);
      far_mdp_free(mdp);
    }
}

/* ---- structure ---- */

/* From s by action a for certain. */
static void edge(far_mdp_builder *b, uint32_t s, uint32_t a, uint32_t next) {
  far_mdp_builder_outcome(b, s, a, 1, next, 0, NULL);
}

/* 0 may stay or leave for 1 for ever: one closed class, two sets to stay in. */
static far_mdp *stay_or_leave(double reward_of_staying) {
  far_mdp_builder *b;
  far_mdp *mdp;
  far_mdp_builder_create(&b, 2, 2, NULL);
  far_mdp_builder_outcome(b, 0, 0, 1, 0, reward_of_staying, NULL);
  edge(b, 0, 1, 1), edge(b, 1, 0, 1), edge(b, 1, 1, 1);
  far_mdp_builder_start(b, 0, 1, NULL);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  return mdp;
}

/* Multichain, with one best gain: the first state stays or leaves, for rewards that are equal in the end. */
static void test_average_of_parts(void) {
  far_mdp *mdp = stay_or_leave(0);
  far_solver *solver = solver_of(mdp);
  const far_solve_def def = far_solve_def_default();
  far_average x;
  CHECK(far_solver_average(&x, solver, &def, NULL) == FAR_OK);
  CHECK(x.converged && x.gain == 0 && x.error <= def.tolerance && x.span == 0);
  far_average_free(&x);
  far_solver_free(solver);
  far_mdp_free(mdp);
}

/* State s is left with probability 2^-50 / (s + 1), so that two thirds of the time are spent in the second. */
static void test_average_of_rare(void) {
  far_mdp_builder *b;
  far_mdp *mdp;
  far_mdp_builder_create(&b, 2, 1, NULL);
  for (uint32_t s = 0; s < 2; ++s) {
    const double leave = 0x1p-50 / (s + 1), reward = s == 0 ? 1 : 4;
    far_mdp_builder_outcome(b, s, 0, 1 - leave, s, reward, NULL);
    far_mdp_builder_outcome(b, s, 0, leave, 1 - s, reward, NULL);
  }
  far_mdp_builder_start(b, 0, 1, NULL);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  far_solver *solver = solver_of(mdp);
  far_solve_def def = far_solve_def_default();
  far_average x;
  def.tolerance = 1e-12;
  def.max_sweeps = 200000; /* by sweeps alone it would take 10^16 */
  CHECK(far_solver_average(&x, solver, &def, NULL) == FAR_OK && x.converged);
  CHECK(x.error <= 1e-12);
  CHECK_NEAR(x.gain, 3, x.error);
  CHECK_NEAR(x.bias[1] / 0x1p51, 1, 1e-12); /* 1 = 3 + 2^-50 (h(0) - h(1)) */
  far_average_free(&x);
  far_solver_free(solver);
  far_mdp_free(mdp);
}

static void test_classes(void) {
  far_mdp_builder *b;
  far_mdp *mdp;
  far_structure x;
  far_diameter d;
  far_average average;
  far_error error;
  far_solve_def def = far_solve_def_default();
  /* 0 -> 1 <-> 2: 0 is left at once; one set remains */
  far_mdp_builder_create(&b, 3, 2, NULL);
  edge(b, 0, 0, 1), edge(b, 0, 1, 2), edge(b, 1, 0, 2), edge(b, 1, 1, 1), edge(b, 2, 0, 1),
      edge(b, 2, 1, 1);
  far_mdp_builder_start(b, 0, 1, NULL);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  far_solver *solver = solver_of(mdp);
  CHECK(far_solver_structure(&x, solver, NULL) == FAR_OK);
  CHECK(x.kind == FAR_CHAIN_WEAKLY && x.n_classes == 2 && x.n_closed == 1 && x.n_recurrent == 1);
  CHECK(x.class_of[0] == 0 && x.class_of[1] == 1 && x.class_of[2] == 1 && x.closed == 1);
  CHECK(x.recurrent[0] == UINT32_MAX && x.recurrent[1] == 0 && x.recurrent[2] == 0);
  CHECK_TEXT(far_chain_name(x.kind), "weakly communicating");
  CHECK(far_solver_average(&average, solver, &def, NULL) == FAR_OK);
  far_average_free(&average);
  CHECK(far_solver_diameter(&d, solver, &def, NULL) == FAR_OK);
  CHECK(d.value == INFINITY && d.from == 1 && d.to == 0);
  far_structure_free(&x);
  far_solver_free(solver);
  far_mdp_free(mdp);
  mdp = stay_or_leave(1);
  solver = solver_of(mdp);
  CHECK(far_solver_structure(&x, solver, NULL) == FAR_OK);
  CHECK(x.kind == FAR_CHAIN_MULTICHAIN && x.n_closed == 1 && x.n_recurrent == 2);
  CHECK(far_solver_average(&average, solver, &def, &error) == FAR_STATUS_CONFLICT);
  CHECK_CONTAINS(error.message, "depends on the state: it is 1 from state 0 and 0 from state 1");
  far_structure_free(&x);
  far_solver_free(solver);
  far_mdp_free(mdp);
}

/* An end component needs all outcomes of an action to stay: 0 and 1 lead to one another, but every
 * action of 1 may also leave for 2. */
static void test_end_components(void) {
  far_mdp_builder *b;
  far_mdp *mdp;
  far_structure x;
  far_mdp_builder_create(&b, 4, 1, NULL);
  edge(b, 0, 0, 1);
  far_mdp_builder_outcome(b, 1, 0, 0.5, 0, 0, NULL);
  far_mdp_builder_outcome(b, 1, 0, 0.5, 2, 0, NULL);
  edge(b, 2, 0, 2), edge(b, 3, 0, 0);
  far_mdp_builder_start(b, 3, 1, NULL);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  far_solver *solver = solver_of(mdp);
  CHECK(far_solver_structure(&x, solver, NULL) == FAR_OK);
  CHECK(x.n_classes == 3 && x.class_of[0] == x.class_of[1] && x.n_closed == 1 && x.closed == 2);
  CHECK(x.kind == FAR_CHAIN_WEAKLY && x.n_recurrent == 1);
  CHECK(x.recurrent[0] == UINT32_MAX && x.recurrent[1] == UINT32_MAX && x.recurrent[2] == 0);
  far_structure_free(&x);
  far_solver_free(solver);
  far_mdp_free(mdp);
}

/* On the chain of three, from one end to the other, by hand: with p = 0.8 of success,
 * h1 = 1 + 0.2 h0, h0 = 1 + 0.8 h1 + 0.2 h0. */
static void test_diameter_chain(void) {
  far_mdp *mdp = world("chain:n=3");
  far_solver *solver = solver_of(mdp);
  far_solve_def def = far_solve_def_default();
  far_diameter d;
  def.tolerance = 1e-9;
  CHECK(far_solver_diameter(&d, solver, &def, NULL) == FAR_OK);
  CHECK_NEAR(d.value, 1.8 / 0.64, d.error + 1e-15);
  CHECK(d.error <= 1e-8 && ((d.from == 0 && d.to == 2) || (d.from == 2 && d.to == 0)));
  far_solver_free(solver);
  far_mdp_free(mdp);
}

/* The live states of a model numbered densely, with every end led to a start. */
static far_mdp *without_ends(const far_mdp *mdp) {
  const far_shape shape = far_mdp_shape(mdp);
  uint32_t number[400], n = 0;
  for (uint32_t s = 0; s < shape.n_states; ++s) number[s] = far_shape_is_live(&shape, s) ? n++ : 0;
  far_mdp_builder *b;
  far_mdp *out = NULL;
  size_t count, starts;
  const far_outcome *start = far_mdp_starts(mdp, &starts);
  CHECK(far_mdp_builder_create(&b, n, shape.n_actions, NULL) == FAR_OK);
  for (uint32_t s = 0; s < shape.n_states; ++s)
    for (uint32_t a = 0; far_shape_is_live(&shape, s) && a < shape.n_actions; ++a) {
      const far_outcome *o = far_mdp_outcomes(mdp, s, a, &count);
      for (size_t k = 0; k < count; ++k)
        for (size_t j = 0; j < (o[k].done ? starts : 1); ++j)
          far_mdp_builder_outcome(b, number[s], a,
                                  o[k].probability * (o[k].done ? start[j].probability : 1),
                                  number[o[k].done ? start[j].next : o[k].next], 0, NULL);
    }
  for (size_t j = 0; j < starts; ++j)
    far_mdp_builder_start(b, number[start[j].next], start[j].probability, NULL);
  CHECK(far_mdp_builder_finish(&out, b, NULL) == FAR_OK);
  return out;
}

/* The diameter of the live states is that of the problem without ends and without absent states. */
static void test_diameter_live(void) {
  static const char *const specs[] = {"frozen-lake", "deepsea:n=5", "bridge", "cliff-walking"};
  for (size_t i = 0; i < sizeof specs / sizeof *specs; ++i) {
    far_mdp *mdp = world(specs[i]), *dense = without_ends(mdp);
    far_solver *solver = solver_of(mdp), *other = solver_of(dense);
    far_solve_def def = far_solve_def_default();
    far_diameter all, live, plain;
    CHECK(far_solver_diameter(&all, solver, &def, NULL) == FAR_OK);
    CHECK(far_solver_diameter(&plain, other, &def, NULL) == FAR_OK);
    def.live_only = true;
    CHECK(far_solver_diameter(&live, solver, &def, NULL) == FAR_OK);
    CHECK(live.value < INFINITY && all.value >= live.value - live.error - all.error);
    CHECK_NEAR(live.value, plain.value, live.error + plain.error);
    far_solver_free(solver);
    far_solver_free(other);
    far_mdp_free(mdp);
    far_mdp_free(dense);
  }
}

/* From 0 a run may fall into 2 for ever; 3, which nothing reaches, is another trap. */
static void test_diameter_trap(void) {
  far_mdp_builder *b;
  far_mdp *mdp = NULL;
  far_solve_def def = far_solve_def_default();
  far_diameter d;
  CHECK(far_mdp_builder_create(&b, 4, 1, NULL) == FAR_OK);
  far_mdp_builder_outcome(b, 0, 0, 0.5, 1, 0, NULL);
  far_mdp_builder_outcome(b, 0, 0, 0.5, 2, 0, NULL);
  far_mdp_builder_outcome(b, 1, 0, 1, 0, 1, NULL);
  far_mdp_builder_outcome(b, 2, 0, 1, 2, 0, NULL);
  far_mdp_builder_outcome(b, 3, 0, 1, 3, 0, NULL);
  far_mdp_builder_start(b, 0, 1, NULL);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  far_solver *solver = solver_of(mdp);
  def.live_only = true;
  CHECK(far_solver_diameter(&d, solver, &def, NULL) == FAR_OK);
  CHECK(d.value == INFINITY && d.from == 2 && d.to == 0);
  far_solver_free(solver);
  far_mdp_free(mdp);
}

/* ---- memory, and one model for many ---- */

static void test_memory(void) {
  far_mdp *mdp = random_world(1, 2000, 4, 7);
  far_solver *solver = solver_of(mdp);
  CHECK(far__solver_bytes(solver) < far__mdp_bytes(mdp) / 2);
  far_solver_free(solver);
  far_mdp_free(mdp);
  mdp = ragged_world(2, 501, 3, 200, 3); /* padding stays in bounds */
  solver = solver_of(mdp);
  CHECK(far__solver_bytes(solver) < far__mdp_bytes(mdp) / 2);
  far_solver_free(solver);
  far_mdp_free(mdp);
}

/* Two states of which only the first is ever reached; the other would make the model multichain. */
static void test_unreached(void) {
  far_mdp_builder *b;
  far_mdp *mdp;
  far_solver *solver;
  far_average best;
  const far_solve_def def = far_solve_def_default();
  far_mdp_builder_create(&b, 3, 1, NULL);
  far_mdp_builder_outcome(b, 0, 0, 1, 0, 5, NULL); /* nobody comes here */
  far_mdp_builder_outcome(b, 1, 0, 1, 2, 1, NULL);
  far_mdp_builder_outcome(b, 2, 0, 1, 1, 2, NULL);
  far_mdp_builder_start(b, 1, 1, NULL);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  CHECK(far_solver_create(&solver, mdp, NULL) == FAR_OK);
  CHECK(far_solver_average(&best, solver, &def, NULL) == FAR_OK);
  CHECK_NEAR(best.gain, 1.5, 1e-6);
  CHECK(best.n_states == 3 && best.bias[0] != best.bias[0] && best.bias[1] == 0);
  CHECK_NEAR(best.bias[2], 0.5, 1e-5);
  far_average_free(&best);
  far_solver_free(solver);
  far_mdp_free(mdp);
  CHECK(far_mdp_create(&mdp, "taxi", NULL) == FAR_OK);
  CHECK(far_solver_create(&solver, mdp, NULL) == FAR_OK);
  CHECK(far_solver_average(&best, solver, &def, NULL) == FAR_OK);
  CHECK(best.gain > 0.5 && best.gain < 0.7); /* about 7.9 in 13 steps */
  far_average_free(&best);
  far_solver_free(solver);
  far_mdp_free(mdp);
}

/* A way that takes a billion steps: sweeps would never end. Three states back for every one ahead, and
 * the same once more with an end at the far side, from which all begins again. */
static far_mdp *slow_walk(uint32_t n, bool ends) {
  far_mdp_builder *b;
  far_mdp *mdp;
  far_mdp_builder_create(&b, n + ends, 2, NULL);
  for (uint32_t s = 0; s < n; ++s)
    for (uint32_t a = 0; a < 2; ++a) {
      const uint32_t right = s + 1 < n + ends ? s + 1 : s, left = s > 0 ? s - 1 : 0;
      far_mdp_builder_outcome(b, s, a, a == 0 ? 0.1 : 0.25, right, 0, NULL);
      far_mdp_builder_outcome(b, s, a, a == 0 ? 0.9 : 0.75, left, 0, NULL);
    }
  if (ends) far_mdp_builder_terminal(b, n, NULL);
  far_mdp_builder_start(b, 0, 1, NULL);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  return mdp;
}

/* From the first state to the k-th, if a step goes ahead with probability 1/4: t(k + 1) = 3 t(k) + 4. */
static void test_diameter_slow(void) {
  for (int ends = 0; ends < 2; ++ends) {
    const uint32_t n = 15;
    far_mdp *mdp = slow_walk(n, ends);
    far_solver *solver = solver_of(mdp);
    far_solve_def def = far_solve_def_default();
    far_diameter d;
    double exact = 0,
           time = 4; /* of one step ahead, from the first state and from those that follow */
    for (uint32_t s = 0; s + 1 < n + (uint32_t)ends; ++s, time = 3 * time + 4) exact += time;
    CHECK(far_solver_diameter(&d, solver, &def, NULL) == FAR_OK);
    CHECK(d.converged && d.from == 0 && d.to == n - 1 + (uint32_t)ends);
    CHECK(fabs(d.value - exact) <= d.error && d.error <= 2e-6 * exact);
    far_solver_free(solver);
    far_mdp_free(mdp);
  }
}

/* ---- threads, and methods for what has an order ---- */

static void check_same(const far_solution *x, const far_solution *y) {
  const size_t n = x->n_states;
  CHECK(memcmp(x->v, y->v, n * sizeof *x->v) == 0);
  CHECK(memcmp(x->q, y->q, n * x->n_actions * sizeof *x->q) == 0);
  CHECK(memcmp(x->policy, y->policy, n * sizeof *x->policy) == 0);
  CHECK(x->error == y->error && x->residual == y->residual && x->sweeps == y->sweeps);
}

/* The number of threads does not show. The model is large enough to be shared. */
static void test_threads(void) {
  far_mdp *mdp = ragged_world(5, 20001, 3, 8, 7);
  far_solver *solver = solver_of(mdp);
  far_solve_def def = far_solve_def_default();
  for (size_t m = 0; far_method_name(m) != NULL; ++m) {
    far_solution one, many;
    def.method = (far_method)m;
    def.threads = 1;
    CHECK(far_solver_discounted(&one, solver, &def, NULL) == FAR_OK);
    def.threads = 2 + (unsigned)m;
    CHECK(far_solver_discounted(&many, solver, &def, NULL) == FAR_OK);
    check_same(&one, &many);
    far_solution_free(&one);
    far_solution_free(&many);
  }
  far_average one, many;
  def.threads = 1;
  CHECK(far_solver_average(&one, solver, &def, NULL) == FAR_OK);
  def.threads = 3;
  CHECK(far_solver_average(&many, solver, &def, NULL) == FAR_OK);
  CHECK(one.gain == many.gain && one.error == many.error && one.sweeps == many.sweeps);
  far_average_free(&one);
  far_average_free(&many);
  far_solver_free(solver);
  far_mdp_free(mdp);
}

/* Groups of states, of which each leads to itself and to later ones, in an order of numbers that is mixed up
 * by `step`; every third group is a single state, and some groups are never left. A corridor is a group, too. */
static far_mdp *grouped_world(uint64_t seed, uint32_t n_groups, uint32_t size,
                              uint32_t n_terminal) {
  const uint32_t live = n_groups * size, n = live + n_terminal, step = 7; /* coprime to live */
  far_rng rng;
  far_mdp_builder *b;
  far_mdp *mdp;
  far_rng_init(&rng, seed, 2, FAR_PURPOSE_SEARCH);
  far_mdp_builder_create(&b, n, 2, NULL);
  for (uint32_t s = live; s < n; ++s) far_mdp_builder_terminal(b, s, NULL);
  for (uint32_t i = 0; i < live; ++i) {
    const uint32_t s = (uint32_t)((uint64_t)i * step % live), group = i / size;
    for (uint32_t a = 0; a < 2; ++a)
      for (uint32_t k = 0; k < 3; ++k) {
        uint32_t to = group * size + far_rng_below(&rng, size);
        if (group % 3 == 0) to = i;
        if (group % 3 == 2)
          to = group * size + (a == 0 ? (i % size + 1) % size : i % size * 9 / 10);
        if (k == 2 && group % 4 != 1) to = i + far_rng_below(&rng, n - i);
        const uint32_t next = to < live ? (uint32_t)((uint64_t)to * step % live) : to;
        far_mdp_builder_outcome(b, s, a, k == 2 ? 0.1 : 0.45, next, far_rng_uniform(&rng) * 3 - 1,
                                NULL);
      }
  }
  far_mdp_builder_start(b, step % live, 1, NULL); /* much is never reached */
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  return mdp;
}

static void test_order(void) {
  static const double gammas[] = {0, 0.9, 0.995};
  for (uint64_t seed = 0; seed < 6; ++seed)
    for (size_t i = 0; i < 3; ++i) {
      const uint32_t size = seed % 2 == 0 ? 1 + (uint32_t)seed : 25;
      far_mdp *mdp = grouped_world(seed, 9, size, (uint32_t)seed % 3);
      test_methods_on(mdp, gammas[i], i == 2 ? 1e-7 : 1e-9);
      far_mdp_free(mdp);
    }
}

/* What takes value iteration thousands of sweeps takes the work of some, in chains with and without a hub,
 * and where there is an order; and a policy's values likewise. */
static void test_traps(void) {
  static const char *const specs[] = {"chain:n=2000", "riverswim:n=2000", "combination-lock:n=500",
                                      "deepsea:n=60", "chain:n=300,slip=0"};
  for (size_t i = 0; i < sizeof specs / sizeof *specs; ++i) {
    far_mdp *mdp = world(specs[i]);
    far_solver *solver = solver_of(mdp);
    far_solve_def def = far_solve_def_default();
    far_solution x, y;
    def.gamma = 0.9999;
    CHECK(far_solver_discounted(&x, solver, &def, NULL) == FAR_OK);
    check_solution(&x, mdp, def.tolerance);
    CHECK(x.sweeps < 200 && x.method == FAR_METHOD_TOPOLOGICAL);
    CHECK(far_solver_evaluate(&y, solver, &def, &(far_policy){.action = x.policy}, NULL) == FAR_OK);
    CHECK(y.converged && y.sweeps < 400);
    for (uint32_t s = 0; s < x.n_states; ++s) CHECK(fabs(x.v[s] - y.v[s]) <= x.error + y.error);
    far_solution_free(&x);
    far_solution_free(&y);
    far_solver_free(solver);
    far_mdp_free(mdp);
  }
}

/* Where value iteration is quick, auto is value iteration, to the bit. */
static void test_auto_is_value(void) {
  far_mdp *mdp = random_world(3, 500, 3, 4);
  far_solver *solver = solver_of(mdp);
  far_solve_def def = far_solve_def_default();
  far_solution x, y;
  CHECK(far_solver_discounted(&x, solver, &def, NULL) == FAR_OK);
  def.method = FAR_METHOD_VALUE;
  CHECK(far_solver_discounted(&y, solver, &def, NULL) == FAR_OK);
  CHECK(x.method == FAR_METHOD_VALUE && y.method == FAR_METHOD_VALUE);
  check_same(&x, &y);
  far_solution_free(&x);
  far_solution_free(&y);
  far_solver_free(solver);
  far_mdp_free(mdp);
}

/* Every family, by the new methods and by value iteration. */
static void test_families(void) {
  for (size_t i = 0; far_mdp_family(i) != NULL; ++i) {
    const char *name = far_mdp_family(i)->name;
    far_mdp *mdp;
    if (far_mdp_create(&mdp, name, NULL) != FAR_OK) continue; /* it needs a file */
    far_solver *solver = solver_of(mdp);
    far_solve_def def = far_solve_def_default();
    far_solution best, x;
    def.gamma = 0.98;
    def.method = FAR_METHOD_VALUE;
    CHECK(far_solver_discounted(&best, solver, &def, NULL) == FAR_OK);
    for (def.method = FAR_METHOD_TOPOLOGICAL; def.method <= FAR_METHOD_AUTO; ++def.method) {
      CHECK(far_solver_discounted(&x, solver, &def, NULL) == FAR_OK);
      check_greedy(&x, mdp, def.tolerance);
      for (uint32_t s = 0; s < x.n_states; ++s)
        CHECK(fabs(x.v[s] - best.v[s]) <= x.error + best.error);
      far_solution_free(&x);
    }
    far_solution_free(&best);
    far_solver_free(solver);
    far_mdp_free(mdp);
  }
}

static bool says_stop(void *user, int64_t sweeps, double error) {
  (void)user, (void)sweeps, (void)error;
  return false;
}

/* One state, rewards 1 and 4: the best earns 4 a step, a random policy 2.5. */
static void test_totals(void) {
  far_mdp_builder *b;
  far_mdp *mdp;
  double best = 0, random = 0;
  far_mdp_builder_create(&b, 1, 2, NULL);
  far_mdp_builder_outcome(b, 0, 0, 1, 0, 1, NULL);
  far_mdp_builder_outcome(b, 0, 1, 1, 0, 4, NULL);
  far_mdp_builder_start(b, 0, 1, NULL);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  CHECK(far_solve_best_total(&best, mdp, 100, NULL, NULL) == FAR_OK);
  CHECK(far_solve_random_total(&random, mdp, 100, NULL, NULL) == FAR_OK);
  CHECK_NEAR(best, 400, 1e-3);
  CHECK_NEAR(random, 250, 1e-3);
  far_solve_def def = far_solve_def_default();
  def.progress = says_stop;
  CHECK(far_solve_best_total(&best, mdp, 100, &def, NULL) == FAR_STATUS_CANCELLED);
  CHECK(far_solve_random_total(&random, mdp, 100, &def, NULL) == FAR_STATUS_CANCELLED);
  CHECK(best != best && random != random);
  far_mdp_free(mdp);
  mdp = stay_or_leave(1); /* the best has no one average; a random policy leaves */
  CHECK(far_solve_best_total(&best, mdp, 100, NULL, NULL) == FAR_OK && best != best);
  CHECK(far_solve_random_total(&random, mdp, 100, NULL, NULL) == FAR_OK);
  CHECK_NEAR(random, 0, 1e-3);
  far_mdp_free(mdp);
}

int main(void) {
  test_totals();
  test_by_hand();
  test_methods();
  test_bounds_on_the_way();
  test_refusals();
  test_policies();
  test_horizon();
  test_average_chain();
  test_cycles();
  test_average_of_parts();
  test_average_of_rare();
  test_classes();
  test_end_components();
  test_diameter_chain();
  test_diameter_live();
  test_diameter_trap();
  test_memory();
  test_unreached();
  test_diameter_slow();
  test_threads();
  test_order();
  test_traps();
  test_auto_is_value();
  test_families();
  return check_report();
}
