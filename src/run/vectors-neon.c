/* Lanes by NEON, which every 64-bit ARM processor has. Outcomes are read as little-endian words. */
#if defined(__aarch64__) && defined(__ARM_NEON) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#include "run/vector-loops.h"
#else
#include "run/vectors.h"
#define VECTOR_LOOPS                                                                               \
  { .width = 0 }
#endif

const far__vectors far__vectors_neon = VECTOR_LOOPS;
