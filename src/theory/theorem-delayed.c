/* The delayed family: Directed Delayed Q-learning (repaired, fully delayed, as printed), Delayed
 * Q-learning and its form with interval estimation. docs/theory.md has the proofs in words. */
#include <math.h> /* sqrt: exact */

#include "base/number.h"
#include "farsight/base.h"
#include "theory/theorem.h"

#define OH_IYENGAR                                                                                 \
  "Oh & Iyengar, Directed Exploration in PAC Model-Free Reinforcement Learning, 2018 "             \
  "(arXiv 1808.10552)"
#define STREHL_2009                                                                                \
  "Strehl, Li & Littman, Reinforcement Learning in Finite MDPs: PAC Analysis, JMLR 10, 2009"
#define ORDER_DELAYED "O~(SA/(eps^4(1-gamma)^8))"
#define MISTAKES                                                                                   \
  "With probability at least 1 - delta, the bound limits the number of steps, in an infinite "     \
  "run, on which the learner's expected return is below V* - eps."
#define DELAYED_ASSUMPTIONS                                                                        \
  "A finite model; rewards in a known range; nothing is known of the transitions. The agent is "   \
  "the one shown, with learn=2009 and clamp=on."
#define DERIVED                                                                                    \
  "Explicit: the papers leave the last constant in an O(); here every step of the proof is "       \
  "carried out with its constant (docs/theory.md)."

/* In what the members of the family differ. */
typedef struct setting {
  double divisor; /* eps1 = eps (1-gamma) / divisor */
  double delta;   /* of the two lemmas, each of which may fail with probability delta / 3 */
  bool directed, interval;
} setting;

static double add_bonus(far_guarantee *g, const far_problem *p, double eps1) {
  const double ln_eta = far__ln_eta(eps1 / p->range);
  far__quantity(g, "eta", 1 - eps1 / p->range, "", "1 - eps1/range", "Lemma 4",
                "base of the logarithm in the bonus, and the first exploration value");
  return far__quantity(g, "lambda", far__lambda_repaired(eps1, p->range, ln_eta, p->gamma_e),
                       "reward", "eps1 min(sqrt(log_eta(eps1/range)), sqrt(1 + log_eta(gamma_e)))",
                       "Lemma 1, repaired; Lemma 4",
                       "size of the bonus: at most eps1 of it remains after an update");
}

static void add_window(far_guarantee *g, const far_problem *p, const setting *x, double eps1,
                       far__window w) {
  const far__problem q = far__problem_of(p);
  far__quantity(g, "kappa", w.kappa, "updates",
                x->directed ? "(V_max + lambda) / eps1" : "V_max / eps1",
                "every success lowers a value by eps1", "successful updates of one pair, at most");
  far__quantity(g, "c", far__hoeffding_scale(q, eps1), "samples", "w^2 / (2 eps1^2)",
                "Hoeffding's bound", "samples for each unit of logarithm");
  far__quantity(g, "B", far__union_size(q, w.kappa, x->delta), "",
                x->directed ? "3 S A (1 + S A kappa) / (delta/2)" : "3 S A (1 + S A kappa) / delta",
                "union over all windows: 1 + S A kappa of a pair",
                "inverse of the probability with which a single window may fail");
  far__quantity(g, "m", w.m, "samples",
                x->interval ? "least m with m >= c ln(B m)" : "ceil(c ln B)",
                x->interval ? "Lemmas 1 and 2 at once" : "Lemmas 1 and 2 at a full window",
                "samples of a window");
  if (!x->interval) return;
  far__quantity(g, "rho", eps1 * sqrt(w.m), "reward", "eps1 sqrt(m)",
                "Lemma 1 (learning): at most this", "width of the interval, as rho/sqrt(n)");
  far__quantity(g, "rho_least", far__rho_for_optimism(q, w.m, w.kappa, x->delta), "reward",
                "w sqrt(ln(B m) / 2)", "Lemma 2 (optimism): at least this",
                "not above rho, so that both lemmas hold");
}

