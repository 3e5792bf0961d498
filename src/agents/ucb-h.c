/* Q-learning with UCB exploration for episodes of H steps, with Hoeffding bonuses.
 *
 *   Jin, Allen-Zhu, Bubeck & Jordan, Is Q-learning provably efficient?, NeurIPS 2018, Algorithm 1
 *
 * Symbols: Q_h(x,a) q · N_h(x,a) visits, t of this visit k · alpha_t alpha · b_t bonus · iota is ln(2SAH k(k+1)/delta), which
 * needs no number of episodes, or 1 with log=off. V_h(x) = min(steps left, max_a Q_h(x,a)) is computed where it is used; where
 * the paper has H, here and in the initial values of Q, this has the steps left. */
#include "agents/by-step.h"
#include "base/text.h"

typedef enum ucb_preset { PRESET_PRACTICAL, PRESET_THEORY } ucb_preset;

typedef struct FAR__PARAMS ucb_params {
  double delta, c;
  int32_t preset, log, ties;
} ucb_params;

_Static_assert(sizeof(ucb_params) <= FAR__SPEC_BYTES, "the spec has room for it");

static const far_param params[] = {
    FAR__ROW_PRESET(ucb_params, "practical|theory", "practical, or theory (c = 1, log=on)"),
    FAR__ROW_DELTA(ucb_params),
    FAR__ROW_DERIVED(ucb_params, c, "0.001", FAR__SCALE,
                     "the bonus of the k-th visit is c range sqrt(H^3 iota/k)"),
    FAR__ROW_LOG(ucb_params),
    FAR__ROW_TIES(ucb_params),
};

#define GIVEN(field) far__spec_given(spec, offsetof(ucb_params, field))

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  ucb_params *p = (ucb_params *)spec->values;
  const bool theory = p->preset == PRESET_THEORY;
  const far_status status = far__check_episode(shape, error);
  if (status != FAR_OK) return status;
  if (!GIVEN(c)) p->c = theory ? far__ucb_h_c() : 0.001;
  if (!GIVEN(log)) p->log = theory ? FAR__LOG_ON : FAR__LOG_OFF;
  far__spec_hide(spec, offsetof(ucb_params, preset));
  return far__refuse_delta(spec, p->log, offsetof(ucb_params, delta), error);
}

static void advise(const far__spec *spec, const far_shape *shape, const far__advice *advice) {
  const ucb_params *p = (const ucb_params *)spec->values;
  (void)shape;
  if (p->c < far__ucb_h_c())
    far__say(advice, false, "optimism is not guaranteed (c = %.4g, theory requires %s)", p->c,
             far__above(far__ucb_h_c()).text);
  far__advise_log(p->log, advice);
}

/* State: q and the visits of every timed pair. */
typedef struct ucb_view {
  ucb_params p;
  double *q;
  int64_t *visits;
} ucb_view;

static size_t state_size(const far_shape *shape, const void *p) {
  (void)p;
  return far__timed_pairs(shape) * (sizeof(double) + sizeof(int64_t));
}

static ucb_view view_of(const far_agent *agent) {
  ucb_view v = {.p = *(const ucb_params *)far__agent_params(agent),
                .q = far__agent_state((far_agent *)agent)}; /* readers only read through it */
  v.visits = (int64_t *)(v.q + far__timed_pairs(&agent->shape));
  return v;
}

static void init(far_agent *agent) {
  far__fill_steps_left(agent, view_of(agent).q);
}

static uint32_t act(far_agent *agent, uint32_t timed_state) {
  const ucb_view v = view_of(agent);
  return far__act_on(agent, v.q, timed_state, v.p.ties);
}

/* t <- N_h(x,a) <- N_h(x,a) + 1,  b_t <- c sqrt(H^3 iota/t)
 * Q_h(x,a) <- (1 - alpha_t) Q_h(x,a) + alpha_t (r_h + V_{h+1}(x') + b_t),  alpha_t = (H + 1)/(H + t) */
static void observe(far_agent *agent, const far_transition *step) {
  const ucb_view v = view_of(agent);
  const double h = (double)agent->shape.horizon;
  const size_t i = far__timed_pair(agent, agent->h, step->s, step->a);
  const double k = (double)(v.visits[i] += 1);
  const double iota = far__iota_at(agent, v.p.log, k, v.p.delta);
  const double bonus = v.p.c * sqrt(h * h * h * iota / k);
  const double alpha = (h + 1) / (h + k);
  const double target = far__unit_reward(agent, step->r) + far__unit_next(agent, v.q, step) + bonus;
  v.q[i] = (1 - alpha) * v.q[i] + alpha * target;
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
  return far__visits_valid(agent, v.visits) &&
         far__all_finite(v.q, far__timed_pairs(&agent->shape));
}

const far__agent_type far__ucb_h = {
    .info = {.name = "ucb-h",
             .summary = "Q-learning with Hoeffding bonuses for a finite horizon",
             .reference = "Jin, Allen-Zhu, Bubeck & Jordan, Is Q-learning Provably Efficient?, "
                          "NeurIPS 2018, Algorithm 1",
             .guarantee = "regret with preset=theory: O~(sqrt(H^5 S A K)) in K episodes; finite "
                          "horizon",
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
