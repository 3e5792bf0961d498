/* Lanes with tallies by CUDA: one thread a lane. */
#include "run/gpu/cuda.h"
#include "run/gpu/machine.h"
#include "run/gpu/tallied.h"

namespace {

constexpr int THREADS = 128; /* threads of a block */

#define FAR_FUSED(NAME)                                                                            \
  __global__ void __launch_bounds__(THREADS) NAME##_tallied(const __grid_constant__ lanes all) {   \
    const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;                 \
    if (i < all.n) NAME##_tallied_lane(&all, i);                                                   \
  }
#include "run/fused.def"
#undef FAR_FUSED

} // namespace

int machine_advance_tallied(const lanes *all, far__fused loop, char why[FAR__WHY]) {
  const unsigned blocks = static_cast<unsigned>((all->n + THREADS - 1) / THREADS);
  switch (loop) {
#define FAR_FUSED(NAME)                                                                            \
  case FAR__FUSED_##NAME:                                                                          \
    NAME##_tallied<<<blocks, THREADS>>>(*all);                                                     \
    break;
#include "run/fused.def"
#undef FAR_FUSED
  case FAR__FUSED_NONE: break;
  }
  if (fail(cudaGetLastError(), "launch", why)) return 1;
  return fail(cudaDeviceSynchronize(), "runs", why);
}
