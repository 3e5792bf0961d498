/* What the three agents of the delayed family share: the rows of their parameter tables, resolving, advice and hooks. The
 * algorithm is in delayed.h. */
#ifndef FAR_AGENTS_DELAYED_FAMILY_H
#define FAR_AGENTS_DELAYED_FAMILY_H

#include "agents/delayed.h"
#include "agents/params.h"

/* Rows of the parameter tables. N, H and R in the rules of preset=scaled are no keys: a search takes a rule for a number that
 * it may vary. */
#define DELAYED_PRESET_ROWS(words, meaning)                                                        \
  FAR__ROW_PRESET_OF(delayed_params, "scaled", "scaled|practical|" words,                          \
                     "scaled (by S, A, the range and steps), practical (the same numbers for all " \
                     "problems), " meaning),                                                       \
      FAR__ROW_EPS(delayed_params), FAR__ROW_DELTA(delayed_params),                                \
      FAR__ROW_STEPS(                                                                              \
          delayed_params, 1,                                                                       \
          "preset=scaled: steps there will be; N = steps/(S A) a pair, H = 1/(1 - gamma)")
#define DELAYED_WINDOW_ROWS(eps1_help, m_rule)                                                     \
  FAR__ROW_GAMMA(delayed_params),                                                                  \
      FAR__ROW_DERIVED(delayed_params, eps1, "range/(5000 H); practical: 0.2 range",               \
                       FAR__POSITIVE, eps1_help),                                                  \
      FAR__ROW_M(delayed_params, m_rule "; practical: 5", "samples in a window")
#define DELAYED_RHO_ROW(rule)                                                                      \
  FAR__ROW_DERIVED(delayed_params, rho, rule "; practical: 3 eps1 sqrt(m)", FAR__NOT_NEGATIVE,     \
                   "width of the interval estimate, rho/sqrt(n)")
#define DELAYED_LEARN_ROW                                                                          \
  FAR__ROW_CHOICE(delayed_params, learn, "2009", "2009|printed",                                   \
                  "LEARN flags as the proof needs them, or as Algorithm 1 prints")
#define DELAYED_TIES_ROW FAR__ROW_TIES(delayed_params)

/* preset=scaled: the numbers of an agent, from the search of docs/defaults.md; docs/tuning.md has the reasons of their forms.
 * N = steps/(S A) samples are a pair's share. */
typedef struct delayed_rules {
  double window; /* times N: the window, unless fully delayed */
  double width;  /* of a full window's interval, in units of eps1's default */
} delayed_rules;

/* Resolving, in the order of dependence: eps1, eta and e0; then (directed only) lambda; then the window, m and rho. Keys that
 * are given stay, and what is derived follows from them. */
far_status delayed_resolve_eps1(far__spec *spec, const far_shape *shape, double divisor,
                                far_error *error);
far_status delayed_resolve_window(far__spec *spec, const far_shape *shape,
                                  const delayed_rules *rules, far__window window, far_error *error);

far__problem delayed_problem(const delayed_params *p, const far_shape *shape);

/* ---- hooks ---- */

void delayed_advise(const far__spec *spec, const far_shape *shape, const far__advice *advice);
size_t delayed_state_size(const far_shape *shape, const void *params);
size_t delayed_state_size_plain(const far_shape *shape, const void *params); /* no E-values */
void delayed_init(far_agent *agent);
uint32_t delayed_act_hook(far_agent *agent, uint32_t s);
void delayed_observe_hook(far_agent *agent, const far_transition *step);
bool delayed_value(const far_agent *agent, far_value kind, size_t pair, double *out);
bool delayed_policy(const far_agent *agent, uint32_t s, double *out);
bool delayed_valid(const far_agent *agent);

#define DELAYED_HOOKS(state_size_hook)                                                             \
  .params_size = sizeof(delayed_params), .advise = delayed_advise, .state_size = state_size_hook,  \
  .init = delayed_init, .act = delayed_act_hook, .observe = delayed_observe_hook,                  \
  .value = delayed_value, .policy = delayed_policy, .local = far__always_local,                    \
  .valid = delayed_valid

#endif
