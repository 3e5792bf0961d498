/* What policies that need no learning earn (farsight/solve.h), as long as nobody presses Ctrl-C. */
#ifndef FARSIGHT_CLI_POLICIES_H
#define FARSIGHT_CLI_POLICIES_H

#include <farsight/farsight.h>

/* far_solve_best_total; also NAN where Ctrl-C left no time for it. */
double best_total(const far_mdp *mdp, int64_t steps);

/* far_solve_random_total, likewise. */
double random_total(const far_mdp *mdp, int64_t steps);

#endif
