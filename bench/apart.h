/* Measuring in a process of its own: its peak of memory is that of what it does, and one that is killed for want of
 * memory does not take the others with it. */
#ifndef FARSIGHT_BENCH_APART_H
#define FARSIGHT_BENCH_APART_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/bench.h"

/* Hands a result over from the process; of the size that was agreed. */
typedef struct apart apart;
void apart_give(apart *to, const void *result);

/* What the process does. */
typedef void apart_fn(void *of, apart *to);

/* Has it done apart; `results` has room for `most` of `size` bytes. Returns how many came, and says in `end` how the
 * process ended before its time: "" if it did not. */
size_t do_apart(apart_fn *fn, void *of, void *results, size_t size, size_t most, char end[80]);

/* The most memory that this process has had, in bytes. */
double peak_memory(void);

/* ---- what the measurements that are done so have in common ---- */

/* How far they may go. */
typedef struct limits {
  double pairs;   /* of a model, at most */
  double memory;  /* bytes */
  double seconds; /* of wall time in all, and when that ends */
  double end;
} limits;

/* Reads --max-pairs, --memory and --seconds; false after printing a usage error. */
bool read_limits(const arguments *args, limits *out);

enum { WHY_SIZE = 200 };

/* Why something that needs about so much is left out; false, and "", if it is not. */
bool left_out(char why[WHY_SIZE], const limits *within, double pairs, double bytes, double seconds);

#endif
