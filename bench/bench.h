/* The parts of farsight-bench. Besides the headers of the library this folder includes cli.h, output.h, memory.h,
 * picture.h, ranks.h and roff.h of the command. The command includes nothing from this folder. */
#ifndef FARSIGHT_BENCH_H
#define FARSIGHT_BENCH_H

#include "base/json.h"
#include "cli/output.h"

/* A measurement: `add` adds its table to a report, `write` writes its objects into an array that is open. */
typedef struct measured {
  void (*add)(const void *of, far_report *report);
  void (*write)(const void *of, far__json *json);
  const void *of;
} measured;

/* Prints measurements in the requested format; with --json a bare array of the objects of the first one. Returns the
 * exit code. */
int print_measured(const arguments *args, const measured *of, size_t count);

/* The measure_ functions return an exit code. *out is printed later; the caller frees out->of. */

/* Compares the agents with hand-written loops. */
int measure_agents(measured *out, int64_t repeats);

/* Compares runs computed side by side with runs one after the other; at most 5 repeats. */
int measure_lanes(measured *out, int64_t repeats);

/* Times the agents that learn a model, in units of a step of Q-learning; at most 3 repeats. */
int measure_plans(measured *out, int64_t repeats);

/* Compares the solver with a hand-written loop, on random models. The model of a million states, which takes
 * seconds, is measured only if `large`. */
int measure_solver(measured *out, int64_t repeats, bool large);

/* Times numbers as text, digests and model files, beside the C library and plain C. */
int measure_files(measured *out, int64_t repeats);

/* Compares a sweep of the solver by all threads with a copy of memory, on models of a million states. Has no
 * `write`. */
int measure_bandwidth(measured *out, int64_t repeats);

/* The least bytes that a sweep of this model must read and write. */
double sweep_bytes(const far_mdp *mdp);

/* Compares sweeps on a device with a copy in the device's memory; at most 3 repeats, on models of at most
 * `most_pairs` pairs. Without a device it measures nothing; if `must`, that is a failure. */
int measure_device(measured *out, int64_t repeats, int64_t most_pairs, bool must);

/* Times how fast a store commits blocks, in a file that is made in the folder and removed afterwards. */
int measure_store(measured *out, const char *folder);

/* bench_scale measures the time of a step and the bytes of a pair as problems grow, bench_loads the loading of model
 * files as they grow; both print their results. With fewer than 15 repeats steps are measured for a shorter time. */
int bench_scale(const arguments *args, int64_t repeats);
int bench_loads(const arguments *args);

/* Times handing out blocks to threads, or to the ranks of an MPI job, and prints the result. Returns the exit code. */
int bench_ranks(const arguments *args);

#endif
