/* What belongs to the solution of a model, and in which order it is computed. */
#include "questions/model/model-solution.h"

#include <math.h> /* only for NAN */
#include <stdlib.h>

#include "base/error.h"

far__model_solution_def far__model_solution_def_default(void) {
  const far_solve_def def = far_solve_def_default();
  return (far__model_solution_def){
      .gamma = NAN, .tolerance = def.tolerance, .method = def.method, .threads = 0};
}

/* ---- definitions of the parts ---- */

static double gamma_of(const far__model_solution_def *def) {
  if (def->kind == FAR__SOLVE_AVERAGE) return NAN;
  if (def->gamma == def->gamma) return def->gamma;
  if (def->kind == FAR__SOLVE_HORIZON) return 1;
  return far_mdp_gamma(def->mdp);
}

static bool tick_values(void *user, int64_t sweeps, double error) {
  const far__model_solution_def *def = user;
  return def->progress(def->user, FAR__SOLVING_VALUES, sweeps, error);
}

static bool tick_diameter(void *user, int64_t states, double error) {
  const far__model_solution_def *def = user;
  return def->progress(def->user, FAR__SOLVING_DIAMETER, states, error);
}

static void tell_values(void *user, const char *text) {
  const far__model_solution_def *def = user;
  def->note(def->user, text);
}

static far_solve_def values_def(far__model_solution *x) {
  far_solve_def def = far_solve_def_default();
  if (x->def.kind != FAR__SOLVE_AVERAGE) def.gamma = x->def.gamma;
  def.tolerance = x->def.tolerance;
  def.method = x->def.method;
  def.threads = x->def.threads;
  def.device = x->def.device;
  def.max_sweeps = x->def.max_sweeps;
  if (x->def.progress != NULL) def.progress = tick_values;
  if (x->def.note != NULL) def.note = tell_values;
  def.user = &x->def;
  return def;
}

static far_solve_def diameter_def(far__model_solution *x) {
  far_solve_def def = far_solve_def_default();
  if (x->def.tolerance > def.tolerance && x->def.tolerance < 1) def.tolerance = x->def.tolerance;
  def.max_sweeps = x->def.max_sweeps;
  if (x->def.progress != NULL) def.progress = tick_diameter;
  def.user = &x->def;
  return def;
}

/* ---- the parts ---- */

static double start_value(const far_mdp *mdp, const double *v) {
  size_t n;
  const far_outcome *start = far_mdp_starts(mdp, &n);
  double value = 0;
  for (size_t k = 0; k < n; ++k) value += start[k].probability * v[start[k].next];
  return value;
}

far_status far__solution_diameter(far_diameter *out, const far_solver *solver, far_solve_def def,
                                  far_error *error) {
  far_status status = far_solver_diameter(out, solver, &def, error);
  for (; status == FAR_STATUS_RANGE && def.tolerance < 1e-3;) {
    def.tolerance *= 10;
    status = far_solver_diameter(out, solver, &def, error);
  }
  return status;
}

/* Where there is more than one class, the diameter is infinite, which takes no time to say. */
static far_status find_structure(far__model_solution *x, const far_solver *solver,
                                 far_error *error) {
  if (!x->def.structure && !x->def.diameter) return FAR_OK;
  const far_status status = far_solver_structure(&x->structure, solver, error);
  if (status != FAR_OK) return status;
  x->has_structure = true;
  x->has_diameter =
      x->def.diameter || x->shape.n_states <= FAR__EASY_DIAMETER || x->structure.n_classes > 1;
  if (!x->has_diameter) return FAR_OK;
  return far__solution_diameter(&x->diameter, solver, diameter_def(x), error);
}

static far_status find_values(far__model_solution *x, const far_solver *solver, far_error *error) {
  const far_solve_def def = values_def(x);
  const far_status status =
      x->def.kind == FAR__SOLVE_POLICY
          ? far_solver_evaluate(&x->values, solver, &def, &x->def.policy, error)
          : far_solver_discounted(&x->values, solver, &def, error);
  if (status != FAR_OK) return status;
  x->gap = calloc((size_t)x->shape.n_states + 1, sizeof *x->gap);
  if (x->gap == NULL)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the gaps of %lu states",
                     (unsigned long)x->shape.n_states);
  x->gaps = far_solution_gaps(&x->values, x->def.mdp, x->gap);
  x->error = x->values.error;
  x->converged = x->values.converged;
  x->start = start_value(x->def.mdp, x->values.v);
  return FAR_OK;
}

