/* ORLC, optimistic RL with certificates: upper bounds on the best values and lower bounds on those of its
 * policy, whose difference at the start is the certificate.
 *
 *   Dann, Li, Wei & Brunskill, Policy Certificates: Towards Accountable Reinforcement Learning, ICML
 *   2019, Algorithm 1
 *
 * Symbols: n_k(s,a) pair->n · phi · psi~, psi-low half_width · Q~, V~ q, v · V-low low · eps_k certificate ·
 * ln(26 S A (H+1+S)/delta) l. docs/agents.md, "orlc". */
#include "agents/episodic.h"
#include "agents/learner.h"

static const far_param params[] = {
    EPISODIC_ROW_PRESET,
    EPISODIC_ROW_DELTA,
    EPISODIC_ROW_L("ln(26 S A (H+1+S)/delta)"),
    EPISODIC_ROW_SCALE("0.05"),
    FAR__ROW_DERIVED(episodic_params, correction, "1/(45 S H)", FAR__NOT_NEGATIVE,
                     "factor of the terms with 1/n; the theorem has 1"),
    EPISODIC_ROW_STAGES("shared"),
    EPISODIC_ROW_REPLAN,
    EPISODIC_ROW_TIES,
};

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  episodic_params *p = (episodic_params *)spec->values;
  const episodic_defaults defaults = {.practical_scale = 0.05,
                                      .theory_stages = STAGES_SHARED,
                                      .theory_l = far__orlc_l(episodic_problem(p, shape))};
  if (!EPISODIC_GIVEN(correction))
    p->correction = p->preset == EPISODIC_THEORY
                        ? 1
                        : 1 / (45.0 * far_shape_live(shape) * (double)shape->horizon);
  return episodic_resolve(spec, &defaults, error);
}

static void advise(const far__spec *spec, const far_shape *shape, const far__advice *advice) {
  const episodic_params *p = (const episodic_params *)spec->values;
  if (p->correction < 1)
    learner_advise_least(advice, "correction", p->correction, 1);
  else
    episodic_advise_least(p, far__orlc_l(episodic_problem(p, shape)), advice);
  episodic_advise_cost(spec, shape, advice);
}

/* Own words: the lower bounds V-low of (h, s) and the end, laid out as v. */
typedef struct orlc {
  episodic e;
  double *low;
  double second; /* correction S H^2 */
} orlc;

static orlc view_of(far_agent *agent) {
  orlc o = {.e = episodic_of(agent)};
  const double h = (double)o.e.horizon;
  o.low = o.e.own;
  o.second = o.e.p->correction * agent->n_live * (h * h);
  return o;
}

static size_t state_size(const far_shape *shape, const void *values) {
  return episodic_size(shape, values, episodic_table(shape));
}

static void init(far_agent *agent) {
  const orlc o = view_of(agent);
  episodic_init(agent);
  for (int64_t h = 0; h <= o.e.horizon; ++h) {
    const double *v = episodic_v(&o.e, h);
    double *low = episodic_at(&o.e, o.low, h);
    for (uint32_t s = 0; s <= o.e.n_states; ++s)
      low[s] = s < o.e.n_states && far_shape_is_live(&agent->shape, s) ? 0 : v[s];
  }
}

/* psi = (1 + sqrt(12) sigma(V)) phi + c S H^2 phi^2 + P^ (V~_{h+1} - V-low_{h+1})/H, with c = 45 above and 31 below;
 * phi = min(1, sqrt(0.52/n (1.4 ln ln max(e, 2n) + L))) */
static double half_width(const orlc *o, int64_t h, const far__row *row, const double *v,
                         double mean, double c) {
  const double n = row->total;
  const double phi = fmin(1, sqrt(0.52 / n * (1.4 * far__ln_ln(2 * n) + o->e.p->l)));
  const double sigma = sqrt(episodic_variance(row, v, mean));
  const double above = episodic_mean(row, episodic_v(&o->e, h + 1));
  const double below = episodic_mean(row, episodic_at(&o->e, o->low, h + 1));
  const double own = (1 + sqrt(12) * sigma) * phi + c * o->second * (phi * phi);
  return o->e.p->scale * own + (above - below) / (double)o->e.horizon;
}

/* Q~_h(s,a) = min(H - h, r^ + P^ V~_{h+1} + psi~);  n = 0: H - h */
static double backup(const void *context, int64_t h, size_t i, const double *v) {
  const orlc *o = context;
  const learner_pair *pair = &o->e.pair[episodic_row(&o->e, h, i)];
  const double top = episodic_top(&o->e, h);
  if (pair->n == 0) return top;
  const far__row row = episodic_arcs(&o->e, pair);
  const double mean = episodic_mean(&row, v);
  return fmin(top, pair->sum / pair->n + mean + half_width(o, h, &row, v, mean, 45));
}

/* Q-low_h(s,a) = max(0, r^ + P^ V-low_{h+1} - psi-low);  n = 0: 0 */
static double lower(const orlc *o, int64_t h, size_t i) {
  const learner_pair *pair = &o->e.pair[episodic_row(&o->e, h, i)];
  if (pair->n == 0) return 0;
  const double *v = episodic_at(&o->e, o->low, h + 1);
  const far__row row = episodic_arcs(&o->e, pair);
  const double mean = episodic_mean(&row, v);
  return fmax(0, pair->sum / pair->n + mean - half_width(o, h, &row, v, mean, 31));
}

/* V-low_h(s) = Q-low_h(s, pi(s)), the least of all greedy actions, since `ties` may take any of them. */
static void settle(const void *context, int64_t h, uint32_t s) {
  const orlc *o = context;
  const size_t first = (size_t)s * o->e.n_actions;
  const double *q = o->e.q + (size_t)h * o->e.n_pairs + first, best = episodic_v(&o->e, h)[s];
  double least = INFINITY;
  for (uint32_t a = 0; a < o->e.n_actions; ++a)
    if (q[a] == best) least = fmin(least, lower(o, h, first + a));
  episodic_at(&o->e, o->low, h)[s] = least;
}

/* The step enters the data; after an episode both bounds are computed again. */
static void observe(far_agent *agent, const far_transition *step) {
  orlc o = view_of(agent);
  episodic_enter(&o.e, step);
  if (episodic_due(&o.e, step)) episodic_plan(&o.e, backup, settle, &o);
}

/* eps_k = V~_0 - V-low_0 at the start; of several starts the greatest. */
static bool certificate(const far_agent *agent, double *bound) {
  const orlc o = view_of((far_agent *)agent); /* only read through */
  return episodic_start_gap(agent, episodic_v(&o.e, 0), o.low, bound);
}

static bool valid(const far_agent *agent) {
  const orlc o = view_of((far_agent *)agent); /* only read through */
  const size_t n = episodic_table(&agent->shape);
  bool good = episodic_valid(agent);
  for (size_t i = 0; good && i < n; ++i) good = o.low[i] - o.low[i] == 0;
  return good;
}

const far__agent_type far__orlc = {
    .info =
        {.name = "orlc",
         .summary = "ORLC: optimism by steps with a certificate for the policy of every episode",
         .reference = "Dann, Li, Wei & Brunskill, Policy Certificates: Towards Accountable "
                      "Reinforcement Learning, ICML 2019",
         .guarantee =
             "certificates with preset=theory: they bound the loss of every episode, and all but "
             "O~(S A H^2/eps^2 + S^2 A H^3/eps) of them are at most eps; finite horizon",
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
    .valid = valid,
    .links_steps = true,
};
