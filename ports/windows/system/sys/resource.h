/* Limits of a process: there are none of its addresses (src/base/available.c). */
#ifndef FARSIGHT_WINDOWS_RESOURCE_H
#define FARSIGHT_WINDOWS_RESOURCE_H

#include <stdint.h>

typedef uint64_t rlim_t;

struct rlimit {
  rlim_t rlim_cur, rlim_max;
};

enum { RLIMIT_AS = 9 };
#define RLIM_INFINITY UINT64_MAX

static inline int getrlimit(int what, struct rlimit *out) {
  (void)what;
  *out = (struct rlimit){RLIM_INFINITY, RLIM_INFINITY};
  return 0;
}

#endif
