/* Any bytes as a saved agent; the checksum is put right, so that the checks behind it are reached.
 */
#include <farsight/farsight.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  far_agent *agent;
  uint8_t *copy = malloc(size + 1);
  if (copy == NULL) return 0;
  if (size > 0) memcpy(copy, data, size);
  if (size > 32) far_hash(copy + size - 32, copy, size - 32);
  if (far_agent_load_memory(&agent, copy, size, NULL) == FAR_OK) {
    const far_shape *shape = far_agent_shape(agent);
    if (far_agent_act(agent, shape->n_states - 1) >= shape->n_actions) abort();
    far_agent_observe(agent, &(far_transition){0, 0, shape->reward_min, 0, false, false}, NULL);
    far_agent_free(agent);
  } else if (agent != NULL) {
    abort();
  }
  free(copy);
  return 0;
}
