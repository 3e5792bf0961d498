#include "solve/sweep.h"

#include <math.h> /* only for INFINITY */

/* The loop has several forms; each must be a loop of its own. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* The cursor moves over all arrays of the layout in the order in which they are stored. */
typedef struct cursor {
  const uint32_t *state, *length, *next;
  const double *reward, *probability;
} cursor;

/* Results that only some sweeps want; NULL otherwise. They are constants at every call, and the
 * compiler leaves out what is not wanted. */
typedef struct extras {
  uint32_t *policy;
  double *q;
} extras;

/* The least and greatest changes, a lane each. */
typedef struct extents {
  double low[FAR__LANES], high[FAR__LANES];
} extents;

/* One slice; `lanes` is 8 or 1, a constant at every call, so that the inner loops unroll and
 * vectorise. The states' old values are read before the new ones are written. */
ALWAYS_INLINE void slice(const far__sliced *rows, size_t lanes, cursor *at, double gamma,
                         const double *v, double *w, extents *extent, extras *out) {
  double best[FAR__LANES];
  uint32_t choice[FAR__LANES] = {0};
  for (size_t l = 0; l < lanes; ++l) best[l] = -INFINITY;
  for (uint32_t a = 0; a < rows->n_actions; ++a) {
    double sum[FAR__LANES] = {0};
    for (uint32_t k = *at->length++; k > 0; --k) {
      for (size_t l = 0; l < lanes; ++l) sum[l] += at->probability[l] * v[at->next[l]];
      at->probability += lanes;
      at->next += lanes;
    }
    for (size_t l = 0; l < lanes; ++l) {
      const double q = at->reward[l] + gamma * sum[l];
      if (out->policy != NULL && q > best[l]) choice[l] = a;
      if (out->q != NULL) out->q[(size_t)at->state[l] * rows->n_actions + a] = q;
      best[l] = q > best[l] ? q : best[l];
    }
    at->reward += lanes;
  }
  for (size_t l = 0; l < lanes; ++l) {
    const double change = best[l] - v[at->state[l]];
    extent->low[l] = change < extent->low[l] ? change : extent->low[l];
    extent->high[l] = change > extent->high[l] ? change : extent->high[l];
  }
  for (size_t l = 0; l < lanes; ++l) {
    w[at->state[l]] = best[l];
    if (out->policy != NULL) out->policy[at->state[l]] = choice[l];
  }
  at->state += lanes;
}

ALWAYS_INLINE far__extent sweep(const far__sliced *rows, double gamma, const double *v, double *w,
                                extras *out) {
  cursor at = {rows->state, rows->length, rows->next, rows->reward, rows->probability};
  extents extent;
  for (size_t l = 0; l < FAR__LANES; ++l) extent.low[l] = INFINITY, extent.high[l] = -INFINITY;
  for (size_t i = 0; i < rows->n_wide; ++i) slice(rows, FAR__LANES, &at, gamma, v, w, &extent, out);
  for (size_t i = 0; i < rows->n_single; ++i) slice(rows, 1, &at, gamma, v, w, &extent, out);
  far__extent all = {extent.low[0], extent.high[0]};
  for (size_t l = 1; l < FAR__LANES; ++l) {
    if (extent.low[l] < all.low) all.low = extent.low[l];
    if (extent.high[l] > all.high) all.high = extent.high[l];
  }
  return all;
}

/* ---- in place ---- */

/* One state of the slice at the cursor. */
static void renew(const far__sliced *rows, size_t lanes, size_t lane, const cursor *at,
                  double gamma, double *v) {
  const double *probability = at->probability + lane, *reward = at->reward + lane;
  const uint32_t *next = at->next + lane;
  double best = -INFINITY;
  for (uint32_t a = 0; a < rows->n_actions; ++a, reward += lanes) {
    double sum = 0;
    for (uint32_t k = at->length[a]; k > 0; --k, probability += lanes, next += lanes)
      sum += *probability * v[*next];
    const double q = *reward + gamma * sum;
    best = q > best ? q : best;
  }
  v[at->state[lane]] = best;
}

/* Over a slice, forth or back. */
static void move(const far__sliced *rows, size_t lanes, cursor *at, bool back) {
  const uint32_t *length = back ? at->length - rows->n_actions : at->length;
  size_t outcomes = 0;
  for (uint32_t a = 0; a < rows->n_actions; ++a) outcomes += length[a];
  const ptrdiff_t sign = back ? -1 : 1, width = (ptrdiff_t)lanes;
  at->length += sign * (ptrdiff_t)rows->n_actions;
  at->next += sign * (ptrdiff_t)outcomes * width;
  at->probability += sign * (ptrdiff_t)outcomes * width;
  at->reward += sign * (ptrdiff_t)rows->n_actions * width;
  at->state += sign * width;
}

static void renew_slices(const far__sliced *rows, size_t lanes, size_t count, cursor *at,
                         double gamma, double *v, bool back) {
  for (size_t i = 0; i < count; ++i) {
    if (back) move(rows, lanes, at, true);
    for (size_t l = 0; l < lanes; ++l) renew(rows, lanes, back ? lanes - 1 - l : l, at, gamma, v);
    if (!back) move(rows, lanes, at, false);
  }
}

void far__sweep_forth(const far__sliced *rows, double gamma, double *v) {
  cursor at = {rows->state, rows->length, rows->next, rows->reward, rows->probability};
  renew_slices(rows, FAR__LANES, rows->n_wide, &at, gamma, v, false);
  renew_slices(rows, 1, rows->n_single, &at, gamma, v, false);
}

void far__sweep_back(const far__sliced *rows, double gamma, double *v) {
  const size_t n = rows->n_wide * FAR__LANES + rows->n_single;
  cursor at = {rows->state + n, rows->length + (rows->n_wide + rows->n_single) * rows->n_actions,
               rows->next + rows->n_outcomes, rows->reward + n * rows->n_actions,
               rows->probability + rows->n_outcomes};
  renew_slices(rows, 1, rows->n_single, &at, gamma, v, true);
  renew_slices(rows, FAR__LANES, rows->n_wide, &at, gamma, v, true);
}

far__extent far__sweep(const far__sliced *rows, double gamma, const double *v, double *w) {
  extras none = {NULL, NULL};
  return sweep(rows, gamma, v, w, &none);
}

far__extent far__sweep_greedy(const far__sliced *rows, double gamma, const double *v, double *w,
                              uint32_t *policy) {
  extras out = {policy, NULL};
  return sweep(rows, gamma, v, w, &out);
}

far__extent far__sweep_pairs(const far__sliced *rows, double gamma, const double *v, double *w,
                             uint32_t *policy, double *q) {
  extras out = {policy, q};
  return sweep(rows, gamma, v, w, &out);
}
