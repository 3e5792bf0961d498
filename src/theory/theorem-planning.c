/* Methods that learn a model: E3, R-max, V-max, MBIE and MBIE-EB, OIM, MoRmax, BEB. Where the
 * papers state an order only, and the proof is short, it is carried out here with its constants
 * (docs/theory.md). */
#include <math.h> /* sqrt, fmin: exact */

#include "base/number.h"
#include "theory/planning.h"
#include "theory/theorem.h"

#define MISTAKES                                                                                   \
  "With probability at least 1 - delta, the bound limits the number of steps, in an infinite "     \
  "run, on which the learner's expected return is below V* - eps."
#define ORDER_MODEL "O~(S^2 A/(eps^3(1-gamma)^6))"
#define NEAR_PLANS                                                                                 \
  "A finite model; rewards in a known range. Plans are within tol = eps (1-gamma)/16 of their "    \
  "fixed point, as in the preset, which costs 2 tol/(1-gamma) = eps/8."
#define SUFFICIENT                                                                                 \
  "Explicit: the papers give the order only; m is a sufficient value derived here from the "       \
  "simulation lemma, and the count is carried out with its constants (docs/theory.md)."

static double add_v_max(far_guarantee *g, const far_problem *p) {
  return far__quantity(g, "V_max", far__problem_v_max(p), "reward", "range / (1-gamma)",
                       "definition", "no value is greater");
}

/* The agent with m samples of a pair. */
static void add_agent(far_guarantee *g, const char *name, double delta, double m) {
  char text[FAR__NUMBER_SIZE], samples[FAR__NUMBER_SIZE];
  far__real_format(text, delta);
  far__real_format(samples, m);
  far__guarantee_agent(g, name, "preset=theory,delta=%s,m=%s", text, samples);
}

static double add_events(far_guarantee *g, const far_problem *p) {
  return far__quantity(g, "ln_sets", far__ln_events(far__problem_outcomes(p)), "",
                       "ln(2^S' - 2), S' outcomes of a step",
                       "Weissman et al. 2003: sets in the L1 deviation bound",
                       "price of S' outcomes");
}

/* A pair is known after m visits and then frozen: only the visits to unknown pairs have to be counted, and plans
 * change only there. */
static void count_unknown(far_guarantee *g, const far_problem *p, double m) {
  const double zeta =
      far__quantity(g, "zeta", m * far__problem_pairs(p), "events", "m S A",
                    "a pair is unknown for m visits", "visits of unknown pairs, at most");
  far__count_mistakes(g, p,
                      (far__escapes){.v_top = far__problem_v_max(p),
                                     .zeta = zeta,
                                     .eps_event = p->eps / 8,
                                     .delta = p->delta / 2,
                                     .p_formula = "(eps/8) / V_max",
                                     .horizon_formula = "ceil(ln(4 V_max / eps) / (1-gamma))",
                                     .delta_formula = "delta / 2"});
}

/* ---- R-max and V-max ---- */

static void evaluate_known(far_guarantee *g, const far_problem *p) {
  add_v_max(g, p);
  add_events(g, p);
  const double m = far__quantity(
      g, "m", far__rmax_m(far__problem_of(p), far__problem_outcomes(p), p->eps, p->delta / 2),
      "samples",
      "ceil(max(32 gamma^2 V_max^2 (ln_sets + ln(4 S A/delta)), 32 range^2 ln(8 S A/delta)) / "
      "(eps (1-gamma))^2)",
      "simulation lemma: eps (1-gamma)/8 from transitions and from rewards, at delta/2",
      "samples after which a pair is known, its backup then being off by eps (1-gamma)/4 at most");
  far__quantity(g, "eps_model", p->eps / 4, "reward", "eps / 4", "simulation lemma",
                "optimism, accuracy and the tail each lose as much; plans and escapes half");
  count_unknown(g, p, m);
  far__guarantee_discounted(g, g->theorem->agent, p->delta / 2);
}

