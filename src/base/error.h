#ifndef FAR_BASE_ERROR_H
#define FAR_BASE_ERROR_H

#include "farsight/status.h"

/* Fills *error (if there is one) from the printf arguments and returns the code. */
far_status far__fail(far_error *error, far_status code, int position, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
