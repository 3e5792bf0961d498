#include "agents/certified.h"

#include "agents/learner.h" /* learner_advise_least */

far_status certified_resolve(far__spec *spec, const far_shape *shape, const certified_defaults *d,
                             far_error *error) {
  episodic_params *p = (episodic_params *)spec->values;
  const bool theory = p->preset == EPISODIC_THEORY;
  const double range = shape->reward_max - shape->reward_min;
  if (!EPISODIC_GIVEN(eps)) p->eps = 0.1 * ((double)shape->horizon * range);
  if (!EPISODIC_GIVEN(scale)) p->scale = theory ? 1 : d->scale;
  if (!EPISODIC_GIVEN(dim)) p->dim = theory ? d->theory_dim : d->dim;
  if (!EPISODIC_GIVEN(c)) p->c = theory ? d->theory_c : d->c;
  if (!EPISODIC_GIVEN(stages)) p->stages = theory ? STAGES_APART : STAGES_SHARED;
  return far__consume_preset(spec, !theory, offsetof(episodic_params, preset), NULL, 0, error);
}

void certified_advise(const far__spec *spec, const far_shape *shape, double dim, double c,
                      const far__advice *advice) {
  const episodic_params *p = (const episodic_params *)spec->values;
  if (p->scale < 1)
    learner_advise_least(advice, "scale", p->scale, 1);
  else if (p->dim < dim)
    learner_advise_least(advice, "dim", p->dim, dim);
  else
    learner_advise_least(advice, "c", p->c, c);
  episodic_advise_cost(spec, shape, advice);
}

bool certified_stopped(const far_agent *agent) {
  const episodic e = episodic_of((far_agent *)agent); /* only read through */
  return certified_stopped_in(&e);
}

bool certified_within(const double *words, size_t n, double most) {
  bool good = true;
  for (size_t i = 0; good && i < n; ++i) good = words[i] >= 0 && words[i] <= most;
  return good;
}
