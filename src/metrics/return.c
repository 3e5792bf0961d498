/* return: the mean undiscounted return of the episodes that reached an end. Where none did, it is the
 * run's total reward so far, that of episodes that were cut included. So it is never NaN, and an agent
 * that does not finish is not better off than its rewards. */
#include "metrics/episodes.h"

static far_status create(void **out, const far__scene *scene, far_error *error) {
  return far__tallied_create(out, scene, (far_tally){.kind = FAR__TALLY_RETURN}, error);
}

static far_status advise(const void *of, const far__warner *warner, far_error *error) {
  (void)error;
  return far__episodes_advise(of, false, "no episode can end, so the return is the total reward",
                              warner);
}

const far__metric_type far__metric_return = {
    .info = {.name = "return",
             .summary =
                 "Mean undiscounted reward of terminated episodes, or the run's if there is none",
             .reference = "Sutton & Barto, Reinforcement Learning: An Introduction, 2018, ch. 3.3",
             .higher_is_better = true},
    .without_model = true,
    .create = create,
    FAR__TALLIED,
    .advise = advise,
};
