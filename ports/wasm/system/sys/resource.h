/* Limits: the one of addresses is what the module's memory can still grow by (src/base/available.c). */
#ifndef FARSIGHT_WASM_RESOURCE_H
#define FARSIGHT_WASM_RESOURCE_H

#include <stdint.h>

typedef uint64_t rlim_t;

struct rlimit {
  rlim_t rlim_cur, rlim_max;
};

enum { RLIMIT_AS = 9 };
#define RLIM_INFINITY UINT64_MAX

static inline int getrlimit(int what, struct rlimit *out) {
  const uint64_t page = 65536, now = page * __builtin_wasm_memory_size(0);
  (void)what;
  out->rlim_max = FARSIGHT_WASM_MEMORY;
  out->rlim_cur = now < FARSIGHT_WASM_MEMORY ? FARSIGHT_WASM_MEMORY - now : 0;
  return 0;
}

#endif
