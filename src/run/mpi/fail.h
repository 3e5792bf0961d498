#ifndef FARSIGHT_MPI_FAIL_H
#define FARSIGHT_MPI_FAIL_H

#include "farsight/farsight.h"

/* Fills *error (if there is one) from the printf arguments; the value is the code. */
far_status far__rank_fail(far_error *error, far_status code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