const far__theorem far__theorem_r_max = {
    .info = {.name = "r-max",
             .agent = "r-max",
             .title = "R-max, discounted",
             .reference =
                 "Brafman & Tennenholtz, R-max, JMLR 3, 2002; discounted as in Kakade 2003 and "
                 "Strehl, Li & Littman, JMLR 10, 2009",
             .kind = FAR_THEOREM_MISTAKES,
             .is_explicit = true,
             .is_checked = true,
             .order = ORDER_MODEL,
             .statement = MISTAKES,
             .assumptions = NEAR_PLANS " The agent is shown with half of delta, for its model; the "
                                       "count needs the other half. plan=full.",
             .constants = SUFFICIENT},
    .evaluate = evaluate_known,
};

const far__theorem far__theorem_v_max = {
    .info = {.name = "v-max",
             .agent = "v-max",
             .title = "V-max",
             .reference = "Rao & Whiteson, V-MAX: Tempered Optimism for Better PAC Reinforcement "
                          "Learning, AAMAS 2012",
             .kind = FAR_THEOREM_MISTAKES,
             .is_explicit = true,
             .is_checked = true,
             .order = ORDER_MODEL,
             .statement = MISTAKES,
             .assumptions = NEAR_PLANS " The agent is shown with half of delta, for its model; the "
                                       "count needs the other half.",
             .constants =
                 SUFFICIENT " The paper claims the bound of R-max. Values of pairs with n < m "
                            "samples hold too, by the maximal form of Hoeffding's bound."},
    .evaluate = evaluate_known,
};

/* ---- MBIE and MBIE-EB ---- */

static void evaluate_mbie(far_guarantee *g, const far_problem *p) {
  const far__problem q = far__problem_of(p);
  const double outcomes = far__problem_outcomes(p), delta = p->delta / 2;
  add_v_max(g, p);
  add_events(g, p);
  const double m = far__quantity(
      g, "m", far__least_m(far__mbie_error, q, outcomes, delta, p->eps * (1 - p->gamma) / 2),
      "samples", "least m with (2 range a + gamma V_max b) / sqrt(m) <= eps (1-gamma) / 2",
      "accuracy: a known pair is overrated by twice its intervals at most",
      "samples of a pair that are used; then it is known");
  far__quantity(g, "a", far__mbie_reward_width(q, m, delta), "", "sqrt(ln(4 S A m/(delta/2)) / 2)",
                "Lemma 5: Hoeffding's bound, all pairs and sample sizes",
                "width of the rewards' intervals, as a range/sqrt(n)");
  far__quantity(g, "b", far__mbie_l1_width(q, outcomes, m, delta), "",
                "sqrt(2 (ln_sets + ln(2 S A m/(delta/2))))", "Weissman et al. 2003",
                "radius of the L1 balls, as b/sqrt(n)");
  count_unknown(g, p, m);
  add_agent(g, "mbie", delta, m);
}

const far__theorem far__theorem_mbie = {
    .info = {.name = "mbie",
             .agent = "mbie",
             .title = "Model-based interval estimation",
             .reference =
                 "Strehl & Littman, An analysis of model-based Interval Estimation for Markov "
                 "Decision Processes, JCSS 74, 2008",
             .kind = FAR_THEOREM_MISTAKES,
             .is_explicit = true,
             .is_checked = true,
             .order = ORDER_MODEL,
             .statement = MISTAKES,
             .assumptions = NEAR_PLANS " The agent plans after every step.",
             .constants =
                 "Explicit: the paper gives the order only. m is the least for which the "
                 "derivation in docs/theory.md holds; the preset alone uses that of R-max."},
    .evaluate = evaluate_mbie,
};

