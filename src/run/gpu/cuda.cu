/* The machine of machine.h on CUDA: one thread for each lane. The tables of a lane are contiguous in global memory,
 * so that the data of a step lie together. Built without fused multiply-add, so that results are bit-identical to
 * the processor's. */
#include "run/gpu/cuda.h"
#include "run/gpu/machine.h"

namespace {

constexpr int THREADS = 128; /* threads of a block */

/* Blocks on a multiprocessor: the best value measured on an H200 (docs/gpu.md). With fewer, threads wait for memory;
 * with more, a thread has too few registers and a lane too little of the cache. To try others: -DLANE_BLOCKS=... */
#ifndef LANE_BLOCKS
#define LANE_BLOCKS 6
#endif
constexpr int BLOCKS = LANE_BLOCKS;

__global__ void fill_kernel(const __grid_constant__ lanes all) {
  const size_t words = all.words * static_cast<size_t>(all.n);
  const size_t step = static_cast<size_t>(gridDim.x) * blockDim.x;
  for (size_t w = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; w < words; w += step)
    lane_fill(&all, w);
}

__global__ void begin_kernel(const __grid_constant__ lanes all) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < all.n) lane_begin(&all, i);
}

#define KERNEL(LOOP, SET, ACTIONS)                                                                 \
  __global__ void __launch_bounds__(THREADS, BLOCKS)                                               \
      LOOP##_##SET##_##ACTIONS##_kernel(const __grid_constant__ lanes all) {                       \
    const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;                 \
    if (i < all.n) LOOP##_##SET##_##ACTIONS##_lane(&all, i);                                       \
  }
#include "run/gpu/kernels.def"
#undef KERNEL

unsigned blocks_of(int64_t lanes_wanted) {
  return static_cast<unsigned>((lanes_wanted + THREADS - 1) / THREADS);
}

int device; /* the number of the device in use */

} // namespace

int machine_open(int number, far__device_traits *traits, char why[FAR__WHY]) {
  int count = 0;
  cudaDeviceProp properties;
  if (fail(cudaGetDeviceCount(&count), "no CUDA device", why)) return 1;
  if (number >= count) {
    std::snprintf(why, FAR__WHY, number == 0 ? "no CUDA device" : "no CUDA device %d", number);
    return 1;
  }
  device = number;
  if (machine_enter(why) != 0 ||
      fail(cudaGetDeviceProperties(&properties, device), "properties of the device", why))
    return 1;
  std::snprintf(traits->name, sizeof traits->name, "%.100s", properties.name);
  traits->memory = machine_room();
  return 0;
}

int machine_enter(char why[FAR__WHY]) {
  return fail(cudaSetDevice(device), "choice of the device", why);
}

double machine_room(void) {
  size_t room = 0, all = 0;
  if (cudaMemGetInfo(&room, &all) != cudaSuccess) return 0;
  return static_cast<double>(room);
}

int64_t machine_lanes(void) {
  int processors = 0, threads = 0;
  if (cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device) != cudaSuccess ||
      cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device) !=
          cudaSuccess)
    return 0;
  return static_cast<int64_t>(processors) * threads;
}

int machine_allocate(void **out, size_t bytes, char why[FAR__WHY]) {
  return fail(cudaMalloc(out, bytes), "memory of the device", why);
}

void machine_free(void *memory) {
  (void)cudaFree(memory);
}

int machine_put(void *to, const void *from, size_t bytes, char why[FAR__WHY]) {
  return fail(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), "copy to the device", why);
}

int machine_get(void *to, const void *from, size_t bytes, char why[FAR__WHY]) {
  return fail(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), "copy from the device", why);
}

int machine_begin(const lanes *all, char why[FAR__WHY]) {
  fill_kernel<<<2048, THREADS>>>(*all);
  if (fail(cudaGetLastError(), "first states", why)) return 1;
  begin_kernel<<<blocks_of(all->n), THREADS>>>(*all);
  return fail(cudaGetLastError(), "first states", why);
}

int machine_advance(const lanes *all, kernel which, char why[FAR__WHY]) {
  const unsigned blocks = blocks_of(all->n);
  switch (which) {
#define KERNEL(LOOP, SET, ACTIONS)                                                                 \
  case KERNEL_##LOOP##_##SET##_##ACTIONS:                                                          \
    LOOP##_##SET##_##ACTIONS##_kernel<<<blocks, THREADS>>>(*all);                                  \
    break;
#include "run/gpu/kernels.def"
#undef KERNEL
  case KERNELS: break;
  }
  if (fail(cudaGetLastError(), "launch", why)) return 1;
  return fail(cudaDeviceSynchronize(), "runs", why);
}
