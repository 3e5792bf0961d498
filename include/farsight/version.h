/* The version of these headers, for the preprocessor. far_version() is that of the library which a
 * program runs with; docs/api.md describes which of them are compatible.
 *
 *     #if FAR_VERSION_NUMBER >= FAR_VERSION_OF(1, 1, 0)
 */
#ifndef FARSIGHT_VERSION_H
#define FARSIGHT_VERSION_H

#include "farsight/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The one place of the version: CMake and the Python package read it here. */
#define FAR_VERSION_MAJOR 2
#define FAR_VERSION_MINOR 0
#define FAR_VERSION_PATCH 0

/* A version as one number that grows with it; minor and patch are below 1000. */
#define FAR_VERSION_OF(major, minor, patch) ((major)*1000000 + (minor)*1000 + (patch))
#define FAR_VERSION_NUMBER FAR_VERSION_OF(FAR_VERSION_MAJOR, FAR_VERSION_MINOR, FAR_VERSION_PATCH)

/* The same as text: "2.0.0". */
#define FAR_VERSION_TEXT                                                                           \
  FAR_VERSION_QUOTE(FAR_VERSION_MAJOR)                                                             \
  "." FAR_VERSION_QUOTE(FAR_VERSION_MINOR) "." FAR_VERSION_QUOTE(FAR_VERSION_PATCH)
#define FAR_VERSION_QUOTE(number) FAR_VERSION_QUOTE_EXPANDED(number)
#define FAR_VERSION_QUOTE_EXPANDED(number) #number

/* The library's version, e.g. "2.0.0". Static; never NULL. */
FAR_API const char *far_version(void);

#ifdef __cplusplus
}
#endif

#endif
