#ifndef FAR_BASE_INLINE_H
#define FAR_BASE_INLINE_H

/* Inlined however large it is: for what inner loops are made of. With constants among the arguments most of it
 * disappears. */
#ifdef FARSIGHT_COVERAGE /* but once, where its branches are counted (scripts/coverage) */
#define FAR__INLINE static inline
#else
#define FAR__INLINE static inline __attribute__((always_inline))
#endif

/* Before a loop that is short as a rule: a device's compiler would lay out sixteen turns of it. */
#ifdef __CUDACC__
#define FAR__SHORT_LOOP _Pragma("unroll 1")
#else
#define FAR__SHORT_LOOP
#endif

/* Before a struct that lies on 16 bytes in the memory of a device, which then reads and writes two words at once. */
#ifdef __CUDACC__
#define FAR__BY_TWO alignas(16)
#else
#define FAR__BY_TWO
#endif

#endif
