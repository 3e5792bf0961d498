/* The parts of farsight bench. */
#ifndef FARSIGHT_CLI_BENCH_H
#define FARSIGHT_CLI_BENCH_H

#include "cli.h"
#include "mpi/ranks.h"

/* Times the solver beside the loop by hand on random models and prints a table, or JSON. The
 * million states that take seconds are left out unless `large`. The exit code. */
int bench_solver(const arguments *args, int64_t repeats, bool large);

/* How fast a store takes blocks, in a file that is made in the folder and removed. The exit code. */
int bench_store(const arguments *args, const char *folder);

/* What the ranks of the job sent each other so far; zeros if this process is alone. */
far_traffic traffic_of_ranks(void);

/* Times handing out blocks to threads, or to the ranks of an MPI job; the exit code. */
int bench_ranks(const arguments *args);

#endif
