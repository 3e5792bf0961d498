/* Average reward by relative value iteration (White 1963) on the lazy chain, which stays where it is
 * with probability 1 - STEP and so has no period (Schweitzer 1971). For any h the best gain lies
 * between the least and the greatest of Th - h (Odoni 1969), where it is the same from all states. Small models
 * that mix too slowly for it, and those in which a policy can stay in several parts, are solved directly. */
#include <math.h> /* only for fabs and INFINITY */
#include <stdlib.h>

#include "base/error.h"
#include "base/text.h"
#include "solve/direct.h"
#include "solve/evaluate.h"
#include "solve/reachable.h"
#include "solve/structure.h"

#define STEP 0.75

/* Sweeps after which a small model is solved by elimination, which takes less time than that. */
enum { PATIENCE = 100000 };

static bool is_small(const far_mdp *mdp) {
  return mdp->shape.n_states < FAR__DENSE_BELOW;
}

static far_status find_kind(const far_solver *solver, bool *one, far_error *error) {
  far_structure structure;
  const far_status status = far__structure(&structure, solver->mdp, error);
  if (status != FAR_OK) return status;
  *one = structure.kind != FAR_CHAIN_MULTICHAIN;
  const unsigned long parts = structure.n_recurrent;
  far_structure_free(&structure);
  if (*one || is_small(solver->mdp)) return FAR_OK;
  return far__fail(
      error, FAR_STATUS_CONFLICT, -1,
      "the model is multichain: there are %lu sets of states in which a policy can "
      "stay for ever, and the best average reward may depend on where one is, which is found out "
      "below %d states only; solve with a discount instead",
      parts, FAR__DENSE_BELOW);
}

/* Moves h towards w = Th, and h(origin) to 0; returns the greatest |h|. */
static double step(const far__sliced *rows, uint32_t origin, double *h, const double *w) {
  const double zero = h[origin] + STEP * (w[origin] - h[origin]);
  double most = 0;
  for (size_t i = 0; i < rows->n_wide * FAR__LANES + rows->n_single; ++i) {
    const uint32_t s = rows->state[i];
    h[s] = h[s] + STEP * (w[s] - h[s]) - zero;
    most = fabs(h[s]) > most ? fabs(h[s]) : most;
  }
  return most;
}

/* Rounding as in iteration.h, with the greatest |bias| met so far as the greatest value. Too small a tolerance is
 * refused only when the possible one is known, since the bias grows with the sweeps. */
static far_status iterate(far_average *out, const far_solver *solver, const far_solve_def *def,
                          far__team *team, double *w, far_error *error) {
  const far__sliced *rows = &solver->rows;
  const double unit = (2 * (double)rows->longest + 16) * 0x1p-53;
  double *h = out->bias, most = 0, most_rounding = 0;
  bool too_small = false;
  const uint32_t origin = rows->state[0];
  const int64_t limit = is_small(solver->mdp) ? PATIENCE : INT64_MAX;
  const int64_t most_sweeps =
      def->max_sweeps > 0 && def->max_sweeps < limit ? def->max_sweeps : limit;
  while (!out->converged && out->sweeps < most_sweeps) {
    far__restart(solver->mdp, rows->terminal, rows->n_terminal, h);
    const far__extent change = far__sweep_greedy(rows, team, 1, h, w, out->policy);
    const double half = 0.5 * (change.high - change.low);
    const double rounding = unit * (rows->most_reward + most);
    most_rounding = rounding > most_rounding ? rounding : most_rounding;
    too_small |= 3 * rounding > def->tolerance;
    out->sweeps += 1;
    out->gain = 0.5 * (change.low + change.high);
    out->error = half + rounding;
    out->converged = !too_small && out->error <= def->tolerance;
    if (too_small && half <= rounding) {
      const double after = 4 * rounding, before = 3 * most_rounding;
      return far__fail(error, FAR_STATUS_RANGE, -1,
                       "tolerance %s is below what doubles can certify in this model; %s or more "
                       "is possible",
                       far__shortest(def->tolerance).text,
                       far__above(after > before ? after : before).text);
    }
    if (def->progress != NULL && !def->progress(def->user, out->sweeps, out->error))
      return far__fail(error, FAR_STATUS_CANCELLED, -1, "stopped on request after %lld sweeps",
                       (long long)out->sweeps);
    if (!out->converged) most = step(rows, origin, h, w);
  }
  return FAR_OK;
}

static far_status no_memory(uint32_t n_states, far_error *error) {
  return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the bias of %lu states",
                   (unsigned long)n_states);
}

