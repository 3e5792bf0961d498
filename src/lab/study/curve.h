/* Checkpoints of a curve: "100" (so many, evenly), "log 100", or "10,100,1000". */
#ifndef FAR_LAB_STUDY_CURVE_H
#define FAR_LAB_STUDY_CURVE_H

#include "farsight/base.h"

enum { FAR__MOST_CHECKPOINTS = 10000 };

/* The length of a run, in "steps" or "episodes". */
typedef struct far__length {
  int64_t length;
  const char *unit;
} far__length;

/* Ascending, each once, the last being the run's length (heap). With `cut`, checkpoints that are beyond it
 * are left out; otherwise they are an error. */
far_status far__curve_parse(int64_t **out, size_t *count, const char *text, far__length run,
                            bool cut, far_error *error);

#endif
