/* Measures of hardness: closed forms, brute force, relabelled models, models without an answer, stopping. */
#include <farsight/farsight.h>
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "solve/parts.h"

/* ---- models ---- */

static far_mdp_builder *builder(uint32_t n_states, uint32_t n_actions) {
  far_mdp_builder *b;
  CHECK(far_mdp_builder_create(&b, n_states, n_actions, NULL) == FAR_OK);
  CHECK(far_mdp_builder_start(b, 0, 1, NULL) == FAR_OK);
  return b;
}

static void move(far_mdp_builder *b, uint32_t s, uint32_t a, double p, uint32_t next, double r) {
  CHECK(far_mdp_builder_outcome(b, s, a, p, next, r, NULL) == FAR_OK);
}

static far_mdp *finish(far_mdp_builder *b) {
  far_mdp *mdp = NULL;
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  return mdp;
}

static far_mdp *make(const char *spec) {
  far_mdp *mdp = NULL;
  CHECK(far_mdp_create(&mdp, spec, NULL) == FAR_OK);
  return mdp;
}

/* From each of n states to any of them alike; with `actions` that do the same. */
static far_mdp *complete(uint32_t n, uint32_t actions) {
  far_mdp_builder *b = builder(n, actions);
  for (uint32_t s = 0; s < n; ++s)
    for (uint32_t a = 0; a < actions; ++a)
      for (uint32_t next = 0; next < n; ++next) move(b, s, a, 1.0 / n, next, s == 0);
  return finish(b);
}

/* A walk on a cycle: one step to either side. */
static far_mdp *cycle(uint32_t n) {
  far_mdp_builder *b = builder(n, 2);
  for (uint32_t s = 0; s < n; ++s) {
    move(b, s, 0, 1, (s + 1) % n, s == 0);
    move(b, s, 1, 1, (s + n - 1) % n, s == 0);
  }
  return finish(b);
}

/* Between two states, left with probabilities p and q. */
static far_mdp *pair_of(double p, double q) {
  far_mdp_builder *b = builder(2, 1);
  move(b, 0, 0, 1 - p, 0, 0), move(b, 0, 0, p, 1, 0);
  move(b, 1, 0, 1 - q, 1, 1), move(b, 1, 0, q, 0, 1);
  return finish(b);
}

/* The same model with the states in another order and the actions turned by one. */
static far_mdp *relabelled(const far_mdp *mdp) {
  const far_shape shape = far_mdp_shape(mdp);
  const uint32_t n = shape.n_states, actions = shape.n_actions;
  far_mdp_builder *b;
  CHECK(far_mdp_builder_create(&b, n, actions, NULL) == FAR_OK);
  far_mdp_builder_range(b, shape.reward_min, shape.reward_max, NULL);
  for (uint32_t s = 0; s < n; ++s) {
    const uint32_t to = n - 1 - s;
    if (far_mdp_terminal(mdp, s)) far_mdp_builder_terminal(b, to, NULL);
    for (uint32_t a = 0; a < actions; ++a) {
      size_t count;
      const far_outcome *o = far_mdp_outcomes(mdp, s, a, &count);
      for (size_t k = 0; k < count; ++k)
        move(b, to, (a + 1) % actions, o[k].probability, n - 1 - o[k].next, o[k].reward);
    }
  }
  size_t count;
  const far_outcome *o = far_mdp_starts(mdp, &count);
  for (size_t k = 0; k < count; ++k)
    far_mdp_builder_start(b, n - 1 - o[k].next, o[k].probability, NULL);
  return finish(b);
}

/* ---- all of a model ---- */

typedef struct all {
  far_norm norm, average_norm, horizon_norm;
  far_reciprocals gaps, average_gaps, horizon_gaps;
  far_mixing best, uniform;
  far_cover cover;
  far_effective effective, finite;
  bool has_average;
} all;

enum { STEPS = 9 };

static void measure_values(all *out, const far_mdp *mdp, const far_solver *solver,
                           const far_solve_def *def) {
  far_solution x;
  const far_shape shape = far_mdp_shape(mdp);
  CHECK(far_solver_discounted(&x, solver, def, NULL) == FAR_OK);
  out->norm = far_solution_norm(&x, mdp);
  out->gaps = far_solution_reciprocals(&x, mdp);
  CHECK(far_solver_effective(&out->effective, solver, def, &x, NULL) == FAR_OK);
  double *ties = malloc((size_t)shape.n_states * shape.n_actions * sizeof *ties);
  far_solution_ties(ties, &x);
  const far_policy policy = {.probability = ties};
  CHECK(far_solver_mixing(&out->best, solver, def, &policy, NULL) == FAR_OK);
  free(ties);
  far_solution_free(&x);
}

