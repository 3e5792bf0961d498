#ifndef FARSIGHT_MPI_FAIL_H
#define FARSIGHT_MPI_FAIL_H

#include "farsight/farsight.h"

/* Fills *error (may be NULL) from the printf arguments; returns the code. */
far_status far__rank_fail(far_error *error, far_status code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
