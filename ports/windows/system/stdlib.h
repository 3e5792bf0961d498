/* What MinGW's stdlib.h lacks. A cache line is only faster: malloc's alignment serves. */
#ifndef FARSIGHT_WINDOWS_STDLIB_H
#define FARSIGHT_WINDOWS_STDLIB_H

#include_next <stdlib.h>

static inline void *aligned_alloc(size_t alignment, size_t size) {
  (void)alignment;
  return malloc(size);
}

#endif
