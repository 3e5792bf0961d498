/* The solvers while memory runs out, where they have allocations of their own that unit/memory does not reach: parts of
 * models, policies of a horizon, episodes. */
#include "failing-memory.h"

static far_status begin(far_mdp **mdp, far_solver **solver, const char *what, far_error *error) {
  *solver = NULL;
  const far_status status = far_mdp_create(mdp, what, error);
  return status == FAR_OK ? far_solver_create(solver, *mdp, error) : status;
}

static void end(far_mdp *mdp, far_solver *solver) {
  far_solver_free(solver);
  far_mdp_free(mdp);
}

/* Of the states that are reached alone: the others would make the model multichain. */
static far_status solve_reached(double *out, const char *what, far_error *error) {
  far_mdp_builder *b;
  far_mdp *mdp = NULL;
  far_solver *solver = NULL;
  far_average best = {0};
  const far_solve_def def = far_solve_def_default();
  (void)what;
  far_status status = far_mdp_builder_create(&b, 5, 2, error);
  if (status != FAR_OK) return status;
  for (uint32_t i = 0; i < 8 && status == FAR_OK; ++i) /* 0 is out of reach, 1 ... 3 a circle */
    status =
        far_mdp_builder_outcome(b, i / 2, i % 2, 1, i < 2 ? 0 : i / 2 % 3 + 1, i * 0.25, error);
  if (status == FAR_OK) status = far_mdp_builder_terminal(b, 4, error);
  if (status == FAR_OK) status = far_mdp_builder_start(b, 1, 1, error);
  if (status != FAR_OK)
    far_mdp_builder_free(b);
  else
    status = far_mdp_builder_finish(&mdp, b, error);
  if (status == FAR_OK) status = far_solver_create(&solver, mdp, error);
  if (status == FAR_OK) status = far_solver_average(&best, solver, &def, error);
  if (status == FAR_OK) {
    CHECK(best.n_states == 5 && best.bias[0] != best.bias[0]);
    CHECK_NEAR(best.gain, (0.75 + 1.25 + 1.75) / 3, 1e-6); /* the second action of each */
    *out = best.gain;
  }
  far_average_free(&best);
  end(mdp, solver);
  return status;
}

/* Two states that are never left, of one reward: solved by elimination. */
static far_status solve_directly(double *out, const char *what, far_error *error) {
  far_mdp_builder *b;
  far_mdp *mdp = NULL;
  far_solver *solver = NULL;
  far_average best = {0};
  const far_solve_def def = far_solve_def_default();
  (void)what;
  far_status status = far_mdp_builder_create(&b, 3, 2, error);
  if (status != FAR_OK) return status;
  for (uint32_t i = 0; i < 6 && status == FAR_OK; ++i)
    status = far_mdp_builder_outcome(b, i / 2, i % 2, 1, i < 2 ? i + 1 : i / 2, i >= 2, error);
  if (status == FAR_OK) status = far_mdp_builder_start(b, 0, 1, error);
  if (status != FAR_OK)
    far_mdp_builder_free(b);
  else
    status = far_mdp_builder_finish(&mdp, b, error);
  if (status == FAR_OK) status = far_solver_create(&solver, mdp, error);
  if (status == FAR_OK) status = far_solver_average(&best, solver, &def, error);
  if (status == FAR_OK) {
    CHECK_NEAR(best.gain, 1, best.error);
    *out = best.gain;
  }
  far_average_free(&best);
  end(mdp, solver);
  return status;
}

static far_status solve_policy(double *out, const char *what, far_error *error) {
  far_mdp *mdp;
  far_solver *solver;
  far_horizon best = {0}, same = {0};
  far_norm norm;
  far_reciprocals gaps;
  double q[64];
  far_status status = begin(&mdp, &solver, what, error);
  if (status == FAR_OK) status = far_solver_horizon(&best, solver, 4, 0.9, error);
  const far_policy policy = {.action = best.policy};
  if (status == FAR_OK) status = far_solver_horizon_evaluate(&same, solver, 4, 0.9, &policy, error);
  if (status == FAR_OK) status = far_horizon_pairs(q, &same, solver, 1, error);
  if (status == FAR_OK) status = far_horizon_norm(&norm, &best, mdp, error);
  if (status == FAR_OK) status = far_horizon_reciprocals(&gaps, &best, mdp, error);
  if (status == FAR_OK) {
    for (uint32_t s = 0; s < best.n_states; ++s) CHECK_NEAR(same.v[s], best.v[s], 1e-12);
    *out = same.v[0] + q[0] + norm.value + gaps.regular;
  }
  far_horizon_free(&best);
  far_horizon_free(&same);
  end(mdp, solver);
  return status;
}

/* Of episodes, and of models without an end. */
static far_status totals(double *out, const char *what, far_error *error) {
  far_mdp *mdp;
  double best = 0, random = 0;
  far_status status = far_mdp_create(&mdp, what, error);
  if (status == FAR_OK) status = far_solve_best_total(&best, mdp, 30, NULL, error);
  if (status == FAR_OK) status = far_solve_random_total(&random, mdp, 30, NULL, error);
  if (status == FAR_OK) CHECK(best >= random);
  if (status == FAR_OK) *out = best + random;
  far_mdp_free(mdp);
  return status;
}

