/* The exact solvers at the edges of what they take: one action, one state, one pair; policies that are none; ends that
 * hardly ever come; models of very many parts. */
#include <farsight/farsight.h>
#include <stdlib.h>

#include "check.h"
#include "solve/backup.h"
#include "solve/parts.h"
#include "solve/sliced.h"
#include "worlds.h"

static far_solver *solver_of(const far_mdp *mdp) {
  far_solver *solver;
  CHECK(far_solver_create(&solver, mdp, NULL) == FAR_OK);
  return solver;
}

/* ---- bounds ---- */

/* x (k + k^2 + ...) = x k / (1 - k), where k is the discounted share of a row that goes on: rounded away from it or
 * towards it, and never more than the discount, nor less than 0. */
static void test_series(void) {
  CHECK(far__bounds_series(0.5, 0, 3, true) == 3 && far__bounds_series(0.5, 0, 3, false) == 3);
  CHECK(far__bounds_series(0.5, 1e-13, 3, true) == 3);
  CHECK(far__bounds_series(0.5, 1 + 0x1p-50, 3, true) == 0);
  CHECK(far__bounds_series(0.5, 1, 3, false) == 0);
  CHECK_NEAR(far__bounds_series(0.5, 0.5, 3, true), 1, 1e-11);
  CHECK(far__bounds_series(0.5, 0.5, 3, true) > 1 && far__bounds_series(0.5, 0.5, 3, false) < 1);
  CHECK(far__bounds_series(0, 0.5, 3, true) == 0);
}

/* A sweep that changed values by -1 ... 2, half of every row ending: the exact values lie from 1/3 below to 2/3 above. Where
 * all changes have one sign, the nearer bound takes the rows that end most. */
static void test_bounds(void) {
  const far__bounding by = {.gamma = 0.5, .least_end = 0.5, .most_end = 0.5, .rounding = 0.25};
  far__bounds x = far__bounds_after(by, (far__extent){-1, 2});
  CHECK_NEAR(x.upper, 2.0 / 3, 1e-11);
  CHECK_NEAR(x.lower, -1.0 / 3, 1e-11);
  CHECK_NEAR(x.error, 0.5 + 0.25, 1e-11);
  const far__bounding wide = {.gamma = 0.5, .least_end = 0, .most_end = 0.5, .rounding = 0};
  x = far__bounds_after(wide, (far__extent){1, 2}); /* up: nothing ends; low: half does */
  CHECK_NEAR(x.upper, 2, 1e-11);
  CHECK_NEAR(x.lower, 1.0 / 3, 1e-11);
  x = far__bounds_after(wide, (far__extent){-2, -1});
  CHECK_NEAR(x.upper, -1.0 / 3, 1e-11);
  CHECK_NEAR(x.lower, -2, 1e-11);
}

/* ---- gaps ---- */

/* By hand: the best action less the second best, where there are two. */
static void test_gaps(void) {
  far_mdp_builder *b;
  far_mdp *mdp;
  far_solution x;
  far_solve_def def = far_solve_def_default();
  double gap[4];
  def.gamma = 0;
  far_mdp_builder_create(&b, 3, 3, NULL);
  for (uint32_t i = 0; i < 6; ++i) /* 1, 3, 2 and 5, 5, 4 */
    far_mdp_builder_outcome(b, i / 3, i % 3, 1, 2, (const double[]){1, 3, 2, 5, 5, 4}[i], NULL);
  far_mdp_builder_terminal(b, 2, NULL);
  far_mdp_builder_start(b, 0, 1, NULL);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  far_solver *solver = solver_of(mdp);
  CHECK(far_solver_discounted(&x, solver, &def, NULL) == FAR_OK);
  far_gaps all = far_solution_gaps(&x, mdp, gap);
  CHECK(gap[0] == 1 && gap[1] == 0 && gap[2] == 0);
  CHECK(all.least == 0 && all.least_positive == 1 && all.at == 0 && all.n_tied == 1);
  all = far_solution_gaps(&x, mdp, NULL);
  CHECK(all.least == 0 && all.least_positive == 1 && all.n_tied == 1);
  far_solution_free(&x);
  far_solver_free(solver);
  far_mdp_free(mdp);
  mdp = random_world(1, 4, 1, 2);
  solver = solver_of(mdp);
  CHECK(far_solver_discounted(&x, solver, &def, NULL) == FAR_OK);
  all = far_solution_gaps(&x, mdp, gap);
  CHECK(all.least == INFINITY && all.least_positive == INFINITY && all.n_tied == 0);
  far_solution_free(&x);
  far_solver_free(solver);
  far_mdp_free(mdp);
}

