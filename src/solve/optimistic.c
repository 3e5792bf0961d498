/* Values in the most favourable of a set of models: extended value iteration (Jaksch, Ortner & Auer
 * 2010, section 3.1), discounted. Its backup is monotone and passes on gamma times a
 * constant change, so the bounds of iteration.h hold; an end may be certain or impossible. */
#include "solve/plan/optimistic.h"

#include <math.h> /* only for INFINITY, fabs and fmax */
#include <stdlib.h>

#include "base/error.h"
#include "solve/iteration.h"

typedef struct planner {
  const far_solver *solver;
  const far_optimism *set;
  double *reward; /* expected, with the bonus; of a pair */
  far__arc *arc;  /* scratch for the longest row */
  uint32_t *order;
} planner;

static double value_of(const planner *x, size_t pair, double gamma, const double *v,
                       uint64_t best) {
  const far_mdp *mdp = x->solver->mdp;
  const size_t first = mdp->row[pair], count = mdp->row[pair + 1] - first;
  for (size_t k = 0; k < count; ++k)
    x->arc[k] = (far__arc){mdp->outcome[first + k].next, mdp->outcome[first + k].probability};
  const far__row row = {x->arc, count, 1};
  const double mean =
      x->set->width != NULL
          ? far__l1_best(&row, x->set->width[pair], v, best, x->order)
          : far__box_best(&row, x->set->low + first, x->set->high + first, 0, v, best, x->order);
  return x->reward[pair] + gamma * mean;
}

/* One sweep; q and policy may be NULL. */
static far__extent sweep(const planner *x, double gamma, const double *v, double *w, double *q,
                         uint32_t *policy) {
  const far_mdp *mdp = x->solver->mdp;
  const uint32_t n_states = mdp->shape.n_states, n_actions = mdp->shape.n_actions;
  far__extent extent = {INFINITY, -INFINITY};
  uint32_t best = 0;
  for (uint32_t s = 1; s < n_states; ++s) best = v[s] > v[best] ? s : best;
  for (uint32_t s = 0; s < n_states; ++s) {
    if (mdp->terminal[s]) continue;
    double most = -INFINITY;
    for (uint32_t a = 0; a < n_actions; ++a) {
      const size_t pair = (size_t)s * n_actions + a;
      const double value = value_of(x, pair, gamma, v, best);
      if (q != NULL) q[pair] = value;
      if (policy != NULL && value > most) policy[s] = a;
      most = value > most ? value : most;
    }
    const double change = most - v[s];
    extent.low = change < extent.low ? change : extent.low;
    extent.high = change > extent.high ? change : extent.high;
    w[s] = most;
  }
  return extent;
}

/* ---- the set ---- */

static far_status bad_pair(const far_mdp *mdp, size_t pair, far_error *error, const char *what) {
  return far__fail(error, FAR_STATUS_RANGE, -1, "state %zu, action %zu: %s",
                   pair / mdp->shape.n_actions, pair % mdp->shape.n_actions, what);
}

static far_status check_box(const far_mdp *mdp, size_t pair, const double *low, const double *high,
                            far_error *error) {
  double least = 0, most = 0;
  for (size_t k = mdp->row[pair]; k < mdp->row[pair + 1]; ++k) {
    if (!(low[k] >= 0 && low[k] <= high[k] && high[k] <= 1))
      return bad_pair(mdp, pair, error, "a box must have 0 <= low <= high <= 1");
    least += low[k];
    most += high[k];
  }
  if (least > 1 + 1e-9 || most < 1 - 1e-9)
    return bad_pair(mdp, pair, error,
                    "no distribution lies in the boxes; low must add to at most "
                    "1 and high to at least 1");
  return FAR_OK;
}

