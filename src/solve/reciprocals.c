/* The sum of the reciprocals of the gaps (Simchowitz & Jamieson 2019, "Non-asymptotic gap-dependent regret
 * bounds for tabular MDPs", whose bounds sum 1 / gap over the pairs of positive gap), and the form of
 * Conserva & Rauber 2022 ("Hardness in Markov decision processes: theory and practice"), whose program adds
 * 0.1 to the gaps of all pairs.
 *
 * A computed gap is the difference of two values, each wrong by at most e, so the exact one lies within 2e:
 * a gap above 2e is certainly positive, and 1 / (gap + 2e) <= 1 / exact <= 1 / (gap - 2e).
 */
#include <math.h> /* only for INFINITY */
#include <stdlib.h>

#include "base/error.h"
#include "farsight/solve.h"
#include "solve/pairs.h"

static const far_reciprocals NOTHING = {.least = INFINITY};

/* Adds one pair; `blur` is 2e. */
static void add(far_reciprocals *out, double gap, double blur) {
  out->regular += 1 / (gap + FAR_RECIPROCALS_REGULAR);
  if (!(gap > blur)) {
    out->n_zero += 1;
    return;
  }
  out->n_positive += 1;
  out->sum += 1 / gap;
  out->low += 1 / (gap + blur);
  out->high += 1 / (gap - blur);
  out->least = gap < out->least ? gap : out->least;
}

/* Adds the pairs of a state, from their q. */
static void add_state(far_reciprocals *out, const double *q, uint32_t n, double blur) {
  double best = q[0];
  for (uint32_t a = 1; a < n; ++a) best = q[a] > best ? q[a] : best;
  for (uint32_t a = 0; a < n; ++a) add(out, best - q[a], blur);
}

/* Widens the bounds by the rounding of the sums: at most n u of them. */
static far_reciprocals finish(far_reciprocals x) {
  const double unit = (double)(x.n_positive + 4) * 0x1p-52;
  x.low *= 1 - unit;
  x.high *= 1 + unit;
  return x;
}

far_reciprocals far_solution_reciprocals(const far_solution *x, const far_mdp *mdp) {
  far_reciprocals out = NOTHING;
  for (uint32_t s = 0; s < x->n_states; ++s)
    if (far_shape_is_live(&mdp->shape, s))
      add_state(&out, x->q + (size_t)s * x->n_actions, x->n_actions, 2 * x->error);
  return finish(out);
}

far_reciprocals far_average_reciprocals(const far_average *x, const far_mdp *mdp) {
  const uint32_t n = mdp->shape.n_actions;
  far_reciprocals out = NOTHING;
  for (uint32_t s = 0; s < x->n_states; ++s) {
    if (!far_shape_is_live(&mdp->shape, s)) continue;
    double best = -INFINITY; /* in two passes, so that no memory is needed */
    for (int pass = 0; pass < 2; ++pass)
      for (uint32_t a = 0; a < n; ++a) {
        const double q = far__pair_value(mdp, (size_t)s * n + a, 1, x->bias);
        if (pass == 0)
          best = q > best ? q : best;
        else
          add(&out, best - q, 2 * x->error);
      }
  }
  out.low = 0;
  out.high = INFINITY;
  return out;
}

typedef struct steps {
  const far_horizon *x;
  const far_mdp *mdp;
  bool *at, *then;
  double *q;
} steps;

static void add_steps(far_reciprocals *out, steps *w) {
  const far_horizon *x = w->x;
  far__mark_starts(w->mdp, w->at);
  for (int64_t t = 0; t < x->horizon; ++t) {
    for (uint32_t s = 0; s < x->n_states; ++s) {
      if (!w->at[s]) continue;
      for (uint32_t a = 0; a < x->n_actions; ++a)
        w->q[a] = far__pair_value(w->mdp, (size_t)s * x->n_actions + a, x->gamma,
                                  x->v + (size_t)(t + 1) * x->n_states);
      add_state(out, w->q, x->n_actions, 2 * x->error);
    }
    far__step_marks(w->mdp, w->at, w->then);
    bool *swap = w->at;
    w->at = w->then, w->then = swap;
  }
}

far_status far_horizon_reciprocals(far_reciprocals *out, const far_horizon *x, const far_mdp *mdp,
                                   far_error *error) {
  const size_t n = x->n_states;
  *out = NOTHING;
  bool *marks = malloc(2 * n * sizeof *marks);
  double *q = malloc(x->n_actions * sizeof *q);
  far_status status = FAR_OK;
  if (marks != NULL && q != NULL) {
    steps w = {x, mdp, marks, marks + n, q};
    add_steps(out, &w);
    *out = finish(*out);
  } else {
    status = far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the gaps");
  }
  free(marks);
  free(q);
  return status;
}

/* ---- the policy of all best actions ---- */

void far_solution_ties(double *probability, const far_solution *x) {
  const uint32_t n = x->n_actions;
  for (uint32_t s = 0; s < x->n_states; ++s) {
    const double *q = x->q + (size_t)s * n;
    double best = q[0];
    uint32_t count = 0;
    for (uint32_t a = 1; a < n; ++a) best = q[a] > best ? q[a] : best;
    for (uint32_t a = 0; a < n; ++a) count += best - q[a] <= 2 * x->error;
    for (uint32_t a = 0; a < n; ++a)
      probability[(size_t)s * n + a] = best - q[a] <= 2 * x->error ? 1.0 / count : 0;
  }
}
