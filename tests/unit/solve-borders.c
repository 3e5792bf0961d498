/* The exact solvers at the borders of their own rules: how many sweeps a method may take, what rounding adds to a
 * certificate, rows of just so many outcomes as a table has, gaps as small as their error. */
#include <dirent.h>
#include <farsight/farsight.h>
#include <stdlib.h>

#include "check.h"
#include "worlds.h"

#define U 0x1p-53 /* half the distance of 1 from the next double */

static far_mdp_builder *builder(uint32_t n_states, uint32_t n_actions) {
  far_mdp_builder *b;
  CHECK(far_mdp_builder_create(&b, n_states, n_actions, NULL) == FAR_OK);
  return b;
}

static void move(far_mdp_builder *b, uint32_t s, uint32_t a, double p, uint32_t next, double r) {
  CHECK(far_mdp_builder_outcome(b, s, a, p, next, r, NULL) == FAR_OK);
}

/* All runs begin at this state. */
static far_mdp *finish(far_mdp_builder *b, uint32_t start) {
  far_mdp *mdp = NULL;
  CHECK(far_mdp_builder_start(b, start, 1, NULL) == FAR_OK);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  return mdp;
}

static far_solver *solver_of(const far_mdp *mdp) {
  far_solver *solver;
  CHECK(far_solver_create(&solver, mdp, NULL) == FAR_OK);
  return solver;
}

static void end(far_solver *solver, far_mdp *mdp) {
  far_solver_free(solver);
  far_mdp_free(mdp);
}

/* ---- sweeps in place ---- */

/* A line to an end at one side of it, a reward of 1 a step. */
static far_mdp *line_to(uint32_t n, bool right) {
  far_mdp_builder *b = builder(n, 1);
  for (uint32_t i = 0; i + 1 < n; ++i) {
    const uint32_t s = right ? i : n - 1 - i;
    move(b, s, 0, 1, right ? s + 1 : s - 1, 1);
  }
  far_mdp_builder_terminal(b, right ? n - 1 : 0, NULL);
  return finish(b, right ? 0 : n - 1);
}

/* A sweep in place against the way finds all values of a line. There is one in each direction, and one apart proves
 * them: three, whichever side the end is at. One that does not see its own results would take as many as there are
 * states. */
static void test_in_place(void) {
  enum { N = 50 };
  far_solve_def def = far_solve_def_default();
  far_solution x;
  def.method = FAR_METHOD_GAUSS_SEIDEL;
  for (int right = 0; right < 2; ++right) {
    far_mdp *mdp = line_to(N, right);
    far_solver *solver = solver_of(mdp);
    CHECK(far_solver_discounted(&x, solver, &def, NULL) == FAR_OK && x.converged);
    CHECK(x.sweeps == 3);
    for (uint32_t k = 0; k < N; ++k) /* k steps from the end */
      CHECK_NEAR(x.v[right ? N - 1 - k : k], (1 - pow(0.95, k)) / 0.05, 1e-9);
    far_solution_free(&x);
    for (def.max_sweeps = 1; def.max_sweeps <= 3; ++def.max_sweeps) { /* the last one is apart */
      CHECK(far_solver_discounted(&x, solver, &def, NULL) == FAR_OK);
      CHECK(x.sweeps == def.max_sweeps && (x.converged || def.max_sweeps < 3));
      far_solution_free(&x);
    }
    def.max_sweeps = 0;
    end(solver, mdp);
  }
}

/* A path of 1,024 steps to an end that pays 1, in blocks: within one the states are in the order of the way, so that a
 * sweep in place passes it, and the blocks are not. So a turn of two sweeps in place and two apart passes a block, and the
 * second turn, of four apart, too. Sweeps apart pass a state each: they must stay few. */
