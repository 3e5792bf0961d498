/* Parameters and bounds of the model-free methods for episodes of H steps. Formulas only; rewards in
 * [0, 1], values in units of the range.
 *
 *   Jin, Allen-Zhu, Bubeck & Jordan, Is Q-learning provably efficient?, NeurIPS 2018
 */
#ifndef FAR_THEORY_UCB_H_H
#define FAR_THEORY_UCB_H_H

/* A problem of finite horizon: states, actions, steps of an episode. */
typedef struct far__episodes {
  double states, actions, horizon;
} far__episodes;

/* iota of the k-th visit of a pair at a step, ln(2 S A H k(k+1) / delta): what Azuma's inequality needs
 * for both directions at all visits of all pairs and steps together. The paper has ln(S A T / p), which needs the
 * number of steps T in advance. */
double far__iota(far__episodes p, double k, double delta);

/* UCB-H: the c with which bonuses c sqrt(H^3 iota / k) keep Q above Q*. The paper has "some absolute
 * constant"; 1 is enough: docs/theory.md. */
double far__ucb_h_c(void);

/* UCB-H: a bound on its regret in the first `episodes` that holds with probability at least 1 - delta, if the agent's
 * own delta is delta/2. Derived in docs/theory.md from the proof of Theorem 1. */
double far__ucb_h_regret(far__episodes p, double episodes, double delta);

/* The least whole number of episodes after which the mean regret of one is at most eps. */
double far__ucb_h_episodes(far__episodes p, double eps, double delta);

/* UCB-B: the weight of iota/k in its bonus, sqrt(H^7 S A); and its constants, "absolute" in the paper:
 * c2 = 2 is what Azuma's inequality needs, c1 = 2 replaces one that is not worked out. */
double far__ucb_b_tail(far__episodes p);
double far__ucb_b_c(void);

#endif
