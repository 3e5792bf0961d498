/* Confidence bounds: UCB Q-learning, UCRL-gamma, UCBVI-gamma and UCRL2; and lower bounds for all. */
#include <math.h> /* INFINITY */
#include <stdio.h>

#include "base/number.h"
#include "theory/planning.h"
#include "theory/theorem.h"
#include "theory/ucb-q.h"

#define MISTAKES                                                                                   \
  "With probability at least 1 - delta, the bound limits the number of steps, in an infinite "     \
  "run, on which the learner's expected return is below V* - eps."

/* ---- UCB Q-learning ---- */

static void evaluate_ucb_q(far_guarantee *g, const far_problem *p) {
  const char *paper = "before Theorem 1";
  if (!(p->gamma > 0.5)) {
    far__missing(g, "it requires gamma above 1/2; here gamma = %g", p->gamma);
    return;
  }
  const far__ucb_q_constants c = far__theory_ucb_q(p->gamma, p->eps / p->range);
  far__quantity(g, "c", far__ucb_q_c(p->gamma), "", "4 sqrt(2) / (1-gamma)", "Algorithm 1",
                "bonus c range sqrt(h ln(S A (k+1)(k+2)/delta) / k) at the k-th visit");
  far__quantity(g, "R", c.r, "steps", "ceil(ln(3 range / (eps (1-gamma))) / (1-gamma))", paper,
                "effective horizon");
  far__quantity(g, "L", c.l, "", "floor(log2 R)", paper, "number of scales");
  far__quantity(g, "xi", c.xi, "", "eps/range / (3 2^(L+2) ln(1/(1-gamma)))", paper,
                "accuracy at the last scale");
  far__quantity(g, "M", c.m, "", "max(10, ceil(2 log2(1 / (xi (1-gamma)))))", paper,
                "number of levels");
  far__quantity(g, "eps1", c.eps1, "", "eps/range / (24 R M ln(1/(1-gamma)))", paper,
                "accuracy of one level, in units of the range");
  far__quantity(g, "h", c.h, "", "ln(1 / ((1-gamma) eps1)) / ln(1/gamma)", paper,
                "step sizes (h+1)/(h+k)");
  if (c.h > 0) far__guarantee_discounted(g, "ucb-q", p->delta);
}

const far__theorem far__theorem_ucb_q = {
    .info =
        {.name = "ucb-q",
         .agent = "ucb-q",
         .title = "UCB Q-learning for an infinite horizon",
         .reference =
             "Dong, Wang, Chen & Wang, Q-learning with UCB exploration is sample efficient for "
             "infinite-horizon MDP, ICLR 2020 (arXiv 1901.09311), Theorem 1",
         .kind = FAR_THEOREM_MISTAKES,
         .is_explicit = false,
         .is_checked = true,
         .order = "O~(SA/(eps^2(1-gamma)^7))",
         .statement = MISTAKES,
         .assumptions = "A finite model; rewards in a known range; 1/2 < gamma < 1.",
         .constants =
             "Order only: the parameters are explicit, the bound hides constants and logarithms. "
             "Both confirmed in the paper's text."},
    .evaluate = evaluate_ucb_q,
};

/* ---- UCRL-gamma ---- */

static void evaluate_ucrl_gamma(far_guarantee *g, const far_problem *p) {
  const char *paper = "as recalled";
  const far__ucrl_constants c = far__theory_ucrl_gamma(far__problem_of(p), p->eps, p->delta);
  far__quantity(g, "w_min", c.w_min, "", "eps/range (1-gamma) / (4 S)", paper,
                "least discounted visits of a pair that matter");
  far__quantity(g, "L1", c.l1, "", "ln(4 S A log2(S) log2(1/(w_min (1-gamma))) / delta)", paper,
                "logarithm in the intervals");
  far__quantity(
      g, "m", c.m, "samples",
      "1280 L1 (range/(eps (1-gamma)))^2 max(1, ln ln(1/(1-gamma)))^2 ln(S range/(eps (1-gamma))) "
      "ln(range/(eps (1-gamma)))",
      paper, "unit of samples; a pair is done after S m / (1-gamma)");
  far__quantity(g, "batch", c.batch, "samples", "max(1, ceil(m w_min))", paper,
                "new samples of a pair before a new plan");
  far__quantity(g, "delay", c.delay, "steps", "ceil(ln(8 S range/(eps (1-gamma))) / (1-gamma))",
                paper, "steps between reaching that number and planning");
  far__guarantee_discounted(g, "ucrl-gamma", p->delta);
}

