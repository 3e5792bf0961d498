/* Finite horizon: methods that stop and recommend a policy, and methods that sample a model or values for every
 * episode. Bounds are orders of steps, H for every episode; parameters of methods that stop are explicit. */
#include <stdio.h>

#include "base/number.h"
#include "theory/certified.h"
#include "theory/theorem.h"

#define STOPS                                                                                      \
  "With probability at least 1 - delta, the method stops after at most this many steps, and the "  \
  "policy that it then recommends earns at most eps less than the best in an episode."
#define REWARD_FREE                                                                                \
  "With probability at least 1 - delta, the method stops after at most this many steps, and for "  \
  "every reward function the plan with its estimated transitions earns at most eps less than the " \
  "best in an episode."
#define REGRET                                                                                     \
  "The bound limits the number of steps after which the regret of an episode, V*_1 - V^pi_1 at "   \
  "its start, is at most eps on average"
#define SETTING                                                                                    \
  "A finite model whose transitions may depend on the step; episodes of H steps from one start; "  \
  "rewards in a known range."

static far__episodic_problem problem_of(const far_problem *p) {
  return (far__episodic_problem){
      .states = p->states, .actions = p->actions, .horizon = p->horizon, .delta = p->delta};
}

static void evaluate_order(far_guarantee *g, const far_problem *p) {
  far__quantity(g, "V_max", far__problem_episode(p), "reward", "range H", "definition",
                "no value of an episode is greater");
}

static void name_agent(far_guarantee *g, const char *name, const far_problem *p) {
  char eps[FAR__NUMBER_SIZE], delta[FAR__NUMBER_SIZE];
  far__real_format(eps, p->eps);
  far__real_format(delta, p->delta);
  snprintf(g->agent, sizeof g->agent, "%s:preset=theory,eps=%s,delta=%s", name, eps, delta);
}

/* Quantities that BPI-UCBVI and RF-Express share: the parts of their rates that do not depend on the visits. */
static void evaluate_rates(far_guarantee *g, const far_problem *p) {
  evaluate_order(g, p);
  far__quantity(g, "lambda", far__certified_rate(problem_of(p), 0, 0), "", "ln(3 S A H / delta)",
                "the paper's rates",
                "beta(n) = lambda + dim ln(8e(n+1)), beta*(n) = lambda + ln(8e(n+1))");
  far__quantity(g, "dim", far__problem_outcomes(p), "outcomes", "S, and one if episodes can end",
                "the paper's rates", "what can follow a step");
}

/* ---- BPI-UCBVI ---- */

static void evaluate_bpi_ucbvi(far_guarantee *g, const far_problem *p) {
  const char *here = "docs/theory.md, BPI-UCBVI";
  evaluate_rates(g, p);
  const double c = far__quantity(g, "c", far__bpi_ucbvi_c(p->horizon), "", "14 H^2", here,
                                 "factor of beta/n in the bonus");
  far__quantity(g, "width", 18 * c / 7, "", "36 H^2", here,
                "factor of beta/n in the width of the policy");
  name_agent(g, "bpi-ucbvi", p);
}

const far__theorem far__theorem_bpi_ucbvi = {
    .info = {.name = "bpi-ucbvi",
             .agent = "bpi-ucbvi",
             .title = "BPI-UCBVI, best policy identification",
             .reference =
                 "Menard, Domingues, Jonsson, Kaufmann, Leurent & Valko, Fast active learning for "
                 "pure exploration in reinforcement learning, arXiv 2007.13442, 2020",
             .kind = FAR_THEOREM_STOPPING,
             .finite_horizon = true,
             .is_explicit = false,
             .is_checked = true,
             .order = "O~(H^4 S A/eps^2 ln(1/delta))",
             .statement = STOPS,
             .assumptions = SETTING " The agent estimates rewards, which the paper knows; its "
                                    "certificate pays for that.",
             .constants =
                 "That it keeps its promise is derived with every constant in docs/theory.md. The "
                 "number of steps is an order, H^3 S A/eps^2 episodes, as others report it."},
    .evaluate = evaluate_bpi_ucbvi,
};

/* ---- reward-free ---- */

static void evaluate_rf_express(far_guarantee *g, const far_problem *p) {
  evaluate_rates(g, p);
  far__quantity(g, "c", far__rf_express_c(p->horizon), "", "15 H^2", "the paper",
                "factor of beta/n in W; it stops where 2 (3e sqrt(W) + W) <= eps/range");
  name_agent(g, "rf-express", p);
}

const far__theorem far__theorem_rf_express = {
    .info = {.name = "rf-express",
             .agent = "rf-express",
             .title = "RF-Express, reward-free exploration",
             .reference =
                 "Menard, Domingues, Jonsson, Kaufmann, Leurent & Valko, Fast active learning for "
                 "pure exploration in reinforcement learning, arXiv 2007.13442, 2020",
             .kind = FAR_THEOREM_STOPPING,
             .finite_horizon = true,
             .is_explicit = false,
             .is_checked = true,
             .order = "O~(H^4 S A/eps^2 (ln(1/delta) + S))",
             .statement = REWARD_FREE,
             .assumptions = SETTING " Rewards are known when it plans; the agent estimates them, "
                                    "which is not part of the promise.",
             .constants = "Order only, H^3 S A/eps^2 (ln(1/delta) + S) episodes, as others report "
                          "it; the parameters are those of the authors' program."},
    .evaluate = evaluate_rf_express,
};

