/* What is exactly so: solutions of the model, and what the theorems promise on it. */
#include <math.h>
#include <string.h>

#include "web.h"

static far_model_solution *solve(const far_mdp *mdp, double gamma) {
  far_model_solution_def def = far_model_solution_def_default();
  far_model_solution *solution;
  def.mdp = mdp;
  def.gamma = gamma;
  def.threads = 1;
  return far_model_solve(&solution, &def, web__error()) == FAR_OK ? solution : NULL;
}

const char *web_solve(const far_mdp *mdp, double gamma) {
  far_report *report;
  const char *text = NULL;
  far_model_solution *solution = solve(mdp, gamma);
  if (solution == NULL) return NULL;
  if (far_report_create(&report, "solve", web__error()) == FAR_OK) {
    far_model_solution_report(solution, 0, report);
    text = web__report_json(report);
  }
  far_model_solution_free(solution);
  return text;
}

const double *web_solve_values(const far_mdp *mdp, double gamma) {
  far_model_solution *solution = solve(mdp, gamma);
  if (solution == NULL) return NULL;
  const size_t n = solution->shape.n_states, pairs = n * solution->shape.n_actions;
  const uint32_t *policy = far_model_solution_policy(solution);
  double *out = web__numbers(2 * n + pairs);
  if (out != NULL) {
    memcpy(out, solution->values.v, n * sizeof *out);
    memcpy(out + n, solution->values.q, pairs * sizeof *out);
    for (size_t s = 0; s < n; ++s) out[n + pairs + s] = policy[s];
  }
  far_model_solution_free(solution);
  return out;
}

const char *web_guarantees(const far_mdp *mdp, const char *theorem, double gamma, double eps,
                           double delta, double gamma_e) {
  far_guarantees_def def = far_guarantees_def_default();
  const far_theorem *named;
  far_guarantees *all;
  far_report *report;
  const char *text = NULL;
  far_problem_from_model(&def.problem, mdp);
  def.mdp = mdp;
  if (!isnan(gamma)) def.problem.gamma = gamma;
  def.problem.eps = eps;
  def.problem.delta = delta;
  def.problem.gamma_e = gamma_e;
  if (theorem != NULL) {
    if (far_theorem_named(&named, theorem, web__error()) != FAR_OK) return NULL;
    def.theorems = &named;
    def.n_theorems = 1;
  }
  if (far_guarantees_create(&all, &def, web__error()) != FAR_OK) return NULL;
  if (far_report_create(&report, "pac", web__error()) == FAR_OK) {
    far_guarantees_report(all, theorem != NULL ? FAR_GUARANTEES_EXPLAIN : FAR_GUARANTEES_TABLE,
                          report);
    text = web__report_json(report);
  }
  far_guarantees_free(all);
  return text;
}
