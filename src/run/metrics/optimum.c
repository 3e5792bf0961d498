#include "run/metrics/optimum.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "farsight/base.h"
#include "model/known.h"

#define SOLVED 1e-10 /* error of the optimal values, relative to v_max */
#define SLACK 1e-9 /* relative to v_max: smaller differences may be rounding, and are no mistakes */

void far__value_resolve(far__spec *spec, size_t offset) {
  far__value_params *p = (far__value_params *)(spec->values + offset);
  const size_t gamma = offset + offsetof(far__value_params, gamma);
  p->gamma_given = far__spec_given(spec, gamma);
  if (!p->gamma_given) far__spec_hide(spec, gamma);
}

bool far__value_by_criterion(const void *params) {
  return !((const far__value_params *)params)->gamma_given;
}

double far__start_value(const far_mdp *mdp, const double *v) {
  size_t count;
  const far_outcome *o = far_mdp_starts(mdp, &count);
  double sum = 0;
  for (size_t k = 0; k < count; ++k) sum += o[k].probability * v[o[k].next];
  return sum;
}

/* Computes the optimal values (malloc); NULL after a failure. */
static far_status find_values(double **v, const far__optimum *x, const far__scene *scene,
                              far_error *error) {
  far_solver *solver;
  far_solution best;
  far_solve_def def = far__scene_solve_def(scene);
  *v = NULL;
  def.gamma = x->gamma;
  def.tolerance = SOLVED * x->v_max;
  def.method = FAR_METHOD_MODIFIED;
  far_status status = far_solver_create(&solver, x->mdp, error);
  if (status != FAR_OK) return status;
  status = far_solver_discounted(&best, solver, &def, error);
  far_solver_free(solver);
  if (status != FAR_OK) return status;
  *v = best.v;
  best.v = NULL;
  far_solution_free(&best);
  return FAR_OK;
}

/* Gets the optimal values, which are the same for all cells and threads. */
static far_status solve(far__optimum *out, const far__scene *scene, far_error *error) {
  const far__known_key key = {FAR__KNOWN_VALUES, out->gamma};
  const size_t bytes = far_mdp_shape(out->mdp).n_states * sizeof *out->v;
  const double *known = far__known_get(out->mdp, key);
  double *v;
  if (known != NULL) {
    memcpy(out->v, known, bytes);
    return FAR_OK;
  }
  const far_status status = find_values(&v, out, scene, error);
  if (status == FAR_OK) memcpy(out->v, v, bytes);
  far__known_set(out->mdp, key, v);
  return status;
}

static far_status set_least(far__optimum *out, const far__value_params *p, far_error *error) {
  const uint32_t n = far_mdp_shape(out->mdp).n_states;
  out->start = far__start_value(out->mdp, out->v);
  out->eps = p->relative ? p->eps * fabs(out->start) : p->eps;
  if (p->relative && !(fabs(out->start) > SLACK * out->v_max))
    return far__fail(error, FAR_STATUS_CONFLICT, -1,
                     "eps cannot be relative: the optimal value of the start is 0");
  const double below = out->eps + SLACK * out->v_max;
  for (uint32_t s = 0; s < n; ++s) out->least[s] = out->v[s] - below;
  out->least_start = out->start - below;
  return FAR_OK;
}