static void measure_others(all *out, const far_mdp *mdp, const far_solver *solver,
                           const far_solve_def *def) {
  far_horizon x;
  far_average y;
  CHECK(far_solver_horizon(&x, solver, STEPS, 1, NULL) == FAR_OK);
  CHECK(far_horizon_norm(&out->horizon_norm, &x, mdp, NULL) == FAR_OK);
  CHECK(far_horizon_reciprocals(&out->horizon_gaps, &x, mdp, NULL) == FAR_OK);
  CHECK(far_solver_effective_finite(&out->finite, solver, def, &x, NULL) == FAR_OK);
  far_horizon_free(&x);
  far_solve_def limited = *def;
  limited.max_sweeps = 10000;
  out->has_average = far_solver_average(&y, solver, &limited, NULL) == FAR_OK;
  if (!out->has_average) return;
  out->average_norm = far_average_norm(&y, mdp);
  out->average_gaps = far_average_reciprocals(&y, mdp);
  far_average_free(&y);
}

static all measure(const far_mdp *mdp, double gamma) {
  all out = {.has_average = false};
  far_solve_def def = far_solve_def_default();
  far_solver *solver;
  def.gamma = gamma;
  CHECK(far_solver_create(&solver, mdp, NULL) == FAR_OK);
  measure_values(&out, mdp, solver, &def);
  measure_others(&out, mdp, solver, &def);
  CHECK(far_solver_mixing(&out.uniform, solver, &def, NULL, NULL) == FAR_OK);
  CHECK(far_solver_cover(&out.cover, solver, &def, NULL) == FAR_OK);
  far_solver_free(solver);
  return out;
}

static all measure_and_free(far_mdp *mdp, double gamma) {
  const all out = measure(mdp, gamma);
  far_mdp_free(mdp);
  return out;
}

/* ---- value norm and gaps ---- */

/* Two states of which only one pays; the first action stays for certain, the second is a coin. */
static void test_values(void) {
  far_mdp_builder *b = builder(2, 2);
  for (uint32_t s = 0; s < 2; ++s) {
    move(b, s, 0, 1, s, s);
    move(b, s, 1, 0.5, 0, s), move(b, s, 1, 0.5, 1, s);
  }
  const all x = measure_and_free(finish(b), 0.5);
  /* V(1) = 2; V(0) = (V(0) + 2) / 4 = 2/3; Q(0, 0) = 1/3, Q(1, 1) = 1 + 2/3 */
  CHECK_NEAR(x.norm.value, 2.0 / 3, 2e-6); /* of 2/3 and 2, half each */
  CHECK(x.norm.error > 0 && x.norm.error < 2e-6 && x.norm.action == 1);
  CHECK(fabs(x.norm.value - 2.0 / 3) <= x.norm.error);
  CHECK_NEAR(x.gaps.sum, 6, 1e-4); /* both gaps are 1/3 */
  CHECK(x.gaps.low <= 6 && x.gaps.high >= 6 && x.gaps.high - x.gaps.low < 1e-3);
  CHECK(x.gaps.n_positive == 2 && x.gaps.n_zero == 2);
  CHECK_NEAR(x.gaps.least, 1.0 / 3, 2e-6);
  CHECK_NEAR(x.gaps.regular, 2 / 0.1 + 2 / (1.0 / 3 + 0.1), 1e-4);
  /* gain 1; h(0) = h(1) - 2, by (h(0) + h(1)) / 2 - 1 = h(0) */
  CHECK(x.has_average && x.average_norm.error == INFINITY);
  CHECK_NEAR(x.average_norm.value, 1, 1e-5);
  CHECK(x.average_gaps.n_positive == 2 && x.average_gaps.high == INFINITY);
  CHECK_NEAR(x.average_gaps.sum, 2, 1e-4); /* 1 at each state */
  /* With t steps left V(1) = t and V(0) = (V(0) + t - 1) / 2: V(0) = 0, 0, 1/2, 5/4, ... */
  double low = 0, sum = 0, widest = 0;
  bool both = false; /* the run starts at 0 */
  for (int left = STEPS; left > 0; --left) {
    low = 0;
    for (int t = 2; t <= left - 1; ++t) low = (low + t - 1) / 2;
    const double high = left - 1, gap = (high - low) / 2;
    widest = fmax(widest, gap);
    if (gap > 0) sum += (both ? 2 : 1) / gap;
    both = true;
  }
  CHECK_NEAR(x.horizon_norm.value, widest, 1e-9);
  CHECK_NEAR(x.horizon_gaps.sum, sum, 1e-9);
  CHECK(x.horizon_gaps.n_positive + x.horizon_gaps.n_zero == 2 * (2 * STEPS - 1));
}

