/* UCRL2B: UCRL2 with empirical Bernstein intervals for the reward and for the probability of each successor, in place of
 * Hoeffding's and of the L1 ball. Average reward.
 *
 *   Fruit, Pirotta & Lazaric, Improved analysis of UCRL2 with empirical Bernstein inequality, 2020, arXiv 2007.05456
 *
 * Symbols: N_k(s,a) pair->n when the episode begins · p^, r^ the pair's row · u of extended value iteration v.
 * docs/agents.md, "ucrl2b". */
#include "agents/intervals.h"
#include "theory/average.h"

static const far_param params[] = {
    FAR__ROW_PRESET(learner_params, "practical|theory", "practical, or theory (scale = 1)"),
    AVERAGE_ROW_DELTA,
    AVERAGE_ROW_SCALE("0.0061", "factor on all confidence widths; 1 as in the paper"),
    FAR__ROW_TIES(learner_params),
};

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  (void)shape, (void)error;
  average_resolve(spec, 0.0061);
  return FAR_OK;
}

/* The confidence set of a visited pair: intervals for its reward, its successors and the states never seen. */
static void fill(const average *u, const intervals *x, size_t i) {
  const learner *l = &u->l;
  const learner_pair *pair = &l->pair[i];
  const double n = pair->n, scale = l->p->scale;
  const double ln = far__ucrl2b_log(l->n_live, l->n_actions, n, l->p->delta);
  const double spread = *intervals_spread(u, i) / n;
  x->reward[i] = fmin(l->range, pair->sum / n + scale * far__ucrl2b_width(spread, l->range, n, ln));
  x->rest[i] = fmin(1, scale * far__ucrl2b_width(0, 1, n, ln));
  const far__row row = learner_row(l, pair);
  for (size_t k = 0; k < row.count; ++k) {
    const double p = row.arc[k].weight / n;
    const double w = scale * far__ucrl2b_width(p * (1 - p), 1, n, ln);
    x->box[pair->first + k] = (far__interval){fmax(0, p - w), fmin(1, p + w)};
  }
}

static void prepare(average *u) {
  intervals_prepare(u, fill);
}

static const average_rule rule = {.prepare = prepare,
                                  .begin = intervals_begin,
                                  .backup = intervals_backup,
                                  .planned = average_keep_gain};

static void observe(far_agent *agent, const far_transition *step) {
  average_observe(agent, step, &rule, intervals_enter);
}

const far__agent_type far__ucrl2b = {
    .info = {.name = "ucrl2b",
             .summary = "UCRL2B: UCRL2 with empirical Bernstein intervals",
             .reference =
                 "Fruit, Pirotta & Lazaric, Improved Analysis of UCRL2 with Empirical Bernstein "
                 "Inequality, 2020 (arXiv 2007.05456)",
             .guarantee =
                 "regret O~(range sqrt(D B S A T)) with preset=theory, B successors of a pair at "
                 "most; average reward, communicating (diameter D)",
             .model_based = true,
             .params = params,
             .n_params = sizeof params / sizeof *params},
    .params_size = sizeof(learner_params),
    .resolve = resolve,
    .advise = average_advise,
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
