/* E3, explicit explore or exploit: balanced wandering in unknown states; from a known state a plan of T steps towards unknown
 * ones if that is likely to reach one, else the best policy within the known states. In the continuing form of the PAC-MDP
 * literature: it does not halt with a policy.
 *
 *   Kearns & Singh, Near-optimal reinforcement learning in polynomial time, Machine Learning 49, 2002
 *
 * Symbols: n(s,a) pair->n · the known model: rows of known states · T horizon · theta · u_i(s), the greatest probability of
 * reaching an unknown state within i steps, u. docs/agents.md, "e3". */
#include "agents/learner.h"
#include "base/error.h"

static const far_param params[] = {
    LEARNER_THEORY_ROWS,
    FAR__ROW_M(learner_params, "20", "tries of every action after which a state is known"),
    FAR__ROW_DERIVED_INTEGER(learner_params, horizon, "4/(1-gamma)", FAR__BETWEEN(1, 1000000),
                             "steps of a plan"),
    FAR__ROW_DERIVED(learner_params, theta, "0.01", FAR__UNIT,
                     "explore if an unknown state is reached with at least this probability"),
    FAR__ROW_DERIVED_CHOICE(learner_params, freeze, "off", "off|on",
                            "use only the first m samples of a pair, as the analysis does"),
    LEARNER_PLAN_ROWS,
};

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  learner_params *p = (learner_params *)spec->values;
  far_status status = learner_resolve_preset(spec, shape, error);
  if (status != FAR_OK) return status;
  const bool theory = p->preset == PRESET_THEORY;
  const far__problem problem = learner_problem(p, shape);
  const double m = theory ? learner_known_m(p, shape) : 20;
  const double horizon = theory ? far__e3_horizon(problem, p->eps) : ceil(4 / (1 - p->gamma));
  status = learner_count_param(spec, offsetof(learner_params, m), m, error);
  if (status == FAR_OK)
    status = learner_count_param(spec, offsetof(learner_params, horizon), horizon, error);
  if (!LEARNER_GIVEN(theta))
    p->theta = theory ? fmin(1, far__e3_theta(problem, (double)p->horizon, p->eps)) : 0.01;
  if (!LEARNER_GIVEN(freeze)) p->freeze = theory;
  /* the exploring actions are a table of states x steps */
  const double words = (double)shape->n_states * ((double)p->horizon + 64);
  if (status != FAR_OK || words < (double)(SIZE_MAX / 64)) return status;
  return far__fail(error, FAR_STATUS_MEMORY, -1,
                   "plans of %lld steps in %lu states are too many for this machine",
                   (long long)p->horizon, (unsigned long)shape->n_states);
}

static void advise(const far__spec *spec, const far_shape *shape, const far__advice *advice) {
  const learner_params *p = (const learner_params *)spec->values;
  learner_advise_least(advice, "m", (double)p->m, learner_known_m(p, shape));
}

/* Own words: this, u_T and u_{T-1} of every state and the end, whether states are known, then the exploring actions of every
 * state with 1 ... T steps left. q and v are those of the known model. */
typedef struct e3_state {
  int64_t left;    /* steps of the plan under way; 0: none */
  int64_t explore; /* whether it explores */
  int64_t stale;   /* whether the model has changed since the plans were computed */
} e3_state;

typedef struct e3_view {
  learner l;
  e3_state *state;
  double *u, *before;
  uint64_t *known;     /* of every state: 1 if each of its actions has been tried m times */
  uint64_t *exploring; /* actions, of every state with 1 ... T steps left */
} e3_view;

static e3_view view_of(far_agent *agent) {
  e3_view e = {.l = learner_of(agent)};
  e.state = (e3_state *)e.l.own;
  e.u = (double *)(e.state + 1);
  e.before = e.u + e.l.n_states + 1;
  e.known = (uint64_t *)(e.before + e.l.n_states + 1);
  e.exploring = e.known + e.l.n_states;
  return e;
}

static size_t state_size(const far_shape *shape, const void *values) {
  const learner_params *p = values;
  const size_t horizon = (size_t)p->horizon;
  return learner_size(shape, sizeof(e3_state) / 8 + (3 + horizon) * ((size_t)shape->n_states + 1));
}

