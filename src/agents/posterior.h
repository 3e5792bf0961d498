/* When a new sample of the posterior is drawn: the beginnings of episodes of PSRL and RLSVI. docs/agents.md, "psrl". */
#ifndef FAR_AGENTS_POSTERIOR_H
#define FAR_AGENTS_POSTERIOR_H

#include "agents/learner.h"
#include "base/variate.h"

typedef enum posterior_rule { RESAMPLE_GEOMETRIC, RESAMPLE_FIXED, RESAMPLE_TSDE } posterior_rule;

/* Own words: this, then the visits of every pair at the last sample. */
typedef struct posterior_clock {
  int64_t since, previous; /* observes since the last sample, and between the two before */
  int64_t sampled;         /* has there been one? */
} posterior_clock;

size_t posterior_state_size(const far_shape *shape, const void *params);

/* Is a sample due after this transition, which has been counted? Restarts the clock if so. */
bool posterior_due(learner *l, const far_transition *step);

bool posterior_valid(const far_agent *agent);

/* Fills in sp, sn, mu0 and tau where they are not given, and hides what does not apply. */
far_status posterior_resolve(far__spec *spec, const far_shape *shape, double sp, double sn,
                             far_error *error);

#define POSTERIOR_ROWS(sp_rule, sn_rule, sp_help)                                                  \
  FAR__ROW_DERIVED(learner_params, sp, sp_rule, FAR__SQUARABLE, sp_help),                          \
      FAR__ROW_DERIVED(learner_params, sn, sn_rule, FAR__SQUARABLE,                                \
                       "standard deviation of the noise, in units of reward"),                     \
      FAR__ROW_CHOICE(                                                                             \
          learner_params, resample, "geometric", "geometric|fixed|tsde",                           \
          "when to sample: with probability 1-gamma, every tau steps, or by TSDE's rule"),         \
      FAR__ROW_DERIVED_INTEGER(learner_params, tau, "1/(1-gamma)", FAR__COUNT,                     \
                               "resample=fixed: steps between samples")

#endif
