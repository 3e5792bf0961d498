/* Parameters of UCB Q-learning for an infinite horizon. Formulas only.
 *
 *   Dong, Wang, Chen & Wang, Q-learning with UCB exploration is sample efficient for
 *   infinite-horizon MDP, ICLR 2020: Algorithm 1 and the constants of Theorem 1
 */
#ifndef FAR_THEORY_UCB_Q_H
#define FAR_THEORY_UCB_Q_H

/* The least c for which Q stays above Q*, in bonuses of c range sqrt(h ln(...) / k): 4 sqrt(2) /
 * (1-gamma). */
double far__ucb_q_c(double gamma);

/* h and the constants from which it is computed, as the paper names them. */
typedef struct far__ucb_q_constants {
  double r, l, xi, m, eps1, h;
} far__ucb_q_constants;
far__ucb_q_constants far__theory_ucb_q(double gamma, double eps);

/* The h for an eps-optimal policy; eps in units of the range, 1/2 < gamma < 1. Not positive for an eps so large
 * that any policy is eps-optimal. */
double far__ucb_q_h(double gamma, double eps);

#endif