static void test_quick_turns(void) {
  enum { N = 1024 };
  far_solve_def def = far_solve_def_default();
  far_solution x;
  def.gamma = 0.99;
  def.method = FAR_METHOD_GAUSS_SEIDEL;
  for (uint32_t length = 16; length <= 64; length *= 4) {
    far_mdp_builder *b = builder(N + 1, 1);
    for (uint32_t i = 0, last = N; i < N; ++i) { /* i more steps to the last */
      const uint32_t s = N - length * (i / length + 1) + i % length;
      move(b, s, 0, 1, last, i == 0);
      last = s;
    }
    far_mdp_builder_terminal(b, N, NULL);
    far_mdp *mdp = finish(b, 0);
    far_solver *solver = solver_of(mdp);
    CHECK(far_solver_discounted(&x, solver, &def, NULL) == FAR_OK && x.converged);
    CHECK(x.sweeps <= 4 * (N / length) + 4);
    far_solution_free(&x);
    end(solver, mdp);
  }
}

/* A ring in which a step is made or not: nothing ends, and all values grow together for a long time. Sweeps in place take
 * half as many as those apart, as long as that common part is moved away between the turns; else it shrinks only by gamma
 * a sweep, and every sweep in place, which some states see sooner than others, would bring it in again. */
static void test_common_part(void) {
  enum { N = 16 };
  far_mdp_builder *b = builder(N, 1);
  for (uint32_t s = 0; s < N; ++s)
    move(b, s, 0, 0.5, (s + 1) % N, s == 0), move(b, s, 0, 0.5, s, 0);
  far_mdp *mdp = finish(b, 0);
  far_solver *solver = solver_of(mdp);
  far_solve_def def = far_solve_def_default();
  far_solution apart, x;
  def.gamma = 0.9999;
  def.method = FAR_METHOD_VALUE;
  CHECK(far_solver_discounted(&apart, solver, &def, NULL) == FAR_OK);
  def.method = FAR_METHOD_GAUSS_SEIDEL;
  CHECK(far_solver_discounted(&x, solver, &def, NULL) == FAR_OK && x.converged);
  CHECK(x.sweeps < apart.sweeps);
  for (uint32_t s = 0; s < N; ++s) CHECK_NEAR(x.v[s], apart.v[s], 2e-6);
  far_solution_free(&apart);
  far_solution_free(&x);
  end(solver, mdp);
}

/* A path of `depth` steps to a state that pays 1 a step for ever, `step` numbers apart. */
static far_mdp *path_world(uint32_t depth, uint32_t step) {
  const uint32_t n = depth + 1;
  far_mdp_builder *b = builder(n, 1);
  for (uint32_t i = 0; i < n; ++i)
    move(b, i * step % n, 0, 1, (i > 0 ? i - 1 : 0) * step % n, i == 0);
  return finish(b, 0);
}

/* After as many sweeps apart as the path is long, all values grow alike, and the next proves them. Sweeps in place, in
 * this order of the states, only disturb that. So a turn apart must become long enough for it: of 2, 4, 8, 16 and at
 * most 32 sweeps, with two in place before each. Turns of always two would end only where the discount ends them. */
static void test_longer_turns(void) {
  far_mdp *mdp = path_world(22, 2);
  far_solver *solver = solver_of(mdp);
  far_solve_def def = far_solve_def_default();
  far_solution x;
  def.gamma = 0.9999;
  def.method = FAR_METHOD_VALUE;
  CHECK(far_solver_discounted(&x, solver, &def, NULL) == FAR_OK && x.sweeps == 23);
  far_solution_free(&x);
  def.method = FAR_METHOD_GAUSS_SEIDEL;
  CHECK(far_solver_discounted(&x, solver, &def, NULL) == FAR_OK && x.converged);
  CHECK(x.sweeps <= 5 * 2 + 2 + 4 + 8 + 16 + 32);
  for (uint32_t i = 0; i < 23; ++i) CHECK_NEAR(x.v[i * 2 % 23], pow(0.9999, i) * 10000, 1e-6);
  far_solution_free(&x);
  end(solver, mdp);
}

/* A circle of five states, and one more that leads into it, with a reward of 1 in one of them. Here no sweep apart
 * proves much more than the discount does, so that only the distance d from the exact values counts, which every sweep
 * shrinks by gamma. The first turn, of four sweeps, proves d <= 0.5 * 0.99 / 0.01 = 49.5, as a sweep from below changes
 * values by 0 ... 1. A sweep apart proves (1 + 0.99) d 0.99 / 0.01 <= 197.1 d, which is 1e-6 after a further
 * ln(197.1 * 49.5 / 1e-6) / -ln(0.99) = 2289 sweeps, and the turn that has begun ends soon after. */