/* What stands at an end does not count, nor what is never reached. */
static void test_ends(void) {
  far_mdp_builder *b = builder(4, 1);
  move(b, 0, 0, 0.5, 1, 0), move(b, 0, 0, 0.5, 2, 0);
  move(b, 1, 0, 1, 2, 8);
  move(b, 3, 0, 0.5, 1, 99), move(b, 3, 0, 0.5, 3, 99);
  far_mdp_builder_terminal(b, 2, NULL);
  const all x = measure_and_free(finish(b), 0.5);
  CHECK_NEAR(x.norm.value, 4, 1e-5); /* 8 or 0 */
  CHECK(x.norm.state == 0 && x.gaps.n_zero == 2 && x.gaps.sum == 0 && x.gaps.least == INFINITY);
  CHECK(x.uniform.n_states == 2 && x.cover.n_pairs == 2);
}

/* ---- mixing ---- */

/* |1 - p - q|^t times the greater of the two stationary probabilities. */
static void test_two_states(void) {
  const double chances[][2] = {{0.1, 0.2}, {0.5, 0.5}, {0.01, 0.03}, {1e-4, 2e-4}, {0.9, 0.8}};
  for (size_t i = 0; i < sizeof chances / sizeof *chances; ++i) {
    const double p = chances[i][0], q = chances[i][1], most = (p > q ? p : q) / (p + q);
    const all x = measure_and_free(pair_of(p, q), 0.5);
    double t = 1;
    while (most * pow(fabs(1 - p - q), t) > 0.25) ++t;
    CHECK(x.uniform.time == t && x.uniform.converged && x.uniform.period == 1);
    CHECK_NEAR(x.uniform.distance, most * pow(fabs(1 - p - q), t), 1e-9);
    CHECK(x.uniform.error < 1e-9 && x.best.time == t);
  }
}

static void test_periodic(void) {
  const all two = measure_and_free(pair_of(1, 1), 0.5);
  CHECK(two.uniform.period == 2 && two.uniform.n_closed == 1);
  CHECK(two.uniform.time == 1 && two.uniform.distance == 0); /* lazy: a coin */
  for (uint32_t n = 3; n < 9; ++n) {
    const all x = measure_and_free(cycle(n), 0.5);
    CHECK(x.uniform.period == (n % 2 == 0 ? 2 : 1));
    /* the distance by the eigenvalues of a walk on a cycle, from state 0 */
    double t = 0, distance = 1;
    while (distance > 0.25 + 1e-9) {
      t += 1, distance = 0;
      for (uint32_t y = 0; y < n; ++y) {
        double sum = 0;
        for (uint32_t j = 1; j < n; ++j) {
          const double w = 2 * 3.14159265358979323846 * j / n, e = cos(w);
          sum += pow(n % 2 == 0 ? 0.5 + 0.5 * e : e, t) * cos(w * y);
        }
        distance += 0.5 * fabs(sum / n);
      }
    }
    CHECK(x.uniform.time == t);
    CHECK_NEAR(x.uniform.distance, distance, 1e-9);
  }
}

