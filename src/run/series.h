/* What the numbers of a metric mean: bounds, events, censoring. */
#ifndef FAR_RUN_SERIES_H
#define FAR_RUN_SERIES_H

#include "base/export.h"
#include "farsight/run.h"

/* Checks whether this metric (made by far_metric_create) can be recorded in a cell. Fails
 * as the metric's own `create` or far_agent_create does, and with CONFLICT if it needs a model where there is a
 * simulator. Calls `warn` (unless NULL) once for each reason why its number would have no meaning; `severe` is true
 * where it can only be 0. */
FAR_LAB far_status far__metric_check(const far_metric *metric, const far_cell *cell,
                                     far_warn_fn *warn, void *user, far_error *error);

/* What a run has come to by the time that this series (named as for far_series_higher_is_better) says, as in "learned"; NULL if
 * its numbers are no times that a run's end can cut off, and for metrics that are not the library's. */
FAR_LAB const char *far__series_event(const char *series);

/* The steps with which a run of `steps` steps is censored in this series: a run with that number, or a
 * greater one, had not come to the event, and its number says only that the time is no less. It is `steps`,
 * or the step in the name ("learned@1000"). 0: none is, since the series has no event or the steps are
 * unknown (0). */
FAR_LAB int64_t far__series_limit(const char *series, int64_t steps);

/* Between which numbers the number of a run of `steps` steps (0: unknown) lies in this series, as far as that follows from
 * its name and, for rewards, from the shape of the model (NULL: unknown): of shares 0 and 1, of times and counts 0 and
 * the steps, of rewards the steps times the range of rewards; -INFINITY and INFINITY where nothing is known. */
FAR_LAB void far__series_bounds(double *least, double *most, const char *series, int64_t steps,
                                const far_shape *shape);

#endif
