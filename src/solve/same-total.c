/* Recognises models in which the total reward of a run does not show whether an agent has learned: on cliff-walking each
 * step costs 1 and a new episode follows each that ends, so that an agent that never moves has the highest total, too.
 *
 * Two sufficient conditions are checked by passes over the model; only live states count, and an episode must be
 * able to end. Let R be the highest reward of all.
 *  - Every reward is R: all policies have the total R t after t steps.
 *  - In every state some action surely pays R and surely does not end the episode: by these actions a run never reaches a
 *    terminal state and has R t, the maximum. This is reported only where another action that surely pays R can end
 *    the episode: elsewhere ending it may cost something, and avoiding that is worth the best total. */
#include <math.h> /* only for INFINITY */
#include <stdio.h>

#include "solve/parts.h"

/* Rewards and ends among the outcomes of one or more pairs. */
typedef struct outcomes {
  double least, most;
  bool done; /* is one of them an end? */
} outcomes;

static outcomes of_pair(const far_mdp *mdp, uint32_t s, uint32_t a) {
  outcomes x = {INFINITY, -INFINITY, false};
  size_t count;
  const far_outcome *o = far_mdp_outcomes(mdp, s, a, &count);
  for (size_t k = 0; k < count; ++k) {
    if (o[k].reward < x.least) x.least = o[k].reward;
    if (o[k].reward > x.most) x.most = o[k].reward;
    x.done |= o[k].done;
  }
  return x;
}

static outcomes of_all(const far_mdp *mdp, const far_shape *shape) {
  outcomes all = {INFINITY, -INFINITY, false};
  for (uint32_t s = 0; s < shape->n_states; ++s)
    for (uint32_t a = 0; a < shape->n_actions && far_shape_is_live(shape, s); ++a) {
      const outcomes x = of_pair(mdp, s, a);
      if (x.least < all.least) all.least = x.least;
      if (x.most > all.most) all.most = x.most;
      all.done |= x.done;
    }
  return all;
}

/* Does every state have an action that surely pays `reward` and does not end the episode, and some state one that
 * surely pays it and can end it? */
static bool may_stay(const far_mdp *mdp, const far_shape *shape, double reward) {
  bool end = false;
  for (uint32_t s = 0; s < shape->n_states; ++s) {
    if (!far_shape_is_live(shape, s)) continue;
    bool stay = false;
    for (uint32_t a = 0; a < shape->n_actions; ++a) {
      const outcomes x = of_pair(mdp, s, a);
      stay |= x.least == reward && !x.done;
      end |= x.least == reward && x.done;
    }
    if (!stay) return false;
  }
  return end;
}

bool far__mdp_same_total(char out[FAR__SAME_TOTAL_SIZE], const far_mdp *mdp) {
  const far_shape shape = far_mdp_shape(mdp);
  if (!shape.episodic) return false;
  const outcomes all = of_all(mdp, &shape);
  const char *who = all.least == all.most ? "every policy has the same"
                    : may_stay(mdp, &shape, all.most)
                        ? "a policy that never reaches a terminal state has the highest"
                        : NULL;
  if (who == NULL || !all.done) return false;
  snprintf(out, FAR__SAME_TOTAL_SIZE,
           "%s total reward, %.6g a step: the metrics episodes and return tell agents apart", who,
           all.most);
  return true;
}
