/* learned: after how many steps the agent's policy, frozen, is permanently good at the start.
 * The policy in force on step t (from 0) is bad if its value over the start distribution is
 * below the best by more than eps; the number is 1 + the last t at which it is bad: 0 if
 * it never is, and the number of steps if it is bad on the last. */
#include <stdlib.h>

#include "run/metrics/policy-value.h"
#include "base/error.h"

typedef struct FAR__PARAMS learned_params {
  far__value_params value;
} learned_params;

static const far_param params[] = {
    FAR__ROW_EPS_OF(learned_params),
    FAR__ROW_RELATIVE_OF(learned_params),
    FAR__ROW_GAMMA_OF(learned_params),
};

static far_status resolve(far__spec *spec, far_error *error) {
  (void)error;
  far__value_resolve(spec, offsetof(learned_params, value));
  return FAR_OK;
}

typedef struct watcher {
  far__optimum best;
  far__policy_value *policy_value;
  int64_t version; /* of the policy that `bad` judges */
  bool bad;
  double learned;
} watcher;

static far_status create(void **out, const far__scene *scene, far_error *error) {
  const learned_params *p = scene->params;
  watcher *w = calloc(1, sizeof *w);
  if (w == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a metric");
  *out = w;
  const far_status status = far__optimum_create(&w->best, scene, &p->value, error);
  if (status != FAR_OK) return status;
  return far__policy_value_create(&w->policy_value, &w->best, scene->agent, error);
}

static void look(watcher *w) {
  const int64_t version = far__policy_value_version(w->policy_value);
  if (version == w->version) return;
  w->version = version;
  w->bad = far__policy_value_mistaken(w->policy_value, FAR__START);
}

static far_status begin(void *of, const far_agent *agent, uint32_t s, far_error *error) {
  watcher *w = of;
  (void)s, (void)error;
  far__policy_value_begin(w->policy_value, agent);
  look(w);
  w->learned = 0;
  return FAR_OK;
}

static far_status step(void *of, const far_agent *agent, const far_transition *step, uint32_t next,
                       far_error *error) {
  watcher *w = of;
  (void)next, (void)error;
  if (w->bad) w->learned = (double)far_agent_steps(agent);
  far__policy_value_look(w->policy_value, agent, step->s);
  look(w);
  return FAR_OK;
}

static double end(void *of, const far_agent *agent) {
  (void)agent;
  return ((const watcher *)of)->learned;
}

static void watcher_free(void *of) {
  watcher *w = of;
  if (w == NULL) return;
  far__policy_value_free(w->policy_value);
  far__optimum_free(&w->best);
  free(w);
}

static far_status advise(const void *of, const far__warner *warner, far_error *error) {
  return far__optimum_advise(&((const watcher *)of)->best, false, warner, error);
}

const far__metric_type far__metric_learned = {
    .range = FAR__STEPS,
    .info = {.name = "learned",
             .summary =
                 "Steps until the policy is within eps of the best at the start and stays so",
             .reference = "none: the frozen policy of mistakes, judged at the start",
             .params = params,
             .n_params = sizeof params / sizeof *params,
             .event = "learned"},
    .by_criterion = far__value_by_criterion,
    .resolve = resolve,
    .create = create,
    .begin = begin,
    .step = step,
    .end = end,
    .sofar = end,
    .free = watcher_free,
    .advise = advise,
};
