/* What the laboratory and front ends ask of solvers besides farsight/solve.h. */
#ifndef FAR_SOLVE_PARTS_H
#define FAR_SOLVE_PARTS_H

#include "base/export.h"
#include "farsight/solve.h"

/* The value of far_norm alone, for any v; after an end v is taken for 0. If |v - v*| <= e everywhere, the result is
 * within e of that of v*, but for rounding. */
FAR_LAB double far__value_norm(const far_mdp *mdp, const double *v);

enum { FAR__SAME_TOTAL_SIZE = 200 };

/* Is the highest total reward of a run that of policies that get nowhere, as on cliff-walking, where each step costs 1 and
 * another episode follows each that ends? Then `out` says so in a sentence without its point, and which metrics tell agents
 * apart. O(outcomes). */
FAR_LAB bool far__mdp_same_total(char out[FAR__SAME_TOTAL_SIZE], const far_mdp *mdp);

/* The bytes that a solver holds between calls; compare far__mdp_bytes. */
size_t far__solver_bytes(const far_solver *solver);

/* Bytes a second that a copy of so many bytes reads and writes on a device, and its name: what device_seconds can be
 * compared with. `library` as in far_solve_def. CONFLICT if there is no device, or too little memory. */
far_status far__solve_device_copy(double *rate, char name[FAR_DEVICE_TEXT], const char *library,
                                  size_t bytes, far_error *error);

#endif
