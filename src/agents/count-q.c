/* The parameters and hooks of Q-learning with a count bonus; the algorithm is in count-q.h. */
#include "agents/count-q.h"

#include <float.h>

#include "agents/params.h"

static const far_param params[] = {
    FAR__ROW_GAMMA(count_params),
    FAR__ROW_CHOICE(count_params, place, "target", "target|choice",
                    "the bonus is added to what is learned, or only when choosing"),
    FAR__ROW_DERIVED(count_params, beta, "0.055 range, 1 range with place=choice",
                     FAR__NOT_NEGATIVE, "bonus of the first visit, in units of reward"),
    FAR__ROW_CHOICE(count_params, decay, "sqrt", "sqrt|linear",
                    "the bonus after n visits: beta/sqrt(n) or beta/n"),
    FAR__ROW_CHOICE(count_params, step, "horizon", "horizon|constant",
                    "step size: (H+1)/(H+n) at the n-th visit, H = 1/(1-gamma), or alpha"),
    FAR__ROW_ALPHA(count_params, "0.1"),
    FAR__ROW_DERIVED(count_params, q0, "rmax/(1-gamma), 0 with place=choice", FAR__FINITE,
                     "initial value of every pair"),
    FAR__ROW_TIES(count_params),
};

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  count_params *p = (count_params *)spec->values;
  if (!far__spec_given(spec, offsetof(count_params, beta)))
    p->beta = (p->place == COUNT_TARGET ? 0.055 : 1) * (shape->reward_max - shape->reward_min);
  if (!far__spec_given(spec, offsetof(count_params, q0)))
    p->q0 = p->place == COUNT_TARGET ? shape->reward_max / (1 - p->gamma) : 0;
  const far__refusal rules[] = {{p->step != COUNT_CONSTANT, offsetof(count_params, alpha),
                                 "it applies only with step=constant"}};
  const far_status status = far__check_v_max(shape, p->gamma, error);
  return status != FAR_OK ? status : far__refuse(spec, rules, 1, error);
}

static void advise(const far__spec *spec, const far_shape *shape, const far__advice *advice) {
  const count_params *p = (const count_params *)spec->values;
  if (p->place == COUNT_TARGET && p->beta == 0 && p->q0 < shape->reward_max / (1 - p->gamma))
    far__say(advice, false,
             "with beta=0 only an initial value of rmax/(1-gamma) would make it explore");
}

static size_t state_size(const far_shape *shape, const void *p) {
  (void)p;
  return (size_t)shape->n_states * shape->n_actions * (sizeof(double) + sizeof(int64_t));
}

static count_view view_of(const far_agent *agent) {
  return count_view_on(far__agent_body(agent));
}

static void init(far_agent *agent) {
  const count_view v = view_of(agent);
  const size_t pairs = (size_t)agent->shape.n_states * agent->shape.n_actions;
  for (size_t i = 0; i < pairs; ++i) v.q[i] = v.p.q0;
}

static uint32_t act(far_agent *agent, uint32_t s) {
  const count_view v = view_of(agent);
  return count_act(&v, agent->shape.n_actions, s, &agent->rng);
}

static void observe(far_agent *agent, const far_transition *step) {
  const count_view v = view_of(agent);
  count_observe(&v, agent->shape.n_actions, step);
}

static bool value(const far_agent *agent, far_value kind, size_t pair, double *out) {
  const count_view v = view_of(agent);
  switch (kind) {
  case FAR_VALUE_Q: *out = v.q[pair]; return true;
  case FAR_VALUE_N: *out = (double)v.visits[pair]; return true;
  case FAR_VALUE_BONUS:
    *out = v.visits[pair] == 0 ? DBL_MAX : count_bonus(&v.p, v.visits[pair]);
    return v.p.place == COUNT_CHOICE;
  default: return false;
  }
}

static bool policy(const far_agent *agent, uint32_t s, double *out) {
  const count_view v = view_of(agent), row = count_row(&v, agent->shape.n_actions, s);
  const bool at_choice = row.p.place == COUNT_CHOICE;
  far__greedy_policy(at_choice ? count_score : far__score_row,
                     at_choice ? (const void *)&row : (const void *)row.q, agent->shape.n_actions,
                     (far__ties)row.p.ties, out);
  return true;
}

static bool valid(const far_agent *agent) {
  const count_view v = view_of(agent);
  const size_t pairs = (size_t)agent->shape.n_states * agent->shape.n_actions;
  bool good = true;
  for (size_t i = 0; good && i < pairs; ++i)
    good = v.visits[i] >= 0 && v.visits[i] <= agent->t && v.q[i] - v.q[i] == 0;
  return good;
}

const far__agent_type far__count_q = {
    .info = {.name = "count-q",
             .summary = "Q-learning with a bonus for rarely tried actions",
             .reference =
                 "the bonus of Strehl & Littman, J. Comput. Syst. Sci. 74, 2008, or Kolter "
                 "& Ng, ICML 2009; the step size of Jin et al., NeurIPS 2018",
             .guarantee = "none (ucb-q is the form with one); discounted, continuing or episodic",
             .params = params,
             .n_params = sizeof params / sizeof *params},
    .params_size = sizeof(count_params),
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
