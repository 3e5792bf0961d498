#ifndef FAR_BASE_INLINE_H
#define FAR_BASE_INLINE_H

/* Inlined however large it is: for what inner loops are made of. With constants among the arguments most of it
 * disappears. */
#define FAR__INLINE static inline __attribute__((always_inline))

#endif
