/* Value iteration written by hand for one shape of model: four actions, seven successors, a number of states
 * divisible by eight, no terminal states. Every bound is a constant, there is no padding, and states keep their
 * order. The library's solver is measured against this loop, and must give the same values. */
#ifndef FARSIGHT_BENCH_SOLVE_LOOP_H
#define FARSIGHT_BENCH_SOLVE_LOOP_H

#include <farsight/farsight.h>

enum { BENCH_ACTIONS = 4, BENCH_SUCCESSORS = 7 };

typedef struct bench_slices bench_slices;

/* A random model of the shape that the loop needs: distinct uniform successors, uniform weights, uniform rewards. */
far_status bench_random_model(far_mdp **out, uint32_t n_states, far_error *error);

/* Lays out the rows of a model for the loop; NULL without memory. */
bench_slices *bench_slices_create(const far_mdp *mdp);
void bench_slices_free(bench_slices *slices);

/* Iterates from 0 until the values are known to be within the tolerance, then moves them to the middle of their
 * bounds. Returns the number of sweeps; the values stay in the slices. */
int64_t bench_slices_solve(bench_slices *slices, double gamma, double tolerance);
const double *bench_slices_values(const bench_slices *slices);

#endif
