/* UBEV: optimistic value iteration by steps, with widths that hold at all times at once (the law of the
 * iterated logarithm), so that its mistakes are few for every accuracy: uniform PAC.
 *
 *   Dann, Lattimore & Brunskill, Unifying PAC and Regret: Uniform PAC Bounds for Episodic Reinforcement
 *   Learning, NIPS 2017, Algorithm 1
 *
 * Symbols: n(s,a,t) pair->n · phi width · V~_t v · ln(18 S A H/delta) l. docs/agents.md, "ubev". */
#include "agents/episodic.h"

static const far_param params[] = {
    EPISODIC_ROW_PRESET,
    EPISODIC_ROW_DELTA,
    EPISODIC_ROW_L("ln(18 S A H/delta)"),
    EPISODIC_ROW_SCALE("0.1"),
    EPISODIC_ROW_STAGES("shared; preset=theory: apart"),
    EPISODIC_ROW_REPLAN,
    EPISODIC_ROW_TIES,
};

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  const episodic_params *p = (const episodic_params *)spec->values;
  const episodic_defaults defaults = {.practical_scale = 0.1,
                                      .theory_stages = STAGES_APART,
                                      .theory_l = far__ubev_l(episodic_problem(p, shape))};
  return episodic_resolve(spec, &defaults, error);
}

static void advise(const far__spec *spec, const far_shape *shape, const far__advice *advice) {
  const episodic_params *p = (const episodic_params *)spec->values;
  episodic_advise_least(p, far__ubev_l(episodic_problem(p, shape)), advice);
  episodic_advise_cost(spec, shape, advice);
}

typedef struct ubev {
  episodic e;
  int64_t at;  /* the step for which `best` has been computed */
  double best; /* max V~_{t+1} over the possible outcomes */
} ubev;

/* max V~_{t+1}, computed once for each step. */
static double best_next(ubev *u, int64_t h, const double *v) {
  if (u->at == h) return u->best;
  u->at = h;
  u->best = 0;
  for (uint64_t y = 0; y <= u->e.n_states; ++y)
    if (rows_can_follow(&u->e.agent->shape, y)) u->best = fmax(u->best, v[y]);
  return u->best;
}

/* Q_t(s,a) = min(1, r^ + phi) + min(max V~_{t+1}, P^ V~_{t+1} + (H - t) phi),  phi = sqrt((2 ln ln max(e, n) + L)/n);
 * n = 0: 1 + max V~_{t+1} */
static double backup(const void *context, int64_t h, size_t i, const double *v) {
  ubev *u = (ubev *)context; /* it keeps `best` between calls */
  const episodic *e = &u->e;
  const learner_pair *pair = &e->pair[episodic_row(e, h, i)];
  const double best = best_next(u, h, v), n = pair->n;
  if (n == 0) return 1 + best;
  const far__row row = episodic_arcs(e, pair);
  const double width = e->p->scale * sqrt((2 * far__ln_ln(n) + e->p->l) / n);
  const double reward = fmin(1, pair->sum / n + width);
  return reward + fmin(best, episodic_mean(&row, v) + episodic_top(e, h + 1) * width);
}

/* The step enters the data; after an episode Q is computed again. */
static void observe(far_agent *agent, const far_transition *step) {
  ubev u = {.e = episodic_of(agent), .at = -1};
  episodic_enter(&u.e, step);
  if (episodic_due(&u.e, step)) episodic_plan(&u.e, backup, NULL, &u);
}

const far__agent_type far__ubev = {
    .info = {.name = "ubev",
             .summary = "UBEV: optimism by steps with widths that hold at all times; uniform PAC",
             .reference =
                 "Dann, Lattimore & Brunskill, Unifying PAC and Regret: Uniform PAC Bounds "
                 "for Episodic Reinforcement Learning, NIPS 2017",
             .guarantee =
                 "uniform PAC with preset=theory: O~(S A H^4/eps^2 min(1 + eps S^2 A, S)) episodes "
                 "worse than eps, for all eps at once; finite horizon",
             .model_based = true,
             .finite_horizon = true,
             .params = params,
             .n_params = sizeof params / sizeof *params},
    .params_size = sizeof(episodic_params),
    .by_step = true,
    .resolve = resolve,
    .advise = advise,
    .state_size = episodic_state_size,
    .pool_need = episodic_need,
    .init = episodic_init,
    .act = episodic_act,
    .observe = observe,
    .value = episodic_value,
    .policy = episodic_policy,
    .valid = episodic_valid,
    .links_steps = true,
};
