/* Logarithms and bounds of the theorems for finite horizon: rewards in [0, 1], episodes of H steps, K of
 * them. Formulas only. */
#ifndef FAR_THEORY_EPISODIC_H
#define FAR_THEORY_EPISODIC_H

typedef struct far__episodic_problem {
  double states, actions, horizon; /* S, A, H */
  double episodes;                 /* K; 0 where the method needs none */
  double delta;
} far__episodic_problem;

/* UCBVI, Azar, Osband & Munos 2017: L = ln(5 S A T / delta), T = K H, of algorithms 3 and 4; and the
 * logarithm of theorems 1 and 2, ln(5 H S A T / delta). */
double far__ucbvi_l(far__episodic_problem p);
double far__ucbvi_theorem_l(far__episodic_problem p);

/* Bounds on the regret of K episodes that hold with probability at least 1 - delta: Theorem 1 (UCBVI-CH) and
 * Theorem 2 (UCBVI-BF). */
double far__ucbvi_ch_regret(far__episodic_problem p);
double far__ucbvi_bf_regret(far__episodic_problem p);

/* The least whole number of episodes for which a bound on their regret is at most eps per episode. */
typedef double far__regret(const void *of, double episodes);
double far__least_episodes(far__regret *regret, const void *of, double eps);

/* MVP, Zhang, Chen, Lee & Du 2023, Algorithm 1: ln(1/delta'), delta' = delta/(200 S A H^2 K^2). */
double far__mvp_l(far__episodic_problem p);

/* UBEV, Dann, Lattimore & Brunskill 2017, Algorithm 1: ln(18 S A H / delta). */
double far__ubev_l(far__episodic_problem p);

/* ORLC, Dann, Li, Wei & Brunskill 2019, Algorithm 1: ln(26 S A (H + 1 + S) / delta). */
double far__orlc_l(far__episodic_problem p);

/* ln ln max(e, n), as in the law of the iterated logarithm. */
double far__ln_ln(double n);

#endif