/* Two parts in which one can stay: no time will do. One state: none is needed. */
static void test_closed(void) {
  far_mdp_builder *b = builder(3, 1);
  move(b, 0, 0, 0.5, 1, 0), move(b, 0, 0, 0.5, 2, 1), move(b, 1, 0, 1, 1, 0),
      move(b, 2, 0, 1, 2, 1);
  const all x = measure_and_free(finish(b), 0.5);
  CHECK(x.uniform.n_closed == 2 && x.uniform.period == 0 && x.uniform.time == INFINITY);
  CHECK(x.uniform.converged && x.cover.kind == FAR_COVER_NEVER && x.cover.expected == INFINITY);
  CHECK(x.cover.low == INFINITY && x.cover.length_low == INFINITY && !x.has_average);
  b = builder(1, 2);
  move(b, 0, 0, 1, 0, 0), move(b, 0, 1, 1, 0, 1);
  const all one = measure_and_free(finish(b), 0.5);
  CHECK(one.uniform.time == 0 && one.uniform.n_states == 1 && one.uniform.period == 1);
  CHECK_NEAR(one.cover.expected, 3, 1e-12); /* a coin until both sides came */
  CHECK(one.cover.length_low == 2 && one.cover.length_high == 2);
}

/* So long a time that doubles cannot tell it. */
static void test_long(void) {
  const all x = measure_and_free(pair_of(1e-15, 1e-15), 0.5);
  CHECK(!x.uniform.converged && x.uniform.time > 1e12 && x.uniform.time < 1e15);
  CHECK(x.cover.kind == FAR_COVER_EXACT && x.cover.hitting_error == INFINITY);
  CHECK_NEAR(x.cover.expected, 1e15, 1e6);
}

/* ---- cover time ---- */

static double harmonic(uint32_t n) {
  double sum = 0;
  for (uint32_t k = 1; k <= n; ++k) sum += 1.0 / k;
  return sum;
}

/* Coupons: with one action the first is there at once, and of n pairs each step brings any alike; with
 * several actions a step brings any of n actions' pairs alike, but for the first state. */
static void test_complete(void) {
  for (uint32_t n = 2; n < 8; ++n) {
    const all x = measure_and_free(complete(n, 1), 0.5);
    CHECK(x.cover.kind == FAR_COVER_EXACT && x.cover.n_pairs == n);
    CHECK_NEAR(x.cover.expected, 1 + n * harmonic(n - 1), 1e-10);
    CHECK_NEAR(x.cover.worst, x.cover.expected, 1e-10);
    CHECK_NEAR(x.cover.hitting, n + 1, 1e-10);
    CHECK_NEAR(x.cover.low, fmax(n * (harmonic(n) - 1), n + 1), 1e-9);
    CHECK(x.cover.hitting_error < 1e-9 && x.cover.low <= x.cover.expected);
    CHECK(x.cover.high >= x.cover.worst && x.uniform.time == 1);
  }
  const all x = measure_and_free(complete(3, 2), 0.5);
  CHECK_NEAR(x.cover.expected, 1 + 6 * harmonic(5), 1e-10);
  CHECK_NEAR(x.cover.hitting, 1 + 6, 1e-10); /* from another state */
  const all large = measure_and_free(complete(30, 1), 0.5);
  const double exact = 1 + 30 * harmonic(29);
  CHECK(large.cover.kind == FAR_COVER_SIMULATED && large.cover.worst == 0);
  CHECK(large.cover.standard_error > 1 && large.cover.standard_error < 4);
  CHECK(fabs(large.cover.expected - exact) < 4 * large.cover.standard_error);
  CHECK(large.cover.low <= exact && large.cover.high >= exact);
}

/* On a cycle the walk sees all states after n (n - 1) / 2 steps; a pair needs more, here of 3 states by
 * counting all ways of so many steps. */
static void test_by_counting(void) {
  far_mdp *mdp = cycle(3);
  const all x = measure(mdp, 0.5);
  enum { MOST = 60 };
  static double now[64][3], next[64][3]; /* by pairs taken and state */
  double done = 0, expected = 0, median = 0;
  now[0][0] = 1;
  for (int t = 1; t <= 20 * MOST; ++t) {
    memset(next, 0, sizeof next);
    for (int set = 0; set < 64; ++set)
      for (int s = 0; s < 3; ++s)
        for (int a = 0; a < 2; ++a) {
          size_t count;
          const far_outcome *o = far_mdp_outcomes(mdp, (uint32_t)s, (uint32_t)a, &count);
          next[set | 1 << (2 * s + a)][o[0].next] += now[set][s] / 2;
        }
    double here = 0;
    for (int s = 0; s < 3; ++s) here += next[63][s], next[63][s] = 0;
    expected += t * here;
    done += here;
    if (median == 0 && done >= 0.5) median = t;
    memcpy(now, next, sizeof now);
  }
  CHECK_NEAR(done, 1, 1e-12);
  CHECK_NEAR(x.cover.expected, expected, 1e-9);
  CHECK_NEAR(x.cover.worst, expected, 1e-9); /* all states are alike */
  CHECK(x.cover.length_low == median && x.cover.length_high == median);
  far_mdp_free(mdp);
}

