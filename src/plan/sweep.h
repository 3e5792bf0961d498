/* Planning by Gauss-Seidel sweeps: q and v are taken from wherever they stand to the fixed point of
 * a backup, all actions of a state at a time. Where a backup uses what `begin` saw of v at the
 * beginning of its sweep (the best outcome, their order, their mean), it lags by what v moves in a
 * sweep: such sweeps go on until they move a third as much, which keeps q within tol all the same.
 *
 * Inline, and called with a backup that the compiler knows, so that the inner loop has no call.
 */
#ifndef FAR_PLAN_SWEEP_H
#define FAR_PLAN_SWEEP_H

#include <math.h>
#include <stdbool.h>

#include "base/stop.h"
#include "plan/row.h"

/* The value of a pair whose successors have the values v. */
typedef double far__backup(const void *context, size_t pair, const double *v);

/* Lets a backup look at v when a sweep begins. */
typedef void far__sweep_begin(void *context, const double *v);

typedef struct far__plan {
  double *q, *v; /* v has n_states entries to be swept; what stands behind them is only read */
  uint32_t n_states, n_actions;
  const bool *absent; /* states that are left as they stand; NULL: none */
  double gamma;       /* the backup's modulus of contraction */
  double tol;         /* wanted distance to the fixed point */
  double scale;       /* the size of values: what is below 2^-48 of it counts as settled */
  far__stop *stop;    /* may end a plan before it is settled; NULL: never */
} far__plan;

/* No change above this means that q is within tol of the fixed point. */
static inline double far__plan_enough(const far__plan *p) {
  if (p->gamma == 0) return INFINITY;
  return fmax(p->tol * (1 - p->gamma) / p->gamma, 0x1p-48 * p->scale);
}

/* A pair whose backup differs from its q by no more than this leaves q within tol as it is. (A change
 * of a sweep has been discounted once already, a difference has not.) */
static inline double far__plan_slight(const far__plan *p) {
  return fmax(p->tol * (1 - p->gamma), 0x1p-48 * p->scale);
}

/* By then every error has shrunk below the last bit. */
static inline int64_t far__plan_limit(double gamma) {
  const double sweeps = 100 + 40 / (1 - gamma);
  return sweeps < 0x1p53 ? (int64_t)sweeps : (int64_t)1 << 53;
}

/* The largest change of any q; 0 once it is stopped. */
static inline double far__sweep(const far__plan *p, far__backup *backup, const void *context,
                                far__patience *patience) {
  double most = 0;
  double *q = p->q;
  for (uint32_t s = 0; s < p->n_states; ++s, q += p->n_actions) {
    if (p->absent != NULL && p->absent[s]) continue;
    double best = -INFINITY;
    for (uint32_t a = 0; a < p->n_actions; ++a) {
      const double x = backup(context, (size_t)(q - p->q) + a, p->v);
      most = fmax(most, fabs(x - q[a]));
      best = x > best ? x : best;
      q[a] = x;
    }
    p->v[s] = best;
    if (far__patience_over(patience, p->n_actions)) return 0;
  }
  return most;
}

/* Sweeps until settled or stopped. `changed` is the one pair whose backup has changed since q was
 * settled, if that is known (else SIZE_MAX): where it has hardly moved, nothing else has. */
static inline void far__plan_run(const far__plan *p, far__backup *backup, far__sweep_begin *begin,
                                 void *context, size_t changed) {
  const double enough = far__plan_enough(p) / (begin != NULL ? 3 : 1);
  const int64_t limit = far__plan_limit(p->gamma);
  far__patience patience = far__patience_with(p->stop);
  for (int64_t i = 0; i < limit; ++i) {
    if (begin != NULL) begin(context, p->v);
    if (i == 0 && changed != SIZE_MAX &&
        fabs(backup(context, changed, p->v) - p->q[changed]) <= far__plan_slight(p))
      return;
    if (far__sweep(p, backup, context, &patience) <= enough) return;
  }
}

#endif
