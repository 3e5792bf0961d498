/* Interleaved lanes: all lanes make one stage of a step, then all the next, and each stage prefetches what the next
 * will read. Where tables or model are larger than the caches, the lanes wait for memory at the same time. */
#ifndef FAR_RUN_INTERLEAVE_H
#define FAR_RUN_INTERLEAVE_H

#include "run/lanes.h"

/* The most lanes of a loop. */
enum { FAR__INTERLEAVED = 16 };

/* The loop of an algorithm; NULL where it has none. */
far__lanes_loop *far__interleave(far__fused loop, uint32_t n_actions);

#endif
