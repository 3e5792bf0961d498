/* Clocks in seconds, for measuring durations; their origin is arbitrary. */
#ifndef FARSIGHT_CLOCK_H
#define FARSIGHT_CLOCK_H

#include "farsight/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Elapsed time; never decreases (monotonic). */
FAR_API double far_clock_seconds(void);

/* Processor time that the calling thread has used. */
FAR_API double far_clock_thread(void);

#ifdef __cplusplus
}
#endif

#endif
