/* OIM, the optimistic initial model: every pair begins with one imagined transition to a state of greatest value, the paper's
 * "garden of Eden" x_E. The values of rewards and of exploration are kept apart; both are those of the policy that is greedy for
 * their sum.
 *
 *   Szita & Lorincz, The many faces of optimism: a unifying approach, ICML 2008
 *
 * Symbols: N(s,a) pair->n + 1 · Q^r, V^r q, v · Q^e, V^e eden_q, eden_v · the value of x_E ve. docs/agents.md, "oim". */
#include "agents/learner.h"
#include "base/text.h"

static const far_param params[] = {
    FAR__ROW_GAMMA(learner_params),
    FAR__ROW_DERIVED(learner_params, ve, "range/(1-gamma)", FAR__NOT_NEGATIVE,
                     "value of the imagined state, in units of value"),
    FAR__ROW_REPLAN(learner_params),
    LEARNER_PLAN_ROWS,
};

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  learner_params *p = (learner_params *)spec->values;
  if (!LEARNER_GIVEN(ve)) p->ve = (shape->reward_max - shape->reward_min) / (1 - p->gamma);
  p->m = INT64_MAX;
  return learner_resolve(spec, shape, error);
}

static void advise(const far__spec *spec, const far_shape *shape, const far__advice *advice) {
  const learner_params *p = (const learner_params *)spec->values;
  const double v_max = (shape->reward_max - shape->reward_min) / (1 - p->gamma);
  if (p->ve >= v_max * (1 - 1e-12))
    far__say(advice, false,
             "its bound is not guaranteed (ve = %.4g; in stochastic problems theory requires the "
             "order of Vmax^2/(eps (1-gamma)), Vmax = %.4g)",
             p->ve, v_max);
  else
    far__say(advice, false, "optimism is not guaranteed (ve = %.4g, values can be as large as %s)",
             p->ve, far__above(v_max).text);
}

/* q and v are those of rewards; own words: q and v of exploration, then visits at the last plan. */
typedef struct oim_view {
  learner l;
  double *eden_q, *eden_v, *planned;
} oim_view;

static oim_view view_of(far_agent *agent) {
  oim_view o = {.l = learner_of(agent)};
  o.eden_q = o.l.own;
  o.eden_v = o.eden_q + o.l.n_pairs;
  o.planned = o.eden_v + o.l.n_states + 1;
  return o;
}

static size_t state_size(const far_shape *shape, const void *params_) {
  (void)params_;
  const size_t pairs = (size_t)shape->n_states * shape->n_actions;
  return learner_size(shape, 2 * pairs + shape->n_states + 1);
}

static void init(far_agent *agent) {
  const oim_view o = view_of(agent);
  for (uint32_t s = 0; s < o.l.n_states; ++s)
    o.eden_v[s] = learner_can_follow(&o.l, s) ? o.l.p->ve : 0;
  for (size_t i = 0; i < o.l.n_pairs; ++i) o.eden_q[i] = o.eden_v[i / o.l.n_actions];
  o.l.v[o.l.n_states] = o.l.end;
}

/* Q^r + Q^e; `of` is a view whose tables begin at the state's row. */
static double sum(const void *of, uint32_t a) {
  const oim_view *row = of;
  return row->l.q[a] + row->eden_q[a];
}

static oim_view row_of(far_agent *agent, uint32_t s) {
  oim_view row = view_of(agent);
  row.l.q += (size_t)s * row.l.n_actions;
  row.eden_q += (size_t)s * row.l.n_actions;
  return row;
}

/* a <- argmax_a' Q^r(s,a') + Q^e(s,a') */
static uint32_t act(far_agent *agent, uint32_t s) {
  const oim_view row = row_of(agent, s);
  return far__greedy_by(sum, &row, row.l.n_actions, (far__ties)row.l.p->ties, &agent->rng);
}

/* Q^r(s,a) <- (sum of rewards + gamma sum_y n(s,a,y) V^r(y))/N(s,a)
 * Q^e(s,a) <- (V_E + gamma sum_y n(s,a,y) V^e(y))/N(s,a)
 * Returns the larger of the two changes. */
