/* What the fuzz targets share. An expectation that is not met ends the process, as a sanitizer would. */
#ifndef FARSIGHT_TESTS_FUZZ_FUZZ_H
#define FARSIGHT_TESTS_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FUZZ_WATCHED 1 /* overruns are seen */
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define FUZZ_WATCHED 1
#endif

/* The library itself must refuse what is too much for any memory. */
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void) {
  return "allocator_may_return_null=1";
}

static inline void expect(bool good) {
  if (!good) abort();
}

/* The input, followed by `room` bytes that are 0. Where overruns are seen the memory is exactly so long; elsewhere one
 * block serves all inputs, which is much faster. */
static inline char *copy_of(const uint8_t *data, size_t size, size_t room) {
  char *copy;
#ifdef FUZZ_WATCHED
  copy = malloc(size + room > 0 ? size + room : 1);
#else
  static char *block;
  static size_t capacity;
  if (block == NULL || capacity < size + room) {
    capacity = 2 * (size + room) + 4096;
    block = realloc(block, capacity);
  }
  copy = block;
#endif
  if (copy == NULL) abort();
  if (size > 0) memcpy(copy, data, size);
  memset(copy + size, 0, room);
  return copy;
}

static inline void drop_copy(char *copy) {
#ifdef FUZZ_WATCHED
  free(copy);
#else
  (void)copy;
#endif
}

#endif
