/* The diameter: for each target the least expected number of steps from everywhere.
 *
 * Bounds. Let T be the backup with a cost of 1 a step and v(target) = 0, for any v >= 0, and let
 * v - below <= Tv <= v + above, above < 1. Then u = v / (1 - above) satisfies
 * Tu = (Tv - above) / (1 - above) <= u, and since costs are positive every such u is at least the
 * exact value; likewise v / (1 + below) is at most it. So a sweep certifies a relative error.
 *
 * The number of sweeps grows with the longest way. Where that is too long, policies are evaluated by elimination
 * (band.h) if the model is narrow enough for it.
 */
#include <math.h> /* only for fabs and INFINITY */
#include <stdlib.h>

#include "base/error.h"
#include "base/text.h"
#include "solve/band.h"
#include "solve/structure.h"

/* The problem as a model for band.h: a step costs 1, and the target is terminal. */
typedef struct ways {
  bool tried, wide; /* was it made; is it too wide for elimination? */
  far_mdp model;
  far__band band;
  uint32_t *policy; /* of the last target */
  double *v;        /* negative: minus the expected steps */
} ways;

typedef struct walk {
  const far_mdp *mdp;
  double *v;
  uint32_t target;
  bool live_only;
  ways ways;
} walk;

/* Are steps from and to state s counted? */
static bool counts(const walk *x, uint32_t s) {
  return !x->live_only || far_shape_is_live(&x->mdp->shape, s);
}

/* Does s have a value? Terminal states always do: the way continues behind them. */
static bool has_value(const walk *x, uint32_t s) {
  return counts(x, s) || x->mdp->terminal[s];
}

typedef struct rows {
  size_t first, end;
} rows;

/* The rows that can follow s: its actions or, after an end, the start. */
static rows rows_of(const far_mdp *mdp, uint32_t s) {
  const size_t n = mdp->shape.n_actions;
  if (mdp->terminal[s]) return (rows){mdp->n_rows - 1, mdp->n_rows};
  return (rows){s * n, (s + 1) * n};
}

/* The least expected number of steps from s with values v. A terminal state takes no step of its own. */
static double backup(const walk *x, uint32_t s) {
  const far_mdp *mdp = x->mdp;
  const rows r = rows_of(mdp, s);
  double best = INFINITY;
  for (size_t row = r.first; row < r.end; ++row) {
    double sum = 0;
    for (size_t k = mdp->row[row]; k < mdp->row[row + 1]; ++k)
      sum += mdp->outcome[k].probability * x->v[mdp->outcome[k].next];
    best = sum < best ? sum : best;
  }
  return mdp->terminal[s] ? best : 1 + best;
}

