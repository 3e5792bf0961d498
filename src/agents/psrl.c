/* PSRL, posterior sampling for reinforcement learning, Strens 2000 and Osband, Russo & Van Roy 2013:
 * a model is drawn from the posterior, solved, and followed for a while. docs/agents.md, "psrl".
 *
 * A row is Dirichlet over all outcomes. Those never seen are alike, so their part is split by sticks
 * in the size-biased order of a symmetric Dirichlet (Pitman 1996): the sticks shrink so fast that a
 * few dozen exhaust what a double can tell, however many outcomes there are. */
#include "agents/posterior.h"

#include <string.h>

static const far_param params[] = {
    FAR__ROW_GAMMA(learner_params),
    {.name = "prior",
     .kind = FAR_PARAM_REAL,
     .fallback = "1",
     .min = 0,
     .max = 1000000,
     LEARNER_AT(prior),
     .help = "total weight of the Dirichlet prior, spread over all outcomes"},
    {.name = "mu0",
     .kind = FAR_PARAM_REAL,
     .derived = true,
     .fallback = "rmin",
     FAR__FINITE,
     LEARNER_AT(mu0),
     .help = "prior mean of a reward"},
    POSTERIOR_ROWS("range", "0.25 range",
                   "prior standard deviation of a mean reward, in units of reward"),
    LEARNER_PLAN_ROWS,
};

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  const double range = shape->reward_max - shape->reward_min;
  return posterior_resolve(spec, shape, range, 0.25 * range, error);
}

/* Scratch, in this order: the sampled rows, the arcs of all of them, a mark for every outcome, the
 * list of those that are possible. */
typedef struct sampled_row {
  uint64_t first, count;
  double total, reward;
} sampled_row;

typedef struct sample {
  learner l;
  sampled_row *row;
  far__arc *arc;
  uint64_t *mark;    /* i + 1 where the outcome is in row i already */
  uint64_t *outcome; /* the live states, and the end where there is one ... */
  uint64_t outcomes; /* ... so many */
  uint64_t used;     /* arcs */
} sample;

/* Sticks of one row at most; the chance of wanting more is far below 2^-53. */
static uint64_t most_sticks(double prior) {
  return 128 + 64 * (uint64_t)ceil(prior);
}

static size_t most_arcs(const far_agent *agent) {
  const learner_params *p = far__agent_params(agent);
  const size_t pairs = (size_t)agent->shape.n_states * agent->shape.n_actions;
  const uint64_t all = (uint64_t)agent->shape.n_states + 1, sticks = most_sticks(p->prior);
  const uint64_t arcs = agent->pool_used / 2 + (uint64_t)pairs * (sticks < all ? sticks : all) + 1;
  return arcs < SIZE_MAX ? (size_t)arcs : SIZE_MAX;
}

static size_t need(const far_agent *agent) {
  const size_t pairs = (size_t)agent->shape.n_states * agent->shape.n_actions;
  const size_t grown = learner_growth(agent, 1);
  if (most_arcs(agent) > SIZE_MAX / 64 || pairs > SIZE_MAX / 64) return SIZE_MAX; /* too many */
  return 2 * grown + pairs * (sizeof(sampled_row) / 8) + 2 * most_arcs(agent) +
         2 * ((size_t)agent->shape.n_states + 1);
}

static void take(sample *x, size_t i, uint64_t outcome, double weight) {
  x->arc[x->used++] = (far__arc){outcome, weight};
  x->row[i].total += weight;
  x->mark[outcome] = i + 1;
}

/* An outcome that is not in row i yet. */
static uint64_t fresh_outcome(const sample *x, size_t i, far_rng *rng) {
  uint64_t y;
  do y = x->outcome[far_rng_below(rng, (uint32_t)x->outcomes)];
  while (x->mark[y] == i + 1);
  return y;
}

/* Splits a weight among `unseen` outcomes of prior weight alpha each. */
static void take_sticks(sample *x, size_t i, double weight, double alpha, uint64_t unseen) {
  far_rng *rng = &x->l.agent->rng;
  const double enough = 0x1p-53 * (x->row[i].total + weight);
  const uint64_t most = most_sticks(x->l.p->prior);
  double rest = weight;
  for (uint64_t j = 1;; ++j) {
    double stick = rest;
    if (j < unseen) {
      const double in = far__gamma(rng, 1 + alpha);
      const double out = far__gamma(rng, (double)(unseen - j) * alpha);
      stick = rest * (in / (in + out));
    }
    take(x, i, fresh_outcome(x, i, rng), stick);
    rest -= stick;
    if (j == unseen || j == most || rest <= enough) return;
  }
}