/* Values that are wrong by up to 1/2: gaps of 1 may be none, those of 1 1/4 are some. */
static void test_blurred_gaps(void) {
  double q[] = {1, 0, 0, 1.25, 2, 0.75}, gap[3], p[6];
  const far_solution x = {.n_states = 3, .n_actions = 2, .q = q, .error = 0.5};
  far_mdp *mdp = random_world(1, 3, 2, 2);
  const far_gaps all = far_solution_gaps(&x, mdp, gap);
  CHECK(gap[0] == 1 && gap[1] == 1.25 && gap[2] == 1.25);
  CHECK(all.least == 1 && all.n_tied == 1 && all.least_positive == 1.25 && all.at == 1);
  far_solution_ties(p, &x);
  CHECK(p[0] == 0.5 && p[1] == 0.5 && p[2] == 0 && p[3] == 1 && p[4] == 1 && p[5] == 0);
  const far_reciprocals r = far_solution_reciprocals(&x, mdp);
  CHECK(r.n_positive == 2 && r.n_zero == 4 && r.least == 1.25 && r.sum == 1.6);
  CHECK_NEAR(r.low, 2 / 2.25, 1e-14);
  CHECK_NEAR(r.high, 2 / 0.25, 1e-13);
  far_mdp_free(mdp);
}

/* Gaps of 2, 1 and 0 of one state, 1, 0 and 0 of the other: only 2 is above twice the error. The end has none. */
static void test_gaps_of_bias(void) {
  double bias[3] = {0};
  const far_average x = {.n_states = 3, .bias = bias, .error = 0.7};
  far_mdp_builder *b;
  far_mdp *mdp;
  far_mdp_builder_create(&b, 3, 3, NULL);
  for (uint32_t i = 0; i < 6; ++i)
    far_mdp_builder_outcome(b, i / 3, i % 3, 1, 2, (const double[]){1, 3, 2, 5, 5, 4}[i], NULL);
  far_mdp_builder_terminal(b, 2, NULL);
  for (uint32_t s = 0; s < 2; ++s) far_mdp_builder_start(b, s, 0.5, NULL);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  const far_reciprocals r = far_average_reciprocals(&x, mdp);
  CHECK(r.n_positive == 1 && r.n_zero == 5 && r.least == 2 && r.sum == 0.5);
  far_mdp_free(mdp);
}

/* ---- horizons ---- */