FAR__INLINE double renew(const far__plan *plan, far__backup *none, const void *context, size_t i) {
  (void)plan;
  (void)none;
  const oim_view *o = context;
  const learner_pair *pair = &o->l.pair[i];
  const double gamma = o->l.p->gamma, total = pair->n + 1;
  const double reward = (pair->sum + gamma * learner_dot(&o->l, pair, o->l.v)) / total;
  const double eden = (o->l.p->ve + gamma * learner_dot(&o->l, pair, o->eden_v)) / total;
  const double change = far__larger(fabs(reward - o->l.q[i]), fabs(eden - o->eden_q[i]));
  o->l.q[i] = reward;
  o->eden_q[i] = eden;
  return change;
}

/* a* <- argmax_a Q^r(s,a) + Q^e(s,a),  V^r(s) <- Q^r(s,a*),  V^e(s) <- Q^e(s,a*) */
FAR__INLINE far__motion settle(const far__plan *plan, const void *context, size_t s) {
  const oim_view *o = context;
  const size_t first = s * plan->n_actions;
  size_t best = first;
  for (size_t i = first + 1; i < first + plan->n_actions; ++i)
    if (o->l.q[i] + o->eden_q[i] > o->l.q[best] + o->eden_q[best]) best = i;
  const bool stays = o->l.v[s] == o->l.q[best] && o->eden_v[s] == o->eden_q[best];
  o->l.v[s] = o->l.q[best];
  o->eden_v[s] = o->eden_q[best];
  return stays ? FAR__STAYS : FAR__FALLS; /* or rises: this agent needs no difference */
}

/* The transition enters the model; both parts are solved when n(s,a) has grown by the factor replan */
static void observe(far_agent *agent, const far_transition *step) {
  static const far__rule rule = {renew, settle, NULL};
  oim_view o = view_of(agent);
  learner_memo memo;
  const size_t i = learner_index(&o.l, step);
  learner_follow(&o.l, &memo, step, NULL);
  if (!learner_due(&o.l, i, o.planned)) return;
  far__plan plan = learner_plan_due(&o.l, &memo);
  plan.scale += o.l.p->ve;
  const double enough = far__plan_enough(&plan);
  const int64_t limit = far__plan_limit(plan.gamma);
  far__patience patience = far__patience_with(plan.stop);
  for (int64_t k = 0; k < limit && far__sweep(&plan, rule, &o, &patience) > enough; ++k) continue;
}

static bool value(const far_agent *agent, far_value kind, size_t i, double *out) {
  const oim_view o = view_of((far_agent *)agent); /* only read through */
  if (kind != FAR_VALUE_BONUS) return learner_value(agent, kind, i, out);
  *out = o.eden_q[i];
  return true;
}

static bool policy(const far_agent *agent, uint32_t s, double *out) {
  const oim_view row = row_of((far_agent *)agent, s); /* only read through */
  far__greedy_policy(sum, &row, row.l.n_actions, (far__ties)row.l.p->ties, out);
  return true;
}

static bool valid(const far_agent *agent) {
  const oim_view o = view_of((far_agent *)agent);
  bool good = learner_valid(agent) && o.eden_v[o.l.n_states] == 0;
  for (size_t i = 0; good && i < o.l.n_pairs; ++i)
    good = o.eden_q[i] - o.eden_q[i] == 0 && o.planned[i] >= 0 && o.planned[i] <= o.l.pair[i].n;
  for (uint32_t s = 0; good && s < o.l.n_states; ++s) good = o.eden_v[s] - o.eden_v[s] == 0;
  return good;
}

const far__agent_type far__oim = {
    .info = {.name = "oim",
             .summary =
                 "Optimistic initial model: one imagined transition of each pair to a best state",
             .reference =
                 "Szita & Lorincz, The Many Faces of Optimism: a Unifying Approach, ICML 2008",
             .guarantee = "PAC-MDP for large enough ve (the order is known, the constant is not); "
                          "discounted, continuing or episodic",
             .model_based = true,
             .params = params,
             .n_params = sizeof params / sizeof *params},
    .params_size = sizeof(learner_params),
    .resolve = resolve,
    .advise = advise,
    .state_size = state_size,
    .pool_need = learner_need,
    .memo_need = learner_memo_need,
    .init = init,
    .act = act,
    .observe = observe,
    .value = value,
    .policy = policy,
    .valid = valid,
};
