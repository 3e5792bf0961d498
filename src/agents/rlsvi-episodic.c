/* RLSVI in its original form, by steps, for tables: the values of a regression whose every entry is perturbed
 * by a normal variate, drawn anew for every episode.
 *
 *   Osband, Van Roy & Wen, Generalization and Exploration via Randomized Value Functions, ICML 2016,
 *   Algorithm 1; lambda = 1/sp^2, sigma = sn
 *
 * docs/agents.md, "rlsvi-episodic". */
#include "agents/episodic.h"
#include "base/variate.h"

static const far_param params[] = {
    FAR__ROW_DERIVED(episodic_params, sp, "horizon range", FAR__SQUARABLE,
                     "prior standard deviation of a value, in units of value"),
    EPISODIC_ROW_NOISE("0.022 range"),
    EPISODIC_ROW_STAGES("shared"),
    EPISODIC_ROW_TIES,
};

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  (void)error;
  episodic_params *p = (episodic_params *)spec->values;
  const double range = shape->reward_max - shape->reward_min;
  if (!EPISODIC_GIVEN(sp)) p->sp = (double)shape->horizon * range;
  if (!EPISODIC_GIVEN(sn)) p->sn = 0.022 * range;
  if (!EPISODIC_GIVEN(stages)) p->stages = STAGES_SHARED;
  return FAR_OK;
}

/* Q_h(s,a) = (w/sn^2) (sum of rewards + sum_y n(s,a,y) V_{h+1}(y)) + sqrt(w) z,  w = 1/(1/sp^2 + n/sn^2),  z ~ N(0, 1) */
static double backup(const void *context, int64_t h, size_t i, const double *v) {
  const episodic *e = context;
  const learner_pair *pair = &e->pair[episodic_row(e, h, i)];
  const far__row row = episodic_arcs(e, pair);
  const double sp = e->p->sp / e->range, sn = e->p->sn / e->range, noise = sn * sn;
  const double variance = 1 / (1 / (sp * sp) + pair->n / noise);
  return variance / noise * (pair->sum + far__row_dot(&row, v)) +
         sqrt(variance) * far__normal(&e->agent->rng);
}

/* The step enters the data; after an episode Q is drawn again. */
static void observe(far_agent *agent, const far_transition *step) {
  episodic e = episodic_of(agent);
  episodic_enter(&e, step);
  if (episodic_due(&e, step)) episodic_plan(&e, backup, NULL, &e);
}

const far__agent_type far__rlsvi_episodic = {
    .info = {.name = "rlsvi-episodic",
             .summary =
                 "Randomised least-squares value iteration by steps, drawn for every episode",
             .reference =
                 "Osband, Van Roy & Wen, Generalization and Exploration via Randomized Value "
                 "Functions, ICML 2016",
             .guarantee = "Bayesian regret O~(sqrt(H^3 S A T)) in T steps; finite horizon",
             .model_based = true,
             .finite_horizon = true,
             .params = params,
             .n_params = sizeof params / sizeof *params},
    .params_size = sizeof(episodic_params),
    .by_step = true,
    .resolve = resolve,
    .advise = episodic_advise_cost,
    .state_size = episodic_state_size,
    .pool_need = episodic_need,
    .init = episodic_init,
    .act = episodic_act,
    .observe = observe,
    .value = episodic_value,
    .policy = episodic_policy,
    .valid = episodic_valid,
    .links_steps = true,
};