static far_status sweep(far_average *out, const far_solver *solver, const far_solve_def *def,
                        far_error *error) {
  double *w = calloc(out->n_states, sizeof *w);
  far__team *team = NULL;
  far_status status = FAR_OK;
  if (far__sweep_team(&team, &solver->rows, def->threads) && w != NULL)
    status = iterate(out, solver, def, team, w, error);
  else
    status = no_memory(out->n_states, error);
  far__team_free(team);
  free(w);
  return status;
}

/* Solves by sweeps if there is one recurrent part (`one`), and directly what sweeps do not solve. */
static far_status solve_as(far_average *out, const far_solver *solver, const far__scope *scope,
                           bool one, const far_solve_def *def, far_error *error) {
  const uint32_t n = solver->mdp->shape.n_states;
  *out = (far_average){.n_states = n,
                       .error = INFINITY,
                       .bias = calloc(n, sizeof *out->bias),
                       .policy = calloc(n, sizeof *out->policy)};
  far_status status = FAR_OK;
  if (out->bias == NULL || out->policy == NULL) status = no_memory(n, error);
  if (status == FAR_OK && one) status = sweep(out, solver, def, error);
  const bool over = one && def->max_sweeps > 0 && out->sweeps >= def->max_sweeps;
  if (status == FAR_OK && !out->converged && !over)
    status = far__average_direct(out, scope, def, error);
  if (status != FAR_OK) {
    far_average_free(out);
    return status;
  }
  uint32_t origin = 0; /* the bias is relative to the first state that is not terminal */
  while (solver->mdp->terminal[origin]) ++origin; /* a start is never terminal, so there is one */
  const double zero = out->bias[origin];
  for (uint32_t s = 0; s < n; ++s) out->bias[s] -= zero;
  far__restart(solver->mdp, solver->rows.terminal, solver->rows.n_terminal, out->bias);
  out->span = far__span(out->bias, n);
  return FAR_OK;
}

/* Expands the results for the part to the whole model, in place; states that no run reaches have no bias. */
static far_status spread(far_average *out, const far__part *part, uint32_t n_states,
                         far_error *error) {
  double *bias = realloc(out->bias, n_states * sizeof *bias);
  if (bias != NULL) out->bias = bias;
  uint32_t *policy = realloc(out->policy, n_states * sizeof *policy);
  if (policy != NULL) out->policy = policy;
  if (bias == NULL || policy == NULL) return no_memory(n_states, error);
  uint32_t i = part->n_states;
  for (uint32_t s = n_states;
       s-- > 0;) { /* downwards: i <= s, so that nothing is overwritten too early */
    const bool reached = i > 0 && part->old[i - 1] == s;
    if (reached) --i;
    bias[s] = reached ? bias[i] : NAN;
    policy[s] = reached ? policy[i] : 0;
  }
  out->n_states = n_states;
  return FAR_OK;
}

/* Solves the part of the model that runs reach: other states cannot matter. */
static far_status solve_reachable(far_average *out, const far_solver *solver,
                                  const far_solve_def *def, far_error *error) {
  const far_mdp *whole = solver->mdp;
  far__part part;
  far_solver *inner = NULL;
  bool one;
  far_status status = far__part_create(&part, whole, error);
  if (status != FAR_OK) return status;
  const far__scope scope = {part.mdp, whole, part.old};
  status = far_solver_create(&inner, part.mdp, error);
  if (status == FAR_OK) status = find_kind(inner, &one, error);
  if (status == FAR_OK) status = solve_as(out, inner, &scope, one, def, error);
  if (status == FAR_OK) {
    status = spread(out, &part, whole->shape.n_states, error);
    if (status != FAR_OK) far_average_free(out);
  }
  far_solver_free(inner);
  far__part_free(&part);
  return status;
}

far_status far_solver_average(far_average *out, const far_solver *solver, const far_solve_def *def,
                              far_error *error) {
  const far__scope scope = {solver->mdp, solver->mdp, NULL};
  uint32_t unreached = 0, first = 0;
  bool one = false;
  *out = (far_average){0};
  if (!(def->tolerance > 0 && def->tolerance < INFINITY))
    return far__fail(error, FAR_STATUS_RANGE, -1, "tolerance %s must be above 0",
                     far__shortest(def->tolerance).text);
  const far_status status = find_kind(solver, &one, error);
  if (status != FAR_OK && status != FAR_STATUS_CONFLICT) return status;
  if (!one) {
    const far_status known = far_mdp_unreachable(solver->mdp, &unreached, &first, error);
    if (known != FAR_OK) return known;
  }
  if (unreached > 0) return solve_reachable(out, solver, def, error);
  return status == FAR_OK ? solve_as(out, solver, &scope, one, def, error) : status;
}

void far_average_free(far_average *average) {
  free(average->bias);
  free(average->policy);
  *average = (far_average){0};
}
