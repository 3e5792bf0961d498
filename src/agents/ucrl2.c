/* UCRL2: the policy of the largest average reward among all models within confidence sets, followed until the visits of a pair
 * have doubled. Episodes and extended value iteration are in average.h.
 *
 *   Jaksch, Ortner & Auer, Near-optimal regret bounds for reinforcement learning, JMLR 11, 2010
 *
 * Symbols: N_k(s,a) pair->n when the episode begins · p^, r^ the pair's row · u of extended value iteration v · t_k t.
 * docs/agents.md, "ucrl2". */
#include "agents/average.h"
#include "farsight/base.h"

static const far_param params[] = {
    FAR__ROW_PRESET(learner_params, "practical|theory", "practical, or theory (scale = 1)"),
    AVERAGE_ROW_DELTA,
    AVERAGE_ROW_SCALE("0.018", "factor on both confidence widths; 1 as in the paper"),
    FAR__ROW_TIES(learner_params),
};

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  (void)shape, (void)error;
  average_resolve(spec, 0.018);
  return FAR_OK;
}

typedef struct widths {
  double reward, l1; /* of the sets, times sqrt(N_k) */
} widths;

static widths *widths_of(const average *u) {
  return (widths *)u->scratch;
}

static size_t state_size(const far_shape *shape, const void *values) {
  (void)values;
  return average_size(shape, 0);
}

/* Scratch: the widths, and the order of a row. */
static size_t need(const far_agent *agent) {
  return average_need(agent, sizeof(widths) / 8 + agent->shape.n_states / 2 + 1);
}

/* d_r = R sqrt(7 ln(2 S A t_k/delta)/(2 N_k)),  d_p = sqrt(14 S ln(2 A t_k/delta)/N_k) */
static void prepare(average *u) {
  const learner *l = &u->l;
  const double t = u->t, delta = l->p->delta, S = l->n_live, A = l->n_actions;
  *widths_of(u) =
      (widths){.reward = l->p->scale * l->range * sqrt(3.5 * far_log(2 * S * A * t / delta)),
               .l1 = l->p->scale * sqrt(14 * S * far_log(2 * A * t / delta))};
}

/* min(R, r^ + d_r) + max over |p - p^|_1 <= d_p of p u;  N_k = 0: R + max u */
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
    .advise = average_advise,
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
