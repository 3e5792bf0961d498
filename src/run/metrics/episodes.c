/* episodes: how many episodes of the run ended, those that were cut included. */
#include "run/metrics/episodes.h"

static far_status create(void **out, const far__scene *scene, far_error *error) {
  return far__tallied_create(out, scene, (far_tally){.kind = FAR__TALLY_EPISODES}, error);
}

static far_status advise(const void *of, const far__warner *warner, far_error *error) {
  (void)error;
  if (far__episodes_terminate(of)) return FAR_OK;
  if (far__episodes_cut(of))
    warner->warn(warner->user, false,
                 "no episode ends before the horizon, so the number is the same for every agent");
  else
    warner->warn(warner->user, true, "no episode can end: the model has no terminal state");
  return FAR_OK;
}

/* More episodes in the same number of steps are shorter, which is better where the aim is to reach a terminal
 * state soon. Where longer episodes earn more, use the metric `return`. */
const far__metric_type far__metric_episodes = {
    .range = FAR__STEPS,
    .info = {.name = "episodes",
             .summary = "Number of episodes that ended, in a terminal state or at a time limit",
             .reference = "none: a plain count",
             .higher_is_better = true},
    .without_model = true,
    .create = create,
    FAR__TALLIED,
    .advise = advise,
};
