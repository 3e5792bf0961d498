/* RF-UCRL, reward-free exploration by upper bounds on the error of every value.
 *
 *   Kaufmann, Menard, Domingues, Jonsson, Leurent & Valko, Adaptive reward-free exploration, ALT 2021 (arXiv
 *   2006.06294), without discount
 *
 * Symbols: E_h(s,a) w_q · beta rate · n pair->n · sigma, the steps that are left, top.
 * docs/agents.md, "rf-ucrl". */
#include "agents/reward-free.h"

static const far_param params[] = {
    EPISODIC_ROW_PRESET,
    CERTIFIED_ROW_EPS,
    CERTIFIED_ROW_DELTA,
    CERTIFIED_ROW_SCALE("0.023/horizon^2"),
    CERTIFIED_ROW_DIM("1", "the number of outcomes less 1"),
    EPISODIC_ROW_STAGES("shared"),
    EPISODIC_ROW_TIES,
};

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  const double steps = (double)shape->horizon;
  const certified_defaults defaults = {.scale = 0.023 / (steps * steps),
                                       .dim = 1,
                                       .theory_dim = learner_outcomes(shape) - 1,
                                       .c = 1,
                                       .theory_c = 1};
  return certified_resolve(spec, shape, &defaults, error);
}

static void advise(const far__spec *spec, const far_shape *shape, const far__advice *advice) {
  certified_advise(spec, shape, learner_outcomes(shape) - 1, 0, advice);
}

static double top(const reward_free *f, int64_t h) {
  return episodic_top(&f->e, h);
}

/* E_h(s,a) = min(H - h, (H - h) sqrt(2 beta/n) + P^ E_{h+1}) */
static double width(const reward_free *f, int64_t h, double n, double next) {
  const episodic_params *p = f->e.p;
  const double beta = p->scale * far__rf_ucrl_rate(f->problem, n, p->dim);
  return episodic_top(&f->e, h) * sqrt(2 * beta / n) + next;
}

static double loss(double w) {
  return 2 * w;
}

static const reward_free_rule rule = {width, top, loss};

static void init(far_agent *agent) {
  reward_free_begin(agent, top);
}

static void observe(far_agent *agent, const far_transition *step) {
  reward_free_observe(agent, step, &rule);
}

static bool certificate(const far_agent *agent, double *bound) {
  return reward_free_certificate(agent, &rule, bound);
}

const far__agent_type far__rf_ucrl = {
    .info = {.name = "rf-ucrl",
             .summary = "Reward-free UCRL: explores by error bounds, then plans for the rewards",
             .reference =
                 "Kaufmann, Menard, Domingues, Jonsson, Leurent & Valko, Adaptive reward-free "
                 "exploration, ALT 2021 (arXiv 2006.06294)",
             .guarantee = "with preset=theory: stops after O~(H^4 S^2 A/eps^2) episodes and can "
                          "then plan for any "
                          "known reward within eps an episode, probability 1-delta; finite horizon",
             .model_based = true,
             .finite_horizon = true,
             .params = params,
             .n_params = sizeof params / sizeof *params},
    .params_size = sizeof(episodic_params),
    .by_step = true,
    .resolve = resolve,
    .advise = advise,
    .state_size = reward_free_state_size,
    .pool_need = episodic_need,
    .init = init,
    .act = reward_free_act,
    .observe = observe,
    .value = reward_free_value,
    .policy = reward_free_policy,
    .certificate = certificate,
    .stopped = certified_stopped,
    .valid = reward_free_valid,
    .links_steps = true,
};