/* One step from state 1, for 1 or 3, to one of the ends 0 and 2, which are worth nothing whatever is done there. */
static void test_ends_of_horizons(void) {
  double q[6] = {7, 7, 7, 7, 7, 7}, total = 0;
  far_mdp_builder *b;
  far_mdp *mdp;
  far_horizon x;
  far_reciprocals r;
  far_mdp_builder_create(&b, 3, 2, NULL);
  far_mdp_builder_outcome(b, 1, 0, 1, 0, 1, NULL);
  far_mdp_builder_outcome(b, 1, 1, 1, 2, 3, NULL);
  far_mdp_builder_terminal(b, 0, NULL);
  far_mdp_builder_terminal(b, 2, NULL);
  far_mdp_builder_start(b, 1, 1, NULL);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  far_solver *solver = solver_of(mdp);
  CHECK(far_solver_horizon(&x, solver, 2, 1, NULL) == FAR_OK);
  CHECK(far_horizon_pairs(q, &x, solver, 0, NULL) == FAR_OK);
  CHECK(q[0] == 0 && q[1] == 0 && q[2] == 1 && q[3] == 3 && q[4] == 0 && q[5] == 0);
  x.error = 0; /* the sum is rounded all the same */
  CHECK(far_horizon_reciprocals(&r, &x, mdp, NULL) == FAR_OK);
  CHECK(r.sum == 0.5 && r.low < 0.5 && r.high > 0.5);
  far_horizon_free(&x);
  far_solver_free(solver);
  far_mdp_free(mdp);
  /* episodes of one step: state 1, where nothing is earned, does not count */
  far_mdp_builder_create(&b, 2, 2, NULL);
  for (uint32_t i = 0; i < 4; ++i)
    far_mdp_builder_outcome(b, i / 2, i % 2, 1, 1, i < 2 ? 1 + 2 * i : 0, NULL);
  far_mdp_builder_start(b, 0, 1, NULL);
  far_mdp_builder_horizon(b, 1, NULL);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  CHECK(far_solve_random_total(&total, mdp, 10, NULL, NULL) == FAR_OK && total == 20);
  far_mdp_free(mdp);
}

/* ---- memory ---- */

/* A reward and a length for each row of states that go on, a number for each state; for each outcome where it leads and
 * how likely it is. Four rows, of two outcomes each. */
static void test_bytes(void) {
  far_mdp_builder *b;
  far_mdp *mdp;
  far_mdp_builder_create(&b, 3, 2, NULL);
  for (uint32_t i = 0; i < 8; ++i)
    far_mdp_builder_outcome(b, i / 4, i / 2 % 2, 0.5, i % 2, 1, NULL);
  far_mdp_builder_terminal(b, 2, NULL);
  far_mdp_builder_start(b, 0, 1, NULL);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  far_solver *solver = solver_of(mdp);
  CHECK(far__solver_bytes(solver) == sizeof *solver + 4 * (8 + 4) + 3 * 4 + 8 * (4 + 8));
  far_solver_free(solver);
  far_mdp_free(mdp);
}

/* ---- policies ---- */

static void test_policies(void) {
  static const struct {
    double p[4];
    const char *why;
  } cases[] = {{{0.5, 0.5, 1, 0}, NULL},
               {{-0.5, 1.5, 1, 0}, "probability -0.5 in state 0 is outside [0, 1]"},
               {{1, 0, 1.5, -0.5}, "probability 1.5 in state 1 is outside [0, 1]"},
               {{1, 0, NAN, 0}, "in state 1 is outside [0, 1]"},
               {{0.5, 0.25, 1, 0}, "in state 0 add to 0.75, not to 1"},
               {{0.5, 0.5, 0.75, 0.5}, "in state 1 add to 1.25, not to 1"}};
  static const uint32_t action[] = {1, 2};
  far_mdp *mdp = random_world(1, 2, 2, 2);
  far_solver *solver = solver_of(mdp);
  const far_solve_def def = far_solve_def_default();
  far_solution x;
  far_error error;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    const far_policy policy = {.probability = cases[i].p};
    const far_status status = far_solver_evaluate(&x, solver, &def, &policy, &error);
    CHECK(status == (cases[i].why == NULL ? FAR_OK : FAR_STATUS_RANGE));
    if (cases[i].why != NULL) CHECK_CONTAINS(error.message, cases[i].why);
    CHECK(cases[i].why == NULL || error.position == -1);
    far_solution_free(&x);
  }
  CHECK(far_solver_evaluate(&x, solver, &def, &(far_policy){.action = action}, &error) ==
        FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "action 2 in state 1 is outside 0 ... 1");
  CHECK(error.position == -1);
  CHECK(far_solver_evaluate(&x, solver, &def, &(far_policy){0}, &error) == FAR_STATUS_CONFLICT);
  CHECK(error.position == -1);
  const far_policy both = {.action = action, .probability = cases[0].p};
  CHECK(far_solver_evaluate(&x, solver, &def, &both, &error) == FAR_STATUS_CONFLICT);
  far_solver_free(solver);
  far_mdp_free(mdp);
}

