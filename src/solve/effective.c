/* The effective horizon with a discount.
 *
 * Laidlaw, Russell & Dragan 2023 ("Bridging RL theory and practice with the effective horizon") and Laidlaw, Zhu,
 * Russell & Dragan 2024 ("The effective horizon explains deep RL performance in stochastic environments") have
 * finite horizons; here Q1 is the discounted value of the uniform policy, and backups discount. As in their
 * program, k counts the states that policies greedy in Qk reach from a start; the gap is that to the best action
 * that is not optimal, in the states that actions above it in Qk reach: these may be taken where Qk is only
 * estimated.
 *
 * W0 = V of the uniform policy, Qk = r + gamma P Wk-1, Wk = max over a of Qk: only W is kept. If W0 is within e,
 * Wk is within gamma^k e and the rounding of the backups.
 */
#include "solve/effective.h"

#include <math.h> /* only for INFINITY */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "farsight/base.h"
#include "solve/pairs.h"
#include "solve/sweep.h"

#define MOST_K 1000000

double far__effective_of(int64_t k, double gap, double scale, uint32_t n_actions) {
  if (n_actions < 2 || gap >= scale) return (double)k;
  return (double)k + 2 * far_log(scale / gap) / far_log((double)n_actions);
}

void far__effective_take(far_effective *out, int64_t k, double gap, double scale,
                         uint32_t n_actions) {
  const double horizon = far__effective_of(k, gap, scale, n_actions);
  if (!(horizon < out->horizon)) return;
  out->horizon = horizon;
  out->gap = gap;
  out->at = k;
}

far_status far__effective_check(const far_solve_def *def, int64_t k, far_error *error) {
  if (def->progress == NULL || def->progress(def->user, k, 0)) return FAR_OK;
  return far__fail(error, FAR_STATUS_CANCELLED, -1, "stopped on request");
}

typedef struct look {
  const far_mdp *mdp;
  const far_solution *best;
  double *w, *next; /* W of k - 1, and of k */
  uint32_t *queue;
  bool *seen;
  double blur; /* the error of W */
} look;

/* Appends to the queue the states that a row (or the start) leads to. */
static size_t follow(look *x, size_t row, size_t tail) {
  for (size_t i = x->mdp->row[row]; i < x->mdp->row[row + 1]; ++i) {
    const far_outcome *o = &x->mdp->outcome[i];
    if (o->done || x->seen[o->next]) continue;
    x->seen[o->next] = true;
    x->queue[tail++] = o->next;
  }
  return tail;
}

/* Is every policy that is greedy in Qk certainly optimal, from the starts on? *gap: by how much. With `wide`, also for
 * policies that take any action above the actions that are not optimal. */
static bool is_solved(look *x, bool wide, double *gap) {
  const size_t n = x->best->n_actions;
  const double blur = 2 * x->best->gamma * x->blur;
  memset(x->seen, false, x->best->n_states * sizeof *x->seen);
  size_t tail = follow(x, x->mdp->n_rows - 1, 0);
  *gap = INFINITY;
  for (size_t head = 0; head < tail; ++head) {
    const uint32_t s = x->queue[head];
    far__contest c = {-INFINITY, -INFINITY};
    for (size_t a = 0; a < n; ++a)
      far__contest_add(&c, far__pair_value(x->mdp, s * n + a, x->best->gamma, x->w),
                       x->best->v[s] - x->best->q[s * n + a], 2 * x->best->error);
    if (!(c.best - c.other > blur)) return false;
    const double least = wide ? c.other : c.best - blur;
    *gap = c.best - c.other < *gap ? c.best - c.other : *gap;
    for (size_t a = 0; a < n; ++a)
      if (far__pair_value(x->mdp, s * n + a, x->best->gamma, x->w) > least)
        tail = follow(x, s * n + a, tail);
  }
  return true;
}

static far_status try_all(far_effective *out, look *x, const far_solver *solver,
                          const far_solve_def *def, far_error *error) {
  const far_shape *shape = &x->mdp->shape;
  const double gamma = x->best->gamma,
               scale = (shape->reward_max - shape->reward_min) / (1 - gamma);
  const double unit = (2 * (double)solver->rows.longest + 16) * 0x1p-53;
  const double rounding = unit * (solver->rows.most_reward / (1 - gamma));
  const int64_t most = def->max_sweeps > 0 ? def->max_sweeps : MOST_K;
  far_status status = FAR_OK;
  for (int64_t k = 1; k <= most && (double)k < out->horizon && status == FAR_OK; ++k) {
    double gap;
    out->tried = k;
    if (out->k == 0 && is_solved(x, false, &gap)) out->k = k;
    if (out->k > 0 && is_solved(x, true, &gap))
      far__effective_take(out, k, gap, scale, shape->n_actions);
    const far__extent change = far__sweep(&solver->rows, NULL, gamma, x->w, x->next);
    double *swap = x->w;
    x->w = x->next, x->next = swap;
    x->blur = gamma * x->blur + rounding;
    status = far__effective_check(def, k, error);
    if (change.high <= rounding && change.low >= -rounding) break; /* W does not change any more */
  }
  return status;
}

/* V of the uniform policy, more exact than the best values if doubles allow it, since near-ties matter. */
static far_status find_uniform(far_solution *out, const far_solver *solver,
                               const far_solve_def *def, double gamma, far_error *error) {
  const size_t n = solver->mdp->shape.n_actions, pairs = n * solver->mdp->shape.n_states;
  far_solve_def own = far_solve_def_default();
  double *p = malloc(pairs * sizeof *p);
  if (p == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a policy");
  for (size_t i = 0; i < pairs; ++i) p[i] = 1 / (double)n;
  const far_policy policy = {.probability = p};
  own.gamma = gamma;
  own.tolerance = 1e-4 * def->tolerance;
  far_status status = far_solver_evaluate(out, solver, &own, &policy, error);
  own.tolerance = 2 * def->tolerance;
  if (status == FAR_STATUS_RANGE) status = far_solver_evaluate(out, solver, &own, &policy, error);
  free(p);
  return status;
}

far_status far_solver_effective(far_effective *out, const far_solver *solver,
                                const far_solve_def *def, const far_solution *best,
                                far_error *error) {
  const size_t n = best->n_states;
  far_solution uniform = {0};
  *out = (far_effective){.gap = INFINITY, .horizon = INFINITY, .gorp = INFINITY};
  far_status status = find_uniform(&uniform, solver, def, best->gamma, error);
  if (status != FAR_OK) return status;
  look x = {.mdp = solver->mdp,
            .best = best,
            .w = malloc(n * sizeof *x.w),
            .next = calloc(n, sizeof *x.next),
            .queue = malloc(n * sizeof *x.queue),
            .seen = malloc(n * sizeof *x.seen),
            .blur = uniform.error};
  if (x.w != NULL && x.next != NULL && x.queue != NULL && x.seen != NULL) {
    memcpy(x.w, uniform.v, n * sizeof *x.w);
    status = try_all(out, &x, solver, def, error);
  } else {
    status = far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the effective horizon");
  }
  free(x.w);
  free(x.next);
  free(x.queue);
  free(x.seen);
  far_solution_free(&uniform);
  return status;
}
