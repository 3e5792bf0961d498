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
  uint32_t n_actions;
  bool pairs;
  size_t n_items;   /* states or pairs of the model */
  double reachable; /* of them */
  double n_visited; /* of them, in this run */
  bool visited[];
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
  w->n_actions = shape.n_actions;
  w->pairs = pairs;
  w->n_items = n;
  w->reachable = (double)far_shape_live(&shape) * (pairs ? shape.n_actions : 1);
  return FAR_OK;
}

static far_status begin(void *of, const far_agent *agent, uint32_t s, far_error *error) {
  watcher *w = of;
  (void)agent, (void)s, (void)error;
  memset(w->visited, 0, w->n_items * sizeof *w->visited);
  w->n_visited = 0;
  return FAR_OK;
}

static far_status step(void *of, const far_agent *agent, const far_transition *step, uint32_t next,
                       far_error *error) {
  watcher *w = of;
  (void)agent, (void)next, (void)error;
  const size_t i = w->pairs ? (size_t)step->s * w->n_actions + step->a : step->s;
  w->n_visited += !w->visited[i];
  w->visited[i] = true;
  return FAR_OK;
}

static double end(void *of, const far_agent *agent) {
  const watcher *w = of;
  (void)agent;
  return w->n_visited / w->reachable;
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
};