static void evaluate_rf_ucrl(far_guarantee *g, const far_problem *p) {
  evaluate_order(g, p);
  far__quantity(g, "lambda", far__rf_ucrl_rate(problem_of(p), 0, 0), "", "ln(2 S A H / delta)",
                "the paper", "beta(n) = lambda + dim ln(e (1 + n/dim))");
  far__quantity(g, "dim", far__problem_outcomes(p) - 1, "outcomes",
                "one less than what can follow a step", "the paper",
                "degrees of freedom of a row of transitions");
  name_agent(g, "rf-ucrl", p);
}

const far__theorem far__theorem_rf_ucrl = {
    .info = {.name = "rf-ucrl",
             .agent = "rf-ucrl",
             .title = "RF-UCRL, reward-free exploration",
             .reference = "Kaufmann, Menard, Domingues, Jonsson, Leurent & Valko, Adaptive "
                          "reward-free exploration, ALT 2021 (arXiv 2006.06294)",
             .kind = FAR_THEOREM_STOPPING,
             .finite_horizon = true,
             .is_explicit = false,
             .is_checked = true,
             .order = "O~(H^5 S A/eps^2 (ln(1/delta) + S))",
             .statement = REWARD_FREE,
             .assumptions = SETTING " Rewards are known when it plans; the agent estimates them, "
                                    "which costs nothing where they depend on s, a and the next "
                                    "state alone.",
             .constants = "Order only, H^4 S A/eps^2 (ln(1/delta) + S) episodes, confirmed in the "
                          "paper's abstract; the parameters agree in two public programs."},
    .evaluate = evaluate_rf_ucrl,
};

/* ---- methods that sample for every episode ---- */

const far__theorem far__theorem_psrl_episodic = {
    .info = {.name = "psrl-episodic",
             .agent = "psrl-episodic",
             .title = "PSRL, finite horizon",
             .reference =
                 "Osband, Russo & Van Roy, (More) Efficient Reinforcement Learning via Posterior "
                 "Sampling, NeurIPS 2013, Theorem 1",
             .kind = FAR_THEOREM_REGRET,
             .finite_horizon = true,
             .is_explicit = false,
             .is_checked = false,
             .order = "O~(H^4 S^2 A/eps^2)",
             .statement = REGRET ", in expectation over models drawn from the prior and over runs.",
             .assumptions = "A model drawn from the prior with which the method begins, the same "
                            "at every step; episodes of H steps; rewards in a known range.",
             .constants = "Order only: Bayesian regret H S sqrt(A T) in T steps, as others report "
                          "it."},
    .evaluate = evaluate_order,
};

const far__theorem far__theorem_rlsvi_episodic = {
    .info = {.name = "rlsvi-episodic",
             .agent = "rlsvi-episodic",
             .title = "RLSVI, finite horizon",
             .reference = "Osband, Van Roy & Wen, Generalization and Exploration via Randomized "
                          "Value Functions, ICML 2016, Theorem 1",
             .kind = FAR_THEOREM_REGRET,
             .finite_horizon = true,
             .is_explicit = false,
             .is_checked = false,
             .order = "O~(H^5 S A/eps^2)",
             .statement = REGRET ", in expectation over models drawn from a prior and over runs.",
             .assumptions = "Transitions with a Dirichlet prior, rewards with a normal one, for "
                            "each step; parameters that are not the agent's defaults.",
             .constants = "Order only, as recalled: Bayesian regret sqrt(H^3 S A T) in T steps."},
    .evaluate = evaluate_order,
};

const far__theorem far__theorem_bayes_ucbvi = {
    .info = {.name = "bayes-ucbvi",
             .agent = "bayes-ucbvi",
             .title = "Bayes-UCBVI",
             .reference =
                 "Tiapkin, Belomestny, Moulines, Naumov, Samsonov, Tang, Valko & Menard, From "
                 "Dirichlet to Rubin: Optimistic Exploration in RL without Bonuses, ICML 2022 "
                 "(arXiv 2205.07704)",
             .kind = FAR_THEOREM_REGRET,
             .finite_horizon = true,
             .is_explicit = false,
             .is_checked = false,
             .order = "O~(H^4 S A/eps^2)",
             .statement = REGRET ", with probability at least 1 - delta, for a number of episodes "
                                 "that is large enough.",
             .assumptions = SETTING " Rewards are known, and quantiles exact at a level that "
                                    "rises with the visits; the agent samples them at a level of "
                                    "its own.",
             .constants = "Order only: regret sqrt(H^3 S A K) in K episodes, confirmed in the "
                          "paper's abstract."},
    .evaluate = evaluate_order,
};
