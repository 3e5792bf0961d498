/* UCBVI: value iteration on the estimated model with an exploration bonus, by steps.
 *
 *   Azar, Osband & Munos, Minimax Regret Bounds for Reinforcement Learning, ICML 2017: algorithms 1 and
 *   2, the bonuses of algorithm 3 (UCBVI-CH, bonus=hoeffding) and 4 (UCBVI-BF, bonus=bernstein)
 *   Drago, Mussi & Metelli, A Refined Analysis of UCBVI, arXiv 2502.17370, 2025: constants=2025
 *
 * Symbols: Q_{k,h} q · V_{k,h} v · N_k(x,a) pair->n · N'_{k,h}(x) seen · L l · H horizon.
 * The papers know the rewards; here they are estimated, and bonus=bernstein has a width for them.
 * docs/agents.md, "ucbvi". */
#include "agents/episodic.h"

typedef enum ucbvi_bonus { BONUS_HOEFFDING, BONUS_BERNSTEIN } ucbvi_bonus;
typedef enum ucbvi_constants { CONSTANTS_2017, CONSTANTS_2025 } ucbvi_constants;

static const far_param params[] = {
    EPISODIC_ROW_PRESET,
    EPISODIC_ROW_DELTA,
    EPISODIC_ROW_EPISODES,
    FAR__ROW_CHOICE(episodic_params, bonus, "bernstein", "hoeffding|bernstein",
                    "UCBVI-CH, or UCBVI-BF with the variance of the next value"),
    FAR__ROW_CHOICE(episodic_params, constants, "2025", "2017|2025",
                    "of the paper, or the smaller ones of Drago, Mussi & Metelli"),
    EPISODIC_ROW_L("ln(5 S A K H/delta)"),
    EPISODIC_ROW_SCALE("0.05, bonus=hoeffding 0.01"),
    FAR__ROW_DERIVED(episodic_params, correction, "0", FAR__NOT_NEGATIVE,
                     "factor of the third term of bonus=bernstein; the theorem has 1"),
    EPISODIC_ROW_STAGES("shared"),
    EPISODIC_ROW_REPLAN,
    EPISODIC_ROW_TIES,
};

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  episodic_params *p = (episodic_params *)spec->values;
  const episodic_defaults defaults = {.practical_scale = p->bonus == BONUS_HOEFFDING ? 0.01 : 0.05,
                                      .theory_stages = STAGES_SHARED,
                                      .theory_l = far__ucbvi_l(episodic_problem(p, shape)),
                                      .has_episodes = true};
  if (!EPISODIC_GIVEN(correction)) p->correction = p->preset == EPISODIC_THEORY ? 1 : 0;
  const far_status status = episodic_resolve(spec, &defaults, error);
  if (status != FAR_OK) return status;
  const far__refusal rules[] = {{p->bonus == BONUS_HOEFFDING, offsetof(episodic_params, correction),
                                 "it applies only with bonus=bernstein"}};
  return far__refuse(spec, rules, 1, error);
}

static void advise(const far__spec *spec, const far_shape *shape, const far__advice *advice) {
  const episodic_params *p = (const episodic_params *)spec->values;
  episodic_advise_least(p, far__ucbvi_l(episodic_problem(p, shape)), advice);
  episodic_advise_cost(spec, shape, advice);
}

/* Factors of the terms of the bonuses, and what they multiply. */
typedef struct ucbvi_factors {
  double hoeffding; /* H L/sqrt(n) */
  double variance;  /* under the root: L Var/n */
  double range;     /* H L/n, or H L/(n-1) */
  double cap;       /* H^3 S^2 A L^2/N' */
  double error;     /* under the root: its mean/n */
} ucbvi_factors;

static const ucbvi_factors FACTORS[] = {
    [CONSTANTS_2017] = {7, 8, 14.0 / 3, 100 * 100, 8},
    [CONSTANTS_2025] = {2, 4, 7.0 / 3, 84 * 84, 4},
};

typedef struct ucbvi {
  episodic e;
  const ucbvi_factors *f;
  double error_unit; /* cap H^3 S^2 A L^2 */
} ucbvi;

