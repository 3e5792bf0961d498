/* The parameters and hooks of DORA; the algorithm is in dora.h. */
#include "agents/dora.h"

#include <float.h>

#include "agents/params.h"

static const far_param params[] = {
    FAR__ROW_GAMMA(dora_params),
    FAR__ROW_CHOICE(
        dora_params, rule, "lll-softmax", "lll-softmax|lll-epsilon|softmax|epsilon",
        "softmax or epsilon-greedy, made deterministic by the counters (lll) or with a bonus"),
    FAR__ROW_ALPHA(dora_params, "0.039"),
    FAR__ROW_REAL(dora_params, alpha_e, "0.19", FAR__UNIT_OPEN, "step size of exploration values"),
    FAR__ROW_REAL(dora_params, gamma_e, "0.9", FAR__UNIT_BELOW_1,
                  "discount of exploration values; 0 counts visits"),
    FAR__ROW_DERIVED(dora_params, beta, "0.3 range, 0 with the lll rules", FAR__NOT_NEGATIVE,
                     "bonus at counter 1, in units of reward; the lll rules add it to the target"),
    FAR__ROW_CHOICE(dora_params, decay, "sqrt", "sqrt|linear",
                    "the bonus at counter C: beta/sqrt(C) or beta/C"),
    FAR__ROW_CHOICE(dora_params, place, "choice", "choice|target",
                    "the bonus counts when choosing, or is added to what is learned"),
    FAR__ROW_EPSILON(dora_params, "probability of a random action"),
    FAR__ROW_TEMPERATURE(dora_params, "0.026 range"),
    FAR__ROW_Q0(dora_params, "initial value of every pair"),
    FAR__ROW_TIES(dora_params),
};

static bool is_softmax(const dora_params *p) {
  return p->rule == DORA_LLL_SOFTMAX || p->rule == DORA_SOFTMAX;
}

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  dora_params *p = (dora_params *)spec->values;
  const double range = shape->reward_max - shape->reward_min;
  if (!far__spec_given(spec, offsetof(dora_params, beta)))
    p->beta = dora_is_lll(p) ? 0 : 0.3 * range;
  if (!far__spec_given(spec, offsetof(dora_params, temperature))) p->temperature = 0.026 * range;
  if (1 - p->alpha_e == 1)
    return far__spec_fail(spec, offsetof(dora_params, alpha_e), error,
                          "alpha_e=%g is too small: 1-alpha_e is rounded to 1", p->alpha_e);
  p->unit = -far_log(1 - p->alpha_e);
  const far__refusal rules[] = {
      {is_softmax(p), offsetof(dora_params, epsilon),
       "it applies only with rule=lll-epsilon or epsilon"},
      {!is_softmax(p), offsetof(dora_params, temperature),
       "it applies only with rule=lll-softmax or softmax"},
      {dora_is_lll(p), offsetof(dora_params, place),
       "the lll rules have their bonus in the target"},
      {p->rule == DORA_SOFTMAX && !(dora_bonus_chooses(p) && p->beta > 0),
       offsetof(dora_params, ties), "softmax chooses at random"},
  };
  return far__refuse(spec, rules, sizeof rules / sizeof *rules, error);
}

static void advise(const far__spec *spec, const far_shape *shape, const far__advice *advice) {
  const dora_params *p = (const dora_params *)spec->values;
  (void)shape;
  if (!dora_is_lll(p) && p->beta == 0)
    far__say(advice, false, "with beta=0 this rule makes no use of the exploration values");
  if (p->rule == DORA_LLL_EPSILON && p->epsilon == 0)
    far__say(advice, false, "with epsilon=0 an action is tried once and then only if it is greedy");
}

static size_t state_size(const far_shape *shape, const void *p) {
  (void)p;
  return sizeof(dora_state) + (size_t)shape->n_states * shape->n_actions * 2 * sizeof(double);
}

static dora_view view_of(const far_agent *agent) {
  return dora_view_on(far__agent_body(agent));
}

