/* Any bytes as the input of `farsight env`, line by line; nothing is recorded. */
#include "env.c"

/* what env.c needs of the rest of the command */
const char *args_word(const arguments *args, size_t index) {
  (void)args, (void)index;
  return NULL;
}
const char *args_last(const arguments *args, const char *name) {
  (void)args, (void)name;
  return NULL;
}
bool args_flag(const arguments *args, const char *name) {
  (void)args, (void)name;
  return false;
}
bool args_integer(const arguments *args, const char *name, int64_t min, int64_t max, int64_t *out) {
  (void)args, (void)name, (void)min, (void)max, (void)out;
  return true;
}
bool args_seed(const arguments *args, const char *name, uint64_t *out) {
  (void)args, (void)name, (void)out;
  return true;
}
int usage_error(const arguments *args, const char *format, ...) {
  (void)args, (void)format;
  return 2;
}
int complain(const char *format, ...) {
  (void)format;
  return 1;
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
void *room_for(size_t count, size_t size) {
  void *out = calloc(count + 1, size);
  if (out == NULL) abort();
  return out;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static bool silent;
  static far_mdp *mdp; /* made once: it never changes */
  if (!silent) silent = freopen("/dev/null", "w", stdout) != NULL;
  if (mdp == NULL && far_mdp_create(&mdp, "frozen-lake", NULL) != FAR_OK) abort();
  world x = {.mdp = mdp, .seed = 1, .steps = 20, .name = ""};
  begin_run(&x, 0);
  for (size_t at = 0; at < size;) {
    const uint8_t *end = memchr(data + at, '\n', size - at);
    const size_t length = end != NULL ? (size_t)(end - data) - at : size - at;
    char *line = malloc(length + 1); /* exactly as long as it is, so that any overrun shows */
    if (line == NULL) break;
    memcpy(line, data + at, length);
    answer_line(requests, &x, line, length);
    free(line);
    at += length + 1;
  }
  return 0;
}
