/* The exact solvers at the borders of their own rules: what rounding adds to a certificate, gaps as small as their error,
 * the least models, memory that is not clean. */
#include <stdlib.h>

#include "solve/parts.h"
#include "solvers.h"
#include "worlds.h"

/* ---- what rounding adds to a certificate ---- */

/* One state that pays 2 a step: nothing but the rounding of a sweep, (2 + 16) u 2. */
static void test_average_rounding(void) {
  far_mdp_builder *b = builder(1, 1);
  move(b, 0, 0, 1, 0, 2);
  far_mdp *mdp = finish(b, 0);
  far_solver *solver = solver_of(mdp);
  const far_solve_def def = far_solve_def_default();
  far_average x;
  CHECK(far_solver_average(&x, solver, &def, NULL) == FAR_OK && x.converged);
  CHECK(x.gain == 2 && x.error == 36 * U);
  far_average_free(&x);
  end(solver, mdp);
}

/* The greatest bias counts as a value: 8 in the state that pays 8 once. A sweep takes 3/4 of what is missing of it. */
static void test_bias_rounding(void) {
  far_mdp_builder *b = builder(2, 1);
  move(b, 0, 0, 1, 0, 0);
  move(b, 1, 0, 1, 0, 8);
  far_mdp *mdp = finish(b, 1);
  far_solver *solver = solver_of(mdp);
  const far_solve_def def = far_solve_def_default();
  far_average x;
  CHECK(far_solver_average(&x, solver, &def, NULL) == FAR_OK && x.converged);
  CHECK_NEAR(x.error - 4 * pow(0.25, (double)(x.sweeps - 1)), 18 * U * (8 + 8), U);
  far_average_free(&x);
  end(solver, mdp);
}

/* One state that pays 2 a step, worth 4 with gamma = 1/2. What q lacks of its backup is the rounding of it,
 * (2 + 16) u (2 + 4 / 2); and no tolerance below three times (2 + 16) u 2 2^2 can be certified. */
static void test_backup_rounding(void) {
  far_mdp_builder *b = builder(1, 1);
  move(b, 0, 0, 1, 0, 2);
  far_mdp *mdp = finish(b, 0);
  far_solver *solver = solver_of(mdp);
  far_solve_def def = far_solve_def_default();
  far_solution x;
  far_error error;
  def.gamma = 0.5;
  def.method = FAR_METHOD_VALUE;
  CHECK(far_solver_discounted(&x, solver, &def, NULL) == FAR_OK);
  CHECK(x.v[0] == 4 && x.residual == 72 * U);
  far_solution_free(&x);
  def.tolerance = 432 * U;
  CHECK(far_solver_discounted(&x, solver, &def, NULL) == FAR_OK && x.converged);
  far_solution_free(&x);
  def.tolerance = 431 * U;
  CHECK(far_solver_discounted(&x, solver, &def, &error) == FAR_STATUS_RANGE);
  CHECK(error.position == -1);
  CHECK_CONTAINS(error.message, "below what doubles can certify in this model with gamma 0.5");
  end(solver, mdp);
}

/* Two states that lead to one another: exactly one step, so that only rounding is left, (2 + 16) u (1 + 1), on either
 * side. */
static void test_diameter_rounding(void) {
  far_mdp_builder *b = builder(2, 1);
  move(b, 0, 0, 1, 1, 0), move(b, 1, 0, 1, 0, 0);
  far_mdp *mdp = finish(b, 0);
  far_solver *solver = solver_of(mdp);
  const far_solve_def def = far_solve_def_default();
  far_diameter d;
  CHECK(far_solver_diameter(&d, solver, &def, NULL) == FAR_OK && d.converged);
  CHECK_NEAR(d.value, 1, 36 * U);
  CHECK_NEAR(d.error, 36 * U, 3 * U);
  end(solver, mdp);
  b = builder(2, 1); /* with rows of two outcomes, and 1 + 32 u steps to state 1 */
  move(b, 0, 0, 1 - 32 * U, 1, 0), move(b, 0, 0, 32 * U, 0, 0), move(b, 1, 0, 1, 0, 0);
  mdp = finish(b, 0);
  solver = solver_of(mdp);
  CHECK(far_solver_diameter(&d, solver, &def, NULL) == FAR_OK && d.to == 1);
  CHECK_NEAR(d.value, 1 + 32 * U, 4 * U);
  CHECK_NEAR(d.error, 40 * U, 4 * U);
  end(solver, mdp);
}