static void evaluate_mbie_eb(far_guarantee *g, const far_problem *p) {
  const far__problem q = far__problem_of(p);
  const double outcomes = far__problem_outcomes(p), delta = p->delta / 2;
  add_v_max(g, p);
  add_events(g, p);
  const double m = far__quantity(
      g, "m", far__least_m(far__mbie_eb_error, q, outcomes, delta, p->eps * (1 - p->gamma) / 2),
      "samples",
      "least m with (range sqrt(ln(16 S A/delta)/2) + gamma V_max/2 sqrt(2 (ln_sets + ln(8 S "
      "A/delta))) "
      "+ beta) / sqrt(m) <= eps (1-gamma) / 2",
      "accuracy: errors of rewards and transitions, and the bonus",
      "samples of a pair that are used; then it is known");
  far__quantity(g, "beta", far__mbie_eb_beta(q, m, delta), "reward",
                "V_max sqrt(ln(2 S A m/(delta/2)) / 2)",
                "Lemma 7: Hoeffding's bound on r + gamma V*(s'), all pairs and sizes",
                "size of the bonus, as beta/sqrt(n)");
  count_unknown(g, p, m);
  add_agent(g, "mbie-eb", delta, m);
}

const far__theorem far__theorem_mbie_eb = {
    .info = {.name = "mbie-eb",
             .agent = "mbie-eb",
             .title = "MBIE with an exploration bonus",
             .reference =
                 "Strehl & Littman, An analysis of model-based Interval Estimation for Markov "
                 "Decision Processes, JCSS 74, 2008",
             .kind = FAR_THEOREM_MISTAKES,
             .is_explicit = true,
             .is_checked = true,
             .order = ORDER_MODEL,
             .statement = MISTAKES,
             .assumptions =
                 NEAR_PLANS " The agent plans after every step, and values are cut at V_max.",
             .constants = "Explicit: the paper gives the order only. m is the least for which the "
                          "derivation in docs/theory.md holds."},
    .evaluate = evaluate_mbie_eb,
};

/* ---- E3 ---- */

static void evaluate_e3(far_guarantee *g, const far_problem *p) {
  const far__problem q = far__problem_of(p);
  add_v_max(g, p);
  const double horizon = far__quantity(
      g, "T", far__e3_horizon(q, p->eps), "steps", "ceil(ln(range / (eps (1-gamma))) / (1-gamma))",
      "eps-horizon time", "length of a plan; after it at most eps of value is left");
  far__quantity(g, "theta", fmin(1, far__e3_theta(q, horizon, p->eps)), "probability",
                "eps / (2 V_max (1 - gamma^T))", "explore or exploit",
                "explore if an unknown state is reached with at least this probability");
  far__quantity(g, "m", far__rmax_m(q, far__problem_outcomes(p), p->eps, p->delta), "samples",
                "as R-max, at delta", "replaces the paper's polynomial",
                "samples of every action after which a state is known");
  far__guarantee_discounted(g, "e3", p->delta);
}

const far__theorem far__theorem_e3 = {
    .info = {.name = "e3",
             .agent = "e3",
             .title = "Explicit Explore or Exploit",
             .reference = "Kearns & Singh, Near-Optimal Reinforcement Learning in Polynomial Time, "
                          "Machine Learning 49, 2002",
             .kind = FAR_THEOREM_MISTAKES,
             .is_explicit = false,
             .is_checked = false,
             .order = "polynomial",
             .statement =
                 "With probability at least 1 - delta the algorithm finds, in polynomially many "
                 "steps, a policy that is eps-optimal from its current state.",
             .assumptions =
                 "A finite model; rewards in a known range. The original halts and returns its "
                 "policy; here it continues, as in the later literature.",
             .constants =
                 "Order only, and no exponents are stated. theta and the order of T are as "
                 "others report them; m replaces the paper's."},
    .evaluate = evaluate_e3,
};

/* ---- OIM ---- */

static void evaluate_oim(far_guarantee *g, const far_problem *p) {
  const double v_max = add_v_max(g, p);
  far__quantity(g, "v_e", v_max, "reward", "V_max, the agent's default", "not the theorem's",
                "value of the imagined state; the theorem requires much more");
}

