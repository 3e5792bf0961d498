/* The libraries of others that this build uses, or was made without: versions, licences, what for.
 *
 *     far__dependency list[8];
 *     size_t n = 0;
 *     while (far__dependency_at(&list[n], n)) ++n;
 */
#ifndef FAR_QUESTIONS_LISTING_DEPENDENCIES_H
#define FAR_QUESTIONS_LISTING_DEPENDENCIES_H

#include "base/json.h"
#include "farsight/report.h"

enum { FAR__DEPENDENCY_VERSION = 80 };

typedef struct far__dependency {
  const char *name, *use;
  const char *licence; /* the name of it */
  char
      built[FAR__DEPENDENCY_VERSION]; /* the version that it was built with; "": built without it */
  char running[FAR__DEPENDENCY_VERSION]; /* the one that is loaded now; "" where there is none */
} far__dependency;

/* The i-th library of libfarsight and libfarsight-lab; false past the end. */
bool far__dependency_at(far__dependency *out, size_t i);

/* Adds table "dependencies"; and the same as an array of objects, `key` as in base/json.h. */
void far__dependencies_report(const far__dependency *list, size_t count, far_report *report);
void far__dependencies_write(const far__dependency *list, size_t count, far__json *json,
                             const char *key);

#endif
