#ifndef FAR_BASE_ERROR_H
#define FAR_BASE_ERROR_H

#include "farsight/status.h"

/* Fills *error (if there is one) from the printf arguments; the value is the code. A macro, so that
 * callers (and static analysis) see which code it is. */
#define far__fail(error, code, position, ...)                                                      \
  (far__set_error((error), (code), (position), __VA_ARGS__), (code))

void far__set_error(far_error *error, far_status code, int position, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