/* Hitting times of a walk that drifts away: exact in any size, where plain elimination loses all digits. */
static void test_drift(void) {
  enum { N = 40 };
  far_mdp_builder *b = builder(N, 1);
  move(b, 0, 0, 0.9, 0, 0), move(b, 0, 0, 0.1, 1, 0);
  for (uint32_t s = 1; s + 1 < N; ++s) move(b, s, 0, 0.9, s - 1, 0), move(b, s, 0, 0.1, s + 1, 0);
  move(b, N - 1, 0, 0.9, N - 2, 1), move(b, N - 1, 0, 0.1, N - 1, 1);
  const all x = measure_and_free(finish(b), 0.5);
  double up = 10, sum = 10; /* from s to s + 1: 1 / p + q / p of the one before */
  for (uint32_t s = 1; s + 1 < N; ++s) up = 10 + 9 * up, sum += up;
  CHECK_NEAR(x.cover.hitting / (sum + 1), 1, 1e-12); /* and a step of the pair */
  CHECK(x.cover.kind == FAR_COVER_BOUNDED && x.cover.expected == 0 && x.cover.high >= sum);
  CHECK(x.cover.hitting_error == INFINITY && x.cover.length_low <= x.cover.length_high);
}

/* ---- episodes of a horizon ---- */

/* Two steps from state 0: by action 0 to state 1, by action 1 to a coin of 0 and 1. The timed states are 0 at step
 * 0, and 0 and 1 at step 1: each episode takes one pair of the first, and one of 1 with probability 3/4. */
static void test_horizon(void) {
  far_mdp_builder *b = builder(3, 2);
  for (uint32_t s = 0; s < 3; ++s) {
    move(b, s, 0, 1, s < 1 ? 1 : 2, s); /* state 2 is out of reach */
    move(b, s, 1, 0.5, 0, 0), move(b, s, 1, 0.5, s < 1 ? 1 : 2, 0);
  }
  far_mdp_builder_horizon(b, 2, NULL);
  far_mdp *mdp = finish(b), *unrolled;
  CHECK(far_mdp_unroll(&unrolled, mdp, 2, NULL) == FAR_OK);
  const far_shape shape = far_mdp_shape(unrolled);
  CHECK(shape.n_states == 7 && far_shape_live(&shape) == 3 && far_mdp_horizon(unrolled) == 0);
  far_mdp_free(unrolled);
  CHECK(far_mdp_unroll(&unrolled, mdp, 0, NULL) == FAR_STATUS_RANGE && unrolled == NULL);
  far_solver *solver;
  const far_solve_def def = far_solve_def_default();
  const uint32_t action[] = {0, 0, 0, 1, 1, 1};
  const far_policy policy = {.action = action};
  far_mixing uniform, chosen;
  far_cover cover;
  CHECK(far_solver_create(&solver, mdp, NULL) == FAR_OK);
  CHECK(far_solver_mixing(&uniform, solver, &def, NULL, NULL) == FAR_OK);
  CHECK(uniform.n_states == 3 && uniform.period == 2 && uniform.time < INFINITY);
  CHECK(far_solver_mixing(&chosen, solver, &def, &policy, NULL) == FAR_OK);
  CHECK(chosen.n_closed == 1 && chosen.period == 2); /* 0, then 1; the coin is never met */
  CHECK(far_solver_cover(&cover, solver, &def, NULL) == FAR_OK);
  CHECK(cover.kind == FAR_COVER_EXACT && cover.n_pairs == 6);
  /* by episodes: a set of pairs of step 0 (A) and of step 1 */
  double expected = 0, now[64] = {0}, next[64];
  now[0] = 1;
  for (int episode = 0; episode < 2000; ++episode) {
    memset(next, 0, sizeof next);
    for (int set = 0; set < 63; ++set)
      for (int way = 0; way < 6 && now[set] > 0; ++way) {
        const int first = way < 2 ? 0 : 1, second = way < 2 ? 2 : way < 4 ? 0 : 2;
        const double p = way < 2 ? 0.25 : 0.125; /* action 0; or the coin; then either action */
        const int half = set | 1 << first, both = half | 4 << (second + way % 2);
        if (half == 63)
          expected += now[set] * p * (2 * episode + 1);
        else if (both == 63)
          expected += now[set] * p * (2 * episode + 2);
        else
          next[both] += now[set] * p;
      }
    memcpy(now, next, sizeof now);
  }
  CHECK_NEAR(cover.expected, expected, 1e-9);
  far_solver_free(solver);
  far_mdp_free(mdp);
}

