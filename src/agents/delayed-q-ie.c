/* Delayed Q-learning with interval estimation: an update is attempted at every sample, with a width rho/sqrt(n) that shrinks as
 * the window fills. The algorithm is in delayed.h; it is Directed Delayed Q-learning with lambda = 0, so that the two together
 * show what interval estimation gives and what exploration values give.
 *
 *   Strehl, Probably approximately correct exploration in reinforcement learning, PhD thesis, Rutgers 2007 */
#include "agents/delayed-family.h"

static const delayed_rules rules = {.window = 10, .width = 1};

static const far_param params[] = {
    DELAYED_PRESET_ROWS("theory", "or theory (from eps and delta)"),
    DELAYED_WINDOW_ROWS("least decrease that makes an update succeed", "10 N"),
    DELAYED_RHO_ROW("range sqrt(m)/(5000 H)"),
    DELAYED_LEARN_ROW,
    DELAYED_TIES_ROW,
};

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  const delayed_params *p = (const delayed_params *)spec->values;
  const far_status status = delayed_resolve_eps1(spec, shape, FAR__DIVISOR_DELAYED, error);
  if (status != FAR_OK) return status;
  const far__problem problem = delayed_problem(p, shape);
  return delayed_resolve_window(spec, shape, &rules,
                                far__theory_interval(problem, p->eps1, 0, p->delta), error);
}

const far__agent_type far__delayed_q_ie = {
    .info = {.name = "delayed-q-ie",
             .summary = "Delayed Q-learning with interval estimation: an attempt at every sample",
             .reference = "Strehl, Probably Approximately Correct Exploration in Reinforcement "
                          "Learning, PhD thesis, Rutgers 2007",
             .guarantee = "PAC-MDP with preset=theory: O~(SA / (eps^4 (1-gamma)^8)) mistakes; "
                          "discounted, continuing or episodic",
             .params = params,
             .n_params = sizeof params / sizeof *params},
    .resolve = resolve,
    DELAYED_HOOKS(delayed_state_size_plain),
};
