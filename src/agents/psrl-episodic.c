/* PSRL in its original form, by steps: a model is drawn from the posterior for every episode, and its best
 * policy is followed to the end.
 *
 *   Osband, Russo & Van Roy, (More) Efficient Reinforcement Learning via Posterior Sampling, NeurIPS 2013
 *
 * Rows are Dirichlet(prior/S + counts), mean rewards normal: sample.h. docs/agents.md, "psrl-episodic". */
#include "agents/episodic.h"
#include "agents/sample.h"

static const far_param params[] = {
    FAR__ROW_PRIOR(episodic_params),
    FAR__ROW_MU0(episodic_params),
    FAR__ROW_DERIVED(episodic_params, sp, "range", FAR__SQUARABLE,
                     "prior standard deviation of a mean reward, in units of reward"),
    EPISODIC_ROW_NOISE("0.02 range"),
    EPISODIC_ROW_STAGES("shared"),
    EPISODIC_ROW_TIES,
};

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  (void)error;
  episodic_params *p = (episodic_params *)spec->values;
  const double range = shape->reward_max - shape->reward_min;
  if (!EPISODIC_GIVEN(mu0)) p->mu0 = shape->reward_min;
  if (!EPISODIC_GIVEN(sp)) p->sp = range;
  if (!EPISODIC_GIVEN(sn)) p->sn = 0.02 * range;
  if (!EPISODIC_GIVEN(stages)) p->stages = STAGES_SHARED;
  return FAR_OK;
}

static size_t need(const far_agent *agent) {
  const episodic e = episodic_of((far_agent *)agent); /* only read through */
  const size_t scratch = sample_need(agent, e.n_rows, e.p->prior);
  return scratch < SIZE_MAX ? 2 * episodic_need(agent) + scratch : SIZE_MAX;
}

typedef struct sampled {
  episodic e;
  sample x;
} sampled;

/* Q_h(s,a) = r~ + P~ V_{h+1} of the drawn model;  without visits and prior: H - h */
static double backup(const void *context, int64_t h, size_t i, const double *v) {
  const sampled *m = context;
  double reward, mean;
  if (!sample_backup(&m->x, episodic_row(&m->e, h, i), v, &reward, &mean))
    return episodic_top(&m->e, h);
  return reward + mean;
}

/* The step enters the posterior; after an episode M ~ posterior, row by row, and its optimal policy is computed. */
static void observe(far_agent *agent, const far_transition *step) {
  sampled m = {.e = episodic_of(agent)};
  const episodic_params *p = m.e.p;
  const double range = m.e.range;
  episodic_enter(&m.e, step);
  if (!episodic_due(&m.e, step)) return;
  m.x = sample_begin(
      agent, m.e.n_rows,
      (sample_prior){p->prior, (p->mu0 - m.e.low) / range, p->sp / range, p->sn / range});
  far__patience patience = far__patience_with(agent->stop);
  for (size_t i = 0; i < m.e.n_rows; ++i) {
    const uint32_t s = (uint32_t)(i % m.e.n_pairs / m.e.n_actions);
    if (!far_shape_is_live(&agent->shape, s)) continue; /* its row is not used */
    sample_draw(&m.x, i, &m.e.pair[i]);
    if (far__patience_over(&patience, 1)) return;
  }
  episodic_plan(&m.e, backup, NULL, &m);
}

const far__agent_type far__psrl_episodic = {
    .info = {.name = "psrl-episodic",
             .summary = "Posterior sampling by steps: a model drawn for every episode",
             .reference =
                 "Osband, Russo & Van Roy, (More) Efficient Reinforcement Learning via Posterior "
                 "Sampling, NeurIPS 2013",
             .guarantee = "Bayesian regret O~(H S sqrt(A T)) in T steps; finite horizon",
             .model_based = true,
             .finite_horizon = true,
             .params = params,
             .n_params = sizeof params / sizeof *params},
    .params_size = sizeof(episodic_params),
    .by_step = true,
    .resolve = resolve,
    .advise = episodic_advise_cost,
    .state_size = episodic_state_size,
    .pool_need = need,
    .init = episodic_init,
    .act = episodic_act,
    .observe = observe,
    .value = episodic_value,
    .policy = episodic_policy,
    .valid = episodic_valid,
    .links_steps = true,
};
