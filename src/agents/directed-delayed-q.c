/* Directed Delayed Q-learning: Delayed Q-learning whose choices are directed by long-term exploration values E. The algorithm is
 * in delayed.h, in the order of the paper's pseudo-code; here are its parameters.
 *
 *   Oh & Iyengar, Directed exploration in PAC model-free reinforcement learning, 2018, Algorithm 1
 *
 * Where the paper's print and its proof disagree both readings can be chosen, and the default is what the proof needs:
 * learn=2009 (a window begins at its first sample), clamp=on (Q and E never rise). docs/decisions/0003-print-and-proof.md has
 * the reasons.
 *
 * Three keys are neither in the paper nor proved, but readings of what the authors may have run (docs/reproduction.md):
 * e_rule=visit, bonus=sqrt and threshold. At their defaults they are hidden from the canonical spec. */
#include "agents/delayed-family.h"
#include "base/text.h"

#include "farsight/base.h"

static const delayed_rules rules = {.window = 10, .width = 1};

static const far_param params[] = {
    DELAYED_PRESET_ROWS("theory|paper", "theory (repaired) or paper (the appendix as printed)"),
    DELAYED_WINDOW_ROWS("least decrease that makes an update succeed",
                        "10 N, fully delayed N/(15 H)"),
    {FAR__ROW(
         delayed_params, lambda, FAR_PARAM_REAL, "eps1 sqrt(log_eta(eps1/range))",
         "size of the exploration bonus; repaired: the largest for which the repaired proof holds"),
     .derived = true, .word = "repaired", FAR__NOT_NEGATIVE},
    FAR__ROW_CHOICE(delayed_params, bonus, "log", "log|sqrt",
                    "lambda/sqrt(log_eta E), or lambda sqrt(E), which is not printed"),
    FAR__ROW_DERIVED(delayed_params, eta, "1 - eps1/range", FAR__UNIT_OPEN,
                     "base of the logarithm in the bonus"),
    FAR__ROW_DERIVED(delayed_params, e0, "eta", FAR__UNIT_OPEN,
                     "initial exploration value; with bonus=log at most eta"),
    FAR__ROW_REAL(delayed_params, gamma_e, "0.99", FAR__UNIT_BELOW_1,
                  "discount of exploration values"),
    FAR__ROW_CHOICE(delayed_params, e_rule, "success", "success|visit",
                    "E is learned with Q, or at every visit as in DORA, which is not printed"),
    FAR__ROW_REAL(delayed_params, alpha_e, "0.01", FAR__UNIT_ABOVE_0,
                  "e_rule=visit: step size of exploration values"),
    DELAYED_RHO_ROW("range sqrt(m)/(5000 H)"),
    FAR__ROW_CHOICE(
        delayed_params, delay, "interval", "interval|full",
        "attempt an update at every sample, or only when the window is full (width eps1)"),
    DELAYED_LEARN_ROW,
    FAR__ROW_CHOICE(delayed_params, clamp, "on", "off|on",
                    "keep Q and E from rising, as the proof needs"),
    FAR__ROW_DERIVED(delayed_params, threshold, "eps1", FAR__FINITE,
                     "least decrease of an update if it is not eps1; another one is not printed"),
    DELAYED_TIES_ROW,
};

/* The theorem holds with probability 1 - 2 delta; hence half of it. */
static far__window window_of(const delayed_params *p, far__problem problem) {
  if (p->preset == PRESET_PAPER) return far__paper_window(problem, p->eps, p->eps1, p->delta);
  if (p->delay == DELAY_FULL) return far__theory_full(problem, p->eps1, p->lambda, p->delta / 2);
  return far__theory_interval(problem, p->eps1, p->lambda, p->delta / 2);
}

#define OFFSET(field) offsetof(delayed_params, field)

/* The readings that are not in the paper: hidden where they are not used. Else no theorem gives the other parameters. */
static far_status resolve_readings(far__spec *spec, far_error *error) {
  const delayed_params *p = (const delayed_params *)spec->values;
  const bool theory = p->preset != PRESET_PRACTICAL && p->preset != PRESET_SCALED;
  const struct {
    bool printed;
    size_t offset;
  } readings[] = {{p->bonus == BONUS_LOG, OFFSET(bonus)},
                  {p->e_rule == E_AT_SUCCESS, OFFSET(e_rule)},
                  {p->threshold == p->eps1, OFFSET(threshold)}};
  for (size_t i = 0; i < sizeof readings / sizeof *readings; ++i) {
    if (readings[i].printed)
      far__spec_hide(spec, readings[i].offset);
    else if (theory)
      return far__spec_fail(spec, readings[i].offset, error,
                            "it is not part of the printed algorithm: no theorem gives its other "
                            "parameters, so that preset must be scaled or practical");
  }
  far_status status = FAR_OK;
  if (p->e_rule == E_AT_SUCCESS)
    status = far__spec_needs(spec, OFFSET(alpha_e), "e_rule=visit", error);
  if (status == FAR_OK && p->bonus == BONUS_SQRT)
    status = far__spec_refuse(spec, OFFSET(eta), "bonus=sqrt has no logarithm", error);
  return status;
}

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  delayed_params *p = (delayed_params *)spec->values;
  const double divisor = p->preset == PRESET_PAPER ? FAR__DIVISOR_PAPER : FAR__DIVISOR_DIRECTED;
  far_status status = delayed_resolve_eps1(spec, shape, divisor, error);
  if (status == FAR_OK) status = resolve_readings(spec, error);
  if (status != FAR_OK) return status;
  if (p->bonus == BONUS_LOG && !(p->eta > 0 && p->eta < 1))
    return far__spec_fail(
        spec, offsetof(delayed_params, eps1), error,
        "eps1 = %g makes eta = 1 - eps1/range = %g, which must be in (0, 1); give "
        "another eps1, or eta",
        p->eps1, p->eta);
  const far__problem problem = delayed_problem(p, shape);
  const bool given = far__spec_given(spec, offsetof(delayed_params, lambda));
  if (given ? p->lambda != p->lambda /* the word */ : p->preset == PRESET_THEORY)
    p->lambda = far__lambda_repaired(p->eps1, problem.range, far_log(p->eta), p->gamma_e);
  else if (!given)
    p->lambda = far__lambda_paper(p->eps1, problem.range, far_log(p->eta));
  if (p->bonus == BONUS_LOG && p->e0 > p->eta)
    return far__spec_fail(spec, offsetof(delayed_params, e0), error,
                          "e0 = %s must be at most eta = %s", far__shortest(p->e0).text,
                          far__shortest(p->eta).text);
  return delayed_resolve_window(spec, shape, &rules, window_of(p, problem), error);
}

const far__agent_type far__directed_delayed_q = {
    .info = {.name = "directed-delayed-q",
             .summary = "Delayed Q-learning directed by long-term exploration values",
             .reference = "Oh & Iyengar, Directed Exploration in PAC Model-Free Reinforcement "
                          "Learning, 2018 (arXiv 1808.10552)",
             .guarantee = "PAC-MDP with preset=theory: O~(SA / (eps^4 (1-gamma)^8)) mistakes; "
                          "discounted, continuing or episodic",
             .params = params,
             .n_params = sizeof params / sizeof *params},
    .resolve = resolve,
    DELAYED_HOOKS(delayed_state_size),
};
