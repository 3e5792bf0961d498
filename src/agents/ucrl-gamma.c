/* UCRL-gamma, as a practical variant: discounted optimism over an interval for the probability of each outcome, planned again
 * when the visits of a pair have doubled. All data enter each plan, and all outcomes have intervals.
 *
 *   Lattimore & Hutter, Near-optimal PAC bounds for discounted MDPs, Theoretical Computer Science 558, 2014
 *
 * Symbols: n(s,a) pair->n · v(s,a), visits since the last plan, pair->n - base · p^ a frequency of the pair's row · L_1 l1 · H
 * delay · m w_min batch. Its memory is in ucrl-gamma-memory.h. docs/agents.md, "ucrl-gamma". */
#include "agents/ucrl-gamma-memory.h"

static const far_param params[] = {
    LEARNER_THEORY_ROWS,
    FAR__ROW_DERIVED(learner_params, l1, "0.5", FAR__NOT_NEGATIVE,
                     "L1 of the paper: logarithm of one over the risk of an interval"),
    FAR__ROW_DERIVED(learner_params, a, "0.027", FAR__NOT_NEGATIVE,
                     "reward intervals of a range/sqrt(n)"),
    FAR__ROW_DERIVED_INTEGER(learner_params, batch, "1", FAR__COUNT,
                             "new visits of a pair that trigger a plan"),
    FAR__ROW_DERIVED_INTEGER(learner_params, delay, "0", FAR__BETWEEN(0, 0x1p53),
                             "steps between reaching that number and planning"),
    LEARNER_PLAN_ROWS,
};

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  learner_params *p = (learner_params *)spec->values;
  far_status status = learner_resolve_preset(spec, shape, error);
  if (status != FAR_OK) return status;
  far__ucrl_constants c = {.l1 = 0.5, .batch = 1};
  if (p->preset == PRESET_THEORY)
    c = far__theory_ucrl_gamma(learner_problem(p, shape), p->eps, p->delta);
  if (!LEARNER_GIVEN(l1)) p->l1 = c.l1;
  if (!LEARNER_GIVEN(a)) p->a = p->preset == PRESET_THEORY ? sqrt(p->l1 / 2) : 0.027;
  p->m = INT64_MAX;
  status = learner_count_param(spec, offsetof(learner_params, batch), c.batch, error);
  if (status != FAR_OK) return status;
  return learner_count_param(spec, offsetof(learner_params, delay), c.delay, error);
}

static void advise(const far__spec *spec, const far_shape *shape, const far__advice *advice) {
  const learner_params *p = (const learner_params *)spec->values;
  const double least = far__theory_ucrl_gamma(learner_problem(p, shape), p->eps, p->delta).l1;
  learner_advise_least(advice, "l1", p->l1, least);
}

static size_t state_size(const far_shape *shape, const void *values) {
  (void)values;
  return learner_size(shape, 1 + (size_t)shape->n_states * shape->n_actions);
}

/* Half the width of the interval for a probability: min(sqrt(2 L_1 p^ (1 - p^)/n) + 2 L_1/(3n), sqrt(L_1/(2n))). */
static double half_width(double l1, double p, double n) {
  return fmin(sqrt(2 * l1 * p * (1 - p) / n) + 2 * l1 / (3 * n), sqrt(l1 / (2 * n)));
}

/* The confidence set of a visited pair. */
static void note(const learner *l, size_t i, double number[LEARNER_NUMBERS]) {
  const learner_pair *pair = &l->pair[i];
  const double l1 = l->p->l1, n = pair->n, width = l->p->a * l->range / sqrt(n);
  const far__row row = learner_row(l, pair);
  const boxes_kept x = boxes_kept_of(l);
  double left = 1;
  for (size_t k = 0; k < row.count; ++k) {
    const double p = row.arc[k].weight / n, w = half_width(l1, p, n);
    x.box[pair->first + k] = (far__interval){fmax(0, p - w), fmin(1, p + w)};
    left -= x.box[pair->first + k].low;
  }
  number[0] = fmin(l->range, pair->sum / n + width);
  number[1] = half_width(l1, 0, n);
  boxes_note(l, &x, i, left, number[1]);
}

/* Q(s,a) = min(R_max, R^ + a R_max/sqrt(n)) + gamma max of p V over the p in the set;  n = 0: V_max */
FAR__INLINE double backup(const void *context, size_t i, const double *v) {
  const boxes *b = context;
  const learner *l = &b->l;
  const learner_pair *pair = &l->pair[i];
  if (pair->n == 0) return l->v_max;
  const boxes_kept x = boxes_kept_of(l);
  const double *number = b->memo.number + LEARNER_NUMBERS * i;
  const far__row row = learner_row(l, pair);
  const far__outcomes best = {x.first, *x.sorted, x.slack, number[1]};
  return number[0] + l->p->gamma * far__intervals_best(&row, x.box + pair->first, &best, v);
}

/* n(s,a) <- n(s,a) + 1
 * v(s,a) >= max(m w_min, n(s,a) at the last plan): a plan is due after H further steps
 * extended value iteration over the confidence sets */
static void observe(far_agent *agent, const far_transition *step) {
  boxes b = boxes_of(agent);
  const size_t i = learner_index(&b.l, step);
  if (!agent->memo.holds) boxes_clear(&b.l);
  learner_follow(&b.l, &b.memo, step, note);
  const double since = b.l.pair[i].n - b.base[i];
  if (*b.wait == 0 && since >= fmax((double)b.l.p->batch, b.base[i])) *b.wait = 1 + b.l.p->delay;
  if (*b.wait == 0 || --*b.wait > 0) return;
  const far__plan plan = learner_plan_due(&b.l, &b.memo);
  far__plan_run(&plan, backup, boxes_begin, &b, SIZE_MAX);
  boxes_planned(&b);
}

static bool valid(const far_agent *agent) {
  const boxes b = boxes_of((far_agent *)agent); /* only read through */
  bool good = learner_valid(agent) && *b.wait >= 0 && *b.wait <= b.l.p->delay;
  for (size_t i = 0; good && i < b.l.n_pairs; ++i)
    good = b.base[i] >= 0 && b.base[i] <= b.l.pair[i].n;
  return good;
}

const far__agent_type far__ucrl_gamma = {
    .info =
        {.name = "ucrl-gamma",
         .summary = "UCRL-gamma: discounted optimism over an interval for each probability",
         .reference =
             "Lattimore & Hutter, Near-Optimal PAC Bounds for Discounted MDPs, Theoretical "
             "Computer Science 558, 2014",
         .guarantee =
             "the original: O~(S A / (eps^2 (1-gamma)^3)) mistakes if every pair has at most two "
             "successors; this practical variant has no proof; discounted, continuing or "
             "episodic",
         .model_based = true,
         .params = params,
         .n_params = sizeof params / sizeof *params},
    .params_size = sizeof(learner_params),
    .resolve = resolve,
    .advise = advise,
    .state_size = state_size,
    .pool_need = learner_need,
    .memo_need = boxes_memo_need,
    .init = learner_init,
    .act = learner_act,
    .observe = observe,
    .value = learner_value,
    .policy = learner_policy,
    .valid = valid,
};
