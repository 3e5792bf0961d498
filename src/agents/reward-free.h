/* Reward-free exploration: act on the uncertainty of the model until it is small everywhere; then plan with the rewards that
 * were counted meanwhile. What rf-express and rf-ucrl share. docs/agents.md, "rf-express". */
#ifndef FAR_AGENTS_REWARD_FREE_H
#define FAR_AGENTS_REWARD_FREE_H

#include "agents/certified.h"

/* Own words: 1 once stopped; w_v; w_q. */
typedef struct reward_free {
  episodic e;
  far__episodic_problem problem;
  double *w_v, *w_q; /* the uncertainty W_h(s) and W_h(s,a), laid out as v and q */
} reward_free;

reward_free reward_free_of(far_agent *agent);

/* The uncertainty of a row of n visits at step h, where `next` is the mean of that of the next step; and the maximum of the
 * uncertainty, which an untried pair has. */
typedef double reward_free_width(const reward_free *f, int64_t h, double n, double next);
typedef double reward_free_top(const reward_free *f, int64_t h);

/* The algorithm: these two, and a bound on the loss by the largest uncertainty of a start, for rewards in [0, 1]. */
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
