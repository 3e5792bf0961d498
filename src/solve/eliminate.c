/* Elimination without subtractions (Grassmann, Taksar & Heyman 1985). When a state is eliminated, states that led to
 * it lead to those that follow it. The probability of moving on from it, 1 - p(i, i), is the sum of the other
 * entries of its row: nothing is ever subtracted, so that no digits are lost, however small the
 * probabilities (O'Cinneide 1993). */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "solve/chain.h"

/* ---- the stationary distribution ---- */

/* Eliminates the states n - 1 ... 1, then puts them back in. */
static void solve_stationary(double *p, double *mu, size_t n) {
  for (size_t k = n; k-- > 1;) {
    double out = 0;
    for (size_t j = 0; j < k; ++j) out += p[k * n + j];
    for (size_t i = 0; i < k; ++i) {
      const double in = p[i * n + k] /= out;
      if (in == 0) continue;
      for (size_t j = 0; j < k; ++j) p[i * n + j] += in * p[k * n + j];
    }
  }
  double total = mu[0] = 1;
  for (size_t k = 1; k < n; ++k) {
    mu[k] = 0;
    for (size_t i = 0; i < k; ++i) mu[k] += mu[i] * p[i * n + k];
    total += mu[k];
  }
  for (size_t k = 0; k < n; ++k) mu[k] /= total;
}

far_status far__chain_stationary(double *mu, const far__chain *chain, const far__closed *closed,
                                 far_error *error) {
  const size_t n = chain->n, m = closed->n_states;
  double *p = malloc(m * m * sizeof *p), *part = malloc(m * sizeof *part);
  far_status status = FAR_OK;
  if (p != NULL && part != NULL) {
    size_t k = 0;
    for (size_t i = 0; i < n; ++i)
      for (size_t j = 0; closed->member[i] && j < n; ++j)
        if (closed->member[j]) p[k++] = chain->p[i * n + j];
    solve_stationary(p, part, m);
    for (size_t i = 0, next = 0; i < n; ++i) mu[i] = closed->member[i] ? part[next++] : 0;
  } else {
    status = far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a stationary distribution");
  }
  free(p);
  free(part);
  return status;
}

/* ---- absorption ---- */

void far__chain_absorb(double *q, double *leave, double *b, size_t n) {
  for (size_t k = n; k-- > 0;) {
    double out = leave[k];
    for (size_t j = 0; j < k; ++j) out += q[k * n + j];
    leave[k] /= out, b[k] /= out;
    for (size_t j = 0; j < k; ++j) q[k * n + j] /= out;
    for (size_t i = 0; i < k; ++i) {
      const double in = q[i * n + k];
      if (in == 0) continue;
      for (size_t j = 0; j < k; ++j) q[i * n + j] += in * q[k * n + j];
      leave[i] += in * leave[k];
      b[i] += in * b[k];
    }
  }
  for (size_t k = 1; k < n; ++k)
    for (size_t j = 0; j < k; ++j) b[k] += q[k * n + j] * b[j];
}

/* ---- expected steps from everywhere to everywhere ----
 *
 * For one target all other states are eliminated, one after the other, each with the time that is spent in it;
 * then they are put back in. Targets share this work: for the targets of one half, the other half is eliminated
 * first, and so on with half of the half. All targets together take O(n^3). */

typedef struct halving {
  size_t n;           /* of the chain */
  double *row, *time; /* of the eliminated states, in that order: their rows, n wide, and times */
  uint32_t *out;      /* which states they are */
  size_t n_out;
  double *x, *to;
  const far_solve_def *def;
} halving;

/* The remaining chain of m states: their numbers, the matrix and the time of a step from each. */
typedef struct rest {
  size_t m;
  uint32_t *state;
  double *p, *time;
} rest;

static void free_rest(rest *r) {
  free(r->state);
  free(r->p);
  free(r->time);
  *r = (rest){0};
}

static bool new_rest(rest *r, size_t m) {
  *r = (rest){m, malloc(m * sizeof *r->state), malloc(m * m * sizeof *r->p),
              malloc(m * sizeof *r->time)};
  if (r->state != NULL && r->p != NULL && r->time != NULL) return true;
  free_rest(r);
  return false;
}

