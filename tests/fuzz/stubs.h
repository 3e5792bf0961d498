/* What the processes that speak JSON Lines need of the rest of the command, and their input. */
#ifndef FARSIGHT_TESTS_FUZZ_STUBS_H
#define FARSIGHT_TESTS_FUZZ_STUBS_H

const char *args_word(const arguments *args, size_t index) {
  (void)args, (void)index;
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
bool flush_output(void) {
  return true;
}
int complain(const char *format, ...) {
  (void)format;
  return 1;
}
void *room_for(size_t count, size_t size) {
  void *out = calloc(count + 1, size);
  if (out == NULL) abort();
  return out;
}

/* Hands over the bytes line by line. */
static void feed(const line_request *known, void *of, const uint8_t *data, size_t size) {
  for (size_t at = 0; at < size;) {
    const uint8_t *end = memchr(data + at, '\n', size - at);
    const size_t length = end != NULL ? (size_t)(end - data) - at : size - at;
    char *line = malloc(length + 1); /* exactly as long as it is, so that any overrun shows */
    if (line == NULL) break;
    memcpy(line, data + at, length);
    answer_line(known, of, line, length);
    free(line);
    at += length + 1;
  }
}

#endif
