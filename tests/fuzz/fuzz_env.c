/* Any bytes as the input of `farsight env`, line by line; nothing is recorded. */
#include "env.c"
#include "stubs.h"

/* what env.c needs of the rest of the command */
const char *args_last(const arguments *args, const char *name) {
  (void)args, (void)name;
  return NULL;
}
far_status need_memory(far_status status) {
  return status;
}
int run_error(const far_error *error) {
  (void)error;
  return 1;
}
int model_from_spec(far_mdp **out, const char *spec) {
  (void)spec;
  *out = NULL;
  return 1;
}
far_status open_store(far_store **out, const char *path, far_store_mode mode, far_error *error) {
  (void)path, (void)mode, (void)error;
  *out = NULL;
  return FAR_STATUS_IO;
}
void close_store(far_store *store) {
  (void)store;
}
const char *command_line(void) {
  return "";
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static bool silent;
  static far_mdp *mdp; /* made once: it never changes */
  if (!silent) silent = freopen("/dev/null", "w", stdout) != NULL;
  if (mdp == NULL && far_mdp_create(&mdp, "frozen-lake", NULL) != FAR_OK) abort();
  world x = {.mdp = mdp, .seed = 1, .steps = 20, .name = ""};
  begin_run(&x, 0);
  feed(requests, &x, data, size);
  return 0;
}
