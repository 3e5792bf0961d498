/* UCBVI-gamma: discounted optimistic value iteration with a Bernstein bonus, one sweep a step, and values that never rise.
 *
 *   He, Zhou & Gu, Nearly minimax optimal reinforcement learning for discounted MDPs, NeurIPS 2021, Algorithm 1
 *
 * Symbols: N(s,a) pair->n · N(s) visits · P^, R^ the pair's row · Q q · V v · U u · B(s') the correction, Vmax^2 times
 * roughness. The paper knows the rewards, which are deterministic; here they are estimated, with a width of their own.
 * docs/agents.md, "ucbvi-gamma". */
#include "agents/learner.h"

static const far_param params[] = {
    FAR__ROW_PRESET(learner_params, "practical|theory", "practical, or theory (from delta, steps)"),
    FAR__ROW_DELTA(learner_params),
    FAR__ROW_STEPS(learner_params, 2, "steps for which a theory preset makes its bound"),
    FAR__ROW_GAMMA(learner_params),
    FAR__ROW_DERIVED(learner_params, u, "0.01", FAR__NOT_NEGATIVE,
                     "U of the paper: logarithm of one over the risk"),
    FAR__ROW_DERIVED(learner_params, b, "0", FAR__NOT_NEGATIVE,
                     "weight of how rough the values of the successors are; 100 in the paper"),
    FAR__ROW_TIES(learner_params),
};

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  static const size_t others[] = {offsetof(learner_params, delta), offsetof(learner_params, steps)};
  learner_params *p = (learner_params *)spec->values;
  const bool theory = p->preset == PRESET_THEORY;
  const far__ucbvi_gamma_constants c =
      far__theory_ucbvi_gamma(learner_problem(p, shape), (double)p->steps, p->delta);
  if (!LEARNER_GIVEN(u)) p->u = theory ? c.u : 0.01;
  if (!LEARNER_GIVEN(b)) p->b = theory ? c.b : 0;
  p->m = INT64_MAX;
  const far_status status = far__check_v_max(shape, p->gamma, error);
  if (status != FAR_OK) return status;
  return far__consume_preset(spec, !theory, offsetof(learner_params, preset), others, 2, error);
}

static void advise(const far__spec *spec, const far_shape *shape, const far__advice *advice) {
  const learner_params *p = (const learner_params *)spec->values;
  const far__ucbvi_gamma_constants c =
      far__theory_ucbvi_gamma(learner_problem(p, shape), (double)p->steps, p->delta);
  learner_advise_least(advice, "u", p->u, c.u);
  learner_advise_least(advice, "b", p->b, c.b);
}

/* Own words: the sum of squared deviations of every pair's rewards (learner_spread), then the visits of every state. */
typedef struct bernstein {
  learner l;
  learner_memo memo;
  double *spread, *visits;
  double rough; /* B of a state that has been visited once, in units of Vmax^2 */
} bernstein;

static bernstein view_of(far_agent *agent) {
  bernstein b = {.l = learner_of(agent)};
  const learner_params *p = b.l.p;
  const double rest = 1 - p->gamma, S = b.l.n_live, u = p->u;
  b.spread = b.l.own;
  b.visits = b.spread + b.l.n_pairs;
  if (p->b > 0) /* else 0, also where u^5 exceeds every number */
    b.rough = p->b * S * S * b.l.n_actions * (u * u * u * u * u) / (rest * rest * rest);
  return b;
}

static size_t state_size(const far_shape *shape, const void *values) {
  (void)values;
  return learner_size(shape, (size_t)shape->n_states * ((size_t)shape->n_actions + 1));
}

/* B(y)/Vmax^2 = min(1, b S^2 A U^5/(N(y) (1 - gamma)^3)), a bound on the squared error of V(y); the end's is 0. */
static double roughness(const bernstein *b, uint64_t y) {
  if (y == b->l.n_states) return 0;
  return fmin(1, b->visits[y] > 0 ? b->rough / b->visits[y] : b->l.p->b);
}

/* Numbers: R^ with its width, 8 U Vmax/N. */
static void note(const learner *l, size_t i, double number[LEARNER_NUMBERS]) {
  const double n = l->pair[i].n, u = l->p->u, spread = l->own[i];
  number[0] = l->pair[i].sum / n + sqrt(8 * u * (spread / n) / n);
  number[1] = 8 * u * l->v_max / n;
}

