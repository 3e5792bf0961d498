/* What UCRL2B and UCRL3 share: confidence sets that are intervals, one for the mean reward of a pair, one for the probability
 * of each successor. They are computed when an episode begins, for the pairs that were visited in the last. */
#ifndef FAR_AGENTS_INTERVALS_H
#define FAR_AGENTS_INTERVALS_H

#include "agents/average.h"

/* Further words: the plan's gain, then the sum of squared deviations of every pair's rewards.
 * Memo: for every pair the greatest reward, the greatest probability of an unseen state, and the visits for
 * which they were made; intervals of all arcs, by their place in the pool. Scratch: slack and order of the
 * states. */
typedef struct intervals {
  double *reward, *rest, *visits;
  far__interval *box;
  double *slack;
  uint64_t *order;
} intervals;

intervals intervals_of(const average *u);

/* The sum of squared deviations of a pair's rewards from their mean. */
double *intervals_spread(const average *u, size_t pair);

/* The hook `prepare` of a rule: lists the states, marks all as unseen, and lets `fill` make reward, rest and box
 * of every pair that has been visited since they were made. */
typedef void intervals_fill(const average *u, const intervals *x, size_t pair);
void intervals_prepare(average *u, intervals_fill *fill);

/* The hooks `begin` and `backup` of a rule, and what enters a transition. */
void intervals_begin(average *u);
double intervals_backup(const average *u, size_t pair);
void intervals_enter(average *u, size_t pair, double reward);

/* ---- hooks of an agent ---- */

size_t intervals_state_size(const far_shape *shape, const void *params);
size_t intervals_need(const far_agent *agent);
size_t intervals_memo_need(const far_agent *agent);
bool intervals_valid(const far_agent *agent);

#endif
