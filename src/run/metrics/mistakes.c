/* mistakes: on how many steps of a run the agent was worse than the best by more than eps; and
 * last-mistake: the last of them. estimator.h says how they are found. */
#include <stdlib.h>

#include "run/metrics/estimator.h"
#include "base/error.h"

typedef far__mistake_params params_of;

#define AT(field) .offset = offsetof(params_of, field)

static const far_param params[] = {
    FAR__ROW_EPS_OF(params_of),
    FAR__ROW_RELATIVE_OF(params_of),
    FAR__ROW_GAMMA_OF(params_of),
    {.name = "estimator",
     .kind = FAR_PARAM_CHOICE,
     .fallback = "frozen",
     .choices = "frozen|rollout|trajectory",
     AT(estimator),
     .help =
         "the agent's value: of its current policy, exactly; of copies that continue to learn; of "
         "the run itself (noisy)"},
    {.name = "every",
     .kind = FAR_PARAM_INTEGER,
     .fallback = "100",
     .min = 1,
     .max = 0x1p53,
     AT(every),
     .help = "rollout: evaluates one step in so many, which counts for all of them"},
    {.name = "rollouts",
     .kind = FAR_PARAM_INTEGER,
     .fallback = "10",
     .min = 1,
     .max = 0x1p31,
     AT(rollouts),
     .help = "rollout: copies whose returns are averaged"},
    {.name = "horizon_error",
     .kind = FAR_PARAM_REAL,
     .derived = true,
     .fallback = "eps/10",
     .min = 0,
     .min_open = true,
     .max = INFINITY,
     .max_open = true,
     AT(horizon_error),
     .help = "rollout, trajectory: largest return beyond the horizon; sets the horizon"},
};

/* In the order of the choices. */
static const far__estimator *const estimators[] = {&far__estimator_frozen, &far__estimator_rollout,
                                                   &far__estimator_trajectory};
enum { FROZEN, ROLLOUT, TRAJECTORY };

static far_status resolve(far__spec *spec, far_error *error) {
  params_of *p = (params_of *)spec->values;
  far__value_resolve(spec, offsetof(params_of, value));
  p->horizon_given = far__spec_given(spec, offsetof(params_of, horizon_error));
  if (!p->horizon_given) far__spec_hide(spec, offsetof(params_of, horizon_error));
  far_status status = FAR_OK;
  if (p->estimator == FROZEN)
    status = far__spec_refuse(spec, offsetof(params_of, horizon_error),
                              "the frozen policy is evaluated exactly", error);
  if (status == FAR_OK && p->estimator != ROLLOUT)
    status = far__spec_refuse(spec, offsetof(params_of, every), "it belongs to estimator=rollout",
                              error);
  if (status == FAR_OK && p->estimator != ROLLOUT)
    status = far__spec_refuse(spec, offsetof(params_of, rollouts),
                              "it belongs to estimator=rollout", error);
  return status;
}

double far__mistake_horizon(const far__mistake_params *p, const far__optimum *best) {
  return far__optimum_horizon(best, p->horizon_given ? p->horizon_error : 0.1 * best->eps);
}

typedef struct watcher {
  far__optimum best;
  const far__estimator *how;
  void *estimator;
  far__tally tally;
} watcher;

static void watcher_free(void *of) {
  watcher *w = of;
  if (w == NULL) return;
  if (w->how != NULL) w->how->free(w->estimator);
  far__optimum_free(&w->best);
  free(w);
}

static far_status create(void **out, const far__scene *scene, far_error *error) {
  const params_of *p = scene->params;
  watcher *w = calloc(1, sizeof *w);
  if (w == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a metric");
  *out = w;
  const far_status status = far__optimum_create(&w->best, scene, &p->value, error);
  if (status != FAR_OK) return status;
  w->how = estimators[p->estimator];
  return w->how->create(&w->estimator, scene, &w->best, error);
}

static far_status begin(void *of, const far_agent *agent, uint32_t s, far_error *error) {
  watcher *w = of;
  w->tally = (far__tally){0};
  return w->how->begin(w->estimator, &w->tally, agent, s, error);
}

static far_status step(void *of, const far_agent *agent, const far_transition *step, uint32_t next,
                       far_error *error) {
  watcher *w = of;
  return w->how->step(w->estimator, &w->tally, agent, step, next, error);
}

static double end_count(void *of, const far_agent *agent) {
  watcher *w = of;
  (void)agent;
  w->how->end(w->estimator, &w->tally);
  return w->tally.mistakes;
}

static double end_last(void *of, const far_agent *agent) {
  end_count(of, agent);
  return ((const watcher *)of)->tally.last;
}

static far__tally tally_sofar(const watcher *w, const far_agent *agent) {
  return w->how->sofar(w->estimator, &w->tally, agent);
}

static double sofar_count(void *of, const far_agent *agent) {
  return tally_sofar(of, agent).mistakes;
}

static double sofar_last(void *of, const far_agent *agent) {
  return tally_sofar(of, agent).last;
}

static far_status advise(const void *of, const far__warner *warner, far_error *error) {
  const watcher *w = of;
  return far__optimum_advise(&w->best, w->how == &far__estimator_frozen, warner, error);
}

const far__metric_type far__metric_mistakes = {
    .range = FAR__STEPS,
    .info = {.name = "mistakes",
             .summary = "Steps on which the agent's value is below the best by more than eps",
             .reference =
                 "Kakade, On the Sample Complexity of Reinforcement Learning, 2003; Strehl & "
                 "Littman, An Analysis of Model-Based Interval Estimation, 2008 (trajectory)",
             .params = params,
             .n_params = sizeof params / sizeof *params},
    .by_criterion = far__value_by_criterion,
    .resolve = resolve,
    .create = create,
    .begin = begin,
    .step = step,
    .end = end_count,
    .sofar = sofar_count,
    .free = watcher_free,
    .advise = advise,
};

const far__metric_type far__metric_last_mistake = {
    .range = FAR__STEPS,
    .info = {.name = "last-mistake",
             .summary = "Number of the last step that is a mistake, counted from 1; 0 if none is",
             .reference = "as mistakes",
             .params = params,
             .n_params = sizeof params / sizeof *params,
             .event = "settled"},
    .event_key = "estimator",
    .event_value = "frozen",
    .by_criterion = far__value_by_criterion,
    .resolve = resolve,
    .create = create,
    .begin = begin,
    .step = step,
    .end = end_last,
    .sofar = sofar_last,
    .free = watcher_free,
    .advise = advise,
};
