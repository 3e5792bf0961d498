/* UCRL-gamma, Lattimore & Hutter 2014, as a practical variant: discounted optimism over intervals for
 * the probability of each outcome, planned again when the visits of a pair have doubled.
 * docs/agents.md, "ucrl-gamma". */
#include <string.h>

#include "agents/learner.h"
#include "solve/plan/optimistic.h"

static const far_param params[] = {
    LEARNER_THEORY_ROWS,
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
  learner_memo
      memo; /* numbers: the greatest mean reward, the greatest probability of what was never seen */
  int64_t *wait;
  double *base;
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

/* ---- what is kept for speed ---- */

/* Stands at the end of the memo. Only the best outcomes get what a row has left, so that no more of them are
 * put in order than the row that takes most of them may need. */
typedef struct kept {
  uint64_t *depth;    /* how many these are ... */
  uint64_t *sorted;   /* ... and how many of `first` are there */
  uint64_t *first;    /* the best outcomes as the sweep begins, by falling value */
  uint64_t *order;    /* all outcomes */
  double *slack;      /* of outcomes: FAR__UNSEEN between backups */
  uint64_t *counted;  /* marks of pairs that may have been visited since the last plan */
  far__interval *box; /* of all arcs, by their place in the pool */
} kept;

static size_t fixed_words(const far_shape *shape) {
  return 2 + 3 * ((size_t)shape->n_states + 1) +
         far__marks((size_t)shape->n_states * shape->n_actions);
}

static size_t memo_need(const far_agent *agent) {
  const size_t common = learner_memo_need(agent),
               arcs = agent->pool_used + learner_growth(agent, 1);
  return common < SIZE_MAX ? common + fixed_words(&agent->shape) + arcs : SIZE_MAX;
}

/* As many boxes as the memo has room for, a third of what grows: an arc takes a link and a box. */
static kept kept_of(const learner *l) {
  const far_shape *shape = &l->agent->shape;
  const size_t states = (size_t)shape->n_states + 1;
  const size_t others = LEARNER_NUMBERS * l->n_pairs + fixed_words(shape) +
                        far__agenda_size(shape->n_states, shape->n_actions, 0);
  const size_t arcs = (l->agent->memo.room - others) / 3;
  kept k = {.box = (far__interval *)(l->agent->memo.words + l->agent->memo.room) - arcs};
  k.counted = (uint64_t *)k.box - far__marks(l->n_pairs);
  k.slack = (double *)k.counted - states;
  k.order = (uint64_t *)k.slack - states;
  k.first = k.order - states;
  k.sorted = k.first - 1;
  k.depth = k.sorted - 1;
  return k;
}

static uint64_t outcomes_of(const learner *l) {
  return (uint64_t)learner_outcomes(&l->agent->shape);
}

static void forget(const learner *l) {
  const kept k = kept_of(l);
  *k.depth = *k.sorted = 0;
  learner_list_outcomes(l, k.order);
  for (uint64_t y = 0; y <= l->n_states; ++y) k.slack[y] = FAR__UNSEEN;
  memset(k.counted, 0xff, far__marks(l->n_pairs) * sizeof *k.counted);
}

/* Half the width of the interval for an outcome of frequency f among n. */
static double half_width(double l1, double f, double n) {
  return fmin(sqrt(2 * l1 * f * (1 - f) / n) + 2 * l1 / (3 * n), sqrt(l1 / (2 * n)));
}

/* The intervals of a pair, and how many outcomes it may need: each of its own, and as many unseen ones as
 * take all that is left, with room for rounding. */
static void note(const learner *l, size_t i, double number[LEARNER_NUMBERS]) {
  const learner_pair *pair = &l->pair[i];
  const double l1 = l->p->l1, n = pair->n, width = l->p->a * l->range / sqrt(n);
  const far__row row = learner_row(l, pair);
  const kept x = kept_of(l);
  double left = 1;
  for (size_t k = 0; k < row.count; ++k) {
    const double f = row.arc[k].weight / n, w = half_width(l1, f, n);
    x.box[pair->first + k] = (far__interval){fmax(0, f - w), fmin(1, f + w)};
    left -= x.box[pair->first + k].low;
  }
  number[0] = fmin(l->range, pair->sum / n + width);
  number[1] = half_width(l1, 0, n);
  const double all = learner_outcomes(&l->agent->shape);
  const double unseen = left > 0 && number[1] > 0 ? ceil(left / number[1]) : left > 0 ? all : 0;
  const double need = fmin(all, (double)row.count + unseen + 2);
  if (need > (double)*x.depth) *x.depth = (uint64_t)need;
  x.counted[i / FAR__AGENDA_BITS] |= (uint64_t)1 << i % FAR__AGENDA_BITS;
}

/* ---- planning ---- */

/* Every pair depends on the best outcomes, which are watched. They stay what they are until one of them
 * changes or another rises. */
static void begin(void *context, const double *v) {
  const boxes *b = context;
  const far__agenda *agenda = &b->memo.agenda;
  const kept x = kept_of(&b->l);
  if (!agenda->state->rose && *x.depth <= *x.sorted) return;
  const uint64_t count = outcomes_of(&b->l);
  far__order_best(x.order, count, *x.depth, v);
  far__agenda_unwatch_all(agenda);
  for (uint64_t k = 0; k < *x.depth; ++k) {
    const uint64_t y = x.order[count - 1 - k];
    if (k < *x.sorted && x.first[k] != y) agenda->state->all = 1;
    x.first[k] = y;
    far__agenda_watch(agenda, (size_t)y);
  }
  *x.sorted = *x.depth;
  agenda->state->rose = 0;
}

FAR__INLINE double backup(const void *context, size_t i, const double *v) {
  const boxes *b = context;
  const learner *l = &b->l;
  const learner_pair *pair = &l->pair[i];
  if (pair->n == 0) return l->v_max;
  const kept x = kept_of(l);
  const double *number = b->memo.number + LEARNER_NUMBERS * i;
  const far__row row = learner_row(l, pair);
  const far__outcomes best = {x.first, *x.sorted, x.slack, number[1]};
  return number[0] + l->p->gamma * far__intervals_best(&row, x.box + pair->first, &best, v);
}

static void make_plan(boxes *b) {
  const far__plan plan = learner_plan_due(&b->l, &b->memo);
  const kept x = kept_of(&b->l);
  far__plan_run(&plan, backup, begin, b, SIZE_MAX);
  for (size_t i = 0; (i = far__marks_next(x.counted, b->l.n_pairs, i)) != SIZE_MAX; ++i)
    b->base[i] = b->l.pair[i].n;
  memset(x.counted, 0, far__marks(b->l.n_pairs) * sizeof *x.counted);
}

static void observe(far_agent *agent, const far_transition *step) {
  boxes b = view_of(agent);
  const size_t i = learner_index(&b.l, step);
  if (!agent->memo.holds) forget(&b.l);
  learner_follow(&b.l, &b.memo, step, note);
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
    .pool_need = learner_need,
    .memo_need = memo_need,
    .init = learner_init,
    .act = learner_act,
    .observe = observe,
    .value = learner_value,
    .policy = learner_policy,
    .valid = valid,
};
