/* What policies that need no learning earn: the ends of a scale for agents. */
#ifndef FARSIGHT_CLI_POLICIES_H
#define FARSIGHT_CLI_POLICIES_H

#include <farsight/farsight.h>

/* The exact average reward of the best policy, times the steps; NAN where there is not one average
 * reward for all starts, or where Ctrl-C left no time for it. */
double best_total(const far_mdp *mdp, int64_t steps);

/* The same of the policy that takes every action with the same probability. */
double random_total(const far_mdp *mdp, int64_t steps);

#endif
