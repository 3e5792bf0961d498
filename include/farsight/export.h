/* FAR_API marks what the shared library exports; everything else is hidden. FAR_DEVICE marks inline functions
 * that CUDA programs may call on the device as well. */
#ifndef FARSIGHT_EXPORT_H
#define FARSIGHT_EXPORT_H

#if defined(__GNUC__)
#define FAR_API __attribute__((visibility("default")))
#else
#define FAR_API
#endif

#if defined(__CUDACC__)
#define FAR_DEVICE __host__ __device__ __attribute__((always_inline))
#else
#define FAR_DEVICE
#endif

#endif
