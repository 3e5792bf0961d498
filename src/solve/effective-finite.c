/* The effective horizon with a finite horizon T (effective.c has the papers).
 *
 * W0 = V of the uniform policy; at every time t Qk = r + gamma P Wk-1 of t + 1, and Wk = max over a of Qk.
 *
 * For deterministic models with one start, the algorithm GORP of the first paper finds an optimal policy with
 * probability at least 1/2 from m A^k episodes a step, and its effective horizon is the least k + log_A m.
 * Theorem 5.4 there bounds m. Its constants are taken from the authors' program (gorp_bounds.jl):
 *
 *     m <= 16 B / gap^2 ln(2 T A^k), at least 1, the greatest over the times and states reached,
 *
 * where B bounds the variance of a return of the uniform policy: (Q - worst Q)(best Q - worst Q) of the pair, the
 * greatest over the pairs that k - 1 further actions lead to.
 */
#include <math.h> /* only for ceil and INFINITY */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "farsight/base.h"
#include "solve/effective.h"
#include "solve/pairs.h"
#include "solve/sweep.h"

typedef struct look {
  const far_mdp *mdp;
  const far_horizon *best;
  double *w;      /* W of k - 1 at every time, 0 ... T */
  double *spread; /* max over a of B at every time; NULL if the model is not deterministic */
  double *worst;  /* two vectors */
  bool *at, *then;
  double blur;
  double factor; /* ln(2 T A^k) */
} look;

/* Has every pair one outcome, and is there one start? Live states are known only up to the model's own horizon. */
static bool is_deterministic(const far_mdp *mdp, int64_t horizon) {
  if (mdp->shape.horizon > 0 && mdp->shape.horizon < horizon) return false;
  for (uint32_t s = 0; s < mdp->shape.n_states; ++s)
    for (uint32_t a = 0; a < mdp->shape.n_actions && far_shape_is_live(&mdp->shape, s); ++a) {
      const size_t row = (size_t)s * mdp->shape.n_actions + a;
      if (mdp->row[row + 1] - mdp->row[row] != 1) return false;
    }
  return mdp->row[mdp->n_rows] - mdp->row[mdp->n_rows - 1] == 1;
}

/* ---- the uniform and the worst policy ---- */

static void begin_state(look *x, uint32_t s, size_t t) {
  const size_t n = x->mdp->shape.n_actions, all = x->best->n_states;
  const double *w = x->w + (t + 1) * all, *best = x->best->v + (t + 1) * all;
  double sum = 0, least = INFINITY, spread = 0;
  for (size_t a = 0; a < n; ++a) {
    const double q = far__pair_value(x->mdp, s * n + a, x->best->gamma, w);
    sum += q;
    if (x->spread == NULL) continue;
    const double low = far__pair_value(x->mdp, s * n + a, x->best->gamma, x->worst);
    const double high = far__pair_value(x->mdp, s * n + a, x->best->gamma, best);
    const double bound = (q - low) * (high - low);
    spread = bound > spread ? bound : spread;
    least = low < least ? low : least;
  }
  x->w[t * all + s] = sum / (double)n;
  if (x->spread == NULL) return;
  x->spread[t * all + s] = spread;
  x->worst[all + s] = least;
}

static void begin(look *x) {
  const size_t all = x->best->n_states;
  for (size_t t = (size_t)x->best->horizon; t-- > 0;) {
    for (uint32_t s = 0; s < all; ++s)
      if (!x->mdp->terminal[s]) begin_state(x, s, t);
    if (x->worst != NULL) memcpy(x->worst, x->worst + all, all * sizeof *x->worst);
  }
}

/* ---- one k ---- */

typedef struct trial {
  double gap;
  double samples; /* m */
} trial;

/* Updates the trial with a state at a time; false if a greedy policy may be wrong there. */
static bool take_state(trial *out, look *x, uint32_t s, size_t t, bool wide) {
  const size_t n = x->mdp->shape.n_actions, all = x->best->n_states;
  const double gamma = x->best->gamma, *w = x->w + (t + 1) * all;
  const double *v = x->best->v + t * all, *later = v + all;
  far__contest c = {-INFINITY, -INFINITY};
  for (size_t a = 0; a < n; ++a)
    far__contest_add(&c, far__pair_value(x->mdp, s * n + a, gamma, w),
                     v[s] - far__pair_value(x->mdp, s * n + a, gamma, later), x->blur);
  const double gap = c.best - c.other;
  if (!(gap > x->blur)) return false;
  out->gap = gap < out->gap ? gap : out->gap;
  if (x->spread != NULL) {
    const double m = ceil(16 * x->spread[t * all + s] / (gap * gap) * x->factor);
    out->samples = m > out->samples ? m : out->samples;
  }
  const double least = wide ? c.other : c.best - x->blur;
  for (size_t a = 0; a < n; ++a) {
    if (!(far__pair_value(x->mdp, s * n + a, gamma, w) > least)) continue;
    for (size_t i = x->mdp->row[s * n + a]; i < x->mdp->row[s * n + a + 1]; ++i)
      if (!x->mdp->outcome[i].done) x->then[x->mdp->outcome[i].next] = true;
  }
  return true;
}

