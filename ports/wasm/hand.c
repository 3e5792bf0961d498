/* A run in which the caller, not an agent, chooses the actions. */
#include <string.h>

#include "web.h"

far_worlds *web_hand_create(const far_mdp *mdp, uint64_t seed, uint64_t replicate) {
  far_worlds_def def = far_worlds_def_default();
  far_worlds *worlds;
  def.seed = seed;
  def.first_replicate = replicate;
  def.autoreset = FAR_AUTORESET_SAME_STEP;
  if (far_worlds_create(&worlds, mdp, 1, &def, web__error()) != FAR_OK) return NULL;
  if (far_worlds_reset(worlds, NULL, NULL, web__error()) == FAR_OK) return worlds;
  far_worlds_free(worlds);
  return NULL;
}

void web_hand_free(far_worlds *worlds) {
  far_worlds_free(worlds);
}

uint32_t web_hand_state(const far_worlds *worlds) {
  return far_worlds_state(worlds, 0);
}

const double *web_hand_step(far_worlds *worlds, uint32_t a) {
  uint32_t state, reached;
  double reward;
  bool done, cut;
  if (far_worlds_step(worlds, &a, &state, &reward, &done, &cut, &reached, web__error()) != FAR_OK)
    return NULL;
  double *out = web__numbers(5);
  if (out == NULL) return NULL;
  const double numbers[5] = {reward, reached, done, cut, state};
  memcpy(out, numbers, sizeof numbers);
  return out;
}
