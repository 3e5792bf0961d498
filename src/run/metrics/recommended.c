/* Metrics of recommended policies, with a horizon.
 *
 * shortfall: the loss of the final policy in an episode against the best one, over the
 * starts. promise: 1 if every bound that the agent gave between episodes held for the policy that it then had,
 * 0 if one did not; 1 if it gave none. With parameters that carry the guarantee the bound is a certificate
 * (far_agent_certificate), with others it is not (far_agent_uncertified), and a warning says so.
 * stopping: after how many steps it stopped and recommended its policy; all of them if it did not. */
#include <stdlib.h>

#include "agents/agent.h"
#include "run/metrics/episode-value.h"
#include "base/error.h"

typedef struct watcher {
  far__episode_value value;
  bool broken;   /* did a bound not hold? */
  bool promises; /* do the agent's parameters carry its guarantee? */
} watcher;

static void watcher_free(void *of) {
  if (of != NULL) far__episode_value_free(&((watcher *)of)->value);
  free(of);
}

static far_status create(void **out, const far__scene *scene, far_error *error) {
  watcher *w = calloc(1, sizeof *w);
  if (w == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a metric");
  *out = w;
  w->promises = scene->agent->promises;
  return far__episode_value_create(&w->value, scene, error);
}

/* ---- shortfall ---- */

static far_status begin_shortfall(void *of, const far_agent *agent, uint32_t s, far_error *error) {
  (void)agent, (void)s, (void)error;
  ((watcher *)of)->value.known = false; /* the value is that of an earlier run */
  return FAR_OK;
}

static far_status step_shortfall(void *of, const far_agent *agent, const far_transition *step,
                                 uint32_t next, far_error *error) {
  (void)of, (void)agent, (void)step, (void)next, (void)error;
  return FAR_OK;
}

static double end_shortfall(void *of, const far_agent *agent) {
  watcher *w = of;
  far__episode_value_look(&w->value, agent);
  return far__episode_start_loss(&w->value);
}

const far__metric_type far__metric_shortfall = {
    .info = {.name = "shortfall",
             .summary = "Finite horizon: what the policy at the end loses in an episode",
             .reference = "the simple regret of best-policy identification",
             .finite_horizon = true},
    .create = create,
    .begin = begin_shortfall,
    .step = step_shortfall,
    .end = end_shortfall,
    .sofar = end_shortfall,
    .free = watcher_free,
};

/* ---- promise ---- */

static void look(watcher *w, const far_agent *agent) {
  double bound;
  if (w->broken) return;
  if (!far_agent_certificate(agent, &bound) && !far_agent_uncertified(agent, &bound)) return;
  far__episode_value_look(&w->value, agent);
  w->broken = far__episode_start_loss(&w->value) > bound + far__episode_slack(&w->value);
}

static far_status begin_promise(void *of, const far_agent *agent, uint32_t s, far_error *error) {
  watcher *w = of;
  (void)s, (void)error;
  w->value.known = false;
  w->broken = false;
  look(w, agent);
  return FAR_OK;
}

static far_status step_promise(void *of, const far_agent *agent, const far_transition *step,
                               uint32_t next, far_error *error) {
  (void)next, (void)error;
  if (step->done || step->cut) look(of, agent);
  return FAR_OK;
}

static double end_promise(void *of, const far_agent *agent) {
  (void)agent;
  return ((const watcher *)of)->broken ? 0 : 1;
}

static far_status advise_promise(const void *of, const far__warner *warner, far_error *error) {
  (void)error;
  if (!((const watcher *)of)->promises)
    warner->warn(
        warner->user, false,
        "nothing is promised: the agent's parameters are outside its guarantee, and 1 says "
        "only that its bound happened to hold");
  return FAR_OK;
}

const far__metric_type far__metric_promise = {
    .range = FAR__SHARE,
    .info = {.name = "promise",
             .summary =
                 "Finite horizon: 1 if the agent's bound held after every episode, else 0; a "
                 "promise only with parameters that carry the guarantee",
             .reference = "Dann, Li, Wei & Brunskill, Policy Certificates: Towards Accountable "
                          "Reinforcement Learning, ICML 2019",
             .higher_is_better = true,
             .finite_horizon = true},
    .create = create,
    .begin = begin_promise,
    .step = step_promise,
    .end = end_promise,
    .sofar = end_promise,
    .free = watcher_free,
    .advise = advise_promise,
};

/* ---- stopping ---- */

typedef struct waiting {
  double steps; /* before it stopped */
  bool over;
} waiting;

static far_status create_stopping(void **out, const far__scene *scene, far_error *error) {
  (void)scene;
  *out = calloc(1, sizeof(waiting));
  return *out != NULL ? FAR_OK : far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a metric");
}

static far_status begin_stopping(void *of, const far_agent *agent, uint32_t s, far_error *error) {
  (void)agent, (void)s, (void)error;
  *(waiting *)of = (waiting){0};
  return FAR_OK;
}

/* Counts a step unless the agent had stopped before it; the step by which it stops counts. */
static far_status step_stopping(void *of, const far_agent *agent, const far_transition *step,
                                uint32_t next, far_error *error) {
  waiting *w = of;
  (void)step, (void)next, (void)error;
  if (!w->over) w->steps = (double)far_agent_steps(agent);
  w->over = far_agent_stopped(agent);
  return FAR_OK;
}

static double end_stopping(void *of, const far_agent *agent) {
  (void)agent;
  return ((const waiting *)of)->steps;
}

const far__metric_type far__metric_stopping = {
    .range = FAR__STEPS,
    .info = {.name = "stopping",
             .summary =
                 "Steps until the agent stopped and recommended its policy; all if it did not",
             .reference = "the sample complexity of best-policy identification",
             .event = "stopped"},
    .without_model = true,
    .create = create_stopping,
    .begin = begin_stopping,
    .step = step_stopping,
    .end = end_stopping,
    .sofar = end_stopping,
    .free = free,
};
