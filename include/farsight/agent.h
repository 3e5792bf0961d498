/* Agents: learners that see a shape and a stream of transitions, never the model.
 *
 *     far_shape shape = far_shape_default(n_states, n_actions);
 *     far_agent *agent;
 *     far_status status = far_agent_create(&agent, "directed-delayed-q", &shape, 1, 0, &error);
 *     ...
 *     uint32_t a = far_agent_act(agent, s);
 *     ... the world answers with reward r and next state s2 ...
 *     far_agent_observe(agent, &(far_transition){s, a, r, s2}, &error);
 *
 * An agent is a handle and one flat block of memory without pointers: cloning, saving and restoring
 * are copies. A model-free agent allocates nothing in `act` and `observe`, and both take constant
 * time in the number of states. A model-based one plans inside `observe`, and may grow there, which
 * is the one way in which a valid observation can fail (MEMORY; nothing is then learned). An agent
 * may be used by one thread at a time.
 */
#ifndef FARSIGHT_AGENT_H
#define FARSIGHT_AGENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "farsight/param.h"
#include "farsight/shape.h"
#include "farsight/status.h"

/* One step of experience. */
typedef struct far_transition {
  uint32_t s, a;
  double r;
  uint32_t next; /* ignored when done */
  bool done;     /* a true end: nothing more is earned. A cut-off episode is not done. */
} far_transition;

/* The numbers behind a choice, in the units of the rewards. An agent acts on Q + BONUS. */
typedef enum far_value {
  FAR_VALUE_Q,     /* action value without the bonus */
  FAR_VALUE_BONUS, /* exploration bonus */
  FAR_VALUE_E,     /* exploration value, dimensionless */
  FAR_VALUE_N,     /* samples: of the open window in the delayed family, else visits */
  FAR_VALUE_LEARN, /* 1 where the pair is being learned, else 0 */
  FAR_VALUE_COUNT
} far_value;

typedef struct far_agent far_agent;

/* The algorithms there are, in the order of their listing; NULL past the end. */
FAR_API const far_type_info *far_agent_type(size_t index);

/* Creates an agent from a spec. Its random stream is keyed by (seed, replicate).
 * Fails with SYNTAX, UNKNOWN, RANGE, CONFLICT (the spec or the shape) or MEMORY. CONFLICT also if the
 * algorithm peeks at the model (far_type_info.peeks): far_agent_create_on (run.h) makes those. */
FAR_API far_status far_agent_create(far_agent **out, const char *spec, const far_shape *shape,
                                    uint64_t seed, uint64_t replicate, far_error *error);

/* Frees; NULL is fine. */
FAR_API void far_agent_free(far_agent *agent);

/* An independent copy, random stream included. Fails with MEMORY. */
FAR_API far_status far_agent_clone(far_agent **out, const far_agent *agent, far_error *error);

/* Forgets everything and starts on the stream (seed, replicate), as if created anew; no allocation.
 * One that peeks keeps what it was told about the model. */
FAR_API void far_agent_reset(far_agent *agent, uint64_t seed, uint64_t replicate);

/* The action to take in state s, which must be below n_states. Learns nothing; may draw from the
 * agent's stream. */
FAR_API uint32_t far_agent_act(far_agent *agent, uint32_t s);

/* Learns from one transition, also of an action the agent did not choose. RANGE if a state (which
 * must be live), an action or the reward lies outside the shape, MEMORY if a learned model cannot grow; the agent is
 * then unchanged. */
FAR_API far_status far_agent_observe(far_agent *agent, const far_transition *step,
                                     far_error *error);

/* Reads one of the agent's numbers; false if this algorithm has none of the kind. All are 0 in a
 * state that is not live. */
FAR_API bool far_agent_value(const far_agent *agent, far_value kind, uint32_t s, uint32_t a,
                             double *out);

/* The probability with which the agent would take each action in state s, were it asked now; `out`
 * has room for n_actions. False where there is no closed form (bayes-q that samples). An agent that
 * holds a plan or a sample tells the policy of that. */
FAR_API bool far_agent_policy(const far_agent *agent, uint32_t s, double *out);

/* A number among the agent's parameters by its name, as in "gamma"; false if it has none. */
FAR_API bool far_agent_param(const far_agent *agent, const char *name, double *out);

/* Transitions observed so far. */
FAR_API int64_t far_agent_steps(const far_agent *agent);

FAR_API const far_shape *far_agent_shape(const far_agent *agent);

/* The canonical spec: every parameter that applies, written out. Owned by the agent. */
FAR_API const char *far_agent_spec(const far_agent *agent);

/* Checks a spec without creating anything, and calls `warn` (unless NULL) once for each way in which the spec cannot learn or loses its guarantee on this
 * shape. `severe` is true where it cannot learn at all, or not in time: where one plan may take more
 * than 10^9 backups. Fails as far_agent_create does. */
typedef void far_warn_fn(void *user, bool severe, const char *message);
FAR_API far_status far_agent_check(const char *spec, const far_shape *shape, far_warn_fn *warn,
                                   void *user, far_error *error);

/* The canonical spec that an agent made from this one would have on this shape; nothing is created.
 * Fails as far_agent_create does. */
FAR_API far_status far_agent_resolve(char out[FAR_SPEC_SIZE], const char *spec,
                                     const far_shape *shape, far_error *error);

/* Saves the whole agent: versioned, checksummed, and written beside its target and renamed, so that
 * a crash leaves the old file or the new one (and at worst a PATH.N.new that can be deleted). A
 * link is followed, and the mode of an existing file kept. IO on failure; an existing file is then
 * untouched. */
FAR_API far_status far_agent_save(const far_agent *agent, const char *path, far_error *error);

/* Creates an agent from a saved file; it continues bit for bit where the saved one stood.
 * IO, FORMAT (damaged, foreign or of another version) or MEMORY. */
FAR_API far_status far_agent_load(far_agent **out, const char *path, far_error *error);

/* Puts an agent into the state of a saved one. MISMATCH if that has another algorithm, other
 * parameters or another shape; fails as far_agent_load does otherwise. The agent is then unchanged. */
FAR_API far_status far_agent_restore(far_agent *agent, const char *path, far_error *error);

#endif