static double add_basics(far_guarantee *g, const far_problem *p, const setting *x) {
  const double v_max = far__quantity(g, "V_max", far__problem_v_max(p), "reward",
                                     "range / (1-gamma)", "definition", "no value is greater");
  far__quantity(g, "w", p->range + p->gamma * v_max, "reward", "range + gamma V_max", "definition",
                "width of one target r + gamma V(s')");
  return far__quantity(g, "eps1", p->eps * (1 - p->gamma) / x->divisor, "reward",
                       x->directed ? "eps (1-gamma) / 16" : "eps (1-gamma) / 12",
                       x->directed
                           ? "accuracy: 4 eps1 / (1-gamma) = eps/4 (Theorem 2, condition b)"
                           : "accuracy: 3 eps1 / (1-gamma) = eps/4 (2009, Theorem 10, condition b)",
                       "least decrease that makes an update succeed");
}

/* Optimism is exact in this family (Q >= Q*): of the four quarters of eps that Theorem 2
 * spends only three are needed, and the events get two. */
static void evaluate(far_guarantee *g, const far_problem *p, const setting *x) {
  const double eps1 = add_basics(g, p, x), pairs = far__problem_pairs(p);
  const double lambda = x->directed ? add_bonus(g, p, eps1) : 0;
  const double v_top = far__problem_v_max(p) + lambda;
  if (x->directed)
    far__quantity(g, "V_top", v_top, "reward", "V_max + lambda", "Lemma 4, repaired (V'max)",
                  "no value plus bonus is greater");
  const far__problem q = far__problem_of(p);
  const far__window w = x->interval ? far__theory_interval(q, eps1, lambda, x->delta)
                                    : far__theory_full(q, eps1, lambda, x->delta);
  add_window(g, p, x, eps1, w);
  far__quantity(g, "escapes", 2 * w.m * pairs * w.kappa, "steps", "2 m S A kappa",
                "Lemma 3 (2009, Lemma 25)", "visits of pairs whose value is still wrong, at most");
  const double zeta =
      far__quantity(g, "zeta", (2 * w.m + 1) * pairs * w.kappa, "events", "(2 m + 1) S A kappa",
                    "Theorem 2, condition c", "escapes and successful updates, at most");
  const far__escapes e = {.v_top = v_top,
                          .zeta = zeta,
                          .eps_event = p->eps / 2,
                          .delta = p->delta - 2 * x->delta / 3,
                          .p_formula = x->directed ? "(eps/2) / V_top" : "(eps/2) / V_max",
                          .horizon_formula = x->directed ? "ceil(ln(4 V_top / eps) / (1-gamma))"
                                                         : "ceil(ln(4 V_max / eps) / (1-gamma))",
                          .delta_formula =
                              x->directed ? "delta - 2/3 (delta/2)" : "delta - 2/3 delta"};
  far__count_mistakes(g, p, e);
}

/* ---- Directed Delayed Q-learning, repaired ---- */

static void add_directed_agent(far_guarantee *g, const far_problem *p, const char *preset) {
  char gamma_e[FAR__NUMBER_SIZE], delta[FAR__NUMBER_SIZE];
  far__real_format(gamma_e, p->gamma_e);
  far__real_format(delta, p->delta);
  far__guarantee_agent(g, "directed-delayed-q", "%s,gamma_e=%s,delta=%s", preset, gamma_e, delta);
}

static void evaluate_directed(far_guarantee *g, const far_problem *p) {
  evaluate(g, p, &(setting){FAR__DIVISOR_DIRECTED, p->delta / 2, true, true});
  add_directed_agent(g, p, "preset=theory");
}

#define REPAIR_LEARN                                                                               \
  {                                                                                                \
    .where = "Algorithm 1, the LEARN flags",                                                       \
    .printed = "b(s,a) is set to t just before b > t* is tested, so that every failed window "     \
               "switches the pair off",                                                            \
    .repaired = "b(s,a) is the time of the window's first sample (2009)",                          \
    .why = "Lemma 3 grants a second window when a value changed during the first; without it a "   \
           "pair can stay wrong and switched off for ever, and no bound holds"                     \
  }
