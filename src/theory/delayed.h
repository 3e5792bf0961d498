/* Parameters that the sample-complexity theorems of the delayed family ask for. Formulas only.
 *
 * Symbols: S, A, gamma, delta as in the papers; `range` is Rmax - Rmin, all rewards being shifted
 * to [0, range]; Vmax = range / (1 - gamma); w = range + gamma Vmax, the width of one target;
 * c = w^2 / (2 eps1^2); kappa bounds the successful updates of one pair.
 */
#ifndef FAR_THEORY_DELAYED_H
#define FAR_THEORY_DELAYED_H

typedef struct far__problem {
  double states, actions, gamma, range;
} far__problem;

typedef struct far__delayed_bound {
  double eps1, m, rho, kappa; /* m as a whole number, HUGE_VAL if it exceeds every integer here */
  double eta, lambda;         /* directed form only; otherwise 1 - eps1/range and 0 */
} far__delayed_bound;

/* Strehl, Li & Littman 2009 for a truly eps-optimal policy: eps1 = eps (1 - gamma) / 12. */
far__delayed_bound far__theory_delayed_q(far__problem p, double eps, double delta);

/* The same with interval estimation: m solves m >= c ln(B m), so that one rho serves both lemmas.
 */
far__delayed_bound far__theory_delayed_q_ie(far__problem p, double eps, double delta);

/* Oh & Iyengar 2018, repaired: eps1 = eps (1 - gamma) / 16, delta / 2, a bonus of at most eps1
 * after the first update, kappa from eps1, and m as above (full: no union over the window). */
far__delayed_bound far__theory_directed(far__problem p, double eps, double delta, double gamma_e,
                                        int full);

/* Oh & Iyengar 2018, the appendix as printed (rewards in units of range). */
far__delayed_bound far__paper_directed(far__problem p, double eps, double delta);

/* lambda / sqrt(log_eta E), the exploration bonus; 0 at E = 0, lambda for E >= eta. */
double far__bonus(double lambda, double inverse_log_eta, double e);

/* The largest lambda whose bonus never exceeds eps1 once a pair has been updated. */
double far__lambda_repaired(double eps1, double range, double eta, double gamma_e);

/* The lambda of the appendix: eps1 sqrt(log_eta eps1), eps1 in units of range. */
double far__lambda_paper(double eps1, double range, double eta);

/* The least rho that Lemma 2 (optimism) allows for a window of at most m. */
double far__rho_for_optimism(far__problem p, double m, double kappa, double delta);

/* The least m that the fully delayed form needs: c ln(3SA(1 + SA kappa) / delta). */
double far__m_full(far__problem p, double eps1, double kappa, double delta);

#endif
