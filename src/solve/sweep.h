/* One sweep over a sliced model: w = max over a of (reward + gamma P v), and how much it changed. */
#ifndef FAR_SOLVE_SWEEP_H
#define FAR_SOLVE_SWEEP_H

#include "solve/sliced.h"

/* The least and the greatest change of a value in a sweep. */
typedef struct far__extent {
  double low, high;
} far__extent;

/* Reads v, writes w (every state but the terminal ones). */
far__extent far__sweep(const far__sliced *rows, double gamma, const double *v, double *w);

/* In place: every state sees the results of those before it (Gauss-Seidel), from the first state to
 * the last or from the last to the first. */
void far__sweep_forth(const far__sliced *rows, double gamma, double *v);
void far__sweep_back(const far__sliced *rows, double gamma, double *v);

/* As far__sweep, and the greedy action of each state, the lowest if several are equal. */
far__extent far__sweep_greedy(const far__sliced *rows, double gamma, const double *v, double *w,
                              uint32_t *policy);

/* The same, and q = reward + gamma P v of every pair. */
far__extent far__sweep_pairs(const far__sliced *rows, double gamma, const double *v, double *w,
                             uint32_t *policy, double *q);

#endif
