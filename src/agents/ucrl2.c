/* UCRL2, Jaksch, Ortner & Auer 2010: the policy of largest average reward among all models within
 * confidence sets, kept until the visits of a pair have doubled. Average reward: there is no
 * discount, and the end of an episode is a transition to the next start. docs/agents.md, "ucrl2". */
#include "agents/average.h"
#include "farsight/math.h"

static const far_param params[] = {
    FAR__ROW_PRESET(learner_params, "practical|theory", "practical, or theory (scale = 1)"),
    AVERAGE_ROW_DELTA,
    {.name = "scale",
     .kind = FAR_PARAM_REAL,
     .derived = true,
     .fallback = "0.018",
     FAR__NOT_NEGATIVE,
     LEARNER_AT(scale),
     .help = "factor on both confidence widths; 1 as in the paper"},
    FAR__ROW_TIES(learner_params),
};

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  learner_params *p = (learner_params *)spec->values;
  (void)shape;
  (void)error;
  far__spec_hide(spec, offsetof(learner_params, preset));
  if (!LEARNER_GIVEN(scale)) p->scale = p->preset == PRESET_THEORY ? 1 : 0.018;
  return FAR_OK; /* gamma stays 0: nothing is discounted */
}

static void advise(const far__spec *spec, const far_shape *shape, const far__advice *advice) {
  const learner_params *p = (const learner_params *)spec->values;
  (void)shape;
  learner_advise_least(advice, "scale", p->scale, 1);
}

typedef struct widths {
  double reward, l1; /* for one visit */
} widths;

static widths *widths_of(const average *u) {
  return (widths *)u->scratch;
}

static size_t state_size(const far_shape *shape, const void *values) {
  (void)values;
  return average_size(shape, 0);
}

/* Widths, and the order of a row. */
static size_t need(const far_agent *agent) {
  return average_need(agent, sizeof(widths) / 8 + agent->shape.n_states / 2 + 1);
}

static void prepare(average *u) {
  const learner *l = &u->l;
  const double t = u->t, delta = l->p->delta, S = l->n_live, A = l->n_actions;
  *widths_of(u) =
      (widths){.reward = l->p->scale * l->range * sqrt(3.5 * far_log(2 * S * A * t / delta)),
               .l1 = l->p->scale * sqrt(14 * S * far_log(2 * A * t / delta))};
}

/* The value of a pair in the best model within the confidence sets. */
static double backup(const average *u, size_t i) {
  const learner *l = &u->l;
  const learner_pair *pair = &l->pair[i];
  if (pair->n == 0) return l->range + l->v[u->best];
  const widths *w = widths_of(u);
  const double root = sqrt(pair->n);
  const double reward = fmin(l->range, pair->sum / pair->n + w->reward / root);
  const far__row row = learner_row(l, pair);
  return reward + far__l1_best(&row, w->l1 / root, l->v, u->best, (uint32_t *)(w + 1));
}

static const average_rule rule = {.prepare = prepare, .backup = backup};

static void observe(far_agent *agent, const far_transition *step) {
  average_observe(agent, step, &rule, NULL);
}

const far__agent_type far__ucrl2 = {
    .info =
        {.name = "ucrl2",
         .summary = "UCRL2: optimism for average reward, in episodes that double the visits",
         .reference =
             "Jaksch, Ortner & Auer, Near-optimal Regret Bounds for Reinforcement Learning, JMLR "
             "11, 2010",
         .guarantee = "regret at most 34 range D S sqrt(A T ln(T/delta)) with preset=theory; "
                      "average reward, "
                      "communicating (diameter D)",
         .model_based = true,
         .params = params,
         .n_params = sizeof params / sizeof *params},
    .params_size = sizeof(learner_params),
    .resolve = resolve,
    .advise = advise,
    .state_size = state_size,
    .pool_need = need,
    .init = average_init,
    .act = learner_act,
    .observe = observe,
    .value = average_value,
    .policy = learner_policy,
    .valid = average_valid,
    .links_steps = true,
};
