/* Rates and constants of the methods that stop and recommend, in finite horizon: rewards in [0, 1],
 * episodes of H steps, n visits of a pair. Formulas only.
 *
 *   Menard, Domingues, Jonsson, Kaufmann, Leurent & Valko, Fast active learning for pure exploration in
 *   reinforcement learning, arXiv 2007.13442: BPI-UCBVI and RF-Express
 *   Kaufmann, Menard, Domingues, Jonsson, Leurent & Valko, Adaptive reward-free exploration, ALT 2021 (arXiv
 *   2006.06294): RF-UCRL
 */
#ifndef FAR_THEORY_CERTIFIED_H
#define FAR_THEORY_CERTIFIED_H

#include "theory/episodic.h"

/* ln(3 S A H / delta) + dim ln(8e (n+1)): with dim = 1 for the deviation of a mean, with the number of outcomes
 * for that of a whole row of transitions. */
double far__certified_rate(far__episodic_problem p, double n, double dim);

/* RF-UCRL: ln(2 S A H / delta) + dim ln(e (1 + n/dim)), with one less than the number of outcomes. */
double far__rf_ucrl_rate(far__episodic_problem p, double n, double dim);

/* Factors of rate/n: 14 H^2 in BPI-UCBVI's bonus, 15 H^2 in RF-Express's. */
double far__bpi_ucbvi_c(double horizon);
double far__rf_express_c(double horizon);

/* RF-Express: the most that a plan can lose if the error in the exploration problem is W, 2 (3e sqrt(W) + W). */
double far__rf_express_loss(double w);

#endif
