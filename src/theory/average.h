/* Confidence widths of the optimistic agents for average reward, for rewards in [0, 1] unless a bound is given.
 * Formulas only; docs/theory.md says where their constants come from. */
#ifndef FAR_THEORY_AVERAGE_H
#define FAR_THEORY_AVERAGE_H

#include <stdbool.h>

/* UCRL2B, Fruit, Pirotta & Lazaric 2020: ln(6 S A n/delta), and 2 sqrt(variance ln/n) + 6 bound ln/n for
 * the mean of n numbers within `bound` of each other. */
double far__ucrl2b_log(double states, double actions, double n, double delta);
double far__ucrl2b_width(double variance, double bound, double n, double log);

/* KL-UCRL, Filippi, Cappe & Garivier 2010: C_P/n bounds the divergence of a row, C_R/sqrt(n) the error of a
 * mean reward. */
typedef struct far__kl_ucrl_constants {
  double p, r;
} far__kl_ucrl_constants;
far__kl_ucrl_constants far__theory_kl_ucrl(double states, double actions, double t, double delta);

/* UCRL3, Bourel, Maillard & Talebi 2020. far__theory_ucrl3: for n visits, the logarithms of the intervals (ell, lambda)
 * times `scale`, and that of the reward. far__ucrl3_plausible: is a probability x compatible with a frequency p?
 * far__ucrl3_reward_width: the width above a mean reward, for the empirical variance and range of rewards. */
typedef struct far__ucrl3_logs {
  double n, ell, lambda, reward;
} far__ucrl3_logs;
far__ucrl3_logs far__theory_ucrl3(double states, double actions, double n, double delta,
                                  double scale);
bool far__ucrl3_plausible(const far__ucrl3_logs *logs, double x, double p);
double far__ucrl3_reward_width(const far__ucrl3_logs *logs, double variance, double range);

#endif
