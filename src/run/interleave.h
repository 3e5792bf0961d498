/* Lanes in turns: all make one stage of a step, then all the next, and each stage asks the memory for what the next
 * will read. Where tables or model are larger than the caches, the waiting of all lanes overlaps. */
#ifndef FAR_RUN_INTERLEAVE_H
#define FAR_RUN_INTERLEAVE_H

#include "run/lanes.h"

/* The most lanes that a loop takes. */
enum { FAR__INTERLEAVED = 16 };

/* The loop of an algorithm; NULL where it has none. */
far__lanes_loop *far__interleave(far__fused loop, uint32_t n_actions);

#endif