/* A coin that leads to a reward of 8 or to none: a standard deviation of 4, with (2 * 2 + 16) u times the greatest value
 * for rounding. */
static void test_norm_rounding(void) {
  far_mdp_builder *b = builder(4, 1);
  move(b, 0, 0, 0.5, 1, 0), move(b, 0, 0, 0.5, 2, 0);
  move(b, 1, 0, 1, 3, 8), move(b, 2, 0, 1, 3, 0);
  far_mdp_builder_terminal(b, 3, NULL);
  far_mdp *mdp = finish(b, 0);
  far_solver *solver = solver_of(mdp);
  const far_solve_def def = far_solve_def_default();
  far_horizon h;
  far_solution x;
  far_norm norm;
  CHECK(far_solver_horizon(&h, solver, 2, 1, NULL) == FAR_OK);
  CHECK(far_horizon_norm(&norm, &h, mdp, NULL) == FAR_OK);
  CHECK(norm.value == 4 && norm.state == 0 && norm.error == h.error + 20 * U * 8);
  far_horizon_free(&h);
  CHECK(far_solver_discounted(&x, solver, &def, NULL) == FAR_OK);
  norm = far_solution_norm(&x, mdp);
  CHECK(norm.value == 4 && norm.error == x.error + 20 * U * 8);
  far_solution_free(&x);
  end(solver, mdp);
}

/* Arrays keep a probability that is 1 but for rounding. Where it is the only one, nothing is random all the same. */
static void test_norm_of_one(void) {
  static const int64_t offsets[] = {0, 1, 2};
  static const uint32_t next[] = {1, 0}, start[] = {0};
  static const double p[] = {1 - U, 1 - U}, reward[] = {0, 1}, one[] = {1}, v[] = {0, 1e6};
  far_csr csr = far_csr_default(2, 1);
  far_mdp *mdp = NULL;
  size_t count;
  csr.n_outcomes = 2, csr.n_starts = 1;
  csr.offsets = offsets, csr.probability = p, csr.next = next, csr.reward = reward;
  csr.start_state = start, csr.start_probability = one;
  CHECK(far_mdp_from_csr(&mdp, &csr, NULL) == FAR_OK);
  CHECK(far_mdp_outcomes(mdp, 0, 0, &count)->probability == 1 - U);
  CHECK(far__value_norm(mdp, v) == 0);
  far_mdp_free(mdp);
}

/* ---- the effective horizon ---- */

/* Two states that lead to one another by two actions, which pay 3 and 2, for T steps. The gap is 1 for every k, so that k = 1 will do, with the
 * horizon 1 + 2 log2(T). After k further steps the returns of T - k differ by T - k, with a mean in the middle:
 * B = (T - k)^2 / 2, and m = 16 B ln(2 T 2^k). */
static far_effective ask_steps(int64_t steps) {
  far_mdp_builder *b = builder(2, 2);
  for (uint32_t s = 0; s < 2; ++s) move(b, s, 0, 1, 1 - s, 3), move(b, s, 1, 1, 1 - s, 2);
  far_mdp *mdp = finish(b, 0);
  far_solver *solver = solver_of(mdp);
  const far_solve_def def = far_solve_def_default();
  far_horizon best;
  far_effective x;
  CHECK(far_solver_horizon(&best, solver, steps, 1, NULL) == FAR_OK);
  CHECK(far_solver_effective_finite(&x, solver, &def, &best, NULL) == FAR_OK);
  CHECK(x.k == 1 && x.at == 1);
  CHECK_NEAR(x.gap, 1, 1e-12);
  CHECK_NEAR(x.horizon, 1 + 2 * log2((double)steps), 1e-12);
  far_horizon_free(&best);
  end(solver, mdp);
  return x;
}

/* Of 40 steps, k = 1 has the best bound, of about 17: those up to 16 are tried. Of 10 steps no k has a bound below 10, so
 * that is 10, and what is 10 or more need not be tried. */