#define REPAIR_MONOTONE                                                                            \
  {                                                                                                \
    .where = "Section 3 and Lemma 1: Q and E only fall",                                           \
    .printed = "a success sets Q and E to the window's estimates",                                 \
    .repaired = "they are first limited to the current Q and E (clamp=on)",                        \
    .why = "with random transitions either can rise while the other falls by more, and then "      \
           "V_ti <= V_t1, which Lemma 1 uses, is false"                                            \
  }
#define REPAIR_BONUS                                                                               \
  {                                                                                                \
    .where = "Lemma 1, third to fourth line",                                                      \
    .printed = "the bonus after the update disappears; lambda = eps1 sqrt(log_eta eps1) for any "  \
               "gamma_E",                                                                          \
    .repaired = "lambda at most eps1 sqrt(1 + log_eta gamma_E)",                                   \
    .why = "then E <= gamma_E eta after an update, and the bonus that is left is at most eps1: "   \
           "4 - 3 = 1 eps1 remains for the success"                                                \
  }
#define REPAIR_KAPPA                                                                               \
  {                                                                                                \
    .where = "kappa, before Lemma 1", .printed = "1 / ((1-gamma) eps)",                            \
    .repaired = "(V_max + lambda) / eps1",                                                         \
    .why = "a success lowers Q' by eps1 and not by eps, and Q' begins at V_max + lambda"           \
  }
#define REPAIR_EPS                                                                                 \
  {                                                                                                \
    .where = "Theorem 1, eps1 and delta",                                                          \
    .printed = "eps1 = eps (1-gamma) / 4 and the lemmas at delta",                                 \
    .repaired = "eps1 = eps (1-gamma) / 16 and the lemmas at delta / 2",                           \
    .why = "Theorem 2, which is applied, ends with 4 eps and with 1 - 2 delta"                     \
  }
#define REPAIR_SLIPS                                                                               \
  {                                                                                                \
    .where = "Lemma 4 and where eps stands for eps1", .printed = "Q' <= V_max + sqrt(1 - eps)",    \
    .repaired = "Q' <= V_max + lambda",                                                            \
    .why = "sqrt(1 - eps) is not real for eps > 1, an ordinary accuracy where V_max is 100; with " \
           "eps1/range in its place it holds and is loose"                                         \
  }

static const far_repair directed_repairs[] = {
    REPAIR_LEARN,
    {.where = "Event A1 with interval estimation",
     .printed = "every attempt of a pair outside K succeeds",
     .repaired = "a window that began outside K has succeeded by its m-th sample",
     .why = "with interval estimation every sample is an attempt, and early ones may fail"},
    {.where = "rho: Lemma 1 against Lemma 2",
     .printed = "m = c ln(6SA(1 + SA kappa)/delta), rho = eps1 sqrt(m)",
     .repaired = "the least m with m >= c ln(3SA m (1 + SA kappa)/delta), rho = eps1 sqrt(m)",
     .why = "Lemma 1 requires rho <= eps1 sqrt(m), Lemma 2 rho >= w sqrt(ln(3SA m (1 + SA "
            "kappa)/delta)/2): with the printed m both hold only for m <= 2. The m inside is the "
            "union over the samples at which an interval is used"},
    REPAIR_MONOTONE,
    REPAIR_BONUS,
    REPAIR_KAPPA,
    REPAIR_EPS,
    REPAIR_SLIPS,
    {.where = "Lemma 2, Azuma's bound",
     .printed = "exp(-rho^2 / (2 w^2))",
     .repaired = "exp(-2 rho^2 / w^2)",
     .why = "the printed tail would require twice the stated rho; the sharper one applies, since "
            "a target lies in an interval of length w given the past"},
    {.where = "zeta",
     .printed = "2 m S A kappa",
     .repaired = "(2 m + 1) S A kappa",
     .why = "condition c counts the successful updates too"},
    {.where = "Algorithm 1, domain of eta and E",
     .printed = "eta = E_0 = 1 - eps1",
     .repaired = "eta = E_0 = 1 - eps1/range, and gamma_E in [0, 1)",
     .why = "eps1 is in units of reward; for other ranges than 1 the logarithm of a negative "
            "number could result. At E = 0 the bonus is 0, its limit"},
    {0}};

