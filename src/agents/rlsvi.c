/* RLSVI, randomised least-squares value iteration, Osband, Van Roy & Wen 2016, for tables and with a
 * discount: the values of a regression whose every pair is perturbed by a normal variate, drawn
 * anew from time to time. docs/agents.md, "rlsvi". */
#include "agents/posterior.h"

static const far_param params[] = {
    FAR__ROW_GAMMA(learner_params, "0.95"),
    POSTERIOR_ROWS("1.3 range/(1-gamma)", "0.028 range",
                   "prior standard deviation of a value, in units of value"),
    LEARNER_PLAN_ROWS,
};

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  const learner_params *p = (const learner_params *)spec->values;
  const double range = shape->reward_max - shape->reward_min;
  return posterior_resolve(spec, shape, 1.3 * range / (1 - p->gamma), 0.028 * range, error);
}

/* Scratch: the variate of every pair. */
static size_t need(const far_agent *agent) {
  return learner_growth(agent, 1) + (size_t)agent->shape.n_states * agent->shape.n_actions;
}

typedef struct perturbed {
  learner l;
  double *z;
} perturbed;

static double backup(const void *context, size_t i, const double *v) {
  const perturbed *r = context;
  const learner_params *p = r->l.p;
  const learner_pair *pair = &r->l.pair[i];
  const far__row row = learner_row(&r->l, pair);
  const double noise = p->sn * p->sn, variance = 1 / (1 / (p->sp * p->sp) + pair->n / noise);
  return variance / noise * (pair->sum + p->gamma * far__row_dot(&row, v)) +
         sqrt(variance) * r->z[i];
}

static void observe(far_agent *agent, const far_transition *step) {
  perturbed r = {.l = learner_of(agent)};
  if (!posterior_observe(&r.l, step)) return;
  r.z = learner_scratch(&r.l);
  for (size_t i = 0; i < r.l.n_pairs; ++i) /* nothing is drawn for what is not live */
    r.z[i] = far_shape_is_live(&agent->shape, (uint32_t)(i / r.l.n_actions))
                 ? far__normal(&agent->rng)
                 : 0;
  far__plan plan = learner_plan(&r.l);
  plan.scale = fmax(plan.scale, r.l.p->sp);
  far__plan_run(&plan, backup, NULL, &r, SIZE_MAX);
}

const far__agent_type far__rlsvi = {
    .info =
        {.name = "rlsvi",
         .summary = "Randomised least-squares value iteration, tabular",
         .reference = "Osband, Van Roy & Wen, Generalization and Exploration via Randomized Value "
                      "Functions, ICML 2016",
         .guarantee =
             "Bayesian regret O~(sqrt(H^3 S A T)) in its finite-horizon form; no PAC-MDP bound; "
             "discounted, continuing or episodic",
         .model_based = true,
         .params = params,
         .n_params = sizeof params / sizeof *params},
    .params_size = sizeof(learner_params),
    .resolve = resolve,
    .advise = learner_advise_nothing,
    .state_size = posterior_state_size,
    .pool_need = need,
    .init = learner_init,
    .act = learner_act,
    .observe = observe,
    .value = learner_value,
    .policy = learner_policy,
    .valid = posterior_valid,
};
