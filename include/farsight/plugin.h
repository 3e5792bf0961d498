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
 * The list of registered agents is the one thing, besides the limits of farsight/memory.h, that this
 * library keeps for the whole process. Nothing is ever taken from it: a spec is a string, which must mean the same in every thread and for
 * as long as results are computed. A program that lets its user edit an agent while it runs, as a
 * notebook does, can give a name to a newer definition (`replaces`); it then has to tell their results
 * apart, by a parameter. Registering and reading may happen at once in several threads.
 */
#ifndef FARSIGHT_PLUGIN_H
#define FARSIGHT_PLUGIN_H

#include "farsight/agent.h"

#ifdef __cplusplus
extern "C" {
#endif

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
