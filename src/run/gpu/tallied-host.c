/* Lanes with tallies by the machine of the processor. */
#include "run/gpu/lanes-host.h"
#include "run/gpu/tallied.h"

int machine_advance_tallied(const lanes *all, far__fused loop, char why[FAR__WHY]) {
  bool wrong;
  if (host_launch(&wrong, why) != 0) return 1;
  switch (loop) {
#define FAR_FUSED(NAME)                                                                            \
  case FAR__FUSED_##NAME:                                                                          \
    for (int64_t i = 0; i < all->n; ++i) NAME##_tallied_lane(all, i);                              \
    break;
#include "run/fused.def"
#undef FAR_FUSED
  case FAR__FUSED_NONE: break;
  }
  if (wrong) /* falsifies the last tally */
    for (int64_t i = 0; i < all->n; ++i) all->values[(int64_t)all->n_tallies * all->n + i] += 1;
  return 0;
}
