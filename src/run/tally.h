/* Tallies: metrics that follow from the transitions of a run alone, as functions that threads call in hooks of
 * metrics and devices in their loops. Nothing here allocates or calls the library.
 *
 * CUDA compiles this as C++20.
 */
#ifndef FAR_RUN_TALLY_H
#define FAR_RUN_TALLY_H

#include "farsight/agent.h"

typedef enum far__tally_kind {
  FAR__TALLY_EPISODES,
  FAR__TALLY_RETURN,
  FAR__TALLY_LENGTH,
  FAR__TALLY_SUCCESS,
  FAR__TALLY_EARNED,
  FAR__TALLY_REGRET, /* against the best average reward */
  FAR__TALLY_COVERAGE
} far__tally_kind;

/* A tally of a cell, shared by all its runs. */
typedef struct far_tally {
  far__tally_kind kind;
  uint32_t n_actions;
  double level;   /* of a success; reward a step to be earned; gain; states or pairs to visit */
  size_t n_marks; /* bytes of marks on visited states or pairs */
  bool flag;      /* success: by the return; coverage: of pairs */
} far_tally;

/* The counts of a run so far; all 0 at its beginning. */
typedef struct far__count {
  double open;  /* the undiscounted return of the open episode, or its steps */
  double total; /* of all steps, for `earned` */
  double sum, number;
} far__count;

/* Does the step end an episode, by a terminal state or a cut? */
static inline FAR_DEVICE bool far__tally_ends(const far_transition *step) {
  return step->done || step->cut;
}

/* Adds `worth` for a step. If the step ends the episode, *total is the episode's sum, and the next one begins. */
static inline FAR_DEVICE bool far__tally_episode(far__count *x, const far_transition *step,
                                                 double worth, double *total) {
  x->open += worth;
  *total = x->open;
  if (!far__tally_ends(step)) return false;
  x->open = 0;
  return true;
}

static inline FAR_DEVICE void far__tally_mean(far__count *x, const far_transition *step,
                                              double worth) {
  double total;
  if (!far__tally_episode(x, step, worth, &total)) return;
  x->sum += total;
  x->number += 1;
}

/* The last reward counts only where a terminal state was reached: a cut step may pay as much. */
static inline FAR_DEVICE void far__tally_success(const far_tally *c, far__count *x,
                                                 const far_transition *step) {
  double total;
  if (!far__tally_episode(x, step, step->r, &total)) return;
  x->sum += c->flag ? total >= c->level : step->done && step->r >= c->level;
  x->number += 1;
}

/* Counts a step of `earned`; t steps have been made. */
static inline FAR_DEVICE void far__tally_earned(const far_tally *c, far__count *x,
                                                const far_transition *step, int64_t t) {
  x->total += step->r;
  if (x->total < c->level * (double)t) x->number = (double)t;
}

static inline FAR_DEVICE void far__tally_coverage(const far_tally *c, far__count *x, uint8_t *marks,
                                                  const far_transition *step) {
  const size_t i = c->flag ? (size_t)step->s * c->n_actions + step->a : step->s;
  x->number += !marks[i];
  marks[i] = 1;
}

/* Counts step t, from 1. */
static inline FAR_DEVICE void far__tally_step(const far_tally *c, far__count *x, uint8_t *marks,
                                              const far_transition *step, int64_t t) {
  switch (c->kind) {
  case FAR__TALLY_EPISODES: x->number += far__tally_ends(step); break;
  case FAR__TALLY_RETURN: far__tally_mean(x, step, step->r); break;
  case FAR__TALLY_LENGTH: far__tally_mean(x, step, 1); break;
  case FAR__TALLY_SUCCESS: far__tally_success(c, x, step); break;
  case FAR__TALLY_EARNED: far__tally_earned(c, x, step, t); break;
  case FAR__TALLY_REGRET: x->sum += c->level - step->r; break;
  case FAR__TALLY_COVERAGE: far__tally_coverage(c, x, marks, step); break;
  }
}

/* The metric's number. */
static inline FAR_DEVICE double far__tally_value(const far_tally *c, const far__count *x) {
  switch (c->kind) {
  case FAR__TALLY_EPISODES:
  case FAR__TALLY_EARNED: return x->number;
  case FAR__TALLY_RETURN:
  case FAR__TALLY_LENGTH: return x->number > 0 ? x->sum / x->number : x->open;
  case FAR__TALLY_SUCCESS: return x->number > 0 ? x->sum / x->number : 0;
  case FAR__TALLY_REGRET: return x->sum;
  case FAR__TALLY_COVERAGE: return x->number / c->level;
  }
  return 0;
}

/* ---- several tallies at once ---- */

/* The tallies of one run: counts are `stride` apart; marks of one tally follow those of the one before. */
typedef struct far__tallies {
  const far_tally *tally;
  size_t n, stride;
  far__count *count;
  uint8_t *marks;
} far__tallies;

static inline FAR_DEVICE void far__tallies_begin(const far__tallies *x) {
  size_t marks = 0;
  for (size_t k = 0; k < x->n; ++k) {
    const far__count none = {0, 0, 0, 0};
    x->count[k * x->stride] = none;
    marks += x->tally[k].n_marks;
  }
  for (size_t i = 0; i < marks; ++i) x->marks[i] = 0;
}

static inline FAR_DEVICE void far__tallies_step(const far__tallies *x, const far_transition *step,
                                                int64_t t) {
  uint8_t *marks = x->marks;
  for (size_t k = 0; k < x->n; ++k) {
    far__tally_step(&x->tally[k], &x->count[k * x->stride], marks, step, t);
    marks += x->tally[k].n_marks;
  }
}

#endif
