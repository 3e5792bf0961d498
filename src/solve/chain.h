/* The Markov chain of a policy on a model, as a dense matrix over the live states. An outcome that ends an episode
 * leads to the starts directly, without a step in between. */
#ifndef FAR_SOLVE_CHAIN_H
#define FAR_SOLVE_CHAIN_H

#include "farsight/solve.h"
#include "model/model.h"

typedef struct far__chain {
  uint32_t n;      /* live states */
  uint32_t *state; /* their numbers in the model */
  uint32_t *index; /* of a state of the model, n_states; UINT32_MAX if it is not live */
  double *p;       /* n x n, by rows */
  double unit;     /* rounding: the relative error of an entry of a row, or of a product with one */
} far__chain;

/* The chain of a policy, or of the uniform one (NULL). MEMORY, or RANGE for an invalid policy. */
far_status far__chain_create(far__chain *out, const far_mdp *mdp, const far_policy *policy,
                             far_error *error);
void far__chain_free(far__chain *chain);

/* The closed classes of a chain: sets of states that are never left. */
typedef struct far__closed {
  uint32_t n_classes;
  uint32_t n_states; /* of the first class */
  uint32_t period;   /* of the first class */
  bool *member;      /* of each state of the chain: is it in the first class? */
} far__closed;

/* O(n^3) at most, usually O(n^2). */
far_status far__chain_closed(far__closed *out, const far__chain *chain, far_error *error);
void far__closed_free(far__closed *closed);

/* The stationary distribution of the closed class, 0 elsewhere, by the elimination of Grassmann, Taksar &
 * Heyman 1985, which never subtracts, so that its relative error is of the order n^3 2^-53. */
far_status far__chain_stationary(double *mu, const far__chain *chain, const far__closed *closed,
                                 far_error *error);

/* The expected number of steps to every state j from every other i, to[j * n + i], for a chain in which all
 * states lead to one another; 0 from a state to itself. Without subtractions as well. */
far_status far__chain_hitting(double *to, const far__chain *chain, const far_solve_def *def,
                              far_error *error);

/* Solves x = b + q x, n x n, where row i leaves with probability leave[i] and the chain leaves with probability 1.
 * Without subtractions. Overwrites q, leave and b; x is in b. */
void far__chain_absorb(double *q, double *leave, double *b, size_t n);

#endif
