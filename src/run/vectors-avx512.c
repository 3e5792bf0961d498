/* Lanes by AVX-512, if cmake/library.cmake compiles this file for it. */
#ifdef __AVX512F__
#include "run/vector-loops.h"
#else
#include "run/vectors.h"
#define VECTOR_LOOPS                                                                               \
  { .width = 0 }
#endif

const far__vectors far__vectors_avx512 = VECTOR_LOOPS;