static void test_certain_turns(void) {
  static const uint32_t next[] = {1, 2, 4, 4, 5, 0};
  far_mdp_builder *b = builder(6, 1);
  for (uint32_t s = 0; s < 6; ++s) move(b, s, 0, 1, next[s], s == 0);
  far_mdp *mdp = finish(b, 0);
  far_solver *solver = solver_of(mdp);
  far_solve_def def = far_solve_def_default();
  far_solution x;
  def.gamma = 0.99;
  def.method = FAR_METHOD_GAUSS_SEIDEL;
  CHECK(far_solver_discounted(&x, solver, &def, NULL) == FAR_OK && x.converged);
  CHECK_NEAR(x.v[0], 1 / (1 - pow(0.99, 5)), 1e-6);
  CHECK(x.sweeps < 2400);
  far_solution_free(&x);
  end(solver, mdp);
}

/* ---- long rows ---- */

/* Rows of 255, 256 and 257 outcomes, to states that pay 1 for ever: 2 with gamma = 1/2. */
static void test_long_rows(void) {
  enum { N = 260 };
  far_mdp_builder *b = builder(N, 1);
  for (uint32_t s = 0; s < 3; ++s)
    for (uint32_t k = 0; k < 255 + s; ++k) move(b, s, 0, 1.0 / (255 + s), 3 + k, s);
  for (uint32_t s = 3; s < N; ++s) move(b, s, 0, 1, s, 1);
  far_mdp *mdp = finish(b, 0);
  far_solver *solver = solver_of(mdp);
  far_solve_def def = far_solve_def_default();
  far_solution x;
  def.gamma = 0.5;
  CHECK(far_solver_discounted(&x, solver, &def, NULL) == FAR_OK && x.converged);
  for (uint32_t s = 0; s < N; ++s) CHECK_NEAR(x.v[s], s < 3 ? s + 1 : 2, 1e-6);
  far_solution_free(&x);
  end(solver, mdp);
}

/* ---- limits of sweeps ---- */

/* 60 states that lead to an end in a row, and in front of them a ring of 40 with longer rows. The states of the row cost
 * 0.6 of a sweep. The 0.4 that is left is less than a sweep of the ring, which has 160 of 220 outcomes: it is swept
 * once, not without limit. */
static void test_rest_of_a_sweep(void) {
  enum { ROW = 60, RING = 40 };
  far_mdp_builder *b = builder(ROW + RING + 1, 1);
  for (uint32_t s = 0; s < ROW; ++s) move(b, s, 0, 1, s + 1 < ROW ? s + 1 : ROW + RING, 1);
  for (uint32_t i = 0; i < RING; ++i) {
    for (uint32_t k = 1; k <= 3; ++k) move(b, ROW + i, 0, 0.3125, ROW + (i + k) % RING, i % 2);
    move(b, ROW + i, 0, 0.0625, 0, 0);
  }
  far_mdp_builder_terminal(b, ROW + RING, NULL);
  far_mdp *mdp = finish(b, ROW);
  far_solver *solver = solver_of(mdp);
  far_solve_def def = far_solve_def_default();
  far_solution x;
  def.gamma = 0.999;
  def.method = FAR_METHOD_TOPOLOGICAL;
  def.max_sweeps = 1;
  CHECK(far_solver_discounted(&x, solver, &def, NULL) == FAR_OK);
  CHECK(x.sweeps <= 3 && !x.converged);
  far_solution_free(&x);
  end(solver, mdp);
}

/* A ring takes thousands of sweeps, of which each method makes as many as it is allowed and at most two more. */
static void test_limits(void) {
  far_mdp_builder *b = builder(40, 1);
  for (uint32_t s = 0; s < 40; ++s) move(b, s, 0, 1, (s + 1) % 40, s == 0);
  far_mdp *mdp = finish(b, 0);
  far_solver *solver = solver_of(mdp);
  far_solve_def def = far_solve_def_default();
  far_solution x;
  def.gamma = 0.999;
  for (def.max_sweeps = 1; def.max_sweeps < 6; ++def.max_sweeps) {
    def.method = FAR_METHOD_VALUE;
    CHECK(far_solver_discounted(&x, solver, &def, NULL) == FAR_OK);
    CHECK(x.sweeps == def.max_sweeps && !x.converged);
    far_solution_free(&x);
    def.method = FAR_METHOD_MODIFIED;
    CHECK(far_solver_discounted(&x, solver, &def, NULL) == FAR_OK);
    CHECK(x.sweeps <= def.max_sweeps + 2 && !x.converged);
    far_solution_free(&x);
  }
  end(solver, mdp);
}