/* ---- the smallest model ---- */

/* One state, one action, a reward of 3 a step: every answer is known. */
static void test_smallest(void) {
  far_mdp_builder *b;
  far_mdp *mdp;
  far_solution x;
  far_average average;
  far_diameter diameter;
  far_cover cover;
  far_mixing mixing;
  double total;
  const far_solve_def def = far_solve_def_default();
  far_mdp_builder_create(&b, 1, 1, NULL);
  far_mdp_builder_outcome(b, 0, 0, 1, 0, 3, NULL);
  far_mdp_builder_start(b, 0, 1, NULL);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  far_solver *solver = solver_of(mdp);
  for (size_t m = 0; far_method_name(m) != NULL; ++m) {
    far_solve_def by = def;
    by.method = (far_method)m;
    CHECK(far_solver_discounted(&x, solver, &by, NULL) == FAR_OK);
    CHECK_NEAR(x.v[0], 60, 1e-6);
    CHECK(x.span == 0 && x.policy[0] == 0);
    far_solution_free(&x);
  }
  CHECK(far_solver_average(&average, solver, &def, NULL) == FAR_OK);
  CHECK(average.gain == 3 && average.bias[0] == 0 && average.span == 0);
  far_average_free(&average);
  CHECK(far_solver_diameter(&diameter, solver, &def, NULL) == FAR_OK && diameter.value == 0);
  CHECK(far_solver_mixing(&mixing, solver, &def, NULL, NULL) == FAR_OK);
  CHECK(mixing.time == 0 && mixing.period == 1 && mixing.n_closed == 1);
  CHECK(far_solver_cover(&cover, solver, &def, NULL) == FAR_OK);
  CHECK(cover.n_pairs == 1 && cover.expected == 1 && cover.low == 1 && cover.hitting == 1);
  CHECK(far_solve_best_total(&total, mdp, 7, NULL, NULL) == FAR_OK && total == 21);
  CHECK(far_solve_random_total(&total, mdp, 7, NULL, NULL) == FAR_OK && total == 21);
  far_solver_free(solver);
  far_mdp_free(mdp);
}

/* ---- a slow walk ---- */

/* One action: ahead, or else back. With probability 1/4 it takes d(k + 1) = 3 d(k) + 4 steps from a state to the next,
 * with 1/2 d(k) = 2 k. */
static far_mdp *walk_world(uint32_t n, double ahead) {
  far_mdp_builder *b;
  far_mdp *mdp;
  far_mdp_builder_create(&b, n, 1, NULL);
  for (uint32_t s = 0; s < n; ++s) {
    far_mdp_builder_outcome(b, s, 0, ahead, s + 1 < n ? s + 1 : s, 0, NULL);
    far_mdp_builder_outcome(b, s, 0, 1 - ahead, s > 0 ? s - 1 : 0, 1, NULL);
  }
  far_mdp_builder_start(b, 0, 1, NULL);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  return mdp;
}

static int64_t reports;

static bool note_sets(void *user, int64_t sets, double error) {
  (void)user, (void)error;
  reports += sets == 256 || sets == 512 || sets == 768;
  return true;
}

/* The least number of steps after which the walk of six states has taken the last pair with probability 1/2. */
static double median_of_walk(void) {
  double p[5] = {1}, arrived = 0, steps = 0;
  for (; arrived < 0.5; ++steps) {
    double next[5] = {0};
    arrived += 0.25 * p[4];
    for (int s = 0; s < 5; ++s) {
      next[s > 0 ? s - 1 : 0] += 0.75 * p[s];
      if (s < 4) next[s + 1] += 0.25 * p[s];
    }
    memcpy(p, next, sizeof p);
  }
  return steps + 1;
}

