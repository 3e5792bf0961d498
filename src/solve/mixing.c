/* The mixing time: least t with max over s of |P^t(s, .) - mu| <= 1/4 in total variation (Levin & Peres 2017,
 * section 4.5). That distance never grows with t, so P is squared until it is small enough, and then the time
 * is found by bisection with the powers that were kept.
 *
 * Rounding. A product of two stochastic matrices is computed within unit of each row, in L1 (chain.h), and
 * passes on the errors of both, so that P^t is within t unit. Total variation is half of that; the other
 * half is for the distance itself. The stationary distribution m is checked at the end: with
 * D = max over s of |P^t(s, .) - m| <= 1/4 + error any two rows of P^t are within 2 D, so that
 * |m - mu| <= |m - m P^t| + 2 D |m - mu|, and |m - mu| <= |m - m P^t| / (1 - 2 D).
 */
#include <math.h> /* only for fabs and INFINITY */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "farsight/solve.h"
#include "solve/chain.h"
#include "solve/sliced.h"

enum { MOST_POWERS = 64 };

typedef struct powers {
  size_t n;
  double unit;
  double *mu;
  double *p[MOST_POWERS]; /* of 1, 2, 4, ... steps */
  int count;
  int64_t products;
  const far_solve_def *def;
} powers;

static double distance_of(const powers *x, const double *p) {
  double most = 0;
  for (size_t i = 0; i < x->n; ++i) {
    double sum = 0;
    for (size_t j = 0; j < x->n; ++j) sum += fabs(p[i * x->n + j] - x->mu[j]);
    most = 0.5 * sum > most ? 0.5 * sum : most;
  }
  return most;
}

/* A bound on the rounding of t steps and of the stationary distribution. */
static double blur_of(const powers *x, double t) {
  return (t + (double)x->n) * x->unit;
}

static bool is_mixed(const powers *x, const double *p, double t) {
  return distance_of(x, p) <= 0.25 + blur_of(x, t);
}

/* out = a b */
static far_status multiply(powers *x, double *out, const double *a, const double *b,
                           far_error *error) {
  const size_t n = x->n;
  memset(out, 0, n * n * sizeof *out);
  for (size_t i = 0; i < n; ++i)
    for (size_t k = 0; k < n; ++k) {
      const double f = a[i * n + k];
      if (f == 0) continue;
      for (size_t j = 0; j < n; ++j) out[i * n + j] += f * b[k * n + j];
    }
  x->products += 1;
  if (x->def->progress == NULL || x->def->progress(x->def->user, x->products, 0)) return FAR_OK;
  return far__fail(error, FAR_STATUS_CANCELLED, -1, "stopped on request");
}

static far_status new_power(powers *x, far_error *error) {
  x->p[x->count] = malloc(x->n * x->n * sizeof(double));
  if (x->p[x->count] == NULL)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the powers of a chain");
  x->count += 1;
  return FAR_OK;
}

static double time_of(int power) {
  return (double)(INT64_C(1) << power);
}

/* Squares until the last power is mixed, or its rounding too large to decide. */
static far_status square(powers *x, bool *mixed, far_error *error) {
  far_status status = FAR_OK;
  *mixed = is_mixed(x, x->p[0], 1);
  while (status == FAR_OK && !*mixed && blur_of(x, time_of(x->count)) < 0.01) {
    status = new_power(x, error);
    if (status == FAR_OK)
      status = multiply(x, x->p[x->count - 1], x->p[x->count - 2], x->p[x->count - 2], error);
    if (status == FAR_OK) *mixed = is_mixed(x, x->p[x->count - 1], time_of(x->count - 1));
  }
  return status;
}

/* Finds the least time; `now` becomes P^time, `then` is scratch. */
static far_status bisect(powers *x, double *time, double *now, double *then, far_error *error) {
  const size_t size = x->n * x->n * sizeof *now;
  far_status status = FAR_OK;
  if (x->count == 1) {
    memcpy(now, x->p[0], size);
    *time = 1;
    return FAR_OK;
  }
  memcpy(now, x->p[x->count - 2], size); /* the last that is not mixed */
  *time = time_of(x->count - 2);
  for (int i = x->count - 3; i >= 0 && status == FAR_OK; --i) {
    status = multiply(x, then, now, x->p[i], error);
    if (status != FAR_OK || is_mixed(x, then, *time + time_of(i))) continue;
    memcpy(now, then, size);
    *time += time_of(i);
  }
  if (status == FAR_OK) status = multiply(x, then, now, x->p[0], error);
  memcpy(now, then, size);
  *time += 1;
  return status;
}