const far__theorem far__theorem_oim = {
    .info = {.name = "oim",
             .agent = "oim",
             .title = "Optimistic initial model",
             .reference =
                 "Szita & Lorincz, The many faces of optimism: a unifying approach, ICML 2008",
             .kind = FAR_THEOREM_MISTAKES,
             .is_explicit = false,
             .is_checked = false,
             .order = "polynomial, S^2 A",
             .statement =
                 "With probability at least 1 - delta the greedy policy is eps-optimal on all but "
                 "polynomially many steps, if v_e is large enough.",
             .assumptions =
                 "A finite model; rewards in a known range; v_e of the order V_max^2 / (eps "
                 "(1-gamma)) times logarithms, so that it outweighs every deviation until a "
                 "pair is known.",
             .constants =
                 "Order only. The order of v_e is derived here, the growth with S is reported by "
                 "Szita & Szepesvari 2010; not checked against the paper itself."},
    .evaluate = evaluate_oim,
};

/* ---- MoRmax ---- */

static void evaluate_mormax(far_guarantee *g, const far_problem *p) {
  add_v_max(g, p);
  far__quantity(g, "eps1", p->eps * (1 - p->gamma), "reward", "eps (1-gamma)", "update test",
                "a batch is tried when the value has fallen by as much since the last");
  far__quantity(
      g, "m", far__mormax_m(far__problem_of(p), p->eps, p->delta), "samples",
      "ceil(1800 (V_max / (eps (1-gamma)))^2 ln(144 S^2 A^2 V_max / (delta eps (1-gamma))))",
      "from a finite-horizon form, 1/(1-gamma) for the horizon", "samples of a batch");
  far__guarantee_discounted(g, "mormax", p->delta);
}

const far__theorem far__theorem_mormax = {
    .info =
        {.name = "mormax",
         .agent = "mormax",
         .title = "Modified R-max",
         .reference = "Szita & Szepesvari, Model-based reinforcement learning with nearly tight "
                      "exploration complexity bounds, ICML 2010",
         .kind = FAR_THEOREM_MISTAKES,
         .is_explicit = false,
         .is_checked = false,
         .order = "O~(SA/(eps^2(1-gamma)^6))",
         .statement = MISTAKES,
         .assumptions = "A finite model; rewards in a known range. Plans are exact.",
         .constants =
             "Order only. That it grows with S as S log S is confirmed by the paper's abstract; "
             "m is carried over from a finite-horizon program and not checked against "
             "the paper."},
    .evaluate = evaluate_mormax,
};

/* ---- BEB ---- */

static void evaluate_beb(far_guarantee *g, const far_problem *p) {
  const far__problem q = far__problem_of(p);
  add_v_max(g, p);
  far__quantity(g, "H", 1 / (1 - p->gamma), "steps", "1 / (1-gamma)", "discounting for the horizon",
                "replaces the paper's finite horizon");
  far__quantity(g, "beta", far__beb_beta(q), "reward", "2 H^2 range", "Theorem",
                "size of the bonus, as beta/(1 + n)");
  far__quantity(g, "m", far__beb_m(q, p->eps), "samples", "ceil(4 H^3 range / eps)", "Theorem",
                "samples after which a pair's posterior is frozen");
  far__guarantee_agent(g, "beb", "preset=theory");
}

const far__theorem far__theorem_beb = {
    .info =
        {.name = "beb",
         .agent = "beb",
         .title = "Bayesian exploration bonus",
         .reference = "Kolter & Ng, Near-Bayesian Exploration in Polynomial Time, ICML 2009",
         .kind = FAR_THEOREM_BAYES,
         .is_explicit = false,
         .is_checked = false,
         .order = "O(SA H^6/eps^2 ln(SA/delta))",
         .statement =
             "With probability at least 1 - delta, eps-close to the Bayes-optimal policy (for H "
             "steps) on all but this number of steps. Not PAC-MDP: its bonus falls as 1/n, and no "
             "bonus falling faster than 1/sqrt(n) can be.",
         .assumptions =
             "Known rewards, a Dirichlet prior, a finite horizon H without discount; the agent "
             "discounts instead, with 1/(1-gamma) for H.",
         .constants =
             "Order only. beta is confirmed by another program, and that small bonuses fail "
             "(Theorem 2) by "
             "others who cite it; the rest is as we recall it, not checked against the paper."},
    .evaluate = evaluate_beb,
};
