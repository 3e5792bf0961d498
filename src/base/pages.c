#define _DEFAULT_SOURCE /* for madvise */
#include "base/pages.h"

#include <stdint.h>
#include <sys/mman.h>

enum { LARGE = 2 << 20 };

void far__large_pages(void *array, size_t bytes) {
#ifdef MADV_HUGEPAGE
  const uintptr_t first = ((uintptr_t)array + LARGE - 1) / LARGE * LARGE;
  const uintptr_t end = ((uintptr_t)array + bytes) / LARGE * LARGE;
  if (array != NULL && first < end) (void)madvise((void *)first, end - first, MADV_HUGEPAGE);
#else
  (void)array, (void)bytes;
#endif
}
