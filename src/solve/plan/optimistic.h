/* The optimistic distribution near an estimate: the inner maximisation of optimistic planning.
 *
 * L1 balls as in MBIE (Strehl & Littman 2008, section 3.2) and UCRL2 (Jaksch, Ortner & Auer 2010,
 * figure 2): mass width / 2 moves from the worst successors to the best state, since moving a mass
 * d changes the L1 norm by 2d. Boxes as in Givan, Leach & Dean 2000 (bounded-parameter models):
 * every successor gets its least mass, and what is left goes to the best ones first.
 *
 * Balls take only as many successors in order as they need, from a heap of indices in the caller's
 * scratch: O(n) where little mass moves, O(n log n) at most. The row itself is never changed.
 */
#ifndef FAR_SOLVE_PLAN_OPTIMISTIC_H
#define FAR_SOLVE_PLAN_OPTIMISTIC_H

#include <stdbool.h>

#include "solve/plan/row.h"

/* Does arc i come before arc j? By value, lowest first; ties by state and then by position, so that
 * the order is the same everywhere. */
static inline bool far__arc_before(const far__arc *arc, const double *v, uint32_t i, uint32_t j) {
  const double x = v[arc[i].next], y = v[arc[j].next];
  if (x != y) return x < y;
  if (arc[i].next != arc[j].next) return arc[i].next < arc[j].next;
  return i < j;
}