/* Too many pairs for all sets of them: half of the longest way, of 19 * 20 steps and one more, is a bound. */
static void test_bounded(void) {
  far_mdp *mdp = walk_world(20, 0.5);
  far_solver *solver = solver_of(mdp);
  far_cover cover;
  const far_solve_def def = far_solve_def_default();
  CHECK(far_solver_cover(&cover, solver, &def, NULL) == FAR_OK && cover.n_pairs == 20);
  CHECK_NEAR(cover.hitting, 381, 1e-6);
  CHECK(cover.kind != FAR_COVER_EXACT && cover.length_low == 191);
  far_solver_free(solver);
  far_mdp_free(mdp);
}

/* 4 + 16 + 52 + 160 + 484 = 716 steps from one end to the other, and one more for the pair that is taken there. */
static void test_walk(void) {
  far_mdp *mdp = walk_world(6, 0.25);
  far_solver *solver = solver_of(mdp);
  far_diameter d;
  far_cover cover;
  far_error error;
  far_solve_def def = far_solve_def_default();
  CHECK(far_solver_diameter(&d, solver, &def, NULL) == FAR_OK);
  CHECK_NEAR(d.value, 716, 716e-6);
  CHECK(d.from == 0 && d.to == 5 && d.error <= 716e-6);
  CHECK(far_solver_cover(&cover, solver, &def, NULL) == FAR_OK);
  CHECK_NEAR(cover.hitting, 717, 1e-3);
  CHECK(cover.n_pairs == 6 && cover.length_low == median_of_walk());
  CHECK(cover.length_high == cover.length_low);
  CHECK_NEAR(cover.expected, 717, 1e-3); /* the end is the last of all to be met */
  /* too small for the way to state 2, of 4 + 16 steps, with rows of two outcomes */
  def.tolerance = 1e-13;
  CHECK(far_solver_diameter(&d, solver, &def, &error) == FAR_STATUS_RANGE && error.position == -1);
  const char *number = strstr(error.message, "at least ");
  CHECK(number != NULL);
  if (number != NULL)
    CHECK_NEAR(strtod(number + 9, NULL), 5 * (2 * 2 + 16) * 0x1p-53 * (1 + 20), 1e-15);
  def.tolerance = 1; /* is relative */
  CHECK(far_solver_diameter(&d, solver, &def, &error) == FAR_STATUS_RANGE && d.value == 0);
  far_solver_free(solver);
  far_mdp_free(mdp);
  mdp = random_world(5, 5, 2, 2); /* ten pairs: 1,024 sets of them, and a report every 256 */
  solver = solver_of(mdp);
  def = far_solve_def_default();
  CHECK(far_solver_cover(&cover, solver, &def, NULL) == FAR_OK);
  CHECK(cover.kind == FAR_COVER_EXACT && cover.n_pairs == 10);
  def.progress = note_sets;
  reports = 0;
  CHECK(far_solver_cover(&cover, solver, &def, NULL) == FAR_OK && reports >= 3);
  far_solver_free(solver);
  far_mdp_free(mdp);
}

/* Where there is one action, the first look ahead is enough, and no sample is needed. */
static void test_one_action(void) {
  far_mdp *mdp = random_world(1, 4, 1, 1);
  far_solver *solver = solver_of(mdp);
  far_horizon best;
  far_effective x;
  const far_solve_def def = far_solve_def_default();
  CHECK(far_solver_horizon(&best, solver, 5, 1, NULL) == FAR_OK);
  CHECK(far_solver_effective_finite(&x, solver, &def, &best, NULL) == FAR_OK);
  CHECK(x.k == 1 && x.gorp == 1 && x.horizon == 1);
  far_horizon_free(&best);
  far_solver_free(solver);
  far_mdp_free(mdp);
}

