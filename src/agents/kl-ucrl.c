/* KL-UCRL: UCRL2 with a ball of the Kullback-Leibler divergence about each row in place of the L1 ball. Average reward.
 *
 *   Filippi, Cappe & Garivier, Optimism in reinforcement learning and Kullback-Leibler divergence, Allerton 2010
 *
 * Symbols: N_k(s,a) pair->n when the episode begins · p^, r^ the pair's row · V of extended value iteration v · C_P, C_R
 * constants. The paper's ln T is ln t_k here: theory/average.h, docs/agents.md, "kl-ucrl". */
#include "agents/average.h"
#include "solve/plan/divergence.h"
#include "theory/average.h"

static const far_param params[] = {
    FAR__ROW_PRESET(learner_params, "practical|theory", "practical, or theory (both scales 1)"),
    AVERAGE_ROW_DELTA,
    AVERAGE_ROW_SCALE("0.083/S", "factor on C_P, the bound on divergences; 1 as in the paper"),
    FAR__ROW_DERIVED(learner_params, scale_r, "0.04", FAR__NOT_NEGATIVE,
                     "factor on C_R, the width of reward intervals; 1 as in the paper"),
    FAR__ROW_TIES(learner_params),
};

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  learner_params *p = (learner_params *)spec->values;
  (void)error;
  average_resolve(spec, 0.083 / far_shape_live(shape));
  if (!LEARNER_GIVEN(scale_r)) p->scale_r = p->preset == PRESET_THEORY ? 1 : 0.04;
  return FAR_OK;
}

static void advise(const far__spec *spec, const far_shape *shape, const far__advice *advice) {
  average_advise(spec, shape, advice);
  learner_advise_least(advice, "scale_r", ((const learner_params *)spec->values)->scale_r, 1);
}

/* Further words: the gain. Scratch: C_P and C_R, scaled. */
static far__kl_ucrl_constants *constants_of(const average *u) {
  return (far__kl_ucrl_constants *)u->scratch;
}

static size_t state_size(const far_shape *shape, const void *values) {
  (void)values;
  return average_size(shape, 1);
}

static size_t need(const far_agent *agent) {
  return average_need(agent, sizeof(far__kl_ucrl_constants) / 8);
}

static void prepare(average *u) {
  const learner *l = &u->l;
  const far__kl_ucrl_constants c = far__theory_kl_ucrl(l->n_live, l->n_actions, u->t, l->p->delta);
  *constants_of(u) = (far__kl_ucrl_constants){.p = l->p->scale * c.p, .r = l->p->scale_r * c.r};
}

/* min(R, r^ + R C_R/sqrt(n)) + max over KL(p^, q) <= C_P/n of q V;  n = 0: R + max V */
static double backup(const average *u, size_t i) {
  const learner *l = &u->l;
  const learner_pair *pair = &l->pair[i];
  if (pair->n == 0) return l->range + l->v[u->best];
  const far__kl_ucrl_constants *c = constants_of(u);
  const far__row row = learner_row(l, pair);
  const double n = pair->n;
  const double reward = fmin(l->range, pair->sum / n + l->range * c->r / sqrt(n));
  return reward + far__kl_best(&row, c->p / n, l->v, u->best);
}

static const average_rule rule = {
    .prepare = prepare, .backup = backup, .planned = average_keep_gain};

static void observe(far_agent *agent, const far_transition *step) {
  average_observe(agent, step, &rule, NULL);
}

const far__agent_type far__kl_ucrl = {
    .info =
        {.name = "kl-ucrl",
         .summary = "KL-UCRL: UCRL2 with the Kullback-Leibler divergence",
         .reference =
             "Filippi, Cappe & Garivier, Optimism in Reinforcement Learning and Kullback-Leibler "
             "Divergence, Allerton 2010",
         .guarantee = "regret O~(range D S sqrt(A T)) with preset=theory; average reward, "
                      "communicating (diameter D)",
         .model_based = true,
         .params = params,
         .n_params = sizeof params / sizeof *params},
    .params_size = sizeof(learner_params),
    .resolve = resolve,
    .advise = advise,
    .state_size = state_size,
    .pool_need = need,
    .init = average_init_gain,
    .act = learner_act,
    .observe = observe,
    .value = average_value,
    .policy = learner_policy,
    .valid = average_valid_gain,
    .links_steps = true,
};
