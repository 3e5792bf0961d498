/* What all discounted iterations share: two vectors of values, the bounds after a sweep, and the stopping
 * rule.
 *
 * The bounds. Let w = Tv for any v, where T is the backup of a policy or of the best action, and v
 * is 0 at terminal states. Let low <= w - v <= high on the other states. T is monotone, and a row
 * that ends with probability e passes on gamma (1 - e) of a change, so the next sweep changes a
 * value by at most b(high), with b(x) = gamma (1 - least e) x if x >= 0 and gamma (1 - most e) x
 * if x < 0; the one after that by at most b(b(high)), and so on. The changes of all further sweeps
 * add to at most
 *
 *     high k / (1 - k),  k = gamma (1 - least e) if high >= 0, else gamma (1 - most e),
 *
 * and likewise from below, with the two exchanged (Porteus 1975; MacQueen 1966 where nothing ends).
 * The exact values lie between w + lower and w + upper. A constant shift of all values does not
 * matter where nothing ends; where something may end, the most e and least e account for
 * states that end soon and do not share the shift.
 *
 * Rounding. A backup is computed within d = (2n + 16) u Vmax of the exact one, for rows of at most
 * n outcomes, u = 2^-53, Vmax = greatest |reward| / (1 - gamma): n products and sums, the same
 * again because stored probabilities add to 1 only up to rounding, and some to spare for the
 * bounds themselves. It makes each change wrong by at most d, and so all further ones by
 * d / (1 - gamma) in all; that is added to the error. The residual of q needs only the d of the
 * backup that made q, and there |v| replaces Vmax / gamma. A sweep cannot distinguish changes below 2d from
 * none, so no tolerance below 3 d / (1 - gamma) is accepted.
 */
#ifndef FAR_SOLVE_ITERATION_H
#define FAR_SOLVE_ITERATION_H

#include "solve/device.h"
#include "solve/sweep.h"

typedef struct far__iteration {
  const far_solve_def *def;
  far__team *team; /* shares the sweeps */
  uint32_t n_states;
  const uint32_t *terminal;
  size_t n_terminal;
  double least_end, most_end;
  double rounding; /* d / (1 - gamma) */
  double *v, *w;   /* the values, and scratch for the next */
  double lower, upper;
  double error;         /* half of upper - lower, plus the rounding */
  far_method method;    /* in use; never auto */
  double work;          /* in sweeps */
  far__offload offload; /* sweeps on a device */
} far__iteration;

/* Starts from 0. RANGE if gamma or the tolerance is not possible, MEMORY. */
far_status far__iteration_create(far__iteration *out, const far__sliced *rows,
                                 const far_solve_def *def, far_error *error);

/* The same for an iteration whose bounds ignore rounding, and whose definition was checked before. */
far_status far__iteration_begin(far__iteration *out, const far__sliced *rows,
                                const far_solve_def *def, far_error *error);
void far__iteration_free(far__iteration *it);

/* Accepts a sweep from v to w: sets the bounds, and makes w the values. */
void far__iteration_take(far__iteration *it, far__extent extent);

/* Sets the bounds only, for values that are on a device. */
void far__iteration_bound(far__iteration *it, far__extent extent);
far__bounding far__iteration_bounding(const far__iteration *it);

/* Is the tolerance reached, or the limit of sweeps? Reports progress; fails with CANCELLED. */
far_status far__iteration_over(far__iteration *it, bool *over, far_error *error);

/* One sweep over these rows, its bounds, and far__iteration_over; by a device if def->device says so. The values
 * may then be on the device, unless it is over. `sure`: the caller will make at least this many sweeps, this one
 * included, unless it is over. */
far_status far__iteration_sweep(far__iteration *it, const far__sliced *rows, double sure,
                                bool *over, far_error *error);

/* Fetches the values if a device has them. */
far_status far__iteration_fetch(far__iteration *it, const far__sliced *rows, far_error *error);

/* How many more sweeps are needed if the error continues to fall as in the last `sweeps`; `before` was the error then,
 * without rounding. */
double far__iteration_left(const far__iteration *it, double before, double sweeps);

/* Moves the values to the middle of the bounds. */
void far__iteration_center(far__iteration *it);

/* Allocates the arrays of a solution and fills in the iteration's results; v is left NULL. */
far_status far__solution_create(far_solution *out, const far_solver *solver,
                                const far__iteration *it, far_error *error);

/* Computes q, policy, residual and certificate from the values, by one more backup; v becomes the
 * greatest q of each state. Takes the iteration's memory for v. */
far_status far__solution_finish(far_solution *out, const far_solver *solver, far__iteration *it,
                                far_error *error);

/* A bound on the rounding of a backup of it->v over these rows, for a pair. */
double far__backup_rounding(const far__iteration *it, const far__sliced *rows);

/* The greater of the two absolute changes. */
double far__extent_size(far__extent extent);

/* The span of v. */
double far__span(const double *v, size_t n);

#endif