static void init(far_agent *agent) {
  const e3_view e = view_of(agent);
  for (uint32_t s = 0; s < e.l.n_states; ++s) e.u[s] = learner_can_follow(&e.l, s) ? 1 : 0;
  e.l.v[e.l.n_states] = e.l.end;
}

static double less_tried(const void *of, uint32_t a) {
  return -((const learner_pair *)of)[a].n;
}

/* A known state: the action of the plan under way, or of the one that begins here. It explores if u_T(s) >= theta. */
static uint32_t planned(const e3_view *e, uint32_t s) {
  const learner *l = &e->l;
  const bool begins = e->state->left == 0;
  const int64_t left = begins ? l->p->horizon : e->state->left;
  const bool explore = begins ? e->u[s] >= l->p->theta : e->state->explore != 0;
  if (explore) return (uint32_t)e->exploring[(size_t)(left - 1) * l->n_states + s];
  return far__greedy(l->q + (size_t)s * l->n_actions, l->n_actions, FAR__TIES_LOWEST, NULL);
}

/* An unknown state: balanced wandering, the action tried least often. A known one: the planned action. */
static uint32_t act(far_agent *agent, uint32_t s) {
  const e3_view e = view_of(agent);
  const learner *l = &e.l;
  if (e.known[s]) return planned(&e, s);
  return far__greedy_by(less_tried, l->pair + (size_t)s * l->n_actions, l->n_actions,
                        (far__ties)l->p->ties, &agent->rng);
}

/* ---- planning ---- */

/* u_i(s) = 1 for an unknown state, else max_a sum_y P^(y|s,a) u_{i-1}(y), and the action that attains it. Where u_i gains
 * nothing on u_{i-1} the action stays that of i - 1 steps, so that an exploring plan does not delay. */
static void extend(const e3_view *e, uint64_t *actions, const uint64_t *shorter) {
  const learner *l = &e->l;
  for (uint32_t s = 0; s < l->n_states; ++s) e->before[s] = e->u[s];
  for (uint32_t s = 0; s < l->n_states; ++s) {
    if (!e->known[s]) continue; /* u_0 = 1; 0 where it is not live */
    double best = -1;
    uint32_t chosen = 0;
    for (uint32_t a = 0; a < l->n_actions; ++a) {
      const learner_pair *pair = &l->pair[(size_t)s * l->n_actions + a];
      const far__row row = learner_row(l, pair);
      const double chance = far__row_dot(&row, e->before) / pair->n;
      if (chance <= best) continue;
      best = chance;
      chosen = a;
    }
    const bool gains = best > e->before[s] + 0x1p-40; /* more than rounding */
    actions[s] = gains ? chosen : shorter[s];
    if (gains) e->u[s] = best;
  }
}

/* Q(s,a) = R^ + gamma sum_y P^(y|s,a) V(y) in the known model, in which unknown states are worth 0. */
static double backup(const void *context, size_t i, const double *v) {
  const e3_view *e = context;
  return e->known[i / e->l.n_actions] ? learner_backup(&e->l, i, e->l.p->gamma, v) : 0;
}

/* Attempted exploration: u_0 ... u_T. Attempted exploitation: the known model solved. */
static void make_plans(e3_view *e) {
  const learner *l = &e->l;
  for (uint32_t s = 0; s < l->n_states; ++s) {
    e->u[s] = e->known[s] || !learner_can_follow(l, s) ? 0 : 1;
    e->exploring[s] = 0;
  }
  far__patience patience = far__patience_with(l->agent->stop);
  for (int64_t i = 0; i < l->p->horizon; ++i) {
    uint64_t *actions = e->exploring + (size_t)i * l->n_states;
    extend(e, actions, i > 0 ? actions - l->n_states : actions);
    if (far__patience_over(&patience, l->n_pairs)) return;
  }
  const far__plan plan = learner_plan(l);
  far__plan_run(&plan, backup, NULL, e, SIZE_MAX);
  e->state->stale = 0;
}

