/* Rows of learned transitions, for every agent that learns a model: of every pair the visits, the sum
 * of its rewards, and the successors with counts in the order of first sight. Rows live in the agent's
 * pool; a full row moves to a place twice as large. The end of an episode is one more successor, number
 * n_states. */
#ifndef FAR_AGENTS_ROWS_H
#define FAR_AGENTS_ROWS_H

#include "agents/agent.h"
#include "solve/plan/row.h"

typedef struct learner_pair {
  double n, sum;               /* visits that entered the model, and their shifted rewards */
  uint64_t first, count, room; /* the row's place in the pool, in arcs */
} learner_pair;

/* The number of possible outcomes of a step: the live states, and the end where there is one. */
static inline double learner_outcomes(const far_shape *shape) {
  return (double)far_shape_live(shape) + (shape->episodic ? 1 : 0);
}

/* Is a state live, or the end and that an outcome? */
static inline bool rows_can_follow(const far_shape *shape, uint64_t y) {
  return y < shape->n_states ? far_shape_is_live(shape, (uint32_t)y) : shape->episodic;
}

/* Enters a transition into a pair's row; `next` may be the end. `largest`, which is part of the agent's
 * state, is the room of the largest row. */
void rows_add(far_agent *agent, uint64_t *largest, learner_pair *pair, uint64_t next,
              double reward);

/* Enters all that `from` has seen into `into`, as if its transitions followed. */
void rows_merge(far_agent *agent, uint64_t *largest, learner_pair *into, const learner_pair *from);

/* The room of a row when it is first used; it doubles whenever it is full. Arcs that are not in use yet are 0. */
enum { ROWS_FIRST_ROOM = 2 };

/* Pool words that `adds` transitions may take; a merge counts as ROWS_MERGE of them. */
enum { ROWS_MERGE = 4 };
size_t rows_growth(uint64_t largest, size_t adds);

/* Could these rows have come from running, with rewards in [0, range] and at most one visit of all
 * pairs together in a step? */
bool rows_valid(const far_agent *agent, uint64_t largest, const learner_pair *pair, size_t n_pairs,
                double range);

#endif
