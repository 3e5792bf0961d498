/* Bayes-UCBVI: the upper value of a pair is a quantile of its posterior, and no bonus is added.
 *
 *   Tiapkin, Belomestny, Moulines, Naumov, Samsonov, Tang, Valko & Menard, From Dirichlet to Rubin: Optimistic
 *   Exploration in RL without Bonuses, ICML 2022 (arXiv 2205.07704)
 *
 * Symbols: kappa level of the quantile · s_0 a state that does not exist, seen n0 times in advance and worth r0 in
 * every step. The quantile is that of a sample. docs/agents.md, "bayes-ucbvi". */
#include "agents/episodic.h"
#include "base/variate.h"

static const far_param params[] = {
    FAR__ROW_REAL(episodic_params, kappa, "0.75", FAR__UNIT_ABOVE_0,
                  "level of the quantile; 1: the largest of the sample"),
    FAR__ROW_INTEGER(episodic_params, draws, "16", FAR__BETWEEN(1, 1000),
                     "size of the sample that a quantile is taken from"),
    FAR__ROW_REAL(episodic_params, n0, "0.9", FAR__BETWEEN(1e-6, 1e9),
                  "prior visits of a state that pays r0 in every step"),
    FAR__ROW_REAL(episodic_params, r0, "0.42", FAR__BETWEEN(0, 1e9),
                  "its reward, in units of the range above the least reward; the theorem has 2"),
    EPISODIC_ROW_STAGES("shared"),
    EPISODIC_ROW_TIES,
};

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  (void)shape;
  (void)error;
  episodic_params *p = (episodic_params *)spec->values;
  if (!EPISODIC_GIVEN(stages)) p->stages = STAGES_SHARED;
  return FAR_OK;
}

/* Own words: the sample of one value, in rising order. */
static size_t state_size(const far_shape *shape, const void *params_) {
  const episodic_params *p = params_;
  return episodic_size(shape, p, (size_t)p->draws);
}

/* Scratch: where the draws of every row begin; the draws, each with the probabilities of the row's successors and of s_0. */
typedef struct drawn {
  episodic e;
  uint64_t *first;
  double *weight;
} drawn;

static size_t need(const far_agent *agent) {
  const episodic e = episodic_of((far_agent *)agent); /* only read through */
  const size_t grown = episodic_need(agent), draws = (size_t)e.p->draws;
  const size_t arcs = (agent->pool_used + grown) / 2 + e.n_rows;
  if (arcs > SIZE_MAX / 64 / draws) return SIZE_MAX; /* too many */
  return grown + e.n_rows + arcs * draws;
}

/* p ~ Dirichlet(n(s,a,.), n0), one draw; returns how many probabilities it has. */
static size_t draw_row(const episodic *e, const far__row *row, double *weight) {
  far_rng *rng = &e->agent->rng;
  double total = 0;
  for (size_t k = 0; k <= row->count; ++k) {
    weight[k] = far__gamma(rng, k < row->count ? row->arc[k].weight : e->p->n0);
    total += weight[k];
  }
  for (size_t k = 0; k <= row->count; ++k) weight[k] /= total;
  return row->count + 1;
}

/* Draws for all rows; false if the plan is stopped. */
static bool draw_rows(drawn *d) {
  const episodic *e = &d->e;
  far__patience patience = far__patience_with(e->agent->stop);
  size_t used = 0;
  d->first = (uint64_t *)(e->pool + e->agent->pool_used / 2);
  d->weight = (double *)(d->first + e->n_rows);
  for (size_t i = 0; i < e->n_rows; ++i) {
    d->first[i] = used;
    if (e->pair[i].n == 0) continue;
    const far__row row = episodic_arcs(e, &e->pair[i]);
    for (int64_t k = 0; k < e->p->draws; ++k) used += draw_row(e, &row, d->weight + used);
    if (far__patience_over(&patience, (size_t)e->p->draws)) return false;
  }
  return true;
}

/* p V_{h+1} for one draw; `beyond` is the value of s_0. It is cut to the range of the values: where all are equal, rounding must
 * not make two pairs differ. */
static double mean_under(const double *weight, const far__row *row, const double *v,
                         double beyond) {
  double sum = weight[row->count] * beyond, least = beyond, most = beyond;
  for (size_t k = 0; k < row->count; ++k) {
    const double x = v[row->arc[k].next];
    sum += weight[k] * x;
    least = fmin(least, x);
    most = fmax(most, x);
  }
  return fmin(fmax(sum, least), most);
}

/* The kappa-quantile of p V_{h+1}, from the sample in rising order. */
static double quantile(const drawn *d, size_t at, const far__row *row, const double *v,
                       double beyond) {
  double *sample = d->e.own;
  const int64_t n = d->e.p->draws;
  const double *weight = d->weight + d->first[at];
  for (int64_t i = 0; i < n; ++i, weight += row->count + 1) {
    const double x = mean_under(weight, row, v, beyond);
    int64_t k = i;
    for (; k > 0 && sample[k - 1] > x; --k) sample[k] = sample[k - 1];
    sample[k] = x;
  }
  const double place = ceil(d->e.p->kappa * (double)n);
  return sample[place < 1 ? 0 : (int64_t)place - 1];
}

/* Q_h(s,a) = r^ + the kappa-quantile of p V_{h+1}, where s_0 has the value r0 (H - h - 1);  n = 0: 1 + r0 (H - h - 1) */
static double backup(const void *context, int64_t h, size_t i, const double *v) {
  const drawn *d = context;
  const size_t at = episodic_row(&d->e, h, i);
  const learner_pair *pair = &d->e.pair[at];
  const double beyond = d->e.p->r0 * episodic_top(&d->e, h + 1);
  if (pair->n == 0) return 1 + beyond;
  const far__row row = episodic_arcs(&d->e, pair);
  return pair->sum / pair->n + quantile(d, at, &row, v, beyond);
}

/* The step enters the data; after an episode the draws are made, and Q is computed from them. */
static void observe(far_agent *agent, const far_transition *step) {
  drawn d = {.e = episodic_of(agent)};
  episodic_enter(&d.e, step);
  if (episodic_due(&d.e, step) && draw_rows(&d)) episodic_plan(&d.e, backup, NULL, &d);
}

static bool valid(const far_agent *agent) {
  const episodic e = episodic_of((far_agent *)agent); /* only read through */
  bool good = episodic_valid(agent);
  for (int64_t i = 0; good && i < e.p->draws; ++i) good = e.own[i] - e.own[i] == 0;
  return good;
}

const far__agent_type far__bayes_ucbvi = {
    .info =
        {.name = "bayes-ucbvi",
         .summary = "Bayes-UCBVI: acts on quantiles of the posterior of a value, by steps",
         .reference = "Tiapkin, Belomestny, Moulines, Naumov, Samsonov, Tang, Valko & Menard, "
                      "From Dirichlet to Rubin, ICML 2022 (arXiv 2205.07704)",
         .guarantee =
             "regret O~(sqrt(H^3 S A K)) in K episodes with exact quantiles at the level of the "
             "paper, which rises with the visits; none for sampled ones; finite horizon",
         .model_based = true,
         .finite_horizon = true,
         .params = params,
         .n_params = sizeof params / sizeof *params},
    .params_size = sizeof(episodic_params),
    .by_step = true,
    .resolve = resolve,
    .advise = episodic_advise_cost,
    .state_size = state_size,
    .pool_need = need,
    .init = episodic_init,
    .act = episodic_act,
    .observe = observe,
    .value = episodic_value,
    .policy = episodic_policy,
    .valid = valid,
    .links_steps = true,
};
