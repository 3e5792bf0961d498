/* Q-learning by reference and advantage, for episodes of H steps: the value of the next step is the sum of a reference, which
 * settles early and is averaged over all visits, and of an advantage.
 *
 *   Li, Shi, Chen, Gu & Chi, Breaking the sample complexity barrier to regret-optimal model-free
 *   reinforcement learning, NeurIPS 2021 (Information and Inference 2023): Q-EarlySettled-Advantage
 *
 * Symbols, of a timed pair: Q q · Q^UCB upper · Q^LCB lower · Q^R advantage · N visits · mu^ref, mu^adv
 * mean_ref, mean_adv · sigma^ref - (mu^ref)^2 and the same of adv var_ref, var_adv · B^R width.
 * Of a timed state: V v · V^R ref · V^LCB v_lower · u_ref open. */
#include "agents/by-step.h"
#include "base/text.h"

typedef enum adv_preset { PRESET_PRACTICAL, PRESET_THEORY } adv_preset;

typedef struct FAR__PARAMS adv_params {
  double delta, c, tail, settle;
  int32_t preset, log, ties;
} adv_params;

_Static_assert(sizeof(adv_params) <= FAR__SPEC_BYTES, "the spec has room for it");

static const far_param params[] = {
    FAR__ROW_PRESET(adv_params, "practical|theory", "practical, or theory (c = tail = 1, log=on)"),
    FAR__ROW_DELTA(adv_params),
    FAR__ROW_DERIVED(adv_params, c, "0.0015", FAR__SCALE,
                     "scale of all bonuses, as in c range sqrt(H^3/k) iota"),
    FAR__ROW_DERIVED(adv_params, tail, "0.5", FAR__SCALE,
                     "the advantage's bonus has a term tail c range H^2 iota^2/k^(3/4)"),
    FAR__ROW_REAL(adv_params, settle, "0.22", FAR__SCALE,
                  "a reference settles where the bounds are this near, in units of the range; "
                  "preset=theory: 1 if not given"),
    FAR__ROW_LOG(adv_params),
    FAR__ROW_TIES(adv_params),
};

#define GIVEN(field) far__spec_given(spec, offsetof(adv_params, field))

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  adv_params *p = (adv_params *)spec->values;
  const bool theory = p->preset == PRESET_THEORY;
  const far_status status = far__check_episode(shape, error);
  if (status != FAR_OK) return status;
  if (!GIVEN(c)) p->c = theory ? 1 : 0.0015;
  if (!GIVEN(tail)) p->tail = theory ? 1 : 0.5;
  if (theory && !GIVEN(settle)) p->settle = 1;
  if (!GIVEN(log)) p->log = theory ? FAR__LOG_ON : FAR__LOG_OFF;
  far__spec_hide(spec, offsetof(adv_params, preset));
  return far__refuse_delta(spec, p->log, offsetof(adv_params, delta), error);
}

static void advise(const far__spec *spec, const far_shape *shape, const far__advice *advice) {
  const adv_params *p = (const adv_params *)spec->values;
  (void)shape;
  if (p->c < 1 || p->tail < 1)
    far__say(advice, false,
             "optimism is not guaranteed (c = %.4g, tail = %.4g; preset=theory has 1 and 1)", p->c,
             p->tail);
  far__advise_log(p->log, advice);
}

/* State: q of every timed pair in rows, as choices need it; then the rest of every timed pair; then the timed states. */
typedef struct adv_pair {
  double upper, lower, advantage, mean_ref, var_ref, mean_adv, var_adv, width;
  int64_t visits;
} adv_pair;

typedef struct adv_state {
  double v, ref, v_lower;
  int64_t open;
} adv_state;

typedef struct adv_view {
  adv_params p;
  double *q;
  adv_pair *pair;
  adv_state *state;
} adv_view;

static size_t state_size(const far_shape *shape, const void *p) {
  (void)p;
  return far__timed_pairs(shape) * (sizeof(double) + sizeof(adv_pair)) +
         far__timed_states(shape) * sizeof(adv_state);
}

