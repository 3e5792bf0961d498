#include "agents/delayed-family.h"
#include "agents/explore.h"

#include "base/error.h"
#include "base/text.h"
#include "farsight/base.h"

far__problem delayed_problem(const delayed_params *p, const far_shape *shape) {
  return (far__problem){.states = far_shape_live(shape),
                        .actions = shape->n_actions,
                        .gamma = p->gamma,
                        .range = shape->reward_max - shape->reward_min};
}

#define GIVEN(field) far__spec_given(spec, offsetof(delayed_params, field))

/* ---- preset=scaled: defaults from S, A, the range R and the steps of the run ---- */

enum {
  SCALED_FULL = 15, /* fully delayed: windows of a pair for each of the H steps, H = 1/(1-gamma) */
  SCALED_PARTS = 5000 /* of the range: H decreases of eps1 are one part */
};

/* eps1 = R (1 - gamma)/5000, so that H decreases that are missed add up to R/5000. At least 2^-40 R, so that
 * eta = 1 - eps1/R is not rounded to 1. */
static double scaled_slack(const delayed_params *p, double range) {
  const double share = (1 - p->gamma) / SCALED_PARTS;
  return range * (share > 0x1p-40 ? share : 0x1p-40);
}

/* With intervals every sample is an attempt: a window need never be full, so that m is a multiple of N. Fully delayed, a pair
 * needs SCALED_FULL windows for each of the H steps. */
static int64_t scaled_window(const delayed_params *p, const far_shape *shape,
                             const delayed_rules *rules) {
  const double n = (double)p->steps / ((double)far_shape_live(shape) * shape->n_actions);
  const double m = p->delay == DELAY_FULL ? floor(n * (1 - p->gamma) / SCALED_FULL + 0.5)
                                          : ceil(rules->window * n);
  return m < 1 ? 1 : m > 0x1p53 ? (int64_t)1 << 53 : (int64_t)m;
}

/* ---- resolving ---- */

static far_status consume_preset(far__spec *spec, far_error *error) {
  const int32_t preset = ((const delayed_params *)spec->values)->preset;
  const bool practical = preset == PRESET_PRACTICAL || preset == PRESET_SCALED;
  static const size_t offsets[] = {offsetof(delayed_params, eps), offsetof(delayed_params, delta)};
  far_status status =
      far__consume_preset(spec, practical, offsetof(delayed_params, preset), offsets, 2, error);
  if (status != FAR_OK) return status;
  far__spec_hide(spec, offsetof(delayed_params, steps));
  if (preset != PRESET_SCALED)
    status = far__spec_needs(spec, offsetof(delayed_params, steps), "preset=scaled", error);
  if (status != FAR_OK) return status;
  if (GIVEN(eps) && GIVEN(eps1))
    return far__spec_refuse(spec, offsets[0], "eps1, which follows from it, is given", error);
  return FAR_OK;
}

static double usual_eps1(const delayed_params *p, double range, double divisor) {
  switch (p->preset) {
  case PRESET_SCALED: return scaled_slack(p, range);
  case PRESET_PRACTICAL: return 0.2 * range;
  default: return p->eps * (1 - p->gamma) / divisor;
  }
}

far_status delayed_resolve_eps1(far__spec *spec, const far_shape *shape, double divisor,
                                far_error *error) {
  delayed_params *p = (delayed_params *)spec->values;
  const double range = shape->reward_max - shape->reward_min;
  const far_status status = far__check_v_max(shape, p->gamma, error);
  if (status != FAR_OK) return status;
  if (!GIVEN(eps))
    p->eps = GIVEN(eps1) ? p->eps1 * divisor / (1 - p->gamma) : 0.1 * range / (1 - p->gamma);
  if (!GIVEN(eps1)) p->eps1 = usual_eps1(p, range, divisor);
  if (!GIVEN(eta)) p->eta = 1 - p->eps1 / range;
  if (!GIVEN(e0)) p->e0 = p->eta;
  if (!GIVEN(threshold)) p->threshold = p->eps1;
  p->inverse_log_eta = 1 / far_log(p->eta);
  return consume_preset(spec, error);
}

