/* Planning by Gauss-Seidel sweeps: takes q and v from any values to the fixed point of
 * a backup, all actions of a state at a time. A backup that uses what `begin` saw of v at the
 * beginning of its sweep (the best outcome, their order, their mean) lags by the change of v in a
 * sweep: such sweeps continue until v moves a third as much, which keeps q within tol all the same.
 *
 * Inline, and called with a backup that the compiler knows, so that the inner loop has no call.
 */
#ifndef FAR_SOLVE_PLAN_SWEEP_H
#define FAR_SOLVE_PLAN_SWEEP_H

#include <math.h>
#include <stdbool.h>

#include "base/stop.h"
#include "solve/plan/agenda.h"
#include "solve/plan/row.h"

/* The value of a pair whose successors have the values v. */
typedef double far__backup(const void *context, size_t pair, const double *v);

/* Lets a backup look at v when a sweep begins. */
typedef void far__sweep_begin(void *context, const double *v);

typedef struct far__plan {
  double *q, *v; /* v has n_states entries to be swept; entries behind them are only read */
  uint32_t n_states, n_actions;
  const bool *absent;        /* states that are left unchanged; NULL: none */
  double gamma;              /* the backup's modulus of contraction */
  double tol;                /* required distance to the fixed point */
  double scale;              /* the size of values: changes below 2^-48 of it are ignored */
  const far__agenda *agenda; /* the pairs that need a backup; NULL: all, in every sweep */
  far__stop *stop;           /* may end a plan before it has converged; NULL: never */
} far__plan;

/* If no change exceeds this, q is within tol of the fixed point. */
static inline double far__plan_enough(const far__plan *p) {
  if (p->gamma == 0) return INFINITY;
  return fmax(p->tol * (1 - p->gamma) / p->gamma, 0x1p-48 * p->scale);
}

/* If the backup of a pair differs from its q by no more than this, q is within tol without it. (A change
 * of a sweep has been discounted once already, a difference has not.) */
static inline double far__plan_slight(const far__plan *p) {
  return fmax(p->tol * (1 - p->gamma), 0x1p-48 * p->scale);
}

/* Sweeps after which every error has shrunk below the last bit. */
static inline int64_t far__plan_limit(double gamma) {
  const double sweeps = 100 + 40 / (1 - gamma);
  return sweeps < 0x1p53 ? (int64_t)sweeps : (int64_t)1 << 53;
}

/* Backs up a pair, and returns the change of its value. */
typedef double far__renew(const far__plan *p, far__backup *backup, const void *context,
                          size_t pair);

FAR__INLINE double far__renew_q(const far__plan *p, far__backup *backup, const void *context,
                                size_t i) {
  const double x = backup(context, i, p->v), change = fabs(x - p->q[i]);
  p->q[i] = x;
  return change;
}

/* Sets the value of a state from those of its pairs. */
typedef enum far__motion { FAR__STAYS, FAR__FALLS, FAR__RISES } far__motion;
typedef far__motion far__settle(const far__plan *p, const void *context, size_t s);

FAR__INLINE far__motion far__settle_v(const far__plan *p, const void *context, size_t s) {
  (void)context;
  const double *q = p->q + s * p->n_actions, before = p->v[s];
  double best = q[0];
  for (uint32_t a = 1; a < p->n_actions; ++a) best = far__larger(best, q[a]);
  p->v[s] = best;
  return best == before ? FAR__STAYS : best < before ? FAR__FALLS : FAR__RISES;
}

/* The functions of a planner; constants, so that everything is inlined. */
typedef struct far__rule {
  far__renew *renew;
  far__settle *settle;
  far__backup *backup;
} far__rule;

/* A sweep over all pairs. Returns the largest change of any q; 0 if it was stopped. */
FAR__INLINE double far__sweep_all(const far__plan *p, far__rule rule, const void *context,
                                  far__patience *patience) {
  double most = 0;
  size_t n_moved = 0;
  if (p->agenda != NULL) far__agenda_unmark(p->agenda);
  for (size_t s = 0, i = 0; s < p->n_states; ++s) {
    const size_t end = (s + 1) * p->n_actions;
    if (p->absent != NULL && p->absent[s]) {
      i = end;
      continue;
    }
    for (; i < end; ++i) most = far__larger(most, rule.renew(p, rule.backup, context, i));
    const bool moves = rule.settle(p, context, s) != FAR__STAYS;
    n_moved += moves;
    if (p->agenda != NULL) far__agenda_mark(p->agenda, s, moves);
    if (far__patience_over(patience, p->n_actions)) return 0;
  }
  if (p->agenda != NULL) far__agenda_refill(p->agenda, n_moved);
  return most;
}

/* A sweep over the due pairs. Pairs further on that become due by it are backed up, too; the others are left to the
 * next sweep. Returns the largest change of any q; 0 if it was stopped. */
FAR__INLINE double far__sweep_due(const far__plan *p, far__rule rule, const void *context,
                                  far__patience *patience) {
  const far__agenda *agenda = p->agenda;
  double most = 0;
  size_t done = 0, i = far__agenda_next(agenda, 0);
  while (i != SIZE_MAX) {
    const size_t s = i / p->n_actions, end = (s + 1) * p->n_actions;
    if (p->absent == NULL || !p->absent[s]) {
      for (; i < end; i = far__agenda_next(agenda, i + 1)) {
        most = far__larger(most, rule.renew(p, rule.backup, context, i));
        far__agenda_remove(agenda, i);
        ++done;
      }
      const far__motion motion = rule.settle(p, context, s);
      if (motion != FAR__STAYS) far__agenda_moved(agenda, s, motion == FAR__RISES);
      if (far__patience_over(patience, p->n_actions)) return 0;
    }
    i = far__agenda_next(agenda, end);
  }
  if (done > agenda->n_pairs / 2) agenda->state->all = 1;
  return most;
}

FAR__INLINE double far__sweep(const far__plan *p, far__rule rule, const void *context,
                              far__patience *patience) {
  if (p->agenda == NULL || p->agenda->state->all) return far__sweep_all(p, rule, context, patience);
  return far__sweep_due(p, rule, context, patience);
}

/* Sweeps until converged or stopped. `changed` is the one pair whose backup has changed since q had
 * converged, if that is known (else SIZE_MAX): if its value has hardly moved, no other has. */
FAR__INLINE void far__plan_run(const far__plan *p, far__backup *backup, far__sweep_begin *begin,
                               void *context, size_t changed) {
  const double enough = far__plan_enough(p) / (begin != NULL ? 3 : 1);
  const int64_t limit = far__plan_limit(p->gamma);
  const far__rule rule = {far__renew_q, far__settle_v, backup};
  far__patience patience = far__patience_with(p->stop);
  for (int64_t i = 0; i < limit; ++i) {
    if (begin != NULL) begin(context, p->v);
    if (i == 0 && changed != SIZE_MAX &&
        fabs(backup(context, changed, p->v) - p->q[changed]) <= far__plan_slight(p))
      return;
    if (far__sweep(p, rule, context, &patience) <= enough) return;
  }
}

#endif
