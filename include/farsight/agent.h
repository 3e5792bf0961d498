/* Agents: learners that see a shape and a stream of transitions, never the model.
 *
 *     far_shape shape = far_shape_default(2, 2); // two states, two actions, rewards in [0, 1]
 *     far_agent *agent;
 *     if (far_agent_create(&agent, "directed-delayed-q:m=5", &shape, 1, 0, &error)) return puts(error.message);
 *     for (uint32_t s = 0, t = 0; t < 1000; ++t) {
 *       const uint32_t a = far_agent_act(agent, s);
 *       const far_transition step = {.s = s, .a = a, .r = a, .next = !s}; // your world: action 1 is rewarded
 *       if (far_agent_observe(agent, &step, &error)) return puts(error.message);
 *       s = step.next;
 *     }
 *     printf("in state 0 it takes action %u\n", far_agent_act(agent, 0));
 *     far_agent_free(agent);
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

#include "farsight/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One step of experience.
 *
 * An episode can end in two ways. It is `done` when a terminal state was reached: nothing more is
 * earned, and `next` is ignored. It is `cut` when it was stopped, as by a time limit: `next` is the
 * state that was reached, and agents learn from its value as after any other step, but the episode
 * does not continue there: the next call of far_agent_act is at a new start. (Gymnasium calls them
 * "terminated" and "truncated".) If both are set, the step is done. */
