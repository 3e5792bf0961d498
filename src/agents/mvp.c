/* MVP, monotonic value propagation: optimistic value iteration by steps on a model that is renewed when
 * the visits of a pair reach a power of two.
 *
 *   Zhang, Chen, Lee & Du, Settling the Sample Complexity of Online Reinforcement Learning, arXiv
 *   2307.13586 (COLT 2024), Algorithm 1: samples=latest
 *   Zhang, Ji & Du, Is Reinforcement Learning More Difficult Than Bandits?, COLT 2021: samples=all
 *
 * Symbols: N_h^all visits · N_h(s,a,.), theta, kappa of the present batch: pair, its sum, squares · of the
 * model: stored, its sum, stored_squares · log(1/delta') l. docs/agents.md, "mvp". */
#include "agents/episodic.h"

typedef enum mvp_samples { SAMPLES_ALL, SAMPLES_LATEST } mvp_samples;

static const far_param params[] = {
    EPISODIC_ROW_PRESET,
    EPISODIC_ROW_DELTA,
    EPISODIC_ROW_EPISODES,
    FAR__ROW_DERIVED_CHOICE(
        episodic_params, samples, "all", "all|latest",
        "a row is made of all samples, or of those since the last power of two"),
    EPISODIC_ROW_L("ln(200 S A H^2 K^2/delta)"),
    EPISODIC_ROW_SCALE("0.0011"),
    EPISODIC_ROW_STAGES("shared; preset=theory: apart"),
    EPISODIC_ROW_TIES,
};

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  episodic_params *p = (episodic_params *)spec->values;
  const episodic_defaults defaults = {.practical_scale = 0.0011,
                                      .theory_stages = STAGES_APART,
                                      .theory_l = far__mvp_l(episodic_problem(p, shape)),
                                      .has_episodes = true};
  if (!EPISODIC_GIVEN(samples))
    p->samples = p->preset == EPISODIC_THEORY ? SAMPLES_LATEST : SAMPLES_ALL;
  p->replan = INFINITY; /* the powers of two say when a plan is due */
  return episodic_resolve(spec, &defaults, error);
}

static void advise(const far__spec *spec, const far_shape *shape, const far__advice *advice) {
  const episodic_params *p = (const episodic_params *)spec->values;
  episodic_advise_least(p, far__mvp_l(episodic_problem(p, shape)), advice);
  episodic_advise_cost(spec, shape, advice);
}

/* Own words, of every row: the stored row, which plans use, its sum of squared rewards, and all visits. */
typedef struct mvp {
  episodic e;
  learner_pair *stored;
  double *stored_squares, *visits;
} mvp;

static mvp view_of(far_agent *agent) {
  mvp m = {.e = episodic_of(agent)};
  m.stored = (learner_pair *)m.e.own;
  m.stored_squares = (double *)(m.stored + m.e.n_rows);
  m.visits = m.stored_squares + m.e.n_rows;
  return m;
}

static size_t state_size(const far_shape *shape, const void *values) {
  const episodic_params *p = values;
  return episodic_size(shape, p, episodic_rows(shape, p) * (sizeof(learner_pair) / 8 + 2));
}

static size_t need(const far_agent *agent) {
  const episodic_state *state = far__agent_state((far_agent *)agent); /* only read through */
  return rows_growth(state->largest, 1 + ROWS_MERGE);
}

/* Lines 10 to 14: the batch becomes the stored row, or is added to it, and a new batch begins, in the place of the old row. */
static void renew(mvp *m, size_t row) {
  const episodic *e = &m->e;
  learner_pair *batch = &e->pair[row], *stored = &m->stored[row];
  if (e->p->samples == SAMPLES_ALL) {
    rows_merge(e->agent, &e->state->largest, stored, batch);
    m->stored_squares[row] += e->squares[row];
  } else {
    const learner_pair old = *stored;
    *stored = *batch;
    *batch = old;
    m->stored_squares[row] = e->squares[row];
  }
  batch->n = batch->sum = e->squares[row] = e->planned[row] = 0;
  batch->count = 0;
}

