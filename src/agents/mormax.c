/* MoRmax, modified R-max: a pair's row of the model is estimated again from every m further samples, and the new row is kept if
 * it does not raise the pair's value.
 *
 *   Szita & Szepesvari, Model-based reinforcement learning with nearly tight exploration complexity bounds, ICML 2010
 *
 * Symbols: n, P, R of the present batch pair, of the stored model stored · Q^ q · Q_prev before · m · eps_1 = eps (1 - gamma).
 * docs/agents.md, "mormax". */
#include "agents/learner.h"

#include <string.h>

static const far_param params[] = {
    LEARNER_THEORY_ROWS,
    FAR__ROW_M(learner_params, "20", "samples of a batch"),
    FAR__ROW_DERIVED(learner_params, eps1, "(1-gamma) range", FAR__NOT_NEGATIVE,
                     "a pair is tried again once its value has fallen by more than this"),
    LEARNER_PLAN_ROWS,
};

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  learner_params *p = (learner_params *)spec->values;
  const far_status status = learner_resolve_preset(spec, shape, error);
  if (status != FAR_OK) return status;
  const bool theory = p->preset == PRESET_THEORY;
  const far__problem problem = learner_problem(p, shape);
  if (!LEARNER_GIVEN(eps1)) p->eps1 = (theory ? p->eps : problem.range) * (1 - p->gamma);
  return learner_count_param(spec, offsetof(learner_params, m),
                             theory ? far__mormax_m(problem, p->eps, p->delta) : 20, error);
}

static void advise(const far__spec *spec, const far_shape *shape, const far__advice *advice) {
  const learner_params *p = (const learner_params *)spec->values;
  const double least = far__mormax_m(learner_problem(p, shape), p->eps, p->delta);
  learner_advise_least(advice, "m", (double)p->m, least);
}

/* The learner's pairs are the batches. Own words: the stored rows, the value at the last attempt
 * (above every value before there was one), and room for a copy of q and v. */
typedef struct mormax_view {
  learner l;
  learner_pair *stored;
  double *before, *copy;
} mormax_view;

static mormax_view view_of(far_agent *agent) {
  mormax_view w = {.l = learner_of(agent)};
  w.stored = (learner_pair *)w.l.own;
  w.before = (double *)(w.stored + w.l.n_pairs);
  w.copy = w.before + w.l.n_pairs;
  return w;
}

static size_t state_size(const far_shape *shape, const void *params_) {
  (void)params_;
  const size_t pairs = (size_t)shape->n_states * shape->n_actions;
  return learner_size(shape, pairs * (sizeof(learner_pair) / 8 + 2) + shape->n_states);
}

static void init(far_agent *agent) {
  const mormax_view w = view_of(agent);
  learner_init(agent);
  for (size_t i = 0; i < w.l.n_pairs; ++i) w.before[i] = INFINITY;
}

/* Q^(s,a) = R + gamma sum_s' P(s') V^(s') by the stored row;  no row: V_max */
static double backup(const void *context, size_t i, const double *v) {
  const mormax_view *w = context;
  const learner_pair *pair = &w->stored[i];
  if (pair->n == 0) return w->l.v_max;
  const far__row row = learner_row(&w->l, pair);
  return (pair->sum + w->l.p->gamma * far__row_dot(&row, v)) / pair->n;
}

static void swap_rows(learner_pair *x, learner_pair *y) {
  const learner_pair old = *x;
  *x = *y;
  *y = old;
}

/* The transition joins the batch of (s,a). If that has m transitions:
 *   if never tried, or Q_prev(s,a) - Q^(s,a) > eps_1:
 *     Q' <- solution of the stored model with the batch as row (s,a)
 *     if Q'(s,a) <= Q^(s,a): keep that row, Q^ <- Q';  else keep the old row
 *     Q_prev(s,a) <- Q^(s,a)
 *   the batch is emptied
 * A first batch is kept in any case. It replaces V_max, which no value exceeds, so that only rounding could say that the value
 * rose; and the pair would then never be tried again, as without a row it stays at V_max whatever else is learned. */
static void observe(far_agent *agent, const far_transition *step) {
  mormax_view w = view_of(agent);
  learner *l = &w.l;
  const size_t i = learner_index(l, step);
  learner_pair *batch = &l->pair[i];
  learner_observe(l, step);
  if (batch->n < (double)l->p->m) return;
  if (w.before[i] - l->q[i] > l->p->eps1) {
    const bool first = w.stored[i].n == 0;
    const size_t pairs_bytes = l->n_pairs * sizeof(double);
    const size_t states_bytes = l->n_states * sizeof(double);
    const double old = l->q[i];
    memcpy(w.copy, l->q, pairs_bytes);
    memcpy(w.copy + l->n_pairs, l->v, states_bytes);
    swap_rows(&w.stored[i], batch);
    const far__plan plan = learner_plan(l);
    far__plan_run(&plan, backup, NULL, &w, SIZE_MAX);
    if (!first && l->q[i] > old) {
      swap_rows(&w.stored[i], batch);
      memcpy(l->q, w.copy, pairs_bytes);
      memcpy(l->v, w.copy + l->n_pairs, states_bytes);
    }
    memset(w.copy, 0, pairs_bytes + states_bytes); /* scratch: equal states have equal words */
    w.before[i] = l->q[i];
  }
  batch->n = batch->sum = 0; /* its place in the pool is used again */
  batch->count = 0;
}

static bool valid(const far_agent *agent) {
  const mormax_view w = view_of((far_agent *)agent); /* only read through */
  bool good = learner_valid(agent) && learner_valid_rows(agent, w.stored);
  for (size_t i = 0; good && i < w.l.n_pairs; ++i)
    good = w.before[i] == w.before[i] && w.l.pair[i].n < (double)w.l.p->m;
  return good;
}

const far__agent_type far__mormax = {
    .info = {.name = "mormax",
             .summary = "MoRmax: rows of the model are estimated repeatedly from fresh batches",
             .reference =
                 "Szita & Szepesvari, Model-Based Reinforcement Learning with Nearly Tight "
                 "Exploration Complexity Bounds, ICML 2010",
             .guarantee = "PAC-MDP with preset=theory: O~(S A / (eps^2 (1-gamma)^6)) mistakes; "
                          "discounted, continuing or episodic",
             .model_based = true,
             .params = params,
             .n_params = sizeof params / sizeof *params},
    .params_size = sizeof(learner_params),
    .resolve = resolve,
    .advise = advise,
    .state_size = state_size,
    .pool_need = learner_need,
    .init = init,
    .act = learner_act,
    .observe = observe,
    .value = learner_value,
    .policy = learner_policy,
    .valid = valid,
};
