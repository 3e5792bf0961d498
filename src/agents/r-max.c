/* R-max in its discounted form: a pair has the greatest value until it has been tried m times; then its row of the model is
 * fixed. plan=rtdp is RTDP-R-max: no planning, one backup of the visited pair a step.
 *
 *   Brafman & Tennenholtz, R-max, JMLR 3, 2002
 *   Kakade, On the sample complexity of reinforcement learning, PhD thesis, 2003
 *   Strehl, Li & Littman, JMLR 10, 2009; for plan=rtdp UAI 2006
 *
 * Symbols: n(s,a), sum of rewards pair->n, pair->sum · T^, R^ the pair's row · Q q · V v · V_max v_max · m · eps_1.
 * docs/agents.md, "r-max". */
#include "agents/learner.h"

typedef enum r_max_plan { PLAN_FULL, PLAN_RTDP } r_max_plan;

static const far_param params[] = {
    LEARNER_THEORY_ROWS,
    FAR__ROW_M(learner_params, "20", "samples after which a pair is known"),
    FAR__ROW_CHOICE(
        learner_params, plan, "full", "full|rtdp",
        "solve the model when a pair becomes known, or back up the visited pair at each step"),
    FAR__ROW_DERIVED(learner_params, eps1, "0.001 range", FAR__NOT_NEGATIVE,
                     "plan=rtdp: a backup is used if it lowers the value by at least this"),
    LEARNER_PLAN_ROWS,
};

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  learner_params *p = (learner_params *)spec->values;
  far_status status = learner_resolve_preset(spec, shape, error);
  if (status != FAR_OK) return status;
  const bool theory = p->preset == PRESET_THEORY;
  const far__problem problem = learner_problem(p, shape);
  const double m = theory ? learner_known_m(p, shape) : 20;
  if (!LEARNER_GIVEN(eps1)) p->eps1 = theory ? p->eps * (1 - p->gamma) / 4 : 0.001 * problem.range;
  status = learner_count_param(spec, offsetof(learner_params, m), m, error);
  if (status != FAR_OK) return status;
  const bool rtdp = p->plan == PLAN_RTDP;
  const far__refusal rules[] = {
      {!rtdp, offsetof(learner_params, eps1), "it applies only with plan=rtdp"},
      {rtdp, offsetof(learner_params, tol), "it applies only with plan=full"},
  };
  return far__refuse(spec, rules, 2, error);
}

static void advise(const far__spec *spec, const far_shape *shape, const far__advice *advice) {
  const learner_params *p = (const learner_params *)spec->values;
  learner_advise_least(advice, "m", (double)p->m, learner_known_m(p, shape));
}

/* Q(s,a) = R^ + gamma sum_s' T^(s'|s,a) V(s') for a known pair, n(s,a) = m; V_max for the others. */
FAR__INLINE double backup(const void *context, size_t i, const double *v) {
  const learner *l = context;
  return l->pair[i].n < (double)l->p->m ? l->v_max : learner_backup(l, i, l->p->gamma, v);
}

/* n(s,a) < m: the transition enters the model
 * n(s,a) = m now: solve the model
 * plan=rtdp: back up the visited pair if it is known; the new value is used if it is less by eps_1 at least */
static void observe(far_agent *agent, const far_transition *step) {
  learner l = learner_of(agent);
  const size_t i = learner_index(&l, step);
  const bool counted = learner_observe(&l, step);
  if (l.pair[i].n < (double)l.p->m) return;
  if (l.p->plan == PLAN_FULL) {
    const far__plan plan = learner_plan(&l);
    if (counted) far__plan_run(&plan, backup, NULL, &l, i);
    return;
  }
  const double x = backup(&l, i, l.v);
  if (l.q[i] - x < l.p->eps1) return;
  l.q[i] = x;
  l.v[step->s] = far__max(l.q + (size_t)step->s * l.n_actions, l.n_actions);
}

const far__agent_type far__r_max = {
    .info = {.name = "r-max",
             .summary = "R-max: unknown pairs are assumed maximally rewarding",
             .reference = "Brafman & Tennenholtz, JMLR 3, 2002; Kakade, PhD thesis, 2003; Strehl, "
                          "Li & Littman, UAI 2006 (RTDP) and JMLR 10, 2009",
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
    .init = learner_init,
    .act = learner_act,
    .observe = observe,
    .value = learner_value_known,
    .policy = learner_policy,
    .valid = learner_valid,
};