static far_status measure(double *out, const char *what, far_error *error) {
  far_mdp *mdp, *unrolled = NULL;
  far_solver *solver;
  far_cover cover = {0};
  far_mixing mixing = {0};
  far_effective finite = {0};
  far_horizon best = {0};
  const far_solve_def def = far_solve_def_default();
  far_status status = begin(&mdp, &solver, what, error);
  if (status == FAR_OK) status = far_solver_cover(&cover, solver, &def, error);
  if (status == FAR_OK) status = far_solver_mixing(&mixing, solver, &def, NULL, error);
  if (status == FAR_OK) status = far_solver_horizon(&best, solver, 6, 1, error);
  if (status == FAR_OK) status = far_solver_effective_finite(&finite, solver, &def, &best, error);
  if (status == FAR_OK) status = far_mdp_unroll(&unrolled, mdp, 3, error);
  if (status == FAR_OK)
    *out = cover.expected + mixing.time + (double)finite.k + far_mdp_shape(unrolled).n_states;
  far_horizon_free(&best);
  far_mdp_free(unrolled);
  end(mdp, solver);
  return status;
}

/* Of more pairs than are solved exactly. */
static far_status simulate_cover(double *out, const char *what, far_error *error) {
  far_mdp *mdp;
  far_solver *solver;
  far_cover cover = {0};
  const far_solve_def def = far_solve_def_default();
  far_status status = begin(&mdp, &solver, what, error);
  if (status == FAR_OK) status = far_solver_cover(&cover, solver, &def, error);
  if (status == FAR_OK) CHECK(cover.kind == FAR_COVER_SIMULATED);
  if (status == FAR_OK) *out = cover.expected;
  end(mdp, solver);
  return status;
}

/* Parts of their own, a gamma near 1: elimination, part by part. */
static far_status solve_parts(double *out, const char *what, far_error *error) {
  far_mdp *mdp;
  far_solver *solver;
  far_solution x = {0}, y = {0};
  far_effective ahead = {0};
  far_solve_def def = far_solve_def_default();
  def.gamma = 0.999;
  def.method = FAR_METHOD_TOPOLOGICAL;
  far_status status = begin(&mdp, &solver, what, error);
  if (status == FAR_OK) status = far_solver_discounted(&x, solver, &def, error);
  const far_policy policy = {.action = x.policy};
  if (status == FAR_OK) status = far_solver_evaluate(&y, solver, &def, &policy, error);
  if (status == FAR_OK) status = far_solver_effective(&ahead, solver, &def, &x, error);
  if (status == FAR_OK) {
    CHECK_NEAR(x.v[0], y.v[0], 2e-6);
    *out = x.v[0] + y.v[0];
  }
  far_solution_free(&x);
  far_solution_free(&y);
  end(mdp, solver);
  return status;
}

/* Policies that are evaluated exactly, by all of their equations, or by sweeps. */
static far_status improve_policies(double *out, const char *what, far_error *error) {
  far_mdp *mdp;
  far_solver *solver;
  far_solution x = {0}, y = {0};
  far_solve_def def = far_solve_def_default();
  def.method = FAR_METHOD_POLICY;
  far_status status = begin(&mdp, &solver, what, error);
  if (status == FAR_OK) status = far_solver_discounted(&x, solver, &def, error);
  def.method = FAR_METHOD_MODIFIED;
  if (status == FAR_OK) status = far_solver_discounted(&y, solver, &def, error);
  if (status == FAR_OK) {
    CHECK_NEAR(x.v[0], y.v[0], 2e-6);
    *out = x.v[0] + y.v[0];
  }
  far_solution_free(&x);
  far_solution_free(&y);
  end(mdp, solver);
  return status;
}

/* A way that is too long for sweeps, with one step ahead for three back. */
static far_status find_way(double *out, const char *what, far_error *error) {
  enum { N = 10 };
  far_mdp_builder *b;
  far_mdp *mdp = NULL;
  far_solver *solver = NULL;
  far_diameter d = {0};
  const far_solve_def def = far_solve_def_default();
  (void)what;
  far_status status = far_mdp_builder_create(&b, N, 1, error);
  if (status != FAR_OK) return status;
  for (uint32_t i = 0; i < 2 * N && status == FAR_OK; ++i) {
    const uint32_t s = i / 2, to = i % 2 == 0 ? (s > 0 ? s - 1 : 0) : s + 1 < N ? s + 1 : s;
    status = far_mdp_builder_outcome(b, s, 0, i % 2 == 0 ? 0.75 : 0.25, to, 0, error);
  }
  if (status == FAR_OK) status = far_mdp_builder_start(b, 0, 1, error);
  if (status != FAR_OK)
    far_mdp_builder_free(b);
  else
    status = far_mdp_builder_finish(&mdp, b, error);
  if (status == FAR_OK) status = far_solver_create(&solver, mdp, error);
  if (status == FAR_OK) status = far_solver_diameter(&d, solver, &def, error);
  if (status == FAR_OK) *out = d.value;
  end(mdp, solver);
  return status;
}

static void sweep_all(bool stores) {
  (void)stores;
  sweep(solve_reached, "");
  sweep(solve_directly, "");
  sweep(solve_policy, "frozen-lake");
  sweep(totals, "chain:n=4,horizon=5");
  sweep(totals, "frozen-lake");
  sweep(measure, "chain:n=3");
  sweep(measure, "riverswim:n=3");
  sweep(simulate_cover, "chain:n=7");
  sweep(solve_parts, "frozen-lake:map=8x8");
  sweep(solve_parts, "chain:n=40");
  sweep(find_way, "");
  sweep(improve_policies, "frozen-lake");
}

int main(void) {
  return sweep_memory(sweep_all);
}
