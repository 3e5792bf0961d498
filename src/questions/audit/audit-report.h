/* An audit as a report. */
#ifndef FAR_QUESTIONS_AUDIT_AUDIT_REPORT_H
#define FAR_QUESTIONS_AUDIT_AUDIT_REPORT_H

#include "farsight/audit.h"
#include "farsight/report.h"

/* Adds what an audit found: table "claims", also "counts"; what is violated with its first violation and
 * the command that shows it again. `def` is what the audit was made of, `env` the environment as it was
 * given, for that command; for a model without a spec, which no command can make, its name or NULL. The
 * JSON document has the members "seed", "env", "agent", "steps", "runs", "delta", "known", "claims" and
 * "counts". */
void far__audit_report(const far_audit *audit, const far_audit_def *def, const char *env,
                       far_report *report);

/* Is a claim violated, beyond what delta allows if it is not certain? */
bool far__audit_violated(const far_audit *audit);

#endif
