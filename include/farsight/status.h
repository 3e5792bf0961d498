/* Errors are values: every call that can fail returns a far_status and fills a far_error.
 *
 * The error pointer is always the last argument and may be NULL. On success it is left untouched.
 * The library never prints, never exits and keeps no global state, with two exceptions: the list of
 * agents that the program has registered (farsight/plugin.h), since a spec is a string and has to
 * mean the same to every thread; and the limits of the process (farsight/memory.h).
 */
#ifndef FARSIGHT_STATUS_H
#define FARSIGHT_STATUS_H

#include "farsight/export.h"
#include "farsight/version.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The numbers never change; new codes go last. */
typedef enum far_status {
  FAR_STATUS_OK = 0,
  FAR_STATUS_SYNTAX = 1,    /* the text does not follow the grammar */
  FAR_STATUS_UNKNOWN = 2,   /* there is nothing of that name */
  FAR_STATUS_RANGE = 3,     /* a value is outside its bounds */
  FAR_STATUS_CONFLICT = 4,  /* values that do not go together */
  FAR_STATUS_MEMORY = 5,    /* out of memory, or a size too large for this machine */
  FAR_STATUS_IO = 6,        /* the system could not read or write */
  FAR_STATUS_FORMAT = 7,    /* the file is damaged or is not of this kind */
  FAR_STATUS_MISMATCH = 8,  /* the file belongs to another algorithm, shape or parameter set */
  FAR_STATUS_CANCELLED = 9, /* stopped on request */
  FAR_STATUS_ABSENT = 10,   /* this build was made without it */
} far_status;

#define FAR_OK FAR_STATUS_OK

typedef struct far_error {
  far_status code;
  int position;      /* byte offset into the offending text, or -1 when there is none */
  char message[480]; /* what is wrong, and what would be right; no trailing newline */
} far_error;

/* The general meaning of a code, e.g. "a value is outside its bounds". Never NULL. */
FAR_API const char *far_status_text(far_status status);

#ifdef __cplusplus
}
#endif

#endif
