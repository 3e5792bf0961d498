/* Parameters that the sample-complexity theorems of the delayed family ask for. Formulas only.
 *
 * Symbols: S, A, gamma, delta as in the papers; `range` is Rmax - Rmin, all rewards being shifted
 * to [0, range]; Vmax = range / (1 - gamma); w = range + gamma Vmax, the width of one target;
 * c = w^2 / (2 eps1^2); kappa bounds the successful updates of one pair.
 */
#ifndef FAR_THEORY_DELAYED_H
#define FAR_THEORY_DELAYED_H

#include "theory/bonus.h"

typedef struct far__problem {
  double states, actions, gamma, range;
} far__problem;

typedef struct far__window {
  double kappa; /* successful updates of one pair at most */
  double m;     /* samples of a window, a whole number that may exceed every integer type */
} far__window;

/* eps1 for a truly eps-optimal policy, eps1 = eps (1 - gamma) / divisor: 12 for Delayed Q-learning
 * (Strehl, Li & Littman 2009 have 3, for 4 eps), 16 for the directed form (Oh & Iyengar 2018 print
 * 4, and their Theorem 2 loses the same factor). */
enum { FAR__DIVISOR_DELAYED = 12, FAR__DIVISOR_DIRECTED = 16, FAR__DIVISOR_PAPER = 4 };

/* c = w^2 / (2 eps1^2), of Hoeffding's bound for targets of width w. */
double far__hoeffding_scale(far__problem p, double eps1);

/* B = 3SA(1 + SA kappa) / delta: the union over pairs and windows. */
double far__union_size(far__problem p, double kappa, double delta);

/* The least whole m >= 2 with m >= c ln(b m), up to rounding. */
double far__fixed_point(double c, double b);

/* Fully delayed: m = c ln(B), B = 3SA(1 + SA kappa) / delta, kappa = (Vmax + lambda) / eps1. */
far__window far__theory_full(far__problem p, double eps1, double lambda, double delta);

/* Interval estimation: the least m >= 2 with m >= c ln(B m), so that rho = eps1 sqrt(m) serves
 * optimism and learning both. */
far__window far__theory_interval(far__problem p, double eps1, double lambda, double delta);

/* Oh & Iyengar 2018, the appendix as printed: kappa from eps, and 6 in place of 3 in B. */
far__window far__paper_window(far__problem p, double eps, double eps1, double delta);

/* The largest lambda whose bonus never exceeds eps1 once a pair has been updated. */
double far__lambda_repaired(double eps1, double range, double ln_eta, double gamma_e);

/* The lambda of the appendix: eps1 sqrt(log_eta eps1), eps1 in units of range. */
double far__lambda_paper(double eps1, double range, double ln_eta);

/* ln(1 - share), share = eps1 / range in (0, 1), without loss where that is tiny. */
double far__ln_eta(double share);

/* The least rho that Lemma 2 (optimism) allows for a window of at most m. */
double far__rho_for_optimism(far__problem p, double m, double kappa, double delta);

#endif
