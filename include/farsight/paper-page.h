/* The paper's story as a page: its tables, the curves behind them, and what they do and do not show. */
#ifndef FARSIGHT_PAPER_PAGE_H
#define FARSIGHT_PAPER_PAGE_H

#include "farsight/paper-story.h"
#include "farsight/report.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Adds the page to a report, to be rendered as HTML; the story may be freed afterwards. Every sentence
 * with a number is made from the runs of the story. Fails with MEMORY. */
FAR_API far_status far_paper_page(far_report *report, const far_paper_story *story,
                                  far_error *error);

#ifdef __cplusplus
}
#endif

#endif
