/* Reward-free exploration: act on the uncertainty of the model until it is small everywhere, then plan with
 * the rewards that were counted on the way. What rf-express and rf-ucrl share. docs/agents.md, "rf-express". */
#ifndef FAR_AGENTS_REWARD_FREE_H
#define FAR_AGENTS_REWARD_FREE_H

#include "agents/certified.h"

/* Own words: 1 once stopped; the uncertainty of (h, s) and the end, and of (h, s, a). */
typedef struct reward_free {
  episodic e;
  far__episodic_problem problem;
  double *w, *of; /* as v and q */
} reward_free;

reward_free reward_free_of(far_agent *agent);

/* The uncertainty of a row of n visits at step h, where `next` is the mean of what follows; and its maximum,
 * that of an untried pair. */
typedef double reward_free_width(const reward_free *f, int64_t h, double n, double next);
typedef double reward_free_top(const reward_free *f, int64_t h);

/* The two that make an algorithm, and what the largest uncertainty of a start can cost, in [0, 1] rewards. */
typedef struct reward_free_rule {
  reward_free_width *width;
  reward_free_top *top;
  double (*loss)(double w);
} reward_free_rule;

void reward_free_begin(far_agent *agent, reward_free_top *top); /* init */
void reward_free_observe(far_agent *agent, const far_transition *step,
                         const reward_free_rule *rule);
bool reward_free_certificate(const far_agent *agent, const reward_free_rule *rule, double *bound);

/* ---- hooks ---- */

size_t reward_free_state_size(const far_shape *shape, const void *params);
uint32_t reward_free_act(far_agent *agent, uint32_t x);
bool reward_free_value(const far_agent *agent, far_value kind, size_t i, double *out); /* q, e, n */
bool reward_free_policy(const far_agent *agent, uint32_t x, double *out);
bool reward_free_valid(const far_agent *agent);

#endif
