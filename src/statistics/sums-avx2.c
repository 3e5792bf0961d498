/* The loops by AVX2. cmake/library.cmake compiles this file for it, where the processor is of that kind. */
#ifdef __AVX2__
#include "statistics/sums-loops.h"
#else
#include "statistics/sums.h"
#define SUM_LOOPS                                                                                  \
  { 0 }
#endif

const far__sums far__sums_avx2 = SUM_LOOPS;
