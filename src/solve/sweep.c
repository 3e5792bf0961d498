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
