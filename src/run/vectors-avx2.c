/* Lanes by AVX2, if cmake/library.cmake compiles this file for it. */
#ifdef __AVX2__
#include "run/vector-loops.h"
#else
#include "run/vectors.h"
#define VECTOR_LOOPS                                                                               \
  { .width = 0 }
#endif

const far__vectors far__vectors_avx2 = VECTOR_LOOPS;
