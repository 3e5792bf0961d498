#include "questions/guarantees/guarantees.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "farsight/solve.h"

void far__problem_set_range(far_problem *p, double smallest, double largest) {
  p->range = p->episodic ? fmax(largest, 0) - fmin(smallest, 0) : largest - smallest;
}

void far__problem_from_model(far_problem *p, const far_mdp *mdp) {
  const far_shape shape = far_mdp_shape(mdp);
  p->states = far_shape_live(&shape);
  p->actions = shape.n_actions;
  p->episodic = shape.episodic;
  p->horizon = (double)shape.horizon;
  far__problem_set_range(p, shape.reward_min, shape.reward_max);
  p->gamma = far_mdp_gamma(mdp);
}

far__guarantees_def far__guarantees_def_default(void) {
  return (far__guarantees_def){.problem = far_problem_default(0, 0), .most_states = 1000};
}

/* Of all theorems those that the problem asks for: those of finite horizon are not about one without. */
static bool is_meant(const far__guarantees_def *def, const far_theorem *theorem) {
  return !theorem->finite_horizon || def->problem.horizon > 0;
}

/* The i-th theorem that is named, or meant where none is; NULL past the end. */
static const far_theorem *theorem_at(const far__guarantees_def *def, size_t i) {
  if (def->n_theorems > 0) return i < def->n_theorems ? def->theorems[i] : NULL;
  size_t k = 0;
  for (const far_theorem *x; (x = far_theorem_at(k)) != NULL; ++k)
    if (is_meant(def, x) && i-- == 0) return x;
  return NULL;
}

static size_t count_theorems(const far__guarantees_def *def) {
  size_t n = 0;
  while (theorem_at(def, n) != NULL) ++n;
  return n;
}

/* ---- the diameter ---- */

static bool needs_diameter(const far__guarantees_def *def) {
  if (def->mdp == NULL || def->problem.diameter > 0) return false;
  for (size_t i = 0; i < count_theorems(def); ++i)
    if (theorem_at(def, i)->kind == FAR_THEOREM_REGRET && !theorem_at(def, i)->finite_horizon)
      return true;
  return false;
}

static far_status compute_diameter(double *out, const far__guarantees_def *from, far_error *error) {
  far_solver *solver;
  far_diameter diameter = {.value = 0};
  far_solve_def def = far_solve_def_default();
  def.live_only = true;
  def.progress = from->progress;
  def.user = from->user;
  far_status status = far_solver_create(&solver, from->mdp, error);
  if (status == FAR_OK) status = far_solver_diameter(&diameter, solver, &def, error);
  far_solver_free(solver);
  *out = fmax(1, diameter.value);
  return status;
}

/* Without a diameter the theorem that needs it says so; if it was asked for by name, that is an error. */
static far_status find_diameter(far__guarantees *g, const far__guarantees_def *def,
                                far_error *error) {
  far_error why;
  double diameter;
  if (!needs_diameter(def)) return FAR_OK;
  if (g->problem.states > def->most_states) {
    if (g->all) return FAR_OK;
    return far__fail(error, FAR_STATUS_CONFLICT, -1,
                     "the diameter of so many states takes long to compute; give it");
  }
  const far_status status = compute_diameter(&diameter, def, &why);
  if (status == FAR_OK) {
    g->problem.diameter = diameter;
    g->computed = true;
    return FAR_OK;
  }
  if (status != FAR_STATUS_RANGE) {
    if (error != NULL) *error = why;
    return status;
  }
  if (!g->all)
    return far__fail(error, FAR_STATUS_CONFLICT, -1, "no diameter (%.300s); give one", why.message);
  snprintf(g->no_diameter, sizeof g->no_diameter, "%.300s", why.message);
  return FAR_OK;
}

/* ---- the guarantees ---- */

static far_status evaluate(far__guarantees *g, const far__guarantees_def *def, far_error *error) {
  const far_problem problem = g->problem;
  for (size_t i = 0; i < g->count; ++i) {
    const far_theorem *theorem = theorem_at(def, i);
    far_status status = far_theorem_evaluate(&g->at_eps[i], theorem, &problem, error);
    if (status == FAR_OK && g->steps > 0)
      status = far_theorem_invert(&g->at_steps[i], theorem, &problem, g->steps, error);
    if (status != FAR_OK) return status;
  }
  g->problem = g->at_eps[0].problem; /* with eps */
  return FAR_OK;
}

static far_status make(far__guarantees *g, const far__guarantees_def *def, far_error *error) {
  g->at_eps = calloc(g->count + 1, sizeof *g->at_eps);
  if (g->steps > 0) g->at_steps = calloc(g->count + 1, sizeof *g->at_steps);
  if (g->at_eps == NULL || (g->steps > 0 && g->at_steps == NULL))
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the guarantees");
  const far_status status = find_diameter(g, def, error);
  return status == FAR_OK ? evaluate(g, def, error) : status;
}

far_status far__guarantees_create(far__guarantees **out, const far__guarantees_def *def,
                                  far_error *error) {
  far__guarantees *g = *out = calloc(1, sizeof *g);
  if (g == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the guarantees");
  *g = (far__guarantees){.problem = def->problem,
                         .all = def->n_theorems == 0,
                         .steps = def->steps,
                         .count = count_theorems(def)};
  if (def->mdp != NULL) {
    const far_shape shape = far_mdp_shape(def->mdp);
    g->env = far_mdp_spec(def->mdp);
    g->absent = shape.n_states - far_shape_live(&shape);
  }
  const far_status status = make(g, def, error);
  if (status == FAR_OK) return FAR_OK;
  far__guarantees_free(g);
  *out = NULL;
  return status;
}

void far__guarantees_free(far__guarantees *g) {
  if (g == NULL) return;
  free(g->at_eps);
  free(g->at_steps);
  free(g);
}
