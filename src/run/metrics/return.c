/* return: the mean undiscounted return of the episodes that ended, those that were cut included. If
 * none did, it is the run's total reward so far: it is never NaN, and an agent that does not finish is
 * not better off than its rewards. */
#include "run/metrics/episodes.h"

static far_status create(void **out, const far__scene *scene, far_error *error) {
  return far__tallied_create(out, scene, (far_tally){.kind = FAR__TALLY_RETURN}, error);
}

static far_status advise(const void *of, const far__warner *warner, far_error *error) {
  (void)error;
  if (!far__episodes_terminate(of) && !far__episodes_cut(of))
    warner->warn(warner->user, false, "no episode can end, so the return is the total reward");
  return FAR_OK;
}

const far__metric_type far__metric_return = {
    .info = {.name = "return",
             .summary =
                 "Mean undiscounted reward of the episodes that ended, or the run's if none did",
             .reference = "Sutton & Barto, Reinforcement Learning: An Introduction, 2018, ch. 3.3",
             .higher_is_better = true},
    .without_model = true,
    .create = create,
    FAR__TALLIED,
    .advise = advise,
};
