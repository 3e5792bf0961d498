/* Measures of hardness that belong to the solution of a model, each if the model is small enough for it. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "questions/model/model-solution.h"

static bool tick(void *user, int64_t done, double error) {
  const far__model_solution_def *def = user;
  return def->progress(def->user, FAR__SOLVING_MEASURES, done, error);
}

static far_solve_def measures_def(far__model_solution *x) {
  far_solve_def def = far_solve_def_default();
  def.tolerance = x->def.tolerance;
  if (x->def.progress != NULL) def.progress = tick;
  def.user = &x->def;
  return def;
}

/* ---- by the values ---- */

static far_status measure_discounted(far__model_solution *x, const far_solver *solver,
                                     far_error *error) {
  const far_solve_def def = measures_def(x);
  far__measures *m = &x->measures;
  m->norm = far_solution_norm(&x->values, x->def.mdp);
  if (x->def.kind == FAR__SOLVE_POLICY) return FAR_OK;
  m->gaps = far_solution_reciprocals(&x->values, x->def.mdp);
  m->has_gaps = true;
  m->has_effective = (double)x->n_outcomes <= FAR__EASY_EFFECTIVE * (1 - x->def.gamma);
  return m->has_effective ? far_solver_effective(&m->effective, solver, &def, &x->values, error)
                          : FAR_OK;
}

static far_status measure_horizon(far__model_solution *x, const far_solver *solver,
                                  far_error *error) {
  const far_solve_def def = measures_def(x);
  far__measures *m = &x->measures;
  const double work = (double)x->n_outcomes * (double)x->def.horizon;
  far_status status = far_horizon_norm(&m->norm, &x->horizon, x->def.mdp, error);
  if (status == FAR_OK) status = far_horizon_reciprocals(&m->gaps, &x->horizon, x->def.mdp, error);
  m->has_gaps = true;
  m->has_effective = work * (double)x->def.horizon <= 100 * FAR__EASY_EFFECTIVE;
  if (status == FAR_OK && m->has_effective)
    status = far_solver_effective_finite(&m->effective, solver, &def, &x->horizon, error);
  return status;
}

static far_status measure_values(far__model_solution *x, const far_solver *solver,
                                 far_error *error) {
  if (x->def.kind == FAR__SOLVE_HORIZON) return measure_horizon(x, solver, error);
  if (x->def.kind != FAR__SOLVE_AVERAGE) return measure_discounted(x, solver, error);
  x->measures.norm = far_average_norm(&x->average, x->def.mdp);
  x->measures.gaps = far_average_reciprocals(&x->average, x->def.mdp);
  x->measures.has_gaps = true;
  return FAR_OK;
}

/* ---- the policy whose chain it is, as probabilities of pairs, for every step of a horizon ---- */

static void spread_actions(double *p, const uint32_t *action, const far_shape *shape) {
  for (size_t s = 0; s < shape->n_states; ++s)
    for (size_t a = 0; a < shape->n_actions; ++a) p[s * shape->n_actions + a] = action[s] == a;
}

/* The best actions of one step, or those too close to tell, alike. */
static far_status tie_step(double *p, const far__model_solution *x, const far_solver *solver,
                           int64_t t, far_error *error) {
  const far_solution step = {.n_states = x->shape.n_states,
                             .n_actions = x->shape.n_actions,
                             .q = p,
                             .error = x->horizon.error};
  const far_status status = far_horizon_pairs(p, &x->horizon, solver, t, error);
  if (status == FAR_OK) far_solution_ties(p, &step);
  return status;
}

static far_status fill_policy(double *p, const far__model_solution *x, const far_solver *solver,
                              int64_t steps, far_error *error) {
  const size_t pairs = (size_t)x->shape.n_states * x->shape.n_actions;
  far_status status = FAR_OK;
  if (x->def.kind == FAR__SOLVE_HORIZON) {
    for (int64_t t = 0; t < steps && status == FAR_OK; ++t)
      status = tie_step(p + (size_t)t * pairs, x, solver, t, error);
    return status;
  }
  if (x->def.kind == FAR__SOLVE_DISCOUNTED)
    far_solution_ties(p, &x->values);
  else if (x->def.kind == FAR__SOLVE_AVERAGE)
    spread_actions(p, x->average.policy, &x->shape);
  else if (x->def.policy.action != NULL)
    spread_actions(p, x->def.policy.action, &x->shape);
  else
    memcpy(p, x->def.policy.probability, pairs * sizeof *p);
  for (size_t t = 1; t < (size_t)steps; ++t) memcpy(p + t * pairs, p, pairs * sizeof *p);
  return FAR_OK;
}

