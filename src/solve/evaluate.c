#include "solve/evaluate.h"

#include <math.h> /* only for fabs and INFINITY */
#include <stdlib.h>

#include "base/error.h"
#include "farsight/base.h"

/* ---- elimination ---- */

/* Row s of I - gamma P and of the rewards; terminal states have the row of the unit matrix. */
static void fill_equation(const far_mdp *mdp, double gamma, const uint32_t *policy, uint32_t s,
                          double *row, double *right) {
  const uint32_t n = mdp->shape.n_states;
  for (uint32_t j = 0; j < n; ++j) row[j] = j == s ? 1 : 0;
  *right = 0;
  if (mdp->terminal[s]) return;
  size_t count;
  const far_outcome *o = far_mdp_outcomes(mdp, s, policy[s], &count);
  for (size_t k = 0; k < count; ++k) {
    *right += o[k].probability * o[k].reward;
    if (!o[k].done) row[o[k].next] -= gamma * o[k].probability;
  }
}

/* The matrix is strictly diagonally dominant, so elimination needs no pivoting. */
static void eliminate(double *m, double *x, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    for (size_t r = i + 1; r < n; ++r) {
      const double factor = m[r * n + i] / m[i * n + i];
      if (factor == 0) continue;
      for (size_t c = i; c < n; ++c) m[r * n + c] -= factor * m[i * n + c];
      x[r] -= factor * x[i];
    }
  }
  for (size_t i = n; i-- > 0;) {
    for (size_t c = i + 1; c < n; ++c) x[i] -= m[i * n + c] * x[c];
    x[i] /= m[i * n + i];
  }
}

far_status far__evaluate_dense(const far_mdp *mdp, double gamma, const uint32_t *policy, double *v,
                               far_error *error) {
  const size_t n = mdp->shape.n_states;
  double *m = malloc(n * n * sizeof *m);
  if (m == NULL)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for %zu x %zu equations", n, n);
  for (uint32_t s = 0; s < n; ++s) fill_equation(mdp, gamma, policy, s, m + s * n, &v[s]);
  eliminate(m, v, n);
  free(m);
  return FAR_OK;
}

/* ---- iteration ---- */

far_status far__iterate_values(far__iteration *it, const far__sliced *rows, far_error *error) {
  far_status status = FAR_OK;
  for (bool over = false; status == FAR_OK && !over;)
    status = far__iteration_sweep(it, rows, INFINITY, &over, error);
  return status;
}

/* ---- Gauss-Seidel ----
 *
 * The changes of a sweep in place bound the error only by 1/(1 - gamma) times the greatest change: the part of the
 * error that all values share shrinks by gamma a sweep. A sweep apart (from v to another vector) has better bounds
 * (iteration.h), which do not count that common part. So the two alternate: a sweep forth and a sweep back in place,
 * then some sweeps apart; the more, the less those in place lowered the proven error.
 *
 * Some bounds become good only after many sweeps apart in a row (on a path, as many as it is long), and
 * every sweep in place spoils that. So whenever the work has doubled, one turn apart is an eighth of it:
 * N sweeps in a row come before 16 N in all, and take at most an eighth of the work.
 *
 * Where nothing ends, the values move to the middle of the bounds after a turn, unless they are known to
 * be nearer already: `near` bounds their distance from the exact ones, and every sweep shrinks it by
 * gamma, so that this converges whatever the turns do. Where something ends, the error is no common
 * shift. */

enum { LONGEST_TURN = 1 << 28, LONG_TURN_SHARE = 8 };

typedef struct turns {
  far__iteration *it;
  const far__sliced *rows;
  double near;  /* a bound on |v - exact| */
  double first; /* the error after the first sweep of the turn apart */
  int apart;    /* sweeps of the turn apart */
  double due;   /* the work at which a long turn apart is due */
} turns;

