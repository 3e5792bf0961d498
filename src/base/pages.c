#define _DEFAULT_SOURCE /* for madvise */
#include "base/pages.h"

#include <stdint.h>
#include <sys/mman.h>

enum { LARGE = 2 << 20 };

void far__large_pages(void *array, size_t bytes) {
#ifdef MADV_HUGEPAGE
  const size_t before = (LARGE - (uintptr_t)array % LARGE) % LARGE; /* up to the first whole page */
  if (array == NULL || bytes < before + LARGE) return;
  const size_t whole = (bytes - before) / LARGE * LARGE;
  (void)madvise((char *)array + before, whole, MADV_HUGEPAGE);
#else
  (void)array, (void)bytes;
#endif
}
