/* success: the share of the episodes that reached an end which succeeded; 0 if none reached one.
 *
 * An MDP does not say what success is. With at_least=R it is an undiscounted return of at least R, the
 * way in which a reward threshold says that a task is solved. Without, an episode succeeds if its last
 * step earned the highest reward with which any episode can end: the goal and not the hole of a frozen
 * lake, the delivery of a taxi. Where all ends pay the same, every episode that ends succeeds. */
#include <stdlib.h>

#include "metrics/episodes.h"
#include "base/error.h"

typedef struct FAR__PARAMS success_params {
  double at_least;
  int64_t given; /* no key */
} success_params;

static const far_param params[] = {
    {.name = "at_least",
     .kind = FAR_PARAM_REAL,
     .derived = true,
     .fallback = "none: the last reward is the highest with which an episode can end",
     .min = -INFINITY,
     .min_open = true,
     .max = INFINITY,
     .max_open = true,
     .offset = offsetof(success_params, at_least),
     .help = "least undiscounted return of a successful episode"},
};

static far_status resolve(far__spec *spec, far_error *error) {
  success_params *p = (success_params *)spec->values;
  (void)error;
  p->given = far__spec_given(spec, offsetof(success_params, at_least));
  if (!p->given) far__spec_hide(spec, offsetof(success_params, at_least));
  return FAR_OK;
}

typedef struct watcher {
  const far_mdp *mdp;
  far_tally tally; /* its level: return, or last reward */
  far__count count;
} watcher;

/* The highest reward of a step that ends an episode, from any state that a run can be in; -INFINITY if
 * there is none. */
static double best_ending(const far_mdp *mdp) {
  const far_shape shape = far_mdp_shape(mdp);
  double best = -INFINITY;
  for (uint32_t s = 0; s < shape.n_states; ++s)
    for (uint32_t a = 0; a < shape.n_actions && far_shape_is_live(&shape, s); ++a) {
      size_t count;
      const far_outcome *o = far_mdp_outcomes(mdp, s, a, &count);
      for (size_t k = 0; k < count; ++k)
        if (o[k].done && o[k].reward > best) best = o[k].reward;
    }
  return best;
}

static far_status create(void **out, const far__scene *scene, far_error *error) {
  const success_params *p = scene->params;
  watcher *w = calloc(1, sizeof *w);
  if (w == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a metric");
  *w = (watcher){.mdp = scene->mdp,
                 .tally = {.kind = FAR__TALLY_SUCCESS,
                           .flag = p->given != 0,
                           .level = p->given ? p->at_least : best_ending(scene->mdp)}};
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
  far__episodes_advise(((const watcher *)of)->mdp, true, "no episode can end, so none can succeed",
                       warner);
  return FAR_OK;
}

const far__metric_type far__metric_success = {
    .info = {.name = "success",
             .summary =
                 "Share of the finished episodes with the best final reward or a given return",
             .reference = "none: at_least is the reward threshold of Gymnasium's registry, applied "
                          "to each episode",
             .higher_is_better = true,
             .params = params,
             .n_params = sizeof params / sizeof *params},
    .resolve = resolve,
    .create = create,
    .begin = begin,
    .step = step,
    .end = end,
    .sofar = end,
    .free = free,
    .tally = tally,
    .advise = advise,
};
