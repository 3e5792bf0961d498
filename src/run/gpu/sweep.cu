/* Sweeps by CUDA: a grid of as many blocks as run at once goes over the tiles. Built without fused multiply-add, as
 * cuda.cu. */
#include "run/gpu/cuda.h"
#include "run/gpu/sweep.h"

namespace {

/* Blocks on a multiprocessor: as many as leave a thread 40 registers, with enough requests under way to hide the
 * latency of memory. */
constexpr int BLOCKS = SWEEP_BATCH > 4 ? 4 : 6;

constexpr unsigned WARP = 32, ALL = 0xffffffff;

/* Two buffers of q for alternate turns, so that one barrier a turn is enough: when a thread writes to a buffer
 * again, all threads have finished reading it. */
struct shared {
  double q[2][SWEEP_THREADS];
  far__extent extent[SWEEP_THREADS / WARP];
};

template <uint32_t LANES>
__device__ far__extent sweep_tiles(const sweeps &x, const sweep &one, shared &block, unsigned &turn,
                                   far__extent extent) {
  const sweep_part part = sweep_part_of(&x, LANES);
  const uint32_t t = threadIdx.x;
  for (size_t tile = blockIdx.x; tile < part.n_tiles; tile += gridDim.x) {
    sweep_state state = sweep_state_begin(&x, &part, one.v, tile, t);
    for (uint32_t a = 0; a < x.n_actions; a += part.actions, turn ^= 1) {
      block.q[turn][t] = sweep_row(&x, &part, one.v, tile, a, t);
      __syncthreads();
      sweep_state_turn(&x, &part, &state, block.q[turn], a, t);
    }
    extent = sweep_state_end(&state, one.w, extent);
  }
  return extent;
}

/* The joint extent of all threads of a warp. The order does not matter for a minimum and a maximum. */
__device__ far__extent join_warp(far__extent extent) {
  for (unsigned step = WARP / 2; step > 0; step /= 2) {
    const far__extent other = {__shfl_xor_sync(ALL, extent.low, step),
                               __shfl_xor_sync(ALL, extent.high, step)};
    extent = far__extent_join(extent, other);
  }
  return extent;
}

__device__ void join_block(far__extent extent, shared &block, sweep_slot *now) {
  const unsigned warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
  extent = join_warp(extent);
  if (lane == 0) block.extent[warp] = extent;
  __syncthreads();
  if (warp > 0) return;
  extent = join_warp(lane < SWEEP_THREADS / WARP ? block.extent[lane] : sweep_no_extent());
  if (lane > 0 || !sweep_is_made(extent)) return;
  atomicMin(&now->low, sweep_key(extent.low));
  atomicMax(&now->high, sweep_key(extent.high));
}

__global__ void __launch_bounds__(SWEEP_THREADS, BLOCKS)
    sweep_kernel(const __grid_constant__ sweeps x, unsigned from, unsigned i) {
  __shared__ shared block;
  const sweep one = sweep_of(&x, from, i);
  if (!sweep_is_due(&x, &one)) return;
  unsigned turn = 0;
  far__extent extent = sweep_no_extent();
  extent = sweep_tiles<FAR__LANES>(x, one, block, turn, extent);
  extent = sweep_tiles<1>(x, one, block, turn, extent);
  join_block(extent, block, one.now);
}

/* The number of blocks: as many as run at once, but at most one for each tile. */
int grid_of(unsigned *out, const sweeps *x, char why[FAR__WHY]) {
  int processors = 0, blocks = 0;
  if (fail(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0), "device 0",
           why) ||
      fail(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, sweep_kernel, SWEEP_THREADS, 0),
           "sweeps", why))
    return 1;
  const size_t wide = sweep_part_of(x, FAR__LANES).n_tiles, single = sweep_part_of(x, 1).n_tiles;
  const size_t tiles = wide > single ? wide : single;
  const size_t most = static_cast<size_t>(processors) * static_cast<size_t>(blocks);
  *out = static_cast<unsigned>(tiles < most ? tiles : most);
  if (*out == 0) *out = 1;
  return 0;
}

} // namespace

int machine_sweep(const sweeps *x, unsigned from, unsigned count, char why[FAR__WHY]) {
  unsigned blocks;
  if (grid_of(&blocks, x, why) != 0) return 1;
  for (unsigned i = 0; i < count; ++i) {
    sweep_kernel<<<blocks, SWEEP_THREADS>>>(*x, from, i);
    if (fail(cudaGetLastError(), "launch", why)) return 1;
  }
  return fail(cudaDeviceSynchronize(), "sweeps", why);
}

int machine_copy(void *to, const void *from, size_t bytes, char why[FAR__WHY]) {
  if (fail(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice), "copy", why)) return 1;
  return fail(cudaDeviceSynchronize(), "copy", why);
}
