/* The bootstrap on counts. A resample of an ascending sample is represented by how often each of
 * its values was drawn; so no resample is ever sorted, and leaving one value out is a resample like
 * any other. */
#ifndef FAR_STATISTICS_BOOTSTRAP_H
#define FAR_STATISTICS_BOOTSTRAP_H

#include "base/export.h"
#include "farsight/statistics.h"
#include "statistics/draws.h"
#include "statistics/sample.h"
#include "statistics/sums.h"

FAR_LAB far_bootstrap_cache *far__bootstrap_cache_create(void);
FAR_LAB void far__bootstrap_cache_free(far_bootstrap_cache *cache); /* NULL is fine */

/* Mean, median and interquartile mean of one sample: to the last bit what far_bootstrap_run has of far_statistic_mean,
 * far_statistic_median and far_statistic_iqm, in a fraction of the time. RANGE, CANCELLED, MEMORY. */
typedef struct far__centers {
  far_estimate mean, median, iqm;
} far__centers;
FAR_LAB far_status far__sample_centers(far__centers *out, const double *x, int64_t n,
                                       const far_bootstrap_def *def, far_error *error);

/* Resamples of the same samples, `count` of them. */
typedef struct far__draw {
  const far_sample *samples; /* ascending */
  size_t n_samples, count;
  const int64_t *n; /* n[s]: how many were drawn of sample s in each resample; at least 1 */
  const double *times;
  size_t width;
  const size_t *row;   /* of every value of all samples */
  const size_t *first; /* row[first[s] + i] is that of value i of sample s */
  const far__sums *sums;
  const uint16_t *
      places; /* as far__draws has them; NULL but for far__bootstrap_ordered, whose `times` are NULL */
} far__draw;

/* How often value i of sample s was drawn, in each of the resamples. Whole numbers, as doubles: what is computed from them
 * is one. */
static inline const double *far__draw_times(const far__draw *draw, size_t s, int64_t i) {
  return draw->times + draw->row[draw->first[s] + (size_t)i] * draw->width;
}

/* The same of all values of sample s. */
static inline far__drawn_rows far__draw_rows(const far__draw *draw, size_t s) {
  return (far__drawn_rows){draw->times, draw->row + draw->first[s], draw->width,
                           (size_t)draw->samples[s].n};
}

/* Writes number k of resample b to out[k][b]. The sums of each resample are its own, in the order of the values, so that
 * they do not depend on how many resamples there are; loops over resamples are inner loops. */
typedef void far__draw_fn(double *const *out, const far__draw *draw, void *user);

/* As far_bootstrap_run, for samples that are ascending and checked. `given` are the same in the order of their runs,
 * for those that are drawn together; a single sample needs none. */
far_status far__bootstrap(far_estimate *out, size_t n_out, const far_sample *samples,
                          const far_sample *given, size_t n_samples, far__draw_fn *statistic,
                          void *user, const far_bootstrap_def *def, far_error *error);

/* The same of one sample of at most FAR__PLACES values, for a statistic that needs what was drawn in ascending order. */
far_status far__bootstrap_ordered(far_estimate *out, size_t n_out, const far_sample *sample,
                                  far__draw_fn *statistic, void *user, const far_bootstrap_def *def,
                                  far_error *error);

/* Ascending copies of samples; far__samples_free, also after a failure. RANGE as
 * far__sample_check. */
far_status far__samples_sort(far_sample **out, const far_sample *samples, size_t n_samples,
                             bool infinite, far_error *error);
void far__samples_free(far_sample *samples, size_t n_samples); /* NULL is fine */

far_status far__bootstrap_check(const far_bootstrap_def *def, far_error *error);

/* The means of what was drawn of sample s; exact where that does not vary. */
void far__draw_mean(double *out, const far__draw *draw, size_t s);

#endif
