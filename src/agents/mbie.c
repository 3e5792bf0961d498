/* MBIE, model-based interval estimation: the best model within confidence intervals around the estimates of rewards and, in
 * the L1 norm, of transitions.
 *
 *   Strehl & Littman, An analysis of model-based interval estimation for Markov decision processes, JCSS 74, 2008
 *
 * Symbols: n(s,a) pair->n · T^, R^ the pair's row · Q~ q · eps_R = a R_max/sqrt(n), eps_T = b/sqrt(n). docs/agents.md,
 * "mbie". */
#include "agents/learner.h"
#include "solve/plan/optimistic.h"

static const far_param params[] = {
    LEARNER_THEORY_ROWS,
    FAR__ROW_DERIVED(learner_params, a, "0.011", FAR__NOT_NEGATIVE,
                     "reward intervals of a range/sqrt(n)"),
    FAR__ROW_DERIVED(learner_params, b, "0.55", FAR__NOT_NEGATIVE,
                     "L1 balls of radius b/sqrt(n) around the transitions"),
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
  const double outcomes = learner_outcomes(shape);
  status = learner_count_param(spec, offsetof(learner_params, m),
                               theory ? learner_known_m(p, shape) : 0x1p53, error);
  const double m = (double)p->m;
  if (!LEARNER_GIVEN(a)) p->a = theory ? far__mbie_reward_width(problem, m, p->delta) : 0.011;
  if (!LEARNER_GIVEN(b)) p->b = theory ? far__mbie_l1_width(problem, outcomes, m, p->delta) : 0.55;
  return status;
}

static void advise(const far__spec *spec, const far_shape *shape, const far__advice *advice) {
  const learner_params *p = (const learner_params *)spec->values;
  const far__problem problem = learner_problem(p, shape);
  const double outcomes = learner_outcomes(shape);
  const double m = fmin((double)p->m, learner_known_m(p, shape));
  learner_advise_least(advice, "a", p->a, far__mbie_reward_width(problem, m, p->delta));
  learner_advise_least(advice, "b", p->b, far__mbie_l1_width(problem, outcomes, m, p->delta));
}

typedef struct optimist {
  learner l;
  learner_memo memo; /* numbers: min(R_max, R^ + eps_R), eps_T */
  uint64_t best;     /* the outcome of the greatest value as the sweep begins */
} optimist;

static void note(const learner *l, size_t i, double number[LEARNER_NUMBERS]) {
  const learner_pair *pair = &l->pair[i];
  const double root = sqrt(pair->n);
  number[0] = fmin(l->range, pair->sum / pair->n + l->p->a * l->range / root);
  number[1] = fmin(2, l->p->b / root);
}

/* Before a sweep: finds the best outcome, on which every pair depends. The agenda watches it, since it stays the best until its
 * value changes or another's rises. */
static void begin(void *context, const double *v) {
  optimist *o = context;
  const far__agenda *agenda = &o->memo.agenda;
  o->best = far__marks_next(agenda->watched, o->l.n_states + (size_t)1, 0);
  if (!agenda->state->rose) return;
  const uint64_t before = o->best;
  o->best = UINT64_MAX;
  for (uint64_t y = 0; y <= o->l.n_states; ++y)
    if (learner_can_follow(&o->l, y) && (o->best == UINT64_MAX || v[y] > v[o->best])) o->best = y;
  agenda->state->rose = 0;
  if (o->best == before) return;
  agenda->state->all = 1;
  far__agenda_unwatch_all(agenda);
  far__agenda_watch(agenda, (size_t)o->best);
}

/* Q~(s,a) = min(R_max, R^ + eps_R) + gamma max over |T~ - T^|_1 <= eps_T of sum_s' T~(s') max_a' Q~(s',a');  n = 0: V_max.
 * Within a sweep another outcome may overtake the best: then this falls short until the next sweep. */
FAR__INLINE double backup(const void *context, size_t i, const double *v) {
  const optimist *o = context;
  const learner *l = &o->l;
  const learner_pair *pair = &l->pair[i];
  if (pair->n == 0) return l->v_max;
  const double *number = o->memo.number + LEARNER_NUMBERS * i;
  const far__row row = learner_row(l, pair);
  return number[0] + l->p->gamma * far__l1_best(&row, number[1], v, o->best, learner_scratch(l));
}

/* The transition enters the model, unless n(s,a) = m; the model is solved when n(s,a) has grown by the factor replan */
static void observe(far_agent *agent, const far_transition *step) {
  optimist o = {.l = learner_of(agent)};
  const size_t i = learner_index(&o.l, step);
  if (!learner_follow(&o.l, &o.memo, step, note) || !learner_due(&o.l, i, o.l.own)) return;
  const far__plan plan = learner_plan_due(&o.l, &o.memo);
  far__plan_run(&plan, backup, begin, &o, learner_changed(&o.l, i));
}

const far__agent_type far__mbie = {
    .info = {.name = "mbie",
             .summary =
                 "Model-based interval estimation: the best model within confidence intervals",
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
    .pool_need = learner_need_order,
    .memo_need = learner_memo_need,
    .init = learner_init,
    .act = learner_act,
    .observe = observe,
    .value = learner_value,
    .policy = learner_policy,
    .valid = learner_valid_planned,
};
