/* Audits of a page: run first, since the verdict counts their claims. */
#ifndef FAR_QUESTIONS_AUDIT_AUDIT_SECTION_H
#define FAR_QUESTIONS_AUDIT_AUDIT_SECTION_H

#include "farsight/audit.h"
#include "questions/page/page.h"

typedef struct far__audit {
  size_t group, env, agent; /* of the comparison */
  far_audit *audit;         /* NULL where it was not run */
} far__audit;

typedef struct far__audits {
  far__audit *items;
  size_t n;        /* that were run */
  size_t possible; /* cells whose agents have claims; items has the first of them */
} far__audits;

/* Runs them, if the definition says so. */
void far__page_run_audits(far__page *page, far__audits *out);
void far__audits_free(far__audits *audits);

void far__audits_verdict(const far__page *page, const far__audits *audits);
void far__page_audits(far__page *page, const far__audits *audits);

#endif