/* Eliminates state k. Rows and columns of states eliminated before (not `there`) are not read. */
static void leave_out(halving *x, rest *r, size_t k, const bool *there) {
  const size_t m = r->m;
  double *row = x->row + x->n_out * x->n, out = 0;
  memset(row, 0, x->n * sizeof *row);
  for (size_t j = 0; j < m; ++j)
    if (there[j] && j != k) out += r->p[k * m + j];
  for (size_t j = 0; j < m; ++j)
    if (there[j] && j != k) row[r->state[j]] = r->p[k * m + j] /= out;
  const double time = r->time[k] / out;
  for (size_t i = 0; i < m; ++i) {
    const double in = r->p[i * m + k];
    if (!there[i] || i == k || in == 0) continue;
    for (size_t j = 0; j < m; ++j) r->p[i * m + j] += in * (j == k ? 0 : r->p[k * m + j]);
    r->time[i] += in * time;
  }
  x->time[x->n_out] = time;
  x->out[x->n_out++] = r->state[k];
}

/* Puts all eliminated states back in, the last one first, when only the target is left. */
static void put_back(halving *x, uint32_t target) {
  x->x[target] = 0;
  for (size_t e = x->n_out; e-- > 0;) {
    const double *row = x->row + e * x->n;
    double sum = x->time[e];
    for (size_t j = 0; j < x->n; ++j)
      if (row[j] > 0) sum += row[j] * x->x[j];
    x->x[x->out[e]] = sum;
  }
  memcpy(x->to + target * x->n, x->x, x->n * sizeof *x->x);
}

static far_status split(halving *x, const rest *r, far_error *error);

/* Copies the remaining states to a smaller chain. */
static void compact(rest *next, const rest *r, const bool *there) {
  size_t a = 0;
  for (size_t i = 0; i < r->m; ++i) {
    if (!there[i]) continue;
    size_t b = 0;
    for (size_t j = 0; j < r->m; ++j)
      if (there[j]) next->p[a * next->m + b++] = r->p[i * r->m + j];
    next->state[a] = r->state[i];
    next->time[a++] = r->time[i];
  }
}

/* Eliminates the states [first, end) in a copy; `next` becomes the remaining chain. */
static void leave_part_out(halving *x, rest *next, rest *copy, const rest *r, size_t first,
                           size_t end, bool *there) {
  memcpy(copy->state, r->state, r->m * sizeof *copy->state);
  memcpy(copy->p, r->p, r->m * r->m * sizeof *copy->p);
  memcpy(copy->time, r->time, r->m * sizeof *copy->time);
  for (size_t i = 0; i < r->m; ++i) there[i] = true;
  for (size_t k = first; k < end; ++k) leave_out(x, copy, k, there), there[k] = false;
  compact(next, copy, there);
}

/* Solves for the targets outside [first, end): eliminates these states and continues with the rest. */
static far_status solve_without(halving *x, const rest *r, size_t first, size_t end,
                                far_error *error) {
  const size_t before = x->n_out;
  rest copy = {0}, next = {0};
  bool *there = malloc(r->m * sizeof *there);
  const bool good = there != NULL && new_rest(&copy, r->m) && new_rest(&next, r->m - (end - first));
  if (good) leave_part_out(x, &next, &copy, r, first, end, there);
  free(there);
  free_rest(&copy);
  const far_status status =
      good ? split(x, &next, error)
           : far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for hitting times");
  free_rest(&next);
  x->n_out = before;
  return status;
}

static far_status split(halving *x, const rest *r, far_error *error) {
  if (x->def->progress != NULL && !x->def->progress(x->def->user, r->state[0], 0))
    return far__fail(error, FAR_STATUS_CANCELLED, -1, "stopped on request");
  if (r->m == 1) {
    put_back(x, r->state[0]);
    return FAR_OK;
  }
  const far_status status = solve_without(x, r, r->m / 2, r->m, error);
  return status == FAR_OK ? solve_without(x, r, 0, r->m / 2, error) : status;
}

far_status far__chain_hitting(double *to, const far__chain *chain, const far_solve_def *def,
                              far_error *error) {
  const size_t n = chain->n;
  halving x = {.n = n,
               .row = malloc(n * n * sizeof *x.row),
               .time = malloc(n * sizeof *x.time),
               .out = malloc(n * sizeof *x.out),
               .x = malloc(n * sizeof *x.x),
               .to = to,
               .def = def};
  rest all = {0};
  far_status status = FAR_OK;
  if (x.row != NULL && x.time != NULL && x.out != NULL && x.x != NULL && new_rest(&all, n)) {
    memcpy(all.p, chain->p, n * n * sizeof *all.p);
    for (uint32_t i = 0; i < n; ++i) all.state[i] = i, all.time[i] = 1;
    status = split(&x, &all, error);
    free_rest(&all);
  } else {
    status = far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for hitting times");
  }
  free(x.row);
  free(x.time);
  free(x.out);
  free(x.x);
  return status;
}
