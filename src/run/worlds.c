#include "farsight/worlds.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/model.h"

typedef enum phase { PHASE_NEW, PHASE_RUNNING, PHASE_ENDED } phase;

typedef struct world {
  far_rng transition, start;
  int64_t steps; /* of the current episode */
  uint32_t s;
  phase phase;
} world;

struct far_worlds {
  const far_mdp *mdp;
  far_worlds_def def;
  size_t n;
  world world[];
};

far_worlds_def far_worlds_def_default(void) {
  return (far_worlds_def){.seed = 1, .autoreset = FAR_AUTORESET_NEXT_STEP};
}

static far_status check_def(size_t n, const far_worlds_def *def, far_error *error) {
  if (n == 0) return far__fail(error, FAR_STATUS_RANGE, -1, "there must be at least 1 world");
  if ((unsigned)def->autoreset > FAR_AUTORESET_DISABLED)
    return far__fail(error, FAR_STATUS_RANGE, -1, "there is no autoreset mode %d",
                     (int)def->autoreset);
  if (def->max_episode_steps < 0)
    return far__fail(error, FAR_STATUS_RANGE, -1,
                     "the time limit must be at least 1 step, or 0 for none, not %lld",
                     (long long)def->max_episode_steps);
  return FAR_OK;
}

far_status far_worlds_create(far_worlds **out, const far_mdp *mdp, size_t n,
                             const far_worlds_def *def, far_error *error) {
  const far_worlds_def used = def != NULL ? *def : far_worlds_def_default();
  *out = NULL;
  const far_status status = check_def(n, &used, error);
  if (status != FAR_OK) return status;
  far_worlds *worlds = n <= (SIZE_MAX - sizeof *worlds) / sizeof(world)
                           ? malloc(sizeof *worlds + n * sizeof(world))
                           : NULL;
  if (worlds == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for %zu worlds", n);
  worlds->mdp = mdp;
  worlds->def = used;
  worlds->n = n;
  far_worlds_seed(worlds, used.seed, used.first_replicate);
  *out = worlds;
  return FAR_OK;
}

far_status far_worlds_clone(far_worlds **out, const far_worlds *worlds, far_error *error) {
  const size_t size = sizeof *worlds + worlds->n * sizeof(world);
  *out = malloc(size);
  if (*out == NULL)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for %zu worlds", worlds->n);
  memcpy(*out, worlds, size);
  return FAR_OK;
}

void far_worlds_save(const far_worlds *worlds, uint64_t *words) {
  for (size_t i = 0; i < worlds->n; ++i, words += FAR_WORLDS_WORDS) {
    const world *w = &worlds->world[i];
    memcpy(words, w->transition.word, sizeof w->transition.word);
    memcpy(words + 4, w->start.word, sizeof w->start.word);
    words[8] = (uint64_t)w->steps;
    words[9] = w->s;
    words[10] = w->phase;
  }
}

far_status far_worlds_restore(far_worlds *worlds, const uint64_t *words, far_error *error) {
  for (size_t i = 0; i < worlds->n; ++i) {
    const uint64_t *w = words + i * FAR_WORLDS_WORDS, steps = w[8], s = w[9], in = w[10];
    /* the number of steps must not overflow, and a step from a terminal state has no outcome */
    if (steps > INT64_MAX / 2 || s >= worlds->mdp->shape.n_states || in > PHASE_ENDED ||
        (in == PHASE_RUNNING && far_mdp_terminal(worlds->mdp, (uint32_t)s)))
      return far__fail(error, FAR_STATUS_RANGE, -1, "world %zu can not be as it was saved", i);
  }
  for (size_t i = 0; i < worlds->n; ++i, words += FAR_WORLDS_WORDS) {
    world *w = &worlds->world[i];
    memcpy(w->transition.word, words, sizeof w->transition.word);
    memcpy(w->start.word, words + 4, sizeof w->start.word);
    w->steps = (int64_t)words[8];
    w->s = (uint32_t)words[9];
    w->phase = (phase)words[10];
  }
  return FAR_OK;
}

void far_worlds_free(far_worlds *worlds) {
  free(worlds);
}

size_t far_worlds_count(const far_worlds *worlds) {
  return worlds->n;
}

uint32_t far_worlds_state(const far_worlds *worlds, size_t i) {
  assert(i < worlds->n);
  return worlds->world[i].s;
}

void far_worlds_seed(far_worlds *worlds, uint64_t seed, uint64_t first_replicate) {
  for (size_t i = 0; i < worlds->n; ++i) {
    world *w = &worlds->world[i];
    far_rng_init(&w->transition, seed, first_replicate + i, FAR_PURPOSE_TRANSITION);
    far_rng_init(&w->start, seed, first_replicate + i, FAR_PURPOSE_START);
    w->steps = 0;
    w->s = 0;
    w->phase = PHASE_NEW;
  }
}

static void begin_episode(const far_worlds *worlds, world *w) {
  w->s = far_mdp_start(worlds->mdp, &w->start);
  w->steps = 0;
  w->phase = PHASE_RUNNING;
}

far_status far_worlds_reset(far_worlds *worlds, const bool *mask, uint32_t *states,
                            far_error *error) {
  for (size_t i = 0; mask != NULL && i < worlds->n; ++i)
    if (!mask[i] && worlds->world[i].phase == PHASE_NEW)
      return far__fail(error, FAR_STATUS_RANGE, -1,
                       "world %zu was never reset; the mask must include it", i);
  for (size_t i = 0; i < worlds->n; ++i) {
    world *w = &worlds->world[i];
    if (mask == NULL || mask[i]) begin_episode(worlds, w);
    if (states != NULL) states[i] = w->s;
  }
  return FAR_OK;
}

/* Does the next step begin an episode, whatever the action is? */
static bool only_resets(const far_worlds *worlds, const world *w) {
  return w->phase == PHASE_ENDED && worlds->def.autoreset == FAR_AUTORESET_NEXT_STEP;
}

static far_status check_actions(const far_worlds *worlds, const uint32_t *actions,
                                far_error *error) {
  const uint32_t n_actions = worlds->mdp->shape.n_actions;
  for (size_t i = 0; i < worlds->n; ++i) {
    const world *w = &worlds->world[i];
    if (only_resets(worlds, w)) continue;
    if (w->phase != PHASE_RUNNING)
      return far__fail(error, FAR_STATUS_CONFLICT, -1,
                       "world %zu must be reset before it steps: %s", i,
                       w->phase == PHASE_NEW ? "it is new" : "its episode has ended");
    if (actions[i] >= n_actions)
      return far__fail(error, FAR_STATUS_RANGE, -1, "action %lu of world %zu is outside 0 ... %lu",
                       (unsigned long)actions[i], i, (unsigned long)n_actions - 1);
  }
  return FAR_OK;
}

/* The result of a step of one world. */
typedef struct result {
  double reward;
  uint32_t reached;
  bool terminated, truncated;
} result;

static result step_world(const far_worlds *worlds, world *w, uint32_t a) {
  const int64_t horizon = worlds->mdp->shape.horizon, most = worlds->def.max_episode_steps;
  const int64_t limit = horizon > 0 && (most == 0 || horizon < most) ? horizon : most; /* 0: none */
  if (only_resets(worlds, w)) {
    begin_episode(worlds, w);
    return (result){.reached = w->s};
  }
  const far_outcome *o = far_mdp_step(worlds->mdp, w->s, a, &w->transition);
  w->s = o->next;
  w->steps += 1;
  const result r = {o->reward, o->next, o->done, limit > 0 && w->steps >= limit};
  if (!r.terminated && !r.truncated) return r;
  w->phase = PHASE_ENDED;
  if (worlds->def.autoreset == FAR_AUTORESET_SAME_STEP) begin_episode(worlds, w);
  return r;
}

far_status far_worlds_step(far_worlds *worlds, const uint32_t *actions, uint32_t *states,
                           double *rewards, bool *terminated, bool *truncated, uint32_t *reached,
                           far_error *error) {
  const far_status status = check_actions(worlds, actions, error);
  if (status != FAR_OK) return status;
  for (size_t i = 0; i < worlds->n; ++i) {
    world *w = &worlds->world[i];
    const result r = step_world(worlds, w, actions[i]);
    if (states != NULL) states[i] = w->s;
    if (rewards != NULL) rewards[i] = r.reward;
    if (terminated != NULL) terminated[i] = r.terminated;
    if (truncated != NULL) truncated[i] = r.truncated;
    if (reached != NULL) reached[i] = r.reached;
  }
  return FAR_OK;
}
