/* The parameters and hooks of UCB Q-learning; the algorithm is in ucb-q.h. */
#include "agents/ucb-q.h"

#include "agents/params.h"
#include "base/text.h"
#include "theory/ucb-q.h"

typedef enum ucb_preset { PRESET_PRACTICAL, PRESET_THEORY } ucb_preset;
static const far_param params[] = {
    FAR__ROW_PRESET(ucb_params, "practical|theory", "practical, or theory (from eps and delta)"),
    FAR__ROW_EPS(ucb_params),
    FAR__ROW_DELTA(ucb_params),
    FAR__ROW_GAMMA(ucb_params),
    FAR__ROW_DERIVED(ucb_params, c, "0.0037", FAR__NOT_NEGATIVE,
                     "the bonus of the k-th visit is c range sqrt(h iota/k)"),
    FAR__ROW_DERIVED(ucb_params, h, "1/(1-gamma)", FAR__NOT_NEGATIVE,
                     "the step size of the k-th visit is (h+1)/(h+k)"),
    FAR__ROW_DERIVED_CHOICE(ucb_params, log, "off", "on|off",
                            "iota is ln(SA(k+1)(k+2)/delta), as the proof needs, or 1"),
    FAR__ROW_TIES(ucb_params),
};

#define GIVEN(field) far__spec_given(spec, offsetof(ucb_params, field))

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  ucb_params *p = (ucb_params *)spec->values;
  const double range = shape->reward_max - shape->reward_min;
  const bool theory = p->preset == PRESET_THEORY;
  const far_status status = far__check_v_max(shape, p->gamma, error);
  if (status != FAR_OK) return status;
  if (theory && !(p->gamma > 0.5))
    return far__spec_fail(spec, offsetof(ucb_params, gamma), error,
                          "the theorem is for gamma above 1/2, not %g", p->gamma);
  if (!GIVEN(eps)) p->eps = 0.1 * range / (1 - p->gamma);
  if (!GIVEN(c)) p->c = theory ? far__ucb_q_c(p->gamma) : 0.0037;
  if (!GIVEN(h)) p->h = theory ? far__ucb_q_h(p->gamma, p->eps / range) : 1 / (1 - p->gamma);
  if (!GIVEN(log)) p->log = theory ? UCB_LOG_ON : UCB_LOG_OFF;
  far__spec_hide(spec, offsetof(ucb_params, preset));
  far__spec_hide(spec, offsetof(ucb_params, eps));
  const far__refusal rules[] = {
      {!theory, offsetof(ucb_params, eps), "it applies only with preset=theory"},
      {GIVEN(h), offsetof(ucb_params, eps), "h, which follows from it, is given"},
      {p->log == UCB_LOG_OFF, offsetof(ucb_params, delta), "it applies only with log=on"},
  };
  return far__refuse(spec, rules, sizeof rules / sizeof *rules, error);
}

static void advise(const far__spec *spec, const far_shape *shape, const far__advice *advice) {
  const ucb_params *p = (const ucb_params *)spec->values;
  const double range = shape->reward_max - shape->reward_min;
  if (!(p->gamma > 0.5)) {
    far__say(advice, false, "the mistake bound is not guaranteed (the theorem is for gamma > 1/2)");
    return;
  }
  const double c = far__ucb_q_c(p->gamma), h = far__ucb_q_h(p->gamma, p->eps / range);
  if (p->c < c * (1 - 1e-12))
    far__say(advice, false, "optimism is not guaranteed (c = %.4g, theory requires %s)", p->c,
             far__above(c).text);
  if (p->log == UCB_LOG_OFF)
    far__say(advice, false, "optimism is not guaranteed (log=off, theory requires log=on)");
  if (p->h < h * (1 - 1e-12))
    far__say(advice, false,
             "the mistake bound is not guaranteed (h = %.4g, theory requires %s at eps = %.4g)",
             p->h, far__above(h).text, p->eps);
}

static size_t state_size(const far_shape *shape, const void *p) {
  (void)p;
  return (size_t)shape->n_states * shape->n_actions * (2 * sizeof(double) + sizeof(int64_t));
}

static ucb_view view_of(const far_agent *agent) {
  return ucb_view_on(far__agent_body(agent));
}

static void init(far_agent *agent) {
  const ucb_view v = view_of(agent);
  const size_t pairs = (size_t)agent->shape.n_states * agent->shape.n_actions;
  for (size_t i = 0; i < pairs; ++i) v.q[i] = v.low[i] = v.range / (1 - v.p.gamma);
}

static uint32_t act(far_agent *agent, uint32_t s) {
  const ucb_view v = view_of(agent);
  return ucb_act(&v, agent->shape.n_actions, s, &agent->rng);
}

static void observe(far_agent *agent, const far_transition *step) {
  const ucb_view v = view_of(agent);
  ucb_observe(&v, agent->shape.n_actions, step);
}

static bool value(const far_agent *agent, far_value kind, size_t pair, double *out) {
  const ucb_view v = view_of(agent);
  switch (kind) {
  case FAR_VALUE_Q: /* original units */
    *out = v.low[pair] + agent->shape.reward_min / (1 - v.p.gamma);
    return true;
  case FAR_VALUE_N: *out = (double)v.visits[pair]; return true;
  default: return false;
  }
}

static bool policy(const far_agent *agent, uint32_t s, double *out) {
  const ucb_view v = view_of(agent);
  const uint32_t n_actions = agent->shape.n_actions;
  far__greedy_policy(far__score_row, v.low + (size_t)s * n_actions, n_actions, (far__ties)v.p.ties,
                     out);
  return true;
}

static bool valid(const far_agent *agent) {
  const ucb_view v = view_of(agent);
  const size_t pairs = (size_t)agent->shape.n_states * agent->shape.n_actions;
  const double most = v.range / (1 - v.p.gamma);
  bool good = true;
  for (size_t i = 0; good && i < pairs; ++i)
    good = v.visits[i] >= 0 && v.visits[i] <= agent->t && v.low[i] >= 0 && v.low[i] <= most &&
           v.q[i] >= v.low[i] && v.q[i] < INFINITY;
  return good;
}

const far__agent_type far__ucb_q = {
    .info = {.name = "ucb-q",
             .summary = "Q-learning with upper confidence bounds",
             .reference = "Dong, Wang, Chen & Wang, Q-learning with UCB Exploration is Sample "
                          "Efficient for Infinite-Horizon MDP, ICLR 2020",
             .guarantee = "PAC-MDP with preset=theory: O~(SA / (eps^2 (1-gamma)^7)) mistakes; "
                          "discounted, continuing or episodic",
             .params = params,
             .n_params = sizeof params / sizeof *params},
    .params_size = sizeof(ucb_params),
    .resolve = resolve,
    .advise = advise,
    .state_size = state_size,
    .init = init,
    .act = act,
    .observe = observe,
    .value = value,
    .policy = policy,
    .local = far__always_local,
    .valid = valid,
};
