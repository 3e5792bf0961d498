/* Sweeps of value iteration on a device, over the layout of the processors (solve/sliced.h): eight states side by
 * side, the k-th successors of an action together. So eight neighbouring threads read whole sectors of memory.
 *
 * A block of threads takes a tile: some slices with all of their actions, one thread for each row. The threads leave
 * their q in memory that the block shares; then one thread for each state takes the maximum in the order of the
 * actions. Of more actions than a block has threads there are several turns.
 *
 * The functions here are one thread's part of the work. sweep.cu calls them from a kernel, sweep-host.c from loops.
 */
#ifndef FAR_GPU_SWEEP_H
#define FAR_GPU_SWEEP_H

#include "base/log-exp.h"
#include "run/gpu/machine.h"
#include "solve/backend.h"

enum { SWEEP_THREADS = 256 }; /* threads of a block: rows of a tile */

/* Outcomes that a thread asks for at once. To try others: -DSWEEP_BATCH=... */
#ifndef SWEEP_BATCH
#define SWEEP_BATCH 4
#endif

/* SWEEP_ONCE reads memory that a sweep reads only once, so that it does not evict the values from the cache. */
#ifdef __CUDA_ARCH__
#define SWEEP_ONCE(pointer) __ldcs(pointer)
#define SWEEP_VALUE(pointer) __ldg(pointer)
#else
#define SWEEP_ONCE(pointer) (*(pointer))
#define SWEEP_VALUE(pointer) (*(pointer))
#endif

/* ---- the bounds of a sweep, which other threads lower and raise ---- */

/* Doubles as integers of the same order: the least and the greatest change of a value. */
typedef struct sweep_slot {
  unsigned long long low, high;
} sweep_slot;

static inline FAR_DEVICE unsigned long long sweep_key(double x) {
  const uint64_t bits = far__bits_of(x), sign = (uint64_t)1 << 63;
  return bits & sign ? ~bits : bits | sign;
}

static inline FAR_DEVICE double sweep_number(unsigned long long key) {
  const uint64_t sign = (uint64_t)1 << 63;
  return far__from_bits(key & sign ? key & ~sign : ~key);
}

static inline FAR_DEVICE far__extent sweep_no_extent(void) {
  const far__extent none = {INFINITY, -INFINITY};
  return none;
}

static inline FAR_DEVICE far__extent sweep_extent(const sweep_slot *slot) {
  const far__extent extent = {sweep_number(slot->low), sweep_number(slot->high)};
  return extent;
}

static inline FAR_DEVICE bool sweep_is_made(far__extent extent) {
  return extent.low <= extent.high;
}

/* ---- what all threads share; pointers are the device's ---- */

typedef struct sweeps {
  uint32_t n_actions;
  size_t n_wide, n_single;
  const uint32_t *state, *next;
  const uint64_t
      *start; /* of the row of each slice and action: its first outcome; and the end of all */
  const double *reward, *probability;
  double *values[2];
  sweep_slot *slots; /* of the last sweep before the launch, then of each sweep of the launch */
  far__bounding bounding;
  double tolerance;
} sweeps;

/* One sweep: reads v, writes w. */
typedef struct sweep {
  const double *v;
  double *w;
  const sweep_slot *before;
  sweep_slot *now;
} sweep;

/* The i-th sweep of a launch whose first sweep reads values[from]. */
static inline FAR_DEVICE sweep sweep_of(const sweeps *x, unsigned from, unsigned i) {
  const unsigned parity = (from + i) % 2;
  const sweep out = {x->values[parity], x->values[1 - parity], &x->slots[i], &x->slots[i + 1]};
  return out;
}

/* Is this sweep to be made? Not if the sweep before it proved the tolerance, or was skipped for that reason. */
static inline FAR_DEVICE bool sweep_is_due(const sweeps *x, const sweep *one) {
  const far__extent before = sweep_extent(one->before);
  return sweep_is_made(before) && !(far__bounds_after(x->bounding, before).error <= x->tolerance);
}

/* ---- slices of one width, cut into tiles ---- */

typedef struct sweep_part {
  uint32_t lanes;   /* of a slice */
  uint32_t actions; /* of a turn */
  uint32_t slices;  /* of a tile */
  size_t n_slices, n_tiles;
  size_t row, lane; /* of the part's first slice: index of its first row, and of its first state */
} sweep_part;

static inline FAR_DEVICE sweep_part sweep_part_of(const sweeps *x, uint32_t width) {
  const uint32_t most = SWEEP_THREADS / width;
  const bool wide = width > 1;
  sweep_part out;
  out.lanes = width;
  out.actions = x->n_actions < most ? x->n_actions : most;
  out.slices = most / out.actions;
  out.n_slices = wide ? x->n_wide : x->n_single;
  out.n_tiles = (out.n_slices + out.slices - 1) / out.slices;
  out.row = wide ? 0 : x->n_wide * x->n_actions;
  out.lane = wide ? 0 : x->n_wide * FAR__LANES;
  return out;
}

