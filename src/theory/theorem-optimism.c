/* Methods that learn a model and plan optimistically by steps: UCBVI, MVP, UBEV, ORLC. Bounds are steps,
 * H for every episode. */
#include <stdio.h>

#include "base/number.h"
#include "farsight/base.h"
#include "theory/episodic.h"
#include "theory/theorem.h"

#define REGRET                                                                                     \
  "With probability at least 1 - delta, the bound limits the number of steps after which the "     \
  "regret of an episode, V*_1 - V^pi_1 at its start, is at most eps on average."
#define STATIONARY                                                                                 \
  "A finite model whose transitions do not depend on the step; episodes of H steps; "
#define BY_STEP                                                                                    \
  "A finite model whose transitions may depend on the step; episodes of H steps; rewards in a "    \
  "known range."
#define KNOWN_REWARDS                                                                              \
  "mean rewards in a known range, and known. The agent estimates them, which the bound does not "  \
  "count: its terms for that are of lower order in H."

static far__episodic_problem of_problem(const far_problem *p, double episodes) {
  return (far__episodic_problem){.states = p->states,
                                 .actions = p->actions,
                                 .horizon = p->horizon,
                                 .episodes = episodes,
                                 .delta = p->delta};
}

static void add_most(far_guarantee *g, const far_problem *p) {
  far__quantity(g, "V_max", far__problem_episode(p), "reward", "range H", "definition",
                "no value of an episode is greater");
}

/* ---- UCBVI ---- */

typedef double ucbvi_bound(far__episodic_problem p);

typedef struct ucbvi_case {
  const far_problem *p;
  ucbvi_bound *bound;
} ucbvi_case;

static double regret_of(const void *of, double episodes) {
  const ucbvi_case *x = of;
  return x->bound(of_problem(x->p, episodes));
}

static void evaluate_ucbvi(far_guarantee *g, const far_problem *p, ucbvi_bound *bound,
                           const char *formula, const char *theorem, const char *keys) {
  char delta[FAR__NUMBER_SIZE], episodes[FAR__NUMBER_SIZE];
  const ucbvi_case x = {p, bound};
  add_most(g, p);
  const double k = far__quantity(g, "K", far__least_episodes(regret_of, &x, p->eps / p->range),
                                 "episodes", "least K with regret <= K eps", theorem,
                                 "episodes after which the mean regret is at most eps");
  far__quantity(g, "log", far__ucbvi_theorem_l(of_problem(p, k)), "", "ln(5 H S A K H / delta)",
                theorem, "logarithm of the bound; that of the bonus has no H before S");
  far__quantity(g, "regret", p->range * bound(of_problem(p, k)), "reward", formula, theorem,
                "total regret of K episodes, at most");
  far__set_bound(g, k * p->horizon, far_log(k) + far_log(p->horizon));
  far__real_format(delta, p->delta);
  far__real_format(episodes, k);
  if (k <= 0x1p53) /* doubles count no further */
    snprintf(g->agent, sizeof g->agent, "ucbvi:preset=theory,delta=%s,episodes=%s,%s", delta,
             episodes, keys);
}

static void evaluate_bf(far_guarantee *g, const far_problem *p) {
  evaluate_ucbvi(g, p, far__ucbvi_bf_regret,
                 "range (30 H log sqrt(S A K) + 2500 H^2 S^2 A log^2 + 4 H sqrt(H K log))",
                 "Theorem 2", "bonus=bernstein,constants=2017");
}

const far__theorem far__theorem_ucbvi = {
    .info = {.name = "ucbvi",
             .agent = "ucbvi",
             .title = "UCBVI with Bernstein-Freedman bonuses",
             .reference =
                 "Azar, Osband & Munos, Minimax Regret Bounds for Reinforcement Learning, ICML "
                 "2017 (arXiv 1703.05449), Theorem 2",
             .kind = FAR_THEOREM_REGRET,
             .finite_horizon = true,
             .is_explicit = true,
             .is_checked = true,
             .order = "O~(H^3 S A/eps^2 + H^3 S^2 A/eps)",
             .statement = REGRET,
             .assumptions = STATIONARY KNOWN_REWARDS,
             .constants =
                 "Explicit, as published (read in a formal statement of the theorem that quotes "
                 "it). Those who stated it so note that the paper's appendix does not lead to the "
                 "2500."},
    .evaluate = evaluate_bf,
};

static void evaluate_ch(far_guarantee *g, const far_problem *p) {
  evaluate_ucbvi(g, p, far__ucbvi_ch_regret, "range (20 H log sqrt(H S A K) + 250 H^2 S^2 A log^2)",
                 "Theorem 1", "bonus=hoeffding,constants=2017");
}

const far__theorem far__theorem_ucbvi_ch = {
    .info =
        {.name = "ucbvi-ch",
         .agent = "ucbvi",
         .title = "UCBVI with Chernoff-Hoeffding bonuses",
         .reference =
             "Azar, Osband & Munos, Minimax Regret Bounds for Reinforcement Learning, ICML "
             "2017 (arXiv 1703.05449), Theorem 1",
         .kind = FAR_THEOREM_REGRET,
         .finite_horizon = true,
         .is_explicit = true,
         .is_checked = true,
         .order = "O~(H^4 S A/eps^2 + H^3 S^2 A/eps)",
         .statement = REGRET,
         .assumptions = STATIONARY KNOWN_REWARDS,
         .constants =
             "Explicit, as published (read in a formal statement of the theorem that quotes it)."},
    .evaluate = evaluate_ch,
};

