/* What the CUDA sources share. */
#ifndef FAR_GPU_CUDA_H
#define FAR_GPU_CUDA_H

#include <cuda_runtime.h>

#include <cstdio>

#include "base/backend-file.h"

/* 0, or 1 and the reason. */
static inline int fail(cudaError_t code, const char *what, char why[FAR__WHY]) {
  if (code == cudaSuccess) return 0;
  std::snprintf(why, FAR__WHY, "%s: %s", what, cudaGetErrorString(code));
  (void)cudaGetLastError();
  return 1;
}

#endif
