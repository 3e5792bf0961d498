/* Parameters that the theorems of the model-based methods ask for, with explicit constants where
 * the papers have them; where they state an order only, the comment names the substitute. Formulas
 * only. S' is the number of possible outcomes of a step: the states, and the end if episodes can end.
 * Rewards are shifted to [0, range]. */
#ifndef FAR_THEORY_PLANNING_H
#define FAR_THEORY_PLANNING_H

#include "theory/delayed.h"

/* ln(2^outcomes - 2), the number of sets in the L1 deviation bound of Weissman et al. 2003; 0 for
 * one outcome. */
double far__ln_events(double outcomes);

/* Samples after which a pair of R-max is known. The papers give the order
 * (S + ln(SA/delta)) Vmax^2 / (eps (1-gamma))^2; this is a sufficient value by the simulation
 * lemma: an eps/4 error of the model, half of it from transitions and half from rewards. */
double far__rmax_m(far__problem p, double outcomes, double eps, double delta);

/* MoRmax, Szita & Szepesvari 2010, with 1/(1-gamma) for the horizon. */
double far__mormax_m(far__problem p, double eps, double delta);

/* Coefficients of 1/sqrt(n) in MBIE's intervals, for pairs of at most m samples. */
double far__mbie_reward_width(far__problem p, double m, double delta); /* in units of the range */
double far__mbie_l1_width(far__problem p, double outcomes, double m, double delta);

/* MBIE-EB: beta = Vmax sqrt(ln(2SAm/delta) / 2). */
double far__mbie_eb_beta(far__problem p, double m, double delta);

/* Bellman error of the optimistic values of MBIE and MBIE-EB: how much a pair of m samples can be overrated,
 * with probability at least 1 - delta over all pairs (and all sample sizes up to m). Derived in
 * docs/theory.md. */
typedef double far__model_error(far__problem p, double outcomes, double m, double delta);
far__model_error far__mbie_error, far__mbie_eb_error;

/* The least whole m whose error is at most `target`. */
double far__least_m(far__model_error *error, far__problem p, double outcomes, double delta,
                    double target);

/* BEB, Kolter & Ng 2009, with H = 1/(1-gamma): beta = 2 H^2 range, frozen after 4 H^3 range/eps. */
double far__beb_beta(far__problem p);
double far__beb_m(far__problem p, double eps);

/* E3, Kearns & Singh 2002: the horizon after which at most eps of value is left, and the probability of reaching
 * an unknown state below which it exploits. */
double far__e3_horizon(far__problem p, double eps);
double far__e3_theta(far__problem p, double horizon, double eps);

/* UCRL-gamma, Lattimore & Hutter 2014; ln ln 1/(1-gamma), which means nothing below gamma = 0.93,
 * is taken as at least 1. */
typedef struct far__ucrl_constants {
  double l1, batch, delay;
  double w_min, m; /* of the paper; batch = ceil(m w_min), at least 1 */
} far__ucrl_constants;
far__ucrl_constants far__theory_ucrl_gamma(far__problem p, double eps, double delta);

/* UCBVI-gamma, He, Zhou & Gu 2021, for a run of `steps`: U of the bonus and the weight of its last term. Quoted
 * from memory. */
typedef struct far__ucbvi_gamma_constants {
  double u, b;
} far__ucbvi_gamma_constants;
far__ucbvi_gamma_constants far__theory_ucbvi_gamma(far__problem p, double steps, double delta);

#endif
