/* Hand-written loops on the paper's chain: agent and environment in one function, two actions, all parameters
 * constants. The library's fast path is measured against these loops, and must give the same total rewards to the
 * last bit. */
#ifndef FARSIGHT_BENCH_CHAIN_LOOPS_H
#define FARSIGHT_BENCH_CHAIN_LOOPS_H

#include <stdint.h>

enum { BENCH_LONGEST = 64 };

typedef struct bench_loop {
  const char *name;
  const char *agent; /* the spec that the library is to run */
  double (*run)(int n, int64_t steps, uint64_t seed, uint64_t replicate);
} bench_loop;

/* One loop for each agent; the last entry has a NULL name. */
extern const bench_loop bench_loops[];

#endif