const far__theorem far__theorem_ucrl_gamma = {
    .info =
        {.name = "ucrl-gamma",
         .agent = "ucrl-gamma",
         .title = "UCRL-gamma",
         .reference =
             "Lattimore & Hutter, Near-optimal PAC bounds for discounted MDPs, TCS 558, 2014 "
             "(PAC Bounds for Discounted MDPs, arXiv 1202.3890)",
         .kind = FAR_THEOREM_MISTAKES,
         .is_explicit = false,
         .is_checked = false,
         .order = "O~(SA/(eps^2(1-gamma)^3))",
         .statement = MISTAKES,
         .assumptions =
             "At most two successors of every pair; known, deterministic rewards. The agent "
             "is a practical variant that estimates rewards and uses all data.",
         .constants =
             "Order only. The order and its assumption are confirmed in the paper's abstract; the "
             "parameters are as we recall them, not checked against the paper."},
    .evaluate = evaluate_ucrl_gamma,
};

/* ---- UCBVI-gamma ---- */

static void evaluate_ucbvi_gamma(far_guarantee *g, const far_problem *p) {
  const double steps = 1e6; /* steps=1000000 in the spec below */
  char delta[FAR__NUMBER_SIZE], gamma[FAR__NUMBER_SIZE];
  const far__ucbvi_gamma_constants c = far__theory_ucbvi_gamma(far__problem_of(p), steps, p->delta);
  far__quantity(g, "u", c.u, "", "ln(40 S A T^3 (ln T)^2 / ((1-gamma)^2 delta)), T = 10^6",
                "as recalled", "logarithm in the bonus");
  far__quantity(g, "b", c.b, "", "100", "as recalled", "weight of the bonus's last term");
  far__real_format(delta, p->delta);
  far__real_format(gamma, p->gamma);
  snprintf(g->agent, sizeof g->agent, "ucbvi-gamma:preset=theory,delta=%s,steps=1000000,gamma=%s",
           delta, gamma);
}

const far__theorem far__theorem_ucbvi_gamma = {
    .info =
        {.name = "ucbvi-gamma",
         .agent = "ucbvi-gamma",
         .title = "UCBVI-gamma",
         .reference =
             "He, Zhou & Gu, Nearly Minimax Optimal Reinforcement Learning for Discounted MDPs, "
             "NeurIPS 2021 (arXiv 2010.00587)",
         .kind = FAR_THEOREM_REGRET,
         .is_explicit = false,
         .is_checked = false,
         .order = "O~(SA/(eps^2(1-gamma)^3))",
         .statement = "With probability at least 1 - delta, V* less the value of the policy, added "
                      "up over T "
                      "steps, is O~(sqrt(S A T) / (1-gamma)^1.5); the order is of the T after "
                      "which that is eps "
                      "per step.",
         .assumptions = "A finite model; known, deterministic rewards in [0, 1]; T large.",
         .constants =
             "Order only, confirmed in the paper's abstract; the parameters are as we recall "
             "them, not checked against the paper."},
    .evaluate = evaluate_ucbvi_gamma,
};

/* ---- UCRL2 ---- */