typedef struct far_transition {
  uint32_t s, a;
  double r;
  uint32_t next;
  bool done;
  bool cut;
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

/* The built-in algorithms, in the order of their listing, and then those that were registered
 * (far_agent_register); NULL past the end. */
FAR_API const far_type_info *far_agent_type(size_t index);

/* Creates an agent from a spec. Its random stream is keyed by (seed, replicate).
 * Fails with SYNTAX, UNKNOWN, RANGE, CONFLICT (the spec or the shape) or MEMORY. CONFLICT also if the
 * algorithm peeks at the model (far_type_info.peeks): far_agent_create_on (run.h) makes those. */
FAR_API far_status far_agent_create(far_agent **out, const char *spec, const far_shape *shape,
                                    uint64_t seed, uint64_t replicate, far_error *error);

/* Frees; NULL is fine. */
FAR_API void far_agent_free(far_agent *agent);

/* An independent copy, random stream included. Fails with MEMORY; CONFLICT if this is a registered
 * agent that cannot be copied. */
FAR_API far_status far_agent_clone(far_agent **out, const far_agent *agent, far_error *error);

/* Forgets everything and starts on the stream (seed, replicate), as if created anew; no allocation.
 * One that peeks keeps what it was told about the model. That a registered agent fails here is
 * reported by the next far_agent_try_act or far_agent_observe; one that failed before works again
 * if this succeeds. */
FAR_API void far_agent_reset(far_agent *agent, uint64_t seed, uint64_t replicate);

/* The action to take in state s, which must be below n_states. Learns nothing; may draw from the
 * agent's stream. The library's own agents cannot fail here. A registered one can: the value is then
 * 0, and the next far_agent_observe reports the failure, as do all calls until the agent is reset. */
FAR_API uint32_t far_agent_act(far_agent *agent, uint32_t s);

/* The same, with the failure at once: RANGE if s is not below n_states, or whatever a registered
 * agent reports, with its name, the step and the replicate in the message. *a is then unchanged. */
FAR_API far_status far_agent_try_act(far_agent *agent, uint32_t s, uint32_t *a, far_error *error);

/* Learns from one transition, also of an action the agent did not choose. RANGE if a state (which
 * must be live), an action or the reward lies outside the shape, MEMORY if a learned model cannot
 * grow; the agent is then unchanged. Else the failure of a registered agent, in this call or one
 * before. */
FAR_API far_status far_agent_observe(far_agent *agent, const far_transition *step,
                                     far_error *error);

/* Reads one of the agent's numbers; false if this algorithm has none of the kind. All are 0 in a
 * state that is not live. */
FAR_API bool far_agent_value(const far_agent *agent, far_value kind, uint32_t s, uint32_t a,
                             double *out);

/* The probability with which the agent would now take each action in state s; `out` has room for
 * n_actions. False where there is no closed form (bayes-q that samples), or where a registered
 * agent does not provide it. For an agent that holds a plan or a sample it is the policy of that.
 * An action that was chosen ahead does not count: dora chooses the action of the next state while it
 * observes, far_agent_act returns that one there, and this is the policy of its rule with the present
 * tables, also in that state. */
FAR_API bool far_agent_policy(const far_agent *agent, uint32_t s, double *out);

/* ---- finite horizon: where the shape has one ---- */

/* The step of the episode that comes next, from 0; always 0 where there is no horizon. The agent counts
 * the steps that it observes: an episode begins at 0 after one that is done or cut. The last step of an
 * episode counts as cut, whether it says so or not. */
FAR_API int64_t far_agent_episode_step(const far_agent *agent);

/* far_agent_value and far_agent_policy, which speak of the present step, for step h of an episode. False
 * also where there is no such step; without a horizon there is step 0 alone. */
FAR_API bool far_agent_value_at(const far_agent *agent, far_value kind, int64_t h, uint32_t s,
                                uint32_t a, double *out);
FAR_API bool far_agent_policy_at(const far_agent *agent, int64_t h, uint32_t s, double *out);

/* The agent's certificate: what its present policy loses, in expected reward of an episode, against
 * the best policy, is at most *bound, with the confidence that its parameters name. False where it has
 * none, or none yet, and where its parameters are outside the guarantee (far_agent_check says why).
 * Never NaN. */
FAR_API bool far_agent_certificate(const far_agent *agent, double *bound);

/* The number that would be the certificate if the parameters carried the guarantee. They do not: nothing
 * is proved of it, and it may well be too small. False where far_agent_certificate is true, and where
 * there is no number, or none yet. Never NaN. */
FAR_API bool far_agent_uncertified(const far_agent *agent, double *bound);

/* Has it learned enough, by its own rule? It then recommends its policy, follows it, and learns nothing
 * more. Most agents never stop. */
FAR_API bool far_agent_stopped(const far_agent *agent);

/* ---- in bulk: the same as one call for each, for callers to whom a call is expensive ---- */

/* One of the agent's numbers of every pair, of the present step or of step h: out[s * n_actions + a].
 * False, and nothing is written, if this algorithm has none of the kind. */
FAR_API bool far_agent_values(const far_agent *agent, far_value kind, double *out);
FAR_API bool far_agent_values_at(const far_agent *agent, far_value kind, int64_t h, double *out);

/* The policy of every state, likewise: out[s * n_actions + a]; the row of a state that is not live is 0. False
 * where there is no closed form. */
FAR_API bool far_agent_policies(const far_agent *agent, double *out);
FAR_API bool far_agent_policies_at(const far_agent *agent, int64_t h, double *out);

/* The actions to take in `count` states, in this order: actions[i] is that of states[i]. Fails as
 * far_agent_try_act does, at the first state of which it does; the actions before it stand. */
FAR_API far_status far_agent_act_many(far_agent *agent, const uint32_t *states, size_t count,
                                      uint32_t *actions, far_error *error);

/* Learns from `count` transitions in their order, up to the first that is refused as by
 * far_agent_observe; *learned (may be NULL) is the number that were learned. */
FAR_API far_status far_agent_observe_many(far_agent *agent, const far_transition *steps,
                                          size_t count, size_t *learned, far_error *error);

/* ---- about the agent ---- */

/* A number among the agent's parameters by its name, as in "gamma"; false if it has none. */
FAR_API bool far_agent_param(const far_agent *agent, const char *name, double *out);

/* Transitions observed so far. */
FAR_API int64_t far_agent_steps(const far_agent *agent);

FAR_API const far_shape *far_agent_shape(const far_agent *agent);

/* The canonical spec: every parameter that applies, written out. Owned by the agent. */
FAR_API const char *far_agent_spec(const far_agent *agent);

/* What a stationary agent is told of where there is a horizon, so that programs can know this warning
 * from those about guarantees. */
#define FAR_WARNING_HORIZON                                                                        \
  "it takes no notice of the horizon: it learns as if episodes went on where they are cut"

/* What such notes begin with: an agent's spec gives a discount that is not the problem's, or the average reward
 * counts and the agent discounts. Neither is wrong; it then solves another problem than the one that it is judged by. */
#define FAR_WARNING_PLANNING "plans with the discount "

/* Checks a spec without creating anything. Calls `warn` (unless NULL) once for each reason why the
 * agent cannot learn or loses its guarantee on this shape, and with FAR_WARNING_HORIZON if it learns,
 * the shape has a horizon and the agent takes no notice of it, or FAR_WARNING_PLANNING and more. `severe` is true if it cannot learn at
 * all, or not in reasonable time: one plan may take more than 10^9 backups. Fails as
 * far_agent_create does. */
typedef void far_warn_fn(void *user, bool severe, const char *message);
FAR_API far_status far_agent_check(const char *spec, const far_shape *shape, far_warn_fn *warn,
                                   void *user, far_error *error);

/* far_agent_check with the text read already. */
FAR_API void far_spec_advise(const far_spec *spec, far_warn_fn *warn, void *user);

/* The canonical spec that an agent made from this one would have on this shape; nothing is created.
 * Fails as far_agent_create does. */
FAR_API far_status far_agent_resolve(char out[FAR_SPEC_SIZE], const char *spec,
                                     const far_shape *shape, far_error *error);

/* ---- saving ---- */

/* Saves the whole agent: versioned, checksummed, and written beside its target and renamed, so that
 * a crash leaves the old file or the new one (and at worst a PATH.N.new that can be deleted). A
 * link is followed, and the mode of an existing file kept. IO on failure, CONFLICT if this is a
 * registered agent that cannot be saved; an existing file is then untouched. */
FAR_API far_status far_agent_save(const far_agent *agent, const char *path, far_error *error);

/* Creates an agent from a saved file; it continues bit for bit where the saved one stood. IO,
 * FORMAT (damaged, not a saved agent, or of another version) or MEMORY. */
FAR_API far_status far_agent_load(far_agent **out, const char *path, far_error *error);

/* The same in memory, byte for byte what the file would hold. The block is the caller's, to be freed by
 * far_free; MEMORY (*out is then NULL). What is loaded need not be aligned; FORMAT or MEMORY. */
FAR_API far_status far_agent_save_memory(void **out, size_t *size, const far_agent *agent,
                                         far_error *error);
FAR_API far_status far_agent_load_memory(far_agent **out, const void *data, size_t size,
                                         far_error *error);

/* Puts an agent into the state of a saved one. MISMATCH if that has another algorithm, other
 * parameters or another shape; fails as far_agent_load does otherwise. The agent is then unchanged. */
FAR_API far_status far_agent_restore(far_agent *agent, const char *path, far_error *error);

/* An agent of your own, under a name of its own, beside the library's.
 *
 *     static const far_agent_def mine = {
 *         .size = sizeof mine, .name = "my-agent", .summary = "...",
 *         .params = params, .n_params = 2, .params_size = sizeof(my_params),
 *         .create = create, .free = destroy, .act = act, .observe = observe};
 *     far_status status = far_agent_register(&mine, &error);
 *
 * From then on "my-agent:key=value" is a spec like any other: in far_agent_create, far_agent_type,
 * batches on many threads, studies and stores. Agents that compete see the same random numbers of
 * the environment. examples/own-agent is a whole program.
 *
 * The list of registered agents is the one thing, besides the limits of the process (far_limits_set), that this
 * library keeps for the whole process. Nothing is ever taken from it: a spec is a string, which must mean the same in every thread and for
 * as long as results are computed. A program that lets its user edit an agent while it runs, as a
 * notebook does, can give a name to a newer definition (`replaces`); it then has to tell their results
 * apart, by a parameter. Registering and reading may happen at once in several threads.
 */

/* What an agent does. All hooks that return a far_status report a failure in it and may say more in
 * *error, which is never NULL there; a failure is the failure of the run (CANCELLED stops the batch, as a request to stop does), and the instance is then
 * used for nothing but `reset` and `free`. An instance is used by one thread at a time, but several
 * instances are used at once: what `user` points to must be safe for that. No hook may call back
 * into the far_agent that it serves. */
typedef struct far_agent_def {
  size_t size; /* sizeof(far_agent_def), so that fields can be added at the end */
  /* 1 to 40 small letters, digits, '-' and '_', the first a letter; not yet taken. */
  const char *name;
  const char *summary;   /* one line; may be NULL */
  const char *reference; /* the paper; may be NULL */
  const char *guarantee; /* NULL where there is none */
  /* At most 32 rows; `offset` points into the agent's own parameter struct of `params_size` bytes
   * (at most 1024), which `create` is given. Defaults are fixed: `derived` must be false. */
  const far_param *params; /* may be NULL if there are none */
  size_t n_params;
  size_t params_size;
  bool bare;  /* one parameter of kind TEXT, which is all that follows the colon: name:VALUE */
  void *user; /* handed to `create`; not read by the library */

  /* Makes an instance. Its random stream should be keyed by (seed, replicate), as
   * far_rng_init(rng, seed, replicate, FAR_PURPOSE_AGENT) does, so that runs can be repeated.
   * `params` and `shape` live during the call only. A shape with ends has a reward range that
   * contains 0. */
  far_status (*create)(void **instance, const void *params, const far_shape *shape, uint64_t seed,
                       uint64_t replicate, void *user, far_error *error);
  void (*free)(void *instance); /* never called with NULL */
  /* The action to take in state s, below n_actions. Should learn nothing. */
  far_status (*act)(void *instance, uint32_t s, uint32_t *a, far_error *error);
  /* Learns from one transition, also of an action that `act` did not choose. It lies within the
   * shape. */
  far_status (*observe)(void *instance, const far_transition *step, far_error *error);

  /* ---- optional; NULL where there is none ---- */

  /* Forgets everything, as if created anew on this stream. NULL: the instance is freed and made
   * again. */
  far_status (*reset)(void *instance, uint64_t seed, uint64_t replicate, far_error *error);
  /* A number behind the choices, finite; false if there are none of the kind. */
  bool (*value)(const void *instance, far_value kind, uint32_t s, uint32_t a, double *out);
  /* The probability with which the agent would now take each action in state s: n_actions numbers
   * in [0, 1] that sum to 1. An action that was chosen ahead, in `observe`, does not count
   * (far_agent_policy). Metrics that evaluate policies need it. */
  far_status (*policy)(const void *instance, uint32_t s, double *out, far_error *error);
  /* An independent copy, random stream included. */
  far_status (*clone)(void **copy, const void *instance, far_error *error);
  /* The instance as bytes: writes them if `room` is enough, and returns how many there are. */
  size_t (*save)(const void *instance, void *bytes, size_t room);
  /* Puts a fresh instance, of the same parameters and shape, into the state that `save` wrote. The
   * bytes may be damaged: what no run could have written must be refused. Goes with `save`. */
  far_status (*load)(void *instance, const void *bytes, size_t size, far_error *error);
  /* Why the last `value` was not finite, or the last `save` returned SIZE_MAX, in *error: that is then
   * the failure of the run, or of saving. */
  void (*explain)(const void *instance, far_error *error);
  /* The name may be that of an agent that was registered before, though not one of the library's. From
   * now on the name means this definition. Agents that exist stay what they are; the earlier
   * definition is no longer listed. */
  bool replaces;
} far_agent_def;

/* Adds an agent to the list, for the rest of the process. The definition and all its texts are
 * copied; the hooks and `user` must stay. RANGE if a field is missing or wrong (the message says
 * which), CONFLICT if the name is taken, MEMORY, also if there are 512 names or 16,384 definitions
 * already; nothing is added then. */
FAR_API far_status far_agent_register(const far_agent_def *def, far_error *error);

#ifdef __cplusplus
}
#endif

#endif
