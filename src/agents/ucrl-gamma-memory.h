/* Where UCRL-gamma keeps its numbers: the words of its state, and what it keeps for speed alone. The algorithm is in
 * ucrl-gamma.c.
 *
 * What is kept are the intervals of every row, and the outcomes in falling order of their values. A row gives what its least
 * probabilities leave to the best outcomes, so that only as many of these are put in order as the row that takes most of them
 * may need. */
#ifndef FAR_AGENTS_UCRL_GAMMA_MEMORY_H
#define FAR_AGENTS_UCRL_GAMMA_MEMORY_H

#include <string.h>

#include "agents/learner.h"
#include "solve/plan/optimistic.h"

/* Own words: steps until the next plan (0: none is due), then the visits of every pair at the last plan. */
typedef struct boxes {
  learner l;
  learner_memo
      memo; /* numbers: the greatest mean reward, the greatest probability of an outcome never seen */
  int64_t *wait;
  double *base;
} boxes;

static inline boxes boxes_of(far_agent *agent) {
  boxes b = {.l = learner_of(agent)};
  b.wait = (int64_t *)b.l.own;
  b.base = b.l.own + 1;
  return b;
}

/* The end of the memo. */
typedef struct boxes_kept {
  uint64_t *depth;    /* how many of the best outcomes a row may need ... */
  uint64_t *sorted;   /* ... and how many are in `first` */
  uint64_t *first;    /* the best outcomes as the sweep begins, in falling order of value */
  uint64_t *order;    /* all outcomes */
  double *slack;      /* of outcomes: FAR__UNSEEN between backups */
  uint64_t *counted;  /* marks of pairs that may have been visited since the last plan */
  far__interval *box; /* of all arcs, by their place in the pool */
} boxes_kept;

static inline size_t boxes_fixed_words(const far_shape *shape) {
  return 2 + 3 * ((size_t)shape->n_states + 1) +
         far__marks((size_t)shape->n_states * shape->n_actions);
}

static inline size_t boxes_memo_need(const far_agent *agent) {
  const size_t common = learner_memo_need(agent);
  const size_t arcs = agent->pool_used + learner_growth(agent, 1);
  return common < SIZE_MAX ? common + boxes_fixed_words(&agent->shape) + arcs : SIZE_MAX;
}

/* The part of the memo that grows has a link and a box for each arc: one word and two. */
static inline boxes_kept boxes_kept_of(const learner *l) {
  const far_shape *shape = &l->agent->shape;
  const size_t states = (size_t)shape->n_states + 1;
  const size_t others = LEARNER_NUMBERS * l->n_pairs + boxes_fixed_words(shape) +
                        far__agenda_size(shape->n_states, shape->n_actions, 0);
  const size_t arcs = (l->agent->memo.room - others) / 3;
  boxes_kept k = {.box = (far__interval *)(l->agent->memo.words + l->agent->memo.room) - arcs};
  k.counted = (uint64_t *)k.box - far__marks(l->n_pairs);
  k.slack = (double *)k.counted - states;
  k.order = (uint64_t *)k.slack - states;
  k.first = k.order - states;
  k.sorted = k.first - 1;
  k.depth = k.sorted - 1;
  return k;
}

/* A memo whose contents are gone: no outcomes in order, and every pair may have been visited. */
static inline void boxes_clear(const learner *l) {
  const boxes_kept k = boxes_kept_of(l);
  *k.depth = *k.sorted = 0;
  learner_list_outcomes(l, k.order);
  for (uint64_t y = 0; y <= l->n_states; ++y) k.slack[y] = FAR__UNSEEN;
  memset(k.counted, 0xff, far__marks(l->n_pairs) * sizeof *k.counted);
}

/* After the boxes of a pair have changed: marks it as counted, and makes room in `first` for what its row may need: its own
 * outcomes, and as many unseen ones, of probability `unseen` each, as take all that is left, with room for rounding. */
static inline void boxes_note(const learner *l, const boxes_kept *x, size_t i, double left,
                              double unseen) {
  const double all = learner_outcomes(&l->agent->shape);
  const double others = left > 0 && unseen > 0 ? ceil(left / unseen) : left > 0 ? all : 0;
  const double need = fmin(all, (double)l->pair[i].count + others + 2);
  if (need > (double)*x->depth) *x->depth = (uint64_t)need;
  x->counted[i / FAR__AGENDA_BITS] |= (uint64_t)1 << i % FAR__AGENDA_BITS;
}

/* After a plan: the visits with which it was made. */
static inline void boxes_planned(const boxes *b) {
  const boxes_kept x = boxes_kept_of(&b->l);
  for (size_t i = 0; (i = far__marks_next(x.counted, b->l.n_pairs, i)) != SIZE_MAX; ++i)
    b->base[i] = b->l.pair[i].n;
  memset(x.counted, 0, far__marks(b->l.n_pairs) * sizeof *x.counted);
}

/* Before a sweep: puts the best outcomes in order. Every pair depends on them, and the agenda watches them, since they stay
 * what they are until one of them changes or another rises. */
static inline void boxes_begin(void *context, const double *v) {
  const boxes *b = context;
  const far__agenda *agenda = &b->memo.agenda;
  const boxes_kept x = boxes_kept_of(&b->l);
  if (!agenda->state->rose && *x.depth <= *x.sorted) return;
  const uint64_t count = (uint64_t)learner_outcomes(&b->l.agent->shape);
  far__order_best(x.order, count, *x.depth, v);
  far__agenda_unwatch_all(agenda);
  for (uint64_t k = 0; k < *x.depth; ++k) {
    const uint64_t y = x.order[count - 1 - k];
    if (k < *x.sorted && x.first[k] != y) agenda->state->all = 1;
    x.first[k] = y;
    far__agenda_watch(agenda, (size_t)y);
  }
  *x.sorted = *x.depth;
  agenda->state->rose = 0;
}

#endif