static void test_steps(void) {
  double least = INFINITY;
  for (int k = 1; k < 40; ++k)
    least = fmin(least, k + log2(ceil(8 * (40 - k) * (40 - k) * log(80 * pow(2, k)))));
  const far_effective x = ask_steps(40), y = ask_steps(10);
  CHECK_NEAR(x.gorp, least, 1e-12);
  CHECK(x.tried == 16);
  CHECK(y.gorp == 10 && y.tried == 9);
}

/* An episode of one step comes to the states 0 and 1. Three steps take one in state 2, too, which is a coin: the bound for
 * models without chance does not hold for these. */
static void test_beyond_the_horizon(void) {
  far_mdp_builder *b = builder(3, 2);
  far_effective x;
  far_horizon best;
  const far_solve_def def = far_solve_def_default();
  CHECK(far_mdp_builder_horizon(b, 1, NULL) == FAR_OK);
  for (uint32_t a = 0; a < 2; ++a) {
    move(b, 0, a, 1, 1, a), move(b, 1, a, 1, 2, a);
    move(b, 2, a, 0.5, 0, 0), move(b, 2, a, 0.5, 1, 0);
  }
  far_mdp *mdp = finish(b, 0);
  far_solver *solver = solver_of(mdp);
  for (int64_t steps = 1; steps <= 3; steps += 2) {
    CHECK(far_solver_horizon(&best, solver, steps, 1, NULL) == FAR_OK);
    CHECK(far_solver_effective_finite(&x, solver, &def, &best, NULL) == FAR_OK && x.k == 1);
    CHECK((x.gorp < INFINITY) == (steps == 1));
    far_horizon_free(&best);
  }
  end(solver, mdp);
}

/* From state 0 to state 1, which pays 1 or d - 1 and so d / 2 in the mean, or to state 2, which pays -d / 2; or, `later`,
 * to the states 3 and 4, from which there is one more step to these. If `slow`, state 3 pays 1 for ever. */
static far_mdp *near_tie(double d, bool later, bool slow) {
  far_mdp_builder *b = builder(6, 2);
  move(b, 0, 0, 1, later ? 3 : 1, 0), move(b, 0, 1, 1, later ? 4 : 2, 0);
  move(b, 1, 0, 1, 5, 1), move(b, 1, 1, 1, 5, d - 1);
  move(b, 2, 0, 1, 5, -d / 2), move(b, 2, 1, 1, 5, -d / 2);
  for (uint32_t a = 0; a < 2; ++a) move(b, 3, a, 1, slow ? 3 : 1, slow), move(b, 4, a, 1, 2, 0);
  far_mdp_builder_terminal(b, 5, NULL);
  return finish(b, 0);
}

/* Which k is certain. */
static int64_t look_ahead(double d, bool later, bool slow) {
  double half[12];
  far_mdp *mdp = near_tie(d, later, slow);
  far_solver *solver = solver_of(mdp);
  far_solution best, uniform;
  far_effective x;
  far_solve_def def = far_solve_def_default();
  def.gamma = 0.5;
  CHECK(far_solver_discounted(&best, solver, &def, NULL) == FAR_OK);
  CHECK(far_solver_effective(&x, solver, &def, &best, NULL) == FAR_OK);
  def.tolerance *= 1e-4; /* as for the effective horizon */
  for (int i = 0; i < 12; ++i) half[i] = 0.5;
  const far_policy policy = {.probability = half};
  CHECK(far_solver_evaluate(&uniform, solver, &def, &policy, NULL) == FAR_OK);
  CHECK(slow ? uniform.error <= 1e-10 : uniform.error == d / 4 + 88 * U);
  far_solution_free(&best);
  far_solution_free(&uniform);
  end(solver, mdp);
  return x.k;
}

