/* Worlds: many copies of one model, stepped in one call; and environments of your own, as functions.
 *
 *     enum { N = 100 };
 *     uint32_t states[N], actions[N] = {0};
 *     double rewards[N];
 *     bool terminated[N], truncated[N];
 *     far_mdp *mdp;
 *     far_worlds *worlds;
 *     far_worlds_def def = far_worlds_def_default(); // set only what differs
 *     if (far_mdp_create(&mdp, "chain:n=10", &error)) return puts(error.message);
 *     if (far_worlds_create(&worlds, mdp, N, &def, &error)) return puts(error.message);
 *     if (far_worlds_reset(worlds, NULL, states, &error)) return puts(error.message);
 *     for (int t = 0; t < 20; ++t) // choose an action for each state, and
 *       if (far_worlds_step(worlds, actions, states, rewards, terminated, truncated, NULL, &error))
 *         return puts(error.message);
 *     far_worlds_free(worlds);
 *     far_mdp_free(mdp);
 *
 * World i has the random streams (seed, first_replicate + i), so that it sees the same random
 * numbers as replicate first_replicate + i of a batch (farsight/run.h), to the last bit. Worlds do
 * not influence each other. Episodes end and are reset as in Gymnasium: an episode is `terminated`
 * when a terminal state was reached and `truncated` when the time limit or the model's horizon was; both may be true at
 * once. Of an agent's far_transition these are `done` and `cut`.
 *
 * Nothing is allocated after creation. Worlds may be used by one thread at a time.
 */
#ifndef FARSIGHT_WORLDS_H
#define FARSIGHT_WORLDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "farsight/agent.h"
#include "farsight/base.h"
#include "farsight/mdp.h"

#ifdef __cplusplus
extern "C" {
#endif

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

/* What happens to a world whose episode has ended (Gymnasium's AutoresetMode). */
typedef enum far_autoreset {
  FAR_AUTORESET_NEXT_STEP, /* the next step ignores its action and begins an episode: its state is a
                            * start, its reward 0, and it is neither terminated nor truncated */
  FAR_AUTORESET_SAME_STEP, /* the step that ends an episode begins the next: its state is the start,
                            * and `reached` says where the episode ended */
  FAR_AUTORESET_DISABLED,  /* it must be reset before it takes another step */
} far_autoreset;

typedef struct far_worlds_def {
  uint64_t seed;             /* 1 by default */
  uint64_t first_replicate;  /* of world 0; 0 by default */
  far_autoreset autoreset;   /* FAR_AUTORESET_NEXT_STEP by default */
  int64_t max_episode_steps; /* truncates an episode of so many steps; 0, the default: no limit */
} far_worlds_def;

FAR_API far_worlds_def far_worlds_def_default(void);

typedef struct far_worlds far_worlds;

/* Creates n >= 1 worlds, which are to be reset before the first step. The model is borrowed and must
 * outlive them; NULL for `def` means the defaults. Fails with RANGE or MEMORY; *out is then NULL. */
FAR_API far_status far_worlds_create(far_worlds **out, const far_mdp *mdp, size_t n,
                                     const far_worlds_def *def, far_error *error);
FAR_API void far_worlds_free(far_worlds *worlds); /* NULL is fine */

/* Worlds in the same states, of the same model, that will see the same random numbers: to look ahead. Fails with
 * MEMORY; *out is then NULL. */
FAR_API far_status far_worlds_clone(far_worlds **out, const far_worlds *worlds, far_error *error);

/* What the worlds have become, as FAR_WORLDS_WORDS numbers for each: random streams, states, steps of the episodes. Worlds
 * of the same model and number into which it is put continue as these would, in another process too. RANGE if the
 * numbers can be no such worlds; nothing has then happened. */
enum { FAR_WORLDS_WORDS = 11 };
FAR_API void far_worlds_save(const far_worlds *worlds, uint64_t *words);
FAR_API far_status far_worlds_restore(far_worlds *worlds, const uint64_t *words, far_error *error);

/* How many there are, and the state in which world i, below their number, now is: a terminal one where
 * its episode has ended there. 0 before its first reset. */
FAR_API size_t far_worlds_count(const far_worlds *worlds);
FAR_API uint32_t far_worlds_state(const far_worlds *worlds, size_t i);

/* Returns all worlds to the beginning of the streams (seed, first_replicate + i), as if created
 * anew. They are to be reset before the next step. */
FAR_API void far_worlds_seed(far_worlds *worlds, uint64_t seed, uint64_t first_replicate);

/* Begins an episode in each world i with mask[i], or in all if `mask` is NULL; wherever they are. One
 * draw from the start stream each. states[i] is then the state of world i, of every world; `states` may
 * be NULL. RANGE if a world that is not in the mask was never reset; nothing has then happened. */
FAR_API far_status far_worlds_reset(far_worlds *worlds, const bool *mask, uint32_t *states,
                                    far_error *error);

/* One step in every world: action actions[i] in world i. Fills arrays with a place for each world,
 * any of which may be NULL: the state from which it continues, the reward, whether the episode has
 * ended and how, and the state that the step itself reached (the same as the first but where
 * SAME_STEP began an episode). RANGE if an action is out of bounds, CONFLICT if a world must be
 * reset first; nothing has then happened in any world. */
FAR_API far_status far_worlds_step(far_worlds *worlds, const uint32_t *actions, uint32_t *states,
                                   double *rewards, bool *terminated, bool *truncated,
                                   uint32_t *reached, far_error *error);

#ifdef __cplusplus
}
#endif

#endif
