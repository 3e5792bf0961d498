/* UCRL2, Jaksch, Ortner & Auer 2010: the policy of largest average reward among all models within
 * confidence sets, kept until the visits of a pair have doubled. Average reward: there is no
 * discount, and the end of an episode is a transition to the next start. docs/agents.md, "ucrl2". */
#include "agents/learner.h"
#include "farsight/math.h"
#include "plan/optimistic.h"

static const far_param params[] = {
    FAR__ROW_PRESET(learner_params, "practical|theory", "practical, or theory (scale = 1)"),
    {.name = "delta",
     .kind = FAR_PARAM_REAL,
     .fallback = "0.1",
     FAR__UNIT_OPEN,
     LEARNER_AT(delta),
     .help = "probability with which the bound on the regret may fail"},
    {.name = "scale",
     .kind = FAR_PARAM_REAL,
     .derived = true,
     .fallback = "0.04",
     FAR__NOT_NEGATIVE,
     LEARNER_AT(scale),
     .help = "factor on both confidence widths; 1 as in the paper"},
    FAR__ROW_TIES(learner_params),
};

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  learner_params *p = (learner_params *)spec->values;
  (void)shape;
  (void)error;
  far__spec_hide(spec, offsetof(learner_params, preset));
  if (!LEARNER_GIVEN(scale)) p->scale = p->preset == PRESET_THEORY ? 1 : 0.04;
  return FAR_OK; /* gamma stays 0: nothing is discounted */
}

static void advise(const far__spec *spec, const far_shape *shape, const far__advice *advice) {
  const learner_params *p = (const learner_params *)spec->values;
  (void)shape;
  learner_advise_least(advice, "scale", p->scale, 1);
}

enum { NOTHING = -1, CUT = -2, MOST_SWEEPS = 10000 };

/* Own words: this, then the visits of every pair when the present episode began. */
typedef struct ucrl2_state {
  int64_t
      pending; /* the pair whose transition ended an episode; CUT after one that was cut off, whose
                      start is still to be seen; or NOTHING */
  double reward; /* that it earned, shifted */
} ucrl2_state;

typedef struct ucrl2_view {
  learner l;
  ucrl2_state *state;
  double *base;
  double *next_v;  /* scratch: values after the sweep */
  uint32_t *order; /* scratch: the order of a row */
  double reward_width, l1_width;
  uint64_t best;
} ucrl2_view;

static ucrl2_view view_of(far_agent *agent) {
  ucrl2_view u = {.l = learner_of(agent)};
  u.state = (ucrl2_state *)u.l.own;
  u.base = (double *)(u.state + 1);
  return u;
}

static size_t state_size(const far_shape *shape, const void *values) {
  (void)values;
  const size_t pairs = (size_t)shape->n_states * shape->n_actions;
  return learner_size(shape, sizeof(ucrl2_state) / 8 + pairs);
}

/* A transition and one that was pending; values and an order as scratch. */
static size_t need(const far_agent *agent) {
  return learner_growth(agent, 2) + agent->shape.n_states + agent->shape.n_states / 2 + 1;
}

/* The first episode: every unvisited pair earns the maximum. */
static void init(far_agent *agent) {
  const ucrl2_view u = view_of(agent);
  u.state->pending = NOTHING;
  for (size_t i = 0; i < u.l.n_pairs; ++i)
    u.l.q[i] = learner_can_follow(&u.l, i / u.l.n_actions) ? u.l.range : 0;
  u.l.v[u.l.n_states] = u.l.end; /* no row leads there, but learner_valid looks for it */
}

/* The value of a pair in the best model within the confidence sets. */
static double back_up(const ucrl2_view *u, size_t i) {
  const learner *l = &u->l;
  const learner_pair *pair = &l->pair[i];
  if (pair->n == 0) return l->range + l->v[u->best];
  const double root = sqrt(pair->n);
  const double reward = fmin(l->range, pair->sum / pair->n + u->reward_width / root);
  const far__row row = learner_row(l, pair);
  return reward + far__l1_best(&row, u->l1_width / root, l->v, u->best, u->order);
}

static bool is_live(const ucrl2_view *u, uint32_t s) {
  return far_shape_is_live(&u->l.agent->shape, s);
}

