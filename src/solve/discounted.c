/* The optimal discounted values, by six methods with one certificate. */
#include "solve/evaluate.h"

#include <math.h> /* only for INFINITY */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

far_solve_def far_solve_def_default(void) {
  return (far_solve_def){.gamma = 0.95, .tolerance = 1e-6, .method = FAR_METHOD_AUTO, .threads = 1};
}

const char *far_method_name(size_t method) {
  static const char *const names[] = {"value",  "gauss-seidel", "modified",
                                      "policy", "topological",  "auto"};
  return method < sizeof names / sizeof *names ? names[method] : NULL;
}

/* A policy that is alternately improved and evaluated. */
typedef struct improvement {
  const far_solver *solver;
  far__iteration *it;
  uint32_t *policy, *last;
  far__sliced chain; /* the rows of `last` */
  bool built;
  far__extent change; /* of the last full sweep */
} improvement;

/* A full sweep: bounds the error and finds the greedy policy. */
static far_status improve(improvement *x, bool *over, far_error *error) {
  far__iteration *it = x->it;
  x->change =
      far__sweep_greedy(&x->solver->rows, it->team, it->def->gamma, it->v, it->w, x->policy);
  far__iteration_take(it, x->change);
  it->work += 1;
  return far__iteration_over(it, over, error);
}

/* Lays out the rows of the policy, unless they are laid out already. */
static far_status rebuild(improvement *x, far_error *error) {
  const size_t bytes = x->it->n_states * sizeof *x->policy;
  if (x->built && memcmp(x->policy, x->last, bytes) == 0) return FAR_OK;
  const far_policy policy = {.action = x->policy};
  far__sliced_free(&x->chain);
  x->built = false;
  const far_status status = far__sliced_create(&x->chain, x->solver->mdp, &policy, error);
  if (status != FAR_OK) return status;
  x->built = true;
  memcpy(x->last, x->policy, bytes);
  return FAR_OK;
}

/* ---- modified policy iteration (Puterman & Shin 1978) ---- */

/* Sweeps of the policy, at most `most`, until its own bounds are a tenth of what they were, or as
 * narrow as needed and rounding allows. */
static far_status evaluate_partly(improvement *x, int most, far_error *error) {
  far__iteration *it = x->it;
  const double share = (double)x->chain.n_outcomes / (double)x->solver->rows.n_outcomes;
  const double outer = it->error, quarter = 0.25 * it->def->tolerance;
  const double least = quarter > 3 * it->rounding ? quarter : 3 * it->rounding;
  const double enough = 0.1 * outer > least ? 0.1 * outer : least;
  far_status status = FAR_OK;
  for (int i = 0; i < most && status == FAR_OK; ++i) {
    bool over;
    far__iteration_take(it, far__sweep(&x->chain, it->team, it->def->gamma, it->v, it->w));
    it->work += share;
    const bool done = it->error <= enough;
    it->error = outer; /* the bounds of a policy do not hold for the best one */
    status = far__iteration_over(it, &over, error);
    if (done || over) break; /* over: by the limit of sweeps */
  }
  return status;
}

/* It converges whatever the numbers of sweeps between (Puterman 1994, section 6.5). `growth` is the
 * factor from one policy to the next. */
static far_status iterate_modified(improvement *x, int growth, far_error *error) {
  enum { FIRST = 50, MOST = 1 << 29 };
  int most = FIRST;
  bool over = false;
  far_status status = improve(x, &over, error);
  while (status == FAR_OK && !over) {
    status = rebuild(x, error);
    if (status == FAR_OK) status = evaluate_partly(x, most, error);
    if (status == FAR_OK) status = improve(x, &over, error);
    if (most < MOST) most *= growth;
  }
  return status;
}

/* ---- policy iteration (Howard 1960) ---- */

/* Ends as soon as the sweep that improves the policy also proves its values. Where the last
 * improvements cannot be distinguished from the error of elimination, plain sweeps do the rest. Where
 * elimination would take long, policies are evaluated by sweeps: by few at first, since evaluating
 * poor policies well can take far longer than all the rest. */
