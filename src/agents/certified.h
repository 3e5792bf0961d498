/* What the agents that stop and recommend share: eps and delta, the presets, and the mark that they have stopped; they then
 * learn nothing more. docs/agents.md, "bpi-ucbvi". */
#ifndef FAR_AGENTS_CERTIFIED_H
#define FAR_AGENTS_CERTIFIED_H

#include "agents/episodic.h"
#include "theory/certified.h"

/* Rows of their tables, in this order; `c_rule` and `scale_rule` are defaults in words. */
#define CERTIFIED_ROW_EPS                                                                          \
  FAR__ROW_DERIVED(episodic_params, eps, "0.1 horizon range", FAR__POSITIVE,                       \
                   "stop when the policy is proved to lose at most this in an episode, in units "  \
                   "of reward")
#define CERTIFIED_ROW_DELTA                                                                        \
  FAR__ROW_REAL(episodic_params, delta, "0.1", FAR__UNIT_OPEN,                                     \
                "probability with which that proof may fail")
#define CERTIFIED_ROW_SCALE(rule)                                                                  \
  FAR__ROW_DERIVED(episodic_params, scale, rule, FAR__NOT_NEGATIVE,                                \
                   "factor of the rates beta; the theorem has 1")
#define CERTIFIED_ROW_DIM(rule, theory)                                                            \
  FAR__ROW_DERIVED(episodic_params, dim, rule, FAR__NOT_NEGATIVE,                                  \
                   "factor of the logarithm of the visits in beta; theory: " theory)
#define CERTIFIED_ROW_C(rule, theory)                                                              \
  FAR__ROW_DERIVED(episodic_params, c, rule, FAR__NOT_NEGATIVE, "factor of beta/n; theory: " theory)

/* Values of the keys that are not given: of the practical preset and of theory's. */
typedef struct certified_defaults {
  double scale; /* practical; theory's is 1 */
  double dim, theory_dim;
  double c, theory_c;
} certified_defaults;

/* Fills in eps, scale, dim, c and stages unless they are given, and hides the preset. */
far_status certified_resolve(far__spec *spec, const far_shape *shape, const certified_defaults *d,
                             far_error *error);

/* Warns where scale, dim or c is below what the proof needs. */
void certified_advise(const far__spec *spec, const far_shape *shape, double dim, double c,
                      const far__advice *advice);

/* The first of the agent's own words: 1 once it has stopped. */
static inline bool certified_stopped_in(const episodic *e) {
  return e->own[0] != 0;
}

/* Stops if the certificate is at most eps. */
static inline void certified_judge(episodic *e, double bound) {
  if (bound <= e->p->eps) e->own[0] = 1;
}

bool certified_stopped(const far_agent *agent); /* the hook */

/* Are n words numbers from 0 to `most`? */
bool certified_within(const double *words, size_t n, double most);

#endif
