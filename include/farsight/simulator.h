/* Your own environment: functions instead of a table of transitions.
 *
 *     static const far_simulator_def maze = {
 *         .size = sizeof maze, .name = "maze", .shape = {100, 4, 0, 1, true, NULL, 0},
 *         .create = create, .free = destroy, .reset = reset, .step = step, .version = "1"};
 *     far_cell cell = {.simulator = &maze, .agent = "delayed-q", .steps = 100000};
 *
 * Such a cell runs in a batch (farsight/run.h) beside others: many replicates on many threads, with
 * curves. It has no model, so nothing that needs one applies: no exact solutions, and no metrics except
 * those marked far_metric.without_model.
 *
 * Stores (farsight/store.h) key results by the content of their model. Of a simulator they know the
 * name and the version that you give it: give it another version whenever it changes, for the runs of
 * one version are taken to be the same. Without a version no store takes its runs.
 *
 * Replicate k draws from the streams that a model's replicate k draws from: (seed, k, TRANSITION) in
 * `step` and (seed, k, START) in `reset`. A simulator that draws nowhere else gives the same totals
 * on any number of threads, and one that uses the draws as a model does gives the model's totals.
 */
#ifndef FARSIGHT_SIMULATOR_H
#define FARSIGHT_SIMULATOR_H

#include <stddef.h>

#include "farsight/agent.h"
#include "farsight/hash.h"
#include "farsight/random.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The hooks report a failure by their status and may say more in *error, which is never NULL there; it is
 * the failure of the run; CANCELLED stops the batch, as a request to stop does. An instance is used by one thread at a time. */
typedef struct far_simulator_def {
  size_t size;      /* sizeof(far_simulator_def), so that fields can be added at the end */
  const char *name; /* for messages and stores; 1 to 255 bytes */
  far_shape shape;  /* given to agents; `absent` must live as long as the batch */
  void *user;       /* handed to `create`, or to the other hooks where there is no `create` */

  /* Makes an instance, one for each thread. NULL: all threads share `user`, which must then bear
   * being used by several at once, or NULL if nothing needs to be remembered. */
  far_status (*create)(void **instance, void *user, far_error *error);
  void (*free)(void *instance); /* goes with create; never called with NULL */

  /* An episode begins, or a run: the state in which, below n_states and live. What the instance
   * remembers of earlier episodes must not matter from here on. */
  far_status (*reset)(void *instance, far_rng *rng, uint32_t *s, far_error *error);

  /* What comes of step->a in step->s, which are filled in: sets r, and either next or done;
   * with next also cut, where the episode is stopped there (a time limit). The reward must lie in the
   * shape's range, and next must be live. After done or cut comes a reset. */
  far_status (*step)(void *instance, far_rng *rng, far_transition *step, far_error *error);

  /* 1 to 64 letters, digits and any of . _ + -, or NULL: by it and the name stores know the runs. */
  const char *version;
} far_simulator_def;

/* Checks a definition: RANGE if a field is missing or wrong; the message says which. Batches do so,
 * too. */
FAR_API far_status far_simulator_check(const far_simulator_def *def, far_error *error);

/* What stores call a simulator with a version: "simulator:maze@1", and behind that what counts, unless it is
 * the default discount: ",gamma=0.99", ",average=on" or ",horizon=100". CONFLICT if it has no version. */
FAR_API far_status far_simulator_spec(char out[FAR_SPEC_SIZE], const far_simulator_def *def,
                                      far_error *error);

/* Is an environment of a store such a spec? Only the program that has the simulator can run it. */
FAR_API bool far_simulator_is_spec(const char *env);

/* The SHA-256 of its shape but for the discount: states, actions, rewards, whether episodes end, states that are not
 * live, horizon. A store refuses one version of a simulator with two shapes. */
FAR_API void far_simulator_hash(char out[FAR_HASH_TEXT], const far_simulator_def *def);

#ifdef __cplusplus
}
#endif

#endif