static inline void far__heap_sink(uint32_t *heap, size_t count, size_t at, const far__arc *arc,
                                  const double *v) {
  const uint32_t item = heap[at];
  for (;;) {
    size_t child = 2 * at + 1;
    if (child >= count) break;
    if (child + 1 < count && far__arc_before(arc, v, heap[child + 1], heap[child])) ++child;
    if (!far__arc_before(arc, v, heap[child], item)) break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = item;
}

static inline void far__heap_build(uint32_t *heap, size_t count, const far__arc *arc,
                                   const double *v) {
  for (size_t k = 0; k < count; ++k) heap[k] = (uint32_t)k;
  for (size_t at = count / 2; at-- > 0;) far__heap_sink(heap, count, at, arc, v);
}

/* Takes the first index out of a heap of *count > 0. */
static inline uint32_t far__heap_pop(uint32_t *heap, size_t *count, const far__arc *arc,
                                     const double *v) {
  const uint32_t first = heap[0];
  heap[0] = heap[--*count];
  if (*count > 0) far__heap_sink(heap, *count, 0, arc, v);
  return first;
}

/* Moves `mass` from the worst arcs to `best`, one after another; returns the new sum. */
static inline double far__l1_move(const far__row *row, double mass, double sum, const double *v,
                                  uint64_t best, uint32_t *order) {
  size_t left = row->count;
  far__heap_build(order, left, row->arc, v);
  while (mass > 0 && left > 0) {
    const far__arc *worst = &row->arc[far__heap_pop(order, &left, row->arc, v)];
    if (worst->next == best) continue;
    const double taken = worst->weight < mass ? worst->weight : mass;
    sum += taken * (v[best] - v[worst->next]);
    mass -= taken;
  }
  return sum;
}

/* The maximum of p.v over distributions p with |p - weight/total|_1 <= width, where v[best] is the
 * greatest value of all states that p may reach; best need not be among the arcs. order: scratch
 * for row->count indices. A row of which nothing is known (total 0) needs width >= 2: it may be
 * anything. */
static inline double far__l1_best(const far__row *row, double width, const double *v, uint64_t best,
                                  uint32_t *order) {
  const double top = v[best];
  double low = 0, others = 0, sum = 0; /* others: the mass that is not at the best state */
  const far__arc *worst = NULL;        /* the worst arc to another state, by far__arc_before */
  for (size_t k = 0; k < row->count; ++k) {
    const far__arc *arc = &row->arc[k];
    const double x = v[arc->next];
    sum += arc->weight * x;
    if (arc->next == best) continue;
    others += arc->weight;
    if (worst != NULL && (x > low || (x == low && arc->next >= worst->next))) continue;
    low = x;
    worst = arc;
  }
  const double mass = 0.5 * width * row->total; /* to move, in units of the weights */
  if (row->total <= 0 || mass >= others) return top;
  if (mass <= 0) return sum / row->total;
  if (mass <= worst->weight) /* the usual case: no order is needed */
    sum += mass * (top - low);
  else
    sum = far__l1_move(row, mass, sum, v, best, order);
  return far__smaller(top, sum / row->total);
}

/* The bounds of a probability. */
typedef struct far__interval {
  double low, high;
} far__interval;

/* Marks, in `slack`, an outcome that is not among the arcs. */
#define FAR__UNSEEN (-1.0)

/* Outcomes in order of falling value; each that is not among the arcs of a row has a probability of at most `rest`.
 * slack: scratch by outcome, FAR__UNSEEN outside of the functions below. */
typedef struct far__outcomes {
  const uint64_t *order;
  uint64_t count;
  double *slack;
  double rest;
} far__outcomes;

static inline void far__outcomes_mark(const far__outcomes *o, const far__row *row,
                                      const far__interval *box) {
  for (size_t k = 0; k < row->count; ++k) o->slack[row->arc[k].next] = box[k].high - box[k].low;
}

static inline void far__outcomes_clear(const far__outcomes *o, const far__row *row) {
  for (size_t k = 0; k < row->count; ++k) o->slack[row->arc[k].next] = FAR__UNSEEN;
}

/* Gives every arc its least, and the rest of 1 to the best outcomes first, to no more than `unseen` of the unseen
 * ones. */
static inline double far__outcomes_fill(const far__outcomes *o, const far__row *row,
                                        const far__interval *box, const double *v,
                                        uint64_t unseen) {
  double mass = 1, sum = 0;
  for (size_t k = 0; k < row->count; ++k) {
    sum += box[k].low * v[row->arc[k].next];
    mass -= box[k].low;
  }
  for (uint64_t k = 0; k < o->count && mass > 0x1p-52; ++k) { /* less is rounding */
    const uint64_t y = o->order[k];
    const bool outside = o->slack[y] == FAR__UNSEEN;
    if (outside && unseen == 0) continue;
    unseen -= outside;
    const double room = outside ? o->rest : o->slack[y], given = mass < room ? mass : room;
    sum += given * v[y];
    mass -= given;
  }
  return sum;
}

/* The maximum of p.v over distributions p with box[k].low <= p <= box[k].high on the arcs and p <= rest
 * on all other outcomes. */
static inline double far__intervals_best(const far__row *row, const far__interval *box,
                                         const far__outcomes *o, const double *v) {
  far__outcomes_mark(o, row, box);
  const double value = far__outcomes_fill(o, row, box, v, UINT64_MAX);
  far__outcomes_clear(o, row);
  return value;
}

/* The most that the unseen outcomes after the first `skip` could add, up to a mass of 1. */
static inline double far__outcomes_beyond(const far__outcomes *o, const double *v, uint64_t skip) {
  double mass = 1, sum = 0;
  for (uint64_t k = 0; k < o->count && mass > 0x1p-52; ++k) {
    const uint64_t y = o->order[k];
    if (o->slack[y] != FAR__UNSEEN || skip > 0) {
      skip -= o->slack[y] == FAR__UNSEEN;
      continue;
    }
    const double given = mass < o->rest ? mass : o->rest;
    sum += given * v[y];
    mass -= given;
  }
  return sum;
}

/* Nearly the maximum of far__intervals_best, with as few unseen outcomes as possible: those are left out that together
 * could add at most kappa, and at most the value itself (Bourel, Maillard & Talebi 2020). Values are at least
 * 0, and mass that finds no outcome is lost. */
static inline double far__intervals_near(const far__row *row, const far__interval *box,
                                         const far__outcomes *o, const double *v, double kappa) {
  far__outcomes_mark(o, row, box);
  uint64_t unseen = o->slack[o->order[0]] == FAR__UNSEEN; /* the best outcome is always included */
  double value = far__outcomes_fill(o, row, box, v, unseen);
  for (;;) {
    const double beyond = far__outcomes_beyond(o, v, unseen);
    if (beyond <= kappa && beyond <= value) break;
    unseen += 1;
    value = far__outcomes_fill(o, row, box, v, unseen);
  }
  far__outcomes_clear(o, row);
  return value;
}

/* Moves the `wanted` best of `count` states behind the others, the best last: by value, ties by the
 * lowest number. */
static inline void far__order_best(uint64_t *order, uint64_t count, uint64_t wanted,
                                   const double *v) {
#define FAR__BEFORE(i, j) (v[i] > v[j] || (v[i] == v[j] && (i) < (j)))
  const uint64_t build = count / 2;
  for (uint64_t phase = 0; phase < build + wanted; ++phase) {
    uint64_t end = count, at = build - 1 - phase;
    if (phase >= build) { /* the heap is built: its root is the best remaining state */
      end = count - 1 - (phase - build);
      const uint64_t best = order[0];
      order[0] = order[end];
      order[end] = best;
      at = 0;
    }
    const uint64_t item = order[at];
    for (uint64_t child; (child = 2 * at + 1) < end; at = child) {
      if (child + 1 < end && FAR__BEFORE(order[child + 1], order[child])) ++child;
      if (!FAR__BEFORE(order[child], item)) break;
      order[at] = order[child];
    }
    order[at] = item;
  }
#undef FAR__BEFORE
}

/* Sorts `count` states by falling value, ties by number: heap sort. */
static inline void far__order_by_value(uint64_t *order, uint64_t count, const double *v) {
#define FAR__AFTER(i, j) (v[i] < v[j] || (v[i] == v[j] && (i) > (j)))
  for (uint64_t phase = count / 2 + count; phase-- > 1;) {
    uint64_t end = count, at = phase - count;
    if (phase < count) { /* the heap is built: its root, the last state, moves behind it */
      const uint64_t last = order[0];
      order[0] = order[phase];
      order[phase] = last;
      end = phase;
      at = 0;
    }
    const uint64_t item = order[at];
    for (uint64_t child; (child = 2 * at + 1) < end; at = child) {
      if (child + 1 < end && FAR__AFTER(order[child + 1], order[child])) ++child;
      if (!FAR__AFTER(order[child], item)) break;
      order[at] = order[child];
    }
    order[at] = item;
  }
#undef FAR__AFTER
}

#endif
