/* Q-learning with UCB exploration for episodes of H steps, with Bernstein bonuses.
 *
 *   Jin, Allen-Zhu, Bubeck & Jordan, Is Q-learning provably efficient?, NeurIPS 2018, Algorithm 2
 *
 * Symbols: Q_h(x,a) q · N_h(x,a) visits, t of this visit k · W_t squares/k, the variance of the values V_{h+1}(x') that
 * followed; where the paper sums these and their squares (mu, sigma), this keeps their mean and the sum of squared deviations
 * (squares), which do not cancel · beta_t beta · b_t bonus · tail, the weight of iota/t, sqrt(H^7 SA) in the paper · iota and
 * V_h as in ucb-h.c. */
#include "agents/by-step.h"
#include "base/text.h"

typedef enum ucb_preset { PRESET_PRACTICAL, PRESET_THEORY } ucb_preset;

typedef struct FAR__PARAMS ucb_params {
  double delta, c1, c2, tail;
  int32_t preset, log, ties;
} ucb_params;

_Static_assert(sizeof(ucb_params) <= FAR__SPEC_BYTES, "the spec has room for it");

static const far_param params[] = {
    FAR__ROW_PRESET(ucb_params, "practical|theory", "practical, or theory (c1 = c2 = 2, log=on)"),
    FAR__ROW_DELTA(ucb_params),
    FAR__ROW_DERIVED(
        ucb_params, c1, "0.0033", FAR__SCALE,
        "beta is at most c1 (sqrt(H (W+H) iota/k) + tail iota/k), in units of the range"),
    FAR__ROW_DERIVED(ucb_params, c2, "0.05", FAR__SCALE,
                     "beta is at most c2 sqrt(H^3 iota/k), in units of the range"),
    FAR__ROW_DERIVED(ucb_params, tail, "0", FAR__SCALE,
                     "weight of 1/k in beta; sqrt(H^7 S A) in theory"),
    FAR__ROW_LOG(ucb_params),
    FAR__ROW_TIES(ucb_params),
};

#define GIVEN(field) far__spec_given(spec, offsetof(ucb_params, field))

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  ucb_params *p = (ucb_params *)spec->values;
  const bool theory = p->preset == PRESET_THEORY;
  const far_status status = far__check_episode(shape, error);
  if (status != FAR_OK) return status;
  if (!GIVEN(c1)) p->c1 = theory ? far__ucb_b_c() : 0.0033;
  if (!GIVEN(c2)) p->c2 = theory ? far__ucb_b_c() : 0.05;
  if (!GIVEN(tail)) p->tail = theory ? far__ucb_b_tail(far__episodes_in(shape)) : 0;
  if (!GIVEN(log)) p->log = theory ? FAR__LOG_ON : FAR__LOG_OFF;
  far__spec_hide(spec, offsetof(ucb_params, preset));
  return far__refuse_delta(spec, p->log, offsetof(ucb_params, delta), error);
}

static void advise(const far__spec *spec, const far_shape *shape, const far__advice *advice) {
  const ucb_params *p = (const ucb_params *)spec->values;
  const double c = far__ucb_b_c(), tail = far__ucb_b_tail(far__episodes_in(shape));
  if (p->c1 < c || p->c2 < c)
    far__say(advice, false,
             "optimism is not guaranteed (c1 = %.4g, c2 = %.4g; preset=theory has %.4g)", p->c1,
             p->c2, c);
  if (p->tail < tail * (1 - 1e-12))
    far__say(advice, false, "optimism is not guaranteed (tail = %.4g, theory requires %s)", p->tail,
             far__above(tail).text);
  far__advise_log(p->log, advice);
}

/* State: of every timed pair q, mean, squares and beta, then the visits. */
typedef struct ucb_view {
  ucb_params p;
  double *q, *mean, *squares, *beta;
  int64_t *visits;
} ucb_view;

static size_t state_size(const far_shape *shape, const void *p) {
  (void)p;
  return far__timed_pairs(shape) * (4 * sizeof(double) + sizeof(int64_t));
}

