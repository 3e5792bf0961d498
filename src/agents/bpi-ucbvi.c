/* BPI-UCBVI, best policy identification: explore by upper values, and stop when the greedy policy is proved
 * to lose at most eps in an episode.
 *
 *   Menard, Domingues, Jonsson, Kaufmann, Leurent & Valko, Fast active learning for pure exploration in
 *   reinforcement learning, arXiv 2007.13442, 2020
 *
 * Symbols: upper Q~, V~ q, v · lower Q-low, V-low low_of, low · G wide_of, wide · beta^star star · n pair->n · H horizon.
 * The paper knows the rewards; here they are estimated, with a width of their own. docs/agents.md,
 * "bpi-ucbvi". */
#include "agents/certified.h"

static const far_param params[] = {
    EPISODIC_ROW_PRESET,
    CERTIFIED_ROW_EPS,
    CERTIFIED_ROW_DELTA,
    CERTIFIED_ROW_SCALE("0.0064"),
    CERTIFIED_ROW_DIM("1", "the number of outcomes"),
    CERTIFIED_ROW_C("1", "14 horizon^2"),
    EPISODIC_ROW_STAGES("shared"),
    EPISODIC_ROW_TIES,
};

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  const certified_defaults defaults = {.scale = 0.0064,
                                       .dim = 1,
                                       .theory_dim = learner_outcomes(shape),
                                       .c = 1,
                                       .theory_c = far__bpi_ucbvi_c((double)shape->horizon)};
  return certified_resolve(spec, shape, &defaults, error);
}

static void advise(const far__spec *spec, const far_shape *shape, const far__advice *advice) {
  certified_advise(spec, shape, learner_outcomes(shape), far__bpi_ucbvi_c((double)shape->horizon),
                   advice);
}

/* Own words: 1 once stopped; V-low and G of (h, s) and the end; Q-low and G of the actions of one state. */
typedef struct bpi {
  episodic e;
  far__episodic_problem problem;
  double *low, *wide;
  double *low_of, *wide_of; /* of n_actions */
} bpi;

static size_t own_words(const far_shape *shape) {
  return 1 + 2 * episodic_table(shape) + 2 * (size_t)shape->n_actions;
}

static bpi view_of(far_agent *agent) {
  bpi b = {.e = episodic_of(agent)};
  b.problem = episodic_problem(b.e.p, &agent->shape);
  b.low = b.e.own + 1;
  b.wide = b.low + episodic_table(&agent->shape);
  b.low_of = b.wide + episodic_table(&agent->shape);
  b.wide_of = b.low_of + agent->shape.n_actions;
  return b;
}

static size_t state_size(const far_shape *shape, const void *p) {
  return episodic_size(shape, p, own_words(shape));
}

static void init(far_agent *agent) {
  episodic_init(agent);
  const bpi b = view_of(agent);
  for (int64_t h = 0; h <= b.e.horizon; ++h) {
    double *low = episodic_at(&b.e, b.low, h), *wide = episodic_at(&b.e, b.wide, h);
    for (uint32_t s = 0; s < b.e.n_states; ++s)
      if (far_shape_is_live(&agent->shape, s)) wide[s] = episodic_top(&b.e, h);
    low[b.e.n_states] = episodic_v(&b.e, h)[b.e.n_states];
  }
}

/* d = 3 sqrt(Var(V~_{h+1}) beta^star/n),  t = c beta/n,  rho, the width of the mean reward (Maurer & Pontil 2009, Theorem 4)
 * b = d + t + rho + P^ (V~_{h+1} - V-low_{h+1})/H
 * Q~ = min(H - h, r^ + P^ V~_{h+1} + b),  Q-low = max(0, r^ + P^ V-low_{h+1} - b)
 * G = min(H - h, 2 d + 18 t/7 + 2 rho + (1 + 3/H) P^ G_{h+1});  n = 0: H - h, 0, H - h */