/* Adds the next n outcomes of a row, at most SWEEP_BATCH. All loads are issued before the first is waited for. */
static inline FAR_DEVICE double sweep_add(double sum, const uint32_t *next,
                                          const double *probability, uint32_t n, uint32_t width,
                                          const double *v) {
  uint32_t to[SWEEP_BATCH];
  double p[SWEEP_BATCH], value[SWEEP_BATCH];
  for (uint32_t j = 0; j < SWEEP_BATCH; ++j) {
    to[j] = j < n ? SWEEP_ONCE(next + j * width) : 0;
    p[j] = j < n ? SWEEP_ONCE(probability + j * width) : 0;
  }
  for (uint32_t j = 0; j < SWEEP_BATCH; ++j) value[j] = j < n ? SWEEP_VALUE(v + to[j]) : 0;
  for (uint32_t j = 0; j < SWEEP_BATCH; ++j)
    if (j < n) sum = far__backup_add(sum, p[j], value[j]);
  return sum;
}

/* The sum of a row of n outcomes, in their order. */
static inline FAR_DEVICE double sweep_sum(const uint32_t *next, const double *probability,
                                          uint32_t n, uint32_t width, const double *v) {
  double sum = 0;
  for (; n >= SWEEP_BATCH; n -= SWEEP_BATCH) {
    sum = sweep_add(sum, next, probability, SWEEP_BATCH, width, v);
    next += SWEEP_BATCH * width;
    probability += SWEEP_BATCH * width;
  }
  return n > 0 ? sweep_add(sum, next, probability, n, width, v) : sum;
}

/* The q of thread t in the turn that begins with this action. What a thread without a row returns is not read. */
static inline FAR_DEVICE double sweep_row(const sweeps *x, const sweep_part *part, const double *v,
                                          size_t tile, uint32_t action, uint32_t t) {
  const uint32_t group = t / part->lanes, lane = t % part->lanes;
  const size_t slice = tile * part->slices + group / part->actions;
  const uint32_t a = action + group % part->actions;
  if (group >= part->slices * part->actions || slice >= part->n_slices || a >= x->n_actions)
    return 0;
  const size_t row = slice * x->n_actions + a;
  const uint64_t start = x->start[part->row + row], end = x->start[part->row + row + 1];
  const double sum = sweep_sum(x->next + start + lane, x->probability + start + lane,
                               (uint32_t)((end - start) / part->lanes), part->lanes, v);
  const double reward =
      SWEEP_ONCE(x->reward + part->lane * x->n_actions + row * part->lanes + lane);
  return far__backup_pair(reward, x->bounding.gamma, sum);
}

/* The state of a thread, if it has one. */
typedef struct sweep_state {
  bool is_there;
  uint32_t state;
  double old, best;
} sweep_state;

static inline FAR_DEVICE sweep_state sweep_state_begin(const sweeps *x, const sweep_part *part,
                                                       const double *v, size_t tile, uint32_t t) {
  const size_t slice = tile * part->slices + t / part->lanes;
  sweep_state out = {false, 0, 0, -INFINITY};
  if (t >= part->slices * part->lanes || slice >= part->n_slices) return out;
  out.is_there = true;
  out.state = x->state[part->lane + slice * part->lanes + t % part->lanes];
  out.old = v[out.state];
  return out;
}

/* Takes the maximum over the q of a turn, in the order of actions. */
static inline FAR_DEVICE void sweep_state_turn(const sweeps *x, const sweep_part *part,
                                               sweep_state *s, const double *q, uint32_t action,
                                               uint32_t t) {
  const uint32_t left = x->n_actions - action, n = left < part->actions ? left : part->actions;
  const uint32_t first = t / part->lanes * part->actions * part->lanes + t % part->lanes;
  for (uint32_t i = 0; s->is_there && i < n; ++i)
    s->best = far__backup_best(s->best, q[first + i * part->lanes]);
}

static inline FAR_DEVICE far__extent sweep_state_end(const sweep_state *s, double *w,
                                                     far__extent extent) {
  if (!s->is_there) return extent;
  w[s->state] = s->best;
  const far__extent change = {s->best - s->old, s->best - s->old};
  return far__extent_join(extent, change);
}

/* ---- what a machine does ---- */

#ifdef __cplusplus
extern "C" {
#endif

/* Makes `count` sweeps, the first of which reads values[from], and waits for them. With a count of 0 it only
 * prepares. */
int machine_sweep(const sweeps *x, unsigned from, unsigned count, char why[FAR__WHY]);

/* Copies on the device, and waits. */
int machine_copy(void *to, const void *from, size_t bytes, char why[FAR__WHY]);

#ifdef __cplusplus
}
#endif

#endif
