/* The pairs that are due for a backup, so that sweeps skip those whose backup would give the same number again.
 *
 * A backup depends on the row of its pair and on the values of that row's successors. Where none of them has
 * changed by a bit since the last backup, q is what the backup would give. So sweeps over the due pairs give the
 * values of full sweeps, to the last bit, if every change makes the pairs due that depend on it: the owner adds the
 * pair whose row has changed, and far__agenda_moved the predecessors of a state whose value has.
 *
 * Where most pairs are due, finding them costs more than backing up all: `all` is then set, and the
 * agenda is filled again after a sweep that moved few values.
 */
#ifndef FAR_SOLVE_PLAN_AGENDA_H
#define FAR_SOLVE_PLAN_AGENDA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A predecessor of an outcome, and the one before it in its list. */
typedef struct far__link {
  uint32_t pair, before;
} far__link;

typedef struct far__agenda_state {
  uint64_t all;   /* is every pair due? Then the marks are not used */
  uint64_t rose;  /* did a value rise, or a watched one change, since the owner set it to 0? */
  uint64_t links; /* in use; link 0 is none */
} far__agenda_state;

/* A view of memory that the owner keeps. */
typedef struct far__agenda {
  far__agenda_state *state;
  uint64_t *due;     /* marks of pairs ... */
  uint64_t *some;    /* ... and of the words of `due` that are not 0 */
  uint64_t *moved;   /* marks of states: values that changed in a sweep over all pairs */
  uint64_t *watched; /* marks of outcomes on which all pairs depend */
  uint32_t *last;    /* of each outcome: its list of predecessors, 0 for none */
  far__link *link;
  size_t n_pairs, n_states, n_actions;
} far__agenda;

enum { FAR__AGENDA_BITS = 64 };

static inline size_t far__marks(size_t n) {
  return n / FAR__AGENDA_BITS + 1;
}

/* The words of an agenda with room for `links`. */
static inline size_t far__agenda_size(size_t n_states, size_t n_actions, size_t links) {
  const size_t marks = far__marks(n_states * n_actions);
  return sizeof(far__agenda_state) / 8 + marks + far__marks(marks) + 2 * far__marks(n_states + 1) +
         n_states / 2 + 1 + links + 1;
}

static inline far__agenda far__agenda_at(uint64_t *words, size_t n_states, size_t n_actions) {
  far__agenda a = {.n_states = n_states, .n_actions = n_actions, .n_pairs = n_states * n_actions};
  a.state = (far__agenda_state *)words;
  a.due = words + sizeof(far__agenda_state) / 8;
  a.some = a.due + far__marks(a.n_pairs);
  a.moved = a.some + far__marks(far__marks(a.n_pairs));
  a.watched = a.moved + far__marks(n_states + 1);
  a.last = (uint32_t *)(a.watched + far__marks(n_states + 1));
  a.link = (far__link *)(a.last + (n_states / 2 + 1) * 2);
  return a;
}

/* Removes all links, and makes every pair due. */
static inline void far__agenda_clear(const far__agenda *a) {
  memset(a->state, 0, (size_t)((unsigned char *)a->link - (unsigned char *)a->state));
  a->state->all = a->state->rose = a->state->links = 1;
}

/* Records that outcome y can follow the pair. */
static inline void far__agenda_link(const far__agenda *a, size_t pair, size_t y) {
  const uint64_t at = a->state->links++;
  a->link[at] = (far__link){(uint32_t)pair, a->last[y]};
  a->last[y] = (uint32_t)at;
}

static inline void far__agenda_add(const far__agenda *a, size_t pair) {
  const size_t word = pair / FAR__AGENDA_BITS;
  a->due[word] |= (uint64_t)1 << pair % FAR__AGENDA_BITS;
  a->some[word / FAR__AGENDA_BITS] |= (uint64_t)1 << word % FAR__AGENDA_BITS;
}

