/* What the three descriptors of the delayed family share; the algorithm itself is in delayed.h. */
#include "agents/delayed.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/error.h"
#include "farsight/math.h"

void delayed_init(far_agent *agent) {
  const delayed_params *p = far__agent_params(agent);
  const delayed_view v = delayed_view_of(agent);
  const double range = agent->shape.reward_max - agent->shape.reward_min;
  const size_t pairs = (size_t)agent->shape.n_states * agent->shape.n_actions;
  for (size_t i = 0; i < pairs; ++i) {
    v.q[i] = range / (1 - p->gamma);
    v.e[i] = p->e0;
    v.bonus[i] = far__bonus(v.lambda, v.inverse_log_eta, p->e0);
    v.window[i].learn = true;
  }
}

uint32_t delayed_act_hook(far_agent *agent, uint32_t s) {
  const delayed_view v = delayed_view_of(agent);
  return delayed_act(&v, agent->shape.n_actions, s, &agent->rng);
}

void delayed_observe_hook(far_agent *agent, const far_transition *step) {
  const delayed_view v = delayed_view_of(agent);
  delayed_observe(&v, true, agent->shape.n_actions, agent->t, step);
}

void delayed_observe_plain_hook(far_agent *agent, const far_transition *step) {
  const delayed_view v = delayed_view_of(agent);
  delayed_observe(&v, false, agent->shape.n_actions, agent->t, step);
}

bool delayed_value_hook(const far_agent *agent, far_value kind, size_t pair, double *out) {
  const delayed_view v = delayed_view_of((far_agent *)agent); /* only read through */
  switch (kind) {
  case FAR_VALUE_BONUS: *out = v.bonus[pair]; return true;
  case FAR_VALUE_E: *out = v.e[pair]; return true;
  default: return delayed_value_plain_hook(agent, kind, pair, out);
  }
}

bool delayed_value_plain_hook(const far_agent *agent, far_value kind, size_t pair, double *out) {
  const delayed_view v = delayed_view_of((far_agent *)agent);
  switch (kind) {
  case FAR_VALUE_Q: *out = v.q[pair] - v.terminal; return true; /* original units */
  case FAR_VALUE_N: *out = (double)v.window[pair].n; return true;
  case FAR_VALUE_LEARN: *out = (double)v.window[pair].learn; return true;
  default: return false;
  }
}

far__problem delayed_problem(const delayed_params *p, const far_shape *shape) {
  return (far__problem){.states = shape->n_states,
                        .actions = shape->n_actions,
                        .gamma = p->gamma,
                        .range = shape->reward_max - shape->reward_min};
}

double delayed_eps(const far__spec *spec, const far_shape *shape, double divisor) {
  const delayed_params *p = (const delayed_params *)spec->values;
  if (far__spec_given(spec, offsetof(delayed_params, eps1)))
    return p->eps1 * divisor / (1 - p->gamma);
  if (far__spec_given(spec, offsetof(delayed_params, eps))) return p->eps;
  return 0.1 * (shape->reward_max - shape->reward_min) / (1 - p->gamma);
}

static far_status store_m(delayed_params *p, double m, far_error *error) {
  if (!(m <= 0x1p53))
    return far__fail(error, FAR_STATUS_RANGE, -1,
                     "the theorem asks for a window of m = %.3g samples, more than can be counted; "
                     "ask for a larger eps, or give m",
                     m);
  p->m = (int64_t)m;
  return FAR_OK;
}

/* preset, eps and delta are consumed: the canonical spec holds what came of them */
static far_status hide_preset(far__spec *spec, far_error *error) {
  const bool practical = ((const delayed_params *)spec->values)->preset == PRESET_PRACTICAL;
  const char *why = "it goes with preset=theory, which derives the other keys from it";
  const size_t offsets[] = {offsetof(delayed_params, eps), offsetof(delayed_params, delta)};
  for (int i = 0; i < 2; ++i) {
    const far_status status = far__spec_hide(spec, offsets[i], why, practical ? error : NULL);
    if (status != FAR_OK && practical) return status;
  }
  far__spec_hide(spec, offsetof(delayed_params, preset), "", NULL);
  return FAR_OK;
}

