/* One sweep over a sliced model: w = max over a of (reward + gamma P v), and how much it changed. */
#ifndef FAR_SOLVE_SWEEP_H
#define FAR_SOLVE_SWEEP_H

#include "base/team.h"
#include "solve/backup.h"
#include "solve/sliced.h"

/* Reads v, writes w (every state but the terminal ones). The team shares the work (NULL: the caller
 * alone); the bits do not depend on it, because a state's sums are one member's and the extent is a
 * minimum and a maximum of numbers that are never -0. */
far__extent far__sweep(const far__sliced *rows, far__team *team, double gamma, const double *v,
                       double *w);

/* In place: every state sees the results of those before it (Gauss-Seidel), from the first state to
 * the last or from the last to the first. */
void far__sweep_forth(const far__sliced *rows, double gamma, double *v);
void far__sweep_back(const far__sliced *rows, double gamma, double *v);

/* As far__sweep; also sets the greedy action of each state, the lowest of equal ones. */
far__extent far__sweep_greedy(const far__sliced *rows, far__team *team, double gamma,
                              const double *v, double *w, uint32_t *policy);

/* As far__sweep_greedy; also sets q = reward + gamma P v of every pair. */
far__extent far__sweep_pairs(const far__sliced *rows, far__team *team, double gamma,
                             const double *v, double *w, uint32_t *policy, double *q);

/* A team for these rows of at most `threads` (0: one for each processor), and only the caller if a
 * sweep is too short to share. False without memory. */
bool far__sweep_team(far__team **out, const far__sliced *rows, unsigned threads);

#endif
