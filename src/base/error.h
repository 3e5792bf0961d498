#ifndef FAR_BASE_ERROR_H
#define FAR_BASE_ERROR_H

#include <float.h>

#include "farsight/base.h"

/* Results are the same bits everywhere only where arithmetic is plain IEEE double arithmetic. */
_Static_assert(FLT_EVAL_METHOD == 0, "doubles must be computed as doubles (x86: -mfpmath=sse)");
_Static_assert(DBL_MANT_DIG == 53 && DBL_MAX_EXP == 1024, "doubles must be IEEE binary64");
#ifdef __FAST_MATH__
#error "-ffast-math changes results; build without it"
#endif

/* Fills *error (if there is one) from the printf arguments; the value is the code. A macro, so that
 * callers (and static analysis) see which code it is. */
#define far__fail(error, code, position, ...)                                                      \
  (far__set_error((error), (code), (position), __VA_ARGS__), (code))

void far__set_error(far_error *error, far_status code, int position, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
