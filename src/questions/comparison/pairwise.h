/* Who is better than whom: the probability of improvement of every agent over every other one.
 *
 *     far__pairwise *pairs;
 *     far_status status = far__pairwise_create(&pairs, comparison, 0, &error);
 *     ... far__pairwise_of(pairs, i, j)->better ...       agent i is better than agent j so often
 *     far__pairwise_report(pairs, report);                the same as tables
 *     far__pairwise_free(pairs);
 *
 * P(X better than Y) is the share of pairs of runs with the same random numbers that X wins, ties counting
 * half, in the mean over the environments that both are on: that of far_improvement_paired. Its test is over
 * replicates, since those share random numbers on all environments: for each, what it has won less what it has
 * lost, over environments of equal weight, and far_sign_test of these numbers. On one environment that is the
 * plain sign test of its pairs. Where one of these environments has no pairs, as for imported runs, any two runs
 * are compared (far_improvement), and the test is far_rank_sum_test. The p-values of all pairs of agents are
 * adjusted together by the comparison's correction. docs/statistics.md explains what they assume.
 */
#ifndef FAR_QUESTIONS_COMPARISON_PAIRWISE_H
#define FAR_QUESTIONS_COMPARISON_PAIRWISE_H

#include "farsight/comparison.h"

/* An ordered pair of agents. */
typedef struct far__pairwise_cell {
  size_t n_envs; /* on which both have runs; 0: none, and all numbers are NAN */
  double better; /* P(the row's agent is better than the column's); 1 - that of the reverse pair */
  bool paired;   /* of runs with the same random numbers, else of any two runs */
  int64_t pairs; /* of runs, over all environments; 0 unless paired */
  int64_t won, tied;    /* of these */
  double p, p_adjusted; /* two-sided; the same for the reverse pair */
  bool decided;         /* p_adjusted is at most 1 - level: one is better, by `better` */
} far__pairwise_cell;

typedef struct far__pairwise {
  const far_comparison *comparison; /* the caller's */
  size_t group;                     /* of the comparison; its agents are the rows and columns */
  size_t n_agents;
  far__pairwise_cell *cells; /* row i and column j at i * n_agents + j */
  size_t n_tests;            /* pairs of agents, that the p-values are adjusted for */
  double level;
} far__pairwise;

/* Compares all agents of a group of the comparison, which must stay. Linear in runs times agents; a definition
 * with `quick` is enough for the comparison. Fails with RANGE (no such group) or MEMORY; *out is then
 * NULL. */
far_status far__pairwise_create(far__pairwise **out, const far_comparison *comparison, size_t group,
                                far_error *error);
void far__pairwise_free(far__pairwise *pairs); /* NULL is fine */

static inline const far__pairwise_cell *far__pairwise_of(const far__pairwise *pairs, size_t row,
                                                         size_t column) {
  return &pairs->cells[row * pairs->n_agents + column];
}

/* Adds a heading, the table "pairwise" with a row for every ordered pair, and the methods. */
void far__pairwise_report(const far__pairwise *pairs, far_report *report);

#endif
