/* Metrics: numbers recorded of a run besides its total reward.
 *
 *     far_metric *mistakes;
 *     far_status status = far_metric_create(&mistakes, "mistakes:eps=0.5", &error);
 *     const far_metric *metrics[] = {mistakes};
 *     def.metrics = metrics;                     of a far_batch_def
 *     def.n_metrics = 1;
 *     ... far_batch_run, far_batch_metric ...
 *     far_metric_free(mistakes);
 *
 * A metric is immutable and may be shared by any number of threads and batches. Its number of a run
 * depends on that run alone: not on threads, nor on what was run before.
 */
#ifndef FARSIGHT_METRIC_H
#define FARSIGHT_METRIC_H

#include "farsight/agent.h"
#include "farsight/mdp.h"
#include "farsight/param.h"
#include "farsight/run.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The metrics, in the order of their listing; NULL past the end. */
FAR_API const far_type_info *far_metric_type(size_t index);

/* Creates a metric from a spec; its `name` is the canonical spec. Fails with SYNTAX, UNKNOWN,
 * RANGE, CONFLICT or MEMORY. */
FAR_API far_status far_metric_create(far_metric **out, const char *spec, far_error *error);

/* Frees one made by far_metric_create; NULL is fine. */
FAR_API void far_metric_free(far_metric *metric);

/* Checks whether this metric (made by far_metric_create) can be recorded in a cell. Fails
 * as the metric's own `create` or far_agent_create does, and with CONFLICT if it needs a model where there is a
 * simulator. Calls `warn` (unless NULL) once for each
 * reason why its number would have no meaning; `severe` is true where it can only be 0. */
FAR_API far_status far_metric_check(const far_metric *metric, const far_cell *cell,
                                    far_warn_fn *warn, void *user, far_error *error);

/* Is a larger number of this series better? The series is named as results are stored: "total",
 * "curve@1000", a metric's spec ("mistakes:eps=0.5"), or a metric's spec with a step
 * ("regret@1000"). For metrics of the library their descriptor decides; everything else, the name
 * of an unknown metric included, counts as a reward, of which more is better. */
FAR_API bool far_series_higher_is_better(const char *series);

/* What a run has come to by the time that this series (named as above) says, as in "learned"; NULL if
 * its numbers are no times that a run's end can cut off, and for metrics that are not the library's. */
FAR_API const char *far_series_event(const char *series);

/* The steps with which a run of `steps` steps is censored in this series: a run with that number, or a
 * greater one, had not come to the event, and its number says only that the time is no less. It is `steps`,
 * or the step in the name ("learned@1000"). 0: none is, since the series has no event or the steps are
 * unknown (0). */
FAR_API int64_t far_series_limit(const char *series, int64_t steps);

/* Between which numbers the number of a run of `steps` steps (0: unknown) lies in this series, as far as that follows from
 * its name and, for rewards, from the shape of the model (NULL: unknown): of shares 0 and 1, of times and counts 0 and
 * the steps, of rewards the steps times the range of rewards; -INFINITY and INFINITY where nothing is known. */
FAR_API void far_series_bounds(double *least, double *most, const char *series, int64_t steps,
                               const far_shape *shape);

#ifdef __cplusplus
}
#endif

#endif
