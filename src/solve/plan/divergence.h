/* The optimistic distribution within a ball of the Kullback-Leibler divergence about an estimate: the
 * inner maximisation of KL-UCRL (Filippi, Cappe & Garivier 2010, section 4), by bisection. */
#ifndef FAR_SOLVE_PLAN_DIVERGENCE_H
#define FAR_SOLVE_PLAN_DIVERGENCE_H

#include <math.h>

#include "farsight/base.h"
#include "solve/plan/row.h"

/* f(z) = sum p ln(z + h) + ln sum p/(z + h) over the arcs, p = weight/total, h = (top - v)/d: the divergence
 * from p of the distribution proportional to p/(z + h). */
static inline double far__kl_at(const far__row *row, const double *v, double top, double d,
                                double z) {
  double log = 0, sum = 0;
  for (size_t k = 0; k < row->count; ++k) {
    const double x = z + (top - v[row->arc[k].next]) / d, p = row->arc[k].weight / row->total;
    log += p * far_log(x);
    sum += p / x;
  }
  return log + far_log(sum);
}

/* The mean of v under the distribution proportional to p/(z + h). */
static inline double far__kl_mean(const far__row *row, const double *v, double top, double d,
                                  double z) {
  double below = 0, sum = 0;
  for (size_t k = 0; k < row->count; ++k) {
    const double h = (top - v[row->arc[k].next]) / d, p = row->arc[k].weight / row->total;
    below += p * h / (z + h);
    sum += p / (z + h);
  }
  return top - d * (below / sum);
}

/* The maximum of q.v over distributions q with KL(weight/total, q) <= c, where v[best] is the greatest value
 * of all states that q may reach; best need not be among the arcs. The optimal q is proportional to p/(nu - v) on
 * the arcs, nu = top + d z; if some divergence is left at nu = top, the rest goes to `best`. */
static inline double far__kl_best(const far__row *row, double c, const double *v, uint64_t best) {
  enum { STEPS = 50 };
  const double top = v[best];
  double d = 0, nearest = INFINITY;
  for (size_t k = 0; k < row->count; ++k) {
    d = fmax(d, top - v[row->arc[k].next]);
    nearest = fmin(nearest, top - v[row->arc[k].next]);
  }
  if (d == 0) return top;
  if (c == 0) return far__row_dot(row, v) / row->total;
  if (nearest > 0 && far__kl_at(row, v, top, d, 0) <= c) {
    double log = 0;
    for (size_t k = 0; k < row->count; ++k)
      log += row->arc[k].weight / row->total * far_log((top - v[row->arc[k].next]) / d);
    return top - d * far_exp(log - c);
  }
  double low = 0, high = 1;
  for (int i = 0; i < STEPS; ++i) {
    const double y = 0.5 * (low + high);
    if (far__kl_at(row, v, top, d, y / (1 - y)) > c)
      low = y;
    else
      high = y;
  }
  if (high == 1) return far__row_dot(row, v) / row->total;
  return far__kl_mean(row, v, top, d, high / (1 - high));
}

#endif