/* Sweeps in place, forwards or backwards; returns the greatest relative change. */
static double sweep(walk *x, bool forwards) {
  const uint32_t n = x->mdp->shape.n_states;
  double most = 0;
  for (uint32_t i = 0; i < n; ++i) {
    const uint32_t s = forwards ? i : n - 1 - i;
    if (s == x->target || !has_value(x, s)) continue;
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
  for (uint32_t s = 0; s < x->mdp->shape.n_states;
       ++s) { /* terminal states first: they take no step */
    if (x->mdp->terminal[s] && s != x->target) x->v[s] = backup(x, s);
  }
  for (uint32_t s = 0; s < x->mdp->shape.n_states; ++s) {
    if (s == x->target || x->mdp->terminal[s] || !counts(x, s)) continue;
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

static far_status report(const walk *x, const far_solve_def *def, int64_t done, far_error *error) {
  if (def->progress == NULL || def->progress(def->user, done, 0)) return FAR_OK;
  return far__fail(error, FAR_STATUS_CANCELLED, -1, "stopped on request at state %lu",
                   (unsigned long)x->target);
}

/* ---- by elimination ---- */

static bool allocate_ways(ways *x, const far_mdp *mdp, size_t outcomes) {
  const size_t n = mdp->shape.n_states, n_rows = n * mdp->shape.n_actions + 1;
  x->model = (far_mdp){.shape = mdp->shape, .n_rows = n_rows};
  x->model.row = calloc(n_rows + 1, sizeof *x->model.row);
  x->model.outcome = malloc((outcomes + 1) * sizeof *x->model.outcome);
  x->model.terminal = calloc(n, sizeof *x->model.terminal);
  x->policy = calloc(n, sizeof *x->policy);
  x->v = calloc(n, sizeof *x->v);
  return x->model.row != NULL && x->model.outcome != NULL && x->model.terminal != NULL &&
         x->policy != NULL && x->v != NULL;
}

/* The row of action a. A terminal state has that of the start for every action. */
static rows rows_for(const far_mdp *mdp, uint32_t s, uint32_t a) {
  const rows r = rows_of(mdp, s);
  return mdp->terminal[s] ? r : (rows){r.first + a, r.first + a + 1};
}

static void fill_ways(const walk *x, far_mdp *model) {
  const far_mdp *mdp = x->mdp;
  size_t at = 0, row = 0;
  for (uint32_t s = 0; s < mdp->shape.n_states; ++s) {
    model->terminal[s] = !has_value(x, s);
    for (uint32_t a = 0; a < mdp->shape.n_actions; ++a) {
      const rows r = rows_for(mdp, s, a);
      model->row[row++] = at;
      for (size_t k = mdp->row[r.first]; has_value(x, s) && k < mdp->row[r.end]; ++k) {
        model->outcome[at] = mdp->outcome[k];
        model->outcome[at++].reward = mdp->terminal[s] ? 0 : -1;
      }
    }
  }
  for (; row <= model->n_rows; ++row) model->row[row] = at;
}

static size_t count_ways(const far_mdp *mdp) {
  size_t n = 0;
  for (uint32_t s = 0; s < mdp->shape.n_states; ++s)
    for (uint32_t a = 0; a < mdp->shape.n_actions; ++a) {
      const rows r = rows_for(mdp, s, a);
      n += mdp->row[r.end] - mdp->row[r.first];
    }
  return n;
}

static far_status create_ways(walk *x, far_error *error) {
  enum { MOST = 1 << 28 }; /* multiplications for a policy: about a tenth of a second */
  if (x->ways.tried) return FAR_OK;
  x->ways.tried = true;
  if (!allocate_ways(&x->ways, x->mdp, count_ways(x->mdp)))
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the diameter");
  fill_ways(x, &x->ways.model);
  const far_status status = far__band_create(&x->ways.band, &x->ways.model, error);
  x->ways.wide = status == FAR_OK && far__band_cost(&x->ways.band) > MOST;
  return status;
}

/* Does action a of state s lead to a marked state in one step? */
static bool leads(const far_mdp *model, uint32_t s, uint32_t a, const bool *marked) {
  const size_t row = (size_t)s * model->shape.n_actions + a;
  for (size_t k = model->row[row]; k < model->row[row + 1]; ++k)
    if (marked[model->outcome[k].next]) return true;
  return false;
}

/* Chooses an action that leads nearer to the target: that for the last target if it does, else the first that does. */
static bool choose_way(ways *x, uint32_t s, const bool *near) {
  if (leads(&x->model, s, x->policy[s], near)) return true;
  for (uint32_t a = 0; a < x->model.shape.n_actions; ++a)
    if (leads(&x->model, s, a, near)) {
      x->policy[s] = a;
      return true;
    }
  return false;
}

/* Finds a policy that reaches the target from everywhere: every state's action can lead to a state found before. */
static far_status find_ways(walk *x, far_error *error) {
  const uint32_t n = x->mdp->shape.n_states;
  bool *near = calloc(n, sizeof *near);
  if (near == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the diameter");
  near[x->target] = true;
  bool more = true;
  for (bool back = false; more; back = !back) {
    more = false;
    for (uint32_t i = 0; i < n; ++i) {
      const uint32_t s = back ? n - 1 - i : i;
      if (near[s] || !has_value(x, s) || !choose_way(&x->ways, s, near)) continue;
      near[s] = more = true;
    }
  }
  free(near);
  return FAR_OK;
}

typedef struct ticker {
  const walk *walk;
  const far_solve_def *def;
} ticker;

static far_status tick(void *user, far_error *error) {
  const ticker *x = user;
  return report(x->walk, x->def, x->walk->target, error);
}

static far_status eliminate(walk *x, const far_solve_def *def, far_error *error) {
  ticker user = {x, def};
  far_status status = create_ways(x, error);
  if (status == FAR_OK && !x->ways.wide) status = find_ways(x, error);
  if (status != FAR_OK || x->ways.wide) return status;
  x->ways.model.terminal[x->target] = true;
  status = far__band_iterate(&x->ways.band, 1, x->ways.policy, x->ways.v, 0.1 * def->tolerance,
                             tick, &user, error);
  x->ways.model.terminal[x->target] = false;
  for (uint32_t s = 0; s < x->mdp->shape.n_states; ++s)
    x->v[s] = x->ways.v[s] < 0 ? -x->ways.v[s] : 0;
  return status;
}

/* ---- by sweeps ---- */

enum { BETWEEN_REPORTS = 4096 }; /* backups of states, at least a sweep */

/* Solves for one target, starting from the values 0. The values grow towards the exact ones: they are a lower bound
 * whenever the sweeps end; *done is false if their limit ends them. */
static far_status solve(walk *x, const far_solve_def *def, double unit, bounds *out, bool *done,
                        far_error *error) {
  const double tolerance = def->tolerance;
  double enough = 0.1 * tolerance;
  const int64_t between = BETWEEN_REPORTS / (int64_t)x->mdp->shape.n_states;
  /* sweeps before elimination; fewer once it was needed. A limit of sweeps is a limit of work */
  const int64_t tried = def->max_sweeps > 0              ? INT64_MAX
                        : x->ways.tried && !x->ways.wide ? 100
                                                         : 2000;
  for (int64_t i = 0;; ++i) {
    far_status status = i == tried ? eliminate(x, def, error) : FAR_OK;
    if (status != FAR_OK) return status;
    const double change = sweep(x, i % 2 == 0);
    if ((i + 1) % (between > 0 ? between : 1) == 0) status = report(x, def, x->target, error);
    if (status != FAR_OK) return status;
    const bool last = def->max_sweeps > 0 && i + 1 >= def->max_sweeps;
    if (change > enough && !last) continue;
    *out = certify(x, unit);
    *done = out->above + out->below <= tolerance && out->above < 0.5;
    if (*done || last) return FAR_OK;
    if (4 * unit * (1 + out->most) > tolerance)
      return far__fail(
          error, FAR_STATUS_RANGE, -1,
          "the diameter: tolerance %s is below what doubles can certify in this model; "
          "at least %s is needed",
          far__shortest(tolerance).text, far__above(5 * unit * (1 + out->most)).text);
    enough *= 0.1;
  }
}

/* Do all states that count lead to one another? If not, `out` names two of which the first does not
 * lead to the second: one in a class that no step leaves (not `open`), and one outside it. */
static far_status is_finite(bool *finite, far_diameter *out, const walk *x,
                            const far_structure *structure, far_error *error) {
  const far_mdp *mdp = x->mdp;
  const uint32_t n = mdp->shape.n_states, *class_of = structure->class_of;
  bool *open = calloc(structure->n_classes, sizeof *open);
  if (open == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the diameter");
  for (uint32_t s = 0; s < n; ++s) {
    const rows r = rows_of(mdp, s);
    for (size_t k = mdp->row[r.first]; k < mdp->row[r.end]; ++k)
      if (class_of[mdp->outcome[k].next] != class_of[s]) open[class_of[s]] = true;
  }
  uint32_t from = 0, to = 0; /* some class of live states is closed, since runs never end */
  while (!counts(x, from) || open[class_of[from]]) ++from;
  while (to < n && (!counts(x, to) || class_of[to] == class_of[from])) ++to;
  free(open);
  *finite = to == n;
  if (!*finite) *out = (far_diameter){.value = INFINITY, .from = from, .to = to, .converged = true};
  return FAR_OK;
}

static far_status all_targets(far_diameter *out, walk *x, const far_solve_def *def,
                              far_error *error) {
  size_t longest = 0;
  for (size_t r = 0; r < x->mdp->n_rows; ++r)
    if (x->mdp->row[r + 1] - x->mdp->row[r] > longest)
      longest = x->mdp->row[r + 1] - x->mdp->row[r];
  const double unit = (2 * (double)longest + 16) * 0x1p-53;
  double lower = 0, upper = 0;
  out->converged = true;
  for (x->target = 0; x->target < x->mdp->shape.n_states; ++x->target) {
    bounds b;
    bool done;
    if (!counts(x, x->target)) continue;
    for (uint32_t s = 0; s < x->mdp->shape.n_states; ++s) x->v[s] = 0;
    far_status status = solve(x, def, unit, &b, &done, error);
    if (status != FAR_OK) return status;
    out->converged = out->converged && done;
    if (b.most / (1 + b.below) > lower) {
      lower = b.most / (1 + b.below);
      out->from = b.from;
      out->to = x->target;
    }
    upper = b.most / (1 - b.above) > upper ? b.most / (1 - b.above) : upper;
    status = report(x, def, (int64_t)x->target + 1, error);
    if (status != FAR_OK) return status;
  }
  out->value = out->converged ? 0.5 * (lower + upper) : lower;
  out->error = out->converged ? 0.5 * (upper - lower) : INFINITY;
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
  walk x = {.mdp = solver->mdp, .live_only = def->live_only};
  bool finite = false;
  status = is_finite(&finite, out, &x, &structure, error);
  far_structure_free(&structure);
  if (status != FAR_OK || !finite) return status;
  x.v = malloc(solver->mdp->shape.n_states * sizeof(double));
  status = x.v != NULL ? all_targets(out, &x, def, error)
                       : far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the diameter");
  far__band_free(&x.ways.band);
  free(x.ways.model.row);
  free(x.ways.model.outcome);
  free(x.ways.model.terminal);
  free(x.ways.policy);
  free(x.ways.v);
  free(x.v);
  return status;
}
