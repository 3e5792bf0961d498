/* The parameters and hooks of Q-learning; the algorithm is in q-learning.h. */
#include "agents/q-learning.h"

#include "agents/params.h"

static const far_param params[] = {
    FAR__ROW_GAMMA(q_params),
    FAR__ROW_Q0(q_params, "initial value of every pair; range/(1-gamma) is optimistic"),
    FAR__ROW_CHOICE(q_params, step, "constant", "constant|polynomial",
                    "step size: alpha, or 1/(n+offset)^omega at the n-th visit of a pair"),
    FAR__ROW_ALPHA(q_params, "0.45"),
    {FAR__ROW(q_params, omega, FAR_PARAM_REAL, "0.8", "exponent of the polynomial step size"),
     FAR__BETWEEN(0.5, 1), .min_open = true},
    FAR__ROW_REAL(q_params, offset, "0", FAR__NOT_NEGATIVE,
                  "with 0 the first visit erases q0; 1 keeps part of it"),
    FAR__ROW_EXPLORE(q_params),
    FAR__ROW_CHOICE(q_params, decay, "none", "none|linear|state",
                    "epsilon constant, falling linearly in time, or min(1, c/n(s)) in each state"),
    FAR__ROW_EPSILON(q_params,
                     "probability of a random action, at the beginning if it decays linearly"),
    FAR__ROW_REAL(q_params, epsilon_end, "0", FAR__UNIT, "final value of the linear decay"),
    FAR__ROW_INTEGER(q_params, decay_steps, "10000", FAR__COUNT, "steps that linear decay takes"),
    FAR__ROW_REAL(q_params, c, "1", FAR__NOT_NEGATIVE, "numerator of the decay by state"),
    FAR__ROW_TEMPERATURE(q_params, "0.1 range"),
    FAR__ROW_TIES(q_params),
};

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  q_params *p = (q_params *)spec->values;
  const bool temperature = far__spec_given(spec, offsetof(q_params, temperature));
  if (!far__spec_given(spec, offsetof(q_params, explore)))
    p->explore = temperature ? EXPLORE_SOFTMAX : EXPLORE_EPSILON;
  if (!temperature) p->temperature = 0.1 * (shape->reward_max - shape->reward_min);
  const bool softmax = p->explore == EXPLORE_SOFTMAX;
  const bool linear = p->decay == DECAY_LINEAR, by_state = p->decay == DECAY_STATE;
  const far__refusal rules[] = {
      {p->step != STEP_CONSTANT, offsetof(q_params, alpha), "it applies only with step=constant"},
      {p->step != STEP_POLYNOMIAL, offsetof(q_params, omega),
       "it applies only with step=polynomial"},
      {p->step != STEP_POLYNOMIAL, offsetof(q_params, offset),
       "it applies only with step=polynomial"},
      {!softmax, offsetof(q_params, temperature), "it applies only with explore=softmax"},
      {softmax, offsetof(q_params, decay), "it applies only with explore=epsilon"},
      {softmax || by_state, offsetof(q_params, epsilon),
       softmax ? "it applies only with explore=epsilon" : "decay=state takes c instead"},
      {softmax || !linear, offsetof(q_params, epsilon_end), "it applies only with decay=linear"},
      {softmax || !linear, offsetof(q_params, decay_steps), "it applies only with decay=linear"},
      {softmax || !by_state, offsetof(q_params, c), "it applies only with decay=state"},
      {softmax, offsetof(q_params, ties), "softmax chooses at random"},
  };
  return far__refuse(spec, rules, sizeof rules / sizeof *rules, error);
}

static void advise(const far__spec *spec, const far_shape *shape, const far__advice *advice) {
  const q_params *p = (const q_params *)spec->values;
  (void)shape;
  if (p->q0 != 0 && p->step == STEP_POLYNOMIAL && p->offset == 0)
    advice->warn(
        advice->user, false,
        "the initial value is without effect: the first step size is 1; offset=1 keeps it");
}

static void init(far_agent *agent) {
  const q_view v = q_view_of(agent);
  const size_t pairs = (size_t)agent->shape.n_states * agent->shape.n_actions;
  for (size_t i = 0; i < pairs; ++i) v.q[i] = v.p.q0;
}

static uint32_t act(far_agent *agent, uint32_t s) {
  const q_view v = q_view_of(agent);
  return q_act(&v, agent->shape.n_actions, s, agent->t, &agent->rng);
}

static void observe(far_agent *agent, const far_transition *step) {
  const q_view v = q_view_of(agent);
  q_observe(&v, agent->shape.n_actions, step);
}

static bool value(const far_agent *agent, far_value kind, size_t pair, double *out) {
  const q_view v = q_view_of(agent); /* only read through */
  switch (kind) {
  case FAR_VALUE_Q: *out = v.q[pair]; return true;
  case FAR_VALUE_N: *out = (double)v.visits[pair]; return true;
  default: return false;
  }
}

static bool policy(const far_agent *agent, uint32_t s, double *out) {
  const q_view v = q_view_of(agent); /* only read through */
  const uint32_t n_actions = agent->shape.n_actions;
  far__explore_policy((far__explore)v.p.explore, v.q + (size_t)s * n_actions, n_actions,
                      q_epsilon(&v, s, agent->t), v.p.temperature, (far__ties)v.p.ties, out);
  return true;
}

/* With decay=linear every step changes epsilon, and so the policy of all states. */
static bool local(const far_agent *agent) {
  return q_view_of(agent).p.decay != DECAY_LINEAR;
}

static bool valid(const far_agent *agent) {
  const q_view v = q_view_of(agent);
  const size_t pairs = (size_t)agent->shape.n_states * agent->shape.n_actions;
  bool good = true;
  for (size_t i = 0; good && i < pairs; ++i)
    good = v.visits[i] >= 0 && v.visits[i] <= agent->t && v.q[i] == v.q[i];
  for (size_t s = 0; good && s < agent->shape.n_states; ++s)
    good = v.state_visits[s] >= 0 && v.state_visits[s] <= agent->t;
  return good;
}

const far__agent_type far__q_learning = {
    .info = {.name = "q-learning",
             .summary = "Q-learning with epsilon-greedy or softmax exploration",
             .reference = "Watkins, Learning from Delayed Rewards, PhD thesis, Cambridge 1989",
             .guarantee = "none in finite time; converges if every pair is visited for ever; "
                          "discounted, continuing or episodic",
             .params = params,
             .n_params = sizeof params / sizeof *params},
    .params_size = sizeof(q_params),
    .resolve = resolve,
    .advise = advise,
    .state_size = q_state_size,
    .init = init,
    .act = act,
    .observe = observe,
    .value = value,
    .policy = policy,
    .local = local,
    .valid = valid,
};