static double backup(const void *context, int64_t h, size_t i, const double *v) {
  const bpi *b = context;
  const episodic *e = &b->e;
  const episodic_params *p = e->p;
  const size_t at = episodic_row(e, h, i), a = i % e->n_actions;
  const double top = episodic_top(e, h), steps = (double)e->horizon;
  b->low_of[a] = 0;
  b->wide_of[a] = top;
  if (e->pair[at].n == 0) return top;
  const far__row row = episodic_arcs(e, &e->pair[at]);
  const double n = row.total, reward = e->pair[at].sum / n, mean = episodic_mean(&row, v);
  const double low = episodic_mean(&row, episodic_at(e, b->low, h + 1));
  const double wide = episodic_mean(&row, episodic_at(e, b->wide, h + 1));

  const double star = p->scale * far__certified_rate(b->problem, n, 1);
  const double beta = p->scale * far__certified_rate(b->problem, n, p->dim);
  const double of_reward = p->scale * far__certified_rate(b->problem, n, 2);
  const double deviation = 3 * sqrt(episodic_variance(&row, v, mean) * star / n);
  const double tail = p->c * beta / n;
  const double rho = sqrt(2 * episodic_reward_variance(e, at) * of_reward / n) +
                     7.0 / 3 * of_reward / fmax(n - 1, 1);

  const double bonus = deviation + tail + rho + (mean - low) / steps;
  b->low_of[a] = fmax(0, reward + low - bonus);
  b->wide_of[a] = fmin(top, 2 * deviation + 18 * tail / 7 + 2 * rho + (1 + 3 / steps) * wide);
  return fmin(top, reward + mean + bonus);
}

/* V-low_h(s) = max_a Q-low_h(s,a);  G_h(s) = G_h(s, pi(s)), the greatest of all greedy actions */
static void settle(const void *context, int64_t h, uint32_t s) {
  const bpi *b = context;
  const episodic *e = &b->e;
  const double *q = e->q + ((size_t)h * e->n_states + s) * e->n_actions;
  const double best = episodic_v(e, h)[s];
  double wide = 0;
  for (uint32_t a = 0; a < e->n_actions; ++a)
    if (q[a] == best) wide = fmax(wide, b->wide_of[a]);
  episodic_at(e, b->wide, h)[s] = wide;
  episodic_at(e, b->low, h)[s] = far__max(b->low_of, e->n_actions);
}

/* G_0 at the start; of several starts the greatest. */
static bool certificate(const far_agent *agent, double *bound) {
  const bpi b = view_of((far_agent *)agent); /* only read through */
  return episodic_start_gap(agent, b.wide, NULL, bound);
}

/* The step enters the data; after an episode the bounds are computed again, and the agent stops if G_0 <= eps. */
static void observe(far_agent *agent, const far_transition *step) {
  bpi b = view_of(agent);
  double bound;
  if (certified_stopped_in(&b.e)) return;
  episodic_enter(&b.e, step);
  if (!episodic_due(&b.e, step)) return;
  episodic_plan(&b.e, backup, settle, &b);
  if (certificate(agent, &bound)) certified_judge(&b.e, bound);
}

static bool valid(const far_agent *agent) {
  const bpi b = view_of((far_agent *)agent); /* only read through */
  const double most = (double)b.e.horizon;
  return episodic_valid(agent) && (b.e.own[0] == 0 || b.e.own[0] == 1) &&
         certified_within(b.low, own_words(&agent->shape) - 1, most);
}

const far__agent_type far__bpi_ucbvi = {
    .info =
        {.name = "bpi-ucbvi",
         .summary = "Best policy identification: explores by upper values, stops with a "
                    "certified policy",
         .reference =
             "Menard, Domingues, Jonsson, Kaufmann, Leurent & Valko, Fast active learning for "
             "pure exploration in reinforcement learning, arXiv 2007.13442, 2020",
         .guarantee =
             "with preset=theory: stops after O~(H^3 S A/eps^2) episodes with a policy that loses "
             "at most eps in an episode, probability 1-delta; finite horizon",
         .model_based = true,
         .finite_horizon = true,
         .params = params,
         .n_params = sizeof params / sizeof *params},
    .params_size = sizeof(episodic_params),
    .by_step = true,
    .resolve = resolve,
    .advise = advise,
    .state_size = state_size,
    .pool_need = episodic_need,
    .init = init,
    .act = episodic_act,
    .observe = observe,
    .value = episodic_value,
    .policy = episodic_policy,
    .certificate = certificate,
    .stopped = certified_stopped,
    .valid = valid,
    .links_steps = true,
};
