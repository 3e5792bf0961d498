/* Coverage: the fraction of what a run can visit that it has visited. Terminal states do not count:
 * nothing is chosen there. */
#include <stdlib.h>
#include <string.h>

#include "metrics/metric.h"
#include "base/error.h"

typedef enum coverage_what { WHAT_STATES, WHAT_PAIRS } coverage_what;

typedef struct FAR__PARAMS coverage_params {
  int32_t what;
} coverage_params;

static const far_param params[] = {
    {.name = "what",
     .kind = FAR_PARAM_CHOICE,
     .fallback = "states",
     .choices = "states|pairs",
     .offset = offsetof(coverage_params, what),
     .help = "count states, or pairs of a state and an action"},
};

typedef struct watcher {
  far_tally tally; /* marks on states or pairs of the model; its level: those that can be visited */
  far__count count;
  uint8_t visited[];
} watcher;

static far_status create(void **out, const far__scene *scene, far_error *error) {
  const coverage_params *p = scene->params;
  const far_shape shape = far_mdp_shape(scene->mdp);
  const bool pairs = p->what == WHAT_PAIRS;
  const size_t n = (size_t)shape.n_states * (pairs ? shape.n_actions : 1);
  watcher *w = calloc(1, sizeof *w + n * sizeof *w->visited);
  if (w == NULL)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a mark on %zu visits", n);
  *out = w;
  w->tally = (far_tally){.kind = FAR__TALLY_COVERAGE,
                         .n_actions = shape.n_actions,
                         .flag = pairs,
                         .n_marks = n,
                         .level = (double)far_shape_live(&shape) * (pairs ? shape.n_actions : 1)};
  return FAR_OK;
}

static far_status begin(void *of, const far_agent *agent, uint32_t s, far_error *error) {
  watcher *w = of;
  (void)agent, (void)s, (void)error;
  memset(w->visited, 0, w->tally.n_marks);
  w->count = (far__count){0};
  return FAR_OK;
}

static far_status step(void *of, const far_agent *agent, const far_transition *step, uint32_t next,
                       far_error *error) {
  watcher *w = of;
  (void)agent, (void)next, (void)error;
  far__tally_step(&w->tally, &w->count, w->visited, step, 0);
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

const far__metric_type far__metric_coverage = {
    .info = {.name = "coverage",
             .summary = "Fraction of the states or pairs that can be visited that a run acted in",
             .reference = "none: a plain count",
             .higher_is_better = true,
             .params = params,
             .n_params = sizeof params / sizeof *params},
    .create = create,
    .begin = begin,
    .step = step,
    .end = end,
    .sofar = end,
    .free = free,
    .tally = tally,
};