far_status far__optimum_create(far__optimum *out, const far__scene *scene,
                               const far__value_params *p, far_error *error) {
  const far_shape shape = far_mdp_shape(scene->mdp);
  *out = (far__optimum){.mdp = scene->mdp};
  if (shape.horizon > 0)
    return far__fail(error, FAR_STATUS_CONFLICT, -1,
                     "it is about discounted values, and the environment has a horizon: see "
                     "episodic-regret, episode-mistakes and shortfall");
  if (shape.average && !p->gamma_given)
    return far__fail(error, FAR_STATUS_CONFLICT, -1,
                     "it is about discounted values, and the average reward counts in the "
                     "environment: see regret:against=gain, or give the metric a discount, as in "
                     "gamma=0.95");
  far_status status;
  out->gamma = p->gamma_given ? p->gamma : far_mdp_gamma(scene->mdp);
  out->v_max = fmax(fabs(shape.reward_min), fabs(shape.reward_max)) / (1 - out->gamma);
  out->v = calloc(shape.n_states, sizeof *out->v);
  out->least = calloc(shape.n_states, sizeof *out->least);
  if (out->v != NULL && out->least != NULL)
    status = solve(out, scene, error);
  else
    status = far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the values of %lu states",
                       (unsigned long)shape.n_states);
  if (status == FAR_OK) status = set_least(out, p, error);
  if (status != FAR_OK) far__optimum_free(out);
  return status;
}

void far__optimum_free(far__optimum *optimum) {
  free(optimum->v);
  free(optimum->least);
  *optimum = (far__optimum){0};
}

/* The least h with gamma^h v_max <= horizon_error. */
double far__optimum_horizon(const far__optimum *optimum, double horizon_error) {
  if (optimum->gamma == 0 || horizon_error >= optimum->v_max) return 1;
  const double steps = ceil(far_log(horizon_error / optimum->v_max) / far_log(optimum->gamma));
  return steps > 1 ? steps : 1;
}

/* ---- empty numbers ---- */

/* One sweep of the worst policy's values, in place; returns the greatest change. */
static double worsen(const far__optimum *x, const far_shape *shape, double *v) {
  double most = 0;
  for (uint32_t s = 0; s < shape->n_states; ++s) {
    double least = INFINITY;
    size_t count = 0;
    for (uint32_t a = 0; a < shape->n_actions && !far_mdp_terminal(x->mdp, s); ++a) {
      const far_outcome *o = far_mdp_outcomes(x->mdp, s, a, &count);
      double q = 0;
      for (size_t k = 0; k < count; ++k)
        q += o[k].probability * (o[k].reward + (o[k].done ? 0 : x->gamma * v[o[k].next]));
      least = fmin(least, q);
    }
    if (count == 0) continue;
    most = fmax(most, fabs(least - v[s]));
    v[s] = least;
  }
  return most;
}

/* The values of the worst policy, from below: they only rise, so that the sweeps may stop at any time. */
static far_status worst(double **out, const far__optimum *x, far_error *error) {
  const far_shape shape = far_mdp_shape(x->mdp);
  const double pairs = (double)shape.n_states * shape.n_actions;
  double *v = calloc(shape.n_states, sizeof *v);
  *out = v;
  if (v == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for values");
  for (uint32_t s = 0; s < shape.n_states; ++s)
    if (!far_mdp_terminal(x->mdp, s)) v[s] = fmin(shape.reward_min, 0) / (1 - x->gamma);
  const int64_t sweeps = 1 + (int64_t)(1e7 / pairs);
  for (int64_t i = 0; i < sweeps; ++i)
    if (worsen(x, &shape, v) <= 1e-6 * (1 - x->gamma) * x->v_max) break;
  return FAR_OK;
}

far_status far__optimum_advise(const far__optimum *x, bool counts, const far__warner *warner,
                               far_error *error) {
  char text[200];
  double *v, most = 0;
  const far_status status = worst(&v, x, error);
  if (status != FAR_OK) return status;
  for (uint32_t s = 0; s < far_mdp_shape(x->mdp).n_states; ++s) most = fmax(most, x->v[s] - v[s]);
  const double start = far__start_value(x->mdp, v);
  free(v);
  const bool nowhere = counts && most <= x->eps;
  snprintf(text, sizeof text, "every policy is within eps = %.4g of the best %s (V* is %.4g%s)",
           x->eps, nowhere ? "in every state" : "at the start", x->start,
           nowhere ? " at the start" : " there");
  if (nowhere || x->start - start <= x->eps) warner->warn(warner->user, nowhere, text);
  return FAR_OK;
}
