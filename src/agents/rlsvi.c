/* RLSVI, randomised least-squares value iteration, for tables and with a discount: the values of a regression in which every
 * pair is perturbed by a normal variate z(s,a).
 *
 *   Osband, Van Roy & Wen, Generalization and exploration via randomized value functions, ICML 2016
 *
 * Symbols: n(s,a) pair->n · prior deviation of a value sp, lambda = 1/sp^2 · noise sigma sn · w = 1/(1/sp^2 + n/sn^2), the
 * variance of the posterior. When z is drawn: posterior.h. docs/agents.md, "rlsvi". */
#include "agents/posterior.h"

static const far_param params[] = {
    FAR__ROW_GAMMA(learner_params),
    POSTERIOR_ROWS("1.3 range/(1-gamma)", "0.028 range",
                   "prior standard deviation of a value, in units of value"),
    LEARNER_PLAN_ROWS,
};

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  const learner_params *p = (const learner_params *)spec->values;
  const double range = shape->reward_max - shape->reward_min;
  return posterior_resolve(spec, shape, 1.3 * range / (1 - p->gamma), 0.028 * range, error);
}

typedef struct perturbed {
  learner l;
  learner_memo memo; /* numbers: w/sn^2, sqrt(w) z */
} perturbed;

/* Q(s,a) = (w/sn^2) (sum of rewards + gamma sum_s' n(s,a,s') max_a' Q(s',a')) + sqrt(w) z(s,a) */
FAR__INLINE double backup(const void *context, size_t i, const double *v) {
  const perturbed *r = context;
  const learner_pair *pair = &r->l.pair[i];
  const double *number = r->memo.number + LEARNER_NUMBERS * i;
  return number[0] * (pair->sum + r->l.p->gamma * learner_dot(&r->l, pair, v)) + number[1];
}

/* z(s,a) ~ N(0, 1); for a state that is not live it is 0 and nothing is drawn. */
static void draw(const perturbed *r, size_t i) {
  const learner_params *p = r->l.p;
  far_agent *agent = r->l.agent;
  const bool live = far_shape_is_live(&agent->shape, (uint32_t)(i / r->l.n_actions));
  const double noise = p->sn * p->sn;
  const double variance = 1 / (1 / (p->sp * p->sp) + r->l.pair[i].n / noise);
  double *number = r->memo.number + LEARNER_NUMBERS * i;
  number[0] = variance / noise;
  number[1] = sqrt(variance) * (live ? far__normal(&agent->rng) : 0);
}

/* The transition enters the data
 * if a new episode begins: z is drawn for all pairs in order; the regression is solved */
static void observe(far_agent *agent, const far_transition *step) {
  perturbed r = {.l = learner_of(agent)};
  learner_follow(&r.l, &r.memo, step, NULL);
  if (!posterior_due(&r.l, step)) return;
  for (size_t i = 0; i < r.l.n_pairs; ++i) draw(&r, i);
  r.memo.agenda.state->all = 1;
  far__plan plan = learner_plan_due(&r.l, &r.memo);
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
    .advise = far__advise_nothing,
    .state_size = posterior_state_size,
    .pool_need = learner_need,
    .memo_need = learner_memo_need,
    .init = learner_init,
    .act = learner_act,
    .observe = observe,
    .value = learner_value,
    .policy = learner_policy,
    .valid = posterior_valid,
};