/* Two rings that lead nowhere else. Each is swept eight times before it is known how many more it takes, and a sweep of the
 * whole proves the values: at least nine, as each ring is half of it. */
static void test_work_of_parts(void) {
  enum { RING = 50 };
  far_mdp_builder *b = builder(2 * RING, 1);
  for (uint32_t s = 0; s < 2 * RING; ++s)
    move(b, s, 0, 1, s / RING * RING + (s + 1) % RING, s % RING == 0);
  far_mdp *mdp = finish(b, 0);
  far_solver *solver = solver_of(mdp);
  far_solve_def def = far_solve_def_default();
  far_solution x;
  def.gamma = 0.999;
  def.method = FAR_METHOD_TOPOLOGICAL;
  CHECK(far_solver_discounted(&x, solver, &def, NULL) == FAR_OK && x.converged);
  CHECK(x.sweeps >= 9);
  for (uint32_t s = 0; s < 2 * RING; ++s)
    CHECK_NEAR(x.v[s], pow(0.999, (RING - s % RING) % RING) / (1 - pow(0.999, RING)), 1e-6);
  far_solution_free(&x);
  end(solver, mdp);
}

/* One state that may stay, for 1 a step, or end for 5: a state alone needs one backup, and one sweep proves it. Sweeps would
 * have to wait for the discount, as one action ends and the other does not. */
static void test_state_alone(void) {
  far_mdp_builder *b = builder(2, 2);
  move(b, 0, 0, 1, 0, 1), move(b, 0, 1, 1, 1, 5);
  far_mdp_builder_terminal(b, 1, NULL);
  far_mdp *mdp = finish(b, 0);
  far_solver *solver = solver_of(mdp);
  far_solve_def def = far_solve_def_default();
  far_solution x;
  def.gamma = 0.9375;
  def.method = FAR_METHOD_TOPOLOGICAL;
  CHECK(far_solver_discounted(&x, solver, &def, NULL) == FAR_OK && x.converged);
  CHECK(x.v[0] == 16 && x.q[1] == 5 && x.sweeps == 2);
  far_solution_free(&x);
  end(solver, mdp);
}

/* Two rings of seven states that hardly ever end, to the least tolerance that can be certified: three times the rounding
 * (2 * 3 + 16) u 1000^2. Elimination finds the values of a ring up to rounding, and no more may be asked of it: some sweeps
 * before it and some that prove. */
static void test_least_tolerance(void) {
  enum { RING = 7 };
  far_mdp_builder *b = builder(2 * RING + 1, 1);
  for (uint32_t s = 0; s < 2 * RING; ++s) {
    const uint32_t first = s / RING * RING;
    move(b, s, 0, 0.6 * (1 - 1e-6), first + (s + 1) % RING, s * 5 % RING / 6.0);
    move(b, s, 0, 0.4 * (1 - 1e-6), first + (s + 3) % RING, s * 5 % RING / 6.0);
    move(b, s, 0, 1e-6, 2 * RING, 0);
  }
  far_mdp_builder_terminal(b, 2 * RING, NULL);
  far_mdp *mdp = finish(b, 0);
  far_solver *solver = solver_of(mdp);
  far_solve_def def = far_solve_def_default();
  far_solution x;
  def.gamma = 0.999;
  def.method = FAR_METHOD_TOPOLOGICAL;
  def.tolerance = 3 * (2 * 3 + 16) * U * 1e6 * (1 + 1e-9);
  CHECK(far_solver_discounted(&x, solver, &def, NULL) == FAR_OK && x.converged);
  CHECK(x.sweeps <= 60);
  far_solution_free(&x);
  end(solver, mdp);
}