static far_status sweep_in_place(turns *t, far_error *error) {
  far__iteration *it = t->it;
  const int64_t most = it->def->max_sweeps;
  far_status status = FAR_OK;
  for (int i = 0; i < 2 && status == FAR_OK; ++i) {
    bool over;
    if (most > 0 && it->work + 1 >= (double)most) return FAR_OK; /* the last sweep is one apart */
    if (i == 0)
      far__sweep_forth(t->rows, it->def->gamma, it->v);
    else
      far__sweep_back(t->rows, it->def->gamma, it->v);
    t->near *= it->def->gamma;
    it->work += 1;
    status = far__iteration_over(it, &over, error);
  }
  return status;
}

static far_status sweep_apart(turns *t, bool *over, far_error *error) {
  far__iteration *it = t->it;
  far_status status = FAR_OK;
  for (int i = 0; i < t->apart && status == FAR_OK && !*over; ++i) {
    status = far__iteration_sweep(it, t->rows, 1, over, error);
    if (i == 0) t->first = it->error;
    t->near *= it->def->gamma;
  }
  return status;
}

/* How many sweeps the next turn apart has. */
static int next_apart(turns *t, double before) {
  int apart = 2;
  const bool in_place_is_better = /* it lowered the error more, for each sweep */
      before < INFINITY &&
      far_log(before / t->first) / 3 >= far_log(t->first / t->it->error) / (t->apart - 1);
  if (!in_place_is_better) apart = t->apart < LONGEST_TURN ? 2 * t->apart : t->apart;
  if (t->it->work < t->due) return apart;
  t->due = 2 * t->it->work;
  const double share = t->it->work / LONG_TURN_SHARE;
  return share > apart && share < LONGEST_TURN ? (int)share : apart;
}

far_status far__iterate_in_place(far__iteration *it, const far__sliced *rows, far_error *error) {
  turns t = {.it = it, .rows = rows, .near = INFINITY, .apart = 2};
  double before = INFINITY;
  far_status status = FAR_OK;
  for (bool over = false; status == FAR_OK && !over;) {
    status = sweep_in_place(&t, error);
    if (status == FAR_OK) status = sweep_apart(&t, &over, error);
    if (status != FAR_OK || over) break;
    t.apart = next_apart(&t, before);
    before = it->error;
    if (it->error >= t.near || rows->most_end > 0) continue;
    t.near = it->error;
    far__iteration_center(it);
  }
  return status;
}

/* ---- the values of a policy ---- */

static far_status check_actions(const far_mdp *mdp, const uint32_t *action, far_error *error) {
  for (uint32_t s = 0; s < mdp->shape.n_states; ++s)
    if (!mdp->terminal[s] && action[s] >= mdp->shape.n_actions)
      return far__fail(
          error, FAR_STATUS_RANGE, -1, "the policy's action %lu in state %lu is outside 0 ... %lu",
          (unsigned long)action[s], (unsigned long)s, (unsigned long)mdp->shape.n_actions - 1);
  return FAR_OK;
}

static far_status check_probabilities(const far_mdp *mdp, const double *p, far_error *error) {
  const uint32_t n = mdp->shape.n_actions;
  for (uint32_t s = 0; s < mdp->shape.n_states; ++s, p += n) {
    if (mdp->terminal[s]) continue;
    double sum = 0;
    for (uint32_t a = 0; a < n; ++a) {
      if (!(p[a] >= 0 && p[a] <= 1))
        return far__fail(error, FAR_STATUS_RANGE, -1,
                         "the policy's probability %g in state %lu is outside [0, 1]", p[a],
                         (unsigned long)s);
      sum += p[a];
    }
    if (fabs(sum - 1) > 1e-9)
      return far__fail(error, FAR_STATUS_RANGE, -1,
                       "the policy's probabilities in state %lu add to %.12g, not to 1",
                       (unsigned long)s, sum);
  }
  return FAR_OK;
}

