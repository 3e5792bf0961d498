/* TODO(skeleton): the paper, and its symbols beside the names used here. Until then this is one-step
 * Q-learning with epsilon-greedy choice, the least that learns:
 *
 *     n(s,a)   visits[]       Q(s,a)   q[]       alpha   the step size
 *
 * Works in the units of the rewards; an end is worth 0. */
#include "agents/explore.h"
#include "agents/params.h"

typedef struct FAR__PARAMS skeleton_params {
  double gamma, alpha, epsilon;
  int32_t ties;
} skeleton_params;

_Static_assert(sizeof(skeleton_params) <= FAR__SPEC_BYTES, "the spec has room for it");

/* Rows that others have, too, are in agents/params.h, and how a row of one's own is written:
 *     FAR__ROW_REAL(skeleton_params, beta, "0.5", FAR__POSITIVE, "what it does")
 * A default that depends on the problem is a FAR__ROW_DERIVED with its rule in words, and is filled in by `resolve`
 * (count-q.c has one). */
static const far_param params[] = {
    FAR__ROW_GAMMA(skeleton_params),
    FAR__ROW_ALPHA(skeleton_params, "0.1"),
    FAR__ROW_EPSILON(skeleton_params, "probability of a random action"),
    FAR__ROW_TIES(skeleton_params),
};

/* Fills in derived defaults, refuses what does not go together (far__refuse, far__check_v_max). */
static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  (void)spec, (void)shape, (void)error;
  return FAR_OK;
}

/* Says what these parameters cost in learning or guarantee (far__say); nothing here. */
static void advise(const far__spec *spec, const far_shape *shape, const far__advice *advice) {
  (void)spec, (void)shape, (void)advice;
}

/* State: q and visits of every pair, 8-byte words without pointers. Saving, cloning and resetting are
 * done by the library. */
typedef struct skeleton_view {
  skeleton_params p;
  double *q;
  int64_t *visits;
} skeleton_view;

static size_t state_size(const far_shape *shape, const void *p) {
  (void)p;
  return (size_t)shape->n_states * shape->n_actions * (sizeof(double) + sizeof(int64_t));
}

static skeleton_view view_of(const far_agent *agent) {
  double *q = far__agent_state((far_agent *)agent); /* readers only read through it */
  const size_t pairs = (size_t)agent->shape.n_states * agent->shape.n_actions;
  const skeleton_params *p = far__agent_params(agent);
  return (skeleton_view){*p, q, (int64_t *)(q + pairs)};
}

/* All is zero before; what is to start elsewhere is set here. */
static void init(far_agent *agent) {
  (void)agent;
}

/* Chooses; learns nothing. Draws only from agent->rng, in the order that docs/agents.md gives. */
static uint32_t act(far_agent *agent, uint32_t s) {
  const skeleton_view v = view_of(agent);
  const uint32_t n_actions = agent->shape.n_actions;
  return far__epsilon_greedy(far__score_row, v.q + (size_t)s * n_actions, n_actions, v.p.epsilon,
                             (far__ties)v.p.ties, &agent->rng);
}

/* n += 1;  Q += alpha (r + gamma max Q(s',.) - Q).  step->next must not be read where step->done. */
static void observe(far_agent *agent, const far_transition *step) {
  const skeleton_view v = view_of(agent);
  const uint32_t n_actions = agent->shape.n_actions;
  const size_t i = (size_t)step->s * n_actions + step->a;
  v.visits[i] += 1;
  const double future = step->done ? 0 : far__max(v.q + (size_t)step->next * n_actions, n_actions);
  v.q[i] += v.p.alpha * (step->r + v.p.gamma * future - v.q[i]);
}

/* The numbers that it shows, in the units of the rewards; see far_value in farsight/agent.h. */
static bool value(const far_agent *agent, far_value kind, size_t pair, double *out) {
  const skeleton_view v = view_of(agent);
  switch (kind) {
  case FAR_VALUE_Q: *out = v.q[pair]; return true;
  case FAR_VALUE_N: *out = (double)v.visits[pair]; return true;
  default: return false;
  }
}

/* The distribution of `act`; false where there is no closed form. */
static bool policy(const far_agent *agent, uint32_t s, double *out) {
  const skeleton_view v = view_of(agent);
  const uint32_t n_actions = agent->shape.n_actions;
  far__greedy_policy(far__score_row, v.q + (size_t)s * n_actions, n_actions, (far__ties)v.p.ties,
                     out);
  far__mix_policy(n_actions, v.p.epsilon, out);
  return true;
}

/* Could running have led here? Whatever this accepts from a file must be safe to go on with. */
static bool valid(const far_agent *agent) {
  const skeleton_view v = view_of(agent);
  const size_t pairs = (size_t)agent->shape.n_states * agent->shape.n_actions;
  bool good = true;
  for (size_t i = 0; good && i < pairs; ++i)
    good = v.visits[i] >= 0 && v.visits[i] <= agent->t && v.q[i] - v.q[i] == 0;
  return good;
}

const far__agent_type far__skeleton = {
    .info = {.name = "skeleton",
             .summary = "TODO(skeleton): what it is, in one line",
             .reference = "TODO(skeleton): who, where, when",
             .guarantee = "none; discounted, continuing or episodic",
             .params = params,
             .n_params = sizeof params / sizeof *params},
    .params_size = sizeof(skeleton_params),
    .resolve = resolve,
    .advise = advise,
    .state_size = state_size,
    .init = init,
    .act = act,
    .observe = observe,
    .value = value,
    .policy = policy,
    .local =
        far__always_local, /* a step changes the policy of its own state alone; else leave it out */
    .valid = valid,
};
