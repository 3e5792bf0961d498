#ifndef FAR_BASE_INLINE_H
#define FAR_BASE_INLINE_H

/* Inlined however large it is: for the parts of inner loops. With constants among the arguments most of the
 * function disappears. */
#ifdef FARSIGHT_COVERAGE /* one copy only, where branches are counted (scripts/coverage) */
#define FAR__INLINE static inline
#else
#define FAR__INLINE static inline __attribute__((always_inline))
#endif

/* Before a loop that is usually short: a device's compiler would unroll it sixteen times. */
#ifdef __CUDACC__
#define FAR__SHORT_LOOP _Pragma("unroll 1")
#else
#define FAR__SHORT_LOOP
#endif

/* Before a struct that is aligned to 16 bytes in a device's memory: the device then moves two words at once. */
#ifdef __CUDACC__
#define FAR__BY_TWO alignas(16)
#else
#define FAR__BY_TWO
#endif

#endif