static adv_view view_of(const far_agent *agent) {
  const size_t pairs = far__timed_pairs(&agent->shape);
  adv_view v = {.p = *(const adv_params *)far__agent_params(agent),
                .q = far__agent_state((far_agent *)agent)}; /* readers only read through it */
  v.pair = (adv_pair *)(v.q + pairs);
  v.state = (adv_state *)(v.pair + pairs);
  return v;
}

static void init(far_agent *agent) {
  const adv_view v = view_of(agent);
  const size_t pairs = far__timed_pairs(&agent->shape), states = far__timed_states(&agent->shape);
  far__fill_steps_left(agent, v.q);
  for (size_t i = 0; i < pairs; ++i) v.pair[i].upper = v.pair[i].advantage = v.q[i];
  for (size_t x = 0; x < states; ++x) {
    v.state[x].v = v.state[x].ref = far__steps_left(agent, x);
    v.state[x].open = 1;
  }
}

static uint32_t act(far_agent *agent, uint32_t timed_state) {
  const adv_view v = view_of(agent);
  return far__act_on(agent, v.q, timed_state, v.p.ties);
}

/* A mean and the variance about it, after x has joined with a weight of `rate`. The paper keeps the mean of the squares, from
 * which the variance follows by a difference that cancels. */
static void add_moment(double *mean, double *variance, double rate, double x) {
  const double d = x - *mean;
  *variance = (1 - rate) * (*variance + rate * d * d);
  *mean += rate * d;
}

/* n <- N_h(s,a) <- N_h(s,a) + 1,  eta_n = (H + 1)/(H + n)
 * update-ucb-q:  Q^UCB <- (1 - eta_n) Q^UCB + eta_n (r + V_{h+1}(s') + c_b sqrt(H^3 iota/n))
 * update-lcb-q:  Q^LCB <- (1 - eta_n) Q^LCB + eta_n (r + V^LCB_{h+1}(s') - c_b sqrt(H^3 iota/n))
 * update-ucb-q-advantage:
 *   update-moments of the references V^R_{h+1}(s') and of the advantages V_{h+1}(s') - V^R_{h+1}(s')
 *   update-bonus:  B^R <- c_b (sqrt(iota/n) sigma^ref + sqrt(H iota/n) sigma^adv), and delta^R its change
 *   b^R <- B^R + (1 - eta_n) delta^R/eta_n + c_b H^2 iota/n^(3/4)
 *   Q^R <- (1 - eta_n) Q^R + eta_n (r + V_{h+1}(s') - V^R_{h+1}(s') + mu^ref + b^R)
 * docs/agents.md has the powers of iota. */
static void learn_pair(const far_agent *agent, const adv_params *p, adv_pair *x, double reward,
                       adv_state next) {
  const double h = (double)agent->shape.horizon, n = (double)(x->visits += 1);
  const double rate = (h + 1) / (h + n), iota = far__iota_at(agent, p->log, n, p->delta);
  const double bonus = p->c * iota * sqrt(h * h * h / n);
  x->upper = (1 - rate) * x->upper + rate * (reward + next.v + bonus);
  x->lower = (1 - rate) * x->lower + rate * (reward + next.v_lower - bonus);

  add_moment(&x->mean_ref, &x->var_ref, 1 / n, next.ref);
  add_moment(&x->mean_adv, &x->var_adv, rate, next.v - next.ref);
  const double before = x->width;
  x->width = p->c * iota / sqrt(n) * (sqrt(x->var_ref) + sqrt(h * x->var_adv));
  const double tail = p->tail * p->c * h * h * iota * iota / (sqrt(n) * sqrt(sqrt(n)));
  const double extra = x->width + (1 - rate) * (x->width - before) / rate + tail;
  x->advantage =
      (1 - rate) * x->advantage + rate * (reward + (next.v - next.ref) + x->mean_ref + extra);
}

