/* PSRL, posterior sampling for reinforcement learning: a model is drawn from the posterior, solved, and its policy followed
 * until the next is drawn.
 *
 *   Strens, A Bayesian framework for reinforcement learning, ICML 2000
 *   Osband, Russo & Van Roy, (More) efficient reinforcement learning via posterior sampling, NeurIPS 2013
 *
 * Rows are Dirichlet(prior/S + counts), mean rewards normal: sample.h. When to draw: posterior.h. docs/agents.md, "psrl". */
#include "agents/posterior.h"
#include "agents/sample.h"

static const far_param params[] = {
    FAR__ROW_GAMMA(learner_params),
    FAR__ROW_PRIOR(learner_params),
    FAR__ROW_MU0(learner_params),
    POSTERIOR_ROWS("range", "0.021 range",
                   "prior standard deviation of a mean reward, in units of reward"),
    LEARNER_PLAN_ROWS,
};

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  const double range = shape->reward_max - shape->reward_min;
  return posterior_resolve(spec, shape, range, 0.021 * range, error);
}

static size_t need(const far_agent *agent) {
  const learner_params *p = far__agent_params(agent);
  const size_t pairs = (size_t)agent->shape.n_states * agent->shape.n_actions;
  const size_t scratch = sample_need(agent, pairs, p->prior);
  return scratch < SIZE_MAX ? 2 * learner_growth(agent, 1) + scratch : SIZE_MAX;
}

typedef struct sampled {
  learner l;
  sample x;
} sampled;

/* Q(s,a) = r~ + gamma sum_s' P~(s') max_a' Q(s',a') of the drawn model;  without visits and prior: V_max */
FAR__INLINE double backup(const void *context, size_t i, const double *v) {
  const sampled *m = context;
  double reward, mean;
  if (!sample_backup(&m->x, i, v, &reward, &mean)) return m->l.v_max;
  return reward + m->l.p->gamma * mean;
}

/* The transition enters the posterior
 * if a new episode begins: M ~ posterior, pair by pair; pi <- optimal policy of M */
static void observe(far_agent *agent, const far_transition *step) {
  sampled m = {.l = learner_of(agent)};
  learner_observe(&m.l, step);
  if (!posterior_due(&m.l, step)) return;
  const learner_params *p = m.l.p;
  m.x = sample_begin(agent, m.l.n_pairs,
                     (sample_prior){p->prior, p->mu0 - m.l.low, p->sp, p->sn}); /* shifted */
  far__patience patience = far__patience_with(agent->stop);
  for (size_t i = 0; i < m.l.n_pairs; ++i) {
    if (!learner_can_follow(&m.l, i / m.l.n_actions)) continue; /* its row is not used */
    sample_draw(&m.x, i, &m.l.pair[i]);
    if (far__patience_over(&patience, 1)) return;
  }
  const far__plan plan = learner_plan(&m.l);
  far__plan_run(&plan, backup, NULL, &m, SIZE_MAX);
}

const far__agent_type far__psrl = {
    .info = {.name = "psrl",
             .summary =
                 "Posterior sampling: follow the best policy of a model drawn from the posterior",
             .reference =
                 "Strens, ICML 2000; Osband, Russo & Van Roy, (More) Efficient Reinforcement "
                 "Learning via Posterior Sampling, NeurIPS 2013",
             .guarantee =
                 "Bayesian regret O~(tau S sqrt(A T)) in episodes of length tau; no PAC-MDP bound; "
                 "discounted, continuing or episodic",
             .model_based = true,
             .params = params,
             .n_params = sizeof params / sizeof *params},
    .params_size = sizeof(learner_params),
    .resolve = resolve,
    .advise = far__advise_nothing,
    .state_size = posterior_state_size,
    .pool_need = need,
    .init = learner_init,
    .act = learner_act,
    .observe = observe,
    .value = learner_value,
    .policy = learner_policy,
    .valid = posterior_valid,
};
