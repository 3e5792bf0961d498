/* What an algorithm implements, and the memory that is an agent.
 *
 * An agent is a handle and one flat block without pointers: the algorithm's parameter struct, its
 * state, and a pool that grows at its end. State and used pool are all that an algorithm may write
 * after init, and all that is saved besides the handle; both are made of 8-byte words.
 *
 * The pool serves algorithms that learn a sparse model. Their `pool_need` says how many words the
 * next observe may take from it, or use as scratch behind what is taken; the driver makes room
 * before, where failing is allowed. So act and observe themselves never allocate and never fail.
 * Growing may move the block: no address in it may be kept from one step to the next.
 */
#ifndef FAR_AGENTS_AGENT_H
#define FAR_AGENTS_AGENT_H

#include "base/spec.h"
#include "base/stop.h"
#include "farsight/agent.h"
#include "farsight/base.h"

/* What an algorithm could compute again from its state, kept between steps for speed alone: it is neither saved nor copied, and
 * must never change a result. Its contents are lost where `holds` is false: at first, after a reset, and after growing. */
typedef struct far__memo {
  uint64_t *words;
  size_t room;
  bool holds;
} far__memo;

typedef struct far__guest far__guest; /* what a registered agent has instead of a state */

struct far_agent {
  unsigned char *block;
  size_t state_offset; /* from the start of the block; the pool follows the state */
  size_t state_size;   /* bytes */
  size_t pool_used;    /* words ... */
  size_t pool_room;    /* ... of this many */
  size_t type;         /* index into the list of algorithms */
  far_shape shape;     /* widened to contain 0 if episodic; its `absent` is the agent's own */
  uint32_t n_live;     /* live states of that shape */
  bool promises;       /* its parameters carry the guarantee: `advise` has nothing against it */
  int64_t t;           /* transitions observed */
  int64_t h;           /* of these, in the present episode; 0 where there is no horizon */
  far_rng rng;
  far__memo memo;
  far__guest *guest; /* NULL: one of the library's own */
  far__stop *stop;   /* ends plans early; NULL: never. It belongs to the run */
  char spec[FAR__SPEC_TEXT];
};

typedef struct far__advice {
  far_warn_fn *warn;
  void *user;
} far__advice;

/* May be NULL: pool_need, memo_need, local, certificate, stopped, peek_discount, set_policy. `params` is the algorithm's own parameter
 * struct. */
typedef struct far__agent_type {
  far_type_info info;
  size_t params_size;
  /* Its policy depends on the step of the episode. Then `act` and `policy` are given the *timed state*
   * h S + s in place of s, and `value` the pair (h S + s) A + a; h is 0 where there is no horizon.
   * `observe` sees the plain step, and agent->h. */
  bool by_step;

  /* fills in derived parameters, hides what does not apply, checks what goes together */
  far_status (*resolve)(far__spec *spec, const far_shape *shape, far_error *error);

  /* says what the parameters cost in learning or guarantee */
  void (*advise)(const far__spec *spec, const far_shape *shape, const far__advice *advice);

  /* bytes of state for a number of pairs and states that is known not to overflow when
   * multiplied by 256; a multiple of 8 */
  size_t (*state_size)(const far_shape *shape, const void *params);

  size_t (*pool_need)(const far_agent *agent); /* words; NULL where there is no pool */

  size_t (*memo_need)(const far_agent *agent); /* words; NULL where there is no memo */

  void (*init)(far_agent *agent); /* the state is zeroed before */
  uint32_t (*act)(far_agent *agent, uint32_t s);
  void (*observe)(far_agent *agent, const far_transition *step);
  bool (*value)(const far_agent *agent, far_value kind, size_t pair, double *out);

  /* the probability of each action if the agent acted in state s now, an action chosen ahead not counted; false where there is
   * no closed form */
  bool (*policy)(const far_agent *agent, uint32_t s, double *out);

  /* does observe leave the policy of all states but step->s as it was? NULL: it need not */
  bool (*local)(const far_agent *agent);

  /* a bound on what its present policy loses against the best one from the start of an episode, in
   * units of reward, as its theory proves it if `advise` gives no advice that is not severe; false where
   * there is none (yet) */
  bool (*certificate)(const far_agent *agent, double *bound);

  /* has it stopped learning and does it recommend its policy? NULL: it never does */
  bool (*stopped)(const far_agent *agent);

  /* could this state have come from running? A file may claim anything. */
  bool (*valid)(const far_agent *agent);

  /* does it carry something from one step to the next, so that a cut step differs from a plain one?
   * Nothing in the library reads it: tests/unit/cuts.c and tests/agents.py hold the agent to it */
  bool links_steps;

  const struct far_agent_def *def; /* of a registered agent; NULL: one of the library's own */
  /* only where info.peeks is set: the discount of the optimal policy that it needs, 1 for the greatest average reward; and
   * taking that policy, as the action of every state (by_step: of every timed state). It is then the state, which a reset
   * leaves as it is */
  double (*peek_discount)(const far_agent *agent);
  void (*set_policy)(far_agent *agent, const uint32_t *action);
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
  return agent->block;
}

