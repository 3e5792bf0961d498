/* UCRL-gamma, Lattimore & Hutter 2014, as a practical variant: discounted optimism over intervals for
 * the probability of each outcome, planned again when the visits of a pair have doubled.
 * docs/agents.md, "ucrl-gamma". */
#include "agents/learner.h"
#include "plan/optimistic.h"

static const far_param params[] = {
    LEARNER_THEORY_ROWS("0.95"),
    {.name = "l1",
     .kind = FAR_PARAM_REAL,
     .derived = true,
     .fallback = "0.5",
     FAR__NOT_NEGATIVE,
     LEARNER_AT(l1),
     .help = "L1 of the paper: logarithm of one over the risk of an interval"},
    {.name = "a",
     .kind = FAR_PARAM_REAL,
     .derived = true,
     .fallback = "0.027",
     FAR__NOT_NEGATIVE,
     LEARNER_AT(a),
     .help = "reward intervals of a range/sqrt(n)"},
    {.name = "batch",
     .kind = FAR_PARAM_INTEGER,
     .derived = true,
     .fallback = "1",
     .min = 1,
     .max = 0x1p53,
     LEARNER_AT(batch),
     .help = "new visits of a pair that trigger a plan"},
    {.name = "delay",
     .kind = FAR_PARAM_INTEGER,
     .derived = true,
     .fallback = "0",
     .min = 0,
     .max = 0x1p53,
     LEARNER_AT(delay),
     .help = "steps between reaching that number and planning"},
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

/* Own words: steps until the plan (0: none is due), then the visits of every pair at the last. */
typedef struct boxes {
  learner l;
  int64_t *wait;
  double *base;
  double *slack;      /* scratch: what an outcome's probability may still rise by */
  uint64_t *order;    /* scratch: outcomes by falling value as the sweep begins */
  uint64_t outcomes;  /* of them */
  far__interval *box; /* scratch: the intervals of a row */
} boxes;

static boxes view_of(far_agent *agent) {
  boxes b = {.l = learner_of(agent)};
  b.wait = (int64_t *)b.l.own;
  b.base = b.l.own + 1;
  return b;
}

static size_t state_size(const far_shape *shape, const void *values) {
  (void)values;
  return learner_size(shape, 1 + (size_t)shape->n_states * shape->n_actions);
}

static size_t need(const far_agent *agent) {
  return learner_growth(agent, 1) + 4 * ((size_t)agent->shape.n_states + 1);
}

static void begin(void *context, const double *v) {
  boxes *b = context;
  far__order_by_value(b->order, b->outcomes, v);
}

/* Half the width of the interval for an outcome of frequency f among n. */
static double half_width(double l1, double f, double n) {
  return fmin(sqrt(2 * l1 * f * (1 - f) / n) + 2 * l1 / (3 * n), sqrt(l1 / (2 * n)));
}

/* The largest mean of v over distributions within the intervals. */
static double best_future(const boxes *b, const learner_pair *pair, const double *v) {
  const double l1 = b->l.p->l1, n = pair->n;
  const far__row row = learner_row(&b->l, pair);
  for (size_t k = 0; k < row.count; ++k) {
    const double f = row.arc[k].weight / n, w = half_width(l1, f, n);
    b->box[k] = (far__interval){fmax(0, f - w), fmin(1, f + w)};
  }
  const far__outcomes all = {b->order, b->outcomes, b->slack, half_width(l1, 0, n)};
  return far__intervals_best(&row, b->box, &all, v);
}

static double backup(const void *context, size_t i, const double *v) {
  const boxes *b = context;
  const learner *l = &b->l;
  const learner_pair *pair = &l->pair[i];
  if (pair->n == 0) return l->v_max;
  const double width = l->p->a * l->range / sqrt(pair->n);
  return fmin(l->range, pair->sum / pair->n + width) + l->p->gamma * best_future(b, pair, v);
}

static void make_plan(boxes *b) {
  const far__plan plan = learner_plan(&b->l);
  b->slack = learner_scratch(&b->l);
  b->order = (uint64_t *)(b->slack + b->l.n_states + 1);
  b->outcomes = learner_list_outcomes(&b->l, b->order);
  b->box = (far__interval *)(b->order + b->l.n_states + 1);
  for (uint64_t y = 0; y <= b->l.n_states; ++y) b->slack[y] = FAR__UNSEEN;
  far__plan_run(&plan, backup, begin, b, SIZE_MAX);
  for (size_t i = 0; i < b->l.n_pairs; ++i) b->base[i] = b->l.pair[i].n;
}

static void observe(far_agent *agent, const far_transition *step) {
  boxes b = view_of(agent);
  const size_t i = learner_index(&b.l, step);
  learner_observe(&b.l, step);
  const double since = b.l.pair[i].n - b.base[i];
  if (*b.wait == 0 && since >= fmax((double)b.l.p->batch, b.base[i])) *b.wait = 1 + b.l.p->delay;
  if (*b.wait > 0 && --*b.wait == 0) make_plan(&b);
}

static bool valid(const far_agent *agent) {
  const boxes b = view_of((far_agent *)agent); /* only read through */
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
    .pool_need = need,
    .init = learner_init,
    .act = learner_act,
    .observe = observe,
    .value = learner_value,
    .policy = learner_policy,
    .valid = valid,
};
