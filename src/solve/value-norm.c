/* The environmental value norm (Maillard, Mann & Mannor 2014, "How hard is my MDP? The distribution-norm to
 * the rescue", section 2): the greatest over pairs of the standard deviation of V at the next state.
 *
 * If |v - V| <= e, the standard deviations differ by at most that of v - V, and so by at most e. The rounding
 * of the mean counts: (n + 1) u max |v| for rows of n outcomes, and the same again because stored
 * probabilities add to 1 only up to rounding.
 */
#include <math.h> /* only for fabs, sqrt and INFINITY */
#include <stdlib.h>

#include "base/error.h"
#include "farsight/solve.h"
#include "solve/pairs.h"
#include "solve/parts.h"

/* The standard deviation of v after a row. Two passes: the mean first, so that large values with little
 * spread keep their digits. An end is worth what v has there if `ends`, else 0. */
static double spread(const far_mdp *mdp, size_t row, const double *v, bool ends) {
  const far_outcome *o = mdp->outcome + mdp->row[row];
  const size_t n = mdp->row[row + 1] - mdp->row[row];
  double mean = 0, variance = 0;
  if (n < 2) return 0;
  for (size_t k = 0; k < n; ++k) mean += o[k].done && !ends ? 0 : o[k].probability * v[o[k].next];
  for (size_t k = 0; k < n; ++k) {
    const double d = (o[k].done && !ends ? 0 : v[o[k].next]) - mean;
    variance += o[k].probability * (d * d);
  }
  return sqrt(variance);
}

/* Updates the norm with the pairs of a state. */
static void widen(far_norm *out, const far_mdp *mdp, uint32_t s, const double *v, bool ends) {
  const uint32_t n = mdp->shape.n_actions;
  for (uint32_t a = 0; a < n; ++a) {
    const double x = spread(mdp, (size_t)s * n + a, v, ends);
    if (x > out->value) *out = (far_norm){x, out->error, s, a};
  }
}

static far_norm norm_of(const far_mdp *mdp, const double *v, bool ends) {
  far_norm out = {0};
  for (uint32_t s = 0; s < mdp->shape.n_states; ++s)
    if (far_shape_is_live(&mdp->shape, s)) widen(&out, mdp, s, v, ends);
  return out;
}

double far__value_norm(const far_mdp *mdp, const double *v) {
  return norm_of(mdp, v, false).value;
}

static double rounding(const far_mdp *mdp, const double *v, size_t count) {
  double most = 0;
  for (size_t i = 0; i < count; ++i) most = fabs(v[i]) > most ? fabs(v[i]) : most;
  return (2 * (double)far__longest_row(mdp) + 16) * 0x1p-53 * most;
}

far_norm far_solution_norm(const far_solution *x, const far_mdp *mdp) {
  far_norm out = norm_of(mdp, x->v, false);
  out.error = x->error + rounding(mdp, x->v, x->n_states);
  return out;
}

far_norm far_average_norm(const far_average *x, const far_mdp *mdp) {
  far_norm out = norm_of(mdp, x->bias, true);
  out.error = INFINITY;
  return out;
}

far_status far_horizon_norm(far_norm *out, const far_horizon *x, const far_mdp *mdp,
                            far_error *error) {
  const size_t n = x->n_states;
  *out = (far_norm){0};
  bool *marks = malloc(2 * n * sizeof *marks);
  if (marks == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the value norm");
  bool *at = marks, *then = marks + n;
  far__mark_starts(mdp, at);
  for (int64_t t = 0; t < x->horizon; ++t) {
    for (uint32_t s = 0; s < n; ++s)
      if (at[s]) widen(out, mdp, s, x->v + (size_t)(t + 1) * n, false);
    far__step_marks(mdp, at, then);
    bool *swap = at;
    at = then, then = swap;
  }
  free(marks);
  out->error = x->error + rounding(mdp, x->v, ((size_t)x->horizon + 1) * n);
  return FAR_OK;
}
