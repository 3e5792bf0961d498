/* Exact answers: solutions of the model, and the guarantees of theorems on it. */
#include <math.h>
#include <string.h>

#include "questions/guarantees/guarantees.h"
#include "questions/listing/listing.h"
#include "questions/model/model-solution.h"
#include "web.h"

enum { MOST_LAYERED = 1 << 22 }; /* the most values of pairs over all steps of a horizon */

/* What to solve for: the problem's own criterion, or discounted values if `gamma` is given. */
static far__solve_kind kind_of(const far_mdp *mdp, double gamma) {
  const far_shape shape = far_mdp_shape(mdp);
  if (!isnan(gamma)) return FAR__SOLVE_DISCOUNTED;
  if (shape.horizon > 0) return FAR__SOLVE_HORIZON;
  return shape.average ? FAR__SOLVE_AVERAGE : FAR__SOLVE_DISCOUNTED;
}

static far__model_solution *solve(const far_mdp *mdp, double gamma) {
  far__model_solution_def def = far__model_solution_def_default();
  far__model_solution *solution;
  def.mdp = mdp;
  def.kind = kind_of(mdp, gamma);
  def.gamma = gamma;
  def.threads = 1;
  return far__model_solve(&solution, &def, web__error()) == FAR_OK ? solution : NULL;
}

const char *web_solve(const far_mdp *mdp, double gamma) {
  far_report *report;
  const char *text = NULL;
  far__model_solution *solution = solve(mdp, gamma);
  if (solution == NULL) return NULL;
  if (far_report_create(&report, "solve", web__error()) == FAR_OK) {
    far__model_solution_report(solution, 0, report);
    text = web__report_json(report);
  }
  far__model_solution_free(solution);
  return text;
}

/* ---- solutions as numbers ---- */

/* Arrays for all steps of a horizon, else for one step: a value of each state, a value of each pair, the action of
 * each state. */
typedef struct answer {
  double *v, *q, *policy;
} answer;

static void put_actions(double *out, const uint32_t *action, size_t n) {
  for (size_t i = 0; i < n; ++i) out[i] = action[i];
}

static void put_discounted(answer *out, const far__model_solution *x) {
  const size_t n = x->shape.n_states;
  memcpy(out->v, x->values.v, n * sizeof *out->v);
  memcpy(out->q, x->values.q, n * x->shape.n_actions * sizeof *out->q);
  put_actions(out->policy, x->values.policy, n);
}

static bool put_horizon(answer *out, const far__model_solution *x) {
  const size_t n = x->shape.n_states, pairs = n * x->shape.n_actions,
               all = n * (size_t)x->horizon.horizon;
  far_solver *solver;
  far_status status = far_solver_create(&solver, x->def.mdp, web__error());
  for (int64_t t = 0; status == FAR_OK && t < x->horizon.horizon; ++t)
    status = far_horizon_pairs(out->q + (size_t)t * pairs, &x->horizon, solver, t, web__error());
  far_solver_free(solver);
  memcpy(out->v, x->horizon.v, all * sizeof *out->v);
  put_actions(out->policy, x->horizon.policy, all);
  return status == FAR_OK;
}

/* Relative values: v is the bias; q of a pair is its expected reward less the gain, plus the expected bias of the
 * next state. */
static void put_average(answer *out, const far__model_solution *x) {
  const uint32_t n = x->shape.n_states, m = x->shape.n_actions;
  memcpy(out->v, x->average.bias, n * sizeof *out->v);
  put_actions(out->policy, x->average.policy, n);
  for (uint32_t pair = 0; pair < n * m; ++pair) {
    size_t count;
    const far_outcome *o = far_mdp_outcomes(x->def.mdp, pair / m, pair % m, &count);
    double q = count > 0 ? -x->average.gain : 0;
    for (size_t i = 0; i < count; ++i) q += o[i].probability * (o[i].reward + out->v[o[i].next]);
    out->q[pair] = q;
  }
}

/* Room for the average reward and the arrays of `out`; NULL if the page has not enough memory. */
static double *room_for(answer *out, const far__model_solution *x, size_t layers) {
  const size_t n = layers * x->shape.n_states, pairs = n * x->shape.n_actions;
  double *numbers = web__numbers(1 + 2 * (uint64_t)n + pairs);
  if (numbers != NULL) *out = (answer){numbers + 1, numbers + 1 + n, numbers + 1 + n + pairs};
  return numbers;
}

const double *web_solve_values(const far_mdp *mdp, double gamma) {
  const far_shape shape = far_mdp_shape(mdp);
  const far__solve_kind kind = kind_of(mdp, gamma);
  const size_t layers = kind == FAR__SOLVE_HORIZON ? (size_t)shape.horizon : 1;
  answer to;
  bool good = true;
  if ((double)layers * shape.n_states * shape.n_actions > MOST_LAYERED && layers > 1) {
    web__refuse(FAR_STATUS_RANGE, "the numbers of all %.0f steps would be too many",
                (double)layers);
    return NULL;
  }
  far__model_solution *x = solve(mdp, gamma);
  double *out = x != NULL ? room_for(&to, x, layers) : NULL;
  if (out != NULL) {
    out[0] = kind == FAR__SOLVE_AVERAGE ? x->average.gain : NAN;
    if (kind == FAR__SOLVE_HORIZON)
      good = put_horizon(&to, x);
    else if (kind == FAR__SOLVE_AVERAGE)
      put_average(&to, x);
    else
      put_discounted(&to, x);
  }
  far__model_solution_free(x);
  return good ? out : NULL;
}

const char *web_guarantees(const far_mdp *mdp, const char *theorem, double gamma, double eps,
                           double delta, double gamma_e) {
  far__guarantees_def def = far__guarantees_def_default();
  const far_theorem *named;
  far__guarantees *all;
  far_report *report;
  const char *text = NULL;
  far__problem_from_model(&def.problem, mdp);
  def.mdp = mdp;
  if (!isnan(gamma)) def.problem.gamma = gamma;
  def.problem.eps = eps;
  def.problem.delta = delta;
  def.problem.gamma_e = gamma_e;
  if (theorem != NULL) {
    if (far__theorem_named(&named, theorem, web__error()) != FAR_OK) return NULL;
    def.theorems = &named;
    def.n_theorems = 1;
  }
  if (far__guarantees_create(&all, &def, web__error()) != FAR_OK) return NULL;
  if (far_report_create(&report, "pac", web__error()) == FAR_OK) {
    far__guarantees_report(all, theorem != NULL ? FAR__GUARANTEES_EXPLAIN : FAR__GUARANTEES_TABLE,
                           report);
    text = web__report_json(report);
  }
  far__guarantees_free(all);
  return text;
}
