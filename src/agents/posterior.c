#include "agents/posterior.h"

static posterior_clock *clock_of(const learner *l) {
  return (posterior_clock *)l->own;
}

static double *base_of(const learner *l) {
  return l->own + sizeof(posterior_clock) / 8;
}

size_t posterior_state_size(const far_shape *shape, const void *params) {
  (void)params;
  const size_t pairs = (size_t)shape->n_states * shape->n_actions;
  return learner_size(shape, sizeof(posterior_clock) / 8 + pairs);
}

/* geometric: with probability 1 - gamma · fixed: after tau observes · tsde (Thompson sampling with dynamic episodes): after
 * more observes than between the two samples before, or when the visits of a pair have more than doubled */
static bool is_due(const learner *l, size_t i) {
  const posterior_clock *clock = clock_of(l);
  switch ((posterior_rule)l->p->resample) {
  case RESAMPLE_GEOMETRIC: return far_rng_uniform(&l->agent->rng) < 1 - l->p->gamma;
  case RESAMPLE_FIXED: return clock->since >= l->p->tau;
  case RESAMPLE_TSDE: break;
  }
  return clock->since > clock->previous || l->pair[i].n > 2 * base_of(l)[i];
}

bool posterior_due(learner *l, const far_transition *step) {
  posterior_clock *clock = clock_of(l);
  const size_t i = learner_index(l, step);
  clock->since += 1;
  const bool due = is_due(l, i);
  if (!due && clock->sampled) return false;
  clock->previous = clock->since;
  clock->since = 0;
  clock->sampled = 1;
  for (size_t k = 0; k < l->n_pairs; ++k) base_of(l)[k] = l->pair[k].n;
  return true;
}

bool posterior_valid(const far_agent *agent) {
  const learner l = learner_of((far_agent *)agent); /* only read through */
  const posterior_clock *clock = clock_of(&l);
  bool good = learner_valid(agent) && clock->since >= 0 && clock->since <= agent->t &&
              clock->previous >= 0 && clock->previous <= agent->t;
  for (size_t i = 0; good && i < l.n_pairs; ++i)
    good = base_of(&l)[i] >= 0 && base_of(&l)[i] <= l.pair[i].n;
  return good;
}

far_status posterior_resolve(far__spec *spec, const far_shape *shape, double sp, double sn,
                             far_error *error) {
  learner_params *p = (learner_params *)spec->values;
  if (!LEARNER_GIVEN(sp)) p->sp = sp;
  if (!LEARNER_GIVEN(sn)) p->sn = sn;
  if (!LEARNER_GIVEN(mu0)) p->mu0 = shape->reward_min;
  p->m = INT64_MAX;
  far_status status =
      learner_count_param(spec, offsetof(learner_params, tau), ceil(1 / (1 - p->gamma)), error);
  const far__refusal rule = {p->resample != RESAMPLE_FIXED, offsetof(learner_params, tau),
                             "it applies only with resample=fixed"};
  if (status == FAR_OK) status = far__refuse(spec, &rule, 1, error);
  return status == FAR_OK ? learner_resolve(spec, shape, error) : status;
}