/* ---- effective horizon ---- */

/* A corridor of n steps, of which only the last pays; any wrong step goes back to the start of it. After k - 1
 * free steps the uniform policy has some chance to go on, so that k = 1 will do, with a gap of 2^-n. */
static void test_corridor(void) {
  enum { N = 5 };
  far_mdp_builder *b = builder(N + 1, 2);
  for (uint32_t s = 0; s < N; ++s) move(b, s, 0, 1, s + 1, s + 1 == N), move(b, s, 1, 1, N, 0);
  far_mdp_builder_terminal(b, N, NULL);
  far_mdp *mdp = finish(b);
  const all x = measure(mdp, 0.5);
  far_solver *solver;
  far_horizon best;
  far_effective y;
  const far_solve_def def = far_solve_def_default();
  CHECK(x.effective.k == 1 && x.effective.gorp == INFINITY);
  CHECK(far_solver_create(&solver, mdp, NULL) == FAR_OK);
  CHECK(far_solver_horizon(&best, solver, N, 1, NULL) == FAR_OK);
  CHECK(far_solver_effective_finite(&y, solver, &def, &best, NULL) == FAR_OK);
  /* Q1 at the start: 2^-4 against 0; with k it is 2^(k - 5). H = k + 2 log2(5 2^(5 - k)), least for k = 5 */
  CHECK(y.k == 1 && y.at == N && y.tried == N);
  CHECK_NEAR(y.gap, 1, 1e-12);
  CHECK_NEAR(y.horizon, N + 2 * log(N) / log(2), 1e-12);
  /* m = 16 ln(2 T 2^k) 2^(5 - k), B / gap^2 = 1 / gap; k = 5 needs no sample more than one: B is 0 */
  CHECK_NEAR(y.gorp, N, 1e-12);
  far_horizon_free(&best);
  far_solver_free(solver);
  far_mdp_free(mdp);
}

/* The uniform policy prefers the wrong side; one step of looking ahead is not enough, two are. */
static void test_misled(void) {
  far_mdp_builder *b = builder(6, 2);
  move(b, 0, 0, 1, 1, 0), move(b, 0, 1, 1, 2, 0);
  move(b, 1, 0, 1, 5, 1), move(b, 1, 1, 1, 5, 1);   /* 1 for certain */
  move(b, 2, 0, 1, 5, 1.5), move(b, 2, 1, 1, 5, 0); /* 1.5, or nothing */
  for (uint32_t a = 0; a < 2; ++a) move(b, 3, a, 1, 5, 0), move(b, 4, a, 1, 5, 0);
  far_mdp_builder_terminal(b, 5, NULL);
  const all x = measure_and_free(finish(b), 0.9);
  CHECK(x.effective.k == 2 && x.effective.at == 2 && x.effective.tried >= 2);
  CHECK_NEAR(x.effective.gap, 0.9 * 0.5, 1e-5); /* at the start; 1.5 at state 2 */
  CHECK_NEAR(x.effective.horizon, 2 + 2 * log(15 / 0.45) / log(2), 1e-4);
  CHECK(x.finite.k == 2 && x.finite.gap == 0.5);
}

/* All actions alike, or only one: nothing to look ahead for. */
static void test_no_choice(void) {
  const all x = measure_and_free(complete(4, 2), 0.9), one = measure_and_free(complete(4, 1), 0.9);
  CHECK(x.effective.k == 1 && x.effective.horizon == 1 && x.effective.gap == INFINITY);
  CHECK(one.effective.k == 1 && one.effective.horizon == 1 && one.finite.horizon == 1);
  CHECK(x.gaps.n_positive == 0 && x.gaps.least == INFINITY && x.gaps.n_zero == 8);
}

