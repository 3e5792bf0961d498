/* Checkpoints of a curve: "100" (so many, evenly), "log 100", or "10,100,1000". */
#ifndef FAR_STUDY_CURVE_H
#define FAR_STUDY_CURVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "farsight/status.h"

enum { FAR__MOST_CHECKPOINTS = 10000 };

/* Ascending, each once, the last being `steps` (heap). With `cut`, checkpoints that are beyond the steps
 * are left out; otherwise they are an error. */
far_status far__curve_parse(int64_t **out, size_t *count, const char *text, int64_t steps, bool cut,
                            far_error *error);

#endif