/* R^ + sqrt(8 U Var r/N) + gamma (P^ V + bonus),
 * bonus = sqrt(8 U Var_P^(V)/N) + 8 U Vmax/N + sqrt(8 sum_y P^(y) B(y)/N) */
static double backup(const bernstein *b, size_t i) {
  const learner *l = &b->l;
  const learner_pair *pair = &l->pair[i];
  const far__row row = learner_row(l, pair);
  const double n = pair->n, u = l->p->u, mean = far__row_dot(&row, l->v) / n;
  double variance = 0, rough = 0;
  for (size_t k = 0; k < row.count; ++k) {
    const double d = l->v[row.arc[k].next] - mean;
    variance += row.arc[k].weight * (d * d);
    if (l->p->b > 0) rough += row.arc[k].weight * roughness(b, row.arc[k].next);
  }
  const double *number = b->memo.number + LEARNER_NUMBERS * i;
  const double bonus = sqrt(8 * u * (variance / n) / n) + number[1] +
                       (l->p->b > 0 ? l->v_max * sqrt(8 * (rough / n) / n) : 0);
  return number[0] + l->p->gamma * (mean + bonus);
}

/* Q(s,a) <- min(Q(s,a), backup) for all visited pairs, all with the V before the sweep; then V(s) <- max_a Q(s,a). Only pairs
 * that are due are computed: for the others nothing has changed. */
static void sweep(const bernstein *b) {
  const learner *l = &b->l;
  const far__agenda *agenda = &b->memo.agenda;
  far__agenda_unmark(agenda);
  for (size_t i = 0; (i = far__agenda_next(agenda, i)) != SIZE_MAX; ++i) {
    const double x = backup(b, i);
    far__agenda_remove(agenda, i);
    if (!(x < l->q[i])) continue;
    l->q[i] = x;
    far__agenda_mark(agenda, i / l->n_actions, true);
  }
  for (size_t s = 0; (s = far__marks_next(agenda->moved, l->n_states, s)) != SIZE_MAX; ++s) {
    const double best = far__max(l->q + s * l->n_actions, l->n_actions), before = l->v[s];
    l->v[s] = best;
    if (best != before) far__agenda_moved(agenda, s, false);
  }
}

/* N(s,a), N(s), P^ and R^ count the transition; then one sweep */
static void observe(far_agent *agent, const far_transition *step) {
  bernstein b = view_of(agent);
  const size_t i = learner_index(&b.l, step);
  b.spread[i] = learner_spread(&b.l.pair[i], b.spread[i], step->r - b.l.low);
  b.visits[step->s] += 1;
  learner_follow(&b.l, &b.memo, step, note);
  const far__agenda *agenda = &b.memo.agenda;
  if (b.l.p->b > 0) far__agenda_moved(agenda, step->s, false); /* B(s) has changed */
  for (size_t k = 0; agenda->state->all && k < b.l.n_pairs; ++k)
    if (b.l.pair[k].n > 0) far__agenda_add(agenda, k);
  agenda->state->all = 0;
  sweep(&b);
}

static bool valid(const far_agent *agent) {
  const bernstein b = view_of((far_agent *)agent); /* only read through */
  bool good = learner_valid(agent);
  for (uint32_t s = 0; good && s < b.l.n_states; ++s) {
    double sum = 0;
    for (size_t i = (size_t)s * b.l.n_actions; i < ((size_t)s + 1) * b.l.n_actions; ++i) {
      good = good && learner_spread_is_valid(&b.l, i, b.spread[i]);
      sum += b.l.pair[i].n;
    }
    good = good && b.visits[s] == sum;
  }
  return good;
}

const far__agent_type far__ucbvi_gamma = {
    .info =
        {.name = "ucbvi-gamma",
         .summary = "UCBVI-gamma: discounted optimistic value iteration with a Bernstein bonus",
         .reference =
             "He, Zhou & Gu, Nearly Minimax Optimal Reinforcement Learning for Discounted MDPs, "
             "NeurIPS 2021",
         .guarantee = "discounted regret O~(sqrt(S A T)/(1-gamma)^1.5) with preset=theory, for "
                      "deterministic rewards; discounted, continuing or episodic",
         .model_based = true,
         .params = params,
         .n_params = sizeof params / sizeof *params},
    .params_size = sizeof(learner_params),
    .resolve = resolve,
    .advise = advise,
    .state_size = state_size,
    .pool_need = learner_need,
    .memo_need = learner_memo_need,
    .init = learner_init,
    .act = learner_act,
    .observe = observe,
    .value = learner_value,
    .policy = learner_policy,
    .valid = valid,
};
