#include "solve/sweep.h"

#include <math.h> /* only for INFINITY */
#include <pthread.h>
#include <stdatomic.h>

#include "base/inline.h"

/* Positions in all arrays of the layout, which are stored in the order in which a sweep reads them. */
typedef struct cursor {
  const uint32_t *state, *length, *next;
  const double *reward, *probability;
} cursor;

/* Results that only some sweeps need; NULL otherwise. They are constants at every call, so that the
 * compiler leaves out what is not needed. So is `fetch`, for values that exceed a processor's cache: those that
 * will be read soon are prefetched, since otherwise the sweep would wait for each in turn. */
typedef struct extras {
  uint32_t *policy;
  double *q;
  bool fetch;
} extras;

/* The least and greatest changes, a lane each. */
typedef struct extents {
  double low[FAR__LANES], high[FAR__LANES];
} extents;

/* One slice; `lanes` is 8 or 1, a constant at every call, so that the inner loops unroll and
 * vectorise. The states' old values are read before the new ones are written. */
FAR__INLINE void slice(const far__sliced *rows, size_t lanes, cursor *at, double gamma,
                       const double *v, double *w, extents *extent, extras *out) {
  double best[FAR__LANES];
  uint32_t choice[FAR__LANES] = {0};
  for (size_t l = 0; l < lanes; ++l) best[l] = -INFINITY;
  for (uint32_t a = 0; a < rows->n_actions; ++a) {
    double sum[FAR__LANES] = {0};
    for (uint32_t k = *at->length++; k > 0; --k) {
      for (size_t l = 0; out->fetch && l < lanes; ++l)
        __builtin_prefetch(&v[at->next[FAR__AHEAD + l]], 0, 2);
      for (size_t l = 0; l < lanes; ++l)
        sum[l] = far__backup_add(sum[l], at->probability[l], v[at->next[l]]);
      at->probability += lanes;
      at->next += lanes;
    }
    for (size_t l = 0; l < lanes; ++l) {
      const double q = far__backup_pair(at->reward[l], gamma, sum[l]);
      if (out->policy != NULL && q > best[l]) choice[l] = a;
      if (out->q != NULL) out->q[(size_t)at->state[l] * rows->n_actions + a] = q;
      best[l] = far__backup_best(best[l], q);
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

/* ---- apart: every state sees the old values ---- */

/* One sweep, shared by the members of a team. */
typedef struct work {
  const far__sliced *rows;
  double gamma;
  const double *v;
  double *w;
  extras out;
  atomic_size_t next; /* the first stretch that no member has taken */
  pthread_mutex_t lock;
  far__extent all; /* guarded by the lock */
} work;

static cursor cursor_at(const far__sliced *rows, far__stretch from) {
  const size_t n = rows->n_wide, i = from.slice;
  const size_t lane = i < n ? i * FAR__LANES : n * FAR__LANES + (i - n);
  return (cursor){rows->state + lane, rows->length + i * rows->n_actions, rows->next + from.outcome,
                  rows->reward + lane * rows->n_actions, rows->probability + from.outcome};
}

FAR__INLINE void sweep_stretch(const work *x, const far__stretch *part, extents *extent,
                               extras *out) {
  const far__sliced *rows = x->rows;
  cursor at = cursor_at(rows, part[0]);
  size_t i = part[0].slice;
  for (; i < part[1].slice && i < rows->n_wide; ++i)
    slice(rows, FAR__LANES, &at, x->gamma, x->v, x->w, extent, out);
  for (; i < part[1].slice; ++i) slice(rows, 1, &at, x->gamma, x->v, x->w, extent, out);
}

static void join(work *x, const extents *extent) {
  pthread_mutex_lock(&x->lock);
  for (size_t l = 0; l < FAR__LANES; ++l) {
    if (extent->low[l] < x->all.low) x->all.low = extent->low[l];
    if (extent->high[l] > x->all.high) x->all.high = extent->high[l];
  }
  pthread_mutex_unlock(&x->lock);
}

/* Takes stretches while there are any. `out` is x->out, as constants where they are NULL. */
FAR__INLINE void sweep(work *x, extras out) {
  extents extent;
  for (size_t l = 0; l < FAR__LANES; ++l) extent.low[l] = INFINITY, extent.high[l] = -INFINITY;
  for (;;) {
    const size_t i = atomic_fetch_add_explicit(&x->next, 1, memory_order_relaxed);
    if (i >= x->rows->n_stretches) break;
    sweep_stretch(x, x->rows->stretch + i, &extent, &out);
  }
  join(x, &extent);
}

static void sweep_plain(void *user) {
  work *x = user;
  if (x->out.fetch)
    sweep(x, (extras){NULL, NULL, true});
  else
    sweep(x, (extras){NULL, NULL, false});
}

static void sweep_greedy(void *user) {
  work *x = user;
  if (x->out.fetch)
    sweep(x, (extras){x->out.policy, NULL, true});
  else
    sweep(x, (extras){x->out.policy, NULL, false});
}

static void sweep_pairs(void *user) {
  work *x = user;
  sweep(x, x->out);
}

/* Are values rarely cached when they are read? */
static bool is_scattered(const far__sliced *rows) {
  enum { CACHED = 1 << 16 }; /* values: half a megabyte */
  return rows->n_states > CACHED && rows->n_far > rows->n_outcomes / 8;
}

static far__extent run(work *x, far__team *team, far__task task) {
  x->all = (far__extent){INFINITY, -INFINITY};
  x->out.fetch = is_scattered(x->rows);
  atomic_init(&x->next, 0);
  pthread_mutex_init(&x->lock, NULL);
  far__team_run(team, task, x);
  pthread_mutex_destroy(&x->lock);
  return x->all;
}

far__extent far__sweep(const far__sliced *rows, far__team *team, double gamma, const double *v,
                       double *w) {
  work x = {.rows = rows, .gamma = gamma, .v = v, .w = w};
  return run(&x, team, sweep_plain);
}

far__extent far__sweep_greedy(const far__sliced *rows, far__team *team, double gamma,
                              const double *v, double *w, uint32_t *policy) {
  work x = {.rows = rows, .gamma = gamma, .v = v, .w = w, .out = {.policy = policy}};
  return run(&x, team, sweep_greedy);
}

far__extent far__sweep_pairs(const far__sliced *rows, far__team *team, double gamma,
                             const double *v, double *w, uint32_t *policy, double *q) {
  work x = {.rows = rows, .gamma = gamma, .v = v, .w = w, .out = {.policy = policy, .q = q}};
  return run(&x, team, sweep_pairs);
}

bool far__sweep_team(far__team **out, const far__sliced *rows, unsigned threads) {
  enum { STRETCHES = 8 }; /* for each member, at least */
  const size_t most = rows->n_stretches / STRETCHES + 1;
  const unsigned wanted = threads > 0 ? threads : far__processors();
  return far__team_create(out, wanted < most ? wanted : (unsigned)most);
}

/* ---- in place ---- */

/* Backs up one state of the slice at the cursor. */
static void renew(const far__sliced *rows, size_t lanes, size_t lane, const cursor *at,
                  double gamma, double *v) {
  const double *probability = at->probability + lane, *reward = at->reward + lane;
  const uint32_t *next = at->next + lane;
  double best = -INFINITY;
  for (uint32_t a = 0; a < rows->n_actions; ++a, reward += lanes) {
    double sum = 0;
    for (uint32_t k = at->length[a]; k > 0; --k, probability += lanes, next += lanes)
      sum = far__backup_add(sum, *probability, v[*next]);
    best = far__backup_best(best, far__backup_pair(*reward, gamma, sum));
  }
  v[at->state[lane]] = best;
}

/* Moves the cursor over a slice, forth or back. */
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
  cursor at = cursor_at(rows, (far__stretch){0, 0});
  renew_slices(rows, FAR__LANES, rows->n_wide, &at, gamma, v, false);
  renew_slices(rows, 1, rows->n_single, &at, gamma, v, false);
}

void far__sweep_back(const far__sliced *rows, double gamma, double *v) {
  cursor at = cursor_at(rows, rows->stretch[rows->n_stretches]);
  renew_slices(rows, 1, rows->n_single, &at, gamma, v, true);
  renew_slices(rows, FAR__LANES, rows->n_wide, &at, gamma, v, true);
}
