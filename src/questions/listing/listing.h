/* What there is (agents, environments, metrics, theorems) as reports and as JSON.
 *
 *     far__types_report(far_agent_type, NULL, report);                 a table of all agents
 *     far__types_report(far_agent_type, far_agent_type(0), report);    everything about one
 */
#ifndef FAR_QUESTIONS_LISTING_LISTING_H
#define FAR_QUESTIONS_LISTING_LISTING_H

#include "base/json.h"
#include "farsight/base.h"
#include "farsight/report.h"
#include "farsight/theory.h"

/* Adds table "types", a row for each type of the list (far_agent_type, far_mdp_family or
 * far_metric_type); or, unless `only` is NULL, all about that one: table "params". */
void far__types_report(far_listing *list, const far_type_info *only, far_report *report);

/* The same as an array of objects, one of them if `only` is not NULL; `key` as in base/json.h. */
void far__types_write(far_listing *list, const far_type_info *only, far__json *json,
                      const char *key);

/* Adds table "theorems"; or, unless `only` is NULL, all about that one. */
void far__theorems_report(const far_theorem *only, far_report *report);
void far__theorems_write(const far_theorem *only, far__json *json, const char *key);

/* The theorem of a name. UNKNOWN with a message that names the nearest, or the guarantee of an agent
 * on which there is no theorem. */
far_status far__theorem_named(const far_theorem **out, const char *name, far_error *error);

#endif
