/* Parts of a model in their order: whatever is wrong with their values, the sweeps at the end mend it, and only take
 * longer. So here it is counted what they have to do: where no part has a circle, one pass finds the values, and one
 * sweep proves them. */
#include <farsight/farsight.h>
#include <stdlib.h>

#include "check.h"

enum { N = 400, A = 3 };

/* Every state leads ahead, to the end or, where `stays`, to itself; nothing else comes back. */
static far_mdp *model_of(uint64_t seed, bool stays) {
  far_rng rng;
  far_mdp_builder *b;
  far_mdp *mdp;
  far_rng_init(&rng, seed, 0, FAR_PURPOSE_SEARCH);
  far_mdp_builder_create(&b, N, A, NULL);
  far_mdp_builder_terminal(b, N - 1, NULL);
  for (uint32_t s = 0; s + 1 < N; ++s)
    for (uint32_t a = 0; a < A; ++a) {
      const double stay = stays ? 0.25 * (double)far_rng_below(&rng, 4) : 0;
      const double reward = far_rng_uniform(&rng) * 3 - 1, other = far_rng_uniform(&rng);
      const uint32_t far = s + 1 + far_rng_below(&rng, N - 1 - s);
      far_mdp_builder_outcome(b, s, a, (1 - stay) / 2, s + 1, reward, NULL);
      far_mdp_builder_outcome(b, s, a, (1 - stay) / 2, far, other, NULL);
      if (stay > 0) far_mdp_builder_outcome(b, s, a, stay, s, -other, NULL);
    }
  far_mdp_builder_start(b, 0, 1, NULL);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  return mdp;
}

/* The values from the last state to the first; an action that stays is taken until it leaves. */
static void find_values(const far_mdp *mdp, double gamma, const uint32_t *policy, double *v) {
  v[N - 1] = 0;
  for (uint32_t s = N - 1; s-- > 0;) {
    v[s] = -INFINITY;
    for (uint32_t a = 0; a < A; ++a) {
      size_t n;
      const far_outcome *o = far_mdp_outcomes(mdp, s, a, &n);
      double sum = 0, stay = 0;
      for (size_t k = 0; k < n; ++k) {
        sum += o[k].probability * o[k].reward;
        if (o[k].next == s)
          stay += o[k].probability;
        else if (!o[k].done)
          sum += o[k].probability * gamma * v[o[k].next];
      }
      if (policy == NULL || policy[s] == a) v[s] = fmax(v[s], sum / (1 - gamma * stay));
    }
  }
}

static double distance(const far_solution *x, const double *v) {
  double most = 0;
  for (uint32_t s = 0; s < N; ++s) most = fmax(most, fabs(x->v[s] - v[s]));
  return most;
}

static void test_order(bool stays) {
  static double v[N];
  static uint32_t last[N];
  far_solve_def def = far_solve_def_default();
  def.gamma = 0.999;
  def.tolerance = 1e-7;
  for (uint32_t s = 0; s < N; ++s) last[s] = s % A;
  for (uint64_t seed = 0; seed < 4; ++seed) {
    far_mdp *mdp = model_of(seed, stays);
    far_solver *solver;
    far_solution x, y;
    CHECK(far_solver_create(&solver, mdp, NULL) == FAR_OK);
    find_values(mdp, def.gamma, NULL, v);
    def.method = FAR_METHOD_TOPOLOGICAL;
    CHECK(far_solver_discounted(&x, solver, &def, NULL) == FAR_OK && x.converged);
    CHECK_NEAR(distance(&x, v), 0, 1e-9);
    CHECK(x.sweeps == 2 && x.method == FAR_METHOD_TOPOLOGICAL);
    def.method = FAR_METHOD_VALUE; /* which is told of nothing sooner than it is near */
    CHECK(far_solver_discounted(&y, solver, &def, NULL) == FAR_OK);
    CHECK(y.sweeps > 10);
    far_solution_free(&x);
    far_solution_free(&y);
    find_values(mdp, def.gamma, last, v);
    def.method = FAR_METHOD_TOPOLOGICAL;
    const far_policy policy = {.action = last};
    CHECK(far_solver_evaluate(&x, solver, &def, &policy, NULL) == FAR_OK && x.converged);
    CHECK_NEAR(distance(&x, v), 0, 1e-9);
    CHECK(x.sweeps == 2);
    far_solution_free(&x);
    far_solver_free(solver);
    far_mdp_free(mdp);
  }
}

/* Rings of three states, each of which leads to the next ring now and then, and the last to the end. */
static far_mdp *rings_of(uint32_t rings) {
  far_mdp_builder *b;
  far_mdp *mdp;
  far_mdp_builder_create(&b, 3 * rings + 1, 2, NULL);
  far_mdp_builder_terminal(b, 3 * rings, NULL);
  for (uint32_t s = 0; s < 3 * rings; ++s)
    for (uint32_t a = 0; a < 2; ++a) {
      const uint32_t ring = s / 3, along = 3 * ring + (s + 1 + a) % 3;
      far_mdp_builder_outcome(b, s, a, 0.875, along, (s * 7 + a) % 5 * 0.25, NULL);
      far_mdp_builder_outcome(b, s, a, 0.125, 3 * ring + 3, -0.5, NULL);
    }
  far_mdp_builder_start(b, 0, 1, NULL);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  return mdp;
}

/* A ring needs as many sweeps as it would alone, and all of them together no more: those of the whole model, which has
 * to pass every ring, are many times as many. The uniform policy, by its probabilities, likewise. */
static void test_rings(void) {
  enum { RINGS = 40 };
  double p[2 * (3 * RINGS + 1)];
  far_mdp *mdp = rings_of(RINGS);
  far_solver *solver;
  far_solve_def def = far_solve_def_default();
  def.gamma = 0.999;
  CHECK(far_solver_create(&solver, mdp, NULL) == FAR_OK);
  for (size_t i = 0; i < sizeof p / sizeof *p; ++i) p[i] = 0.5;
  for (int best = 0; best < 2; ++best) {
    far_solution x[2];
    for (int i = 0; i < 2; ++i) {
      def.method = i == 0 ? FAR_METHOD_TOPOLOGICAL : FAR_METHOD_VALUE;
      const far_policy policy = {.probability = p};
      CHECK((best ? far_solver_discounted(&x[i], solver, &def, NULL)
                  : far_solver_evaluate(&x[i], solver, &def, &policy, NULL)) == FAR_OK);
    }
    for (uint32_t s = 0; s < x[0].n_states; ++s) CHECK_NEAR(x[0].v[s], x[1].v[s], 2e-6);
    CHECK((best ? 3 : 20) * x[0].sweeps < x[1].sweeps);
    far_solution_free(&x[0]);
    far_solution_free(&x[1]);
  }
  def.method = FAR_METHOD_TOPOLOGICAL;
  for (def.max_sweeps = 1; def.max_sweeps < 4; ++def.max_sweeps) { /* and one or two that prove */
    far_solution x;
    CHECK(far_solver_discounted(&x, solver, &def, NULL) == FAR_OK);
    CHECK(x.sweeps <= def.max_sweeps + 2 && !x.converged);
    far_solution_free(&x);
  }
  far_solver_free(solver);
  far_mdp_free(mdp);
}

int main(void) {
  test_order(false);
  test_order(true);
  test_rings();
  return check_report();
}
