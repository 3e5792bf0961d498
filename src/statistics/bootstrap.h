/* The bootstrap on counts. A resample of an ascending sample is represented by how often each of
 * its values was drawn; so no resample is ever sorted, and leaving one value out is a resample like
 * any other. */
#ifndef FAR_STATISTICS_BOOTSTRAP_H
#define FAR_STATISTICS_BOOTSTRAP_H

#include "statistics/sample.h"

typedef struct far__draw {
  const far_sample *samples; /* ascending */
  size_t n_samples;
  uint32_t *const *times; /* times[s][i]: how often value i of sample s was drawn */
  const int64_t *n;       /* n[s]: how many were drawn in all; at least 1 */
} far__draw;

typedef void far__draw_fn(double *out, const far__draw *draw, void *user);

/* As far_bootstrap_run, for samples that are ascending and checked. `given` are the same in the order of their runs,
 * for those that are drawn together; a single sample needs none. */
far_status far__bootstrap(far_estimate *out, size_t n_out, const far_sample *samples,
                          const far_sample *given, size_t n_samples, far__draw_fn *statistic,
                          void *user, const far_bootstrap_def *def, far_error *error);

/* Ascending copies of samples; far__samples_free, also after a failure. RANGE as
 * far__sample_check. */
far_status far__samples_sort(far_sample **out, const far_sample *samples, size_t n_samples,
                             bool infinite, far_error *error);
void far__samples_free(far_sample *samples, size_t n_samples); /* NULL is fine */

far_status far__bootstrap_check(const far_bootstrap_def *def, far_error *error);

/* The mean of what was drawn of sample s; exact where that does not vary. */
double far__draw_mean(const far__draw *draw, size_t s);

#endif
