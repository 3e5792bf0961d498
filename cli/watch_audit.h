/* The audit of the run that is watched: where the claims of the agents' proofs are first violated. */
#ifndef FARSIGHT_CLI_WATCH_AUDIT_H
#define FARSIGHT_CLI_WATCH_AUDIT_H

#include "watch.h"

enum { MOST_VIOLATIONS = 64 };

typedef struct watch_violation {
  size_t agent;
  const char *claim, *statement;
  far_violation first;
} watch_violation;

typedef struct watch_audit {
  bool done;
  far_audit *audits[WATCH_AGENTS];             /* NULL: no claims */
  watch_violation violations[MOST_VIOLATIONS]; /* by steps */
  size_t n_violations, n_checked, n_violated;
} watch_audit;

/* Audits all agents that have claims, unless it was done before. False, with a reason, if none has, or it
 * was stopped. */
bool watch_audit_run(watch_audit *audit, watch *w, far_progress_fn *show, far_error *error);

/* The first violation after step t, or NULL. */
const watch_violation *watch_audit_next(const watch_audit *audit, int64_t t);
void watch_audit_free(watch_audit *audit);

#endif