static far_status iterate_policies(improvement *x, far_error *error) {
  bool over = false;
  const double n = x->it->n_states;
  if (n >= FAR__DENSE_BELOW) return iterate_modified(x, 2, error);
  far_status status = improve(x, &over, error);
  while (status == FAR_OK && !over) {
    x->it->work += n * n * n / 3 / (double)x->solver->rows.n_outcomes;
    status = far__evaluate_dense(x->solver->mdp, x->it->def->gamma, x->policy, x->it->v, error);
    if (status == FAR_OK) status = improve(x, &over, error);
    if (status != FAR_OK || over) break;
    if (x->change.high <= x->it->def->tolerance)
      return far__iterate_values(x->it, &x->solver->rows, error);
  }
  return status;
}

/* ---- all methods ---- */

far_status far_solver_discounted(far_solution *out, const far_solver *solver,
                                 const far_solve_def *def, far_error *error) {
  far__iteration it;
  improvement x = {0};
  bool over = false;
  *out = (far_solution){0};
  far_status status = far__iteration_create(&it, &solver->rows, def, error);
  if (status != FAR_OK) return status;
  if (def->method == FAR_METHOD_MODIFIED || def->method == FAR_METHOD_POLICY) {
    x = (improvement){.solver = solver, .it = &it};
    x.policy = calloc(it.n_states, sizeof *x.policy);
    x.last = calloc(it.n_states, sizeof *x.last);
    if (x.policy == NULL || x.last == NULL)
      status = far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a policy of %zu states",
                         (size_t)it.n_states);
  }
  if (status == FAR_OK) switch (def->method) {
    case FAR_METHOD_VALUE: status = far__iterate_values(&it, &solver->rows, error); break;
    case FAR_METHOD_GAUSS_SEIDEL: status = far__iterate_in_place(&it, &solver->rows, error); break;
    case FAR_METHOD_MODIFIED: status = iterate_modified(&x, 1, error); break;
    case FAR_METHOD_POLICY: status = iterate_policies(&x, error); break;
    case FAR_METHOD_TOPOLOGICAL:
      status = far__iterate_parts(&it, solver->mdp, &solver->rows, error);
      break;
    case FAR_METHOD_AUTO: /* sweeps if they are quick, else part by part */
      status = far__iterate_quickly(&it, &solver->rows, &over, error);
      if (status == FAR_OK && !over)
        status = far__iterate_parts(&it, solver->mdp, &solver->rows, error);
      break;
    }
  far__sliced_free(&x.chain);
  free(x.policy);
  free(x.last);
  if (status == FAR_OK) status = far__solution_finish(out, solver, &it, error);
  far__iteration_free(&it);
  return status;
}

/* The best less the second best of a row of q. */
static double gap_of(const double *q, uint32_t n) {
  double best = q[0], second = -INFINITY;
  for (uint32_t a = 1; a < n; ++a) {
    if (q[a] > best) {
      second = best;
      best = q[a];
    } else if (q[a] > second) {
      second = q[a];
    }
  }
  return best - second;
}

far_gaps far_solution_gaps(const far_solution *x, const far_mdp *mdp, double *gap) {
  far_gaps out = {.least = INFINITY, .least_positive = INFINITY};
  for (uint32_t s = 0; s < x->n_states; ++s) {
    if (gap != NULL) gap[s] = 0;
    if (x->n_actions < 2 || far_mdp_terminal(mdp, s)) continue;
    const double g = gap_of(x->q + (size_t)s * x->n_actions, x->n_actions);
    if (gap != NULL) gap[s] = g;
    if (g < out.least) out.least = g;
    if (g <= 2 * x->error) {
      out.n_tied += 1;
    } else if (g < out.least_positive) {
      out.least_positive = g;
      out.at = s;
    }
  }
  return out;
}
