/* The loops for every processor, and the choice. */
#include "statistics/sums-loops.h"

static const far__sums everywhere = SUM_LOOPS;

static bool has_avx2(void) {
#if defined(__x86_64__)
  return far__sums_avx2.add != NULL && __builtin_cpu_supports("avx2");
#else
  return false;
#endif
}

const far__sums *far__sums_best(void) {
  return has_avx2() ? &far__sums_avx2 : &everywhere;
}

const far__sums *far__sums_at(size_t index) {
  if (index == 0) return far__sums_best();
  return index == 1 && has_avx2() ? &everywhere : NULL;
}