static far_status check_set(const far_mdp *mdp, const far_optimism *set, far_error *error) {
  const bool boxes = set->low != NULL && set->high != NULL;
  if ((set->width != NULL) == boxes || (set->low != NULL) != (set->high != NULL))
    return far__fail(error, FAR_STATUS_CONFLICT, -1,
                     "optimism needs either widths or boxes (low and high)");
  for (size_t pair = 0; pair + 1 < mdp->n_rows; ++pair) {
    if (mdp->row[pair] == mdp->row[pair + 1]) continue;
    if (set->width != NULL && !(set->width[pair] >= 0 && set->width[pair] <= 2))
      return bad_pair(mdp, pair, error, "an L1 width must be in [0, 2]");
    if (set->bonus != NULL && set->bonus[pair] - set->bonus[pair] != 0)
      return bad_pair(mdp, pair, error, "a bonus must be finite");
    const far_status status = boxes ? check_box(mdp, pair, set->low, set->high, error) : FAR_OK;
    if (status != FAR_OK) return status;
  }
  return FAR_OK;
}

/* ---- solving ---- */

static void free_planner(planner *x) {
  free(x->reward);
  free(x->arc);
  free(x->order);
}

static far_status create_planner(planner *x, size_t longest, far_error *error) {
  const far_mdp *mdp = x->solver->mdp;
  const size_t pairs = mdp->n_rows - 1;
  x->reward = calloc(pairs, sizeof *x->reward);
  x->arc = malloc((longest + 1) * sizeof *x->arc);
  x->order = malloc((longest + 1) * sizeof *x->order);
  if (x->reward == NULL || x->arc == NULL || x->order == NULL) {
    free_planner(x);
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the rewards of %zu pairs", pairs);
  }
  for (size_t pair = 0; pair < pairs; ++pair) {
    for (size_t k = mdp->row[pair]; k < mdp->row[pair + 1]; ++k)
      x->reward[pair] += mdp->outcome[k].probability * mdp->outcome[k].reward;
    if (x->set->bonus != NULL) x->reward[pair] += x->set->bonus[pair];
  }
  return FAR_OK;
}

static far_status finish(far_solution *out, const planner *x, const far__sliced *bounds,
                         far__iteration *it, far_error *error) {
  far__iteration_center(it);
  const far_status status = far__solution_create(out, x->solver, it, error);
  if (status != FAR_OK) return status;
  const double rounding = far__backup_rounding(it, bounds);
  const far__extent change = sweep(x, it->def->gamma, it->v, it->w, out->q, out->policy);
  out->v = it->w;
  it->w = NULL;
  for (size_t i = 0; i < it->n_terminal; ++i) out->v[it->terminal[i]] = 0;
  out->residual = it->def->gamma * far__extent_size(change) + rounding;
  out->span = far__span(out->v, out->n_states);
  return FAR_OK;
}

far_status far_solver_optimistic(far_solution *out, const far_solver *solver,
                                 const far_solve_def *def, const far_optimism *optimism,
                                 far_error *error) {
  const far_mdp *mdp = solver->mdp;
  planner x = {.solver = solver, .set = optimism};
  far__iteration it = {0};
  *out = (far_solution){0};
  far_status status = check_set(mdp, optimism, error);
  if (status != FAR_OK) return status;
  far__sliced bounds = solver->rows; /* what rounding and the bounds depend on */
  double bonus = 0;
  for (size_t pair = 0; optimism->bonus != NULL && pair + 1 < mdp->n_rows; ++pair)
    if (mdp->row[pair] < mdp->row[pair + 1]) bonus = fmax(bonus, fabs(optimism->bonus[pair]));
  bounds.most_reward += bonus;
  bounds.longest = 2 * bounds.longest + 2; /* every mass may be split once, and moved */
  bounds.least_end = 0;
  bounds.most_end = bounds.n_terminal > 0 ? 1 : 0;
  far_solve_def alone = *def;
  alone.threads = 1;
  alone.device = FAR_DEVICE_CPU;
  status = far__iteration_create(&it, &bounds, &alone, error);
  if (status != FAR_OK) return status;
  status = create_planner(&x, solver->rows.longest, error);
  if (status == FAR_OK) {
    for (bool over = false; status == FAR_OK && !over;) {
      far__iteration_take(&it, sweep(&x, alone.gamma, it.v, it.w, NULL, NULL));
      it.work += 1;
      status = far__iteration_over(&it, &over, error);
    }
    if (status == FAR_OK) status = finish(out, &x, &bounds, &it, error);
    free_planner(&x);
  }
  far__iteration_free(&it);
  return status;
}
