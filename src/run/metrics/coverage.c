/* Coverage: the fraction of the reachable states (or pairs) that a run has visited. Terminal states do not count:
 * nothing is chosen there. */
#include "run/metrics/tallied.h"

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

/* The tally marks states or pairs of the model; its level is the number that can be visited. */
static far_status create(void **out, const far__scene *scene, far_error *error) {
  const coverage_params *p = scene->params;
  const far_shape shape = far_mdp_shape(scene->mdp);
  const bool pairs = p->what == WHAT_PAIRS;
  const uint32_t each = pairs ? shape.n_actions : 1;
  const far_tally tally = {.kind = FAR__TALLY_COVERAGE,
                           .n_actions = shape.n_actions,
                           .flag = pairs,
                           .n_marks = (size_t)shape.n_states * each,
                           .level = (double)far_shape_live(&shape) * each};
  return far__tallied_create(out, scene, tally, error);
}

const far__metric_type far__metric_coverage = {
    .range = FAR__SHARE,
    .info = {.name = "coverage",
             .summary = "Fraction of the states or pairs that can be visited that a run acted in",
             .reference = "none: a plain count",
             .higher_is_better = true,
             .params = params,
             .n_params = sizeof params / sizeof *params},
    .create = create,
    FAR__TALLIED,
};