/* The number of samples is that of a deterministic model without a discount; with one there is none. */
static void test_discounted_horizon(void) {
  far_mdp *mdp = random_world(1, 4, 1, 1);
  far_solver *solver = solver_of(mdp);
  far_horizon best;
  far_effective x;
  const far_solve_def def = far_solve_def_default();
  CHECK(far_solver_horizon(&best, solver, 5, 0.5, NULL) == FAR_OK);
  CHECK(far_solver_effective_finite(&x, solver, &def, &best, NULL) == FAR_OK);
  CHECK(x.k == 1 && x.gorp == INFINITY);
  far_horizon_free(&best);
  far_solver_free(solver);
  far_mdp_free(mdp);
}

/* ---- very many parts ---- */

/* Reports of states that are parts of their own come every 65,536 of them. */
static bool count(void *user, int64_t sweeps, double error) {
  (void)user, (void)sweeps, (void)error;
  return ++reports < 2;
}

static void test_line(void) {
  enum { N = 140000 };
  far_mdp_builder *b;
  far_mdp *mdp;
  far_solution x;
  far_solve_def def = far_solve_def_default();
  far_mdp_builder_create(&b, N + 1, 1, NULL);
  for (uint32_t s = 0; s < N; ++s) far_mdp_builder_outcome(b, s, 0, 1, s + 1, 1, NULL);
  far_mdp_builder_terminal(b, N, NULL);
  far_mdp_builder_start(b, 0, 1, NULL);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  far_solver *solver = solver_of(mdp);
  def.method = FAR_METHOD_TOPOLOGICAL;
  CHECK(far_solver_discounted(&x, solver, &def, NULL) == FAR_OK);
  for (uint32_t k = 0; k < 100; ++k) /* k + 1 steps to the end */
    CHECK_NEAR(x.v[N - 1 - k], (1 - pow(0.95, k + 1)) / 0.05, 1e-6);
  far_solution_free(&x);
  reports = 0;
  def.progress = count; /* stopped at the second, before the whole is swept */
  CHECK(far_solver_discounted(&x, solver, &def, NULL) == FAR_STATUS_CANCELLED && reports == 2);
  def.progress = NULL;
  def.max_sweeps = 1; /* a pass, and no more: what it proves is not the tolerance */
  CHECK(far_solver_discounted(&x, solver, &def, NULL) == FAR_OK);
  CHECK(x.sweeps <= 3);
  far_solution_free(&x);
  far_mdp *unrolled;
  far_error error;
  CHECK(far_mdp_unroll(&unrolled, mdp, 40000, &error) == FAR_STATUS_MEMORY && unrolled == NULL);
  CHECK_CONTAINS(error.message, "no memory for 140001 states at 40000 steps");
  CHECK(error.position == -1);
  far_solver_free(solver);
  far_mdp_free(mdp);
}

/* ---- average reward ---- */

/* State 1, which no run reaches, earns more, so that the whole has no one gain. Of the rest, 0 (reward 1, stays with
 * probability 1/2) and 2 (reward 3, goes to 0), g = 5/3 and h = 0, 4/3: h(2) + g = 3 + h(0). The other action earns less. */
