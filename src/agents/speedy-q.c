/* The parameters and hooks of Speedy Q-learning; the algorithm is in speedy-q.h. */
#include "agents/speedy-q.h"

#include "agents/params.h"

static const far_param params[] = {
    FAR__ROW_GAMMA(speedy_params),
    FAR__ROW_CHOICE(speedy_params, form, "round", "step|round",
                    "update at every step, or all pairs together once each has been visited"),
    FAR__ROW_Q0(speedy_params, "initial value of every pair; range/(1-gamma) is optimistic"),
    FAR__ROW_EXPLORE(speedy_params),
    FAR__ROW_EPSILON(speedy_params, "probability of a random action"),
    FAR__ROW_TEMPERATURE(speedy_params, "0.1 range"),
    FAR__ROW_TIES(speedy_params),
};

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  speedy_params *p = (speedy_params *)spec->values;
  const bool temperature = far__spec_given(spec, offsetof(speedy_params, temperature));
  if (!far__spec_given(spec, offsetof(speedy_params, explore)))
    p->explore = temperature ? EXPLORE_SOFTMAX : EXPLORE_EPSILON;
  if (!temperature) p->temperature = 0.1 * (shape->reward_max - shape->reward_min);
  const bool softmax = p->explore == EXPLORE_SOFTMAX;
  const far__refusal rules[] = {
      {!softmax, offsetof(speedy_params, temperature), "it applies only with explore=softmax"},
      {softmax, offsetof(speedy_params, epsilon), "it applies only with explore=epsilon"},
      {softmax, offsetof(speedy_params, ties), "softmax chooses at random"},
  };
  return far__refuse(spec, rules, sizeof rules / sizeof *rules, error);
}

static void advise(const far__spec *spec, const far_shape *shape, const far__advice *advice) {
  const speedy_params *p = (const speedy_params *)spec->values;
  if (p->form == SPEEDY_ROUND && shape->episodic && shape->absent == NULL)
    far__say(advice, true,
             "it cannot learn if terminal states are among the states and not declared absent: a "
             "round ends when every pair has been visited, and theirs never are; form=step can");
  if (p->form == SPEEDY_STEP)
    far__say(advice, false, "convergence is not guaranteed (form=step; the theorem is for rounds)");
  if (p->explore == EXPLORE_EPSILON && p->epsilon == 0)
    far__say(advice, false, "with epsilon=0 only the initial values make it explore%s",
             p->form == SPEEDY_ROUND ? ", and they change when all pairs have been visited" : "");
}

static size_t state_size(const far_shape *shape, const void *params_of) {
  const speedy_params *p = params_of;
  const size_t pairs = (size_t)shape->n_states * shape->n_actions;
  return sizeof(speedy_state) + pairs * 8 * (p->form == SPEEDY_ROUND ? 5 : 2);
}

static speedy_view view_of(const far_agent *agent) {
  return speedy_view_on(far__agent_body(agent));
}

static void init(far_agent *agent) {
  const speedy_view v = view_of(agent);
  for (size_t i = 0; i < v.pairs; ++i) v.q[i] = v.p.q0;
  if (v.p.form == SPEEDY_STEP) return;
  const speedy_round round = speedy_round_of(&v);
  for (size_t i = 0; i < v.pairs; ++i) round.before[i] = v.p.q0;
  v.state->left = (int64_t)v.live_pairs;
}

static uint32_t act(far_agent *agent, uint32_t s) {
  const speedy_view v = view_of(agent);
  return speedy_act(&v, agent->shape.n_actions, s, &agent->rng);
}

static void observe(far_agent *agent, const far_transition *step) {
  const speedy_view v = view_of(agent);
  speedy_observe(&v, agent->shape.n_actions, step);
}

static bool value(const far_agent *agent, far_value kind, size_t pair, double *out) {
  const speedy_view v = view_of(agent);
  switch (kind) {
  case FAR_VALUE_Q: *out = v.q[pair]; return true;
  case FAR_VALUE_N: *out = (double)v.visits[pair]; return true;
  default: return false;
  }
}

static bool policy(const far_agent *agent, uint32_t s, double *out) {
  const speedy_view v = view_of(agent);
  const uint32_t n_actions = agent->shape.n_actions;
  far__explore_policy((far__explore)v.p.explore, v.q + (size_t)s * n_actions, n_actions,
                      v.p.epsilon, v.p.temperature, (far__ties)v.p.ties, out);
  return true;
}

/* The end of a round changes the policy of all states. */
static bool local(const far_agent *agent) {
  return view_of(agent).p.form == SPEEDY_STEP;
}

static bool is_finite(double x) {
  return x - x == 0;
}

static bool valid_round(const speedy_view *v, int64_t t) {
  const speedy_round round = speedy_round_of(v);
  int64_t left = (int64_t)v->live_pairs;
  bool good = v->state->k >= 0 && v->state->k <= t && v->state->left > 0;
  for (size_t i = 0; good && i < v->pairs; ++i) {
    good = is_finite(round.before[i]) && is_finite(round.sum[i]) && round.samples[i] >= 0 &&
           round.samples[i] <= v->visits[i];
    left -= round.samples[i] > 0;
  }
  return good && left == v->state->left;
}

static bool valid(const far_agent *agent) {
  const speedy_view v = view_of(agent);
  bool good = true;
  for (size_t i = 0; good && i < v.pairs; ++i)
    good = v.visits[i] >= 0 && v.visits[i] <= agent->t && is_finite(v.q[i]);
  if (v.p.form == SPEEDY_ROUND) return good && valid_round(&v, agent->t);
  return good && v.state->k >= 0 && v.state->k <= (int64_t)v.pairs && is_finite(v.state->old) &&
         (v.state->k == 0 || v.visits[v.state->k - 1] > 0);
}

const far__agent_type far__speedy_q = {
    .info = {.name = "speedy-q",
             .summary = "Speedy Q-learning with epsilon-greedy or softmax exploration",
             .reference = "Azar, Munos, Ghavamzadeh & Kappen, Speedy Q-learning, NIPS 2011",
             .guarantee = "none for exploring; with form=round and n samples of every pair the "
                          "error is O~(1 / ((1-gamma)^2 sqrt(n))); discounted, continuing or "
                          "episodic",
             .params = params,
             .n_params = sizeof params / sizeof *params},
    .params_size = sizeof(speedy_params),
    .resolve = resolve,
    .advise = advise,
    .state_size = state_size,
    .init = init,
    .act = act,
    .observe = observe,
    .value = value,
    .policy = policy,
    .local = local,
    .valid = valid,
};
