/* The libraries of others that this build uses, or was made without: versions, licences, what for.
 *
 *     far_dependency list[8];
 *     size_t n = 0;
 *     while (far_dependency_at(&list[n], n)) ++n;
 */
#ifndef FARSIGHT_DEPENDENCIES_H
#define FARSIGHT_DEPENDENCIES_H

#include <stdbool.h>

#include "farsight/json.h"
#include "farsight/report.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { FAR_DEPENDENCY_VERSION = 80 };

typedef struct far_dependency {
  const char *name, *use;
  const char *licence;                /* the name of it */
  char built[FAR_DEPENDENCY_VERSION]; /* the version that it was built with; "": built without it */
  char running[FAR_DEPENDENCY_VERSION]; /* the one that is loaded now; "" where there is none */
} far_dependency;

/* The i-th library of libfarsight and libfarsight-lab; false past the end. */
FAR_API bool far_dependency_at(far_dependency *out, size_t i);

/* Adds table "dependencies"; and the same as an array of objects, `key` as in farsight/json.h. */
FAR_API void far_dependencies_report(const far_dependency *list, size_t count, far_report *report);
FAR_API void far_dependencies_write(const far_dependency *list, size_t count, far_json *json,
                                    const char *key);

#ifdef __cplusplus
}
#endif

#endif
