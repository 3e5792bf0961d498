/* The parts of farsight-bench. Besides the headers of the library this folder uses cli.h, output.h, memory.h, picture.h,
 * ranks.h and roff.h of the command, which knows nothing of this folder. */
#ifndef FARSIGHT_BENCH_H
#define FARSIGHT_BENCH_H

#include "base/json.h"
#include "cli/output.h"

/* A measurement: adds its table to a report, or writes its objects into an array that is open. */
typedef struct measured {
  void (*add)(const void *of, far_report *report);
  void (*write)(const void *of, far__json *json);
  const void *of;
} measured;

/* Prints measurements in the format that is asked for: with --json a bare array of the first one's objects.
 * The exit code. */
int print_measured(const arguments *args, const measured *of, size_t count);

/* Every measurement gives an exit code; *out, which is printed later, is the caller's to free (`of`). */

/* The agents beside loops written by hand. */
int measure_agents(measured *out, int64_t repeats);

/* Runs side by side beside runs one after the other; at most 5 repeats. */
int measure_lanes(measured *out, int64_t repeats);

/* The agents that learn a model, in units of Q-learning; at most 3 repeats. */
int measure_plans(measured *out, int64_t repeats);

/* The solver beside such a loop, on random models. The million states that take seconds are left out
 * unless `large`. */
int measure_solver(measured *out, int64_t repeats, bool large);

/* Numbers as text, digests and model files, beside the C library and plain C. */
int measure_files(measured *out, int64_t repeats);

/* A sweep of the solver by all threads beside a copy of memory, of a million states. Has no `write`. */
int measure_bandwidth(measured *out, int64_t repeats);

/* The bytes that a sweep cannot do without. */
double sweep_bytes(const far_mdp *mdp);

/* Sweeps on a device beside a copy there; at most 3 repeats, of models with at most so many pairs. Nothing where there
 * is none, or a failure if it `must` be there. */
int measure_device(measured *out, int64_t repeats, int64_t most_pairs, bool must);

/* How fast a store takes blocks, in a file that is made in the folder and removed. */
int measure_store(measured *out, const char *folder);

/* What a step costs and a pair takes as problems grow, and how fast model files load as they do; print it.
 * Fewer repeats than 15 measure steps for a shorter time. */
int bench_scale(const arguments *args, int64_t repeats);
int bench_loads(const arguments *args);

/* Times handing out blocks to threads, or to the ranks of an MPI job, and prints it; the exit code. */
int bench_ranks(const arguments *args);

#endif
