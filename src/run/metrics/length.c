/* length: the mean number of steps of the episodes that ended, those that were cut included. If none did, it is the
 * number of steps of the run so far. */
#include "run/metrics/episodes.h"

static far_status create(void **out, const far__scene *scene, far_error *error) {
  return far__tallied_create(out, scene, (far_tally){.kind = FAR__TALLY_LENGTH}, error);
}

static far_status advise(const void *of, const far__warner *warner, far_error *error) {
  (void)error;
  if (far__episodes_terminate(of)) return FAR_OK;
  warner->warn(warner->user, false,
               far__episodes_cut(of)
                   ? "no episode ends before the horizon, so the length is the same for every agent"
                   : "no episode can end, so the length is the number of steps of the run");
  return FAR_OK;
}

/* Shorter is better where the aim is to reach a terminal state soon, as for `episodes`. Where longer episodes earn
 * more, use the metric `return`. */
const far__metric_type far__metric_length = {
    .info = {.name = "length",
             .summary = "Mean steps of the episodes that ended, or the run's if none did",
             .reference = "none: a plain mean",
             .higher_is_better = false},
    .without_model = true,
    .create = create,
    FAR__TALLIED,
    .advise = advise,
};