/* 34 D S sqrt(A T ln(T/delta)) range <= T loss, squared: T >= k ln(T/delta). */
static void evaluate_ucrl2(far_guarantee *g, const far_problem *p) {
  if (p->diameter == 0) {
    far__missing(g, "it needs the diameter of the model");
    return;
  }
  if (p->diameter == INFINITY) {
    far__missing(
        g, "the diameter of the model is infinite: some state cannot be reached from another");
    return;
  }
  far__quantity(g, "D", p->diameter, "steps", "given", "definition",
                "largest, over pairs of states, of the least expected steps between them");
  const double loss = far__quantity(g, "loss", p->eps * (1 - p->gamma), "reward a step",
                                    "eps (1-gamma)", "eps of discounted value, per step",
                                    "average loss against the best average reward");
  const double root = 34 * p->diameter * p->states * p->range / loss;
  const double k =
      far__quantity(g, "k", root * root * p->actions, "steps", "(34 D S range / loss)^2 A",
                    "Theorem 2, solved for T", "steps for each unit of logarithm");
  const double steps = far__quantity(g, "T", far__fixed_point(k, 1 / p->delta), "steps",
                                     "least T with T >= k ln(T/delta)", "Theorem 2",
                                     "steps after which the average loss is at most that");
  far__quantity(g, "regret", loss * steps, "reward", "34 D S range sqrt(A T ln(T/delta))",
                "Theorem 2", "total loss in T steps, at most");
  far__set_bound(g, steps, 0);
  far__guarantee_preset(g, "ucrl2", p->delta, "");
}

const far__theorem far__theorem_ucrl2 = {
    .info =
        {.name = "ucrl2",
         .agent = "ucrl2",
         .title = "UCRL2",
         .reference =
             "Jaksch, Ortner & Auer, Near-optimal Regret Bounds for Reinforcement Learning, "
             "JMLR 11, 2010, Theorem 2",
         .kind = FAR_THEOREM_REGRET,
         .is_explicit = true,
         .is_checked = true,
         .order = "O~(D^2 S^2 A/(eps(1-gamma))^2)",
         .statement =
             "With probability at least 1 - delta the regret of T steps is at most 34 D S sqrt(A T "
             "ln(T/delta)) times the range; the bound is the T after which that is eps "
             "(1-gamma) per step. It concerns average reward, without a discount.",
         .assumptions =
             "A finite, communicating model of diameter D; rewards in a known range; T > 1.",
         .constants = "Explicit, as published."},
    .evaluate = evaluate_ucrl2,
};

/* ---- the lower bound ---- */

static void evaluate_lower(far_guarantee *g, const far_problem *p) {
  far__quantity(g, "V_max", far__problem_v_max(p), "reward", "range / (1-gamma)", "definition",
                "no value is greater");
}

const far__theorem far__theorem_lower_bound = {
    .info =
        {.name = "lower-bound",
         .title = "Lower bound for every method",
         .reference =
             "Lattimore & Hutter, Near-optimal PAC bounds for discounted MDPs, TCS 558, 2014 "
             "(PAC Bounds for Discounted MDPs, arXiv 1202.3890)",
         .kind = FAR_THEOREM_LOWER,
         .is_explicit = false,
         .is_checked = true,
         .order = "Omega(SA/(eps^2(1-gamma)^3) ln(1/delta))",
         .statement =
             "For every method there is a model on which, with probability above delta, it makes "
             "more mistakes than this.",
         .assumptions = "Holds for all methods, randomised and history-dependent ones included.",
         .constants = "Order only: the constants are not worked out."},
    .evaluate = evaluate_lower,
};

const far__theorem far__theorem_lower_bound_discounted = {
    .info =
        {.name = "lower-bound-discounted",
         .title = "Lower bound, discounted regret",
         .reference =
             "He, Zhou & Gu, Nearly Minimax Optimal Reinforcement Learning for Discounted MDPs, "
             "NeurIPS 2021 (arXiv 2010.00587)",
         .kind = FAR_THEOREM_LOWER,
         .is_explicit = false,
         .is_checked = true,
         .order = "Omega~(SA/(eps^2(1-gamma)^3))",
         .statement =
             "For every method there is a model on which V* less the value of the policy, added up "
             "over T steps, is Omega~(sqrt(S A T) / (1-gamma)^1.5) in expectation; the order is of "
             "the T before which that is above eps per step.",
         .assumptions = "T large.",
         .constants = "Order only, as the paper's abstract has it."},
    .evaluate = evaluate_lower,
};