/* All weights came out as 0: the likeliest outcome has all. */
static void take_likeliest(sample *x, size_t i, const far__row *seen) {
  uint64_t best = x->outcome[0];
  double most = 0;
  for (size_t k = 0; k < seen->count; ++k) {
    if (seen->arc[k].weight <= most) continue;
    most = seen->arc[k].weight;
    best = seen->arc[k].next;
  }
  x->used = x->row[i].first;
  take(x, i, best, 1);
}

static void draw_transitions(sample *x, size_t i) {
  far_rng *rng = &x->l.agent->rng;
  const double alpha = x->l.p->prior / (double)x->outcomes;
  const far__row seen = learner_row(&x->l, &x->l.pair[i]);
  const uint64_t unseen = x->outcomes - seen.count;
  x->row[i] = (sampled_row){.first = x->used};
  if (alpha == 0 && seen.count == 0) return;
  for (size_t k = 0; k < seen.count; ++k)
    take(x, i, seen.arc[k].next, far__gamma(rng, alpha + seen.arc[k].weight));
  if (unseen > 0 && alpha > 0)
    take_sticks(x, i, far__gamma(rng, alpha * (double)unseen), alpha, unseen);
  if (!(x->row[i].total > 0)) take_likeliest(x, i, &seen);
  x->row[i].count = x->used - x->row[i].first;
}

/* The mean reward, normal with normal prior; drawn in plain units, kept in shifted ones. */
static void draw_reward(sample *x, size_t i) {
  const learner_params *p = x->l.p;
  const learner_pair *pair = &x->l.pair[i];
  const double prior = 1 / (p->sp * p->sp), noise = p->sn * p->sn;
  const double variance = 1 / (prior + pair->n / noise);
  const double mean = variance * ((p->mu0 - x->l.low) * prior + pair->sum / noise);
  x->row[i].reward = mean + sqrt(variance) * far__normal(&x->l.agent->rng);
}

static double backup(const void *context, size_t i, const double *v) {
  const sample *x = context;
  const sampled_row *r = &x->row[i];
  if (r->count == 0) return x->l.v_max;
  const far__row row = {x->arc + r->first, (size_t)r->count, r->total};
  return r->reward + x->l.p->gamma * (far__row_dot(&row, v) / r->total);
}

static void observe(far_agent *agent, const far_transition *step) {
  sample x = {.l = learner_of(agent)};
  if (!posterior_observe(&x.l, step)) return;
  x.row = learner_scratch(&x.l);
  x.arc = (far__arc *)(x.row + x.l.n_pairs);
  x.mark = (uint64_t *)(x.arc + most_arcs(agent));
  memset(x.mark, 0, (x.l.n_states + (size_t)1) * sizeof *x.mark);
  x.outcome = x.mark + x.l.n_states + 1;
  x.outcomes = learner_list_outcomes(&x.l, x.outcome);
  far__patience patience = far__patience_with(agent->stop);
  for (size_t i = 0; i < x.l.n_pairs; ++i) {
    if (!learner_can_follow(&x.l, i / x.l.n_actions)) continue; /* never asked for */
    draw_transitions(&x, i);
    draw_reward(&x, i);
    if (far__patience_over(&patience, 1)) return;
  }
  const far__plan plan = learner_plan(&x.l);
  far__plan_run(&plan, backup, NULL, &x, SIZE_MAX);
}

const far__agent_type far__psrl = {
    .info = {.name = "psrl",
             .summary =
                 "Posterior sampling: follow the best policy of a model drawn from the posterior",
             .reference =
                 "Strens, ICML 2000; Osband, Russo & Van Roy, (More) Efficient Reinforcement "
                 "Learning via Posterior Sampling, NeurIPS 2013",
             .guarantee =
                 "Bayesian regret O~(tau S sqrt(A T)) in episodes of length tau; no PAC-MDP bound; "
                 "discounted, continuing or episodic",
             .model_based = true,
             .params = params,
             .n_params = sizeof params / sizeof *params},
    .params_size = sizeof(learner_params),
    .resolve = resolve,
    .advise = learner_advise_nothing,
    .state_size = posterior_state_size,
    .pool_need = need,
    .init = learner_init,
    .act = learner_act,
    .observe = observe,
    .value = learner_value,
    .policy = learner_policy,
    .valid = posterior_valid,
};
