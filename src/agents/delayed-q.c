/* Delayed Q-learning: an update is attempted when m samples of a pair have been collected, and succeeds if it lowers the
 * value by 2 eps1. The algorithm is in delayed.h.
 *
 *   Strehl, Li, Wiewiora, Langford & Littman, PAC model-free reinforcement learning, ICML 2006: form=2006
 *   Strehl, Li & Littman, Reinforcement learning in finite MDPs: PAC analysis, JMLR 10, 2009: form=2009 */
#include "agents/delayed-family.h"

static const delayed_rules rules = {0};

static const far_param params[] = {
    DELAYED_PRESET_ROWS("theory", "or theory (from eps and delta)"),
    DELAYED_WINDOW_ROWS("an update succeeds if it lowers the value by 2 eps1", "N/(15 H)"),
    FAR__ROW_CHOICE(delayed_params, form, "2009", "2009|2006",
                    "LEARN flags as in the 2009 or the 2006 paper"),
    DELAYED_TIES_ROW,
};

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  delayed_params *p = (delayed_params *)spec->values;
  p->delay = DELAY_FULL;
  p->learn = p->form ? LEARN_2006 : LEARN_2009;
  const far_status status = delayed_resolve_eps1(spec, shape, FAR__DIVISOR_DELAYED, error);
  if (status != FAR_OK) return status;
  const far__problem problem = delayed_problem(p, shape);
  return delayed_resolve_window(spec, shape, &rules,
                                far__theory_full(problem, p->eps1, 0, p->delta), error);
}

const far__agent_type far__delayed_q = {
    .info = {.name = "delayed-q",
             .summary = "Delayed Q-learning: one attempted update every m samples of a pair",
             .reference = "Strehl, Li, Wiewiora, Langford & Littman, PAC Model-Free Reinforcement "
                          "Learning, ICML 2006; Strehl, Li & Littman, JMLR 10, 2009",
             .guarantee = "PAC-MDP with preset=theory: O~(SA / (eps^4 (1-gamma)^8)) mistakes; "
                          "discounted, continuing or episodic",
             .params = params,
             .n_params = sizeof params / sizeof *params},
    .resolve = resolve,
    DELAYED_HOOKS(delayed_state_size_plain),
};