far_status far__policy_check(const far_mdp *mdp, const far_policy *policy, far_error *error) {
  if ((policy->action == NULL) == (policy->probability == NULL))
    return far__fail(error, FAR_STATUS_CONFLICT, -1,
                     "a policy has either an action a state or probabilities, not both");
  return policy->action != NULL ? check_actions(mdp, policy->action, error)
                                : check_probabilities(mdp, policy->probability, error);
}

void far__policy_mix(const far_mdp *mdp, const far_policy *policy, const double *q, double *v) {
  const uint32_t n = mdp->shape.n_actions;
  for (uint32_t s = 0; s < mdp->shape.n_states; ++s, q += n) {
    v[s] = 0;
    if (mdp->terminal[s]) continue;
    if (policy->action != NULL) {
      v[s] = q[policy->action[s]];
      continue;
    }
    const double *p = policy->probability + (size_t)s * n;
    double total = 0;
    for (uint32_t a = 0; a < n; ++a) total += p[a];
    for (uint32_t a = 0; a < n; ++a) v[s] += p[a] / total * q[a];
  }
}

static far_status finish(far_solution *out, const far_solver *solver, const far__sliced *bounds,
                         const far_policy *policy, far__iteration *it, far_error *error) {
  const double gamma = it->def->gamma;
  far__iteration_center(it);
  const far_status status = far__solution_create(out, solver, it, error);
  if (status != FAR_OK) return status;
  const double rounding = far__backup_rounding(it, bounds);
  far__sweep_pairs(&solver->rows, it->team, gamma, it->v, it->w, out->policy, out->q);
  far__policy_mix(solver->mdp, policy, out->q, it->w);
  for (size_t s = 0; s < it->n_states; ++s)
    if (fabs(it->w[s] - it->v[s]) > out->residual) out->residual = fabs(it->w[s] - it->v[s]);
  out->residual = gamma * out->residual + rounding;
  out->v = it->w;
  it->w = NULL;
  out->span = far__span(out->v, out->n_states);
  return FAR_OK;
}

/* Methods that improve a policy have nothing to improve here, and become value iteration. */
static far_status iterate(far__iteration *it, const far_mdp *mdp, const far_policy *policy,
                          const far__sliced *chain, far_error *error) {
  bool over = false;
  far_status status = FAR_OK;
  switch (it->def->method) {
  case FAR_METHOD_GAUSS_SEIDEL: return far__iterate_in_place(it, chain, error);
  case FAR_METHOD_AUTO: status = far__iterate_quickly(it, chain, &over, error); break;
  case FAR_METHOD_TOPOLOGICAL: break;
  default: return far__iterate_values(it, chain, error);
  }
  if (status != FAR_OK || over) return status;
  return far__iterate_policy_parts(it, mdp, policy, chain, error);
}

far_status far_solver_evaluate(far_solution *out, const far_solver *solver,
                               const far_solve_def *def, const far_policy *policy,
                               far_error *error) {
  far__sliced chain;
  far__iteration it = {0};
  *out = (far_solution){0};
  far_status status = far__policy_check(solver->mdp, policy, error);
  if (status == FAR_OK) status = far__sliced_create(&chain, solver->mdp, policy, error);
  if (status != FAR_OK) return status;
  /* for the rounding: the last backup uses the rows of all actions, which may be longer and have greater rewards
   * than the policy's own, and its results are then mixed */
  far__sliced bounds = chain;
  const size_t longest = solver->rows.longest + solver->rows.n_actions;
  if (longest > bounds.longest) bounds.longest = longest;
  if (solver->rows.most_reward > bounds.most_reward) bounds.most_reward = solver->rows.most_reward;
  status = far__iteration_create(&it, &bounds, def, error);
  if (status == FAR_OK) status = iterate(&it, solver->mdp, policy, &chain, error);
  if (status == FAR_OK) status = finish(out, solver, &bounds, policy, &it, error);
  far__iteration_free(&it);
  far__sliced_free(&chain);
  return status;
}