static inline void far__agenda_remove(const far__agenda *a, size_t pair) {
  const size_t word = pair / FAR__AGENDA_BITS;
  a->due[word] &= ~((uint64_t)1 << pair % FAR__AGENDA_BITS);
  if (a->due[word] == 0)
    a->some[word / FAR__AGENDA_BITS] &= ~((uint64_t)1 << word % FAR__AGENDA_BITS);
}

/* The first mark from `from` on; SIZE_MAX: none of the n. */
static inline size_t far__marks_next(const uint64_t *marks, size_t n, size_t from) {
  if (from >= n) return SIZE_MAX;
  size_t word = from / FAR__AGENDA_BITS;
  uint64_t rest = marks[word] & ~(uint64_t)0 << from % FAR__AGENDA_BITS;
  while (rest == 0) {
    if (++word >= far__marks(n)) return SIZE_MAX;
    rest = marks[word];
  }
  return word * FAR__AGENDA_BITS + (size_t)__builtin_ctzll(rest);
}

/* The first due pair from `from` on; SIZE_MAX: none. */
static inline size_t far__agenda_next(const far__agenda *a, size_t from) {
  const size_t word = from / FAR__AGENDA_BITS;
  if (from >= a->n_pairs) return SIZE_MAX;
  const uint64_t rest = a->due[word] & ~(uint64_t)0 << from % FAR__AGENDA_BITS;
  if (rest != 0) return word * FAR__AGENDA_BITS + (size_t)__builtin_ctzll(rest);
  const size_t next = far__marks_next(a->some, far__marks(a->n_pairs), word + 1);
  if (next == SIZE_MAX) return SIZE_MAX;
  return next * FAR__AGENDA_BITS + (size_t)__builtin_ctzll(a->due[next]);
}

static inline void far__agenda_watch(const far__agenda *a, size_t y) {
  a->watched[y / FAR__AGENDA_BITS] |= (uint64_t)1 << y % FAR__AGENDA_BITS;
}

static inline void far__agenda_unwatch_all(const far__agenda *a) {
  memset(a->watched, 0, far__marks(a->n_states + 1) * sizeof *a->watched);
}

static inline bool far__agenda_watches(const far__agenda *a, size_t y) {
  return a->watched[y / FAR__AGENDA_BITS] >> y % FAR__AGENDA_BITS & 1;
}

/* Makes the predecessors of s due, whose value has changed; all pairs if s is watched. */
static inline void far__agenda_moved(const far__agenda *a, size_t s, bool rises) {
  if (far__agenda_watches(a, s)) {
    for (size_t i = 0; i < a->n_pairs; ++i) far__agenda_add(a, i);
    rises = true;
  }
  if (rises) a->state->rose = 1;
  for (uint32_t at = a->last[s]; at != 0; at = a->link[at].before)
    far__agenda_add(a, a->link[at].pair);
}

/* For a sweep over all pairs: clears the marks of states that moved, and marks s if it did. */
static inline void far__agenda_unmark(const far__agenda *a) {
  memset(a->moved, 0, far__marks(a->n_states + 1) * sizeof *a->moved);
}

static inline void far__agenda_mark(const far__agenda *a, size_t s, bool moves) {
  a->moved[s / FAR__AGENDA_BITS] |= (uint64_t)moves << s % FAR__AGENDA_BITS;
}

/* After a sweep over all pairs, which has marked the states that moved: due are those of their predecessors
 * that come before them in the order of the sweep (or are their own). Nothing changes if many states moved. */
static inline void far__agenda_refill(const far__agenda *a, size_t n_moved) {
  a->state->rose = 1;
  if (n_moved > a->n_states / 4) return;
  memset(a->due, 0, far__marks(a->n_pairs) * sizeof *a->due);
  memset(a->some, 0, far__marks(far__marks(a->n_pairs)) * sizeof *a->some);
  for (size_t s = 0; (s = far__marks_next(a->moved, a->n_states, s)) != SIZE_MAX; ++s) {
    if (far__agenda_watches(a, s)) return;
    for (uint32_t at = a->last[s]; at != 0; at = a->link[at].before)
      if (a->link[at].pair < (s + 1) * a->n_actions) far__agenda_add(a, a->link[at].pair);
  }
  a->state->all = 0;
}

#endif