static void init(far_agent *agent) {
  const dora_view v = view_of(agent);
  const size_t pairs = (size_t)agent->shape.n_states * agent->shape.n_actions;
  v.next->s = -1;
  for (size_t i = 0; i < pairs; ++i) v.q[i] = v.p.q0;
}

static uint32_t act(far_agent *agent, uint32_t s) {
  const dora_view v = view_of(agent);
  return dora_act(&v, agent->shape.n_actions, s, &agent->rng);
}

static void observe(far_agent *agent, const far_transition *step) {
  const dora_view v = view_of(agent);
  dora_observe(&v, agent->shape.n_actions, step, &agent->rng);
}

static bool value(const far_agent *agent, far_value kind, size_t pair, double *out) {
  const dora_view v = view_of(agent);
  switch (kind) {
  case FAR_VALUE_Q: *out = v.q[pair]; return true;
  case FAR_VALUE_E: *out = far_exp(-v.l[pair]); return true;
  case FAR_VALUE_N: *out = dora_counter(&v, pair); return true;
  case FAR_VALUE_BONUS: {
    const double b = dora_bonus(&v, pair);
    *out = b < INFINITY ? b : DBL_MAX;
    return dora_bonus_chooses(&v.p);
  }
  default: return false;
  }
}

/* Among untried actions, whose bonus is infinite. */
static double untried_score(const void *of, uint32_t a) {
  return ((const dora_view *)of)->l[a] == 0 ? 1 : 0;
}

static void policy_with_bonus(const dora_view *v, uint32_t n_actions, double *out) {
  const bool at_choice = dora_bonus_chooses(&v->p) && v->p.beta > 0;
  far__score *score = at_choice ? dora_with_bonus : far__score_row;
  const void *of = at_choice ? (const void *)v : (const void *)v->q;
  bool any_untried = false;
  for (uint32_t a = 0; at_choice && a < n_actions; ++a) any_untried |= v->l[a] == 0;
  const far__ties ties = (far__ties)v->p.ties;
  if (any_untried)
    far__greedy_policy(untried_score, v, n_actions, ties, out);
  else if (v->p.rule == DORA_EPSILON)
    far__greedy_policy(score, of, n_actions, ties, out);
  else
    far__softmax_policy(score, of, n_actions, v->p.temperature, out);
  if (v->p.rule == DORA_EPSILON) far__mix_policy(n_actions, v->p.epsilon, out);
}

/* That of the rule; the action chosen ahead for one state is not counted. */
static bool policy(const far_agent *agent, uint32_t s, double *out) {
  const uint32_t n_actions = agent->shape.n_actions;
  const dora_view v = view_of(agent), row = dora_row(&v, n_actions, s);
  if (!dora_is_lll(&v.p)) {
    policy_with_bonus(&row, n_actions, out);
    return true;
  }
  const dora_lll x = dora_lll_of(&row, n_actions);
  far__greedy_policy(dora_lll_score, &x, n_actions, (far__ties)v.p.ties, out);
  return true;
}

static bool valid(const far_agent *agent) {
  const dora_view v = view_of(agent);
  const size_t pairs = (size_t)agent->shape.n_states * agent->shape.n_actions;
  const dora_state *next = v.next;
  bool good = next->s >= -1 && next->s < (int64_t)agent->shape.n_states && next->a >= 0 &&
              next->a < (int64_t)agent->shape.n_actions;
  for (size_t i = 0; good && i < pairs; ++i)
    good = v.l[i] >= 0 && v.l[i] < INFINITY && v.q[i] - v.q[i] == 0;
  return good;
}

const far__agent_type far__dora = {
    .info = {.name = "dora",
             .summary = "exploration values: counters that look ahead, with Q-learning",
             .reference = "Choshen, Fox & Loewenstein, DORA the Explorer: Directed Outreaching "
                          "Reinforcement Action-Selection, ICLR 2018",
             .guarantee = "none in finite time; converges if every pair is visited for ever; "
                          "discounted, continuing or episodic",
             .params = params,
             .n_params = sizeof params / sizeof *params},
    .params_size = sizeof(dora_params),
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
    .links_steps = true,
};