static void evaluate_2025(far_guarantee *g, const far_problem *p) {
  add_most(g, p);
  far__guarantee_preset(g, "ucbvi", p->delta, ",constants=2025");
}

const far__theorem far__theorem_ucbvi_2025 = {
    .info = {.name = "ucbvi-2025",
             .agent = "ucbvi",
             .title = "UCBVI with the constants of 2025",
             .reference =
                 "Drago, Mussi & Metelli, A Refined Analysis of UCBVI, arXiv 2502.17370, 2025",
             .kind = FAR_THEOREM_REGRET,
             .finite_horizon = true,
             .is_explicit = false,
             .is_checked = false,
             .order = "O~(H^3 S A/eps^2 + H^3 S^2 A/eps)",
             .statement = REGRET,
             .assumptions = STATIONARY KNOWN_REWARDS,
             .constants =
                 "Order only: smaller constants than those of 2017, which were not at hand in "
                 "the paper's text. The bonuses are those of published code."},
    .evaluate = evaluate_2025,
};

/* ---- MVP ---- */

static void evaluate_mvp(far_guarantee *g, const far_problem *p) {
  add_most(g, p);
  far__quantity(g, "c1", 460.0 / 9, "", "460/9", "Algorithm 1",
                "of the variance of the next value");
  far__quantity(g, "c3", 544.0 / 9, "", "544/9", "Algorithm 1", "of the term with H/n");
  far__guarantee_preset(g, "mvp", p->delta, "");
}

const far__theorem far__theorem_mvp = {
    .info = {.name = "mvp",
             .agent = "mvp",
             .title = "MVP, monotonic value propagation",
             .reference = "Zhang, Chen, Lee & Du, Settling the Sample Complexity of Online "
                          "Reinforcement Learning, COLT 2024 (arXiv 2307.13586), Theorem 1",
             .kind = FAR_THEOREM_REGRET,
             .finite_horizon = true,
             .is_explicit = false,
             .is_checked = true,
             .order = "O~(H^4 S A/eps^2)",
             .statement = REGRET,
             .assumptions =
                 BY_STEP " For every eps: there is no number of episodes before which it "
                         "does not hold.",
             .constants =
                 "Order only: min(sqrt(S A H^3 K), H K) in K episodes, up to logarithms. The "
                 "constants of the bonus are those of Algorithm 1, in the paper's text."},
    .evaluate = evaluate_mvp,
};

/* ---- UBEV and ORLC ---- */

static void evaluate_ubev(far_guarantee *g, const far_problem *p) {
  add_most(g, p);
  far__quantity(g, "log", far__ubev_l(of_problem(p, 0)), "", "ln(18 S A H / delta)", "Algorithm 1",
                "phi = sqrt((2 ln ln max(e, n) + log) / n)");
  far__guarantee_preset(g, "ubev", p->delta, "");
}

const far__theorem far__theorem_ubev = {
    .info = {.name = "ubev",
             .agent = "ubev",
             .title = "UBEV, uniform PAC",
             .reference =
                 "Dann, Lattimore & Brunskill, Unifying PAC and Regret: Uniform PAC Bounds for "
                 "Episodic Reinforcement Learning, NIPS 2017 (arXiv 1703.07710), Theorem 4",
             .kind = FAR_THEOREM_MISTAKES,
             .finite_horizon = true,
             .is_explicit = false,
             .is_checked = true,
             .order = "O~(H^5 S A/eps^2 min(1 + eps S^2 A, S))",
             .statement =
                 "With probability at least 1 - delta, for all eps at once, the bound limits the "
                 "number of steps in episodes whose policy loses more than eps.",
             .assumptions = BY_STEP,
             .constants =
                 "Order only, confirmed in the paper's text. Its regret is O~(H^2 sqrt(S A K) + "
                 "S^3 A^2 H^3) in K episodes, as we recall it. The 18 is that of another's "
                 "program; the first author's own has 27 where rewards are estimated."},
    .evaluate = evaluate_ubev,
};

static void evaluate_orlc(far_guarantee *g, const far_problem *p) {
  add_most(g, p);
  far__quantity(g, "log", far__orlc_l(of_problem(p, 0)), "", "ln(26 S A (H + 1 + S) / delta)",
                "docs/theory.md", "phi = min(1, sqrt(0.52/n (1.4 ln ln max(e, 2n) + log)))");
  far__guarantee_preset(g, "orlc", p->delta, "");
}

const far__theorem far__theorem_orlc = {
    .info = {.name = "orlc",
             .agent = "orlc",
             .title = "ORLC, policy certificates",
             .reference = "Dann, Li, Wei & Brunskill, Policy Certificates: Towards Accountable "
                          "Reinforcement Learning, ICML 2019 (arXiv 1811.03056)",
             .kind = FAR_THEOREM_MISTAKES,
             .finite_horizon = true,
             .is_explicit = false,
             .is_checked = false,
             .order = "O~(H^3 S A/eps^2 + H^4 S^2 A/eps)",
             .statement = "With probability at least 1 - delta, the certificate of every episode "
                          "bounds what its "
                          "policy loses, and for all eps at once the bound limits the number of "
                          "steps in episodes "
                          "whose certificate is above eps.",
             .assumptions =
                 STATIONARY "rewards in a known range; one start, known before the episode.",
             .constants =
                 "Order only, confirmed in the paper's text. The widths have constants (sqrt(12), "
                 "45, 31) that are recalled; phi and its logarithm were derived again."},
    .evaluate = evaluate_orlc,
};