static bool count_reports(void *user, int64_t sweeps, double error) {
  (void)sweeps, (void)error;
  *(int *)user += 1;
  return true;
}

/* States that are parts of their own are reported now and then, not each of them: a line is passed once, and proven. */
static void test_few_reports(void) {
  far_mdp *mdp = line_to(1000, true);
  far_solver *solver = solver_of(mdp);
  far_solve_def def = far_solve_def_default();
  far_solution x;
  int reports = 0;
  def.method = FAR_METHOD_TOPOLOGICAL;
  def.progress = count_reports;
  def.user = &reports;
  CHECK(far_solver_discounted(&x, solver, &def, NULL) == FAR_OK && x.converged);
  CHECK(reports >= 1 && reports <= 3);
  far_solution_free(&x);
  end(solver, mdp);
}

/* With one action a sweep of the policy is one of the model, and counts as one: as many as value iteration takes, but for
 * those after the last policy. */
static void test_work_of_policies(void) {
  far_mdp *mdp = random_world(1, 50, 1, 3);
  far_solver *solver = solver_of(mdp);
  far_solve_def def = far_solve_def_default();
  far_solution value, x;
  def.method = FAR_METHOD_VALUE;
  CHECK(far_solver_discounted(&value, solver, &def, NULL) == FAR_OK);
  def.method = FAR_METHOD_MODIFIED;
  CHECK(far_solver_discounted(&x, solver, &def, NULL) == FAR_OK && x.converged);
  CHECK(x.sweeps >= value.sweeps && x.sweeps <= 2 * value.sweeps);
  far_solution_free(&value);
  far_solution_free(&x);
  end(solver, mdp);
}

/* A part of two states, the last in the order, leads to the third state of a part of three, which pays 1 a step. The
 * address sanitizer sees that no third state is looked for in the part of two. */
static void test_part_of_two(void) {
  far_mdp_builder *b = builder(5, 1);
  move(b, 0, 0, 0.5, 1, 0), move(b, 0, 0, 0.5, 4, 0), move(b, 1, 0, 1, 0, 0);
  for (uint32_t s = 2; s < 5; ++s) move(b, s, 0, 1, s < 4 ? s + 1 : 2, 1);
  far_mdp *mdp = finish(b, 0);
  far_solver *solver = solver_of(mdp);
  far_solve_def def = far_solve_def_default();
  far_solution x;
  def.gamma = 0.5; /* v(0) = v(1) / 4 + 2 / 4, v(1) = v(0) / 2 */
  def.method = FAR_METHOD_TOPOLOGICAL;
  CHECK(far_solver_discounted(&x, solver, &def, NULL) == FAR_OK && x.converged);
  CHECK_NEAR(x.v[0], 4.0 / 7, 1e-6);
  CHECK_NEAR(x.v[1], 2.0 / 7, 1e-6);
  CHECK_NEAR(x.v[4], 2, 1e-6);
  far_solution_free(&x);
  end(solver, mdp);
}

/* Rings in either direction, of one action: a sweep against the way passes all states from the target to the border of the
 * numbers, and the next one in that direction the others. As they take turns, and the first goes up the numbers, three
 * sweeps or four are enough for every target, and fewer are not: then the value is only a lower bound. */
static void test_ways_round(void) {
  enum { N = 20 };
  for (int back = 0; back < 2; ++back) {
    far_mdp_builder *b = builder(N, 1);
    for (uint32_t s = 0; s < N; ++s) move(b, s, 0, 1, (s + (back ? N - 1 : 1)) % N, 0);
    far_mdp *mdp = finish(b, 0);
    far_solver *solver = solver_of(mdp);
    far_solve_def def = far_solve_def_default();
    far_diameter d;
    def.max_sweeps = back ? 3 : 4;
    CHECK(far_solver_diameter(&d, solver, &def, NULL) == FAR_OK && d.converged);
    CHECK_NEAR(d.value, N - 1, d.error);
    def.max_sweeps -= 1;
    CHECK(far_solver_diameter(&d, solver, &def, NULL) == FAR_OK && !d.converged);
    CHECK(d.value <= N - 1 && d.error == INFINITY);
    end(solver, mdp);
  }
}

