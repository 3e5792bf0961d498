/* What an agent's parameters take from the problem: its discount, and how long the run lasts. */
#ifndef FAR_AGENTS_PROBLEM_H
#define FAR_AGENTS_PROBLEM_H

#include "agents/agent.h"
#include "base/spec.h"
#include "farsight/base.h"

/* The word in place of a discount for one that is shortened to what the data of the run allow. */
#define FAR__SHORT "short"

/* Fills in `gamma` and `steps`, if the type has them and the text does not give them; before the type's own resolve.
 * CONFLICT if preset=theory is given with another discount than the problem's, if that is known: its theorem is about the
 * problem. */
far_status far__take_problem(far__spec *spec, const far_shape *shape, far_error *error);

/* The discount that looks no further ahead than the data reach: 1 - 1/H with as many samples of a pair for each of
 * the H steps as FAR__SHORT_SAMPLES says, and H no shorter than FAR__SHORT_NEAREST and no longer than FAR__SHORT_FURTHEST,
 * the problem's own horizon and 1/(1-gamma) of the problem. */
enum { FAR__SHORT_SAMPLES = 25, FAR__SHORT_NEAREST = 3, FAR__SHORT_FURTHEST = 20 };
double far__short_gamma(const far_shape *shape, int64_t steps);

/* A note, FAR_WARNING_PLANNING, if the agent solves another problem than the one that it is given. */
void far__advise_discount(const far__spec *spec, const far_shape *shape, const far__advice *advice);

#endif
