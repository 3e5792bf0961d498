/* What the library's own loops and tables ask of an agent. */
#ifndef FAR_AGENTS_FACTS_H
#define FAR_AGENTS_FACTS_H

#include "base/export.h"
#include "farsight/agent.h"
#include "farsight/base.h"

/* Does its policy depend on the step? One that takes no notice of the horizon, a stationary one, learns
 * from a cut step as from any other: it assumes that the episode goes on. */
FAR_LAB bool far__agent_by_step(const far_agent *agent);

/* The memory that an agent made from this spec takes on this shape, in bytes: at first, one that learns a
 * model grows. Nothing is created. Fails as far_agent_create does. */
far_status far__agent_bytes(size_t *out, const char *spec, const far_shape *shape,
                            far_error *error);

/* far__agent_bytes with the text read already. */
size_t far__spec_bytes(const far_spec *spec);

#endif
