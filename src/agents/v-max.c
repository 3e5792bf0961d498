/* V-max: as R-max, but of a pair that has been tried n < m times only the m - n missing samples are assumed to have the
 * greatest value.
 *
 *   Rao & Whiteson, V-MAX: tempered optimism for better PAC reinforcement learning, AAMAS 2012
 *
 * Symbols: n(s,a) pair->n · T^, R^ the pair's row · Q q · V v · V_max v_max · m. docs/agents.md, "v-max". */
#include "agents/learner.h"

static const far_param params[] = {
    LEARNER_THEORY_ROWS,
    FAR__ROW_M(learner_params, "20", "samples after which a pair is known"),
    LEARNER_PLAN_ROWS,
};

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  const learner_params *p = (const learner_params *)spec->values;
  const far_status status = learner_resolve_preset(spec, shape, error);
  if (status != FAR_OK) return status;
  const bool theory = p->preset == PRESET_THEORY;
  const double m = theory ? learner_known_m(p, shape) : 20;
  return learner_count_param(spec, offsetof(learner_params, m), m, error);
}

static void advise(const far__spec *spec, const far_shape *shape, const far__advice *advice) {
  const learner_params *p = (const learner_params *)spec->values;
  learner_advise_least(advice, "m", (double)p->m, learner_known_m(p, shape));
}

typedef struct tempered {
  learner l;
  learner_memo memo; /* numbers: n/m, (1 - n/m) V_max */
} tempered;

static void note(const learner *l, size_t i, double number[LEARNER_NUMBERS]) {
  const double n = l->pair[i].n, m = (double)l->p->m;
  number[0] = n / m;
  number[1] = (1 - n / m) * l->v_max;
}

/* Q(s,a) = (n/m) (R^ + gamma sum_s' T^ V(s')) + (1 - n/m) V_max;  n = 0: V_max;  n = m: R^ + gamma sum_s' T^ V(s') */
FAR__INLINE double backup(const void *context, size_t i, const double *v) {
  const tempered *t = context;
  const learner *l = &t->l;
  if (l->pair[i].n == 0) return l->v_max;
  const double seen = learner_backup(l, i, l->p->gamma, v);
  const double *number = t->memo.number + LEARNER_NUMBERS * i;
  return l->pair[i].n < (double)l->p->m ? number[0] * seen + number[1] : seen;
}

/* n(s,a) < m: the transition enters the model, which is then solved */
static void observe(far_agent *agent, const far_transition *step) {
  tempered t = {.l = learner_of(agent)};
  if (!learner_follow(&t.l, &t.memo, step, note)) return;
  const far__plan plan = learner_plan_due(&t.l, &t.memo);
  far__plan_run(&plan, backup, NULL, &t, learner_index(&t.l, step));
}

const far__agent_type far__v_max = {
    .info = {.name = "v-max",
             .summary = "V-max: optimistic values replace only the missing samples",
             .reference = "Rao & Whiteson, V-MAX: Tempered Optimism for Better PAC Reinforcement "
                          "Learning, AAMAS 2012",
             .guarantee = "PAC-MDP with preset=theory: O~(S^2 A / (eps^3 (1-gamma)^6)) mistakes; "
                          "discounted, continuing or episodic",
             .model_based = true,
             .params = params,
             .n_params = sizeof params / sizeof *params},
    .params_size = sizeof(learner_params),
    .resolve = resolve,
    .advise = advise,
    .state_size = learner_state_size,
    .pool_need = learner_need,
    .memo_need = learner_memo_need,
    .init = learner_init,
    .act = learner_act,
    .observe = observe,
    .value = learner_value_known,
    .policy = learner_policy,
    .valid = learner_valid,
};
