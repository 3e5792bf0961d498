#include "farsight/base.h"

#include "base/stream.h"

void far_rng_init(far_rng *rng, uint64_t seed, uint64_t replicate, far_purpose purpose) {
  *rng = far__stream(seed, replicate, purpose);
}
