/* Model-free methods for episodes of H steps, and lower bounds for them. Bounds are steps, H for every
 * episode. */

#include "farsight/base.h"
#include "theory/theorem.h"
#include "theory/ucb-h.h"

#define REGRET                                                                                     \
  "With probability at least 1 - delta, the bound limits the number of steps after which the "     \
  "regret of an episode, V*_1 - V^pi_1 at its start, is at most eps on average."
#define SETTING                                                                                    \
  "A finite model whose transitions may depend on the step; episodes of H steps; rewards in a "    \
  "known range."

static far__episodes episodes_of(const far_problem *p) {
  return (far__episodes){p->states, p->actions, p->horizon};
}

/* For theorems that state an order without constants. */
static void evaluate_order(far_guarantee *g, const far_problem *p) {
  far__quantity(g, "V_max", far__problem_episode(p), "reward", "range H", "definition",
                "no value of an episode is greater");
}

/* ---- UCB-H ---- */

static void evaluate_ucb_h(far_guarantee *g, const far_problem *p) {
  const far__episodes e = episodes_of(p);
  const char *here = "docs/theory.md, UCB-H";
  evaluate_order(g, p);
  far__quantity(g, "c", far__ucb_h_c(), "", "1", here,
                "bonus c range sqrt(H^3 ln(2 S A H k(k+1)/delta') / k) at the k-th visit");
  far__quantity(g, "delta'", p->delta / 2, "", "delta / 2", here, "the agent's own delta");
  const double k = far__quantity(g, "K", far__ucb_h_episodes(e, p->eps / p->range, p->delta),
                                 "episodes", "least K with regret <= K eps", "Theorem 1",
                                 "episodes after which the mean regret is at most eps");
  far__quantity(g, "regret", p->range * far__ucb_h_regret(e, k, p->delta), "reward",
                "e range (S A H^2 + 6 sqrt(H^5 S A K ln(2 S A H K(K+1)/delta')) + "
                "H sqrt(H K ln(2/delta) / 2))",
                here, "total regret of K episodes, at most");
  far__set_bound(g, k * p->horizon, far_log(k) + far_log(p->horizon));
  far__guarantee_preset(g, "ucb-h", p->delta / 2, "");
}

const far__theorem far__theorem_ucb_h = {
    .info =
        {.name = "ucb-h",
         .agent = "ucb-h",
         .title = "Q-learning with Hoeffding bonuses",
         .reference = "Jin, Allen-Zhu, Bubeck & Jordan, Is Q-learning provably efficient?, "
                      "NeurIPS 2018 (arXiv 1807.03765), Theorem 1",
         .kind = FAR_THEOREM_REGRET,
         .finite_horizon = true,
         .is_explicit = true,
         .is_checked = true,
         .order = "O~(H^6 SA/eps^2)",
         .statement = REGRET,
         .assumptions = SETTING,
         .constants =
             "Explicit. The paper has the order sqrt(H^4 S A T iota) in T = K H steps and \"some "
             "absolute constant c\". The constants here are derived in docs/theory.md "
             "along its proof, with a logarithm that needs no T."},
    .evaluate = evaluate_ucb_h,
};

/* ---- UCB-B ---- */

static void evaluate_ucb_b(far_guarantee *g, const far_problem *p) {
  evaluate_order(g, p);
  far__quantity(g, "c2", far__ucb_b_c(), "", "2", "Azuma's inequality",
                "beta is at most c2 range sqrt(H^3 iota / k)");
  far__quantity(g, "tail", far__ucb_b_tail(episodes_of(p)), "", "sqrt(H^7 S A)", "Algorithm 2",
                "weight of iota / k in the other bound on beta");
  far__guarantee_preset(g, "ucb-b", p->delta, "");
}

const far__theorem far__theorem_ucb_b = {
    .info = {.name = "ucb-b",
             .agent = "ucb-b",
             .title = "Q-learning with Bernstein bonuses",
             .reference = "Jin, Allen-Zhu, Bubeck & Jordan, Is Q-learning provably efficient?, "
                          "NeurIPS 2018 (arXiv 1807.03765), Theorem 2",
             .kind = FAR_THEOREM_REGRET,
             .finite_horizon = true,
             .is_explicit = false,
             .is_checked = true,
             .order = "O~(H^5 SA/eps^2 + (H^11 S^3 A^3)^.5/eps)",
             .statement = REGRET,
             .assumptions = SETTING,
             .constants = "Order only: sqrt(H^3 S A T iota) + sqrt(H^9 S^3 A^3) iota^2 in T = K H "
                          "steps. The paper leaves c1 and c2 to absolute constants; the agent's c1 "
                          "= 2 is not worked out."},
    .evaluate = evaluate_ucb_b,
};

/* ---- UCBMQ ---- */