/* ---- the same whatever the names of states and actions ---- */

static void check_same(const all *x, const all *y) {
  CHECK_NEAR(x->norm.value, y->norm.value, 4e-6);
  CHECK_NEAR(x->gaps.sum, y->gaps.sum, 1e-3 * x->gaps.sum);
  CHECK(x->gaps.n_positive == y->gaps.n_positive && x->gaps.n_zero == y->gaps.n_zero);
  CHECK_NEAR(x->horizon_norm.value, y->horizon_norm.value, 1e-9);
  CHECK_NEAR(x->horizon_gaps.sum, y->horizon_gaps.sum, 1e-9 * x->horizon_gaps.sum);
  CHECK(x->uniform.time == y->uniform.time && x->best.time == y->best.time);
  CHECK(x->uniform.period == y->uniform.period && x->best.period == y->best.period);
  CHECK(x->uniform.n_closed == y->uniform.n_closed && x->best.n_closed == y->best.n_closed);
  CHECK(x->cover.n_pairs == y->cover.n_pairs && x->cover.kind == y->cover.kind);
  if (x->cover.kind != FAR_COVER_NEVER) {
    CHECK_NEAR(x->cover.hitting / y->cover.hitting, 1, 1e-9);
    CHECK_NEAR(x->cover.low / y->cover.low, 1, 1e-9);
    CHECK_NEAR(x->cover.high / y->cover.high, 1, 1e-9);
  }
  if (x->cover.kind == FAR_COVER_EXACT) CHECK_NEAR(x->cover.worst, y->cover.worst, 1e-9);
  CHECK(x->effective.k == y->effective.k && x->finite.k == y->finite.k);
  CHECK(x->effective.at == y->effective.at && x->finite.at == y->finite.at);
  CHECK_NEAR(x->effective.horizon, y->effective.horizon, 1e-3);
  CHECK(fabs(x->finite.horizon - y->finite.horizon) < 1e-9 ||
        x->finite.horizon == y->finite.horizon);
}

static void check_numbers(const all *x) {
  const double numbers[] = {x->norm.value,     x->norm.error,       x->gaps.sum,
                            x->gaps.low,       x->gaps.high,        x->gaps.least,
                            x->gaps.regular,   x->best.time,        x->best.distance,
                            x->best.error,     x->uniform.time,     x->uniform.distance,
                            x->uniform.error,  x->cover.expected,   x->cover.standard_error,
                            x->cover.low,      x->cover.high,       x->cover.hitting,
                            x->cover.worst,    x->cover.length_low, x->cover.length_high,
                            x->effective.gap,  x->effective.gorp,   x->effective.horizon,
                            x->finite.horizon, x->finite.gorp,      x->cover.hitting_error};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) CHECK(numbers[i] >= 0);
  CHECK(x->gaps.low <= x->gaps.sum && x->gaps.sum <= x->gaps.high);
  CHECK(x->cover.length_low <= x->cover.length_high && x->cover.low <= x->cover.high);
  CHECK(x->uniform.time == INFINITY || !x->uniform.converged ||
        x->uniform.distance <= 0.25 + x->uniform.error);
}

static void test_families(void) {
  static const char *const specs[] = {"chain:n=4",
                                      "riverswim",
                                      "loop",
                                      "frozen-lake",
                                      "cliff-walking",
                                      "garnet:states=9,seed=3",
                                      "dirichlet:states=4",
                                      "garnet:states=12,branching=1"};
  for (size_t i = 0; i < sizeof specs / sizeof *specs; ++i) {
    far_mdp *mdp = make(specs[i]), *other = relabelled(mdp);
    const all x = measure(mdp, 0.95), y = measure(other, 0.95), z = measure(mdp, 0.95);
    check_numbers(&x);
    check_same(&x, &y);
    CHECK(memcmp(&x.cover, &z.cover, sizeof x.cover) == 0);
    CHECK(x.norm.value == z.norm.value && x.effective.horizon == z.effective.horizon);
    far_mdp_free(other);
    far_mdp_free(mdp);
  }
}

/* ---- stopping and bad input ---- */

typedef struct watch {
  int calls, most;
  int64_t done;
} watch;

static bool watching(void *user, int64_t done, double error) {
  watch *w = user;
  CHECK(done >= 0 && error == 0);
  w->done = done;
  return ++w->calls < w->most;
}