static bool all_tried(const learner *l, uint32_t s) {
  const learner_pair *pair = l->pair + (size_t)s * l->n_actions;
  for (uint32_t a = 0; a < l->n_actions; ++a)
    if (pair[a].n < (double)l->p->m) return false;
  return true;
}

/* In a known state: one step of the plan under way, or the first of T steps of a new one; in an unknown state there is no plan
 * n(s,a), rewards and successors count the transition (with freeze=on, the first m of a pair); s may become known
 * the plan ends where the episode does and where an unknown state is reached
 * new plans are computed where none is under way and the model has changed */
static void observe(far_agent *agent, const far_transition *step) {
  e3_view e = view_of(agent);
  learner *l = &e.l;
  learner_pair *pair = &l->pair[learner_index(l, step)];
  const bool known_before = e.known[step->s] != 0;
  if (!known_before) {
    e.state->left = 0;
  } else {
    if (e.state->left == 0) {
      e.state->left = l->p->horizon;
      e.state->explore = e.u[step->s] >= l->p->theta;
    }
    e.state->left -= 1;
  }
  if (!l->p->freeze || pair->n < (double)l->p->m) {
    learner_add(l, pair, step->done ? l->n_states : step->next, step->r - l->low);
    e.state->stale = 1;
    e.known[step->s] = all_tried(l, step->s);
  }
  const bool lost = !step->done && !e.known[step->next];
  if (step->done || step->cut || lost) e.state->left = 0;
  /* In an unknown state no plan is needed. But after a cut the next state may be a known one; and after a cut that was not
   * reported it may be the state that has just become known, of which the old plans know nothing. */
  const bool wanted = !lost || step->cut || (e.known[step->s] != 0) != known_before;
  if (e.state->left == 0 && e.state->stale && wanted) make_plans(&e);
}

static bool value(const far_agent *agent, far_value kind, size_t i, double *out) {
  if (kind != FAR_VALUE_LEARN) return learner_value(agent, kind, i, out);
  const e3_view e = view_of((far_agent *)agent); /* only read through */
  *out = !e.known[i / e.l.n_actions];
  return true;
}

/* By the plan under way. */
static bool policy(const far_agent *agent, uint32_t s, double *out) {
  const e3_view e = view_of((far_agent *)agent); /* only read through */
  const learner *l = &e.l;
  if (!e.known[s]) {
    far__greedy_policy(less_tried, l->pair + (size_t)s * l->n_actions, l->n_actions,
                       (far__ties)l->p->ties, out);
    return true;
  }
  const uint32_t chosen = planned(&e, s);
  for (uint32_t a = 0; a < l->n_actions; ++a) out[a] = a == chosen;
  return true;
}

static bool valid(const far_agent *agent) {
  const e3_view e = view_of((far_agent *)agent);
  bool good = learner_valid(agent) && e.state->left >= 0 && e.state->left < e.l.p->horizon;
  const size_t actions = (size_t)e.l.p->horizon * e.l.n_states;
  for (size_t k = 0; good && k < actions; ++k) good = e.exploring[k] < e.l.n_actions;
  for (uint32_t s = 0; good && s < e.l.n_states; ++s)
    good = e.u[s] == e.u[s] && e.known[s] == all_tried(&e.l, s);
  return good && e.u[e.l.n_states] == 0 && e.before[e.l.n_states] == 0;
}

const far__agent_type far__e3 = {
    .info =
        {.name = "e3",
         .summary = "E3: explicitly explore or exploit, by plans of T steps",
         .reference =
             "Kearns & Singh, Near-Optimal Reinforcement Learning in Polynomial Time, Machine "
             "Learning 49, 2002",
         .guarantee =
             "polynomial in S, A, 1/eps, 1/(1-gamma) with preset=theory (exponents are not in the "
             "paper); discounted, continuing or episodic",
         .model_based = true,
         .params = params,
         .n_params = sizeof params / sizeof *params},
    .params_size = sizeof(learner_params),
    .resolve = resolve,
    .advise = advise,
    .state_size = state_size,
    .pool_need = learner_need,
    .init = init,
    .act = act,
    .observe = observe,
    .value = value,
    .policy = policy,
    .valid = valid,
    .links_steps = true,
};