static inline void *far__agent_state(far_agent *agent) {
  return agent->block + agent->state_offset;
}

static inline void *far__agent_pool(far_agent *agent) {
  return agent->block + agent->state_offset + agent->state_size;
}

/* What the step functions of an algorithm work on: the memory of an agent, or of one among many that a device
 * runs side by side with the same parameters. */
typedef struct far__body {
  const void *params;
  void *state;
  uint32_t n_states, n_actions, n_live;
  double reward_min, reward_max;
} far__body;

/* Of an agent; those who have it as const only read through it. */
static inline far__body far__agent_body(const far_agent *agent) {
  const far__body body = {far__agent_params(agent),
                          agent->block + agent->state_offset,
                          agent->shape.n_states,
                          agent->shape.n_actions,
                          agent->n_live,
                          agent->shape.reward_min,
                          agent->shape.reward_max};
  return body;
}

const far__agent_type *far__agent_type_of(const far_agent *agent);

/* far_agent_create, also of an agent that peeks, whose policy the caller sets by `tell` or by loading it. */
far_status far__agent_create(far_agent **out, const char *text, const far_shape *given,
                             uint64_t seed, uint64_t replicate, far_error *error);

/* The same of a spec that was parsed before, on the stream (0, 0). */
far_status far__agent_from(far_agent **out, const far_spec *spec, far_error *error);

/* As far_agent_reset, but a registered agent gets another seed. */
void far__agent_reset(far_agent *agent, uint64_t seed, uint64_t guest_seed, uint64_t replicate);

/* Bytes of state of the agent that a spec and a shape describe, without making it. */
far_status far__agent_state_size(size_t *out, const char *text, const far_shape *given,
                                 far_error *error);

/* Does a step change the policy of no state but the one where it began? */
bool far__agent_local(const far_agent *agent);

/* A `local` hook that always says yes. */
bool far__always_local(const far_agent *agent);

/* Makes room in the pool for `words` more; MEMORY leaves the agent unchanged. */
far_status far__agent_grow(far_agent *agent, size_t words, far_error *error);

/* Makes the memo `words` large at least; its contents are lost if it has to grow. MEMORY leaves none. */
far_status far__agent_grow_memo(far_agent *agent, size_t words, far_error *error);

/* Room for what the next observe may need. */
static inline far_status far__agent_make_room(far_agent *agent, const far__agent_type *type,
                                              far_error *error) {
  if (type->pool_need == NULL) return FAR_OK;
  const far_status status = far__agent_grow(agent, type->pool_need(agent), error);
  if (status != FAR_OK || type->memo_need == NULL) return status;
  return far__agent_grow_memo(agent, type->memo_need(agent), error);
}

/* The failure that a registered agent has met since its reset, if any. */
far_status far__guest_status(const far_agent *agent, far_error *error);

static inline far_status far__agent_failure(const far_agent *agent, far_error *error) {
  return agent->guest == NULL ? FAR_OK : far__guest_status(agent, error);
}

/* The timed state, for hooks. */
static inline uint32_t far__timed(const far_agent *agent, const far__agent_type *type, int64_t h,
                                  uint32_t s) {
  return type->by_step ? (uint32_t)h * agent->shape.n_states + s : s;
}

static inline uint32_t far__agent_act(far_agent *agent, const far__agent_type *type, uint32_t s) {
  return type->act(agent, far__timed(agent, type, agent->h, s));
}

/* Is the step that is now due the last of its episode? */
static inline bool far__agent_last(const far_agent *agent) {
  return agent->shape.horizon > 0 && agent->h + 1 >= agent->shape.horizon;
}

/* Learns from a step that lies within the shape; the last of an episode has been marked as cut. */
static inline far_status far__agent_learn(far_agent *agent, const far__agent_type *type,
                                          const far_transition *step, far_error *error) {
  const far_status status = far__agent_make_room(agent, type, error);
  if (status != FAR_OK) return status;
  agent->t += 1;
  type->observe(agent, step);
  if (agent->shape.horizon > 0) agent->h = step->done || step->cut ? 0 : agent->h + 1;
  return far__agent_failure(agent, error);
}

#endif
