/* episodes: how many episodes of the run reached an end. */
#include "metrics/episodes.h"

static far_status create(void **out, const far__scene *scene, far_error *error) {
  return far__tallied_create(out, scene, (far_tally){.kind = FAR__TALLY_EPISODES}, error);
}

static far_status advise(const void *of, const far__warner *warner, far_error *error) {
  (void)error;
  return far__episodes_advise(of, true, "no episode can end: the model has no terminal state",
                              warner);
}

/* More episodes in the same steps are shorter ones, which is better where the aim is to reach a terminal
 * state soon. Where longer episodes earn more, `return` is the metric to look at. */
const far__metric_type far__metric_episodes = {
    .info = {.name = "episodes",
             .summary = "Number of episodes that reached a terminal state",
             .reference = "none: a plain count",
             .higher_is_better = true},
    .without_model = true,
    .create = create,
    FAR__TALLIED,
    .advise = advise,
};
