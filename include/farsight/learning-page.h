/* What an agent knew at several times of a run, as a section of a page: a table and figures, whose views are the
 * times. */
#ifndef FARSIGHT_LEARNING_PAGE_H
#define FARSIGHT_LEARNING_PAGE_H

#include "farsight/learning.h"
#include "farsight/report.h"
#include "farsight/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Adds a heading of this level, the table of times and a figure of each quantity that the agent has: visits, q,
 * value, policy, bonus, e, learn. The first view of a figure shows all times; then follows one a time, unless the
 * model is so large that they would make the page heavy. Names of figures begin with `name`, which must be unique
 * in the page. Fails with MEMORY; what cannot be drawn for another reason is left out with a note. */
FAR_API far_status far_learning_page(far_report *report, int level, const char *name,
                                     const far_learning *learning, far_error *error);

#ifdef __cplusplus
}
#endif

#endif
