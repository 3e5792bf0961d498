/* Any bytes as a saved agent; the checksum is put right, so that the checks behind it are reached.
 */
#include <farsight/farsight.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char path[64];
  far_agent *agent;
  snprintf(path, sizeof path, "/tmp/farsight-fuzz-%ld", (long)getpid());
  uint8_t *copy = malloc(size + 1);
  if (copy == NULL) return 0;
  if (size > 0) memcpy(copy, data, size);
  if (size > 32) far_hash(copy + size - 32, copy, size - 32);
  FILE *f = fopen(path, "wb");
  if (f == NULL) abort();
  fwrite(copy, 1, size, f);
  fclose(f);
  free(copy);
  if (far_agent_load(&agent, path, NULL) == FAR_OK) {
    const far_shape *shape = far_agent_shape(agent);
    if (far_agent_act(agent, shape->n_states - 1) >= shape->n_actions) abort();
    far_agent_observe(agent, &(far_transition){0, 0, shape->reward_min, 0, false, false}, NULL);
    far_agent_free(agent);
  } else if (agent != NULL) {
    abort();
  }
  unlink(path);
  return 0;
}
