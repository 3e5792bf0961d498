/* Errors are values: every call that can fail returns a far_status and fills a far_error.
 *
 * The error pointer is always the last argument and may be NULL. On success it is left untouched.
 * The library never prints, never exits and keeps no global state, with one exception: the list of
 * agents that the program has registered (farsight/plugin.h), since a spec is a string and has to
 * mean the same to every thread.
 */
#ifndef FARSIGHT_STATUS_H
#define FARSIGHT_STATUS_H

#include "farsight/export.h"

typedef enum far_status {
#define FAR_STATUS(name, text) FAR_STATUS_##name,
#include "farsight/status.def"
#undef FAR_STATUS
} far_status;

#define FAR_OK FAR_STATUS_OK

typedef struct far_error {
  far_status code;
  int position;      /* byte offset into the offending text, or -1 when there is none */
  char message[480]; /* what is wrong, and what would be right; no trailing newline */
} far_error;

/* The general meaning of a code, e.g. "a value is outside its bounds". Never NULL. */
FAR_API const char *far_status_text(far_status status);

/* The library's version, e.g. "0.1.0". */
FAR_API const char *far_version(void);

#endif