/* learn_pair, then
 * Q_h(s,a) <- min(Q^R, Q^UCB, Q_h(s,a)),  V_h(s) <- max_a Q_h(s,a)
 * V^LCB_h(s) <- max(max_a Q^LCB_h(s,a), V^LCB_h(s))
 * V_h(s) - V^LCB_h(s) > 1:  V^R_h(s) <- V_h(s);  else once more, and then never: u_ref(s) <- false */
static void observe(far_agent *agent, const far_transition *step) {
  const adv_view v = view_of(agent);
  const uint32_t n_actions = agent->shape.n_actions;
  const size_t x = (size_t)agent->h * agent->shape.n_states + step->s, first = x * n_actions;
  const size_t i = first + step->a, next = far__timed_next(agent, step);
  const double over =
      far__unit_over(agent, step); /* after the last step: value, reference and bound */
  learn_pair(agent, &v.p, &v.pair[i], far__unit_reward(agent, step->r),
             next == FAR__OVER ? (adv_state){over, over, over, 0} : v.state[next]);

  if (v.pair[i].upper < v.q[i]) v.q[i] = v.pair[i].upper;
  if (v.pair[i].advantage < v.q[i]) v.q[i] = v.pair[i].advantage;
  adv_state *state = v.state + x;
  state->v = far__max(v.q + first, n_actions);
  for (uint32_t a = 0; a < n_actions; ++a)
    if (v.pair[first + a].lower > state->v_lower) state->v_lower = v.pair[first + a].lower;
  const bool apart = state->v - state->v_lower > v.p.settle;
  if (apart || state->open) state->ref = state->v;
  state->open = apart;
}

static bool value(const far_agent *agent, far_value kind, size_t pair, double *out) {
  const adv_view v = view_of(agent);
  const size_t x = pair / agent->shape.n_actions;
  switch (kind) {
  case FAR_VALUE_Q:
    *out = far__in_rewards(agent, v.q[pair], far__steps_left(agent, x));
    return true;
  case FAR_VALUE_N: *out = (double)v.pair[pair].visits; return true;
  case FAR_VALUE_LEARN: *out = v.state[x].open ? 1 : 0; return true;
  default: return false;
  }
}

static bool policy(const far_agent *agent, uint32_t timed_state, double *out) {
  const adv_view v = view_of(agent);
  return far__policy_on(agent, v.q, timed_state, v.p.ties, out);
}

static bool valid_pair(const adv_pair *x, int64_t t) {
  const double sum = x->upper + x->lower + x->advantage + x->mean_ref + x->mean_adv + x->width;
  return sum - sum == 0 && x->var_ref >= 0 && x->var_adv >= 0 && x->var_ref < INFINITY &&
         x->var_adv < INFINITY && x->visits >= 0 && x->visits <= t;
}

static bool valid_state(const adv_state *x) {
  const double sum = x->v + x->ref + x->v_lower;
  return sum - sum == 0 && (x->open == 0 || x->open == 1);
}

static bool valid(const far_agent *agent) {
  const adv_view v = view_of(agent);
  const size_t pairs = far__timed_pairs(&agent->shape), states = far__timed_states(&agent->shape);
  bool good = true;
  for (size_t i = 0; good && i < pairs; ++i)
    good = v.q[i] - v.q[i] == 0 && valid_pair(&v.pair[i], agent->t);
  for (size_t x = 0; good && x < states; ++x) good = valid_state(&v.state[x]);
  return good;
}

const far__agent_type far__q_advantage = {
    .info = {.name = "q-advantage",
             .summary =
                 "Q-learning by reference and advantage, settled early, for a finite horizon",
             .reference = "Li, Shi, Chen, Gu & Chi, Breaking the Sample Complexity Barrier to "
                          "Regret-Optimal Model-Free Reinforcement Learning, NeurIPS 2021",
             .guarantee = "regret with preset=theory, for large enough c: O~(sqrt(H^3 S A K)) in K "
                          "episodes, K above S A poly(H); finite horizon",
             .params = params,
             .n_params = sizeof params / sizeof *params,
             .finite_horizon = true},
    .params_size = sizeof(adv_params),
    .by_step = true,
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
