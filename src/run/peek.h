/* Creates the agent of a cell. Agents never see the model: the optimal policy for one that peeks is computed here. */
#ifndef FAR_RUN_PEEK_H
#define FAR_RUN_PEEK_H

#include "base/stop.h"
#include "farsight/run.h"

/* The agent of a cell, on the stream (0, 0), as far_agent_create_on creates it; CANCELLED if `stop`
 * (which may be NULL) fires while the model is solved. CONFLICT for an agent that peeks in a simulator. */
far_status far__agent_create_on(far_agent **out, const far_cell *cell, far__stop *stop,
                                far_error *error);

/* The same without solving the model, at the cost of a sweep at most: an agent that peeks has no policy yet, but fails
 * if the model has none of the kind that it needs. */
far_status far__agent_try_on(far_agent **out, const far_cell *cell, far_error *error);

#endif