/* One sweep of extended value iteration; the span of the change, 0 once it is told to stop. */
static double sweep(ucrl2_view *u, far__patience *patience) {
  learner *l = &u->l;
  double least = INFINITY, most = -INFINITY, lowest = INFINITY;
  u->best = UINT64_MAX;
  for (uint32_t s = 0; s < l->n_states; ++s)
    if (is_live(u, s) && (u->best == UINT64_MAX || l->v[s] > l->v[u->best])) u->best = s;
  for (uint32_t s = 0; s < l->n_states; ++s) {
    if (!is_live(u, s)) continue;
    double *q = l->q + (size_t)s * l->n_actions;
    for (uint32_t a = 0; a < l->n_actions; ++a) q[a] = back_up(u, (size_t)s * l->n_actions + a);
    u->next_v[s] = far__max(q, l->n_actions);
    least = fmin(least, u->next_v[s] - l->v[s]);
    most = fmax(most, u->next_v[s] - l->v[s]);
    lowest = fmin(lowest, u->next_v[s]);
    if (far__patience_over(patience, l->n_actions)) return 0;
  }
  for (uint32_t s = 0; s < l->n_states; ++s)
    if (is_live(u, s)) l->v[s] = u->next_v[s] - lowest;
  return most - least;
}

static void begin_episode(ucrl2_view *u, int64_t counted) {
  learner *l = &u->l;
  const double t = (double)counted + 1, delta = l->p->delta;
  const double S = l->n_live, A = l->n_actions;
  u->reward_width = l->p->scale * l->range * sqrt(3.5 * far_log(2 * S * A * t / delta));
  u->l1_width = l->p->scale * sqrt(14 * S * far_log(2 * A * t / delta));
  u->next_v = learner_scratch(l);
  u->order = (uint32_t *)(u->next_v + l->n_states);
  for (uint32_t s = 0; s < l->n_states; ++s) l->v[s] = 0;
  far__patience patience = far__patience_with(l->agent->stop);
  for (int i = 0; i < MOST_SWEEPS && sweep(u, &patience) >= l->range / sqrt(t); ++i) continue;
  for (size_t i = 0; i < l->n_pairs; ++i) u->base[i] = l->pair[i].n;
}

/* Has an action that the policy may take in s been visited as often as before the episode? */
static bool doubled(const ucrl2_view *u, uint32_t s) {
  const size_t first = (size_t)s * u->l.n_actions;
  const double best = far__max(u->l.q + first, u->l.n_actions);
  for (size_t i = first; i < first + u->l.n_actions; ++i)
    if (u->l.q[i] == best && u->l.pair[i].n - u->base[i] >= fmax(1, u->base[i])) return true;
  return false;
}

static void observe(far_agent *agent, const far_transition *step) {
  ucrl2_view u = view_of(agent);
  learner *l = &u.l;
  if (u.state->pending >= 0) learner_add(l, &l->pair[u.state->pending], step->s, u.state->reward);
  if (u.state->pending != NOTHING && doubled(&u, step->s)) begin_episode(&u, agent->t - 1);
  const size_t i = learner_index(l, step);
  u.state->pending = step->done ? (int64_t)i : step->cut ? CUT : NOTHING;
  u.state->reward = step->done ? step->r - l->low : 0;
  if (step->done) return; /* counted when the next start is seen */
  learner_add(l, &l->pair[i], step->next, step->r - l->low);
  if (!step->cut && doubled(&u, step->next)) begin_episode(&u, agent->t);
}

/* Relative values: they are neither shifted nor discounted. */
static bool value(const far_agent *agent, far_value kind, size_t i, double *out) {
  const learner l = learner_of((far_agent *)agent); /* only read through */
  if (kind != FAR_VALUE_Q) return learner_value(agent, kind, i, out);
  *out = l.q[i];
  return true;
}

static bool valid(const far_agent *agent) {
  const ucrl2_view u = view_of((far_agent *)agent);
  bool good = learner_valid(agent) && u.state->pending >= CUT &&
              u.state->pending < (int64_t)u.l.n_pairs && u.state->reward >= 0 &&
              u.state->reward <= u.l.range;
  for (size_t i = 0; good && i < u.l.n_pairs; ++i)
    good = u.base[i] >= 0 && u.base[i] <= u.l.pair[i].n;
  return good;
}

const far__agent_type far__ucrl2 = {
    .info =
        {.name = "ucrl2",
         .summary = "UCRL2: optimism for average reward, in episodes that double the visits",
         .reference =
             "Jaksch, Ortner & Auer, Near-optimal Regret Bounds for Reinforcement Learning, JMLR "
             "11, 2010",
         .guarantee = "regret at most 34 range D S sqrt(A T ln(T/delta)) with preset=theory; "
                      "average reward, "
                      "communicating (diameter D)",
         .model_based = true,
         .params = params,
         .n_params = sizeof params / sizeof *params},
    .params_size = sizeof(learner_params),
    .resolve = resolve,
    .advise = advise,
    .state_size = state_size,
    .pool_need = need,
    .init = init,
    .act = learner_act,
    .observe = observe,
    .value = value,
    .policy = learner_policy,
    .valid = valid,
    .links_steps = true,
};
