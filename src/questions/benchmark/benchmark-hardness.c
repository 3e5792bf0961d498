/* Where the problems of the suite lie on a map of diameter and gap. */
#include <math.h>

#include "base/error.h"
#include "farsight/solve.h"
#include "questions/benchmark/benchmark.h"

/* Of the values of live states, n of them at v, v + n_states, ... */
static double span_of(const double *v, int64_t n, const far_shape *shape) {
  double low = INFINITY, high = -INFINITY;
  for (int64_t t = 0; t < n; ++t)
    for (uint32_t s = 0; s < shape->n_states; ++s)
      if (far_shape_is_live(shape, s)) {
        low = fmin(low, v[(size_t)t * shape->n_states + s]);
        high = fmax(high, v[(size_t)t * shape->n_states + s]);
      }
  return high - low;
}

static far_status measure_horizon(far__benchmark_hardness *out, const far_mdp *mdp,
                                  const far_solver *solver, const far_shape *shape,
                                  far_error *error) {
  far_horizon h;
  far_reciprocals gaps;
  far_status status = far_solver_horizon(&h, solver, shape->horizon, 1, error);
  if (status != FAR_OK) return status;
  status = far_horizon_reciprocals(&gaps, &h, mdp, error);
  if (status == FAR_OK) {
    out->gap = gaps.least;
    out->span = span_of(h.v, shape->horizon, shape);
  }
  far_horizon_free(&h);
  return status;
}

static far_status measure_discounted(far__benchmark_hardness *out, const far_mdp *mdp,
                                     const far_solver *solver, const far_shape *shape,
                                     far_error *error) {
  far_solve_def def = far_solve_def_default();
  far_solution x;
  def.gamma = far_mdp_gamma(mdp);
  def.method = FAR_METHOD_VALUE; /* the benchmark's pages keep their digits */
  const far_status status = far_solver_discounted(&x, solver, &def, error);
  if (status != FAR_OK) return status;
  out->gap = far_solution_reciprocals(&x, mdp).least;
  out->span = span_of(x.v, 1, shape);
  far_solution_free(&x);
  return FAR_OK;
}

static far_status measure_diameter(far__benchmark_hardness *out, const far_solver *solver,
                                   far_error *error) {
  far_solve_def def = far_solve_def_default();
  far_diameter d;
  def.live_only = true;
  const far_status status = far_solver_diameter(&d, solver, &def, error);
  if (status == FAR_OK) out->diameter = d.value;
  return status;
}

/* Of the states that know the step. */
static far_status measure_unrolled(far__benchmark_hardness *out, const far_mdp *mdp,
                                   far_error *error) {
  far_mdp *unrolled;
  far_solver *solver = NULL;
  far_status status = far_mdp_unroll(&unrolled, mdp, far_mdp_horizon(mdp), error);
  if (status != FAR_OK) return status;
  status = far_solver_create(&solver, unrolled, error);
  if (status == FAR_OK) status = measure_diameter(out, solver, error);
  far_solver_free(solver);
  far_mdp_free(unrolled);
  return status;
}

static far_status measure(far__benchmark_hardness *out, const far_mdp *mdp, far_error *error) {
  const far_shape shape = far_mdp_shape(mdp);
  far_solver *solver;
  *out = (far__benchmark_hardness){
      .n_states = far_shape_live(&shape), .n_actions = shape.n_actions, .horizon = shape.horizon};
  far_status status = far_solver_create(&solver, mdp, error);
  if (status != FAR_OK) return status;
  if (shape.horizon > 0) {
    status = measure_horizon(out, mdp, solver, &shape, error);
    if (status == FAR_OK) status = measure_unrolled(out, mdp, error);
  } else {
    status = measure_discounted(out, mdp, solver, &shape, error);
    if (status == FAR_OK) status = measure_diameter(out, solver, error);
  }
  far_solver_free(solver);
  return status;
}

far_status far__benchmark_hardness_of(far__benchmark_hardness *out, size_t index,
                                      far_error *error) {
  const far__benchmark_problem *p = far__benchmark_problem_at(index);
  far_mdp *mdp;
  if (p == NULL) return far__fail(error, FAR_STATUS_RANGE, -1, "the suite has no such problem");
  far_status status = far_mdp_create(&mdp, p->env, error);
  if (status != FAR_OK) return status;
  status = measure(out, mdp, error);
  far_mdp_free(mdp);
  return status;
}
