/* The diameter: for each target the least expected number of steps from everywhere.
 *
 * Bounds. Let T be the backup with a cost of 1 a step and v(target) = 0, for any v >= 0, and let
 * v - below <= Tv <= v + above, above < 1. Then u = v / (1 - above) satisfies
 * Tu = (Tv - above) / (1 - above) <= u, and since costs are positive every such u is at least the
 * exact value; likewise v / (1 + below) is at most it. So a sweep certifies a relative error.
 */
#include <math.h> /* only for fabs and INFINITY */
#include <stdlib.h>

#include "base/error.h"
#include "base/text.h"
#include "solve/structure.h"

typedef struct walk {
  const far_mdp *mdp;
  double *v;
  uint32_t target;
} walk;

/* The least expected number of steps from s with values v. An end takes no step of its own. */
static double backup(const walk *x, uint32_t s) {
  const far_mdp *mdp = x->mdp;
  const size_t n = mdp->shape.n_actions;
  const size_t first = mdp->terminal[s] ? mdp->n_rows - 1 : s * n;
  const size_t end = mdp->terminal[s] ? mdp->n_rows : (s + 1) * n;
  double best = INFINITY;
  for (size_t row = first; row < end; ++row) {
    double sum = 0;
    for (size_t k = mdp->row[row]; k < mdp->row[row + 1]; ++k)
      sum += mdp->outcome[k].probability * x->v[mdp->outcome[k].next];
    best = sum < best ? sum : best;
  }
  return mdp->terminal[s] ? best : 1 + best;
}

/* In place, forwards or backwards; the greatest relative change. */
static double sweep(walk *x, bool forwards) {
  const uint32_t n = x->mdp->shape.n_states;
  double most = 0;
  for (uint32_t i = 0; i < n; ++i) {
    const uint32_t s = forwards ? i : n - 1 - i;
    if (s == x->target) continue;
    const double value = backup(x, s), change = fabs(value - x->v[s]) / (1 + value);
    most = change > most ? change : most;
    x->v[s] = value;
  }
  return most;
}

typedef struct bounds {
  double below, above, most;
  uint32_t from; /* the state of the greatest value */
} bounds;

static bounds certify(const walk *x, double unit) {
  bounds out = {0, 0, 0, x->target == 0 && x->mdp->shape.n_states > 1};
  for (uint32_t s = 0; s < x->mdp->shape.n_states; ++s) { /* ends first: they take no step */
    if (x->mdp->terminal[s] && s != x->target) x->v[s] = backup(x, s);
  }
  for (uint32_t s = 0; s < x->mdp->shape.n_states; ++s) {
    if (s == x->target || x->mdp->terminal[s]) continue;
    const double change = backup(x, s) - x->v[s];
    out.above = change > out.above ? change : out.above;
    out.below = -change > out.below ? -change : out.below;
    if (x->v[s] > out.most) {
      out.most = x->v[s];
      out.from = s;
    }
  }
  out.above += unit * (1 + out.most);
  out.below += unit * (1 + out.most);
  return out;
}

/* Solves for one target, from the values of any other. */
static far_status solve(walk *x, double tolerance, double unit, bounds *out, far_error *error) {
  double enough = 0.1 * tolerance;
  for (int64_t i = 0;; ++i) {
    const double change = sweep(x, i % 2 == 0);
    if (change > enough) continue;
    *out = certify(x, unit);
    if (out->above + out->below <= tolerance && out->above < 0.5) return FAR_OK;
    if (4 * unit * (1 + out->most) > tolerance)
      return far__fail(error, FAR_STATUS_RANGE, -1,
                       "tolerance %s is below what doubles can certify in this model; at least %s "
                       "is needed",
                       far__shortest(tolerance).text, far__above(5 * unit * (1 + out->most)).text);
    enough *= 0.1;
  }
}

/* A closed class reaches nothing outside it. */
static far_diameter infinite(const far_structure *x) {
  far_diameter out = {.value = INFINITY, .from = x->closed};
  while (x->class_of[out.to] == x->class_of[out.from]) ++out.to;
  return out;
}

static far_status all_targets(far_diameter *out, walk *x, const far_solve_def *def,
                              far_error *error) {
  size_t longest = 0;
  for (size_t r = 0; r < x->mdp->n_rows; ++r)
    if (x->mdp->row[r + 1] - x->mdp->row[r] > longest)
      longest = x->mdp->row[r + 1] - x->mdp->row[r];
  const double unit = (2 * (double)longest + 16) * 0x1p-53;
  double lower = 0, upper = 0;
  for (x->target = 0; x->target < x->mdp->shape.n_states; ++x->target) {
    bounds b;
    for (uint32_t s = 0; s < x->mdp->shape.n_states; ++s) x->v[s] = 0;
    const far_status status = solve(x, def->tolerance, unit, &b, error);
    if (status != FAR_OK) return status;
    if (b.most / (1 + b.below) > lower) {
      lower = b.most / (1 + b.below);
      out->from = b.from;
      out->to = x->target;
    }
    upper = b.most / (1 - b.above) > upper ? b.most / (1 - b.above) : upper;
    if (def->progress != NULL && !def->progress(def->user, (int64_t)x->target + 1, 0))
      return far__fail(error, FAR_STATUS_CANCELLED, -1, "stopped on request at state %lu",
                       (unsigned long)x->target);
  }
  out->value = 0.5 * (lower + upper);
  out->error = 0.5 * (upper - lower);
  return FAR_OK;
}

far_status far_solver_diameter(far_diameter *out, const far_solver *solver,
                               const far_solve_def *def, far_error *error) {
  *out = (far_diameter){0};
  if (!(def->tolerance > 0 && def->tolerance < 1))
    return far__fail(error, FAR_STATUS_RANGE, -1, "tolerance %s must be in (0, 1)",
                     far__shortest(def->tolerance).text);
  far_structure structure;
  far_status status = far__structure(&structure, solver->mdp, error);
  if (status != FAR_OK) return status;
  const bool finite = structure.n_classes == 1;
  if (!finite) *out = infinite(&structure);
  far_structure_free(&structure);
  if (!finite) return FAR_OK;
  walk x = {.mdp = solver->mdp, .v = malloc(solver->mdp->shape.n_states * sizeof(double))};
  status = x.v != NULL ? all_targets(out, &x, def, error)
                       : far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the diameter");
  free(x.v);
  return status;
}
