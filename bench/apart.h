/* Measuring in a process of its own: the peak memory is that of one measurement alone, and a process that is killed
 * for lack of memory does not end the other measurements. */
#ifndef FARSIGHT_BENCH_APART_H
#define FARSIGHT_BENCH_APART_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/bench.h"

/* Sends a result from the measuring process to its parent; it has the `size` that do_apart was given. */
typedef struct apart apart;
void apart_give(apart *to, const void *result);

/* The function that the measuring process calls. */
typedef void apart_fn(void *of, apart *to);

/* Calls fn(of, ...) in a process of its own. `results` has room for `most` results of `size` bytes. Returns the
 * number of results received; `end` says how the process ended early, "" if it did not. */
size_t do_apart(apart_fn *fn, void *of, void *results, size_t size, size_t most, char end[80]);

/* The peak memory of this process so far, in bytes. */
double peak_memory(void);

/* ---- limits of measurements in processes of their own ---- */

/* What the measurements may use. */
typedef struct limits {
  double pairs;   /* the most pairs of a model */
  double memory;  /* bytes */
  double seconds; /* wall time of all measurements; used up at `end` */
  double end;
} limits;

/* Reads --max-pairs, --memory and --seconds; false after printing a usage error. */
bool read_limits(const arguments *args, limits *out);

enum { WHY_SIZE = 200 };

/* Does a measurement of this estimated size exceed a limit? If so, `why` has the reason; otherwise it is "". */
bool left_out(char why[WHY_SIZE], const limits *within, double pairs, double bytes, double seconds);

#endif