static ucbvi view_of(far_agent *agent) {
  ucbvi u = {.e = episodic_of(agent)};
  const double h = (double)u.e.horizon, s = agent->n_live, l = u.e.p->l;
  u.f = &FACTORS[u.e.p->constants];
  u.error_unit = u.f->cap * (h * h * h) * (s * s) * u.e.n_actions * (l * l);
  return u;
}

/* The mean over the successors y of min(cap H^3 S^2 A L^2/N'_{h+1}(y), H^2), a bound on the squared error of V_{h+1}. It is 0
 * where V_{h+1} is known: at the end and after the last step. */
static double next_error(const ucbvi *u, int64_t h, const far__row *row) {
  const episodic *e = &u->e;
  const double most = (double)e->horizon * (double)e->horizon;
  if (h + 1 == e->horizon) return 0;
  const double *seen = e->seen + (size_t)(h + 1) * e->n_states;
  double sum = 0;
  for (size_t k = 0; k < row->count; ++k) {
    const uint64_t y = row->arc[k].next;
    if (y == e->n_states) continue;
    sum += row->arc[k].weight * (seen[y] > 0 ? fmin(u->error_unit / seen[y], most) : most);
  }
  return sum / row->total;
}

/* Algorithm 4: b = sqrt(8 L Var(V_{h+1})/N) + 14 H L/(3 N) + sqrt(8 error/N), in the constants of 2017; and the width of the
 * mean reward (Maurer & Pontil 2009, Theorem 4). */
static double bernstein(const ucbvi *u, int64_t h, size_t i, const far__row *row, double mean,
                        const double *v) {
  const episodic *e = &u->e;
  const double l = e->p->l, n = row->total, less = fmax(n - 1, 1);
  const double fewer = e->p->constants == CONSTANTS_2017 ? n : less;
  const double variance = episodic_variance(row, v, mean);
  double bonus = sqrt(u->f->variance * l * variance / n);
  bonus += u->f->range * (double)e->horizon * l / fewer;
  if (e->p->correction > 0)
    bonus += e->p->correction * sqrt(u->f->error * next_error(u, h, row) / n);
  bonus += sqrt(2 * l * episodic_reward_variance(e, i) / n);
  return bonus + 7.0 / 3 * l / less;
}

/* Algorithm 2: Q_{k,h} = min(Q_{k-1,h}, H - h, r + P^ V_{k,h+1} + b), b by Algorithm 3 or 4;  N = 0: H - h */
static double backup(const void *context, int64_t h, size_t i, const double *v) {
  const ucbvi *u = context;
  const episodic *e = &u->e;
  const size_t at = episodic_row(e, h, i);
  const learner_pair *pair = &e->pair[at];
  const double old = e->q[(size_t)h * e->n_pairs + i];
  if (pair->n == 0) return old;
  const far__row row = episodic_arcs(e, pair);
  const double mean = episodic_mean(&row, v);
  const double bonus = e->p->bonus == BONUS_HOEFFDING
                           ? u->f->hoeffding * (double)e->horizon * e->p->l / sqrt(pair->n)
                           : bernstein(u, h, at, &row, mean, v);
  return fmin(old, pair->sum / pair->n + mean + e->p->scale * bonus);
}

/* Algorithm 1: the step enters the data; after an episode Q is computed again. */
static void observe(far_agent *agent, const far_transition *step) {
  ucbvi u = view_of(agent);
  episodic_enter(&u.e, step);
  if (episodic_due(&u.e, step)) episodic_plan(&u.e, backup, NULL, &u);
}

const far__agent_type far__ucbvi = {
    .info = {.name = "ucbvi",
             .summary =
                 "UCBVI: optimistic value iteration by steps, with Hoeffding or Bernstein bonus",
             .reference =
                 "Azar, Osband & Munos, Minimax Regret Bounds for Reinforcement Learning, ICML "
                 "2017; Drago, Mussi & Metelli, arXiv 2502.17370, 2025",
             .guarantee =
                 "regret with preset=theory: O~(sqrt(H^2 S A K)) in K episodes from about H^2 "
                 "S^3 A on, bonus=hoeffding O~(sqrt(H^3 S A K)); finite horizon",
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