far_status delayed_resolve_window(far__spec *spec, const far_shape *shape,
                                  const delayed_rules *rules, far__window window,
                                  far_error *error) {
  delayed_params *p = (delayed_params *)spec->values;
  const bool scaled = p->preset == PRESET_SCALED, practical = p->preset == PRESET_PRACTICAL;
  if (!GIVEN(m)) {
    if (!scaled && !practical && !(window.m <= 0x1p53))
      return far__fail(error, FAR_STATUS_RANGE, -1,
                       "the theorem requires a window of m = %.3g samples, more than can be "
                       "counted; give a larger eps, or m",
                       window.m);
    p->m = scaled ? scaled_window(p, shape, rules) : practical ? 5 : (int64_t)window.m;
  }
  const double width = scaled
                           ? rules->width * scaled_slack(p, shape->reward_max - shape->reward_min)
                       : practical ? 3 * p->eps1
                                   : p->eps1;
  if (!GIVEN(rho)) p->rho = width * sqrt((double)p->m);
  return FAR_OK;
}

/* ---- advice: what the parameters cost; the guarantee holds if none is given, severe ones apart ---- */

static void advise_optimism(const delayed_params *p, far__problem problem,
                            const far__advice *advice) {
  const far__window full = far__theory_full(problem, p->eps1, p->lambda, p->delta);
  if (p->delay == DELAY_FULL) {
    if ((double)p->m < full.m)
      far__say(advice, false, "optimism is not guaranteed (m = %lld, theory requires %s)",
               (long long)p->m, far__above(full.m).text);
    return;
  }
  const double least = far__rho_for_optimism(problem, (double)p->m, full.kappa, p->delta);
  if (p->rho < least * (1 - 1e-12))
    far__say(advice, false, "optimism is not guaranteed (rho = %.4g, theory requires %s)", p->rho,
             far__above(least).text);
}

/* Does it differ from the algorithm as printed in the paper? */
static bool is_variant(const delayed_params *p) {
  return p->e_rule != E_AT_SUCCESS || p->bonus != BONUS_LOG || p->threshold != p->eps1;
}

static void advise_variant(const delayed_params *p, const far__advice *advice) {
  if (p->e_rule == E_AT_VISIT)
    far__say(
        advice, false,
        "nothing is proved of e_rule=visit: exploration values that are learned at every visit "
        "are not printed");
  if (p->bonus == BONUS_SQRT)
    far__say(advice, false, "nothing is proved of bonus=sqrt: this bonus is not printed");
  if (p->threshold != p->eps1)
    far__say(advice, false,
             "nothing is proved of threshold = %.4g: an update is printed with eps1 = %.4g",
             p->threshold, p->eps1);
}

static void advise_learning(const delayed_params *p, const far__advice *advice) {
  const double allowed = p->eps1 * sqrt((double)p->m);
  if (p->delay == DELAY_INTERVAL && p->rho > allowed * (1 + 1e-12))
    far__say(advice, false,
             "an update that is due may be refused (rho = %.4g, above eps1 sqrt(m) = %s)", p->rho,
             far__below(allowed).text);
  const double after = far__bonus(p->lambda, p->inverse_log_eta, p->gamma_e * p->e0);
  if (!is_variant(p) && after > p->eps1 * (1 + 1e-12))
    far__say(advice, false,
             "an update that is due may be refused (a bonus of %.4g can remain after one, eps1 = "
             "%.4g)",
             after, p->eps1);
}

/* The first update of a pair must lower its value by the width and the threshold, and one reward can lower it by the range at
 * most. Where both are equal, rounding decides, differently for each m and gamma. */
static void advise_stall(const delayed_params *p, far__problem problem, const far__advice *advice) {
  const double width = p->delay == DELAY_FULL ? p->eps1 : p->rho / sqrt((double)p->m);
  const double least = width + p->threshold, most = problem.range;
  const bool has_budget = p->lambda > 0 && p->e_rule == E_AT_SUCCESS; /* the bonus can fall, too */
  if (has_budget || least <= most * (1 - 1e-9)) return;
  if (least > most * (1 + 1e-9))
    far__say(advice, true,
             "it cannot learn in a continuing problem: the first update of a pair would have to "
             "lower its value by %.4g, and one reward can lower it by %.4g at most",
             least, most);
  else
    far__say(advice, true,
             "rounding decides whether it learns in a continuing problem: the first update of a "
             "pair has to lower its value by %.4g, and one reward can lower it by just as much; "
             "give a smaller eps1%s",
             least, p->delay == DELAY_FULL ? "" : " or rho");
}

void delayed_advise(const far__spec *spec, const far_shape *shape, const far__advice *advice) {
  const delayed_params *p = (const delayed_params *)spec->values;
  const far__problem problem = delayed_problem(p, shape);
  advise_stall(p, problem, advice);
  advise_variant(p, advice);
  if (p->learn == LEARN_PRINTED)
    far__say(
        advice, false,
        "the mistake bound is not guaranteed (learn=printed can switch a pair off for ever while "
        "its value is wrong)");
  if (!p->clamp && p->lambda > 0)
    far__say(advice, false,
             "an update that is due may be refused (with clamp=off Q and E can rise)");
  advise_optimism(p, problem, advice);
  advise_learning(p, advice);
}

