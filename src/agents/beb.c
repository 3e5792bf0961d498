/* BEB, the Bayesian exploration bonus: the posterior mean model with a bonus of beta/(1 + N) on every reward. Discounted; the
 * paper knows the rewards, here they are estimated.
 *
 *   Kolter & Ng, Near-Bayesian exploration in polynomial time, ICML 2009
 *
 * Symbols: alpha_0, the weight of the Dirichlet posterior of a row, N = prior + n · n(s,a) pair->n · beta · V v.
 * docs/agents.md, "beb". */
#include "agents/learner.h"

static const far_param params[] = {
    FAR__ROW_PRESET(learner_params, "practical|theory", "practical, or theory (from eps)"),
    FAR__ROW_EPS(learner_params),
    FAR__ROW_GAMMA(learner_params),
    FAR__ROW_DERIVED(learner_params, beta, "3 range", FAR__NOT_NEGATIVE,
                     "bonus of beta/(1+N), in units of reward"),
    FAR__ROW_DERIVED(learner_params, prior, "0", FAR__NOT_NEGATIVE,
                     "imagined transitions of a pair, spread over all outcomes"),
    FAR__ROW_M(learner_params, "without limit", "samples of a pair that are used"),
    FAR__ROW_REPLAN(learner_params),
    LEARNER_PLAN_ROWS,
};

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  static const size_t others[] = {offsetof(learner_params, eps)};
  learner_params *p = (learner_params *)spec->values;
  far_status status = learner_resolve(spec, shape, error);
  const bool theory = p->preset == PRESET_THEORY;
  const far__problem problem = learner_problem(p, shape);
  if (!LEARNER_GIVEN(beta)) p->beta = theory ? far__beb_beta(problem) : 3 * problem.range;
  if (!LEARNER_GIVEN(prior)) p->prior = theory ? 1 : 0;
  if (status == FAR_OK)
    status = learner_count_param(spec, offsetof(learner_params, m),
                                 theory ? far__beb_m(problem, p->eps) : 0x1p53, error);
  if (status != FAR_OK) return status;
  return far__consume_preset(spec, !theory, offsetof(learner_params, preset), others, 1, error);
}

static void advise(const far__spec *spec, const far_shape *shape, const far__advice *advice) {
  const learner_params *p = (const learner_params *)spec->values;
  learner_advise_least(advice, "beta", p->beta, far__beb_beta(learner_problem(p, shape)));
}

typedef struct bayesian {
  learner l;
  learner_memo memo; /* numbers: R^ + beta/(1 + N) */
  double mean; /* of the values of all outcomes as the sweep begins; 0 where there is no prior */
} bayesian;

static void note(const learner *l, size_t i, double number[LEARNER_NUMBERS]) {
  const learner_pair *pair = &l->pair[i];
  number[0] = pair->sum / pair->n + l->p->beta / (1 + (l->p->prior + pair->n));
}

/* Before a sweep. */
static void begin(void *context, const double *v) {
  bayesian *b = context;
  if (b->l.p->prior == 0) return;
  double sum = 0;
  for (uint64_t y = 0; y <= b->l.n_states; ++y)
    if (learner_can_follow(&b->l, y)) sum += v[y];
  b->mean = sum / learner_outcomes(&b->l.agent->shape);
  b->memo.agenda.state->all = 1; /* every pair depends on it */
}

/* Q(s,a) = min(V_max, R^ + beta/(1 + N) + gamma (sum_s' n(s,a,s') V(s') + prior mean V)/N);  N = 0: V_max */
FAR__INLINE double backup(const void *context, size_t i, const double *v) {
  const bayesian *b = context;
  const learner *l = &b->l;
  const learner_pair *pair = &l->pair[i];
  const double prior = l->p->prior, total = prior + pair->n;
  if (total == 0) return l->v_max;
  const double reward =
      pair->n > 0 ? b->memo.number[LEARNER_NUMBERS * i] : l->p->beta / (1 + total);
  const double future = (learner_dot(l, pair, v) + prior * b->mean) / total;
  return far__smaller(l->v_max, reward + l->p->gamma * future);
}

/* The transition enters the model, unless n(s,a) = m; the model is solved when n(s,a) has grown by the factor replan */
static void observe(far_agent *agent, const far_transition *step) {
  bayesian b = {.l = learner_of(agent)};
  const size_t i = learner_index(&b.l, step);
  if (!learner_follow(&b.l, &b.memo, step, note) || !learner_due(&b.l, i, b.l.own)) return;
  const far__plan plan = learner_plan_due(&b.l, &b.memo);
  /* with a prior every pair depends on the mean of the values, which is that before the sweep */
  far__plan_run(&plan, backup, begin, &b, b.l.p->prior > 0 ? SIZE_MAX : learner_changed(&b.l, i));
}

const far__agent_type far__beb = {
    .info = {.name = "beb",
             .summary = "Bayesian exploration bonus: the posterior mean model with beta/(1+N)",
             .reference = "Kolter & Ng, Near-Bayesian Exploration in Polynomial Time, ICML 2009",
             .guarantee =
                 "near-Bayesian, not PAC-MDP: with preset=theory eps-close to the Bayes-optimal "
                 "policy on all but O(SA H^6 / eps^2) steps, up to logarithms; discounted",
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
