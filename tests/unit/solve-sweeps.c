/* How the exact solvers sweep: turns in place and apart, limits of sweeps and what is reported of them, long rows, policies,
 * threads. */
#include <dirent.h>
#include <stdlib.h>

#include "solvers.h"
#include "worlds.h"

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
 * second turn, of four apart, too. Sweeps apart pass a state each: they must stay few. The long turns among them are an
 * eighth of the work, and the last may have been all in vain. */
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
    CHECK(x.sweeps <= (4 * (N / length) + 4) * 5 / 4);
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

/* However the states of a path are numbered, it takes at most 16 times as many sweeps as it is long, and the turn that
 * has begun: by then a turn apart was as long as the path. Without long turns some of these orders take thousands of
 * times as many. */
static void test_no_order_is_bad(void) {
  enum { DEPTH = 52 }; /* a prime number of states: every step passes all of them */
  far_solve_def def = far_solve_def_default();
  far_solution x;
  def.gamma = 0.9999;
  def.method = FAR_METHOD_GAUSS_SEIDEL;
  for (uint32_t step = 1; step <= DEPTH; ++step) {
    far_mdp *mdp = path_world(DEPTH, step);
    far_solver *solver = solver_of(mdp);
    CHECK(far_solver_discounted(&x, solver, &def, NULL) == FAR_OK && x.converged);
    CHECK(x.sweeps <= 18 * (DEPTH + 1));
    far_solution_free(&x);
    end(solver, mdp);
  }
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

/* Where the first policy is proved by the sweep that finds it, there is nothing to evaluate. */
static void test_proved_at_once(void) {
  far_mdp_builder *b = builder(2, 1);
  move(b, 0, 0, 1, 1, 0);
  move(b, 1, 0, 1, 0, 0);
  far_mdp *mdp = finish(b, 0);
  far_solver *solver = solver_of(mdp);
  far_solve_def def = far_solve_def_default();
  far_solution x;
  def.method = FAR_METHOD_POLICY;
  CHECK(far_solver_discounted(&x, solver, &def, NULL) == FAR_OK && x.converged && x.sweeps == 1);
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

int main(void) {
  test_in_place();
  test_quick_turns();
  test_common_part();
  test_no_order_is_bad();
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
  test_proved_at_once();
  test_part_of_two();
  test_ways_round();
  test_scaled_policy();
  test_one_thread();
  return check_report();
}