/* Equations (19) and (20): Q_h(s,a) = min(r^ + P^ V_{h+1} + b_h, H - h),
 *   b_h = c_1 sqrt(Var(V_{h+1}) l/N) + c_2 sqrt((sigma^ - r^^2) l/N) + c_3 H l/N;  N = 0: H - h */
static double backup(const void *context, int64_t h, size_t i, const double *v) {
  static const double C1 = 460.0 / 9, C2_SQUARED = 8, C3 = 544.0 / 9;
  const mvp *m = context;
  const episodic *e = &m->e;
  const size_t at = episodic_row(e, h, i);
  const learner_pair *pair = &m->stored[at];
  if (pair->n == 0) return episodic_top(e, h);
  const far__row row = episodic_arcs(e, pair);
  const double n = pair->n, l = e->p->l, r = pair->sum / n, mean = episodic_mean(&row, v);
  const double of_next = episodic_variance(&row, v, mean);
  const double of_reward = episodic_spread(pair, m->stored_squares[at]);
  const double bonus = C1 * sqrt(of_next * l / n) + sqrt(C2_SQUARED * of_reward * l / n) +
                       C3 * (double)e->horizon * l / n;
  return fmin(r + mean + e->p->scale * bonus, episodic_top(e, h));
}

/* The step enters the batch of its row; the row is renewed, and a plan is due, if N^all is 1, 2, 4, 8, ... */
static void observe(far_agent *agent, const far_transition *step) {
  mvp m = view_of(agent);
  const uint64_t due = m.e.state->due;
  const size_t row = episodic_enter(&m.e, step);
  const uint64_t all = (uint64_t)(m.visits[row] += 1);
  const bool doubled = (all & (all - 1)) == 0;
  if (doubled) renew(&m, row);
  m.e.state->due = due | doubled;
  if (episodic_due(&m.e, step)) episodic_plan(&m.e, backup, NULL, &m);
}

static bool value(const far_agent *agent, far_value kind, size_t i, double *out) {
  const mvp m = view_of((far_agent *)agent); /* only read through */
  if (kind != FAR_VALUE_N) return episodic_value(agent, kind, i, out);
  *out = m.visits[episodic_row(&m.e, (int64_t)(i / m.e.n_pairs), i % m.e.n_pairs)];
  return true;
}

static bool valid(const far_agent *agent) {
  const mvp m = view_of((far_agent *)agent); /* only read through */
  bool good =
      episodic_valid(agent) && rows_valid(agent, m.e.state->largest, m.stored, m.e.n_rows, 1);
  for (size_t i = 0; good && i < m.e.n_rows; ++i)
    good = m.stored_squares[i] >= 0 && m.stored_squares[i] - m.stored_squares[i] == 0 &&
           m.visits[i] >= m.e.pair[i].n && m.visits[i] <= (double)agent->t;
  return good;
}

const far__agent_type far__mvp = {
    .info = {.name = "mvp",
             .summary = "MVP: optimistic value iteration by steps, on rows renewed by doubling",
             .reference =
                 "Zhang, Chen, Lee & Du, Settling the Sample Complexity of Online Reinforcement "
                 "Learning, arXiv 2307.13586, 2023; Zhang, Ji & Du, COLT 2021 (samples=all)",
             .guarantee = "regret with preset=theory: O~(min(sqrt(H^3 S A K), H K)) in any number "
                          "of episodes K; finite horizon",
             .model_based = true,
             .finite_horizon = true,
             .params = params,
             .n_params = sizeof params / sizeof *params},
    .params_size = sizeof(episodic_params),
    .by_step = true,
    .resolve = resolve,
    .advise = advise,
    .state_size = state_size,
    .pool_need = need,
    .init = episodic_init,
    .act = episodic_act,
    .observe = observe,
    .value = value,
    .policy = episodic_policy,
    .valid = valid,
    .links_steps = true,
};