const far__theorem far__theorem_directed_delayed_q = {
    .info = {.name = "directed-delayed-q",
             .agent = "directed-delayed-q",
             .title = "Directed Delayed Q-learning, repaired",
             .reference = OH_IYENGAR ", Theorem 1",
             .kind = FAR_THEOREM_MISTAKES,
             .is_explicit = true,
             .is_checked = true,
             .order = ORDER_DELAYED,
             .statement = MISTAKES,
             .assumptions = DELAYED_ASSUMPTIONS,
             .constants = DERIVED,
             .repairs = directed_repairs},
    .evaluate = evaluate_directed,
};

/* ---- Directed Delayed Q-learning, fully delayed ---- */

static void evaluate_full(far_guarantee *g, const far_problem *p) {
  evaluate(g, p, &(setting){FAR__DIVISOR_DIRECTED, p->delta / 2, true, false});
  add_directed_agent(g, p, "preset=theory,delay=full");
}

static const far_repair full_repairs[] = {REPAIR_LEARN, REPAIR_MONOTONE, REPAIR_BONUS, REPAIR_KAPPA,
                                          REPAIR_EPS,   REPAIR_SLIPS,    {0}};

const far__theorem far__theorem_directed_delayed_q_full = {
    .info = {.name = "directed-delayed-q-full",
             .agent = "directed-delayed-q",
             .title = "Directed Delayed Q-learning, fully delayed",
             .reference = OH_IYENGAR ", Section 3 (\"the same PAC bound\")",
             .kind = FAR_THEOREM_MISTAKES,
             .is_explicit = true,
             .is_checked = true,
             .order = ORDER_DELAYED,
             .statement = MISTAKES,
             .assumptions =
                 DELAYED_ASSUMPTIONS " An update is attempted only when a window is full, "
                                     "with the width eps1 (delay=full).",
             .constants = DERIVED,
             .repairs = full_repairs},
    .evaluate = evaluate_full,
};

/* ---- Directed Delayed Q-learning, as printed ---- */

static void evaluate_printed(far_guarantee *g, const far_problem *p) {
  const far__problem q = far__problem_of(p);
  const double v_max = far__quantity(g, "V_max", far__problem_v_max(p), "reward",
                                     "range / (1-gamma)", "definition", "no value is greater");
  const double eps1 =
      far__quantity(g, "eps1", p->eps * (1 - p->gamma) / FAR__DIVISOR_PAPER, "reward",
                    "eps (1-gamma) / 4", "proof of Theorem 1", "least decrease of an update");
  const far__window w = far__paper_window(q, p->eps, eps1, p->delta);
  far__quantity(g, "eta", 1 - eps1 / p->range, "", "1 - eps1/range", "Lemma 4",
                "base of the bonus");
  far__quantity(g, "lambda", far__lambda_paper(eps1, p->range, far__ln_eta(eps1 / p->range)),
                "reward", "eps1 sqrt(log_eta(eps1/range))", "proof of Theorem 1",
                "size of the bonus");
  far__quantity(g, "V_top", v_max + p->range * sqrt(1 - p->eps / p->range), "reward",
                "V_max + range sqrt(1 - eps/range)", "Lemma 4 (V'max); not real for eps > range",
                "meant to bound value plus bonus");
  far__quantity(g, "kappa", w.kappa, "updates", "V_max / eps", "before Lemma 1",
                "meant to bound the successful updates of a pair");
  far__quantity(g, "m", w.m, "samples", "ceil(c ln(6 S A (1 + S A kappa)/delta))", "Lemma 1 (m1)",
                "samples of a window");
  const double size = 2 * far__union_size(q, w.kappa, p->delta);
  far__quantity(g, "m2",
                p->gamma_e * p->gamma_e / (2 * eps1 * eps1) * p->range * p->range * far_log(size),
                "samples", "gamma_e^2 / (2 (eps1/range)^2) ln(6 S A (1 + S A kappa)/delta)",
                "Lemma 1 (m2)", "never above m, so it has no effect");
  far__quantity(g, "rho", eps1 * sqrt(w.m), "reward", "eps1 sqrt(m)", "Lemma 1: at most this",
                "width of the interval, as rho/sqrt(n)");
  far__quantity(g, "rho_least", far__rho_for_optimism(q, w.m, w.kappa, p->delta), "reward",
                "w sqrt(ln(3 S A m (1 + S A kappa)/delta) / 2)", "Lemma 2: at least this",
                "above rho: the two lemmas contradict each other");
  far__quantity(g, "zeta", 2 * w.m * far__problem_pairs(p) * w.kappa, "events", "2 m S A kappa",
                "Lemma 3", "updates and escapes, as printed");
  add_directed_agent(g, p, "preset=paper,learn=printed,clamp=off");
}