/* Q1 of the two actions differs by d / 2, and each is known up to e / 2, if e is the error of the uniform policy's values:
 * the first is certainly the greater if d / 2 > e. One sweep brings those values within
 * e = d / 4 + (2 * 3 + 16) u 2^2, of which the second is rounding. So d = 352 u is just not enough, where the true ones
 * may be equal; k = 2 sees the 1, and 384 u is enough for k = 1.
 *
 * A step later they differ by d / 4, which is not above e. For k = 2 the values are known up to e / 2 and the rounding of
 * a backup, (2 + 16) u 2: d / 4 > d / 8 + 44 u + 36 u if d > 640 u. Else k = 3 sees the 1. */
static void test_near_tie(void) {
  CHECK(look_ahead(352 * U, false, false) == 2 && look_ahead(384 * U, false, false) == 1);
  CHECK(look_ahead(640 * U, true, false) == 3 && look_ahead(704 * U, true, false) == 2);
  CHECK(look_ahead(1e-7, false, true) == 1); /* below the tolerance of 1e-6 */
}

/* From state 0 the first two of three actions are the best, and lead to the states 1 and 2, where 4 can be had: in state 1
 * by any action, in state 2 by one, the others pay 3.5. The third leads to nothing. So Q1 is greatest for the first, and
 * the second is still above the third: where Q1 is estimated it may be taken, and then the gap is the 0.5 of state 2. */
static void test_wide_gap(void) {
  far_mdp_builder *b = builder(5, 3);
  for (uint32_t a = 0; a < 3; ++a) {
    move(b, 0, a, 1, a + 1, 0);
    move(b, 1, a, 1, 4, 4), move(b, 2, a, 1, 4, a == 0 ? 4 : 3.5), move(b, 3, a, 1, 4, 0);
  }
  far_mdp_builder_terminal(b, 4, NULL);
  far_mdp *mdp = finish(b, 0);
  far_solver *solver = solver_of(mdp);
  far_solve_def def = far_solve_def_default();
  far_horizon steps;
  far_solution best;
  far_effective x;
  CHECK(far_solver_horizon(&steps, solver, 2, 1, NULL) == FAR_OK);
  CHECK(far_solver_effective_finite(&x, solver, &def, &steps, NULL) == FAR_OK && x.k == 1);
  CHECK_NEAR(x.gap, 0.5, 1e-12);
  CHECK_NEAR(x.horizon, 1 + 2 * log(4 * 2 / 0.5) / log(3), 1e-12);
  def.gamma = 0.5;
  CHECK(far_solver_discounted(&best, solver, &def, NULL) == FAR_OK);
  CHECK(far_solver_effective(&x, solver, &def, &best, NULL) == FAR_OK && x.k == 1);
  CHECK_NEAR(x.gap, 0.5, 1e-12);
  CHECK_NEAR(x.horizon, 1 + 2 * log(4 / (1 - 0.5) / 0.5) / log(3), 1e-12);
  far_horizon_free(&steps);
  far_solution_free(&best);
  end(solver, mdp);
}

/* ---- structure ---- */

/* A run stays in state 1 for ever. From the end, which no run reaches, it would go on at the start and then to state 1,
 * too: in state 1 alone can a policy stay. */
static void test_left_end(void) {
  far_mdp_builder *b = builder(3, 1);
  far_structure x;
  move(b, 0, 0, 1, 1, 0), move(b, 1, 0, 1, 1, 0);
  far_mdp_builder_terminal(b, 2, NULL);
  far_mdp *mdp = finish(b, 0);
  far_solver *solver = solver_of(mdp);
  CHECK(far_solver_structure(&x, solver, NULL) == FAR_OK);
  CHECK(x.n_recurrent == 1 && x.kind == FAR_CHAIN_WEAKLY && x.n_closed == 1 && x.closed == 1);
  CHECK(x.recurrent[0] == UINT32_MAX && x.recurrent[1] == 0 && x.recurrent[2] == UINT32_MAX);
  far_structure_free(&x);
  end(solver, mdp);
}

/* A choice of which any outcome leaves is left, the first as well as the last: in state 1 alone can a policy stay. */
static void test_left_choice(void) {
  for (uint32_t first = 0; first < 2; ++first) {
    far_mdp_builder *b = builder(2, 1);
    far_structure x;
    move(b, 0, 0, 0.5, first, 0), move(b, 0, 0, 0.5, 1 - first, 0), move(b, 1, 0, 1, 1, 0);
    far_mdp *mdp = finish(b, 0);
    far_solver *solver = solver_of(mdp);
    CHECK(far_solver_structure(&x, solver, NULL) == FAR_OK && x.kind == FAR_CHAIN_WEAKLY);
    CHECK(x.n_recurrent == 1 && x.recurrent[0] == UINT32_MAX && x.recurrent[1] == 0);
    far_structure_free(&x);
    end(solver, mdp);
  }
}