static bool is_solved(trial *out, look *x, int64_t k, bool wide) {
  const size_t all = x->best->n_states;
  x->factor =
      far_log(2 * (double)x->best->horizon) + (double)k * far_log((double)x->mdp->shape.n_actions);
  *out = (trial){INFINITY, 1};
  far__mark_starts(x->mdp, x->at);
  for (size_t t = 0; t < (size_t)x->best->horizon; ++t) {
    memset(x->then, false, all * sizeof *x->then);
    for (uint32_t s = 0; s < all; ++s)
      if (x->at[s] && !take_state(out, x, s, t, wide)) return false;
    bool *swap = x->at;
    x->at = x->then, x->then = swap;
  }
  return true;
}

/* Advances W and spread from k to k + 1; in place, since a time reads only the one after it. */
static void back_up(look *x, const far_solver *solver) {
  const size_t all = x->best->n_states, n = x->mdp->shape.n_actions;
  for (size_t t = 0; t < (size_t)x->best->horizon; ++t) {
    far__sweep(&solver->rows, NULL, x->best->gamma, x->w + (t + 1) * all, x->w + t * all);
    for (uint32_t s = 0; x->spread != NULL && s < all; ++s) {
      double most = 0;
      for (size_t a = 0; a < n && !x->mdp->terminal[s]; ++a) {
        const double after =
            x->spread[(t + 1) * all + x->mdp->outcome[x->mdp->row[s * n + a]].next];
        most = after > most ? after : most;
      }
      x->spread[t * all + s] = most;
    }
  }
}

static void take_trial(far_effective *out, const look *x, const trial *y, int64_t k) {
  const far_shape *shape = &x->mdp->shape;
  const double range = shape->reward_max - shape->reward_min;
  far__effective_take(out, k, y->gap, range * (double)x->best->horizon, shape->n_actions);
  if (x->spread == NULL) return;
  const double more =
      shape->n_actions > 1 ? far_log(y->samples) / far_log((double)shape->n_actions) : 0;
  out->gorp = (double)k + more < out->gorp ? (double)k + more : out->gorp;
}

static far_status try_all(far_effective *out, look *x, const far_solver *solver,
                          const far_solve_def *def, far_error *error) {
  const int64_t all = x->best->horizon;
  const int64_t most = def->max_sweeps > 0 && def->max_sweeps < all ? def->max_sweeps : all;
  far_status status = FAR_OK;
  begin(x);
  if (x->spread != NULL) out->gorp = (double)all;
  for (int64_t k = 1; k <= most && status == FAR_OK; ++k) {
    trial now;
    const bool open = (double)k < out->horizon || (x->spread != NULL && (double)k < out->gorp);
    if (!open) break;
    out->tried = k;
    if (out->k == 0 && is_solved(&now, x, k, false)) out->k = k;
    if (out->k > 0 && is_solved(&now, x, k, true)) take_trial(out, x, &now, k);
    back_up(x, solver);
    status = far__effective_check(def, k, error);
  }
  return status;
}

/* ---- solving ---- */

static bool allocate(look *x, bool deterministic) {
  const size_t n = x->best->n_states, all = ((size_t)x->best->horizon + 1) * n;
  x->w = calloc(all, sizeof *x->w);
  x->at = malloc(2 * n * sizeof *x->at);
  if (deterministic) {
    x->spread = calloc(all, sizeof *x->spread);
    x->worst = calloc(2 * n, sizeof *x->worst);
  }
  if (x->at == NULL) return false;
  x->then = x->at + n;
  return x->w != NULL && (!deterministic || (x->spread != NULL && x->worst != NULL));
}

far_status far_solver_effective_finite(far_effective *out, const far_solver *solver,
                                       const far_solve_def *def, const far_horizon *best,
                                       far_error *error) {
  look x = {.mdp = solver->mdp, .best = best, .blur = 4 * best->error};
  *out = (far_effective){.gap = INFINITY, .horizon = INFINITY, .gorp = INFINITY};
  const bool good = allocate(&x, best->gamma == 1 && is_deterministic(solver->mdp, best->horizon));
  bool *marks = x.at;
  const far_status status =
      good ? try_all(out, &x, solver, def, error)
           : far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the effective horizon");
  free(x.w);
  free(x.spread);
  free(x.worst);
  free(marks); /* x.at and x.then may have been swapped */
  return status;
}
