/* An audit as a report. */
#ifndef FARSIGHT_AUDIT_REPORT_H
#define FARSIGHT_AUDIT_REPORT_H

#include "farsight/audit.h"
#include "farsight/report.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Adds what an audit found: table "claims", also "counts"; what is violated with its first violation and
 * the command that shows it again. `def` is what the audit was made of, `env` the environment as it was
 * given, for that command; for a model without a spec, which no command can make, its name or NULL. The
 * JSON document has the members "seed", "env", "agent", "steps", "runs", "delta", "known", "claims" and
 * "counts". */
FAR_API void far_audit_report(const far_audit *audit, const far_audit_def *def, const char *env,
                              far_report *report);

/* Is a claim violated, beyond what delta allows if it is not certain? */
FAR_API bool far_audit_violated(const far_audit *audit);

#ifdef __cplusplus
}
#endif

#endif