static void test_unreached(void) {
  far_mdp_builder *b;
  far_mdp *mdp;
  far_average x;
  far_solve_def def = far_solve_def_default();
  far_mdp_builder_create(&b, 3, 2, NULL);
  for (uint32_t a = 0; a < 2; ++a) {
    far_mdp_builder_outcome(b, 0, a, 0.5, 0, a == 0 ? 1 : 0, NULL);
    far_mdp_builder_outcome(b, 0, a, 0.5, 2, a == 0 ? 1 : 0, NULL);
    far_mdp_builder_outcome(b, 1, a, 1, 1, 9, NULL);
    far_mdp_builder_outcome(b, 2, a, 1, 0, a == 1 ? 3 : 2, NULL);
  }
  far_mdp_builder_start(b, 2, 1, NULL);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  far_solver *solver = solver_of(mdp);
  def.tolerance = 1e-10;
  CHECK(far_solver_average(&x, solver, &def, NULL) == FAR_OK && x.n_states == 3);
  CHECK_NEAR(x.gain, 5.0 / 3, 1e-10);
  CHECK(x.bias[0] == 0 && isnan(x.bias[1]));
  CHECK_NEAR(x.bias[2], 4.0 / 3, 1e-9);
  CHECK_NEAR(x.span, 4.0 / 3, 1e-9);
  CHECK(x.policy[0] == 0 && x.policy[1] == 0 && x.policy[2] == 1);
  far_average_free(&x);
  far_solver_free(solver);
  far_mdp_free(mdp);
}

/* Where the whole has one gain it is solved as a whole: state 1, which no run reaches, goes to 0, which pays 1 for ever.
 * h(1) + 1 = 4 + h(0). */
static void test_unreached_has_bias(void) {
  far_mdp_builder *b;
  far_mdp *mdp;
  far_average x;
  const far_solve_def def = far_solve_def_default();
  far_mdp_builder_create(&b, 2, 1, NULL);
  far_mdp_builder_outcome(b, 0, 0, 1, 0, 1, NULL);
  far_mdp_builder_outcome(b, 1, 0, 1, 0, 4, NULL);
  far_mdp_builder_start(b, 0, 1, NULL);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  far_solver *solver = solver_of(mdp);
  CHECK(far_solver_average(&x, solver, &def, NULL) == FAR_OK);
  CHECK_NEAR(x.gain, 1, 1e-6);
  CHECK_NEAR(x.bias[1], 3, 1e-5);
  far_average_free(&x);
  far_solver_free(solver);
  far_mdp_free(mdp);
}

/* ---- rounding ---- */

/* Of one state that earns 2 for ever: (2 + 16) u times 2, times the square of as many steps as count. */
static void test_rounding(void) {
  const double unit = 18 * 0x1p-53 * 2, values[] = {2, 3.5, 6};
  far_mdp_builder *b;
  far_mdp *mdp;
  far_horizon h;
  far_solution x;
  far_solve_def def = far_solve_def_default();
  far_error error;
  far_mdp_builder_create(&b, 1, 1, NULL);
  far_mdp_builder_outcome(b, 0, 0, 1, 0, 2, NULL);
  far_mdp_builder_start(b, 0, 1, NULL);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  far_solver *solver = solver_of(mdp);
  for (int i = 0; i <= 2; ++i) { /* gamma 0, 1/2, 1: 1, 2, 3 steps of 3 */
    CHECK(far_solver_horizon(&h, solver, 3, i / 2.0, NULL) == FAR_OK);
    CHECK(h.error == unit * (i + 1) * (i + 1) && h.v[0] == values[i]);
    far_horizon_free(&h);
  }
  def.gamma = 0;
  CHECK(far_solver_discounted(&x, solver, &def, NULL) == FAR_OK);
  CHECK(x.v[0] == 2 && x.error == unit);
  far_solution_free(&x);
  const double refused[] = {0, INFINITY, NAN, -1};
  for (int i = 0; i < 4; ++i) {
    def.tolerance = refused[i];
    CHECK(far_solver_discounted(&x, solver, &def, &error) == FAR_STATUS_RANGE);
    CHECK_CONTAINS(error.message, "must be above 0");
  }
  far_solver_free(solver);
  far_mdp_free(mdp);
}

int main(void) {
  test_series();
  test_bounds();
  test_gaps();
  test_blurred_gaps();
  test_gaps_of_bias();
  test_ends_of_horizons();
  test_bytes();
  test_policies();
  test_smallest();
  test_walk();
  test_bounded();
  test_one_action();
  test_discounted_horizon();
  test_line();
  test_unreached();
  test_unreached_has_bias();
  test_rounding();
  return check_report();
}