far_status delayed_resolve(far__spec *spec, const far_shape *shape, const far__delayed_bound *bound,
                           far_error *error) {
  delayed_params *p = (delayed_params *)spec->values;
  const double range = shape->reward_max - shape->reward_min;
  if (!far__spec_given(spec, offsetof(delayed_params, eps1)))
    p->eps1 = bound != NULL ? bound->eps1 : 0.2 * range;
  if (!far__spec_given(spec, offsetof(delayed_params, m))) {
    const far_status status = store_m(p, bound != NULL ? bound->m : 5, error);
    if (status != FAR_OK) return status;
  }
  if (!far__spec_given(spec, offsetof(delayed_params, rho)))
    p->rho = (bound != NULL ? 1 : 3) * p->eps1 * sqrt((double)p->m);
  if (!far__spec_given(spec, offsetof(delayed_params, eta))) p->eta = 1 - p->eps1 / range;
  if (!far__spec_given(spec, offsetof(delayed_params, e0))) p->e0 = p->eta;
  p->inverse_log_eta = 1 / far_log(p->eta);
  return hide_preset(spec, error);
}

/* ---- advice: what the parameters cost (a guarantee needs all of these to be silent) ---- */

static void say(const far__advice *advice, bool severe, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void say(const far__advice *advice, bool severe, const char *format, ...) {
  char message[320];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  advice->warn(advice->user, severe, message);
}

static void advise_optimism(const delayed_params *p, far__problem problem, double kappa,
                            const far__advice *advice) {
  if (p->delay == DELAY_FULL) {
    const double least = far__m_full(problem, p->eps1, kappa, p->delta);
    if ((double)p->m < least)
      say(advice, false, "optimism is not guaranteed: m = %lld, theory asks for %.4g (delta = %g)",
          (long long)p->m, least, p->delta);
    return;
  }
  const double least = far__rho_for_optimism(problem, (double)p->m, kappa, p->delta);
  if (p->rho < least * (1 - 1e-12))
    say(advice, false, "optimism is not guaranteed: rho = %.4g, theory asks for %.4g (delta = %g)",
        p->rho, least, p->delta);
}

static void advise_learning(const delayed_params *p, const far__advice *advice) {
  const double allowed = p->eps1 * sqrt((double)p->m);
  if (p->delay == DELAY_INTERVAL && p->rho > allowed * (1 + 1e-12))
    say(advice, false,
        "learning (event A1) is not guaranteed: rho = %.4g exceeds eps1 sqrt(m) = %.4g", p->rho,
        allowed);
  const double after = far__bonus(p->lambda, p->inverse_log_eta, p->gamma_e * p->e0);
  if (after > p->eps1 * (1 + 1e-12))
    say(advice, false,
        "learning (event A1) is not guaranteed: the bonus after an update can be %.4g, above eps1 "
        "= "
        "%.4g",
        after, p->eps1);
}

void delayed_advise(const far__spec *spec, const far_shape *shape, const far__advice *advice) {
  const delayed_params *p = (const delayed_params *)spec->values;
  const far__problem problem = delayed_problem(p, shape);
  const double width = p->delay == DELAY_FULL ? p->eps1 : p->rho / sqrt((double)p->m);
  if (p->lambda == 0 && width + p->eps1 > problem.range)
    say(advice, true,
        "it cannot learn in a continuing problem: the first update of a pair would have to lower "
        "its "
        "value by %.4g, and one reward can lower it by %.4g at most",
        width + p->eps1, problem.range);
  if (p->learn == LEARN_PRINTED)
    say(advice, false,
        "the mistake bound is not guaranteed: learn=printed can switch a pair off for ever while "
        "its "
        "value is wrong");
  if (!p->clamp && p->lambda > 0)
    say(advice, false, "learning (event A1) is not guaranteed: with clamp=off Q and E can rise");
  advise_optimism(p, problem, (problem.range / (1 - p->gamma) + p->lambda) / p->eps1, advice);
  advise_learning(p, advice);
}
