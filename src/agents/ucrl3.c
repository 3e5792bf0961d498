/* UCRL3: UCRL2 with intervals that hold at all times, for the reward and for the probability of each successor, and rows that
 * give mass to no more unseen states than matter. Average reward.
 *
 *   Bourel, Maillard & Talebi, Tightening exploration in upper confidence reinforcement learning, ICML 2020
 *
 * Symbols: N_k(s,a) pair->n when the episode begins · p^, r^ the pair's row · u of extended value iteration v · kappa.
 * docs/agents.md, "ucrl3". */
#include "agents/intervals.h"
#include "farsight/base.h"
#include "theory/average.h"

static const far_param params[] = {
    FAR__ROW_PRESET(learner_params, "practical|theory",
                    "practical, or theory (scale = 1, kappa = 10)"),
    AVERAGE_ROW_DELTA,
    AVERAGE_ROW_SCALE("0.02", "factor on the logarithms of all intervals; 1 as in the paper"),
    FAR__ROW_DERIVED(
        learner_params, kappa, "0", FAR__NOT_NEGATIVE,
        "what rows may lose to be simpler, in units of span/N^(2/3); 10 in the authors' program"),
    FAR__ROW_CHOICE(learner_params, sure, "interval", "interval|half",
                    "least probability of a successor that always came: by its interval, or "
                    "2^(-1/n) as in the authors' program"),
    FAR__ROW_TIES(learner_params),
};

enum { SURE_INTERVAL, SURE_HALF };

/* Sweeps are limited since rows that choose their states may keep changing. */
enum { BISECTIONS = 50, MOST_SWEEPS = 1000 };

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  learner_params *p = (learner_params *)spec->values;
  (void)shape, (void)error;
  average_resolve(spec, 0.02);
  if (!LEARNER_GIVEN(kappa)) p->kappa = p->preset == PRESET_THEORY ? 10 : 0;
  if (p->sure == SURE_INTERVAL) far__spec_hide(spec, offsetof(learner_params, sure));
  return FAR_OK;
}

static void advise(const far__spec *spec, const far_shape *shape, const far__advice *advice) {
  average_advise(spec, shape, advice);
  if (((const learner_params *)spec->values)->sure == SURE_HALF)
    far__say(advice, false,
             "its bound is not guaranteed (sure=half; the theorem has sure=interval)");
}

/* The plausible probabilities for a frequency p. */
static far__interval interval(const far__ucrl3_logs *logs, double p) {
  far__interval least = {0, p}, greatest = {p, 1};
  for (int i = 0; i < BISECTIONS; ++i) {
    const double x = 0.5 * (greatest.low + greatest.high), y = 0.5 * (least.low + least.high);
    *(far__ucrl3_plausible(logs, x, p) ? &greatest.low : &greatest.high) = x;
    *(far__ucrl3_plausible(logs, y, p) ? &least.high : &least.low) = y;
  }
  return (far__interval){least.low, greatest.high};
}

/* The confidence set of a visited pair: intervals for its reward, its successors and the states never seen. */
static void fill(const average *u, const intervals *x, size_t i) {
  const learner *l = &u->l;
  const learner_pair *pair = &l->pair[i];
  const far__ucrl3_logs logs =
      far__theory_ucrl3(l->n_live, l->n_actions, pair->n, l->p->delta, l->p->scale);
  const double spread = *intervals_spread(u, i) / pair->n;
  x->reward[i] =
      fmin(l->range, pair->sum / pair->n + far__ucrl3_reward_width(&logs, spread, l->range));
  x->rest[i] = interval(&logs, 0).high;
  const far__row row = learner_row(l, pair);
  for (size_t k = 0; k < row.count; ++k)
    x->box[pair->first + k] = interval(&logs, row.arc[k].weight / pair->n);
  if (l->p->sure == SURE_HALF && row.count == 1)
    x->box[pair->first].low = far_exp(-far_log(2) / pair->n);
}

static void prepare(average *u) {
  intervals_prepare(u, fill);
}

/* Before a sweep: what a row may lose for each of its successors, kappa max u/N^(2/3), N the most visits of a pair (min u =
 * 0). */
static void begin(average *u) {
  double most = 1;
  intervals_begin(u);
  for (size_t i = 0; i < u->l.n_pairs; ++i) most = fmax(most, u->l.pair[i].n);
  u->near = u->l.p->kappa * u->l.v[u->best] / far_exp(2 * far_log(most) / 3);
}

static const average_rule rule = {.prepare = prepare,
                                  .begin = begin,
                                  .backup = intervals_backup,
                                  .planned = average_keep_gain,
                                  .most_sweeps = MOST_SWEEPS};

static void observe(far_agent *agent, const far_transition *step) {
  average_observe(agent, step, &rule, intervals_enter);
}

const far__agent_type far__ucrl3 = {
    .info =
        {.name = "ucrl3",
         .summary = "UCRL3: UCRL2 with tight intervals and rows of few unseen states",
         .reference =
             "Bourel, Maillard & Talebi, Tightening Exploration in Upper Confidence Reinforcement "
             "Learning, ICML 2020",
         .guarantee =
             "regret O~(range D S sqrt(A T)) and less with preset=theory, by the local "
             "diameters and the spread of the rows; average reward, communicating (diameter "
             "D)",
         .model_based = true,
         .params = params,
         .n_params = sizeof params / sizeof *params},
    .params_size = sizeof(learner_params),
    .resolve = resolve,
    .advise = advise,
    .state_size = intervals_state_size,
    .pool_need = intervals_need,
    .memo_need = intervals_memo_need,
    .init = average_init_gain,
    .act = learner_act,
    .observe = observe,
    .value = average_value,
    .policy = learner_policy,
    .valid = intervals_valid,
    .links_steps = true,
};
