/* Registered agents: between a definition and the rest of the library, for which it is an agent like any other. The instance
 * belongs to the definition; the agent's block holds parameters only. A failure of a hook is kept until the next reset, since
 * `act` and the readers cannot report one. */
#ifndef FAR_AGENTS_GUEST_H
#define FAR_AGENTS_GUEST_H

#include "agents/agent.h"
#include "farsight/agent.h"

struct far__guest {
  const far_agent_def *def;
  void *instance; /* NULL: could not be made again */
  uint64_t replicate;
  far_error failure; /* FAR_OK in its code: none */
};

/* The hooks of every registered agent; registering fills in `info`, `params_size` and `def`. */
extern const far__agent_type far__guest_type;

/* Registered agent i, or NULL; they are numbered in the order of their registration. */
const far__agent_type *far__registered(size_t i);

/* Does a spec name a registered agent? */
bool far__is_registered(const char *spec);

/* Has a later one the name of registered agent i? i must be below their number. */
bool far__is_replaced(size_t i);

/* Gives a new agent its instance. */
far_status far__guest_create(far_agent *agent, const far_agent_def *def, uint64_t seed,
                             uint64_t replicate, far_error *error);
void far__guest_reset(far_agent *agent, uint64_t seed, uint64_t replicate);
far_status far__guest_clone(far_agent *copy, const far_agent *agent, far_error *error);
void far__guest_free(far__guest *guest); /* NULL is fine */

/* What its instance would save, in the words of `out`'s pool: a copy of the handle whose block the
 * caller frees. */
far_status far__guest_freeze(far_agent *out, const far_agent *agent, far_error *error);

/* Puts the instance into the state that the pool holds, and empties the pool. */
far_status far__guest_thaw(far_agent *agent, far_error *error);

#endif
