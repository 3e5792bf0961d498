/* What there is (agents, environments, metrics, theorems) as reports and as JSON.
 *
 *     far_types_report(far_agent_type, NULL, report);                 a table of all agents
 *     far_types_report(far_agent_type, far_agent_type(0), report);    everything about one
 */
#ifndef FARSIGHT_LISTING_H
#define FARSIGHT_LISTING_H

#include "farsight/json.h"
#include "farsight/param.h"
#include "farsight/report.h"
#include "farsight/theory.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Adds table "types", a row for each type of the list (far_agent_type, far_mdp_family or
 * far_metric_type); or, unless `only` is NULL, all about that one: table "params". */
FAR_API void far_types_report(far_listing *list, const far_type_info *only, far_report *report);

/* The same as an array of objects, one of them if `only` is not NULL; `key` as in farsight/json.h. */
FAR_API void far_types_write(far_listing *list, const far_type_info *only, far_json *json,
                             const char *key);

/* Adds table "theorems"; or, unless `only` is NULL, all about that one. */
FAR_API void far_theorems_report(const far_theorem *only, far_report *report);
FAR_API void far_theorems_write(const far_theorem *only, far_json *json, const char *key);

/* The theorem of a name. UNKNOWN with a message that names the nearest, or the guarantee of an agent
 * on which there is no theorem. */
FAR_API far_status far_theorem_named(const far_theorem **out, const char *name, far_error *error);

#ifdef __cplusplus
}
#endif

#endif