static far_status find_horizon(far__model_solution *x, const far_solver *solver, far_error *error) {
  if (x->def.horizon == 0) x->def.horizon = far_mdp_horizon(x->def.mdp);
  if (x->def.step < 0 || (x->def.horizon > 0 && x->def.step >= x->def.horizon))
    return far__fail(error, FAR_STATUS_RANGE, -1, "step %lld is outside 0 ... %lld",
                     (long long)x->def.step, (long long)x->def.horizon - 1);
  const far_status status =
      far_solver_horizon(&x->horizon, solver, x->def.horizon, x->def.gamma, error);
  if (status != FAR_OK) return status;
  x->error = x->horizon.error;
  x->converged = true;
  x->start = start_value(x->def.mdp, x->horizon.v);
  return FAR_OK;
}

static far_status find_average(far__model_solution *x, const far_solver *solver, far_error *error) {
  const far_solve_def def = values_def(x);
  const far_status status = far_solver_average(&x->average, solver, &def, error);
  if (status != FAR_OK) return status;
  x->error = x->average.error;
  x->converged = x->average.converged;
  return FAR_OK;
}

static far_status solve(far__model_solution *x, far_error *error) {
  far_solver *solver = NULL;
  far_status status = far_solver_create(&solver, x->def.mdp, error);
  if (status == FAR_OK) status = find_structure(x, solver, error);
  if (status == FAR_OK) switch (x->def.kind) {
    case FAR__SOLVE_HORIZON: status = find_horizon(x, solver, error); break;
    case FAR__SOLVE_AVERAGE: status = find_average(x, solver, error); break;
    default: status = find_values(x, solver, error);
    }
  if (status == FAR_OK && x->has_structure) status = far__solution_measures(x, solver, error);
  far_solver_free(solver);
  return status;
}

/* ---- the whole ---- */

far_status far__model_solve(far__model_solution **out, const far__model_solution_def *def,
                            far_error *error) {
  *out = NULL;
  if ((size_t)def->kind > FAR__SOLVE_AVERAGE)
    return far__fail(error, FAR_STATUS_RANGE, -1, "there is no problem %d", (int)def->kind);
  if (def->max_sweeps < 0)
    return far__fail(error, FAR_STATUS_RANGE, -1, "max_sweeps must not be negative");
  far__model_solution *x = calloc(1, sizeof *x);
  if (x == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the solution");
  x->def = *def;
  x->def.gamma = gamma_of(def);
  x->shape = far_mdp_shape(def->mdp);
  const far_shape shape = far_mdp_shape(def->mdp);
  size_t total = 0, n;
  for (uint32_t s = 0; s < shape.n_states; ++s)
    for (uint32_t a = 0; a < shape.n_actions; ++a) {
      far_mdp_outcomes(def->mdp, s, a, &n);
      total += n;
    }
  x->n_outcomes = total;
  x->start = NAN;
  const far_status status = solve(x, error);
  x->def.policy = (far_policy){NULL, NULL}; /* was borrowed */
  if (status == FAR_OK)
    *out = x;
  else
    far__model_solution_free(x);
  return status;
}

void far__model_solution_free(far__model_solution *x) {
  if (x == NULL) return;
  far_solution_free(&x->values);
  far_horizon_free(&x->horizon);
  far_average_free(&x->average);
  far_structure_free(&x->structure);
  free(x->gap);
  free(x);
}

const uint32_t *far__model_solution_policy(const far__model_solution *x) {
  switch (x->def.kind) {
  case FAR__SOLVE_HORIZON: return x->horizon.policy + x->def.step * x->shape.n_states;
  case FAR__SOLVE_AVERAGE: return x->average.policy;
  default: return x->values.policy;
  }
}

const double *far__solution_values(const far__model_solution *x) {
  switch (x->def.kind) {
  case FAR__SOLVE_HORIZON: return x->horizon.v + x->def.step * x->shape.n_states;
  case FAR__SOLVE_AVERAGE: return x->average.bias;
  default: return x->values.v;
  }
}