const far__theorem far__theorem_directed_delayed_q_printed = {
    .info =
        {.name = "directed-delayed-q-printed",
         .agent = "directed-delayed-q",
         .title = "Directed Delayed Q-learning, as printed",
         .reference = OH_IYENGAR ", Theorem 1 and appendix",
         .kind = FAR_THEOREM_MISTAKES,
         .is_explicit = false,
         .is_checked = true,
         .order = ORDER_DELAYED,
         .statement =
             "Claimed: V >= V* - eps on all but this number of steps, with probability 1 - delta. "
             "The printed proof does not establish it.",
         .assumptions = "A finite model; rewards in a known range.",
         .constants = "As printed. The lemmas contradict each other for m > 2, so that nothing is "
                      "promised; the repaired entry is directed-delayed-q.",
         .repairs = directed_repairs},
    .evaluate = evaluate_printed,
};

/* ---- Delayed Q-learning ---- */

static void evaluate_delayed_q(far_guarantee *g, const far_problem *p) {
  evaluate(g, p, &(setting){FAR__DIVISOR_DELAYED, p->delta, false, false});
  far__guarantee_discounted(g, "delayed-q", p->delta);
}

const far__theorem far__theorem_delayed_q = {
    .info = {.name = "delayed-q",
             .agent = "delayed-q",
             .title = "Delayed Q-learning (2009)",
             .reference = STREHL_2009 ", Theorem 10 and the section on Delayed Q-learning",
             .kind = FAR_THEOREM_MISTAKES,
             .is_explicit = true,
             .is_checked = true,
             .order = ORDER_DELAYED,
             .statement = MISTAKES,
             .assumptions = "A finite model; rewards in a known range; nothing is known of the "
                            "transitions.",
             .constants = DERIVED " The paper has eps1 = eps (1-gamma)/3 for a policy that is 4 "
                                  "eps-optimal; a quarter of it is for a true eps."},
    .evaluate = evaluate_delayed_q,
};

static void evaluate_delayed_q_ie(far_guarantee *g, const far_problem *p) {
  evaluate(g, p, &(setting){FAR__DIVISOR_DELAYED, p->delta, false, true});
  far__guarantee_discounted(g, "delayed-q-ie", p->delta);
}

const far__theorem far__theorem_delayed_q_ie = {
    .info = {.name = "delayed-q-ie",
             .agent = "delayed-q-ie",
             .title = "Delayed Q-learning with interval estimation",
             .reference =
                 "Strehl, Probably Approximately Correct (PAC) Exploration in Reinforcement "
                 "Learning, PhD thesis, 2007",
             .kind = FAR_THEOREM_MISTAKES,
             .is_explicit = true,
             .is_checked = true,
             .order = ORDER_DELAYED,
             .statement = MISTAKES,
             .assumptions = "A finite model; rewards in a known range; nothing is known of the "
                            "transitions.",
             .constants =
                 DERIVED " The thesis has its own constants, which we have not seen; these "
                         "follow from the same two lemmas."},
    .evaluate = evaluate_delayed_q_ie,
};
