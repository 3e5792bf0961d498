/* Lanes in the vector registers of the processor: an element of each vector is a replicate. For small models,
 * whose tables fit into the caches; run/interleave.h is for large ones. */
#ifndef FAR_RUN_VECTORS_H
#define FAR_RUN_VECTORS_H

#include "run/lanes.h"

/* The loops for one instruction set. */
typedef struct far__vectors {
  size_t width; /* the number of lanes with which loops are fastest; 0: not built */
  far__lanes_loop *loop[FAR__FUSED_NONE]; /* of each algorithm; NULL where it has none */
} far__vectors;

extern const far__vectors far__vectors_avx512, far__vectors_avx2, far__vectors_neon;

/* The sets that are built and that this processor has, the best first; NULL past the end. */
const far__vectors *far__vectors_at(size_t index);

/* Do the loops support the agent's algorithm and all its options? */
bool far__vectors_take(const far_agent *agent);

#endif
