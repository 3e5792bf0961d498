/* Optimists for average reward whose sets are intervals: one for the mean reward of a pair, one for
 * the probability of each successor (UCRL2B, UCRL3). The intervals are made once an episode. */
#ifndef FAR_AGENTS_INTERVALS_H
#define FAR_AGENTS_INTERVALS_H

#include "agents/average.h"

/* Further words: the plan's gain, then what the rewards of every pair vary by. */

/* Scratch: the greatest reward and the greatest probability of an unseen state, for every pair; slack
 * and order of the states; intervals of all arcs, by their place in the pool. */
typedef struct intervals {
  double *reward, *rest, *slack;
  uint64_t *order;
  far__interval *box;
} intervals;

intervals intervals_of(const average *u);

/* The sum of squared deviations of a pair's rewards from their mean. */
double *intervals_spread(const average *u, size_t pair);

/* Lists the states and marks all as unseen; the agent's `prepare` then fills reward, rest, box. */
intervals intervals_prepare(average *u);

/* The hooks `begin` and `backup` of a rule, and what enters a transition. */
void intervals_begin(average *u);
double intervals_backup(const average *u, size_t pair);
void intervals_enter(average *u, size_t pair, double reward);

/* ---- hooks of an agent ---- */

size_t intervals_state_size(const far_shape *shape, const void *params);
size_t intervals_need(const far_agent *agent);
bool intervals_valid(const far_agent *agent);

#endif
