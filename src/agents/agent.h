/* What an algorithm implements, and the block of memory that is an agent.
 *
 * Layout of the block: this header, then the algorithm's parameter struct, then its state. The
 * state is all that an algorithm may write after init, and all that is saved besides the header.
 */
#ifndef FAR_AGENTS_AGENT_H
#define FAR_AGENTS_AGENT_H

#include "base/spec.h"
#include "farsight/agent.h"
#include "farsight/random.h"

struct far_agent {
  uint64_t state_offset; /* from the start of the block */
  uint64_t state_size;   /* bytes */
  uint64_t type;         /* index into the list of algorithms */
  far_shape shape;       /* widened to contain 0 if episodic */
  int64_t t;             /* transitions observed */
  far_rng rng;
  char spec[FAR__SPEC_TEXT];
};

typedef struct far__advice {
  far_warn_fn *warn;
  void *user;
} far__advice;

/* All hooks must be there. `params` is the algorithm's own parameter struct. */
typedef struct far__agent_type {
  far_type_info info;
  size_t params_size;

  /* fills in derived parameters, hides what does not apply, checks what goes together */
  far_status (*resolve)(far__spec *spec, const far_shape *shape, far_error *error);

  /* says what the parameters cost in learning or guarantee */
  void (*advise)(const far__spec *spec, const far_shape *shape, const far__advice *advice);

  /* bytes of state for a number of pairs and states that is known not to overflow when
   * multiplied by 64; a multiple of 8 */
  size_t (*state_size)(const far_shape *shape);

  void (*init)(far_agent *agent); /* the state is zeroed before */
  uint32_t (*act)(far_agent *agent, uint32_t s);
  void (*observe)(far_agent *agent, const far_transition *step);
  bool (*value)(const far_agent *agent, far_value kind, size_t pair, double *out);

  /* could this state have come from running? A file may claim anything. */
  bool (*valid)(const far_agent *agent);
} far__agent_type;

enum far__agent_index {
#define FAR_AGENT(name) FAR__AGENT_##name,
#include "agents/agents.def"
#undef FAR_AGENT
  FAR__AGENT_COUNT
};

#define FAR_AGENT(name) extern const far__agent_type far__##name;
#include "agents/agents.def"
#undef FAR_AGENT

static inline const void *far__agent_params(const far_agent *agent) {
  return (const unsigned char *)agent + sizeof *agent;
}

static inline void *far__agent_state(far_agent *agent) {
  return (unsigned char *)agent + agent->state_offset;
}

const far__agent_type *far__agent_type_of(const far_agent *agent);

/* Whole bytes of the block. */
size_t far__agent_size(const far_agent *agent);

#endif
