/* success: the share of the episodes that ended which succeeded; 0 if none ended.
 *
 * An MDP does not define success. With at_least=R it is an undiscounted return of at least R, as
 * a reward threshold says that a task is solved; an episode that is cut may succeed. Without it, an
 * episode succeeds if it reached a terminal state, and its last step earned the highest reward with which
 * any episode can end: the goal and not a hole of a frozen lake, the delivery of a taxi. Where all ends pay the
 * same, every episode that is not cut succeeds. */
#include "run/metrics/episodes.h"
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

/* The highest reward of a step to a terminal state, from any live state; -INFINITY if
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

/* The level of the tally is the return, or the last reward. */
static far_status create(void **out, const far__scene *scene, far_error *error) {
  const success_params *p = scene->params;
  if (scene->mdp == NULL && !p->given)
    return far__fail(error, FAR_STATUS_CONFLICT, -1,
                     "without a model nobody knows the best end of an episode: give the least "
                     "return of one that succeeds, as in success:at_least=1");
  const far_tally tally = {.kind = FAR__TALLY_SUCCESS,
                           .flag = p->given != 0,
                           .level = p->given ? p->at_least : best_ending(scene->mdp)};
  return far__tallied_create(out, scene, tally, error);
}

static far_status advise(const void *of, const far__warner *warner, far_error *error) {
  (void)error;
  const bool by_return = ((const far__tallied *)of)->tally.flag;
  if (!far__episodes_terminate(of) && !(by_return && far__episodes_cut(of)))
    warner->warn(warner->user, true, "no episode reaches a terminal state, so none can succeed");
  return FAR_OK;
}

const far__metric_type far__metric_success = {
    .range = FAR__SHARE,
    .info = {.name = "success",
             .summary =
                 "Share of the finished episodes with the best final reward or a given return",
             .reference = "none: at_least is the reward threshold of Gymnasium's registry, applied "
                          "to each episode",
             .higher_is_better = true,
             .params = params,
             .n_params = sizeof params / sizeof *params},
    .without_model = true,
    .resolve = resolve,
    .create = create,
    FAR__TALLIED,
    .advise = advise,
};
