/* MBIE-EB: the estimated model with an exploration bonus of beta/sqrt(n) on every reward. Values are cut at V_max.
 *
 *   Strehl & Littman, An analysis of model-based interval estimation for Markov decision processes, JCSS 74, 2008
 *
 * Symbols: n(s,a) pair->n · T^, R^ the pair's row · Q~ q · beta. docs/agents.md, "mbie-eb". */
#include "agents/learner.h"

static const far_param params[] = {
    LEARNER_THEORY_ROWS,
    FAR__ROW_DERIVED(learner_params, beta, "0.08 range", FAR__NOT_NEGATIVE,
                     "bonus of beta/sqrt(n), in units of reward"),
    FAR__ROW_M(learner_params, "without limit", "samples of a pair that are used"),
    FAR__ROW_REPLAN(learner_params),
    LEARNER_PLAN_ROWS,
};

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  learner_params *p = (learner_params *)spec->values;
  far_status status = learner_resolve_preset(spec, shape, error);
  if (status != FAR_OK) return status;
  const bool theory = p->preset == PRESET_THEORY;
  const far__problem problem = learner_problem(p, shape);
  const double m = theory ? learner_known_m(p, shape) : 0x1p53;
  status = learner_count_param(spec, offsetof(learner_params, m), m, error);
  if (!LEARNER_GIVEN(beta))
    p->beta = theory ? far__mbie_eb_beta(problem, (double)p->m, p->delta) : 0.08 * problem.range;
  return status;
}

static void advise(const far__spec *spec, const far_shape *shape, const far__advice *advice) {
  const learner_params *p = (const learner_params *)spec->values;
  const far__problem problem = learner_problem(p, shape);
  const double enough = learner_known_m(p, shape);
  const double m = fmin((double)p->m, enough);
  learner_advise_least(advice, "beta", p->beta, far__mbie_eb_beta(problem, m, p->delta));
}

typedef struct bonuses {
  learner l;
  learner_memo memo; /* numbers: beta/sqrt(n) */
} bonuses;

static void note(const learner *l, size_t i, double number[LEARNER_NUMBERS]) {
  number[0] = l->p->beta / sqrt(l->pair[i].n);
}

/* Q~(s,a) = min(V_max, R^ + gamma sum_s' T^ max_a' Q~(s',a') + beta/sqrt(n));  n = 0: V_max */
FAR__INLINE double backup(const void *context, size_t i, const double *v) {
  const bonuses *b = context;
  const learner *l = &b->l;
  if (l->pair[i].n == 0) return l->v_max;
  const double bonus = b->memo.number[LEARNER_NUMBERS * i];
  return far__smaller(l->v_max, learner_backup(l, i, l->p->gamma, v) + bonus);
}

/* The transition enters the model, unless n(s,a) = m; the model is solved when n(s,a) has grown by the factor replan */
static void observe(far_agent *agent, const far_transition *step) {
  bonuses b = {.l = learner_of(agent)};
  const size_t i = learner_index(&b.l, step);
  if (!learner_follow(&b.l, &b.memo, step, note) || !learner_due(&b.l, i, b.l.own)) return;
  const far__plan plan = learner_plan_due(&b.l, &b.memo);
  far__plan_run(&plan, backup, NULL, &b, learner_changed(&b.l, i));
}

const far__agent_type far__mbie_eb = {
    .info = {.name = "mbie-eb",
             .summary = "MBIE with an exploration bonus of beta/sqrt(n) in place of intervals",
             .reference =
                 "Strehl & Littman, An Analysis of Model-Based Interval Estimation for Markov "
                 "Decision Processes, JCSS 74, 2008",
             .guarantee = "PAC-MDP with preset=theory: O~(S^2 A / (eps^3 (1-gamma)^6)) mistakes; "
                          "discounted, continuing or episodic",
             .model_based = true,
             .params = params,
             .n_params = sizeof params / sizeof *params},
    .params_size = sizeof(learner_params),
    .resolve = resolve,
    .advise = advise,
    .state_size = learner_state_size_pairs,
    .pool_need = learner_need,
    .memo_need = learner_memo_need,
    .init = learner_init,
    .act = learner_act,
    .observe = observe,
    .value = learner_value,
    .policy = learner_policy,
    .valid = learner_valid_planned,
};
