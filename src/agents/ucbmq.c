/* UCB momentum Q-learning for episodes of H steps: averages with step size 1/n, whose lag behind the
 * values of the next step a momentum term corrects.
 *
 *   Menard, Domingues, Shang & Valko, UCB Momentum Q-learning: Correcting the bias without forgetting,
 *   ICML 2021, Algorithm 1; the bonus of the authors' experiments (github.com/omardrwch/ucbmq_code)
 *
 * Symbols: Q_h(s,a) q · Q-bar, Q with the bonus, which is acted on, upper · V_h(s) v, which never rises · V_{h,s,a}(s'), the
 * bias value function, bias · n visits · alpha_n rate · gamma_n momentum · eta_n = alpha_n + gamma_n.
 *
 * The bias value function takes S words for a timed pair, and a step takes O(S): the cost of the correction. */
#include "agents/by-step.h"
#include "base/error.h"

typedef struct FAR__PARAMS ucbmq_params {
  double c;
  int32_t ties;
} ucbmq_params;

_Static_assert(sizeof(ucbmq_params) <= FAR__SPEC_BYTES, "the spec has room for it");

static const far_param params[] = {
    FAR__ROW_REAL(
        ucbmq_params, c, "0.027", FAR__SCALE,
        "the bonus of the n-th visit is range min(left, c/sqrt(n) + left/n), left the steps left"),
    FAR__ROW_TIES(ucbmq_params),
};

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  (void)spec;
  const double words = (double)far__timed_pairs(shape) * shape->n_states;
  if (words > 0x1p31)
    return far__fail(
        error, FAR_STATUS_MEMORY, -1,
        "ucbmq keeps a value of every state for every pair and step, here %.4g numbers; "
        "it has room for 2^31",
        words);
  return far__check_episode(shape, error);
}

static void advise(const far__spec *spec, const far_shape *shape, const far__advice *advice) {
  (void)spec;
  (void)shape;
  far__say(advice, false,
           "optimism is not guaranteed (the bonus is that of the authors' "
           "experiments, not that of the proof)");
}

/* State: upper, q and visits of every timed pair, v of every timed state, bias of every timed pair and
 * state. */
typedef struct ucbmq_view {
  ucbmq_params p;
  double *upper, *q, *v, *bias;
  int64_t *visits;
} ucbmq_view;

static size_t state_size(const far_shape *shape, const void *p) {
  const size_t pairs = far__timed_pairs(shape);
  (void)p;
  return (pairs * (3 + (size_t)shape->n_states) + far__timed_states(shape)) * sizeof(double);
}

static ucbmq_view view_of(const far_agent *agent) {
  const size_t pairs = far__timed_pairs(&agent->shape);
  ucbmq_view v = {.p = *(const ucbmq_params *)far__agent_params(agent),
                  .upper = far__agent_state((far_agent *)agent)}; /* readers only read through it */
  v.q = v.upper + pairs;
  v.visits = (int64_t *)(v.q + pairs);
  v.v = v.q + 2 * pairs;
  v.bias = v.v + far__timed_states(&agent->shape);
  return v;
}

static void init(far_agent *agent) {
  const ucbmq_view v = view_of(agent);
  const size_t states = far__timed_states(&agent->shape);
  far__fill_steps_left(agent, v.upper);
  for (size_t x = 0; x < states; ++x) v.v[x] = far__steps_left(agent, x);
}

static uint32_t act(far_agent *agent, uint32_t timed_state) {
  const ucbmq_view v = view_of(agent);
  return far__act_on(agent, v.upper, timed_state, v.p.ties);
}

/* n <- n + 1,  alpha_n = 1/n,  gamma_n = H/(H + n) (n - 1)/n,  eta_n = alpha_n + gamma_n
 * Q_h(s,a) <- (1 - alpha_n) Q_h(s,a) + alpha_n (r_h + V_{h+1}(s')) + gamma_n (V_{h+1}(s') - V_{h,s,a}(s'))
 * Q-bar_h(s,a) <- Q_h(s,a) + bonus
 * V_h(s) <- min(V_h(s), max_a Q-bar_h(s,a)), cut to [0, steps left]
 * V_{h,s,a}(y) <- (1 - eta_n) V_{h,s,a}(y) + eta_n V_{h+1}(y) for all y */
static void observe(far_agent *agent, const far_transition *step) {
  const ucbmq_view v = view_of(agent);
  const size_t n_states = agent->shape.n_states;
  const double h = (double)agent->shape.horizon;
  const size_t x = (size_t)agent->h * n_states + step->s;
  const size_t i = x * agent->shape.n_actions + step->a, next = far__timed_next(agent, step);
  const double n = (double)(v.visits[i] += 1);
  const double rate = 1 / n, momentum = h / (h + n) * ((n - 1) / n);
  double *bias = v.bias + i * n_states;

  const bool over = next == FAR__OVER;
  const double value = over ? far__unit_over(agent, step) : v.v[next];
  const double drift = over ? 0 : value - bias[step->next];
  v.q[i] =
      (1 - rate) * v.q[i] + rate * (far__unit_reward(agent, step->r) + value) + momentum * drift;

  const double left = far__steps_left(agent, x), bonus = v.p.c / sqrt(n) + left / n;
  v.upper[i] = v.q[i] + (bonus < left ? bonus : left);
  const double most = far__unit_max(agent, v.upper, x);
  if (most < v.v[x]) v.v[x] = most > 0 ? most : 0;

  if (agent->h + 1 == agent->shape.horizon) return;
  const double *next_v = v.v + (size_t)(agent->h + 1) * n_states, both = rate + momentum;
  for (size_t y = 0; y < n_states; ++y) bias[y] = (1 - both) * bias[y] + both * next_v[y];
}

static bool value(const far_agent *agent, far_value kind, size_t pair, double *out) {
  const ucbmq_view v = view_of(agent);
  return far__value_on(agent, v.upper, v.visits, kind, pair, out);
}

static bool policy(const far_agent *agent, uint32_t timed_state, double *out) {
  const ucbmq_view v = view_of(agent);
  return far__policy_on(agent, v.upper, timed_state, v.p.ties, out);
}

static bool valid(const far_agent *agent) {
  const ucbmq_view v = view_of(agent);
  const size_t pairs = far__timed_pairs(&agent->shape), states = far__timed_states(&agent->shape);
  return far__all_finite(v.upper, 2 * pairs) &&
         far__all_finite(v.v, states + pairs * agent->shape.n_states) &&
         far__visits_valid(agent, v.visits);
}

const far__agent_type far__ucbmq = {
    .info = {.name = "ucbmq",
             .summary = "Momentum Q-learning with upper confidence bounds for a finite horizon",
             .reference =
                 "Menard, Domingues, Shang & Valko, UCB Momentum Q-learning: Correcting the "
                 "Bias without Forgetting, ICML 2021",
             .guarantee =
                 "none with this bonus; O~(sqrt(H^3 S A K) + H^4 S A) regret in K episodes "
                 "with that of the proof; finite horizon",
             .params = params,
             .n_params = sizeof params / sizeof *params,
             .finite_horizon = true},
    .params_size = sizeof(ucbmq_params),
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
