/* Worlds: many copies of one model, stepped in one call.
 *
 *     far_worlds_def def = far_worlds_def_default();   set only what differs
 *     far_worlds *worlds;
 *     far_status status = far_worlds_create(&worlds, mdp, 100, &def, &error);
 *     status = far_worlds_reset(worlds, NULL, states, &error);
 *     ... choose an action for each state ...
 *     status = far_worlds_step(worlds, actions, states, rewards, terminated, truncated, NULL, &error);
 *     far_worlds_free(worlds);
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

#include "farsight/mdp.h"
#include "farsight/status.h"

#ifdef __cplusplus
extern "C" {
#endif

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
