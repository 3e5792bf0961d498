/* Any bytes as the input of `farsight agent`, line by line. Saving and loading are cut off, so that
 * the fuzzer writes no files of its own naming; fuzz_load covers the reading. */
#include <farsight/farsight.h>

static far_status no_save(const far_agent *agent, const char *path, far_error *error) {
  (void)agent;
  *error = (far_error){FAR_STATUS_IO, -1, "not here"};
  return path[0] == 's' ? FAR_OK : FAR_STATUS_IO;
}

static far_status no_restore(far_agent *agent, const char *path, far_error *error) {
  *error = (far_error){FAR_STATUS_FORMAT, -1, "not here"};
  if (path[0] == 's') far_agent_reset(agent, 7, 0);
  return path[0] == 's' ? FAR_OK : FAR_STATUS_FORMAT;
}

#define far_agent_save no_save
#define far_agent_restore no_restore
#include "agent.c"
#include "stubs.h"

const char *args_text(const arguments *args, const char *name, size_t index) {
  (void)args, (void)name, (void)index;
  return NULL;
}
bool args_real(const arguments *args, const char *name, double *out) {
  (void)args, (void)name, (void)out;
  return true;
}
int spec_error(const far_error *error, const char *spec) {
  (void)error, (void)spec;
  return 2;
}
void print_warnings(const arguments *args, const char *agent, const char *env,
                    const far_shape *shape) {
  (void)args, (void)agent, (void)env, (void)shape;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static bool silent;
  if (!silent) silent = freopen("/dev/null", "w", stdout) != NULL;
  static const bool absent[4] = {false, false, false, true};
  far_shape shape = far_shape_default(4, 2);
  shape.absent = absent;
  served x = {.seed = 1};
  if (far_agent_create(&x.agent, "directed-delayed-q:m=2", &shape, 1, 0, NULL) != FAR_OK) abort();
  feed(requests, &x, data, size);
  far_agent_free(x.agent);
  return 0;
}
