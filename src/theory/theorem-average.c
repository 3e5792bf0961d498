/* Descendants of UCRL2: bounds on the regret for average reward, and the lower bound for all. */
#include <math.h> /* INFINITY */

#include "theory/theorem.h"

#define REGRET                                                                                     \
  "With probability at least 1 - delta, the bound limits the regret of T steps against the best "  \
  "average reward; the order is of the T after which it is eps (1-gamma) per step. There is no "   \
  "discount."
#define COMMUNICATING                                                                              \
  "A finite, communicating model of diameter D, with B successors of a pair at most; rewards in "  \
  "a "                                                                                             \
  "known range."

/* The diameter, if it is given, the average loss per step that stands for eps, and the agent's preset. */
static void evaluate(far_guarantee *g, const far_problem *p) {
  if (p->diameter == INFINITY) {
    far__missing(
        g, "the diameter of the model is infinite: some state cannot be reached from another");
    return;
  }
  if (p->diameter > 0)
    far__quantity(g, "D", p->diameter, "steps", "given", "definition",
                  "largest, over pairs of states, of the least expected steps between them");
  far__quantity(g, "loss", p->eps * (1 - p->gamma), "reward a step", "eps (1-gamma)",
                "eps of discounted value, per step",
                "average loss against the best average reward");
  if (g->theorem->agent != NULL) far__guarantee_preset(g, g->theorem->agent, p->delta, "");
}

/* ---- UCRL2B ---- */

const far__theorem far__theorem_ucrl2b = {
    .info =
        {.name = "ucrl2b",
         .agent = "ucrl2b",
         .title = "UCRL2B",
         .reference =
             "Fruit, Pirotta & Lazaric, Improved Analysis of UCRL2 with Empirical Bernstein "
             "Inequality, 2020 (arXiv 2007.05456)",
         .kind = FAR_THEOREM_REGRET,
         .is_explicit = false,
         .is_checked = true,
         .order = "O~(D B S A/(eps(1-gamma))^2)",
         .statement = REGRET,
         .assumptions = COMMUNICATING,
         .constants =
             "Order only, confirmed in the paper's abstract: regret O~(sqrt(D B S A T)). The "
             "widths' "
             "constants 2 and 6 are also in a public program; with them and ln(6 S A n/delta) the "
             "intervals hold by the derivation in docs/theory.md."},
    .evaluate = evaluate,
};

/* ---- KL-UCRL ---- */

const far__theorem far__theorem_kl_ucrl = {
    .info =
        {.name = "kl-ucrl",
         .agent = "kl-ucrl",
         .title = "KL-UCRL",
         .reference =
             "Filippi, Cappe & Garivier, Optimism in Reinforcement Learning and Kullback-Leibler "
             "Divergence, Allerton 2010 (arXiv 1004.5229)",
         .kind = FAR_THEOREM_REGRET,
         .is_explicit = false,
         .is_checked = true,
         .order = "O~(D^2 S^2 A/(eps(1-gamma))^2)",
         .statement = REGRET,
         .assumptions = COMMUNICATING,
         .constants = "Order only: the abstract says that it has the guarantees of UCRL2. C_P and "
                      "C_R are as in a "
                      "public program, with the time for the number of steps that the paper fixes "
                      "in advance."},
    .evaluate = evaluate,
};

/* ---- UCRL3 ---- */

const far__theorem far__theorem_ucrl3 = {
    .info =
        {.name = "ucrl3",
         .agent = "ucrl3",
         .title = "UCRL3",
         .reference =
             "Bourel, Maillard & Talebi, Tightening Exploration in Upper Confidence Reinforcement "
             "Learning, ICML 2020",
         .kind = FAR_THEOREM_REGRET,
         .is_explicit = false,
         .is_checked = false,
         .order = "O~(D^2 B S A/(eps(1-gamma))^2)",
         .statement = REGRET,
         .assumptions = COMMUNICATING,
         .constants =
             "Order only, as recalled: the paper's bound has the local diameters in place of D and "
             "the "
             "spread of each row in place of B. The intervals are as in two public programs of the "
             "authors."},
    .evaluate = evaluate,
};

/* ---- the lower bound ---- */

const far__theorem far__theorem_lower_bound_average = {
    .info = {.name = "lower-bound-average",
             .title = "Lower bound, average reward",
             .reference =
                 "Jaksch, Ortner & Auer, Near-optimal Regret Bounds for Reinforcement Learning, "
                 "JMLR 11, 2010, Theorem 5",
             .kind = FAR_THEOREM_LOWER,
             .is_explicit = false,
             .is_checked = true,
             .order = "Omega(D S A/(eps(1-gamma))^2)",
             .statement = "For every method there is a model of diameter D on which its expected "
                          "regret of T steps "
                          "is at least of the order sqrt(D S A T); the order is of the T before "
                          "which it is above "
                          "eps (1-gamma) per step.",
             .assumptions = "S, A and D not too small, T at least D S A.",
             .constants = "Order only, as the paper's abstract has it."},
    .evaluate = evaluate,
};