static ucb_view view_of(const far_agent *agent) {
  const size_t pairs = far__timed_pairs(&agent->shape);
  ucb_view v = {.p = *(const ucb_params *)far__agent_params(agent),
                .q = far__agent_state((far_agent *)agent)}; /* readers only read through it */
  v.mean = v.q + pairs;
  v.squares = v.mean + pairs;
  v.beta = v.squares + pairs;
  v.visits = (int64_t *)(v.beta + pairs);
  return v;
}

static void init(far_agent *agent) {
  far__fill_steps_left(agent, view_of(agent).q);
}

static uint32_t act(far_agent *agent, uint32_t timed_state) {
  const ucb_view v = view_of(agent);
  return far__act_on(agent, v.q, timed_state, v.p.ties);
}

/* t <- N_h(x,a) <- N_h(x,a) + 1
 * W_t: V_{h+1}(x') joins the values that followed
 * beta_t <- min(c_1 (sqrt(H/t (W_t + H) iota) + sqrt(H^7 SA) iota/t), c_2 sqrt(H^3 iota/t))
 * b_t <- (beta_t - (1 - alpha_t) beta_{t-1})/(2 alpha_t),  alpha_t = (H + 1)/(H + t)
 * Q_h(x,a) <- (1 - alpha_t) Q_h(x,a) + alpha_t (r_h + V_{h+1}(x') + b_t) */
static void observe(far_agent *agent, const far_transition *step) {
  const ucb_view v = view_of(agent);
  const double h = (double)agent->shape.horizon;
  const size_t i = far__timed_pair(agent, agent->h, step->s, step->a);
  const double k = (double)(v.visits[i] += 1);
  const double next = far__unit_next(agent, v.q, step);

  const double before = next - v.mean[i]; /* Welford's recursion */
  v.mean[i] += before / k;
  v.squares[i] += before * (next - v.mean[i]);
  const double variance = v.squares[i] / k;

  const double iota = far__iota_at(agent, v.p.log, k, v.p.delta);
  const double bernstein = v.p.c1 * (sqrt(h / k * (variance + h) * iota) + v.p.tail * iota / k);
  const double hoeffding = v.p.c2 * sqrt(h * h * h * iota / k);
  const double beta = bernstein < hoeffding ? bernstein : hoeffding;

  const double alpha = (h + 1) / (h + k);
  const double bonus = (beta - (1 - alpha) * v.beta[i]) / (2 * alpha);
  v.beta[i] = beta;
  v.q[i] = (1 - alpha) * v.q[i] + alpha * (far__unit_reward(agent, step->r) + next + bonus);
}

static bool value(const far_agent *agent, far_value kind, size_t pair, double *out) {
  const ucb_view v = view_of(agent);
  return far__value_on(agent, v.q, v.visits, kind, pair, out);
}

static bool policy(const far_agent *agent, uint32_t timed_state, double *out) {
  const ucb_view v = view_of(agent);
  return far__policy_on(agent, v.q, timed_state, v.p.ties, out);
}

static bool valid(const far_agent *agent) {
  const ucb_view v = view_of(agent);
  const size_t pairs = far__timed_pairs(&agent->shape);
  bool good = far__visits_valid(agent, v.visits) && far__all_finite(v.q, pairs) &&
              far__all_finite(v.mean, pairs);
  for (size_t i = 0; good && i < pairs; ++i)
    good = v.squares[i] >= 0 && v.squares[i] < INFINITY && v.beta[i] >= 0 && v.beta[i] < INFINITY;
  return good;
}

const far__agent_type far__ucb_b = {
    .info = {.name = "ucb-b",
             .summary = "Q-learning with Bernstein bonuses for a finite horizon",
             .reference = "Jin, Allen-Zhu, Bubeck & Jordan, Is Q-learning Provably Efficient?, "
                          "NeurIPS 2018, Algorithm 2",
             .guarantee = "regret with preset=theory, for large enough c1: O~(sqrt(H^4 S A K) + "
                          "sqrt(H^9 S^3 A^3)) in K episodes; finite horizon",
             .params = params,
             .n_params = sizeof params / sizeof *params,
             .finite_horizon = true},
    .params_size = sizeof(ucb_params),
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