/* ---- policies ---- */

/* Probabilities may add to a little more than 1, and are then made to: a reward of 1 a step is worth 1,000. */
static void test_scaled_policy(void) {
  const double p[] = {0.5 + 8e-10, 0.5};
  far_mdp_builder *b = builder(1, 2);
  for (uint32_t a = 0; a < 2; ++a) move(b, 0, a, 1, 0, 1);
  far_mdp *mdp = finish(b, 0);
  far_solver *solver = solver_of(mdp);
  far_solve_def def = far_solve_def_default();
  far_solution x;
  def.gamma = 0.999;
  for (size_t m = 0; far_method_name(m) != NULL; ++m) {
    def.method = (far_method)m;
    const far_policy policy = {.probability = p};
    CHECK(far_solver_evaluate(&x, solver, &def, &policy, NULL) == FAR_OK && x.converged);
    CHECK_NEAR(x.v[0], 1000, 1e-6);
    far_solution_free(&x);
  }
  end(solver, mdp);
}

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
  CHECK(far_value_norm(mdp, v) == 0);
  far_mdp_free(mdp);
}

/* One state that pays 1, by either action, and a bonus of 2 for the first. Without a discount the error is the rounding
 * of one backup, of rows that have two places for each outcome and two more: (2 * 4 + 16) u (1 + 2). */
static void test_bonus_rounding(void) {
  const double width[2] = {0};
  double *bonus = malloc(2 * sizeof *bonus); /* just so many, which the address sanitizer sees */
  bonus[0] = 2, bonus[1] = 0;
  far_mdp_builder *b = builder(1, 2);
  for (uint32_t a = 0; a < 2; ++a) move(b, 0, a, 1, 0, 1);
  far_mdp *mdp = finish(b, 0);
  far_solver *solver = solver_of(mdp);
  far_solve_def def = far_solve_def_default();
  far_solution x;
  def.gamma = 0;
  const far_optimism set = {.width = width, .bonus = bonus};
  CHECK(far_solver_optimistic(&x, solver, &def, &set, NULL) == FAR_OK && x.converged);
  CHECK(x.v[0] == 3 && x.q[0] == 3 && x.q[1] == 1);
  CHECK(x.error == 24 * U * 3);
  far_solution_free(&x);
  free(bonus);
  end(solver, mdp);
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

/* ---- threads ---- */

/* The threads of this process; 0 where the system does not tell. */
static int n_threads(void) {
  DIR *tasks = opendir("/proc/self/task");
  int n = 0;
  if (tasks == NULL) return 0;
  for (const struct dirent *d; (d = readdir(tasks)) != NULL;) n += d->d_name[0] != '.';
  closedir(tasks);
  return n;
}

static bool note_threads(void *user, int64_t sweeps, double error) {
  int *most = user;
  const int now = n_threads();
  (void)sweeps, (void)error;
  *most = now > *most ? now : *most;
  return true;
}

/* A model that is worth many threads has no more than it is allowed. */
static void test_one_thread(void) {
  far_mdp *mdp = random_world(1, 40000, 1, 4);
  far_solver *solver = solver_of(mdp);
  far_solve_def def = far_solve_def_default();
  far_solution x;
  const int before = n_threads();
  int most = 0;
  def.gamma = 0.5;
  def.progress = note_threads;
  def.user = &most;
  CHECK(far_solver_discounted(&x, solver, &def, NULL) == FAR_OK && x.converged);
  CHECK(most == before);
  far_solution_free(&x);
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
  test_in_place();
  test_quick_turns();
  test_common_part();
  test_longer_turns();
  test_certain_turns();
  test_long_rows();
  test_rest_of_a_sweep();
  test_limits();
  test_work_of_parts();
  test_state_alone();
  test_least_tolerance();
  test_few_reports();
  test_work_of_policies();
  test_part_of_two();
  test_ways_round();
  test_scaled_policy();
  test_average_rounding();
  test_backup_rounding();
  test_diameter_rounding();
  test_norm_rounding();
  test_norm_of_one();
  test_bonus_rounding();
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
  test_one_thread();
  test_soiled_memory();
  test_sizes();
  return check_report();
}
