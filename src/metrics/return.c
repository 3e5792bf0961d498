/* return: the mean undiscounted return of the episodes that reached an end. Where none did, it is the
 * run's total reward so far, that of episodes that were cut included. So it is never NaN, and an agent
 * that does not finish is not better off than its rewards. */
#include <stdlib.h>

#include "metrics/episodes.h"
#include "base/error.h"

typedef struct watcher {
  const far_mdp *mdp;
  far_tally tally;
  far__count count;
} watcher;

static far_status create(void **out, const far__scene *scene, far_error *error) {
  watcher *w = calloc(1, sizeof *w);
  if (w == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a metric");
  w->mdp = scene->mdp;
  w->tally.kind = FAR__TALLY_RETURN;
  *out = w;
  return FAR_OK;
}

static far_status begin(void *of, const far_agent *agent, uint32_t s, far_error *error) {
  (void)agent, (void)s, (void)error;
  ((watcher *)of)->count = (far__count){0};
  return FAR_OK;
}

static far_status step(void *of, const far_agent *agent, const far_transition *step, uint32_t next,
                       far_error *error) {
  watcher *w = of;
  (void)agent, (void)next, (void)error;
  far__tally_step(&w->tally, &w->count, NULL, step, 0);
  return FAR_OK;
}

static double end(void *of, const far_agent *agent) {
  const watcher *w = of;
  (void)agent;
  return far__tally_value(&w->tally, &w->count);
}

static bool tally(const void *given, const void *of, far_tally *out) {
  (void)given;
  if (of != NULL) *out = ((const watcher *)of)->tally;
  return true;
}

static far_status advise(const void *of, const far__warner *warner, far_error *error) {
  (void)error;
  far__episodes_advise(((const watcher *)of)->mdp, false,
                       "no episode can end, so the return is the total reward", warner);
  return FAR_OK;
}

const far__metric_type far__metric_return = {
    .info = {.name = "return",
             .summary =
                 "Mean undiscounted reward of terminated episodes, or the run's if there is none",
             .reference = "Sutton & Barto, Reinforcement Learning: An Introduction, 2018, ch. 3.3",
             .higher_is_better = true},
    .without_model = true,
    .create = create,
    .begin = begin,
    .step = step,
    .end = end,
    .sofar = end,
    .free = free,
    .tally = tally,
    .advise = advise,
};
