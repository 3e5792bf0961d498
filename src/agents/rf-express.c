/* RF-Express, reward-free exploration with bonuses that shrink as 1/n.
 *
 *   Menard, Domingues, Jonsson, Kaufmann, Leurent & Valko, Fast active learning for pure exploration in
 *   reinforcement learning, arXiv 2007.13442, 2020
 *
 * Symbols: W_h(s,a) w_q · beta rate · n pair->n · H horizon. docs/agents.md, "rf-express". */
#include "agents/reward-free.h"

static const far_param params[] = {
    EPISODIC_ROW_PRESET,
    CERTIFIED_ROW_EPS,
    CERTIFIED_ROW_DELTA,
    CERTIFIED_ROW_SCALE("0.014"),
    CERTIFIED_ROW_DIM("1", "the number of outcomes"),
    CERTIFIED_ROW_C("0.0027 horizon", "15 horizon^2"),
    EPISODIC_ROW_STAGES("shared"),
    EPISODIC_ROW_TIES,
};

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  const certified_defaults defaults = {.scale = 0.014,
                                       .dim = 1,
                                       .theory_dim = learner_outcomes(shape),
                                       .c = 0.0027 * (double)shape->horizon,
                                       .theory_c = far__rf_express_c((double)shape->horizon)};
  return certified_resolve(spec, shape, &defaults, error);
}

static void advise(const far__spec *spec, const far_shape *shape, const far__advice *advice) {
  certified_advise(spec, shape, learner_outcomes(shape), far__rf_express_c((double)shape->horizon),
                   advice);
}

static double top(const reward_free *f, int64_t h) {
  (void)h;
  return (double)f->e.horizon;
}

/* W_h(s,a) = min(H, c beta/n + (1 + 1/H) P^ W_{h+1}) */
static double width(const reward_free *f, int64_t h, double n, double next) {
  (void)h;
  const episodic_params *p = f->e.p;
  const double beta = p->scale * far__certified_rate(f->problem, n, p->dim);
  return p->c * beta / n + (1 + 1 / (double)f->e.horizon) * next;
}

static const reward_free_rule rule = {width, top, far__rf_express_loss};

static void init(far_agent *agent) {
  reward_free_begin(agent, top);
}

static void observe(far_agent *agent, const far_transition *step) {
  reward_free_observe(agent, step, &rule);
}

static bool certificate(const far_agent *agent, double *bound) {
  return reward_free_certificate(agent, &rule, bound);
}

const far__agent_type far__rf_express = {
    .info =
        {.name = "rf-express",
         .summary = "Reward-free exploration with 1/n bonuses, then the plan for the rewards",
         .reference =
             "Menard, Domingues, Jonsson, Kaufmann, Leurent & Valko, Fast active learning for "
             "pure exploration in reinforcement learning, arXiv 2007.13442, 2020",
         .guarantee =
             "with preset=theory: stops after O~(H^3 S^2 A/eps^2) episodes and can then plan for "
             "any known reward within eps an episode, probability 1-delta; finite horizon",
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
