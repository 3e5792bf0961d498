#include "solve/iteration.h"

#include <math.h> /* only for ceil and INFINITY */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/pages.h"
#include "base/text.h"
#include "farsight/base.h"

static far_status check_def(const far_solve_def *def, double rounding, far_error *error) {
  if (!(def->gamma >= 0 && def->gamma < 1))
    return far__fail(error, FAR_STATUS_RANGE, -1, "gamma %s must be in [0, 1)",
                     far__shortest(def->gamma).text);
  if (!(def->tolerance > 0 && def->tolerance < INFINITY))
    return far__fail(error, FAR_STATUS_RANGE, -1, "tolerance %s must be above 0",
                     far__shortest(def->tolerance).text);
  if (def->max_sweeps < 0)
    return far__fail(error, FAR_STATUS_RANGE, -1, "max_sweeps must not be negative");
  if (def->tolerance < 3 * rounding)
    return far__fail(error, FAR_STATUS_RANGE, -1,
                     "tolerance %s is below what doubles can certify in this model with gamma %s; "
                     "%s or more is possible",
                     far__shortest(def->tolerance).text, far__shortest(def->gamma).text,
                     far__above(3 * rounding).text);
  return FAR_OK;
}

far_status far__iteration_begin(far__iteration *out, const far__sliced *rows,
                                const far_solve_def *def, far_error *error) {
  *out = (far__iteration){.def = def,
                          .method = def->method == FAR_METHOD_AUTO ? FAR_METHOD_VALUE : def->method,
                          .n_states = rows->n_states,
                          .terminal = rows->terminal,
                          .n_terminal = rows->n_terminal,
                          .least_end = rows->least_end,
                          .most_end = rows->most_end,
                          .error = INFINITY};
  out->offload = far__offload_of(def);
  out->v = calloc(rows->n_states, sizeof *out->v);
  out->w = calloc(rows->n_states, sizeof *out->w);
  far__large_pages(out->v, rows->n_states * sizeof *out->v);
  far__large_pages(out->w, rows->n_states * sizeof *out->w);
  if (far__sweep_team(&out->team, rows, def->threads) && out->v != NULL && out->w != NULL)
    return FAR_OK;
  far__iteration_free(out);
  return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the values of %lu states",
                   (unsigned long)rows->n_states);
}

far_status far__iteration_create(far__iteration *out, const far__sliced *rows,
                                 const far_solve_def *def, far_error *error) {
  const double horizon = 1 / (1 - def->gamma);
  const double rounding =
      (2 * (double)rows->longest + 16) * 0x1p-53 * rows->most_reward * horizon * horizon;
  *out = (far__iteration){0};
  far_status status = check_def(def, rounding, error);
  if (status == FAR_OK) status = far__iteration_begin(out, rows, def, error);
  out->rounding = rounding;
  return status;
}

void far__iteration_free(far__iteration *it) {
  free(it->v);
  free(it->w);
  far__team_free(it->team);
  far__offload_end(&it->offload);
  it->v = it->w = NULL;
  it->team = NULL;
}

far__bounding far__iteration_bounding(const far__iteration *it) {
  return (far__bounding){it->def->gamma, it->least_end, it->most_end, it->rounding};
}

void far__iteration_bound(far__iteration *it, far__extent extent) {
  const far__bounds bounds = far__bounds_after(far__iteration_bounding(it), extent);
  it->lower = bounds.lower;
  it->upper = bounds.upper;
  it->error = bounds.error;
}

void far__iteration_take(far__iteration *it, far__extent extent) {
  far__iteration_bound(it, extent);
  double *swap = it->v;
  it->v = it->w;
  it->w = swap;
}

static bool is_over(const far__iteration *it) {
  const double most_sweeps = it->def->max_sweeps > 0 ? (double)it->def->max_sweeps : INFINITY;
  return it->error <= it->def->tolerance || it->work >= most_sweeps;
}

far_status far__iteration_over(far__iteration *it, bool *over, far_error *error) {
  const far_solve_def *def = it->def;
  *over = is_over(it);
  if (def->progress == NULL || def->progress(def->user, (int64_t)it->work, it->error))
    return FAR_OK;
  return far__fail(error, FAR_STATUS_CANCELLED, -1, "stopped on request after %lld sweeps",
                   (long long)it->work);
}

