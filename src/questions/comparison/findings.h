/* Findings, between the file that tests environments and the one that looks over all of them. */
#ifndef FAR_QUESTIONS_COMPARISON_FINDINGS_H
#define FAR_QUESTIONS_COMPARISON_FINDINGS_H

#include "farsight/findings.h"

/* Fills `overall`; `reference` is set. Fails with MEMORY. */
far_status far__find_overall(far_findings *out, far_error *error);

/* Fills `order`. Fails with MEMORY. */
far_status far__find_order(far_findings *out, far_error *error);

#endif
