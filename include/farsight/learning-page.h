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
 * policy, bonus, e, learn. The first view of a figure shows all times; of visits, q and policy follows one a
 * time. Of large models there are fewer, so that a section has about 0.5 MB, and seldom more than 1 MB.
 * Names of figures begin with `name`, which must be unique in the page. Fails with MEMORY; what cannot be drawn
 * for another reason is left out with a note. */
FAR_API far_status far_learning_page(far_report *report, int level, const char *name,
                                     const far_learning *learning, far_error *error);

#ifdef __cplusplus
}
#endif

#endif