/* An end is worth what the start is that follows it, after any number of sweeps. The start is not the first state, whose
 * bias is 0, and pays more. */
static void test_bias_of_an_end(void) {
  far_mdp_builder *b = builder(3, 1);
  move(b, 1, 0, 1, 0, 0), move(b, 2, 0, 1, 1, 1);
  far_mdp_builder_terminal(b, 0, NULL);
  far_mdp *mdp = finish(b, 2);
  far_solver *solver = solver_of(mdp);
  far_solve_def def = far_solve_def_default();
  far_average x;
  for (def.max_sweeps = 0; def.max_sweeps < 4; ++def.max_sweeps) {
    CHECK(far_solver_average(&x, solver, &def, NULL) == FAR_OK);
    CHECK(x.bias[1] == 0 && x.bias[2] > 0 && x.bias[0] == x.bias[2]);
    if (def.max_sweeps == 0) CHECK_NEAR(x.gain, 0.5, 1e-6);
    far_average_free(&x);
  }
  end(solver, mdp);
}

enum { WAY = 13 };

/* While the last state is the target; the report that the one before it is done counts as well. */
static bool count_last(void *user, int64_t states, double error) {
  (void)error;
  *(int *)user += states == WAY - 1;
  return true;
}

/* The first action stays where it is; only the second walks, one step ahead for three back. So no way may begin with the
 * first. It is too long for sweeps: t(k + 1) = 3 t(k) + 4 steps from a state to the next. Once that is known, few sweeps
 * are tried: a report comes every 4096 / 13 = 315 of them, so that for the last state there are none but those of the
 * policies, of which the first is the right one. */
static void test_long_way(void) {
  far_mdp_builder *b = builder(WAY, 2);
  double way = 0, time = 4;
  for (uint32_t s = 0; s < WAY; ++s) {
    move(b, s, 0, 1, s, 0);
    move(b, s, 1, 0.25, s + 1 < WAY ? s + 1 : s, 0), move(b, s, 1, 0.75, s > 0 ? s - 1 : 0, 0);
    if (s + 1 < WAY) way += time, time = 3 * time + 4;
  }
  far_mdp *mdp = finish(b, 0);
  far_solver *solver = solver_of(mdp);
  far_solve_def def = far_solve_def_default();
  far_diameter d;
  int reports = 0;
  def.progress = count_last;
  def.user = &reports;
  CHECK(far_solver_diameter(&d, solver, &def, NULL) == FAR_OK && d.converged);
  CHECK(fabs(d.value - way) <= d.error && d.from == 0 && d.to == WAY - 1);
  CHECK(reports <= 4);
  end(solver, mdp);
}

/* A ring of one action is covered by as many steps as it has states, in every run that is simulated. */
static void test_certain_cover(void) {
  enum { N = 20 };
  far_mdp_builder *b = builder(N, 1);
  for (uint32_t s = 0; s < N; ++s) move(b, s, 0, 1, (s + 1) % N, 0);
  far_mdp *mdp = finish(b, 0);
  far_solver *solver = solver_of(mdp);
  const far_solve_def def = far_solve_def_default();
  far_cover x;
  CHECK(far_solver_cover(&x, solver, &def, NULL) == FAR_OK && x.kind == FAR_COVER_SIMULATED);
  CHECK(x.expected == N && x.standard_error == 0 && x.worst == 0);
  end(solver, mdp);
}

/* ---- episodes ---- */

/* Two steps that pay 1 each to an end, in episodes of at most five: a reward a step, and none at the end, where no step
 * is made. */
