/* An optimal policy of the true model; where there is a horizon, of each step. A baseline above those that learn. Who creates
 * it solves the model and hands it the policy (run/peek.c). It draws nothing. */
#include "agents/params.h"

typedef enum optimal_criterion { CRITERION_AVERAGE, CRITERION_DISCOUNTED } optimal_criterion;

typedef struct FAR__PARAMS optimal_params {
  double gamma;
  int32_t criterion;
} optimal_params;

_Static_assert(sizeof(optimal_params) <= FAR__SPEC_BYTES, "the spec has room for it");

static const far_param params[] = {
    FAR__ROW_DERIVED_CHOICE(optimal_params, criterion, FAR__THE_PROBLEMS, "average|discounted",
                            "what the policy maximises: the reward a step in the long run (of an "
                            "episode, where there is a horizon), or the discounted sum"),
    FAR__ROW_DERIVED(optimal_params, gamma, FAR__THE_PROBLEMS, FAR__UNIT_BELOW_1,
                     "discount of rewards, with criterion=discounted"),
};

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  optimal_params *p = (optimal_params *)spec->values;
  if (!far__spec_given(spec, offsetof(optimal_params, criterion)))
    p->criterion = far__spec_given(spec, offsetof(optimal_params, gamma)) ||
                           (!shape->average && shape->horizon == 0)
                       ? CRITERION_DISCOUNTED
                       : CRITERION_AVERAGE;
  const far__refusal rules[] = {{p->criterion != CRITERION_DISCOUNTED,
                                 offsetof(optimal_params, gamma),
                                 "it goes with criterion=discounted"}};
  return far__refuse(spec, rules, sizeof rules / sizeof *rules, error);
}

/* State: the action of every state, or of every timed one. */
static size_t n_timed(const far_shape *shape) {
  return (size_t)shape->n_states * (shape->horizon > 0 ? (size_t)shape->horizon : 1);
}

static int64_t *actions_of(const far_agent *agent) {
  return far__agent_state((far_agent *)agent); /* readers only read through it */
}

static size_t state_size(const far_shape *shape, const void *p) {
  (void)p;
  return n_timed(shape) * sizeof(int64_t);
}

static void init(far_agent *agent) {
  (void)agent;
}

static double peek_discount(const far_agent *agent) {
  const optimal_params *p = far__agent_params(agent);
  return p->criterion == CRITERION_AVERAGE ? 1 : p->gamma;
}

static void set_policy(far_agent *agent, const uint32_t *action) {
  const far_shape *shape = &agent->shape;
  for (size_t x = 0; x < n_timed(shape); ++x)
    actions_of(agent)[x] =
        far_shape_is_live(shape, (uint32_t)(x % shape->n_states)) ? action[x] : 0;
}

static uint32_t act(far_agent *agent, uint32_t s) {
  return (uint32_t)actions_of(agent)[s];
}

static void observe(far_agent *agent, const far_transition *step) {
  (void)agent, (void)step;
}

static bool value(const far_agent *agent, far_value kind, size_t pair, double *out) {
  (void)agent, (void)kind, (void)pair, (void)out;
  return false;
}

static bool policy(const far_agent *agent, uint32_t s, double *out) {
  for (uint32_t a = 0; a < agent->shape.n_actions; ++a) out[a] = actions_of(agent)[s] == a;
  return true;
}

static bool valid(const far_agent *agent) {
  bool good = true;
  for (size_t x = 0; good && x < n_timed(&agent->shape); ++x)
    good = actions_of(agent)[x] >= 0 && actions_of(agent)[x] < agent->shape.n_actions;
  return good;
}

const far__agent_type far__optimal = {
    .info = {.name = "optimal",
             .summary = "Optimal policy of the true model (baseline; peeks at the model)",
             .reference = "the exact solvers of this library (farsight solve)",
             .guarantee =
                 "none: it does not learn; its policy is optimal within the solver's error",
             .params = params,
             .n_params = sizeof params / sizeof *params,
             .baseline = true,
             .peeks = true},
    .params_size = sizeof(optimal_params),
    .by_step = true,
    .resolve = resolve,
    .advise = far__advise_nothing,
    .state_size = state_size,
    .init = init,
    .act = act,
    .observe = observe,
    .value = value,
    .policy = policy,
    .local = far__always_local,
    .valid = valid,
    .peek_discount = peek_discount,
    .set_policy = set_policy,
};