static far_status stopped(int which, int most, int *calls) {
  far_mdp *mdp = make("chain:n=12");
  far_solver *solver;
  far_solution best;
  far_horizon horizon;
  far_solve_def def = far_solve_def_default();
  far_mixing mixing;
  far_cover cover;
  far_effective effective;
  far_error error = {.message = ""};
  far_status status = FAR_OK;
  watch w = {.most = most};
  CHECK(far_solver_create(&solver, mdp, NULL) == FAR_OK);
  CHECK(far_solver_discounted(&best, solver, &def, NULL) == FAR_OK);
  CHECK(far_solver_horizon(&horizon, solver, 7, 1, NULL) == FAR_OK);
  def.progress = watching;
  def.user = &w;
  switch (which) {
  case 0:
    status = far_solver_mixing(&mixing, solver, &def, NULL, &error);
    CHECK(w.done == w.calls); /* products of matrices */
    break;
  case 1: status = far_solver_cover(&cover, solver, &def, &error); break;
  case 2: status = far_solver_effective(&effective, solver, &def, &best, &error); break;
  default: status = far_solver_effective_finite(&effective, solver, &def, &horizon, &error);
  }
  if (status != FAR_OK) CHECK_TEXT(error.message, "stopped on request");
  *calls = w.calls;
  far_solution_free(&best);
  far_horizon_free(&horizon);
  far_solver_free(solver);
  far_mdp_free(mdp);
  return status;
}

static void test_stopping(void) {
  for (int which = 0; which < 4; ++which) {
    int count, calls;
    CHECK(stopped(which, 1 << 30, &count) == FAR_OK && count > 1);
    for (int most = 1; most <= count; most += 1 + count / 10) {
      CHECK(stopped(which, most, &calls) == FAR_STATUS_CANCELLED);
      CHECK(calls == most);
    }
  }
}

static void test_bad_policy(void) {
  far_mdp *mdp = make("chain:n=3");
  far_solver *solver;
  far_mixing x;
  far_error error;
  const far_solve_def def = far_solve_def_default();
  const uint32_t action[] = {0, 1, 2};
  const far_policy policy = {.action = action}, none = {NULL, NULL};
  CHECK(far_solver_create(&solver, mdp, NULL) == FAR_OK);
  CHECK(far_solver_mixing(&x, solver, &def, &policy, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "action 2 in state 2");
  CHECK(far_solver_mixing(&x, solver, &def, &none, &error) == FAR_STATUS_CONFLICT);
  far_solver_free(solver);
  far_mdp_free(mdp);
  CHECK_TEXT(far_cover_name(FAR_COVER_SIMULATED), "simulated");
}

static void test_same_total(void) {
  static const struct {
    const char *env;
    bool same;
  } cases[] = {{"cliff-walking", true}, {"mountain-car", true}, {"chain", false}, {"taxi", false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char why[FAR__SAME_TOTAL_SIZE] = "";
    far_mdp *mdp = NULL;
    CHECK(far_mdp_create(&mdp, cases[i].env, NULL) == FAR_OK);
    if (mdp != NULL) CHECK(far__mdp_same_total(why, mdp) == cases[i].same);
    CHECK((why[0] != '\0') == cases[i].same);
    far_mdp_free(mdp);
  }
  far_mdp_builder *b; /* a step pays 0 and goes on, or 1 and ends the episode */
  far_mdp *mdp = NULL;
  char why[FAR__SAME_TOTAL_SIZE];
  CHECK(far_mdp_builder_create(&b, 2, 1, NULL) == FAR_OK);
  far_mdp_builder_outcome(b, 0, 0, 0.5, 0, 0, NULL);
  far_mdp_builder_outcome(b, 0, 0, 0.5, 1, 1, NULL);
  far_mdp_builder_terminal(b, 1, NULL);
  far_mdp_builder_start(b, 0, 1, NULL);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  CHECK(!far__mdp_same_total(why, mdp));
  far_mdp_free(mdp);
}

int main(void) {
  test_values();
  test_ends();
  test_two_states();
  test_periodic();
  test_closed();
  test_long();
  test_complete();
  test_by_counting();
  test_drift();
  test_horizon();
  test_corridor();
  test_misled();
  test_no_choice();
  test_families();
  test_stopping();
  test_bad_policy();
  test_same_total();
  return check_report();
}