static void test_short_episodes(void) {
  far_mdp_builder *b = builder(3, 1);
  double best, random;
  CHECK(far_mdp_builder_horizon(b, 5, NULL) == FAR_OK);
  move(b, 0, 0, 1, 1, 1), move(b, 1, 0, 1, 2, 1);
  far_mdp_builder_terminal(b, 2, NULL);
  far_mdp *mdp = finish(b, 0);
  CHECK(far_solve_best_total(&best, mdp, 10, NULL, NULL) == FAR_OK && best == 10);
  CHECK(far_solve_random_total(&random, mdp, 10, NULL, NULL) == FAR_OK && random == 10);
  far_mdp_free(mdp);
}

/* A horizon of T steps has values at T + 1 times, and no memory has so many. */
static void test_endless_horizon(void) {
  far_mdp_builder *b = builder(1, 1);
  move(b, 0, 0, 1, 0, 1);
  far_mdp *mdp = finish(b, 0);
  far_solver *solver = solver_of(mdp);
  far_horizon x;
  far_error error;
  const int64_t steps = INT64_C(1) << 60;
  if (!NARROW) {
    CHECK(far_solver_horizon(&x, solver, steps, 1, &error) == FAR_STATUS_MEMORY && x.v == NULL);
    CHECK_CONTAINS(error.message, "no memory for 1 states at 1152921504606846977 times");
  }
  end(solver, mdp);
}

/* ---- memory ---- */

/* Leaves blocks of many sizes behind in which every byte is set: as doubles they are NaN. */
static void soil_memory(void) {
  enum { SIZES = 128, BLOCKS = 16 };
  static void *block[SIZES * BLOCKS];
  for (size_t i = 0; i < SIZES * BLOCKS; ++i) {
    const size_t size = 8 * (i % SIZES + 1);
    block[i] = malloc(size);
    if (block[i] != NULL) memset(block[i], 0xff, size);
  }
  for (size_t i = 0; i < SIZES * BLOCKS; ++i) free(block[i]);
}

/* What memory held before does not matter. On a cycle of six states the walk takes at most 3 * 3 steps to another state.
 * There it needs two tries to take a given action, in the mean, and between them the 1 * 5 steps back to it. */
static void test_soiled_memory(void) {
  far_mdp_builder *b = builder(6, 2);
  for (uint32_t s = 0; s < 6; ++s)
    move(b, s, 0, 1, (s + 1) % 6, 0), move(b, s, 1, 1, (s + 5) % 6, 0);
  far_mdp *mdp = finish(b, 0);
  far_solver *solver = solver_of(mdp);
  const far_solve_def def = far_solve_def_default();
  far_cover x;
  soil_memory();
  CHECK(far_solver_cover(&x, solver, &def, NULL) == FAR_OK && x.n_pairs == 12);
  CHECK_NEAR(x.hitting, 9 + 2 + 5, 1e-9);
  end(solver, mdp);
}

/* States that all lead to all alike: mixed after one step, in every size. The address sanitizer sees arrays that are too
 * short for one of them. */
static void test_sizes(void) {
  const far_solve_def def = far_solve_def_default();
  for (uint32_t n = 2; n <= 48; ++n) {
    far_mdp_builder *b = builder(n, 1);
    for (uint32_t s = 0; s < n; ++s)
      for (uint32_t next = 0; next < n; ++next) move(b, s, 0, 1.0 / n, next, 0);
    far_mdp *mdp = finish(b, 0);
    far_solver *solver = solver_of(mdp);
    far_mixing x;
    CHECK(far_solver_mixing(&x, solver, &def, NULL, NULL) == FAR_OK && x.converged);
    CHECK(x.n_states == n && x.n_closed == 1 && x.period == 1 && x.time == 1);
    CHECK_NEAR(x.distance, 0, 1e-12);
    end(solver, mdp);
  }
}

int main(void) {
  test_average_rounding();
  test_bias_rounding();
  test_backup_rounding();
  test_diameter_rounding();
  test_norm_rounding();
  test_norm_of_one();
  test_steps();
  test_beyond_the_horizon();
  test_near_tie();
  test_wide_gap();
  test_left_end();
  test_left_choice();
  test_bias_of_an_end();
  test_long_way();
  test_certain_cover();
  test_short_episodes();
  test_endless_horizon();
  test_soiled_memory();
  test_sizes();
  return check_report();
}
