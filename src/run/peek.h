/* Making the agent of a cell. Agents never see the model: what one that peeks wants to know is
 * computed and told to it here. */
#ifndef FAR_RUN_PEEK_H
#define FAR_RUN_PEEK_H

#include "base/stop.h"
#include "farsight/run.h"

/* The agent of a cell, on the stream (0, 0): as far_agent_create_on makes it, but CANCELLED if `stop`
 * (which may be NULL) fires while the model is solved. A simulator has no model to peek at: CONFLICT. */
far_status far__agent_create_on(far_agent **out, const far_cell *cell, far__stop *stop,
                                far_error *error);

/* The same as far as it can be told without solving: an agent that peeks knows nothing yet, but whether
 * the model has a policy of the kind that it wants is known. Costs a sweep at most. */
far_status far__agent_try_on(far_agent **out, const far_cell *cell, far_error *error);

#endif
