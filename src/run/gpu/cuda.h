/* What the CUDA sources share. */
#ifndef FAR_GPU_CUDA_H
#define FAR_GPU_CUDA_H

#include <cuda_runtime.h>

#include <cstdio>

#include "base/backend-file.h"

/* Returns 0 on success, otherwise 1 with the reason in `why`. */
static inline int fail(cudaError_t code, const char *what, char why[FAR__WHY]) {
  if (code == cudaSuccess) return 0;
  std::snprintf(why, FAR__WHY, "%s: %s", what, cudaGetErrorString(code));
  (void)cudaGetLastError();
  return 1;
}

#endif