far_status far__iteration_sweep(far__iteration *it, const far__sliced *rows, double sure,
                                bool *over, far_error *error) {
  far_status status = FAR_OK;
  if (far__offload_takes(it, rows)) {
    status = far__offload_sweep(it, rows, sure, error);
  } else {
    far__iteration_take(it, far__sweep(rows, it->team, it->def->gamma, it->v, it->w));
  }
  it->work += 1;
  if (status == FAR_OK) status = far__iteration_over(it, over, error);
  if (status != FAR_OK || !*over || !it->offload.on_device) return status;
  status = far__iteration_fetch(it, rows, error);
  *over = is_over(it); /* by the processors' bounds */
  return status;
}

far_status far__iteration_fetch(far__iteration *it, const far__sliced *rows, far_error *error) {
  return it->offload.on_device ? far__offload_fetch(it, rows, error) : FAR_OK;
}

double far__iteration_left(const far__iteration *it, double before, double sweeps) {
  const double now = it->error - it->rounding, goal = it->def->tolerance - it->rounding;
  if (!(now < before)) return INFINITY;
  return far_log(now / goal) * sweeps / far_log(before / now);
}

void far__iteration_center(far__iteration *it) {
  const double shift = 0.5 * (it->lower + it->upper);
  for (size_t s = 0; s < it->n_states; ++s) it->v[s] += shift;
  for (size_t i = 0; i < it->n_terminal; ++i) it->v[it->terminal[i]] = 0;
}

far_status far__solution_create(far_solution *out, const far_solver *solver,
                                const far__iteration *it, far_error *error) {
  const far_shape *shape = &solver->mdp->shape;
  const size_t n = shape->n_states, pairs = n * shape->n_actions;
  *out = (far_solution){.n_states = shape->n_states,
                        .n_actions = shape->n_actions,
                        .gamma = it->def->gamma,
                        .method = it->method,
                        .sweeps = (int64_t)ceil(it->work),
                        .converged = it->error <= it->def->tolerance};
  if (it->offload.total > 0) {
    snprintf(out->device, sizeof out->device, "%s", it->offload.name);
    out->device_sweeps = it->offload.total;
    out->device_seconds = it->offload.seconds;
  }
  /* one more backup follows, which shrinks everything except its own rounding */
  out->error = it->def->gamma * (it->error - it->rounding) + it->rounding;
  out->q = calloc(pairs, sizeof *out->q);
  out->policy = calloc(n, sizeof *out->policy);
  if (out->q != NULL && out->policy != NULL) return FAR_OK;
  far_solution_free(out);
  return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the values of %zu pairs", pairs);
}

double far__span(const double *v, size_t n) {
  double low = v[0], high = v[0];
  for (size_t s = 1; s < n; ++s) {
    low = v[s] < low ? v[s] : low;
    high = v[s] > high ? v[s] : high;
  }
  return high - low;
}

double far__extent_size(far__extent e) {
  return -e.low > e.high ? -e.low : e.high;
}

double far__backup_rounding(const far__iteration *it, const far__sliced *rows) {
  double most = 0;
  for (size_t s = 0; s < it->n_states; ++s) {
    const double size = it->v[s] < 0 ? -it->v[s] : it->v[s];
    most = size > most ? size : most;
  }
  return (2 * (double)rows->longest + 16) * 0x1p-53 * (rows->most_reward + it->def->gamma * most);
}

/* q is the backup of it->v up to rounding, and v its maximum, so the backup of q differs from q by
 * gamma P (v - it->v) and that rounding: nowhere by more than gamma times the greatest difference. */
far_status far__solution_finish(far_solution *out, const far_solver *solver, far__iteration *it,
                                far_error *error) {
  const double gamma = it->def->gamma;
  far__iteration_center(it);
  const far_status status = far__solution_create(out, solver, it, error);
  if (status != FAR_OK) return status;
  const double rounding = far__backup_rounding(it, &solver->rows);
  const far__extent change =
      far__sweep_pairs(&solver->rows, it->team, gamma, it->v, it->w, out->policy, out->q);
  out->v = it->w;
  it->w = NULL;
  for (size_t i = 0; i < it->n_terminal; ++i) out->v[it->terminal[i]] = 0;
  out->residual = gamma * far__extent_size(change) + rounding;
  out->span = far__span(out->v, out->n_states);
  return FAR_OK;
}

void far_solution_free(far_solution *solution) {
  free(solution->v);
  free(solution->q);
  free(solution->policy);
  *solution = (far_solution){0};
}