/* ---- hooks ---- */

static size_t state_size(const far_shape *shape, delayed_kind kind) {
  const size_t words = delayed_window_words(kind) + delayed_row_words(kind);
  return sizeof(delayed_state) +
         (size_t)shape->n_states * shape->n_actions * words * sizeof(double);
}

size_t delayed_state_size(const far_shape *shape, const void *params) {
  (void)params;
  return state_size(shape, DELAYED_DIRECTED);
}

size_t delayed_state_size_plain(const far_shape *shape, const void *params) {
  (void)params;
  return state_size(shape, DELAYED_PLAIN);
}

void delayed_init(far_agent *agent) {
  const delayed_params *p = far__agent_params(agent);
  const delayed_view v = delayed_view_of(agent);
  const double range = agent->shape.reward_max - agent->shape.reward_min;
  const size_t pairs = (size_t)agent->shape.n_states * agent->shape.n_actions;
  const double first[] = {range / (1 - p->gamma), v.lambda > 0 ? delayed_bonus(&v, p->e0) : 0,
                          p->e0};
  for (size_t i = 0; i < pairs; ++i) delayed_window_of(&v, v.kind, i)->count = 1; /* n = 0, LEARN */
  double *at = v.rows;
  for (uint32_t s = 0; s < agent->shape.n_states; ++s)
    for (size_t part = 0; part < delayed_row_words(v.kind); ++part)
      for (uint32_t a = 0; a < agent->shape.n_actions; ++a) *at++ = first[part];
}

uint32_t delayed_act_hook(far_agent *agent, uint32_t s) {
  const delayed_view v = delayed_view_of(agent);
  return delayed_act(&v, v.kind, agent->shape.n_actions, s, &agent->rng);
}

void delayed_observe_hook(far_agent *agent, const far_transition *step) {
  const delayed_view v = delayed_view_of(agent);
  delayed_observe(&v, v.kind, agent->shape.n_actions, agent->t, step);
}

bool delayed_value(const far_agent *agent, far_value kind, size_t pair, double *out) {
  const delayed_view v = delayed_view_of(agent); /* only read through */
  switch (kind) {
  case FAR_VALUE_Q: *out = delayed_read(&v, DELAYED_Q, pair) - v.terminal; return true;
  case FAR_VALUE_N: *out = (double)delayed_n(&v, pair); return true;
  case FAR_VALUE_LEARN: *out = delayed_learns(&v, pair); return true;
  case FAR_VALUE_BONUS: *out = delayed_read(&v, DELAYED_BONUS, pair); break;
  case FAR_VALUE_E: *out = delayed_read(&v, DELAYED_E, pair); break;
  default: return false;
  }
  return v.kind != DELAYED_PLAIN;
}

bool delayed_policy(const far_agent *agent, uint32_t s, double *out) {
  const delayed_view v = delayed_view_of(agent); /* only read through */
  const size_t first = (size_t)s * agent->shape.n_actions;
  const delayed_scores row = {delayed_at(&v, DELAYED_Q, first),
                              delayed_at(&v, DELAYED_BONUS, first)};
  if (v.kind == DELAYED_PLAIN)
    far__greedy_policy(far__score_row, row.q, agent->shape.n_actions, v.ties, out);
  else
    far__greedy_policy(delayed_score, &row, agent->shape.n_actions, v.ties, out);
  return true;
}

bool delayed_valid(const far_agent *agent) {
  const delayed_view v = delayed_view_of(agent);
  const size_t pairs = (size_t)agent->shape.n_states * agent->shape.n_actions;
  bool good = v.state->last_success >= 0 && v.state->last_success <= agent->t;
  for (size_t i = 0; good && i < pairs; ++i) {
    delayed_window *w = delayed_window_of(&v, v.kind, i);
    const double sum = delayed_read(&v, DELAYED_Q, i) + delayed_read(&v, DELAYED_BONUS, i) +
                       delayed_read(&v, DELAYED_E, i) + w->q_sum +
                       (v.kind != DELAYED_PLAIN ? w->e_sum : 0);
    good = w->count >= 0 && w->count >> 1 < v.m && w->begun >= 0 && w->begun <= agent->t &&
           sum - sum == 0;
  }
  return good;
}