/* ---- by the chains ---- */

static far_status measure_mixing(far__model_solution *x, const far_solver *solver,
                                 const far_solver *chain, int64_t steps, far_error *error) {
  const far_solve_def def = measures_def(x);
  const size_t pairs = (size_t)x->shape.n_states * x->shape.n_actions;
  double *p = malloc((steps > 0 ? (size_t)steps : 1) * pairs * sizeof *p);
  if (p == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a policy");
  const far_policy policy = {.probability = p};
  far_status status = fill_policy(p, x, solver, steps, error);
  if (status == FAR_OK) status = far_solver_mixing(&x->measures.best, chain, &def, &policy, error);
  if (status == FAR_OK) status = far_solver_mixing(&x->measures.uniform, chain, &def, NULL, error);
  free(p);
  return status;
}

/* The diameter of all states is that of the live ones if all are. */
static far_status measure_diameter(far__model_solution *x, const far_solver *chain, int64_t steps,
                                   far_error *error) {
  far_solve_def def = measures_def(x);
  far__measures *m = &x->measures;
  const double standard = far_solve_def_default().tolerance;
  if (steps == 0 && x->shape.absent == NULL) {
    m->has_diameter = x->has_diameter;
    m->diameter = x->diameter;
    return FAR_OK;
  }
  m->has_diameter = m->n_chain <= FAR__EASY_DIAMETER;
  def.tolerance = def.tolerance > standard && def.tolerance < 1 ? def.tolerance : standard;
  def.max_sweeps = x->def.max_sweeps;
  def.live_only = true;
  return m->has_diameter ? far__solution_diameter(&m->diameter, chain, def, error) : FAR_OK;
}

/* `chain` solves a model without a horizon, which may be the unrolled one. */
static far_status measure_chains(far__model_solution *x, const far_solver *solver,
                                 const far_solver *chain, int64_t steps, far_error *error) {
  const far_solve_def def = measures_def(x);
  far__measures *m = &x->measures;
  far_status status = FAR_OK;
  m->has_mixing = m->n_chain <= FAR__EASY_MIXING;
  m->has_cover = m->n_chain <= FAR__EASY_COVER;
  if (m->has_mixing) status = measure_mixing(x, solver, chain, steps, error);
  if (status == FAR_OK && m->has_cover) status = far_solver_cover(&m->cover, chain, &def, error);
  return status == FAR_OK ? measure_diameter(x, chain, steps, error) : status;
}

static far_status measure_unrolled(far__model_solution *x, const far_solver *solver, int64_t steps,
                                   far_error *error) {
  far_mdp *unrolled;
  far_solver *chain = NULL;
  x->measures.n_chain = (uint64_t)steps * x->shape.n_states;
  if (x->measures.n_chain > FAR__EASY_UNROLLED) return FAR_OK;
  far_status status = far_mdp_unroll(&unrolled, x->def.mdp, steps, error);
  if (status != FAR_OK) return status;
  const far_shape shape = far_mdp_shape(unrolled);
  x->measures.n_chain = far_shape_live(&shape);
  status = far_solver_create(&chain, unrolled, error);
  if (status == FAR_OK) status = measure_chains(x, solver, chain, steps, error);
  far_solver_free(chain);
  far_mdp_free(unrolled);
  return status;
}

far_status far__solution_measures(far__model_solution *x, const far_solver *solver,
                                  far_error *error) {
  const int64_t steps =
      x->def.kind == FAR__SOLVE_HORIZON ? x->def.horizon : far_mdp_horizon(x->def.mdp);
  const far_status status = measure_values(x, solver, error);
  if (status != FAR_OK) return status;
  x->has_measures = true;
  if (steps > 0) return measure_unrolled(x, solver, steps, error);
  x->measures.n_chain = far_shape_live(&x->shape);
  return measure_chains(x, solver, solver, 0, error);
}