/* The distance of m from m P^t. */
static double drift_of(const powers *x, const double *p) {
  double sum = 0;
  for (size_t j = 0; j < x->n; ++j) {
    double y = 0;
    for (size_t i = 0; i < x->n; ++i) y += x->mu[i] * p[i * x->n + j];
    sum += fabs(y - x->mu[j]);
  }
  return 0.5 * sum;
}

static far_status find_time(far_mixing *out, powers *x, far_error *error) {
  bool mixed;
  far_status status = square(x, &mixed, error);
  if (status != FAR_OK) return status;
  if (!mixed) {
    out->time = time_of(x->count - 1);
    out->distance = distance_of(x, x->p[x->count - 1]);
    out->error = blur_of(x, out->time);
    return FAR_OK;
  }
  double *both = malloc(2 * x->n * x->n * sizeof *both);
  if (both == NULL)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the powers of a chain");
  status = bisect(x, &out->time, both, both + x->n * x->n, error);
  if (status == FAR_OK) {
    const double blur = blur_of(x, out->time);
    out->distance = distance_of(x, both);
    out->error = blur + (drift_of(x, both) + blur) / (1 - 2 * (out->distance + blur));
    out->converged = true;
  }
  free(both);
  return status;
}

static far_status mix(far_mixing *out, const far__chain *chain, const far__closed *closed,
                      const far_solve_def *def, far_error *error) {
  const size_t n = chain->n;
  powers x = {.n = n, .unit = chain->unit, .def = def, .mu = malloc(n * sizeof(double))};
  far_status status =
      x.mu != NULL ? FAR_OK
                   : far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the powers of a chain");
  if (status == FAR_OK) status = far__chain_stationary(x.mu, chain, closed, error);
  if (status == FAR_OK) status = new_power(&x, error);
  if (status == FAR_OK) {
    memcpy(x.p[0], chain->p, n * n * sizeof(double));
    for (size_t i = 0; closed->period > 1 && i < n; ++i) { /* lazy: stays with probability 1/2 */
      for (size_t j = 0; j < n; ++j) x.p[0][i * n + j] *= 0.5;
      x.p[0][i * n + i] += 0.5;
    }
    status = find_time(out, &x, error);
  }
  for (int i = 0; i < x.count; ++i) free(x.p[i]);
  free(x.mu);
  return status;
}

static far_status mix_model(far_mixing *out, const far_mdp *mdp, const far_solve_def *def,
                            const far_policy *policy, far_error *error) {
  far__chain chain;
  far__closed closed = {0};
  far_status status = far__chain_create(&chain, mdp, policy, error);
  if (status != FAR_OK) return status;
  status = far__chain_closed(&closed, &chain, error);
  if (status == FAR_OK) {
    out->n_states = chain.n;
    out->n_closed = closed.n_classes;
    out->period = closed.n_classes == 1 ? closed.period : 0;
  }
  if (status == FAR_OK && chain.n == 1)
    out->time = out->distance = 0; /* a single state is mixed at once */
  else if (status == FAR_OK && closed.n_classes == 1) {
    out->converged = false;
    status = mix(out, &chain, &closed, def, error);
  }
  far__closed_free(&closed);
  far__chain_free(&chain);
  return status;
}

far_status far_solver_mixing(far_mixing *out, const far_solver *solver, const far_solve_def *def,
                             const far_policy *policy, far_error *error) {
  far_mdp *unrolled;
  *out = (far_mixing){.time = INFINITY, .distance = 1, .converged = true};
  if (far_mdp_horizon(solver->mdp) == 0) return mix_model(out, solver->mdp, def, policy, error);
  far_status status = far_mdp_unroll(&unrolled, solver->mdp, far_mdp_horizon(solver->mdp), error);
  if (status != FAR_OK) return status;
  status = mix_model(out, unrolled, def, policy, error);
  far_mdp_free(unrolled);
  return status;
}