const far__theorem far__theorem_ucbmq = {
    .info = {.name = "ucbmq",
             .agent = "ucbmq",
             .title = "UCB momentum Q-learning",
             .reference =
                 "Menard, Domingues, Shang & Valko, UCB Momentum Q-learning: Correcting the "
                 "bias without forgetting, ICML 2021 (arXiv 2103.01312)",
             .kind = FAR_THEOREM_REGRET,
             .finite_horizon = true,
             .is_explicit = false,
             .is_checked = false,
             .order = "O~(H^4 SA/eps^2 + H^5 SA/eps)",
             .statement = REGRET,
             .assumptions = SETTING " The bonus of the proof; the agent has that of the authors' "
                                    "experiments.",
             .constants = "Order only: sqrt(H^3 S A K) + H^4 S A in K episodes, confirmed in the "
                          "paper's abstract. The bonus of the proof could not be checked."},
    .evaluate = evaluate_order,
};

/* ---- RandQL ---- */

const far__theorem far__theorem_rand_ql = {
    .info = {.name = "rand-ql",
             .agent = "rand-ql",
             .title = "Staged randomised Q-learning",
             .reference = "Tiapkin, Belomestny, Calandriello, Moulines, Munos, Naumov, Perrault, "
                          "Valko & Menard, Model-free posterior sampling via learning rate "
                          "randomization, NeurIPS 2023 (arXiv 2310.18186)",
             .kind = FAR_THEOREM_REGRET,
             .finite_horizon = true,
             .is_explicit = false,
             .is_checked = false,
             .order = "O~(H^6 SA/eps^2)",
             .statement = REGRET,
             .assumptions =
                 SETTING " Of the staged form, with a prior, kappa and ensemble that grow "
                         "with the logarithm of the number of episodes.",
             .constants = "Order only: sqrt(H^5 S A K) in K episodes, confirmed in the paper's "
                          "abstract. The parameters of the proof could not be checked."},
    .evaluate = evaluate_order,
};

/* ---- Q-EarlySettled-Advantage ---- */

const far__theorem far__theorem_q_advantage = {
    .info = {.name = "q-advantage",
             .agent = "q-advantage",
             .title = "Q-learning by reference and advantage",
             .reference = "Li, Shi, Chen, Gu & Chi, Breaking the sample complexity barrier to "
                          "regret-optimal model-free reinforcement learning, NeurIPS 2021 (arXiv "
                          "2110.04645)",
             .kind = FAR_THEOREM_REGRET,
             .finite_horizon = true,
             .is_explicit = false,
             .is_checked = false,
             .order = "O~(H^4 SA/eps^2)",
             .statement = REGRET,
             .assumptions = SETTING " For numbers of steps above S A poly(H).",
             .constants =
                 "Order only: sqrt(H^2 S A T) in T = K H steps, confirmed in the paper's "
                 "abstract. Its constant c_b is \"sufficiently large\"; the agent's 1 stands "
                 "in for it."},
    .evaluate = evaluate_order,
};

/* ---- lower bounds ---- */

const far__theorem far__theorem_lower_bound_regret = {
    .info =
        {.name = "lower-bound-regret",
         .title = "Lower bound on regret",
         .reference = "Domingues, Menard, Kaufmann & Valko, Episodic reinforcement learning in "
                      "finite MDPs: Minimax lower bounds revisited, ALT 2021 (arXiv 2010.03531); "
                      "Jin, Allen-Zhu, Bubeck & Jordan 2018, Theorem 3",
         .kind = FAR_THEOREM_LOWER,
         .finite_horizon = true,
         .is_explicit = false,
         .is_checked = true,
         .order = "Omega(H^4 SA/eps^2)",
         .statement = "For every method there is a model on which the expected regret of K "
                      "episodes is at least of the order sqrt(H^3 S A K): the mean regret of an "
                      "episode is eps at most only after this many steps.",
         .assumptions = "Transitions may depend on the step; with the same transitions at every "
                        "step a factor of H is missing. Holds for all methods.",
         .constants = "Order only, confirmed in the abstract of Domingues et al. (sqrt(H^3 S A K)) "
                      "and in Jin et al. (sqrt(H^2 S A T), T = K H)."},
    .evaluate = evaluate_order,
};

const far__theorem far__theorem_lower_bound_episodes = {
    .info = {.name = "lower-bound-episodes",
             .title = "Lower bound on mistakes by episodes",
             .reference =
                 "Dann & Brunskill, Sample complexity of episodic fixed-horizon reinforcement "
                 "learning, NeurIPS 2015 (arXiv 1510.08906); Domingues, Menard, Kaufmann & "
                 "Valko, ALT 2021 (arXiv 2010.03531)",
             .kind = FAR_THEOREM_LOWER,
             .finite_horizon = true,
             .is_explicit = false,
             .is_checked = true,
             .order = "Omega(H^3 SA/eps^2 ln(1/delta))",
             .statement =
                 "For every method there is a model on which, with probability above delta, "
                 "the steps of the episodes whose policy loses more than eps are more than "
                 "this.",
             .assumptions =
                 "The same transitions at every step (Dann & Brunskill); a factor of H more "
                 "where they may depend on the step (Domingues et al., for identifying an "
                 "eps-optimal policy). Holds for all methods.",
             .constants =
                 "Order only, confirmed in both abstracts: H^2 S A/eps^2 ln(1/(delta + c)) and "
                 "H^3 S A/eps^2 ln(1/delta) episodes."},
    .evaluate = evaluate_order,
};
